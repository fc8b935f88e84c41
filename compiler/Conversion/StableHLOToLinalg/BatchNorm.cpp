// The batch_norm family, expanded to other StableHLO ops.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

using namespace mlir;

namespace ferrule::lowering {

namespace {

/// StableHLO arithmetic on tensors of one shape, with features broadcast.
struct NormBuilder {
  OpBuilder &b;
  Location loc;
  RankedTensorType type;
  int64_t feature;
  Value example;

  template <typename OpT> Value make(Value x, Value y) {
    return OpT::create(b, loc, x.getType(), x, y);
  }
  Value mul(Value x, Value y) { return make<stablehlo::MulOp>(x, y); }
  Value sub(Value x, Value y) { return make<stablehlo::SubtractOp>(x, y); }
  Value add(Value x, Value y) { return make<stablehlo::AddOp>(x, y); }
  Value div(Value x, Value y) { return make<stablehlo::DivOp>(x, y); }

  /// One value a feature, for every element.
  Value spread(Value perFeature) {
    if (type.hasStaticShape())
      return stablehlo::BroadcastInDimOp::create(b, loc, type, perFeature,
                                                 {feature});
    SmallVector<Value> sizes;
    auto one = RankedTensorType::get({1}, b.getI32Type());
    for (int64_t d = 0; d < type.getRank(); ++d) {
      Value size = stablehlo::GetDimensionSizeOp::create(
          b, loc, RankedTensorType::get({}, b.getI32Type()), example, d);
      sizes.push_back(stablehlo::ReshapeOp::create(b, loc, one, size));
    }
    auto shapeType = RankedTensorType::get({type.getRank()}, b.getI32Type());
    Value shape =
        stablehlo::ConcatenateOp::create(b, loc, shapeType, sizes, 0);
    return stablehlo::DynamicBroadcastInDimOp::create(
        b, loc, type, perFeature, shape, {feature});
  }
  Value scalar(double value) {
    auto scalarType = RankedTensorType::get({}, type.getElementType());
    return stablehlo::ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(scalarType,
                               b.getFloatAttr(type.getElementType(), value)));
  }
  /// A constant for each feature.
  Value perFeature(Value like, double value) {
    auto likeType = cast<RankedTensorType>(like.getType());
    auto attr = b.getFloatAttr(type.getElementType(), value);
    if (likeType.hasStaticShape())
      return stablehlo::ConstantOp::create(
          b, loc, DenseElementsAttr::get(likeType, attr));
    return perFeature(like, scalar(value));
  }
  /// A scalar for each feature.
  Value perFeature(Value like, Value scalar) {
    auto likeType = cast<RankedTensorType>(like.getType());
    if (likeType.hasStaticShape())
      return stablehlo::BroadcastInDimOp::create(b, loc, likeType, scalar,
                                                 ArrayRef<int64_t>());
    Value size = stablehlo::GetDimensionSizeOp::create(
        b, loc, RankedTensorType::get({}, b.getI32Type()), like, 0);
    Value shape = stablehlo::ReshapeOp::create(
        b, loc, RankedTensorType::get({1}, b.getI32Type()), size);
    return stablehlo::DynamicBroadcastInDimOp::create(
        b, loc, likeType, scalar, shape, ArrayRef<int64_t>());
  }
  /// Sums over everything but the feature.
  Value sum(Value x) {
    SmallVector<int64_t> dims;
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (d != feature)
        dims.push_back(d);
    auto body = [&](OpBuilder &nested, Location at, ValueRange args) {
      Value total = stablehlo::AddOp::create(nested, at, args[0].getType(),
                                             args[0], args[1]);
      stablehlo::ReturnOp::create(nested, at, total);
    };
    return stablehlo::ReduceOp::create(b, loc, x, scalar(0), dims, body)
        .getResult(0);
  }
  /// Elements behind each feature, as a value for each feature.
  Value count(Value like) {
    int64_t known = 1;
    Value total = perFeature(like, 1);
    for (int64_t d = 0; d < type.getRank(); ++d) {
      if (d == feature)
        continue;
      if (!type.isDynamicDim(d)) {
        known *= type.getDimSize(d);
        continue;
      }
      Value size = stablehlo::GetDimensionSizeOp::create(
          b, loc, RankedTensorType::get({}, b.getI32Type()), example, d);
      Value number = stablehlo::ConvertOp::create(
          b, loc, RankedTensorType::get({}, type.getElementType()), size);
      total = mul(total, perFeature(like, number));
    }
    return mul(total, perFeature(like, known));
  }
  /// 1 / sqrt(variance + epsilon)
  Value inverseDeviation(Value variance, const APFloat &epsilon) {
    Value sum = add(variance,
                    perFeature(variance, epsilon.convertToFloat()));
    return stablehlo::RsqrtOp::create(b, loc, sum);
  }
  Value normalize(Value x, Value mean, Value variance, const APFloat &epsilon) {
    return mul(sub(x, spread(mean)),
               spread(inverseDeviation(variance, epsilon)));
  }
};

template <typename OpT> NormBuilder builderFor(OpBuilder &b, OpT op) {
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  return {b, op.getLoc(), type, int64_t(op.getFeatureIndex()),
          op.getOperand()};
}

struct BatchNormInferenceExpansion
    : OpRewritePattern<stablehlo::BatchNormInferenceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::BatchNormInferenceOp op,
                                PatternRewriter &rewriter) const override {
    NormBuilder n = builderFor(rewriter, op);
    Value x = n.normalize(op.getOperand(), op.getMean(), op.getVariance(),
                          op.getEpsilon());
    rewriter.replaceOp(op, n.add(n.mul(x, n.spread(op.getScale())),
                                 n.spread(op.getOffset())));
    return success();
  }
};

