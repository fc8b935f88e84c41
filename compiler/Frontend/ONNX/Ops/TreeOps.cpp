// Ensembles of decision trees of ai.onnx.ml: all trees of all rows go down one
// level at a time.
#include "compiler/Frontend/ONNX/Constants.h"
#include "compiler/Frontend/ONNX/Loops.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"
#include <map>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

namespace {
/// The first seven have the numbers of TreeEnsemble's nodes_modes.
enum class Mode {
  LessEqual,
  Less,
  GreaterEqual,
  Greater,
  Equal,
  NotEqual,
  Member,
  Leaf
};

/// Nodes of all trees in one list; leaves lead to themselves.
struct Forest {
  SmallVector<int64_t> feature, onTrue, onFalse, roots;
  SmallVector<Mode> modes;
  SmallVector<double> threshold;
  SmallVector<int64_t> missing; // whether NaN counts as true
  SmallVector<double> weights;  // [nodes, targets]
  /// The sets that Member nodes ask for, [nodes, width], filled up with NaN.
  SmallVector<double> members;
  std::string aggregate = "SUM";
  int64_t targets = 1, depth = 0;
};
} // namespace

static ArrayRef<float> floatList(NodeContext &op, StringRef name) {
  const NodeAttribute *attr = op.attribute(name);
  return attr ? ArrayRef<float>(attr->floats) : ArrayRef<float>();
}

static std::optional<Mode> modeByName(StringRef name) {
  return llvm::StringSwitch<std::optional<Mode>>(name)
      .Case("BRANCH_LEQ", Mode::LessEqual)
      .Case("BRANCH_LT", Mode::Less)
      .Case("BRANCH_GTE", Mode::GreaterEqual)
      .Case("BRANCH_GT", Mode::Greater)
      .Case("BRANCH_EQ", Mode::Equal)
      .Case("BRANCH_NEQ", Mode::NotEqual)
      .Case("LEAF", Mode::Leaf)
      .Default(std::nullopt);
}

/// The longest way from a root; fails on a circle or a bad reference.
static LogicalResult measure(NodeContext &op, Forest &f) {
  int64_t count = f.modes.size();
  for (int64_t i = 0; i < count; ++i)
    if (f.onTrue[i] < 0 || f.onTrue[i] >= count || f.onFalse[i] < 0 ||
        f.onFalse[i] >= count || f.feature[i] < 0)
      return op.error() << "found a branch of node " << i
                        << " to no node, expected one of " << count;
  SmallVector<int64_t> level(f.roots);
  while (!level.empty()) {
    SmallVector<int64_t> next;
    for (int64_t i : level)
      if (f.modes[i] != Mode::Leaf)
        next.append({f.onTrue[i], f.onFalse[i]});
    f.depth += !next.empty();
    if (f.depth > 4096 || int64_t(next.size()) > 2 * count)
      return op.error() << "found nodes that lead back to themselves";
    level = std::move(next);
  }
  return success();
}

/// The nodes of TreeEnsembleRegressor and -Classifier; `prefix` names the
/// attributes of their weights.
static FailureOr<Forest> readForest(NodeContext &op, StringRef prefix,
                                    int64_t targets) {
  Forest f;
  f.targets = targets;
  SmallVector<int64_t> trees = op.intsAttr("nodes_treeids");
  SmallVector<int64_t> ids = op.intsAttr("nodes_nodeids");
  SmallVector<int64_t> onTrue = op.intsAttr("nodes_truenodeids");
  SmallVector<int64_t> onFalse = op.intsAttr("nodes_falsenodeids");
  f.feature = op.intsAttr("nodes_featureids");
  f.missing = op.intsAttr("nodes_missing_value_tracks_true");
  const NodeAttribute *modes = op.attribute("nodes_modes");
  ArrayRef<float> values = floatList(op, "nodes_values");
  size_t count = ids.size();
  f.missing.resize(count, 0);
  if (count == 0 || trees.size() != count || onTrue.size() != count ||
      onFalse.size() != count || f.feature.size() != count || !modes ||
      modes->strings.size() != count || values.size() != count)
    return op.error() << "found lists of nodes of different lengths, expected "
                      << count << " entries in each";
  std::map<std::pair<int64_t, int64_t>, int64_t> places;
  for (size_t i = 0; i < count; ++i) {
    if (i == 0 || trees[i] != trees[i - 1])
      f.roots.push_back(i);
    places[{trees[i], ids[i]}] = i;
  }
  f.threshold.assign(values.begin(), values.end());
  f.aggregate = op.stringAttr("aggregate_function", "SUM").str();
  for (size_t i = 0; i < count; ++i) {
    auto mode = modeByName(modes->strings[i]);
    if (!mode)
      return op.error() << "found mode '" << modes->strings[i]
                        << "' of a node, which is not supported";
    f.modes.push_back(*mode);
    auto find = [&](int64_t id) {
      auto found = places.find({trees[i], id});
      return *mode == Mode::Leaf     ? int64_t(i)
             : found == places.end() ? -1
                                     : found->second;
    };
    f.onTrue.push_back(find(onTrue[i]));
    f.onFalse.push_back(find(onFalse[i]));
  }
  SmallVector<int64_t> wTrees = op.intsAttr((prefix + "_treeids").str());
  SmallVector<int64_t> wNodes = op.intsAttr((prefix + "_nodeids").str());
  SmallVector<int64_t> wTargets = op.intsAttr((prefix + "_ids").str());
  ArrayRef<float> weights = floatList(op, (prefix + "_weights").str());
  f.weights.assign(count * targets, 0);
  for (size_t i = 0; i < weights.size(); ++i) {
    auto found = i < wTrees.size() && i < wNodes.size() && i < wTargets.size()
                     ? places.find({wTrees[i], wNodes[i]})
                     : places.end();
    if (found == places.end() || wTargets[i] < 0 || wTargets[i] >= targets)
      return op.error() << "found weight " << i
                        << " for no node or no target, expected one of "
                        << targets;
    f.weights[found->second * targets + wTargets[i]] += weights[i];
  }
  return failed(measure(op, f)) ? FailureOr<Forest>(failure()) : f;
}

