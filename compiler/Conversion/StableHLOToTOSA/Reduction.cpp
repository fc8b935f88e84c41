// Reductions of one input by a known function, and max pooling.
#include "compiler/Conversion/StableHLOToTOSA/Builders.h"

using namespace mlir;
using namespace ferrule;
namespace ferrule::totosa {

namespace {

/// The one operation between a body's two arguments, null when there is more.
Operation *getCombiner(Region &body) {
  Block &block = body.front();
  if (block.getNumArguments() != 2 || block.getOperations().size() != 2)
    return nullptr;
  Operation *op = &block.front();
  if (op->getNumOperands() != 2 || op->getNumResults() != 1 ||
      block.getTerminator()->getOperands() != op->getResults())
    return nullptr;
  Value l = block.getArgument(0), r = block.getArgument(1);
  bool inOrder = op->getOperand(0) == l && op->getOperand(1) == r;
  bool swapped = op->getOperand(0) == r && op->getOperand(1) == l;
  return inOrder || swapped ? op : nullptr;
}

/// Whether TOSA reduces such elements by `combiner`.
bool hasReduction(Operation *combiner, Type element) {
  using namespace stablehlo;
  if (element.isInteger(1))
    return isa<AndOp, MinOp, MulOp, OrOp, MaxOp, AddOp>(combiner);
  return isa<AddOp, MaxOp, MinOp>(combiner) ||
         (isa<MulOp>(combiner) && isa<FloatType>(element));
}

/// x reduced along one dimension, which stays with size 1.
Value reduceDimension(ImplicitLocOpBuilder &b, Operation *combiner, Value x,
                      int64_t dim) {
  SmallVector<int64_t> sizes(typeOf(x).getShape());
  sizes[dim] = 1;
  auto type = RankedTensorType::get(sizes, typeOf(x).getElementType());
  IntegerAttr axis = b.getI32IntegerAttr(dim);
  if (type.getElementType().isInteger(1)) {
    if (isa<stablehlo::AndOp, stablehlo::MinOp, stablehlo::MulOp>(combiner))
      return tosa::ReduceAllOp::create(b, type, x, axis);
    return tosa::ReduceAnyOp::create(b, type, x, axis);
  }
  if (isa<stablehlo::AddOp>(combiner))
    return tosa::ReduceSumOp::create(b, type, x, axis);
  if (isa<stablehlo::MaxOp>(combiner))
    return tosa::ReduceMaxOp::create(b, type, x, axis);
  if (isa<stablehlo::MinOp>(combiner))
    return tosa::ReduceMinOp::create(b, type, x, axis);
  return tosa::ReduceProductOp::create(b, type, x, axis);
}

/// Whether the initial value changes nothing.
bool isNeutral(Operation *combiner, Value init) {
  DenseElementsAttr value;
  if (!matchPattern(init, m_Constant(&value)) || !value.isSplat())
    return false;
  if (isa<FloatType>(value.getElementType())) {
    auto number = value.getSplatValue<APFloat>();
    if (isa<stablehlo::AddOp>(combiner))
      return number.isZero();
    if (isa<stablehlo::MulOp>(combiner))
      return number.isExactlyValue(1.0);
    bool isMax = isa<stablehlo::MaxOp>(combiner);
    return isa<stablehlo::MaxOp, stablehlo::MinOp>(combiner) &&
           number.isInfinity() && number.isNegative() == isMax;
  }
  auto number = value.getSplatValue<APInt>();
  if (number.getBitWidth() == 1)
    return number.isZero() ==
           isa<stablehlo::OrOp, stablehlo::AddOp, stablehlo::MaxOp>(combiner);
  if (isa<stablehlo::MaxOp>(combiner))
    return number.isMinSignedValue();
  if (isa<stablehlo::MinOp>(combiner))
    return number.isMaxSignedValue();
  return isa<stablehlo::AddOp>(combiner) && number.isZero();
}

struct ReduceLowering : OpRewritePattern<stablehlo::ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::ReduceOp op,
                                PatternRewriter &rewriter) const override {
    if (!isPlain(op) || op.getInputs().size() != 1)
      return rewriter.notifyMatchFailure(op, "several inputs or other types");
    Operation *combiner = getCombiner(op.getBody());
    if (!combiner)
      return rewriter.notifyMatchFailure(op, "the body is no single function");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value input = op.getInputs().front(), init = op.getInitValues().front();
    auto type = mlir::cast<RankedTensorType>(op->getResult(0).getType());
    Type element = computedElement(type.getElementType());
    if (typeOf(input).getElementType() != type.getElementType())
      return rewriter.notifyMatchFailure(op, "accumulators of another type");
    if (!hasReduction(combiner, element))
      return rewriter.notifyMatchFailure(op, "TOSA has no such reduction");
    Value x = cast(b, input, element);
    for (int64_t dim : op.getDimensions())
      x = reduceDimension(b, combiner, x, dim);
    x = cast(b, x, type.getElementType());
    x = reshape(b, x, type.getShape());
    if (!isNeutral(combiner, init)) {
      // The initial value is one more operand; this becomes TOSA in turn.
      Value spread =
          tile(b, reshape(b, init, SmallVector<int64_t>(type.getRank(), 1)),
               type.getShape());
      OperationState state(op.getLoc(), combiner->getName());
      state.addOperands({x, spread});
      state.addTypes(type);
      x = rewriter.create(state)->getResult(0);
    }
    rewriter.replaceOp(op, x);
    return success();
  }
};

