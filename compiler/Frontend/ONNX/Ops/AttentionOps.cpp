// Attention and rotary embeddings, of ONNX and of com.microsoft.
#include "compiler/Frontend/ONNX/Attention.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Normalization.h"
#include "compiler/Frontend/Support/Padding.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"
#include <cmath>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

static constexpr double minusInfinity =
    -std::numeric_limits<double>::infinity();

/// mask, causality, window and valid lengths as one bias; null when all keys
/// may be seen.
static Value attentionBias(NodeContext &op, AttentionParts &p, Size past) {
  HloBuilder &b = op.b;
  Type element = elementOf(p.q);
  Size queries = sizeOf(b, p.q, 2), keys = sizeOf(b, p.k, 2);
  Value bias, valid = op.input(6);
  if (Value mask = op.input(3)) {
    int64_t last = rankOf(mask) - 1;
    Value padded = asBias(b, mask, element);
    Size missing = frontend::sub(b, keys, sizeOf(b, mask, last));
    if (!missing.is(0) && typeOf(mask).getDimSize(last) != 1) {
      Sizes low(rankOf(mask), Size(0)), high(rankOf(mask), Size(0));
      high[last] = frontend::maximum(b, missing, 0);
      padded =
          padConstant(b, padded, scalar(b, element, minusInfinity), low, high);
    }
    bias = padded;
    p.guard = true;
  }
  bool causal = op.intAttr("is_causal", 0);
  int64_t left = op.intAttr("left_window_size", -1);
  int64_t right = op.intAttr("right_window_size", -1);
  if (causal || left >= 0 || right >= 0) {
    Value offset = past.materialize(b);
    if (valid) {
      Value count = convert(b, valid, b.getI64Type());
      offset =
          sub(b, count, fill(b, queries.materialize(b), sizesOf(b, count)));
    }
    p.guard |= bool(valid) || left >= 0 || right >= 0;
    Value distance = distances(b, queries, keys, offset);
    if (causal)
      bias = addOptional(b, bias,
                         boundBias(b, distance, Direction::LE, 0, element));
    if (left >= 0)
      bias = addOptional(b, bias,
                         boundBias(b, distance, Direction::GE, -left, element));
    if (right >= 0)
      bias = addOptional(b, bias,
                         boundBias(b, distance, Direction::LE, right, element));
  }
  if (valid) {
    Value count = unsqueeze(b, convert(b, valid, b.getI64Type()), {1, 2, 3});
    Value key = iota(b, {keys}, 0, b.getI64Type());
    Value seen = compare(b, Direction::LT, key, count);
    bias = addOptional(b, bias, asBias(b, seen, element));
    p.guard = true;
  }
  return bias;
}

/// Queries, keys and values have one rank, a past has a key and a value.
static LogicalResult checkRanks(NodeContext &op) {
  int64_t rank = rankOf(op.input(0));
  for (size_t i : {0, 1, 2})
    if ((rank != 3 && rank != 4) || rankOf(op.input(i)) != rank)
      return op.error() << "found input " << i << " of type "
                        << typeOf(op.input(i))
                        << ", expected rank 3, or rank 4, of query, key and "
                           "value";
  if (op.has(4) != op.has(5))
    return op.error() << "found one of past_key and past_value, expected both "
                         "or none";
  for (size_t i : {4, 5})
    if (op.has(i) && rankOf(op.input(i)) != 4)
      return op.error() << "found input " << i << " of type "
                        << typeOf(op.input(i)) << ", expected rank 4";
  if (op.has(3) && (rankOf(op.input(3)) < 2 || rankOf(op.input(3)) > 4))
    return op.error() << "found attn_mask of type " << typeOf(op.input(3))
                      << ", expected rank 2 to 4";
  if (op.has(6) && rankOf(op.input(6)) != 1)
    return op.error() << "found nonpad_kv_seqlen of type "
                      << typeOf(op.input(6)) << ", expected rank 1";
  return success();
}

