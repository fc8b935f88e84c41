// Shape arithmetic: ops on integer or boolean tensors of few elements become
// scalar arithmetic between tensor.extract and tensor.from_elements, which
// fold away between two such ops.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

using namespace mlir;

namespace ferrule::lowering {

static bool isSmallInteger(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() &&
         tensor.getNumElements() <= maxScalarElements &&
         tensor.getElementType().isIntOrIndex() &&
         !isNarrowInteger(tensor.getElementType());
}

namespace {

using Elements = SmallVector<Value>;

/// One op in scalar form. `operands` holds the elements of each operand in
/// row-major order.
struct ScalarExpansion {
  OpBuilder &b;
  Operation *op;
  ArrayRef<Elements> operands;
  RankedTensorType type;

  static SmallVector<int64_t> shapeOf(Value value) {
    return SmallVector<int64_t>(
        cast<RankedTensorType>(value.getType()).getShape());
  }
  static int64_t linearize(ArrayRef<int64_t> at, ArrayRef<int64_t> shape) {
    return mlir::linearize(at, computeStrides(shape));
  }

  /// Result elements picked from the first operand: `source` maps a result
  /// position to the operand's.
  Elements
  pick(function_ref<SmallVector<int64_t>(ArrayRef<int64_t>)> source) {
    Elements result;
    SmallVector<int64_t> from = shapeOf(op->getOperand(0));
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      SmallVector<int64_t> at = delinearize(i, computeStrides(type.getShape()));
      result.push_back(operands[0][linearize(source(at), from)]);
    }
    return result;
  }

  Elements broadcast(ArrayRef<int64_t> dims) {
    SmallVector<int64_t> from = shapeOf(op->getOperand(0));
    return pick([&](ArrayRef<int64_t> at) {
      SmallVector<int64_t> source;
      for (auto [i, d] : llvm::enumerate(dims))
        source.push_back(from[i] == 1 ? 0 : at[d]);
      return source;
    });
  }

  Elements concatenate(stablehlo::ConcatenateOp concatenate) {
    Elements result;
    int64_t d = concatenate.getDimension();
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      SmallVector<int64_t> at = delinearize(i, computeStrides(type.getShape()));
      for (auto [k, input] : llvm::enumerate(concatenate.getInputs())) {
        SmallVector<int64_t> from = shapeOf(input);
        if (at[d] < from[d]) {
          result.push_back(operands[k][linearize(at, from)]);
          break;
        }
        at[d] -= from[d];
      }
    }
    return result;
  }

