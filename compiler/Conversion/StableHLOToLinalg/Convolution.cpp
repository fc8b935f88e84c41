// convolution and dynamic_conv: padding first, then a generic with a
// multiply-add body whose window loops appear as h*stride + kh*dilation.
// Groups are one more loop: feature dimensions are split into (group, rest);
// with one input channel a group (depthwise) there is no channel reduction.
#include "compiler/Conversion/StableHLOToLinalg/MultiplyAdd.h"
#include "compiler/Conversion/StableHLOToLinalg/Padding.h"

using namespace mlir;

namespace ferrule::lowering {

/// Splits dimension `d` into (outer, size / outer); a view.
static Value splitDimension(OpBuilder &b, Location loc, Value value, int64_t d,
                            int64_t outer) {
  RankedTensorType type = tensorType(value);
  SmallVector<int64_t> shape(type.getShape());
  Sizes sizes = sizesOf(b, loc, value);
  bool isDynamic = type.isDynamicDim(d);
  OpFoldResult inner =
      isDynamic ? affineIndex(b, loc, b.getAffineDimExpr(0).floorDiv(outer),
                              {sizes[d]})
                : OpFoldResult(b.getIndexAttr(shape[d] / outer));
  shape.insert(shape.begin() + d + 1,
               isDynamic ? ShapedType::kDynamic : shape[d] / outer);
  shape[d] = outer;
  sizes.insert(sizes.begin() + d + 1, inner);
  sizes[d] = b.getIndexAttr(outer);
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, at = 0; i < type.getRank(); ++i) {
    groups.push_back(i == d ? ReassociationIndices{at, at + 1}
                            : ReassociationIndices{at});
    at += i == d ? 2 : 1;
  }
  return tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(shape, type.getElementType()), value,
      groups, sizes);
}

/// Joins dimensions d and d + 1 (d - 1 and d for the last one); a view.
static Value joinDimensions(OpBuilder &b, Location loc, Value value,
                            int64_t d) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i < rankOf(value); ++i) {
    if (i == d + 1)
      groups.back().push_back(i);
    else
      groups.push_back({i});
  }
  return tensor::CollapseShapeOp::create(b, loc, value, groups);
}

/// Removes dimension `d` of size 1; a view.
static Value dropUnitDimension(OpBuilder &b, Location loc, Value value,
                               int64_t d) {
  return joinDimensions(b, loc, value, d == 0 ? 0 : d - 1);
}

static Value reverseDimensions(OpBuilder &b, Location loc, Value value,
                               ArrayRef<int64_t> dims) {
  RankedTensorType type = tensorType(value);
  Sizes sizes = sizesOf(b, loc, value);
  SmallVector<Value> last;
  for (const OpFoldResult &size : sizes)
    last.push_back(getValueOrCreateConstantIndexOp(
        b, loc, affineIndex(b, loc, b.getAffineDimExpr(0) - 1, {size})));
  Value out = emptyTensor(b, loc, sizes, type.getElementType());
  auto body = [&](OpBuilder &nested, ValueRange) -> SmallVector<Value> {
    SmallVector<Value> at;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      Value index = linalg::IndexOp::create(nested, loc, d);
      if (llvm::is_contained(dims, d))
        index = arith::SubIOp::create(nested, loc, last[d], index);
      at.push_back(index);
    }
    return {tensor::ExtractOp::create(nested, loc, value, at)};
  };
  return parallelGeneric(b, loc, {}, {}, out, body).getResult(0);
}

namespace {

/// Loops are made in the order of the result's dimensions, then of the
/// kernel's reduced ones.
struct ConvolutionBuilder {
  OpBuilder &b;
  Location loc;
  stablehlo::ConvDimensionNumbersAttr dims;
  ArrayRef<stablehlo::WindowDimension> window;
  Value lhs, rhs;
  int64_t featureGroups, batchGroups;

  using Expr = AffineExpr;
  int64_t loops = 0;
  Expr group = {}, batch = {}, outFeature = {}, inFeature = {};
  SmallVector<Expr> out = {}, outSpatial = {}, kernelSpatial = {};
  Sizes outSizes = {};
  int64_t groupCount() const { return featureGroups * batchGroups; }
  bool depthwise() const {
    return featureGroups > 1 &&
           tensorType(rhs).getDimSize(dims.getKernelInputFeatureDimension()) ==
               1;
  }
  /// One output feature a group: the group's loop stands for it.
  bool oneOutputPerGroup() const {
    return groupCount() > 1 &&
           tensorType(rhs).getDimSize(dims.getKernelOutputFeatureDimension()) ==
               groupCount();
  }
  Expr newLoop() { return b.getAffineDimExpr(loops++); }

  OpFoldResult spatialSize(int64_t k) {
    OpFoldResult in =
        tensor::getMixedSize(b, loc, lhs, dims.getInputSpatialDimensions()[k]);
    OpFoldResult kernel = tensor::getMixedSize(
        b, loc, rhs, dims.getKernelSpatialDimensions()[k]);
    Expr n = b.getAffineDimExpr(0), m = b.getAffineDimExpr(1);
    Expr reach = (m - 1) * window[k].windowDilation + 1;
    return affineIndex(b, loc, (n - reach).floorDiv(window[k].stride) + 1,
                       {in, kernel});
  }

