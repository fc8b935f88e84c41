// Attention that keeps a state instead of keys, attention with functions of
// the user's, and the cache that attention reads.
#include "compiler/Frontend/ONNX/GraphImporter.h"
#include "compiler/Frontend/ONNX/Loops.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"
#include <cmath>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

namespace {
/// What one step reads: slices at the step of sequences [B, T, heads, D].
struct StateSpace {
  Value query, key, value, decay, beta; // f32; decay and beta may be null
  bool delta = false;
  double scale = 1;
  int64_t share = 1; // query heads that use one state
};
} // namespace

/// One token: the new state [B, H, dk, dv] and the output [B, Hq, dv].
static std::pair<Value, Value> stepState(HloBuilder &b, const StateSpace &s,
                                         Value state, Value step) {
  auto now = [&](Value x) { return selectIndex(b, x, 1, Size(step)); };
  Value key = now(s.key), value = now(s.value);
  if (s.decay)
    state = mul(b, state, unsqueeze(b, frontend::exp(b, now(s.decay)), {3}));
  if (s.delta) {
    // What the state says of this key so far.
    Value known = contract(b, state, key, {0, 1}, {0, 1}, {2}, {2});
    value = mul(b, sub(b, value, known), now(s.beta));
  }
  Value outer = mul(b, unsqueeze(b, key, {3}), unsqueeze(b, value, {2}));
  state = add(b, state, outer);
  Value read = state;
  if (s.share != 1)
    read = repeatInterleave(b, state, 1, s.share);
  Value output = contract(b, mul(b, now(s.query), s.scale), read, {0, 1},
                          {0, 1}, {2}, {2});
  return {state, output};
}

/// query, key, value [B, T, heads * D], past_state [B, H, dk, dv], decay, beta.
static LogicalResult importLinearAttention(NodeContext &op) {
  HloBuilder &b = op.b;
  int64_t qHeads = op.intAttr("q_num_heads", 0);
  int64_t heads = op.intAttr("kv_num_heads", 0);
  StringRef rule = op.stringAttr("update_rule", "gated_delta");
  bool gated = rule == "gated" || rule == "gated_delta";
  StateSpace s;
  s.delta = rule == "delta" || rule == "gated_delta";
  if (heads < 1 || qHeads < 1 || qHeads % heads || (gated && !op.has(4)) ||
      (s.delta && !op.has(5)) || (!gated && !s.delta && rule != "linear"))
    return op.error() << "found " << qHeads << " and " << heads
                      << " heads with update_rule '" << rule
                      << "', expected multiples, one of the four rules and "
                         "its decay and beta";
  for (size_t i : {0, 1, 2})
    if (rankOf(op.input(i)) != 3)
      return op.error() << "found input " << typeOf(op.input(i))
                        << ", expected rank 3";
  Type element = elementOf(op.input(0)), wide = computeType(element);
  auto split = [&](size_t i, int64_t count) {
    return unflatten(b, convert(b, op.input(i), wide), 2, {count, -1});
  };
  s.query = split(0, qHeads);
  s.key = split(1, heads);
  s.value = split(2, heads);
  if (gated) // one decay a head, or one a key dimension
    s.decay = split(4, heads);
  if (s.delta) {
    s.beta = convert(b, op.input(5), wide);
    bool shared = typeOf(s.beta).getDimSize(2) == 1 && heads != 1;
    s.beta = unsqueeze(b, s.beta, {shared ? 2 : 3});
  }
  s.share = qHeads / heads;
  int64_t depth = typeOf(s.query).getDimSize(3);
  s.scale = op.floatAttr("scale", 0);
  if (s.scale == 0)
    s.scale = 1 / std::sqrt(double(depth));
  Value state = op.has(3) ? convert(b, op.input(3), wide)
                          : full(b,
                                 {sizeOf(b, s.key, 0), heads,
                                  sizeOf(b, s.key, 3), sizeOf(b, s.value, 3)},
                                 wide, 0);
  auto outcome =
      emitLoop(op, sizeOf(b, s.query, 1), Value(), {state},
               [&](Value step, ValueRange carried) -> FailureOr<LoopStep> {
                 auto [next, output] = stepState(b, s, carried[0], step);
                 return LoopStep{Value(), {next}, {output}};
               });
  if (failed(outcome))
    return failure();
  // [T, B, heads, D] -> [B, T, heads * D]
  Value y = flatten(b, swapDims(b, outcome->collected[0], 0, 1), 2, 3);
  op.set(0, convert(b, y, element));
  Type stateElement = op.has(3) ? elementOf(op.input(3)) : element;
  op.set(1, convert(b, outcome->carried[0], stateElement));
  return success();
}

