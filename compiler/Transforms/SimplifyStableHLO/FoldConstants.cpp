// Computes integer constants of at most kSmallConstant elements, and moves
// the elements of small or splat constants of any type.
#include "compiler/Transforms/SimplifyStableHLO/SimplifyStableHLO.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::stablehlo;

namespace {

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// One element of a unary operation, nothing when it is not for folding.
std::optional<APInt> evaluateUnary(Operation *op, const APInt &x,
                                   bool isUnsigned) {
  unsigned width = x.getBitWidth();
  if (isa<AbsOp>(op))
    return isUnsigned ? x : x.abs();
  if (isa<NegOp>(op))
    return -x;
  if (isa<NotOp>(op))
    return ~x;
  if (isa<SignOp>(op)) {
    if (x.isZero())
      return x;
    return isUnsigned || !x.isNegative() ? APInt(width, 1)
                                         : APInt::getAllOnes(width);
  }
  if (isa<PopulationCountOp>(op))
    return APInt(width, x.popcount());
  if (isa<ClzOp>(op))
    return APInt(width, x.countl_zero());
  return std::nullopt;
}

/// Division and remainder, where they are defined.
std::optional<APInt> evaluateDivision(Operation *op, const APInt &a,
                                      const APInt &b, bool isUnsigned) {
  if (b.isZero() || (!isUnsigned && a.isMinSignedValue() && b.isAllOnes()))
    return std::nullopt;
  if (isa<DivOp>(op))
    return isUnsigned ? a.udiv(b) : a.sdiv(b);
  return isUnsigned ? a.urem(b) : a.srem(b);
}

std::optional<APInt> evaluatePower(const APInt &base, const APInt &exponent,
                                   bool isUnsigned) {
  if (!isUnsigned && exponent.isNegative())
    return std::nullopt;
  APInt result(base.getBitWidth(), 1), square = base;
  for (unsigned bit = 0; bit < exponent.getActiveBits(); ++bit) {
    if (exponent[bit])
      result *= square;
    square *= square;
  }
  return result;
}

/// Shifts by the width or more give what all bits shifted out give.
std::optional<APInt> evaluateShift(Operation *op, const APInt &a,
                                   const APInt &b) {
  unsigned width = a.getBitWidth();
  bool out = b.uge(width);
  if (isa<ShiftLeftOp>(op))
    return out ? APInt(width, 0) : a.shl(b);
  if (isa<ShiftRightLogicalOp>(op))
    return out ? APInt(width, 0) : a.lshr(b);
  return out ? a.ashr(width - 1) : a.ashr(b);
}

std::optional<APInt> evaluateBinary(Operation *op, const APInt &a,
                                    const APInt &b, bool isUnsigned) {
  bool isBool = a.getBitWidth() == 1;
  if (isa<AddOp>(op))
    return isBool ? a | b : a + b;
  if (isa<SubtractOp>(op) && !isBool)
    return a - b;
  if (isa<MulOp>(op))
    return a * b;
  if (isa<DivOp, RemOp>(op))
    return evaluateDivision(op, a, b, isUnsigned);
  if (isa<MaxOp>(op))
    return isUnsigned ? llvm::APIntOps::umax(a, b) : llvm::APIntOps::smax(a, b);
  if (isa<MinOp>(op))
    return isUnsigned ? llvm::APIntOps::umin(a, b) : llvm::APIntOps::smin(a, b);
  if (isa<AndOp>(op))
    return a & b;
  if (isa<OrOp>(op))
    return a | b;
  if (isa<XorOp>(op))
    return a ^ b;
  if (isa<PowOp>(op))
    return evaluatePower(a, b, isUnsigned);
  if (isa<ShiftLeftOp, ShiftRightLogicalOp, ShiftRightArithmeticOp>(op))
    return evaluateShift(op, a, b);
  return std::nullopt;
}

bool evaluateCompare(ComparisonDirection direction, const APInt &a,
                     const APInt &b, bool isUnsigned) {
  bool less = isUnsigned ? a.ult(b) : a.slt(b);
  switch (direction) {
  case ComparisonDirection::EQ:
    return a == b;
  case ComparisonDirection::NE:
    return a != b;
  case ComparisonDirection::LT:
    return less;
  case ComparisonDirection::LE:
    return less || a == b;
  case ComparisonDirection::GT:
    return !less && a != b;
  case ComparisonDirection::GE:
    return !less;
  }
  llvm_unreachable("unknown comparison direction");
}

std::optional<APInt> evaluateElement(Operation *op, ArrayRef<APInt> x,
                                     bool isUnsigned) {
  if (auto compare = dyn_cast<CompareOp>(op))
    return APInt(1, evaluateCompare(compare.getComparisonDirection(), x[0],
                                    x[1], isUnsigned));
  if (isa<SelectOp>(op))
    return x[0].isZero() ? x[2] : x[1];
  if (isa<ClampOp>(op))
    return isUnsigned
               ? llvm::APIntOps::umin(llvm::APIntOps::umax(x[1], x[0]), x[2])
               : llvm::APIntOps::smin(llvm::APIntOps::smax(x[1], x[0]), x[2]);
  if (x.size() == 2)
    return evaluateBinary(op, x[0], x[1], isUnsigned);
  return x.size() == 1 ? evaluateUnary(op, x[0], isUnsigned) : std::nullopt;
}

bool isUnsignedElement(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isUnsignedInteger() || element.isInteger(1);
}

/// Integers of the operand; a scalar stands for each element.
struct Integers {
  SmallVector<APInt> values;
  const APInt &at(int64_t i) const {
    return values[values.size() == 1 ? 0 : i];
  }
};

std::optional<SmallVector<Integers>> integerOperands(Operation *op) {
  SmallVector<Integers> result;
  for (Value operand : op->getOperands()) {
    DenseElementsAttr attr = matchConstant(operand);
    if (!attr || !isa<IntegerType>(attr.getElementType()) ||
        attr.getNumElements() > kSmallConstant)
      return std::nullopt;
    result.push_back({llvm::to_vector(attr.getValues<APInt>())});
  }
  return result;
}

/// op(constants of integers) -> constant
struct FoldElementwise : RewritePattern {
  FoldElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<AbsOp, NegOp, NotOp, SignOp, PopulationCountOp, ClzOp, AddOp,
             SubtractOp, MulOp, DivOp, RemOp, MaxOp, MinOp, AndOp, OrOp, XorOp,
             PowOp, ShiftLeftOp, ShiftRightLogicalOp, ShiftRightArithmeticOp,
             CompareOp, SelectOp, ClampOp>(op))
      return failure();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (!isa<IntegerType>(type.getElementType()) || !type.hasStaticShape() ||
        type.getNumElements() > kSmallConstant)
      return rewriter.notifyMatchFailure(op, "no small integer result");
    auto operands = integerOperands(op);
    if (!operands)
      return rewriter.notifyMatchFailure(op, "operands are not constant");
    bool isUnsigned = isUnsignedElement(op->getOperands().back().getType());
    SmallVector<APInt> values;
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      auto entries = llvm::map_to_vector(
          *operands, [&](const Integers &operand) { return operand.at(i); });
      std::optional<APInt> value = evaluateElement(op, entries, isUnsigned);
      if (!value)
        return rewriter.notifyMatchFailure(op, "undefined for these values");
      values.push_back(*value);
    }
    rewriter.replaceOpWithNewOp<ConstantOp>(
        op, DenseElementsAttr::get(type, values));
    return success();
  }
};

