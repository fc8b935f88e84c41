// Scaled dot product attention in its several forms.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"
#include <cmath>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

/// Heads of keys and values repeated until there are as many as queries.
static Value repeatHeads(HloBuilder &b, Value value, Value query) {
  int64_t dim = rankOf(value) - 3;
  Size have = sizeOf(b, value, dim), want = sizeOf(b, query, dim);
  if (knownEqual(have, want))
    return value;
  return repeatInterleave(b, value, dim, floorDiv(b, want, have));
}

/// query and key multiplied by the root of the scale each, as PyTorch does,
/// would lose less in f16; in f32 one factor on the query is enough.
static Value scaledQuery(OpLowering &x, Value query) {
  if (x.has("scale"))
    return mul(x.b, query, x.number("scale"));
  Size width = sizeOf(x.b, query, -1);
  if (width.isStatic())
    return mul(x.b, query, 1.0 / std::sqrt(double(width.getStatic())));
  Value size = convert(x.b, width.materialize(x.b), elementOf(query));
  return mul(x.b, query, rsqrt(x.b, size));
}

static Value masked(OpLowering &x, Value scores) {
  HloBuilder &b = x.b;
  Type element = elementOf(scores);
  Value nothing = lowestScalar(b, element);
  if (x.flag("is_causal")) {
    int64_t rank = rankOf(scores);
    Sizes matrix = {sizeOf(b, scores, rank - 2), sizeOf(b, scores, rank - 1)};
    Type i64 = b.getI64Type();
    Value seen = compare(b, Direction::GE, iota(b, matrix, 0, i64),
                         iota(b, matrix, 1, i64));
    scores =
        select(b, broadcastTo(b, seen, sizesOf(b, scores)), scores, nothing);
  }
  StringRef name = x.has("attn_mask") ? "attn_mask" : "attn_bias";
  if (!x.has(name))
    return scores;
  Value mask = x.tensor(name);
  if (elementOf(mask).isInteger(1))
    return select(b, mask, scores, nothing);
  return add(b, scores, convert(b, mask, element));
}

static void attentionOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value query = x.tensor("query"), key = x.tensor("key");
  Value value = x.tensor("value");
  if (rankOf(query) >= 3 && x.flag("enable_gqa")) {
    key = repeatHeads(b, key, query);
    value = repeatHeads(b, value, query);
  }
  Type element = elementOf(query), compute = computeType(element);
  query = scaledQuery(x, convert(b, query, compute));
  Value turned = swapDims(b, convert(b, key, compute), -1, -2);
  Value scores = masked(x, matmul(b, query, turned));
  // A row that sees nothing gives zeros: no maximum to subtract.
  Value most = reduceMax(b, scores, {-1}, /*keepDims=*/true);
  Value blind = compare(b, Direction::EQ, most, lowestScalar(b, compute));
  Value weights = softmax(b, scores, -1);
  bool canBeBlind =
      x.has("attn_mask") || x.has("attn_bias") || x.flag("is_causal");
  if (canBeBlind)
    weights = select(b, blind, frontend::scalar(b, compute, 0), weights);
  if (double p = x.number("dropout_p", 0); p != 0)
    weights = dropAtRandom(x, weights, p);
  Value result = matmul(b, weights, convert(b, value, compute));
  SmallVector<Value> results(x.op->getNumResults());
  results[0] = convert(b, result, element);
  if (results.size() > 1 && !x.op->getResult(1).use_empty())
    results[1] = reduceLogSumExp(b, scores, {-1}, /*keepDims=*/false);
  x.give(results);
}

static const LoweringEntry entries[] = {
    {"aten.scaled_dot_product_attention", attentionOp},
    {"aten._scaled_dot_product_attention_math", attentionOp},
    {"aten._scaled_dot_product_flash_attention_for_cpu", attentionOp},
    {"aten._scaled_dot_product_flash_attention", attentionOp},
    {"aten._scaled_dot_product_efficient_attention", attentionOp},
};

void torch::addAttentionLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
