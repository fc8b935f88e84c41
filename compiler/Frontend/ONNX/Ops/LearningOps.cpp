// Ops of ai.onnx.ml: scaling, encoding and linear models.
#include "compiler/Frontend/ONNX/NodeContext.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

static ArrayRef<float> floatsAttr(NodeContext &op, StringRef name) {
  const NodeAttribute *attr = op.attribute(name);
  return attr ? ArrayRef<float>(attr->floats) : ArrayRef<float>();
}

static Value constantF32(HloBuilder &b, ArrayRef<float> values,
                         ArrayRef<int64_t> shape) {
  return constant(b, DenseElementsAttr::get(
                         RankedTensorType::get(shape, b.getF32Type()), values));
}
static Value constantF32(HloBuilder &b, ArrayRef<float> values) {
  return constantF32(b, values, {int64_t(values.size())});
}

/// Columns of the last dimension.
static LogicalResult importArrayFeatureExtractor(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), places = op.input(1);
  if (rankOf(x) < 1)
    return op.error() << "found input " << typeOf(x) << ", expected rank 1";
  places = frontend::reshape(b, convert(b, places, b.getI64Type()), {-1});
  Value y = take(b, x, places, rankOf(x) - 1);
  return op.result(rankOf(x) == 1 ? unsqueeze(b, y, {0}) : y);
}

static LogicalResult importBinarizer(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  Value above =
      compare(b, Direction::GT, x, double(op.floatAttr("threshold", 0)));
  return op.result(convert(b, above, elementOf(x)));
}

/// (x - offset) * scale, one of each a feature.
static LogicalResult importScaler(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = convert(b, op.input(0), b.getF32Type());
  ArrayRef<float> offset = floatsAttr(op, "offset");
  ArrayRef<float> factor = floatsAttr(op, "scale");
  if (!offset.empty())
    x = sub(b, x, constantF32(b, offset));
  return op.result(factor.empty() ? x : mul(b, x, constantF32(b, factor)));
}

/// Replaces one value (often NaN) by a number a feature.
static LogicalResult importImputer(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  bool isFloat = isa<FloatType>(elementOf(x));
  Value replacement, missing;
  if (isFloat) {
    ArrayRef<float> list = floatsAttr(op, "imputed_value_floats");
    float replaced = op.floatAttr("replaced_value_float", 0);
    if (!list.empty())
      replacement = constantF32(b, list);
    missing = std::isnan(replaced)
                  ? isNaN(b, x)
                  : compare(b, Direction::EQ, x, double(replaced));
  } else {
    SmallVector<int64_t> list = op.intsAttr("imputed_value_int64s");
    if (!list.empty())
      replacement = constantI64(b, list);
    missing = compare(b, Direction::EQ, x,
                      double(op.intAttr("replaced_value_int64", 0)));
  }
  if (!replacement)
    return op.error() << "found no imputed values of the input's type";
  if (typeOf(replacement).getNumElements() == 1)
    replacement = frontend::reshape(b, replacement, {});
  replacement =
      broadcastTo(b, convert(b, replacement, elementOf(x)), sizesOf(b, x));
  return op.result(select(b, missing, replacement, x));
}

static LogicalResult importNormalizer(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = convert(b, op.input(0), b.getF32Type());
  StringRef kind = op.stringAttr("norm", "MAX");
  int64_t last = rankOf(x) - 1;
  Value norm;
  if (kind == "MAX")
    norm = reduceMax(b, x, {last}, /*keepDims=*/true);
  else if (kind == "L1" || kind == "L2")
    norm = reduceNorm(b, x, kind == "L1" ? 1 : 2, {last}, /*keepDims=*/true);
  else
    return op.error() << "found norm '" << kind << "', expected MAX, L1 or L2";
  Value none = compare(b, Direction::EQ, norm, 0.0);
  return op.result(div(b, x, select(b, none, fullLike(b, norm, 1), norm)));
}