/// A function of scores as a subgraph; the scores themselves when there is
/// none. Null after an error.
static Value modified(NodeContext &op, StringRef attribute, Value scores) {
  const Graph *graph = op.graphAttr(attribute);
  if (!graph)
    return scores;
  if (graph->inputs.size() != 1 || graph->outputs.size() != 1) {
    op.error() << "found " << attribute << " with " << graph->inputs.size()
               << " inputs and " << graph->outputs.size()
               << " outputs, expected one of each";
    return {};
  }
  auto results = op.importer.importSubgraph(*graph, {Datum(scores)});
  return failed(results) ? Value() : results->front().tensor;
}

/// Q, K, V [B, heads, S, D] with functions of the scores and probabilities.
static LogicalResult importFlexAttention(NodeContext &op) {
  HloBuilder &b = op.b;
  Value q = op.input(0), k = op.input(1), v = op.input(2);
  if (rankOf(q) != 4 || rankOf(k) != 4 || rankOf(v) != 4)
    return op.error() << "found inputs " << typeOf(q) << ", " << typeOf(k)
                      << " and " << typeOf(v) << ", expected rank 4";
  int64_t heads = typeOf(q).getDimSize(1), own = typeOf(k).getDimSize(1);
  int64_t depth = typeOf(q).getDimSize(3);
  if (heads < 1 || own < 1 || heads % own || depth < 1)
    return op.error() << "found queries " << typeOf(q) << " and keys "
                      << typeOf(k)
                      << ", expected static heads of which the one number "
                         "divides the other, and a static head size";
  Type element = elementOf(q), wide = computeType(element);
  if (int64_t number = op.intAttr("softmax_precision", 0))
    wide = op.elementType(number);
  if (!wide)
    return failure();
  if (heads != own) {
    k = repeatInterleave(b, k, 1, heads / own);
    v = repeatInterleave(b, v, 1, heads / own);
  }
  double scale = op.hasAttr("scale") ? op.floatAttr("scale", 1)
                                     : 1 / std::sqrt(double(depth));
  Value scores =
      matmul(b, convert(b, q, wide), swapDims(b, convert(b, k, wide), 2, 3));
  scores = modified(op, "score_mod", mul(b, scores, scale));
  if (!scores)
    return failure();
  Value weights = modified(op, "prob_mod", softmax(b, scores, 3));
  if (!weights)
    return failure();
  Value y = matmul(b, weights, convert(b, v, elementOf(weights)));
  return op.result(convert(b, y, element));
}

/// past_cache [B, ..., max, ...], update [B, ..., length, ...], write_indices
/// [B]: the update written at each sample's place along the axis.
static LogicalResult importTensorScatter(NodeContext &op) {
  HloBuilder &b = op.b;
  Type i64 = b.getI64Type();
  Value cache = op.input(0), update = op.input(1);
  auto axis = op.axis(op.intAttr("axis", -2), rankOf(cache));
  StringRef mode = op.stringAttr("mode", "linear");
  if (failed(axis))
    return failure();
  if (*axis == 0 || rankOf(update) != rankOf(cache) ||
      (mode != "linear" && mode != "circular"))
    return op.error() << "found cache " << typeOf(cache) << ", update "
                      << typeOf(update) << ", axis 0 or mode '" << mode
                      << "', expected equal ranks, another axis and mode "
                         "linear or circular";
  cache = moveDim(b, cache, *axis, 1);
  update = moveDim(b, update, *axis, 1);
  Sizes shape = {sizeOf(b, update, 0), sizeOf(b, update, 1)};
  Value place = iota(b, shape, 1, i64);
  if (op.has(2))
    place = add(b, place,
                broadcastInDim(b, convert(b, op.input(2), i64), shape, {0}));
  if (mode == "circular")
    place =
        remainder(b, place, fill(b, sizeOf(b, cache, 1).materialize(b), shape));
  Value places = stack(b, {iota(b, shape, 0, i64), place}, 2);
  return op.result(moveDim(b, scatterND(b, cache, places, update), 1, *axis));
}

void ferrule::onnx::registerLinearAttentionOps(Registry &r) {
  r.add("LinearAttention", importLinearAttention);
  r.add("ai.onnx.preview", "FlexAttention", importFlexAttention);
  r.add("TensorScatter", importTensorScatter);
}
