#include "compiler/Transforms/FoldBatchNorm/FoldBatchNorm.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ferrule {
#define GEN_PASS_DEF_FOLDBATCHNORM
#include "compiler/Transforms/FoldBatchNorm/FoldBatchNorm.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule::stablehlo;

namespace {

/// Whether a value is computed from constants alone. Bounded depth: the
/// arithmetic on parameters is short.
bool isConstantExpression(Value value, unsigned depth = 12) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  return isa<StableHLODialect>(op->getDialect()) && isPure(op) &&
         op->getNumRegions() == 0 && op->getNumOperands() > 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isConstantExpression(operand, depth - 1);
         });
}

Value reshapeTo(OpBuilder &builder, Location loc, Value value,
                ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  return ReshapeOp::create(builder, loc, value, shape);
}

/// A constant that has one value for each feature, spread over a tensor.
struct FeatureVector {
  /// Before it is spread; holds one element or one a feature. Null when
  /// `splat` is the one element.
  Value source;
  /// What gives the spread tensor's sizes when they are dynamic.
  Value sizes;
  SplatElementsAttr splat;
};

/// Matches `value` as a constant vector along dimension `feature`.
std::optional<FeatureVector> matchFeatures(Value value, int64_t feature) {
  FeatureVector result;
  if (matchPattern(value, m_Constant(&result.splat)))
    return result;
  auto type = cast<RankedTensorType>(value.getType());
  int64_t features = type.getDimSize(feature);
  if (ShapedType::isDynamic(features))
    return std::nullopt;
  ArrayRef<int64_t> dims;
  if (auto broadcast = value.getDefiningOp<BroadcastInDimOp>()) {
    result.source = broadcast.getOperand();
    dims = broadcast.getBroadcastDimensions();
  } else if (auto dynamic = value.getDefiningOp<DynamicBroadcastInDimOp>()) {
    result.source = dynamic.getOperand();
    result.sizes = dynamic.getOutputDimensions();
    dims = dynamic.getBroadcastDimensions();
  } else {
    return std::nullopt;
  }
  auto from = cast<RankedTensorType>(result.source.getType());
  if (!from.hasStaticShape() || !isConstantExpression(result.source))
    return std::nullopt;
  for (auto [size, dim] : llvm::zip(from.getShape(), dims))
    if (size != 1 && (dim != feature || size != features))
      return std::nullopt;
  return result;
}

/// A constant of features as a tensor of one dimension.
Value vectorOf(OpBuilder &builder, Location loc, const FeatureVector &constant,
               int64_t features) {
  if (constant.splat) {
    auto type =
        RankedTensorType::get({features}, constant.splat.getElementType());
    return ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type,
                               constant.splat.getSplatValue<Attribute>()));
  }
  auto type = cast<RankedTensorType>(constant.source.getType());
  if (type.getNumElements() != 1 || features == 1)
    return reshapeTo(builder, loc, constant.source, {features});
  Value scalar = reshapeTo(builder, loc, constant.source, {});
  return BroadcastInDimOp::create(
      builder, loc, RankedTensorType::get({features}, type.getElementType()),
      scalar, ArrayRef<int64_t>());
}

/// Spreads a vector of features over `type` along dimension `feature`.
Value spread(OpBuilder &builder, Location loc, Value vector, Type type,
             int64_t feature, Value sizes) {
  if (sizes)
    return DynamicBroadcastInDimOp::create(builder, loc, type, vector, sizes,
                                           ArrayRef<int64_t>{feature});
  return BroadcastInDimOp::create(builder, loc, type, vector,
                                  ArrayRef<int64_t>{feature});
}

/// The sizes of a value as a vector, null when they are static.
Value sizesOf(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.hasStaticShape())
    return {};
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value size = GetDimensionSizeOp::create(builder, loc, value, dim);
    sizes.push_back(ReshapeOp::create(builder, loc, size, {1}));
  }
  return ConcatenateOp::create(builder, loc, sizes, 0);
}

