// Products as batches of matrices, convolutions with channels last.
#include "compiler/Conversion/StableHLOToTOSA/Builders.h"

using namespace mlir;
using namespace ferrule;
namespace ferrule::totosa {

namespace {

/// Element types of factors and sums that TOSA has.
bool hasSums(Type factor, Type sum) {
  if (factor.isInteger(8))
    return sum.isInteger(32);
  if (factor.isF16())
    return sum.isF16() || sum.isF32();
  if (factor.isBF16())
    return sum.isF32() || sum.isBF16();
  return factor.isF32() && sum.isF32();
}

/// What TOSA computes a sum of such factors in.
Type sumElement(Type factor, Type wanted) {
  return factor.isBF16() ? Type(Float32Type::get(factor.getContext())) : wanted;
}

int64_t product(RankedTensorType type, ArrayRef<int64_t> dims) {
  int64_t result = 1;
  for (int64_t dim : dims)
    result *= type.getDimSize(dim);
  return result;
}

SmallVector<int64_t> freeDims(int64_t rank, ArrayRef<int64_t> batching,
                              ArrayRef<int64_t> contracting) {
  SmallVector<int64_t> result;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(batching, d) &&
        !llvm::is_contained(contracting, d))
      result.push_back(d);
  return result;
}

SmallVector<int64_t> join(ArrayRef<int64_t> a, ArrayRef<int64_t> b,
                          ArrayRef<int64_t> c) {
  SmallVector<int64_t> result(a);
  llvm::append_range(result, b);
  llvm::append_range(result, c);
  return result;
}

struct DotLowering : OpRewritePattern<stablehlo::DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::DotGeneralOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
    RankedTensorType type = op.getType();
    Type element = lhs.getElementType();
    if (!isPlain(op) || element != rhs.getElementType() ||
        !hasSums(element, type.getElementType()))
      return rewriter.notifyMatchFailure(op, "TOSA has no such product");
    stablehlo::DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
    ArrayRef<int64_t> lb = dims.getLhsBatchingDimensions();
    ArrayRef<int64_t> rb = dims.getRhsBatchingDimensions();
    ArrayRef<int64_t> lc = dims.getLhsContractingDimensions();
    ArrayRef<int64_t> rc = dims.getRhsContractingDimensions();
    SmallVector<int64_t> lf = freeDims(lhs.getRank(), lb, lc);
    SmallVector<int64_t> rf = freeDims(rhs.getRank(), rb, rc);
    int64_t batch = product(lhs, lb), rows = product(lhs, lf);
    int64_t terms = product(lhs, lc), columns = product(rhs, rf);
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value x = reshape(b, transpose(b, op.getLhs(), join(lb, lf, lc)),
                      {batch, rows, terms});
    Value y = reshape(b, transpose(b, op.getRhs(), join(rb, rc, rf)),
                      {batch, terms, columns});
    Value zero = constant(b, element, 1, 0);
    auto sum = RankedTensorType::get(
        {batch, rows, columns}, sumElement(element, type.getElementType()));
    Value result = tosa::MatMulOp::create(b, sum, x, y, zero, zero);
    result = cast(b, result, type.getElementType());
    rewriter.replaceOp(op, reshape(b, result, type.getShape()));
    return success();
  }
};

/// A convolution with channels last, of one to three spatial dimensions.
struct Convolution {
  stablehlo::ConvolutionOp op;
  int64_t spatial;
  SmallVector<int64_t> strides, dilations, pads;

  explicit Convolution(stablehlo::ConvolutionOp op)
      : op(op), spatial(op.getType().getRank() - 2), strides(spatial, 1),
        dilations(spatial, 1), pads(2 * spatial) {
    if (op.getWindowStrides())
      strides.assign(op.getWindowStrides()->begin(),
                     op.getWindowStrides()->end());
    if (op.getRhsDilation())
      dilations.assign(op.getRhsDilation()->begin(),
                       op.getRhsDilation()->end());
    if (op.getPadding())
      pads = llvm::to_vector(op.getPadding()->getValues<int64_t>());
  }