static Value floatsConstant(HloBuilder &b, ArrayRef<double> values,
                            ArrayRef<int64_t> shape, Type element) {
  auto type = RankedTensorType::get(shape, b.getF64Type());
  return convert(b, constant(b, DenseElementsAttr::get(type, values)), element);
}

/// Whether features x meet the nodes' conditions, all of one shape.
static Value decide(HloBuilder &b, const Forest &f, Value x, Value node) {
  int64_t count = f.modes.size();
  Value bound =
      take(b, floatsConstant(b, f.threshold, {count}, elementOf(x)), node, 0);
  constexpr std::pair<Mode, Direction> directions[] = {
      {Mode::LessEqual, Direction::LE},    {Mode::Less, Direction::LT},
      {Mode::GreaterEqual, Direction::GE}, {Mode::Greater, Direction::GT},
      {Mode::Equal, Direction::EQ},        {Mode::NotEqual, Direction::NE}};
  Value result;
  for (auto [mode, direction] : directions) {
    if (!llvm::is_contained(f.modes, mode))
      continue;
    Value holds = compare(b, direction, x, bound);
    SmallVector<int64_t> own;
    for (Mode other : f.modes)
      own.push_back(other == mode);
    Value mine =
        compare(b, Direction::NE, take(b, constantI64(b, own), node, 0), 0.0);
    result = result ? select(b, mine, holds, result) : holds;
  }
  if (!f.members.empty()) {
    int64_t width = int64_t(f.members.size()) / count;
    Value sets = take(
        b, floatsConstant(b, f.members, {count, width}, elementOf(x)), node, 0);
    Value hit = compare(b, Direction::EQ, unsqueeze(b, x, {rankOf(x)}), sets);
    Value holds = reduceAny(b, hit, {rankOf(hit) - 1}, /*keepDims=*/false);
    SmallVector<int64_t> own;
    for (Mode other : f.modes)
      own.push_back(other == Mode::Member);
    Value mine =
        compare(b, Direction::NE, take(b, constantI64(b, own), node, 0), 0.0);
    result = result ? select(b, mine, holds, result) : holds;
  }
  if (!result)
    result = full(b, sizesOf(b, x), b.getI1Type(), 1);
  if (!llvm::is_contained(f.missing, 1))
    return result;
  Value tracks = compare(b, Direction::NE,
                         take(b, constantI64(b, f.missing), node, 0), 0.0);
  return bitOr(b, result, bitAnd(b, tracks, isNaN(b, x)));
}