  void makeResultLoops() {
    int64_t rank = dims.getOutputSpatialDimensions().size() + 2;
    OpFoldResult features = tensor::getMixedSize(
        b, loc, rhs, dims.getKernelOutputFeatureDimension());
    outSpatial.resize(rank - 2);
    for (int64_t d = 0; d < rank; ++d) {
      if (d == dims.getOutputBatchDimension()) {
        out.push_back(batch = newLoop());
        OpFoldResult n = tensor::getMixedSize(b, loc, lhs,
                                              dims.getInputBatchDimension());
        outSizes.push_back(affineIndex(
            b, loc, b.getAffineDimExpr(0).floorDiv(batchGroups), {n}));
      } else if (d == dims.getOutputFeatureDimension()) {
        makeFeatureLoops(features);
      } else {
        int64_t k = llvm::find(dims.getOutputSpatialDimensions(), d) -
                    dims.getOutputSpatialDimensions().begin();
        out.push_back(outSpatial[k] = newLoop());
        outSizes.push_back(spatialSize(k));
      }
    }
  }

  void makeFeatureLoops(OpFoldResult features) {
    if (groupCount() > 1) {
      out.push_back(group = newLoop());
      outSizes.push_back(b.getIndexAttr(groupCount()));
      if (oneOutputPerGroup())
        return;
    }
    out.push_back(outFeature = newLoop());
    outSizes.push_back(affineIndex(
        b, loc, b.getAffineDimExpr(0).floorDiv(groupCount()), {features}));
  }

  /// The kernel's map, with its views for groups; makes the reduction loops.
  SmallVector<Expr> mapKernel() {
    SmallVector<Expr> map;
    kernelSpatial.resize(window.size());
    bool hasDepth = depthwise();
    bool split = groupCount() > 1 && !oneOutputPerGroup();
    int64_t inDim = dims.getKernelInputFeatureDimension();
    int64_t outDim = dims.getKernelOutputFeatureDimension();
    for (int64_t d = 0, rank = rankOf(rhs); d < rank; ++d) {
      if (d == outDim) {
        if (group)
          map.push_back(group);
        if (outFeature)
          map.push_back(outFeature);
      } else if (d == inDim) {
        if (!hasDepth)
          map.push_back(inFeature = newLoop());
      } else {
        int64_t k = llvm::find(dims.getKernelSpatialDimensions(), d) -
                    dims.getKernelSpatialDimensions().begin();
        map.push_back(kernelSpatial[k] = newLoop());
      }
    }
    if (split)
      rhs = splitDimension(b, loc, rhs, outDim, groupCount());
    if (hasDepth)
      rhs = dropUnitDimension(b, loc, rhs,
                              split && inDim > outDim ? inDim + 1 : inDim);
    return map;
  }

  SmallVector<Expr> mapInput() {
    SmallVector<Expr> map;
    int64_t batchDim = dims.getInputBatchDimension();
    int64_t featureDim = dims.getInputFeatureDimension();
    for (int64_t d = 0, rank = rankOf(lhs); d < rank; ++d) {
      if (d == batchDim) {
        if (batchGroups > 1)
          map.push_back(group);
        map.push_back(batch);
      } else if (d == featureDim) {
        if (featureGroups > 1)
          map.push_back(group);
        if (inFeature)
          map.push_back(inFeature);
      } else {
        int64_t k = llvm::find(dims.getInputSpatialDimensions(), d) -
                    dims.getInputSpatialDimensions().begin();
        map.push_back(outSpatial[k] * window[k].stride +
                      kernelSpatial[k] * window[k].windowDilation);
      }
    }
    if (batchGroups > 1)
      lhs = splitDimension(b, loc, lhs, batchDim, batchGroups);
    else if (featureGroups > 1 && inFeature)
      lhs = splitDimension(b, loc, lhs, featureDim, featureGroups);
    return map;
  }