  /// Why TOSA cannot compute it, null when it can.
  const char *refusal() {
    Type element = op.getLhs().getType().getElementType();
    if (!isPlain(op) || element != op.getRhs().getType().getElementType() ||
        !hasSums(element, op.getType().getElementType()))
      return "TOSA has no such elements, or sizes are unknown or 0";
    if (spatial < 1 || spatial > 3)
      return "not of one to three spatial dimensions";
    if (op.getBatchGroupCount() != 1)
      return "groups of batches";
    auto dilated = op.getLhsDilation().value_or(ArrayRef<int64_t>());
    if (!llvm::all_of(dilated, [](int64_t n) { return n == 1; }))
      return "dilated input";
    auto reversal = op.getWindowReversal().value_or(ArrayRef<bool>());
    if (llvm::is_contained(reversal, true))
      return "reversed window";
    if (llvm::any_of(pads, [](int64_t n) { return n < 0; }))
      return "negative padding";
    return nullptr;
  }

  /// Windows must end with the input: cuts what is left over, of the padding
  /// first. x is channels last.
  Value cutRest(ImplicitLocOpBuilder &b, Value x, ArrayRef<int64_t> window,
                SmallVector<int64_t> &amounts) const {
    SmallVector<int64_t> sizes(typeOf(x).getShape());
    for (int64_t i = 0; i < spatial; ++i) {
      int64_t used = (window[i] - 1) * dilations[i] + 1;
      int64_t left =
          (sizes[1 + i] + pads[2 * i] + pads[2 * i + 1] - used) % strides[i];
      int64_t fromPad = std::min(left, pads[2 * i + 1]);
      sizes[1 + i] -= left - fromPad;
      amounts.append({pads[2 * i], pads[2 * i + 1] - fromPad});
    }
    return slice(b, x, SmallVector<int64_t>(sizes.size()), sizes);
  }

  Value build(ImplicitLocOpBuilder &b);
};

template <typename OpT>
Value makeConvolution(ImplicitLocOpBuilder &b, RankedTensorType type, Value x,
                      Value kernel, ArrayRef<int64_t> amounts,
                      ArrayRef<int64_t> strides, ArrayRef<int64_t> dilations) {
  Type element = typeOf(x).getElementType();
  Value zero = constant(b, element, 1, 0);
  Value bias = constant(b, type.getElementType(), 1, 0);
  Type accumulator = isa<FloatType>(element) ? Type(b.getF32Type())
                                             : type.getElementType();
  if (element.isF16() && type.getElementType().isF16())
    accumulator = b.getF16Type();
  return OpT::create(b, type, x, kernel, bias, zero, zero,
                     b.getDenseI64ArrayAttr(amounts),
                     b.getDenseI64ArrayAttr(strides),
                     b.getDenseI64ArrayAttr(dilations),
                     TypeAttr::get(accumulator));
}

/// Adds a dimension of size 1 before the last.
Value widen(ImplicitLocOpBuilder &b, Value x) {
  SmallVector<int64_t> sizes(typeOf(x).getShape());
  sizes.insert(sizes.end() - 1, 1);
  return reshape(b, x, sizes);
}

/// One group: x [n, spatial.., c], kernel [o, spatial.., c].
Value convolveGroup(ImplicitLocOpBuilder &b, RankedTensorType type, Value x,
                    Value kernel, SmallVector<int64_t> amounts,
                    SmallVector<int64_t> strides,
                    SmallVector<int64_t> dilations) {
  if (strides.size() == 3)
    return makeConvolution<tosa::Conv3DOp>(b, type, x, kernel, amounts,
                                           strides, dilations);
  return makeConvolution<tosa::Conv2DOp>(b, type, x, kernel, amounts, strides,
                                         dilations);
}

