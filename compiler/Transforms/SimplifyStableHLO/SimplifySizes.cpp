// Sizes asked of a result are asked of what the result's size comes from, so
// that shapes do not wait for data.
#include "compiler/Transforms/SimplifyStableHLO/SimplifyStableHLO.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::stablehlo;

namespace {

/// A dimension of another value that has the same size.
struct Origin {
  Value value;
  int64_t dim = 0;
};

/// The dimension of an operand that becomes dimension `dim` of a product:
/// batching dimensions, then free ones of lhs, then of rhs.
Origin originOfDot(DotGeneralOp op, int64_t dim) {
  DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  ArrayRef<int64_t> batch = dims.getLhsBatchingDimensions();
  if (dim < static_cast<int64_t>(batch.size()))
    return {op.getLhs(), batch[dim]};
  dim -= batch.size();
  for (auto [value, batching, contracting] :
       {std::tuple(op.getLhs(), dims.getLhsBatchingDimensions(),
                   dims.getLhsContractingDimensions()),
        std::tuple(op.getRhs(), dims.getRhsBatchingDimensions(),
                   dims.getRhsContractingDimensions())})
    for (int64_t i = 0; i < value.getType().getRank(); ++i)
      if (!llvm::is_contained(batching, i) &&
          !llvm::is_contained(contracting, i) && dim-- == 0)
        return {value, i};
  return {};
}

Origin originOfConvolution(ConvolutionOp op, int64_t dim) {
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  if (static_cast<uint64_t>(dim) ==
          static_cast<uint64_t>(dims.getOutputBatchDimension()) &&
      op.getBatchGroupCount() == 1)
    return {op.getLhs(), dims.getInputBatchDimension()};
  if (static_cast<uint64_t>(dim) ==
      static_cast<uint64_t>(dims.getOutputFeatureDimension()))
    return {op.getRhs(), dims.getKernelOutputFeatureDimension()};
  return {};
}

Origin originOfReduce(ReduceOp op, int64_t dim) {
  Value input = op.getInputs().front();
  for (int64_t i = 0; i < cast<RankedTensorType>(input.getType()).getRank();
       ++i)
    if (!llvm::is_contained(op.getDimensions(), i) && dim-- == 0)
      return {input, i};
  return {};
}

/// A window of one element at each position keeps the size.
Origin originOfWindow(ReduceWindowOp op, int64_t dim) {
  WindowDimension window = op.getWindow()[dim];
  if (window.size != 1 || window.stride != 1 || window.baseDilation != 1 ||
      window.paddingLow + window.paddingHigh != 0)
    return {};
  return {op.getInputs().front(), dim};
}

Origin originOfGather(GatherOp op, int64_t dim) {
  GatherDimensionNumbersAttr dims = op.getDimensionNumbers();
  if (llvm::is_contained(dims.getOffsetDims(), dim))
    return {};
  int64_t position = dim - llvm::count_if(dims.getOffsetDims(),
                                          [&](int64_t d) { return d < dim; });
  for (int64_t i = 0; i < op.getStartIndices().getType().getRank(); ++i)
    if (i != static_cast<int64_t>(dims.getIndexVectorDim()) && position-- == 0)
      return {op.getStartIndices(), i};
  return {};
}

Origin originOf(Operation *op, unsigned result, int64_t dim) {
  if (isa<tensor::CastOp, ReverseOp, DynamicUpdateSliceOp>(op))
    return {op->getOperand(0), dim};
  if (isa<SelectOp, ClampOp>(op))
    return {op->getOperand(1), dim};
  if (isa<SortOp, ScatterOp>(op))
    return {op->getOperand(result), dim};
  if (isa<StableHLODialect>(op->getDialect()) &&
      op->hasTrait<OpTrait::Elementwise>() && op->getNumOperands() > 0)
    return {op->getOperand(0), dim};
  return llvm::TypeSwitch<Operation *, Origin>(op)
      .Case([&](TransposeOp op) {
        return Origin{op.getOperand(), op.getPermutation()[dim]};
      })
      .Case([&](ConcatenateOp op) {
        return static_cast<uint64_t>(dim) == op.getDimension()
                   ? Origin()
                   : Origin{op.getInputs().front(), dim};
      })
      .Case([&](PadOp op) {
        bool grows = op.getEdgePaddingLow()[dim] != 0 ||
                     op.getEdgePaddingHigh()[dim] != 0 ||
                     op.getInteriorPadding()[dim] != 0;
        return grows ? Origin() : Origin{op.getOperand(), dim};
      })
      .Case([&](DotGeneralOp op) { return originOfDot(op, dim); })
      .Case([&](ConvolutionOp op) { return originOfConvolution(op, dim); })
      .Case([&](ReduceOp op) { return originOfReduce(op, dim); })
      .Case([&](ReduceWindowOp op) { return originOfWindow(op, dim); })
      .Case([&](GatherOp op) { return originOfGather(op, dim); })
      .Default([](Operation *) { return Origin(); });
}

/// The operand that holds the sizes of the result.
Value shapeOperand(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([](DynamicBroadcastInDimOp op) { return op.getOutputDimensions(); })
      .Case<DynamicReshapeOp, DynamicIotaOp>(
          [](auto op) { return op.getOutputShape(); })
      .Default([](Operation *) { return Value(); });
}

/// get_dimension_size(f(x)) -> get_dimension_size(x), or the entry of the
/// shape that f was given
struct SizeOfOrigin : OpRewritePattern<GetDimensionSizeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GetDimensionSizeOp op,
                                PatternRewriter &rewriter) const override {
    auto result = dyn_cast<OpResult>(op.getOperand());
    int64_t dim = op.getDimension();
    if (!result)
      return rewriter.notifyMatchFailure(op, "the operand is an argument");
    if (Value shape = shapeOperand(result.getOwner()))
      return readShape(op, shape, dim, rewriter);
    Origin origin = originOf(result.getOwner(), result.getResultNumber(), dim);
    if (!origin.value)
      return rewriter.notifyMatchFailure(op, "no other value has the size");
    rewriter.replaceOpWithNewOp<GetDimensionSizeOp>(op, origin.value,
                                                    origin.dim);
    return success();
  }

  static LogicalResult readShape(GetDimensionSizeOp op, Value shape,
                                 int64_t dim, PatternRewriter &rewriter) {
    auto type = cast<RankedTensorType>(shape.getType());
    if (isa<IndexType>(type.getElementType()) || !type.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "the shape is not of integers");
    Value entry =
        SliceOp::create(rewriter, op.getLoc(), shape, {dim}, {dim + 1}, {1});
    Value scalar =
        ReshapeOp::create(rewriter, op.getLoc(), entry, ArrayRef<int64_t>());
    rewriter.replaceOpWithNewOp<ConvertOp>(op, op.getType(), scalar);
    return success();
  }
};

} // namespace

void ferrule::populateSimplifySizesPatterns(RewritePatternSet &patterns) {
  patterns.add<SizeOfOrigin>(patterns.getContext());
}
