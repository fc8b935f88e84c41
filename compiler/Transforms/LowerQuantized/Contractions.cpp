// Products and convolutions: integers, summed exactly and scaled once.
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"
#include "compiler/Dialect/StableHLO/IR/StableHLORetyping.h"
#include "compiler/Transforms/LowerQuantized/Quantization.h"

using namespace mlir;
using namespace ferrule::stablehlo;

namespace ferrule::quantized {

namespace {

/// How a contraction's output meets the kernel's scales.
struct Shape {
  /// The output's dimension that the kernel's quantized one becomes.
  int64_t outputAxis = -1;
  /// Number of products in each sum, dynamic when unknown.
  int64_t terms = ShapedType::kDynamic;
};

/// 32 when no sum can leave it, else 64.
unsigned getSumWidth(quant::QuantizedType lhs, quant::QuantizedType rhs,
                     int64_t terms) {
  if (ShapedType::isDynamic(terms))
    return 64;
  __int128 largest = __int128(getLargestDistance(lhs)) *
                     getLargestDistance(rhs) * std::max<int64_t>(terms, 1);
  return largest <= std::numeric_limits<int32_t>::max() ? 32 : 64;
}

Shape describe(DotDimensionNumbersAttr dims, RankedTensorType lhs,
               RankedTensorType rhs) {
  Shape shape;
  shape.terms = multiplySizes(
      llvm::map_to_vector(dims.getLhsContractingDimensions(),
                          [&](int64_t dim) { return lhs.getDimSize(dim); }));
  auto axis =
      dyn_cast<quant::UniformQuantizedPerAxisType>(rhs.getElementType());
  if (!axis)
    return shape;
  int64_t dim = axis.getQuantizedDimension();
  ArrayRef<int64_t> batching = dims.getRhsBatchingDimensions();
  ArrayRef<int64_t> contracting = dims.getRhsContractingDimensions();
  if (auto it = llvm::find(batching, dim); it != batching.end()) {
    shape.outputAxis = it - batching.begin();
    return shape;
  }
  // Batching dimensions and the free ones of lhs come first.
  shape.outputAxis = lhs.getRank() - contracting.size();
  for (int64_t d = 0; d < dim; ++d)
    if (!llvm::is_contained(batching, d) && !llvm::is_contained(contracting, d))
      ++shape.outputAxis;
  return shape;
}

Shape describe(ConvDimensionNumbersAttr dims, RankedTensorType lhs,
               RankedTensorType rhs) {
  Shape shape;
  SmallVector<int64_t> sizes = {
      rhs.getDimSize(dims.getKernelInputFeatureDimension())};
  for (int64_t dim : dims.getKernelSpatialDimensions())
    sizes.push_back(rhs.getDimSize(dim));
  shape.terms = multiplySizes(sizes);
  shape.outputAxis = dims.getOutputFeatureDimension();
  return shape;
}

Shape describe(DotOp op) {
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  return describe(DotDimensionNumbersAttr::get(op.getContext(), {}, {},
                                               {lhs.getRank() - 1}, {0}),
                  lhs, rhs);
}
Shape describe(DotGeneralOp op) {
  return describe(op.getDotDimensionNumbers(), op.getLhs().getType(),
                  op.getRhs().getType());
}
template <typename OpT> Shape describe(OpT op) {
  return describe(op.getDimensionNumbers(), op.getLhs().getType(),
                  op.getRhs().getType());
}

/// sum * lhs scale * rhs scale in double precision, as `type`.
Value scaleSum(OpBuilder &b, Location loc, Value sum, quant::QuantizedType lhs,
               quant::QuantizedType rhs, int64_t outputAxis,
               quant::QuantizedType type) {
  Parameters scales(rhs);
  // The product of two scales of up to 24 bits is exact.
  for (double &scale : scales.scales)
    scale *= Parameters(lhs).scales.front();
  if (scales.axis >= 0)
    scales.axis = outputAxis;
  Value numbers = ConvertOp::create(b, loc, sum, b.getF64Type());
  return buildQuantize(b, loc, buildScale(b, loc, numbers, scales), type);
}

template <typename OpT> struct ContractionLowering : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;

  /// The operation on other factors, with other elements.
  static Value rebuildOn(OpT op, typename OpT::Adaptor adaptor, Value lhs,
                         Value rhs, Type element,
                         ConversionPatternRewriter &rewriter) {
    SmallVector<Value> operands(adaptor.getOperands());
    operands[0] = lhs;
    operands[1] = rhs;
    return rebuild(rewriter, op, operands, op.getType().clone(element))
        ->getResult(0);
  }

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    quant::QuantizedType lhs = getQuantized(op.getLhs().getType());
    quant::QuantizedType rhs = getQuantized(op.getRhs().getType());
    quant::QuantizedType result = getQuantized(op.getType());
    if (!lhs && !rhs)
      return rewriter.notifyMatchFailure(op, "no quantized operand");
    Location loc = op.getLoc();
    Value left = adaptor.getLhs(), right = adaptor.getRhs();
    if (lhs && rhs && result) {
      if (isa<quant::UniformQuantizedPerAxisType>(lhs))
        return rewriter.notifyMatchFailure(op, "lhs has scales along an axis");
      Shape shape = describe(op);
      unsigned width = getSumWidth(lhs, rhs, shape.terms);
      Value sum =
          rebuildOn(op, adaptor, buildDistance(rewriter, loc, left, lhs, width),
                    buildDistance(rewriter, loc, right, rhs, width),
                    rewriter.getIntegerType(width), rewriter);
      rewriter.replaceOp(
          op, scaleSum(rewriter, loc, sum, lhs, rhs, shape.outputAxis, result));
      return success();
    }
    if (lhs)
      left = buildDequantize(rewriter, loc, left, lhs);
    if (rhs)
      right = buildDequantize(rewriter, loc, right, rhs);
    Type element =
        result ? result.getExpressedType() : op.getType().getElementType();
    Value numbers = rebuildOn(op, adaptor, left, right, element, rewriter);
    rewriter.replaceOp(
        op, result ? buildQuantize(rewriter, loc, numbers, result) : numbers);
    return success();
  }
};

} // namespace

void addContractionPatterns(const TypeConverter &converter,
                            RewritePatternSet &patterns) {
  patterns.add<ContractionLowering<DotOp>, ContractionLowering<DotGeneralOp>,
               ContractionLowering<ConvolutionOp>,
               ContractionLowering<DynamicConvOp>>(converter,
                                                   patterns.getContext());
}

} // namespace ferrule::quantized