/// batch_norm_inference(x, scale, offset, mean, variance) -> x * s + t with
/// s = scale / sqrt(variance + epsilon), t = offset - mean * s
struct DecomposeBatchNorm : OpRewritePattern<BatchNormInferenceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BatchNormInferenceOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = op.getType();
    auto vectorType = cast<RankedTensorType>(op.getVariance().getType());
    if (!vectorType.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "unknown number of features");
    auto element = cast<FloatType>(vectorType.getElementType());
    APFloat epsilon = op.getEpsilon();
    bool losesInfo = false;
    epsilon.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    Value eps = ConstantOp::create(rewriter, loc,
                                   DenseElementsAttr::get(vectorType, epsilon));
    Value variance = AddOp::create(rewriter, loc, op.getVariance(), eps);
    Value deviation = SqrtOp::create(rewriter, loc, variance);
    Value scale = DivOp::create(rewriter, loc, op.getScale(), deviation);
    Value moved = MulOp::create(rewriter, loc, op.getMean(), scale);
    Value offset = SubtractOp::create(rewriter, loc, op.getOffset(), moved);
    int64_t feature = op.getFeatureIndex();
    Value sizes = sizesOf(rewriter, loc, op.getOperand());
    Value scaled =
        MulOp::create(rewriter, loc, op.getOperand(),
                      spread(rewriter, loc, scale, type, feature, sizes));
    rewriter.replaceOpWithNewOp<AddOp>(
        op, scaled, spread(rewriter, loc, offset, type, feature, sizes));
    return success();
  }
};

/// Whether one operation uses the value, besides those that ask for its size.
bool hasOneConsumer(Value value) {
  return llvm::count_if(value.getUsers(), [](Operation *user) {
           return !isa<GetDimensionSizeOp>(user);
         }) == 1;
}

/// Those that ask for the size of `from` ask `to`, which has the same.
void moveSizeUsers(PatternRewriter &rewriter, Value from, Value to) {
  for (Operation *user : llvm::to_vector(from.getUsers()))
    if (isa<GetDimensionSizeOp>(user))
      rewriter.modifyOpInPlace(user, [&] { user->setOperand(0, to); });
}

/// Moves what computes a constant expression in front of `place`.
void hoist(PatternRewriter &rewriter, Value value, Operation *place) {
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (!op || op->getBlock() != place->getBlock() || op->isBeforeInBlock(place))
    return;
  for (Value operand : op->getOperands())
    hoist(rewriter, operand, place);
  rewriter.moveOpBefore(op, place);
}

/// The convolution that makes `value`, when its weights are constant and
/// nothing else uses the value.
ConvolutionOp constantConvolution(Value value) {
  auto conv = value.getDefiningOp<ConvolutionOp>();
  if (!conv || !hasOneConsumer(value) || !isConstantExpression(conv.getRhs()) ||
      !isFloatElement(conv.getType().getElementType()) ||
      conv.getLhs().getType().getElementType() !=
          conv.getType().getElementType())
    return {};
  return conv;
}

/// A convolution, or the sum of one and a constant vector.
struct BiasedConvolution {
  ConvolutionOp conv;
  std::optional<FeatureVector> bias;
  int64_t feature() {
    return conv.getDimensionNumbers().getOutputFeatureDimension();
  }
};

std::optional<BiasedConvolution> matchBiased(Value value) {
  if (ConvolutionOp conv = constantConvolution(value))
    return BiasedConvolution{conv, std::nullopt};
  auto add = value.getDefiningOp<AddOp>();
  if (!add || !hasOneConsumer(value))
    return std::nullopt;
  for (auto [left, right] : {std::pair(add.getLhs(), add.getRhs()),
                             std::pair(add.getRhs(), add.getLhs())}) {
    ConvolutionOp conv = constantConvolution(left);
    if (!conv)
      continue;
    BiasedConvolution result{conv, std::nullopt};
    result.bias = matchFeatures(right, result.feature());
    if (result.bias)
      return result;
  }
  return std::nullopt;
}

/// The convolution with each output feature scaled by an entry of `vector`.
Value scaleWeights(PatternRewriter &rewriter, ConvolutionOp conv,
                   Value vector) {
  int64_t outputs =
      conv.getDimensionNumbers().getKernelOutputFeatureDimension();
  Location loc = conv.getLoc();
  Value factors =
      spread(rewriter, loc, vector, conv.getRhs().getType(), outputs, {});
  Value weights = MulOp::create(rewriter, loc, conv.getRhs(), factors);
  auto scaled = cast<ConvolutionOp>(rewriter.clone(*conv));
  scaled.getRhsMutable().assign(weights);
  return scaled.getResult();
}