/// The maximum over windows of two dimensions of [batch, h, w, channels].
struct PoolLowering : OpRewritePattern<stablehlo::ReduceWindowOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::ReduceWindowOp op,
                                PatternRewriter &rewriter) const override {
    if (!isPlain(op) || op.getInputs().size() != 1)
      return rewriter.notifyMatchFailure(op, "several inputs or other types");
    RankedTensorType input = typeOf(op.getInputs().front());
    ArrayRef<int64_t> window = op.getWindowDimensions();
    Operation *combiner = getCombiner(op.getBody());
    Type element = input.getElementType();
    if (!combiner || !isa<stablehlo::MaxOp>(combiner) ||
        !isNeutral(combiner, op.getInitValues().front()) ||
        !(isa<FloatType>(element) || element.isInteger(8)))
      return rewriter.notifyMatchFailure(op, "not the maximum of numbers");
    auto isOne = [](int64_t n) { return n == 1; };
    SmallVector<int64_t> strides(window.size(), 1);
    if (op.getWindowStrides())
      strides.assign(op.getWindowStrides()->begin(),
                     op.getWindowStrides()->end());
    SmallVector<int64_t> pads(2 * window.size());
    if (op.getPadding())
      pads = llvm::to_vector(op.getPadding()->getValues<int64_t>());
    if (input.getRank() != 4 || window[0] != 1 || window[3] != 1 ||
        strides[0] != 1 || strides[3] != 1 || pads[0] || pads[1] || pads[6] ||
        pads[7] || !llvm::all_of(pads, [](int64_t n) { return n >= 0; }) ||
        !llvm::all_of(op.getBaseDilations().value_or(ArrayRef<int64_t>()),
                      isOne) ||
        !llvm::all_of(op.getWindowDilations().value_or(ArrayRef<int64_t>()),
                      isOne))
      return rewriter.notifyMatchFailure(op, "not a window of two dimensions");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = mlir::cast<RankedTensorType>(op->getResult(0).getType());
    // Windows end with the input: what is left over goes first.
    SmallVector<int64_t> sizes(input.getShape()), amounts;
    for (int64_t dim : {1, 2}) {
      int64_t low = pads[2 * dim], high = pads[2 * dim + 1];
      int64_t used = (type.getDimSize(dim) - 1) * strides[dim] + window[dim];
      int64_t left = sizes[dim] + low + high - used;
      int64_t fromPad = std::min(left, high);
      sizes[dim] -= left - fromPad;
      amounts.append({low, high - fromPad});
      if (low >= window[dim] || high - fromPad >= window[dim])
        return rewriter.notifyMatchFailure(op, "padding of a whole window");
    }
    Value x = slice(b, op.getInputs().front(), SmallVector<int64_t>(4), sizes);
    rewriter.replaceOpWithNewOp<tosa::MaxPool2dOp>(
        op, type, x, b.getDenseI64ArrayAttr({window[1], window[2]}),
        b.getDenseI64ArrayAttr({strides[1], strides[2]}),
        b.getDenseI64ArrayAttr(amounts));
    return success();
  }
};

} // namespace

void addReductionPatterns(RewritePatternSet &patterns) {
  patterns.add<ReduceLowering, PoolLowering>(patterns.getContext());
}

} // namespace ferrule::totosa