/// convert(constant of integers) -> constant of integers
struct FoldConvert : OpRewritePattern<ConvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertOp op,
                                PatternRewriter &rewriter) const override {
    auto to = dyn_cast<IntegerType>(op.getType().getElementType());
    DenseElementsAttr attr = matchConstant(op.getOperand());
    if (!to || !attr || !isa<IntegerType>(attr.getElementType()) ||
        !op.getType().hasStaticShape() ||
        (attr.getNumElements() > kSmallConstant && !attr.isSplat()))
      return rewriter.notifyMatchFailure(op, "no small integer constant");
    bool isUnsigned = isUnsignedElement(attr.getType());
    auto convert = [&](const APInt &value) {
      if (to.getWidth() == 1)
        return APInt(1, !value.isZero());
      return isUnsigned ? value.zextOrTrunc(to.getWidth())
                        : value.sextOrTrunc(to.getWidth());
    };
    SmallVector<APInt> values;
    if (attr.isSplat())
      values.push_back(convert(attr.getSplatValue<APInt>()));
    else
      values = llvm::map_to_vector(attr.getValues<APInt>(), convert);
    rewriter.replaceOpWithNewOp<ConstantOp>(
        op, DenseElementsAttr::get(op.getType(), values));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

/// Calls `fill` with each index of `shape` in row-major order.
void forEachIndex(ArrayRef<int64_t> shape,
                  function_ref<void(ArrayRef<int64_t>)> fill) {
  if (llvm::is_contained(shape, 0))
    return;
  SmallVector<int64_t> index(shape.size(), 0);
  while (true) {
    fill(index);
    int64_t dim = static_cast<int64_t>(shape.size()) - 1;
    for (; dim >= 0 && ++index[dim] == shape[dim]; --dim)
      index[dim] = 0;
    if (dim < 0)
      return;
  }
}

int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t linear = 0;
  for (auto [i, size] : llvm::zip(index, shape))
    linear = linear * size + i;
  return linear;
}