struct BatchNormTrainingExpansion
    : OpRewritePattern<stablehlo::BatchNormTrainingOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::BatchNormTrainingOp op,
                                PatternRewriter &rewriter) const override {
    NormBuilder n = builderFor(rewriter, op);
    Value x = op.getOperand();
    Value total = n.sum(x);
    Value count = n.count(total);
    Value mean = n.div(total, count);
    Value centered = n.sub(x, n.spread(mean));
    Value variance = n.div(n.sum(n.mul(centered, centered)), count);
    Value scaled =
        n.mul(n.normalize(x, mean, variance, op.getEpsilon()),
              n.spread(op.getScale()));
    rewriter.replaceOp(
        op, ValueRange{n.add(scaled, n.spread(op.getOffset())), mean,
                       variance});
    return success();
  }
};

/// grad_operand = scale * inv / n *
///   (n * grad - sum(grad) - (x - mean) * inv^2 * sum(grad * (x - mean)))
struct BatchNormGradExpansion : OpRewritePattern<stablehlo::BatchNormGradOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::BatchNormGradOp op,
                                PatternRewriter &rewriter) const override {
    NormBuilder n = builderFor(rewriter, op);
    Value grad = op.getGradOutput();
    Value centered = n.sub(op.getOperand(), n.spread(op.getMean()));
    Value inverse = n.inverseDeviation(op.getVariance(), op.getEpsilon());
    Value gradSum = n.sum(grad);
    Value weighted = n.sum(n.mul(grad, centered));
    Value count = n.count(gradSum);
    Value slope = n.mul(n.mul(inverse, inverse), weighted);
    Value inner = n.sub(n.sub(n.mul(n.spread(count), grad), n.spread(gradSum)),
                        n.mul(centered, n.spread(slope)));
    Value factor = n.div(n.mul(op.getScale(), inverse), count);
    rewriter.replaceOp(op, ValueRange{n.mul(n.spread(factor), inner),
                                      n.mul(weighted, inverse), gradSum});
    return success();
  }
};

} // namespace

void addExpansionPatterns(Patterns &patterns) {
  patterns.add<BatchNormInferenceExpansion, BatchNormTrainingExpansion,
               BatchNormGradExpansion>(patterns.getContext());
}

} // namespace ferrule::lowering