/// Sums [N, targets] of the weights of the leaves that each row ends in.
static FailureOr<Value> evaluate(NodeContext &op, const Forest &f) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  if (rankOf(x) != 2)
    return op.error() << "found input " << typeOf(x) << ", expected rank 2";
  int64_t width = typeOf(x).getDimSize(1);
  for (int64_t feature : f.feature)
    if (ShapedType::isStatic(width) && feature >= width)
      return op.error() << "found feature " << feature << " of an input of "
                        << width;
  Type element = isa<FloatType>(elementOf(x)) ? elementOf(x) : b.getF32Type();
  x = convert(b, x, element);
  Sizes shape = {sizeOf(b, x, 0), int64_t(f.roots.size())};
  Value node = broadcastInDim(b, constantI64(b, f.roots), shape, {1});
  auto outcome = emitLoop(
      op, Size(f.depth), Value(), {node},
      [&](Value, ValueRange carried) -> FailureOr<LoopStep> {
        Value at = carried[0];
        Value feature = take(b, constantI64(b, f.feature), at, 0);
        Value holds = decide(b, f, gatherElements(b, x, feature, 1), at);
        Value next = select(b, holds, take(b, constantI64(b, f.onTrue), at, 0),
                            take(b, constantI64(b, f.onFalse), at, 0));
        return LoopStep{Value(), {next}, {}};
      });
  if (failed(outcome))
    return failure();
  Value weights = floatsConstant(b, f.weights,
                                 {int64_t(f.modes.size()), f.targets}, element);
  Value leaves =
      take(b, weights, outcome->carried[0], 0); // [N, trees, targets]
  StringRef how = f.aggregate;
  Value sum;
  if (how == "MIN")
    sum = reduceMin(b, leaves, {1}, /*keepDims=*/false);
  else if (how == "MAX")
    sum = reduceMax(b, leaves, {1}, /*keepDims=*/false);
  else
    sum = reduceSum(b, leaves, {1}, /*keepDims=*/false);
  if (how == "AVERAGE")
    sum = div(b, sum, double(f.roots.size()));
  if (ArrayRef<float> base = floatList(op, "base_values"); !base.empty()) {
    if (int64_t(base.size()) != f.targets)
      return op.error() << "found " << base.size() << " base_values, expected "
                        << f.targets;
    sum = add(b, sum,
              floatsConstant(b, SmallVector<double>(base.begin(), base.end()),
                             {f.targets}, element));
  }
  return sum;
}

/// Scores through the link function; null after an error.
static Value linked(NodeContext &op, Value scores, StringRef kind) {
  if (kind == "NONE")
    return scores;
  if (kind == "LOGISTIC")
    return sigmoid(op.b, scores);
  if (kind == "SOFTMAX")
    return softmax(op.b, scores, 1);
  op.error() << "found post_transform '" << kind
             << "', expected NONE, LOGISTIC or SOFTMAX";
  return {};
}

static LogicalResult importRegressor(NodeContext &op) {
  auto forest = readForest(op, "target", op.intAttr("n_targets", 1));
  auto scores =
      failed(forest) ? FailureOr<Value>(failure()) : evaluate(op, *forest);
  if (failed(scores))
    return failure();
  Value y = linked(op, *scores, op.stringAttr("post_transform", "NONE"));
  return y ? op.result(convert(op.b, y, op.b.getF32Type())) : failure();
}

/// Labels [N] and scores [N, classes]. Weights of a single class decide
/// between two.
static LogicalResult importClassifier(NodeContext &op) {
  HloBuilder &b = op.b;
  SmallVector<int64_t> labels = op.intsAttr("classlabels_int64s");
  if (labels.empty())
    return op.error() << "found no classlabels_int64s, expected them: strings "
                         "have no form in a program";
  SmallVector<int64_t> ids = op.intsAttr("class_ids");
  bool single = labels.size() == 2 && !ids.empty() && llvm::all_equal(ids);
  auto forest = readForest(op, "class", labels.size());
  auto sums =
      failed(forest) ? FailureOr<Value>(failure()) : evaluate(op, *forest);
  if (failed(sums))
    return failure();
  StringRef kind = op.stringAttr("post_transform", "NONE");
  Value place, scores;
  if (single) {
    Value score = selectIndex(b, *sums, 1, ids[0]);
    bool positive = llvm::all_of(floatList(op, "class_weights"),
                                 [](float w) { return w >= 0; });
    Value column = unsqueeze(b, score, {1});
    if (kind == "LOGISTIC")
      column = sigmoid(b, column);
    bool isProbability = kind == "LOGISTIC" || positive;
    Value other =
        isProbability ? sub(b, fullLike(b, column, 1), column) : neg(b, column);
    scores = concat(b, {other, column}, 1);
    place = convert(b, compare(b, Direction::GT, score, positive ? 0.5 : 0.0),
                    b.getI64Type());
  } else {
    scores = linked(op, *sums, kind);
    if (!scores)
      return failure();
    place = argExtremum(b, *sums, 1, /*greatest=*/true, /*keepDims=*/false);
  }
  op.set(0, take(b, constantI64(b, labels), place, 0));
  op.set(1, convert(b, scores, b.getF32Type()));
  return success();
}