Value Convolution::build(ImplicitLocOpBuilder &b) {
  stablehlo::ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  RankedTensorType rhs = op.getRhs().getType(), type = op.getType();
  Value x = transpose(b, op.getLhs(),
                      join({dims.getInputBatchDimension()},
                           dims.getInputSpatialDimensions(),
                           {dims.getInputFeatureDimension()}));
  Value kernel = transpose(b, op.getRhs(),
                           join({dims.getKernelOutputFeatureDimension()},
                                dims.getKernelSpatialDimensions(),
                                {dims.getKernelInputFeatureDimension()}));
  SmallVector<int64_t> window, amounts;
  for (int64_t dim : dims.getKernelSpatialDimensions())
    window.push_back(rhs.getDimSize(dim));
  x = cutRest(b, x, window, amounts);
  SmallVector<int64_t> order = join({dims.getOutputBatchDimension()},
                                    dims.getOutputSpatialDimensions(),
                                    {dims.getOutputFeatureDimension()});
  SmallVector<int64_t> sizes, steps(strides), gaps(dilations);
  for (int64_t dim : order)
    sizes.push_back(type.getDimSize(dim));
  SmallVector<int64_t> plain(sizes);
  if (spatial == 1) {
    x = widen(b, x);
    kernel = widen(b, kernel);
    sizes.insert(sizes.end() - 1, 1);
    steps.push_back(1);
    gaps.push_back(1);
    amounts.append({0, 0});
  }
  Type element = sumElement(typeOf(x).getElementType(), type.getElementType());
  int64_t groups = op.getFeatureGroupCount();
  int64_t inputs = typeOf(x).getShape().back(), outputs = sizes.back();
  Value result;
  if (groups == 1) {
    result = convolveGroup(b, RankedTensorType::get(sizes, element), x, kernel,
                           amounts, steps, gaps);
  } else if (groups == inputs && steps.size() == 2) {
    // [c * m, h, w, 1] -> [h, w, c, m]
    ArrayRef<int64_t> k = typeOf(kernel).getShape();
    SmallVector<int64_t> split = {groups, outputs / groups, k[1], k[2]};
    kernel = transpose(b, reshape(b, kernel, split), {2, 3, 0, 1});
    result = makeConvolution<tosa::DepthwiseConv2DOp>(
        b, RankedTensorType::get(sizes, element), x, kernel, amounts, steps,
        gaps);
  } else {
    SmallVector<Value> parts;
    SmallVector<int64_t> part(sizes), in(typeOf(x).getShape());
    SmallVector<int64_t> some(typeOf(kernel).getShape());
    part.back() = some.front() = outputs / groups;
    in.back() = inputs / groups;
    for (int64_t g = 0; g < groups; ++g) {
      SmallVector<int64_t> first(in.size()), chosen(in.size());
      first.back() = g * in.back();
      chosen.front() = g * some.front();
      parts.push_back(convolveGroup(b, RankedTensorType::get(part, element),
                                    slice(b, x, first, in),
                                    slice(b, kernel, chosen, some), amounts,
                                    steps, gaps));
    }
    result = tosa::ConcatOp::create(b, RankedTensorType::get(sizes, element),
                                    parts,
                                    b.getI32IntegerAttr(sizes.size() - 1));
  }
  result = reshape(b, cast(b, result, type.getElementType()), plain);
  SmallVector<int64_t> back(order.size());
  for (auto [i, dim] : llvm::enumerate(order))
    back[dim] = i;
  return transpose(b, result, back);
}

struct ConvolutionLowering : OpRewritePattern<stablehlo::ConvolutionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::ConvolutionOp op,
                                PatternRewriter &rewriter) const override {
    Convolution convolution(op);
    if (const char *reason = convolution.refusal())
      return rewriter.notifyMatchFailure(op, reason);
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, convolution.build(b));
    return success();
  }
};

} // namespace

void addContractionPatterns(RewritePatternSet &patterns) {
  patterns.add<DotLowering, ConvolutionLowering>(patterns.getContext());
}

} // namespace ferrule::totosa