/// Index into the operand of each element of the result.
std::optional<SmallVector<int64_t>> operandIndices(Operation *op) {
  auto from = cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> source(from.getRank()), result;
  auto collect = [&](function_ref<void(ArrayRef<int64_t>)> map) {
    forEachIndex(to.getShape(), [&](ArrayRef<int64_t> index) {
      map(index);
      result.push_back(linearize(source, from.getShape()));
    });
    return result;
  };
  if (isa<ReshapeOp>(op))
    return llvm::to_vector(llvm::seq<int64_t>(to.getNumElements()));
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return collect([&](ArrayRef<int64_t> index) {
      for (auto [i, dim] : llvm::enumerate(transpose.getPermutation()))
        source[dim] = index[i];
    });
  if (auto broadcast = dyn_cast<BroadcastInDimOp>(op))
    return collect([&](ArrayRef<int64_t> index) {
      for (auto [i, dim] : llvm::enumerate(broadcast.getBroadcastDimensions()))
        source[i] = from.getDimSize(i) == 1 ? 0 : index[dim];
    });
  if (auto slice = dyn_cast<SliceOp>(op))
    return collect([&](ArrayRef<int64_t> index) {
      for (auto [i, position] : llvm::enumerate(index))
        source[i] =
            slice.getStartIndices()[i] + position * slice.getStrides()[i];
    });
  if (auto reverse = dyn_cast<ReverseOp>(op))
    return collect([&](ArrayRef<int64_t> index) {
      source.assign(index.begin(), index.end());
      for (int64_t dim : reverse.getDimensions())
        source[dim] = from.getDimSize(dim) - 1 - source[dim];
    });
  return std::nullopt;
}

/// reshape, transpose, ... (constant) -> constant, when small or a splat
struct FoldMovement : RewritePattern {
  FoldMovement(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<ReshapeOp, TransposeOp, BroadcastInDimOp, SliceOp, ReverseOp>(op))
      return failure();
    DenseElementsAttr attr = matchConstant(op->getOperand(0));
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (!attr || !type.hasStaticShape() ||
        isQuantizedElement(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "no static constant");
    if (attr.isSplat()) {
      rewriter.replaceOpWithNewOp<ConstantOp>(
          op, DenseElementsAttr::get(type, attr.getSplatValue<Attribute>()));
      return success();
    }
    if (attr.getNumElements() > kSmallConstant ||
        type.getNumElements() > kSmallConstant)
      return rewriter.notifyMatchFailure(op, "constant is large");
    auto indices = operandIndices(op);
    if (!indices)
      return failure();
    auto from = llvm::to_vector(attr.getValues<Attribute>());
    auto to = llvm::map_to_vector(*indices,
                                  [&](int64_t index) { return from[index]; });
    rewriter.replaceOpWithNewOp<ConstantOp>(op,
                                            DenseElementsAttr::get(type, to));
    return success();
  }
};

/// concatenate(small constants) -> constant
struct FoldConcatenate : OpRewritePattern<ConcatenateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatenateOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    if (!type.hasStaticShape() || type.getNumElements() > kSmallConstant)
      return rewriter.notifyMatchFailure(op, "no small result");
    SmallVector<Attribute> values(type.getNumElements());
    SmallVector<int64_t> place;
    int64_t offset = 0;
    for (Value input : op.getInputs()) {
      DenseElementsAttr attr = matchConstant(input);
      if (!attr)
        return rewriter.notifyMatchFailure(op, "operands are not constant");
      ArrayRef<int64_t> shape = attr.getType().getShape();
      auto entries = llvm::to_vector(attr.getValues<Attribute>());
      size_t next = 0;
      forEachIndex(shape, [&](ArrayRef<int64_t> index) {
        place.assign(index.begin(), index.end());
        place[op.getDimension()] += offset;
        values[linearize(place, type.getShape())] = entries[next++];
      });
      offset += shape[op.getDimension()];
    }
    rewriter.replaceOpWithNewOp<ConstantOp>(
        op, DenseElementsAttr::get(type, values));
    return success();
  }
};

/// The size of a static dimension is a constant.
struct FoldDimensionSize : OpRewritePattern<GetDimensionSizeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GetDimensionSizeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getOperand().getType();
    if (type.isDynamicDim(op.getDimension()))
      return rewriter.notifyMatchFailure(op, "the size is not known");
    APInt size(32, type.getDimSize(op.getDimension()));
    rewriter.replaceOpWithNewOp<ConstantOp>(
        op, DenseElementsAttr::get(op.getType(), size));
    return success();
  }
};

} // namespace

void ferrule::populateFoldConstantsPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldElementwise, FoldConvert, FoldMovement, FoldConcatenate,
               FoldDimensionSize>(patterns.getContext());
}