/// The sets of Member nodes: values of one node after another, NaN between.
static void readMembers(Forest &f, ArrayRef<double> values) {
  std::vector<std::vector<double>> sets(1);
  for (double value : values) {
    if (std::isnan(value))
      sets.emplace_back();
    else
      sets.back().push_back(value);
  }
  size_t width = 1, next = 0;
  for (const auto &set : sets)
    width = std::max(width, set.size());
  f.members.assign(f.modes.size() * width,
                   std::numeric_limits<double>::quiet_NaN());
  for (auto [i, mode] : llvm::enumerate(f.modes))
    if (mode == Mode::Member && next < sets.size())
      llvm::copy(sets[next++], f.members.begin() + i * width);
}

/// TreeEnsemble: branches and leaves in lists of their own.
static LogicalResult importTreeEnsemble(NodeContext &op) {
  Forest f;
  f.targets = op.intAttr("n_targets", 1);
  f.feature = op.intsAttr("nodes_featureids");
  f.roots = op.intsAttr("tree_roots");
  f.missing = op.intsAttr("nodes_missing_value_tracks_true");
  SmallVector<int64_t> onTrue = op.intsAttr("nodes_truenodeids");
  SmallVector<int64_t> onFalse = op.intsAttr("nodes_falsenodeids");
  SmallVector<int64_t> trueLeaf = op.intsAttr("nodes_trueleafs");
  SmallVector<int64_t> falseLeaf = op.intsAttr("nodes_falseleafs");
  SmallVector<int64_t> target = op.intsAttr("leaf_targetids");
  auto modes = onnx::constantInts(op.tensorAttr("nodes_modes"));
  auto splits = constantFloats(op.tensorAttr("nodes_splits"));
  auto weights = constantFloats(op.tensorAttr("leaf_weights"));
  size_t count = f.feature.size(), leaves = target.size();
  if (!modes || !splits || !weights || f.targets < 1 ||
      modes->size() != count || splits->size() != count ||
      onTrue.size() != count || onFalse.size() != count ||
      trueLeaf.size() != count || falseLeaf.size() != count ||
      weights->size() != leaves || f.roots.empty())
    return op.error() << "found lists of nodes or leaves of different lengths";
  for (int64_t root : f.roots)
    if (root < 0 || root >= int64_t(count))
      return op.error() << "found root " << root << ", expected a node";
  f.missing.resize(count, 0);
  f.threshold = *splits;
  for (size_t i = 0; i < count; ++i) {
    if ((*modes)[i] < 0 || (*modes)[i] > 6)
      return op.error() << "found mode " << (*modes)[i] << " of a node";
    f.modes.push_back(static_cast<Mode>((*modes)[i]));
    auto place = [&](int64_t id, int64_t isLeaf) {
      return id < 0 ? id : isLeaf ? int64_t(count) + id : id;
    };
    f.onTrue.push_back(place(onTrue[i], trueLeaf[i]));
    f.onFalse.push_back(place(onFalse[i], falseLeaf[i]));
  }
  f.weights.assign((count + leaves) * f.targets, 0);
  for (size_t i = 0; i < leaves; ++i) {
    if (target[i] < 0 || target[i] >= f.targets)
      return op.error() << "found target " << target[i] << ", expected one of "
                        << f.targets;
    f.weights[(count + i) * f.targets + target[i]] = (*weights)[i];
    f.modes.push_back(Mode::Leaf);
    f.feature.push_back(0);
    f.missing.push_back(0);
    f.threshold.push_back(0);
    f.onTrue.push_back(count + i);
    f.onFalse.push_back(count + i);
  }
  if (op.hasAttr("membership_values")) {
    auto members = constantFloats(op.tensorAttr("membership_values"));
    if (members)
      readMembers(f, *members);
  }
  constexpr const char *aggregates[] = {"AVERAGE", "SUM", "MIN", "MAX"};
  constexpr const char *links[] = {"NONE", "SOFTMAX", "LOGISTIC",
                                   "SOFTMAX_ZERO", "PROBIT"};
  int64_t how = op.intAttr("aggregate_function", 1);
  int64_t link = op.intAttr("post_transform", 0);
  if (how < 0 || how > 3 || link < 0 || link > 4)
    return op.error() << "found aggregate_function " << how
                      << " and post_transform " << link;
  f.aggregate = aggregates[how];
  if (failed(measure(op, f)))
    return failure();
  auto scores = evaluate(op, f);
  if (failed(scores))
    return failure();
  Value y = linked(op, *scores, links[link]);
  return y ? op.result(convert(op.b, y, elementOf(op.input(0)))) : failure();
}

void ferrule::onnx::registerTreeOps(Registry &r) {
  constexpr const char *ml = "ai.onnx.ml";
  r.add(ml, "TreeEnsemble", importTreeEnsemble);
  r.add(ml, "TreeEnsembleRegressor", importRegressor);
  r.add(ml, "TreeEnsembleClassifier", importClassifier);
}