  Elements elementwise() {
    Elements result;
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      SmallVector<Value> scalars;
      for (const Elements &operand : operands)
        scalars.push_back(operand[operand.size() == 1 ? 0 : i]);
      result.push_back(emitScalarOp(b, op, scalars));
    }
    return result;
  }

  /// One operand, one init: folds the elements in order.
  std::optional<Elements> reduce(stablehlo::ReduceOp reduce) {
    if (reduce.getInputs().size() != 1)
      return std::nullopt;
    ScalarRegion region(b, reduce.getBody(),
                        [](Value value) { return value; });
    SetVector<Value> outside;
    getUsedValuesDefinedAbove(reduce.getBody(), outside);
    if (!outside.empty() || failed(region.verify()) ||
        !region.argumentType(0).isIntOrIndex())
      return std::nullopt;
    Elements result(type.getNumElements(), operands[1][0]);
    SmallVector<int64_t> from = shapeOf(reduce.getInputs()[0]);
    for (auto [i, element] : llvm::enumerate(operands[0])) {
      SmallVector<int64_t> at = delinearize(i, computeStrides(from)), kept;
      for (auto [d, position] : llvm::enumerate(at))
        if (!llvm::is_contained(reduce.getDimensions(), d))
          kept.push_back(position);
      Value &accumulator = result[linearize(kept, type.getShape())];
      auto next = region.emit(b, {accumulator, element});
      if (failed(next))
        return std::nullopt;
      accumulator = next->front();
    }
    return result;
  }

  std::optional<Elements> expand() {
    if (isElementwise(op))
      return elementwise();
    return TypeSwitch<Operation *, std::optional<Elements>>(op)
        .Case<stablehlo::ReshapeOp, stablehlo::DynamicReshapeOp>(
            [&](auto) { return operands[0]; })
        .Case<stablehlo::BroadcastInDimOp, stablehlo::DynamicBroadcastInDimOp>(
            [&](auto broadcastOp) {
              return broadcast(broadcastOp.getBroadcastDimensions());
            })
        .Case<stablehlo::ConcatenateOp>(
            [&](auto concat) { return concatenate(concat); })
        .Case<stablehlo::SliceOp>([&](auto slice) {
          return pick([&](ArrayRef<int64_t> at) {
            SmallVector<int64_t> source;
            for (auto [i, start, stride] : llvm::zip(
                     at, slice.getStartIndices(), slice.getStrides()))
              source.push_back(start + i * stride);
            return source;
          });
        })
        .Case<stablehlo::TransposeOp>([&](auto transpose) {
          return pick([&](ArrayRef<int64_t> at) {
            SmallVector<int64_t> source(at.size());
            for (auto [i, d] : llvm::enumerate(transpose.getPermutation()))
              source[d] = at[i];
            return source;
          });
        })
        .Case<stablehlo::ReverseOp>([&](auto reverse) {
          return pick([&](ArrayRef<int64_t> at) {
            SmallVector<int64_t> source(at);
            for (int64_t d : reverse.getDimensions())
              source[d] = type.getDimSize(d) - 1 - at[d];
            return source;
          });
        })
        .Case<stablehlo::ReduceOp>([&](auto op) { return reduce(op); })
        .Default([](Operation *) { return std::nullopt; });
  }
};

struct SmallIntegerLowering : ConversionPattern {
  SmallIntegerLowering(Converter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 3, context) {}

  /// Sizes of a dynamic_* op with a static result are not needed.
  static bool isUnused(Operation *op, unsigned operand) {
    return operand > 0 && isa<stablehlo::DynamicReshapeOp,
                              stablehlo::DynamicBroadcastInDimOp>(op);
  }

  static bool matches(Operation *op) {
    bool known =
        isElementwise(op) ||
        isa<stablehlo::ReshapeOp, stablehlo::DynamicReshapeOp,
            stablehlo::BroadcastInDimOp, stablehlo::DynamicBroadcastInDimOp,
            stablehlo::ConcatenateOp, stablehlo::SliceOp,
            stablehlo::TransposeOp, stablehlo::ReverseOp, stablehlo::ReduceOp>(
            op);
    return known && op->getNumResults() == 1 && op->getNumOperands() > 0 &&
           llvm::all_of(op->getOperandTypes(), isSmallInteger) &&
           isSmallInteger(op->getResult(0).getType());
  }

  static Elements extractAll(OpBuilder &b, Location loc, Value tensor) {
    Elements elements;
    auto type = tensorType(tensor);
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      SmallVector<Value> at;
      for (int64_t position : delinearize(i, computeStrides(type.getShape())))
        at.push_back(indexConstant(b, loc, position));
      elements.push_back(tensor::ExtractOp::create(b, loc, tensor, at));
    }
    return elements;
  }

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!matches(op))
      return rewriter.notifyMatchFailure(op, "not small integers");
    Location loc = op->getLoc();
    SmallVector<Elements> elements;
    for (auto [i, operand] : llvm::enumerate(operands))
      elements.push_back(isUnused(op, i)
                             ? Elements()
                             : extractAll(rewriter, loc, operand));
    RankedTensorType type = resultType(getTypeConverter(), op->getResult(0));
    ScalarExpansion expansion{rewriter, op, elements, type};
    std::optional<Elements> result = expansion.expand();
    if (!result || llvm::is_contained(*result, Value()))
      return rewriter.notifyMatchFailure(op, "no scalar form");
    rewriter.replaceOpWithNewOp<tensor::FromElementsOp>(op, type, *result);
    return success();
  }
};

} // namespace

void addSmallIntegerPatterns(Converter &converter, Patterns &patterns) {
  patterns.add<SmallIntegerLowering>(converter, patterns.getContext());
}

} // namespace ferrule::lowering