  Value build(const ProductTypes &types) {
    SmallVector<int64_t> reversed;
    for (auto [k, d] : llvm::enumerate(dims.getKernelSpatialDimensions()))
      if (window[k].reversal && tensorType(rhs).getDimSize(d) != 1)
        reversed.push_back(d);
    if (!reversed.empty())
      rhs = reverseDimensions(b, loc, rhs, reversed);
    makeResultLoops();
    int64_t parallel = loops;
    SmallVector<Expr> kernelMap = mapKernel();
    SmallVector<Expr> inputMap = mapInput();
    MLIRContext *context = b.getContext();
    SmallVector<AffineMap> maps = {
        AffineMap::get(loops, 0, inputMap, context),
        AffineMap::get(loops, 0, kernelMap, context),
        AffineMap::get(loops, 0, out, context)};
    SmallVector<utils::IteratorType> iterators(parallel,
                                               utils::IteratorType::parallel);
    iterators.append(loops - parallel, utils::IteratorType::reduction);
    Value result = multiplyAddGeneric(b, loc, lhs, rhs, outSizes, maps,
                                      iterators, types);
    if (group && outFeature)
      result =
          joinDimensions(b, loc, result, dims.getOutputFeatureDimension());
    return result;
  }
};

/// Zero padding and dilation of the input's spatial dimensions.
Value padInput(OpBuilder &b, Location loc, Value lhs,
               stablehlo::ConvDimensionNumbersAttr dims,
               ArrayRef<stablehlo::WindowDimension> window) {
  SmallVector<int64_t> low(rankOf(lhs), 0), high(low), interior(low);
  for (auto [k, d] : llvm::enumerate(dims.getInputSpatialDimensions())) {
    low[d] = window[k].paddingLow;
    high[d] = window[k].paddingHigh;
    interior[d] = window[k].baseDilation - 1;
  }
  Value zero = getConstant(b, loc, tensorType(lhs).getElementType(), 0);
  return padTensor(b, loc, lhs, zero, low, high, interior);
}

struct ConvolutionLowering : OpConversionPattern<stablehlo::ConvolutionOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::ConvolutionOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    if (!type)
      return rewriter.notifyMatchFailure(op, "quantized convolution");
    Location loc = op.getLoc();
    auto window = op.getWindow();
    Value lhs = padInput(rewriter, loc, adaptor.getLhs(),
                         op.getDimensionNumbers(), window);
    ConvolutionBuilder builder{rewriter,
                               loc,
                               op.getDimensionNumbers(),
                               window,
                               lhs,
                               adaptor.getRhs(),
                               int64_t(op.getFeatureGroupCount()),
                               int64_t(op.getBatchGroupCount())};
    Value result =
        builder.build({getElementTypeOrSelf(op.getLhs().getType()),
                       getElementTypeOrSelf(op.getRhs().getType()),
                       getElementTypeOrSelf(op.getResult().getType())});
    rewriter.replaceOp(op, castTo(rewriter, loc, result, type));
    return success();
  }
};

/// The paddings are read from the operand (not negative).
struct DynamicConvLowering : OpConversionPattern<stablehlo::DynamicConvOp> {
  using OpConversionPattern::OpConversionPattern;

  static SmallVector<stablehlo::WindowDimension>
  readWindow(stablehlo::DynamicConvOp op) {
    SmallVector<stablehlo::WindowDimension> window(
        op.getDimensionNumbers().getInputSpatialDimensions().size());
    for (size_t k = 0; k < window.size(); ++k) {
      if (auto list = op.getWindowStrides())
        window[k].stride = (*list)[k];
      if (auto list = op.getLhsDilation())
        window[k].baseDilation = (*list)[k];
      if (auto list = op.getRhsDilation())
        window[k].windowDilation = (*list)[k];
      if (auto list = op.getWindowReversal())
        window[k].reversal = (*list)[k];
    }
    return window;
  }

  static Value padDynamically(OpBuilder &b, stablehlo::DynamicConvOp op,
                              Value lhs, Value padding) {
    Location loc = op.getLoc();
    RankedTensorType from = tensorType(lhs);
    SmallVector<OpFoldResult> low(from.getRank(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> high(low);
    SmallVector<int64_t> shape(from.getShape());
    auto dims = op.getDimensionNumbers().getInputSpatialDimensions();
    for (auto [k, d] : llvm::enumerate(dims)) {
      Value row = indexConstant(b, loc, k);
      auto read = [&](int64_t side) {
        return toIndex(b, loc,
                       tensor::ExtractOp::create(
                           b, loc, padding,
                           ValueRange{row, indexConstant(b, loc, side)}));
      };
      low[d] = read(0);
      high[d] = read(1);
      shape[d] = ShapedType::kDynamic;
    }
    auto type = RankedTensorType::get(shape, from.getElementType());
    Value zero = getConstant(b, loc, from.getElementType(), 0);
    return tensor::PadOp::create(b, loc, type, lhs, low, high, zero);
  }

  LogicalResult
  matchAndRewrite(stablehlo::DynamicConvOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    if (!type)
      return rewriter.notifyMatchFailure(op, "quantized convolution");
    Location loc = op.getLoc();
    auto window = readWindow(op);
    Value lhs = padInput(rewriter, loc, adaptor.getLhs(),
                         op.getDimensionNumbers(), window);
    lhs = padDynamically(rewriter, op, lhs, adaptor.getPadding());
    ConvolutionBuilder builder{rewriter,
                               loc,
                               op.getDimensionNumbers(),
                               window,
                               lhs,
                               adaptor.getRhs(),
                               int64_t(op.getFeatureGroupCount()),
                               int64_t(op.getBatchGroupCount())};
    Value result =
        builder.build({getElementTypeOrSelf(op.getLhs().getType()),
                       getElementTypeOrSelf(op.getRhs().getType()),
                       getElementTypeOrSelf(op.getResult().getType())});
    rewriter.replaceOp(op, castTo(rewriter, loc, result, type));
    return success();
  }
};

} // namespace

void addConvolutionPatterns(Converter &converter, Patterns &patterns) {
  patterns.add<ConvolutionLowering, DynamicConvLowering>(
      converter, patterns.getContext());
}

} // namespace ferrule::lowering