/// All inputs beside each other as f32 [N, features].
static LogicalResult importFeatureVectorizer(NodeContext &op) {
  HloBuilder &b = op.b;
  SmallVector<Value> parts;
  for (size_t i = 0; i < op.numInputs(); ++i) {
    Value x = op.input(i);
    if (!x || rankOf(x) < 1 || rankOf(x) > 2)
      return op.error() << "found input " << i
                        << " that is absent or of another rank than 1 or 2";
    x = convert(b, x, b.getF32Type());
    parts.push_back(rankOf(x) == 1 ? unsqueeze(b, x, {1}) : x);
  }
  if (parts.empty())
    return op.error() << "found no inputs, expected at least one";
  return op.result(concat(b, parts, 1));
}

static LogicalResult importOneHotEncoder(NodeContext &op) {
  HloBuilder &b = op.b;
  SmallVector<int64_t> categories = op.intsAttr("cats_int64s");
  if (categories.empty())
    return op.error() << "found no cats_int64s, expected them: strings have "
                         "no form in a program";
  Value x = convert(b, op.input(0), b.getI64Type());
  Value hit = compare(b, Direction::EQ, unsqueeze(b, x, {rankOf(x)}),
                      constantI64(b, categories));
  return op.result(convert(b, hit, b.getF32Type()));
}

/// Numbers as the inverse of what models are trained on: a link function.
/// Null after an error.
static Value postTransform(NodeContext &op, Value scores) {
  HloBuilder &b = op.b;
  StringRef kind = op.stringAttr("post_transform", "NONE");
  if (kind == "NONE")
    return scores;
  if (kind == "LOGISTIC")
    return sigmoid(b, scores);
  if (kind == "SOFTMAX")
    return softmax(b, scores, rankOf(scores) - 1);
  op.error() << "found post_transform '" << kind
             << "', expected NONE, LOGISTIC or SOFTMAX";
  return {};
}

/// x [N, features] by coefficients [targets, features] plus intercepts. Null
/// after an error.
static Value linearScores(NodeContext &op, int64_t targets) {
  HloBuilder &b = op.b;
  ArrayRef<float> weights = floatsAttr(op, "coefficients");
  ArrayRef<float> bias = floatsAttr(op, "intercepts");
  Value x = convert(b, op.input(0), b.getF32Type());
  if (rankOf(x) == 1)
    x = unsqueeze(b, x, {0});
  if (targets < 1 || weights.empty() || int64_t(weights.size()) % targets ||
      rankOf(x) != 2 || (!bias.empty() && int64_t(bias.size()) != targets)) {
    op.error() << "found input " << typeOf(x) << ", " << weights.size()
               << " coefficients and " << bias.size() << " intercepts for "
               << targets << " targets";
    return {};
  }
  int64_t features = int64_t(weights.size()) / targets;
  int64_t width = typeOf(x).getDimSize(1);
  if (ShapedType::isStatic(width) && width != features) {
    op.error() << "found " << width << " features, expected " << features;
    return {};
  }
  return linear(b, x, constantF32(b, weights, {targets, features}),
                bias.empty() ? Value() : constantF32(b, bias));
}

static LogicalResult importLinearRegressor(NodeContext &op) {
  Value scores = linearScores(op, op.intAttr("targets", 1));
  if (scores)
    scores = postTransform(op, scores);
  return scores ? op.result(scores) : failure();
}

/// Labels [N] and scores [N, classes]. A single score decides between two
/// classes by its sign.
static LogicalResult importLinearClassifier(NodeContext &op) {
  HloBuilder &b = op.b;
  SmallVector<int64_t> labels = op.intsAttr("classlabels_ints");
  size_t rows = floatsAttr(op, "intercepts").size();
  if (labels.empty())
    return op.error() << "found no classlabels_ints, expected them: strings "
                         "have no form in a program";
  if (rows == 0)
    rows = labels.size();
  Value scores = linearScores(op, rows);
  if (!scores)
    return failure();
  Value place;
  if (rows == 1 && labels.size() == 2) {
    Value score = selectIndex(b, scores, 1, 0);
    place = convert(b, compare(b, Direction::GT, score, 0.0), b.getI64Type());
    StringRef kind = op.stringAttr("post_transform", "NONE");
    if (kind == "NONE") {
      scores = concat(b, {neg(b, scores), scores}, 1);
    } else {
      scores = postTransform(op, scores);
      if (!scores)
        return failure();
      scores = concat(b, {sub(b, fullLike(b, scores, 1), scores), scores}, 1);
    }
  } else {
    place = argExtremum(b, scores, 1, /*greatest=*/true, /*keepDims=*/false);
    scores = postTransform(op, scores);
    if (!scores)
      return failure();
  }
  op.set(0, take(b, constantI64(b, labels), place, 0));
  op.set(1, scores);
  return success();
}