/// Arithmetic of a convolution (with or without bias) and a constant vector:
///   (conv(x, w) + b) * c -> conv(x, w * c) + b * c, likewise / c
///   (conv(x, w) + b) + c -> conv(x, w) + (b + c), likewise - c
template <typename OpTy> struct FoldIntoConvolution : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  static constexpr bool isScale =
      std::is_same_v<OpTy, MulOp> || std::is_same_v<OpTy, DivOp>;
  static constexpr bool isCommutative =
      std::is_same_v<OpTy, MulOp> || std::is_same_v<OpTy, AddOp>;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (succeeded(fold(op, op.getLhs(), op.getRhs(), rewriter)))
      return success();
    if (isCommutative)
      return fold(op, op.getRhs(), op.getLhs(), rewriter);
    return failure();
  }

  static LogicalResult fold(OpTy op, Value operand, Value constant,
                            PatternRewriter &rewriter) {
    auto biased = matchBiased(operand);
    if (!biased)
      return rewriter.notifyMatchFailure(op, "no constant convolution");
    // A convolution plus its bias is the form that all others take.
    if (std::is_same_v<OpTy, AddOp> && !biased->bias)
      return rewriter.notifyMatchFailure(op, "nothing to merge");
    int64_t feature = biased->feature();
    int64_t count = biased->conv.getType().getDimSize(feature);
    auto features = matchFeatures(constant, feature);
    if (!features || ShapedType::isDynamic(count))
      return rewriter.notifyMatchFailure(op, "no constant vector of features");
    if (biased->conv->getBlock() != op->getBlock())
      return rewriter.notifyMatchFailure(op, "the convolution is elsewhere");
    rewriter.replaceOp(op, rebuild(op.getLoc(), *biased, *features, operand,
                                   op.getOperation(), rewriter));
    return success();
  }

  /// Puts the new convolution where the old one is, so that it comes before
  /// everything that asks for its size, and the sum where `op` is.
  static Value rebuild(Location loc, BiasedConvolution &biased,
                       const FeatureVector &features, Value operand,
                       Operation *op, PatternRewriter &rewriter) {
    int64_t feature = biased.feature();
    int64_t count = biased.conv.getType().getDimSize(feature);
    hoist(rewriter, features.source, biased.conv);
    rewriter.setInsertionPoint(biased.conv);
    Value vector = vectorOf(rewriter, loc, features, count);
    Value bias;
    if (biased.bias) {
      hoist(rewriter, biased.bias->source, biased.conv);
      bias = vectorOf(rewriter, loc, *biased.bias, count);
    }
    Value conv = biased.conv;
    if (isScale) {
      if (std::is_same_v<OpTy, DivOp>)
        vector = inverse(rewriter, loc, vector);
      if (bias)
        bias = MulOp::create(rewriter, loc, bias, vector);
      conv = scaleWeights(rewriter, biased.conv, vector);
    } else {
      if (std::is_same_v<OpTy, SubtractOp>)
        vector = NegOp::create(rewriter, loc, vector);
      bias = bias ? AddOp::create(rewriter, loc, bias, vector).getResult()
                  : vector;
    }
    moveSizeUsers(rewriter, operand, conv);
    moveSizeUsers(rewriter, biased.conv, conv);
    if (!bias)
      return conv;
    rewriter.setInsertionPoint(op);
    Value sizes = features.sizes;
    if (biased.bias && biased.bias->sizes)
      sizes = biased.bias->sizes;
    if (!sizes)
      sizes = sizesOf(rewriter, loc, conv);
    return AddOp::create(
        rewriter, loc, conv,
        spread(rewriter, loc, bias, conv.getType(), feature, sizes));
  }

  static Value inverse(OpBuilder &builder, Location loc, Value vector) {
    auto type = cast<RankedTensorType>(vector.getType());
    auto element = cast<FloatType>(type.getElementType());
    Value one = ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(type,
                               APFloat::getOne(element.getFloatSemantics())));
    return DivOp::create(builder, loc, one, vector);
  }
};

struct FoldBatchNormPass
    : public ferrule::impl::FoldBatchNormBase<FoldBatchNormPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    ferrule::populateFoldBatchNormPatterns(patterns);
    // Chains fold step by step towards the convolution, hence a fixpoint.
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal(true);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }
};

} // namespace

void ferrule::populateFoldBatchNormPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeBatchNorm, FoldIntoConvolution<MulOp>,
               FoldIntoConvolution<DivOp>, FoldIntoConvolution<AddOp>,
               FoldIntoConvolution<SubtractOp>>(patterns.getContext());
}