/// ONNX Attention (opset 23). Inputs: Q, K, V, attn_mask, past_key,
/// past_value, nonpad_kv_seqlen.
static LogicalResult importAttention(NodeContext &op) {
  HloBuilder &b = op.b;
  AttentionParts p;
  p.q = op.input(0);
  p.k = op.input(1);
  p.v = op.input(2);
  if (failed(checkRanks(op)))
    return failure();
  bool flat = rankOf(p.q) == 3;
  if (flat) {
    int64_t qHeads = op.intAttr("q_num_heads", 0);
    int64_t kHeads = op.intAttr("kv_num_heads", 0);
    if (qHeads <= 0 || kHeads <= 0)
      return op.error() << "found no q_num_heads or kv_num_heads, expected "
                           "them for inputs of rank 3";
    p.q = splitHeads(b, p.q, qHeads);
    p.k = splitHeads(b, p.k, kHeads);
    p.v = splitHeads(b, p.v, kHeads);
  }
  int64_t heads = typeOf(p.q).getDimSize(1), own = typeOf(p.k).getDimSize(1);
  int64_t depth = typeOf(p.q).getDimSize(3);
  if (heads < 1 || own < 1 || heads % own || depth < 1)
    return op.error() << "found queries " << typeOf(p.q) << " and keys "
                      << typeOf(p.k)
                      << ", expected static heads of which the one number "
                         "divides the other, and a static head size";
  Size past = 0;
  if (op.has(4)) {
    past = sizeOf(b, op.input(4), 2);
    p.k = concat(b, {op.input(4), p.k}, 2);
    p.v = concat(b, {op.input(5), p.v}, 2);
  }
  op.set(1, p.k);
  op.set(2, p.v);
  p.scale = op.hasAttr("scale") && op.floatAttr("scale", 0) != 0
                ? op.floatAttr("scale", 1)
                : 1 / std::sqrt(double(depth));
  p.softcap = op.floatAttr("softcap", 0);
  p.outputMode = op.intAttr("qk_matmul_output_mode", 0);
  p.bias = attentionBias(op, p, past);
  Value y = attend(b, p);
  op.set(0, flat ? joinHeads(b, y) : y);
  op.set(3, p.scores);
  return success();
}

static LogicalResult rotaryEmbedding(NodeContext &op, Value cosine, Value sine,
                                     Value positions) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  bool headsFirst = rankOf(x) == 4;
  Sizes shape = sizesOf(b, x);
  if (headsFirst) {
    x = swapDims(b, x, 1, 2);
  } else {
    int64_t heads = op.intAttr("num_heads", 0);
    if (heads == 0) {
      // com.microsoft leaves it out; the cache then covers a whole head.
      int64_t width = 2 * typeOf(cosine).getShape().back();
      heads = typeOf(x).getDimSize(2) / width;
    }
    x = frontend::reshape(
        b, x,
        {shape[0], shape[1], heads, frontend::floorDiv(b, shape[2], heads)});
  }
  if (positions) {
    if (rankOf(positions) == 1) {
      // One offset: positions offset, offset + 1 ...
      Sizes sizes = {sizeOf(b, x, 0), sizeOf(b, x, 1)};
      Value at = broadcastTo(b, positions, {sizes[0], sizes[1]});
      positions = add(b, at, iota(b, sizes, 1, elementOf(positions)));
    }
    cosine = take(b, cosine, positions, 0);
    sine = take(b, sine, positions, 0);
  }
  int64_t width = op.intAttr("rotary_embedding_dim", 0);
  if (width == 0)
    width = typeOf(x).getDimSize(3);
  if (width < 2 || typeOf(cosine).getShape().back() != width / 2)
    return op.error() << "found a cache of type " << typeOf(cosine)
                      << ", expected a last size of " << width / 2;
  Value y = rotate(b, x, cosine, sine, width, op.intAttr("interleaved", 0));
  return op.result(headsFirst ? swapDims(b, y, 1, 2)
                              : frontend::reshape(b, y, shape));
}

static LogicalResult importRotaryEmbedding(NodeContext &op) {
  return rotaryEmbedding(op, op.input(1), op.input(2), op.input(3));
}

static LogicalResult importMicrosoftRotaryEmbedding(NodeContext &op) {
  return rotaryEmbedding(op, op.input(2), op.input(3), op.input(1));
}

void ferrule::onnx::registerAttentionOps(Registry &r) {
  r.add("Attention", importAttention);
  r.add("RotaryEmbedding", importRotaryEmbedding);
  r.add(microsoft, "RotaryEmbedding", importMicrosoftRotaryEmbedding);
}