/// Numbers for numbers; a value that is no key becomes the default.
static LogicalResult importLabelEncoder(NodeContext &op) {
  HloBuilder &b = op.b;
  auto list = [&](StringRef ints, StringRef floats, StringRef tensor) -> Value {
    SmallVector<int64_t> whole = op.intsAttr(ints);
    if (!whole.empty())
      return constantI64(b, whole);
    if (op.hasAttr(floats))
      return constantF32(b, floatsAttr(op, floats));
    return op.hasAttr(tensor) ? op.tensorAttr(tensor) : Value();
  };
  Value x = op.input(0);
  Value keys = list("keys_int64s", "keys_floats", "keys_tensor");
  Value values = list("values_int64s", "values_floats", "values_tensor");
  if (!keys || !values)
    return op.error() << "found no keys and values that are numbers, expected "
                         "them: strings have no form in a program";
  if (rankOf(keys) != 1 || rankOf(values) != 1 ||
      typeOf(keys).getShape() != typeOf(values).getShape() ||
      elementOf(keys) != elementOf(x))
    return op.error() << "found keys " << typeOf(keys) << " and values "
                      << typeOf(values) << " for input " << typeOf(x);
  Type element = elementOf(values);
  Value otherwise =
      op.hasAttr("default_tensor") ? op.tensorAttr("default_tensor")
      : isa<FloatType>(element)
          ? scalar(b, element, op.floatAttr("default_float", -0.0f))
          : scalarInt(b, element, op.intAttr("default_int64", -1));
  if (!otherwise)
    return failure();
  otherwise = frontend::reshape(b, convert(b, otherwise, element), {});
  // NaN is a key that equals itself here.
  Value wide = unsqueeze(b, x, {rankOf(x)});
  Value hit = compare(b, Direction::EQ, wide, keys);
  if (isa<FloatType>(elementOf(x)))
    hit = bitOr(b, hit,
                bitAnd(b, broadcastTo(b, isNaN(b, wide), sizesOf(b, hit)),
                       broadcastTo(b, isNaN(b, keys), sizesOf(b, hit))));
  int64_t last = rankOf(hit) - 1;
  Value place = argExtremum(b, convert(b, hit, b.getI32Type()), last,
                            /*greatest=*/true, /*keepDims=*/false);
  Value found = reduceAny(b, hit, {last}, /*keepDims=*/false);
  Value y = take(b, values, place, 0);
  return op.result(select(b, found, y, fill(b, otherwise, sizesOf(b, y))));
}

void ferrule::onnx::registerLearningOps(Registry &r) {
  constexpr const char *ml = "ai.onnx.ml";
  r.add(ml, "ArrayFeatureExtractor", importArrayFeatureExtractor);
  r.add(ml, "Binarizer", importBinarizer);
  r.add(ml, "Scaler", importScaler);
  r.add(ml, "Imputer", importImputer);
  r.add(ml, "Normalizer", importNormalizer);
  r.add(ml, "FeatureVectorizer", importFeatureVectorizer);
  r.add(ml, "OneHotEncoder", importOneHotEncoder);
  r.add(ml, "LinearRegressor", importLinearRegressor);
  r.add(ml, "LinearClassifier", importLinearClassifier);
  r.add(ml, "LabelEncoder", importLabelEncoder);
}
