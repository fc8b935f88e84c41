// Attention and rotary embeddings, of ONNX and of com.microsoft.
#include "compiler/Frontend/ONNX/NodeContext.h"
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

/// [B, S, heads * D] -> [B, heads, S, D].
static Value splitHeads(HloBuilder &b, Value x, int64_t heads) {
  Sizes s = sizesOf(b, x);
  Size depth = frontend::floorDiv(b, s[2], heads);
  return swapDims(b, frontend::reshape(b, x, {s[0], s[1], heads, depth}), 1, 2);
}

/// [B, heads, S, D] -> [B, S, heads * D].
static Value joinHeads(HloBuilder &b, Value x) {
  Value y = swapDims(b, x, 1, 2);
  return flatten(b, y, 2, 3);
}

/// Truth as something to add to scores: 0 or -inf.
static Value asBias(HloBuilder &b, Value mask, Type element) {
  if (!elementOf(mask).isInteger(1))
    return convert(b, mask, element);
  Value zero = scalar(b, element, 0), low = scalar(b, element, minusInfinity);
  return select(b, mask, fill(b, zero, sizesOf(b, mask)),
                fill(b, low, sizesOf(b, mask)));
}

namespace {
/// Scores and what is added to them.
struct AttentionParts {
  Value q, k, v;    // [B, heads, S, D]
  Value bias;       // added to the scores, broadcastable; may be null
  double scale = 1; // of the scores
  double softcap = 0;
  bool guard = false; // rows that are masked everywhere become zero
  int64_t outputMode = 0;
  Value scores; // set on return, by outputMode
};
} // namespace

static Value attend(HloBuilder &b, AttentionParts &p) {
  int64_t heads = typeOf(p.q).getDimSize(1), own = typeOf(p.k).getDimSize(1);
  if (heads != own) {
    p.k = repeatInterleave(b, p.k, 1, heads / own);
    p.v = repeatInterleave(b, p.v, 1, heads / own);
  }
  Value scores = matmul(b, mul(b, p.q, p.scale), swapDims(b, p.k, 2, 3));
  p.scores = scores;
  if (p.softcap > 0) {
    scores = mul(b, frontend::tanh(b, div(b, scores, p.softcap)), p.softcap);
    if (p.outputMode == 1)
      p.scores = scores;
  }
  if (p.bias)
    scores = add(b, scores, p.bias);
  if (p.outputMode == 2)
    p.scores = scores;
  Value weights = softmax(b, scores, 3);
  if (p.guard && p.bias) {
    Value most = reduceMax(b, p.bias, {-1}, /*keepDims=*/true);
    Value masked = compare(b, Direction::EQ, most, minusInfinity);
    masked = broadcastTo(b, masked, sizesOf(b, weights));
    weights = select(b, masked, fullLike(b, weights, 0), weights);
  }
  if (p.outputMode == 3)
    p.scores = weights;
  return matmul(b, weights, p.v);
}

static Value addOptional(HloBuilder &b, Value x, Value y) {
  return x ? add(b, x, y) : y;
}

/// j - i - offset as [Sq, Sk], or [B, 1, Sq, Sk] for offsets [B]: how far key
/// j stands after query i.
static Value distances(HloBuilder &b, Size queries, Size keys, Value offset) {
  Type i64 = b.getI64Type();
  Value distance = sub(b, iota(b, {queries, keys}, 1, i64),
                       iota(b, {queries, keys}, 0, i64));
  if (rankOf(offset) == 1)
    offset = unsqueeze(b, offset, {1, 2, 3});
  return sub(b, distance, offset);
}

/// The bias of a condition on distances.
static Value boundBias(HloBuilder &b, Value distance, Direction direction,
                       int64_t limit, Type element) {
  return asBias(b, compare(b, direction, distance, double(limit)), element);
}

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

/// ONNX Attention (opset 23). Inputs: Q, K, V, attn_mask, past_key,
/// past_value, nonpad_kv_seqlen.
static LogicalResult importAttention(NodeContext &op) {
  HloBuilder &b = op.b;
  AttentionParts p;
  p.q = op.input(0);
  p.k = op.input(1);
  p.v = op.input(2);
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

/// x1 cos - x2 sin, x1 sin + x2 cos on pairs of the first `width` of the last
/// dimension. x [B, S, heads, D]; cos and sin [B, S, width / 2].
static Value rotate(HloBuilder &b, Value x, Value cosine, Value sine,
                    int64_t width, bool interleaved) {
  int64_t last = rankOf(x) - 1, half = width / 2;
  Value turned = slice(b, x, last, 0, width);
  Value rest = slice(b, x, last, width, sizeOf(b, x, last));
  Value first, second;
  if (interleaved) {
    first = slice(b, turned, last, 0, width, 2);
    second = slice(b, turned, last, 1, width, 2);
  } else {
    first = slice(b, turned, last, 0, half);
    second = slice(b, turned, last, half, width);
  }
  cosine = unsqueeze(b, cosine, {2});
  sine = unsqueeze(b, sine, {2});
  Value real = sub(b, mul(b, first, cosine), mul(b, second, sine));
  Value imaginary = add(b, mul(b, first, sine), mul(b, second, cosine));
  Value result = interleaved ? flatten(b, stack(b, {real, imaginary}, 4), 3, 4)
                             : concat(b, {real, imaginary}, last);
  return typeOf(rest).getDimSize(last) == 0 ? result
                                            : concat(b, {result, rest}, last);
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

/// A key mask [B, Sk] (or what broadcasts to scores) as a bias.
static Value keyMaskBias(HloBuilder &b, Value mask, Type element,
                         double masked) {
  Value seen = compare(b, Direction::NE, mask, 0.0);
  if (rankOf(seen) == 2)
    seen = unsqueeze(b, seen, {1, 2});
  else if (rankOf(seen) == 3)
    seen = unsqueeze(b, seen, {1});
  Value zero = scalar(b, element, 0), low = scalar(b, element, masked);
  return select(b, seen, fill(b, zero, sizesOf(b, seen)),
                fill(b, low, sizesOf(b, seen)));
}

static double headScale(NodeContext &op, Value q) {
  double given = op.floatAttr("scale", 0);
  return given != 0 ? given
                    : 1 / std::sqrt(double(typeOf(q).getShape().back()));
}

/// What com.microsoft's attention ops share once heads are split.
static Value microsoftAttend(NodeContext &op, AttentionParts &p, Value mask,
                             Value extra, Size past) {
  HloBuilder &b = op.b;
  Type element = elementOf(p.q);
  if (mask)
    p.bias = keyMaskBias(b, mask, element,
                         op.floatAttr("mask_filter_value", -10000.0f));
  if (extra)
    p.bias = addOptional(b, p.bias, extra);
  if (op.intAttr("unidirectional", 0)) {
    Value distance =
        distances(b, sizeOf(b, p.q, 2), sizeOf(b, p.k, 2), past.materialize(b));
    p.bias = addOptional(b, p.bias,
                         boundBias(b, distance, Direction::LE, 0, element));
  }
  p.scale = headScale(op, p.q);
  return joinHeads(b, attend(b, p));
}

/// com.microsoft Attention: input, weights, bias, mask_index, past,
/// attention_bias.
static LogicalResult importMicrosoftAttention(NodeContext &op) {
  HloBuilder &b = op.b;
  int64_t heads = op.intAttr("num_heads", 0);
  if (heads <= 0 || op.has(4))
    return op.error() << "found no num_heads or an input past, expected "
                         "num_heads and no past";
  Value mask = op.input(3);
  if (mask && rankOf(mask) == 1)
    return op.error() << "found mask_index of type " << typeOf(mask)
                      << ", expected a raw mask";
  Value all = matmul(b, op.input(0), op.input(1));
  if (op.has(2))
    all = add(b, all, op.input(2));
  SmallVector<int64_t> widths = op.intsAttr("qkv_hidden_sizes");
  if (widths.empty())
    widths.assign(3, typeOf(op.input(1)).getDimSize(1) / 3);
  AttentionParts p;
  int64_t at = 0;
  for (auto [part, width] :
       llvm::zip(std::initializer_list<Value *>{&p.q, &p.k, &p.v}, widths)) {
    *part = splitHeads(b, slice(b, all, 2, at, at + width), heads);
    at += width;
  }
  return op.result(microsoftAttend(op, p, mask, op.input(5), 0));
}

/// com.microsoft MultiHeadAttention: query, key, value, bias,
/// key_padding_mask, attention_bias, past_key, past_value.
static LogicalResult importMultiHeadAttention(NodeContext &op) {
  HloBuilder &b = op.b;
  int64_t heads = op.intAttr("num_heads", 0);
  if (heads <= 0 || rankOf(op.input(0)) != 3 || !op.has(1) || !op.has(2))
    return op.error() << "found packed inputs or no num_heads, expected query, "
                         "key and value of rank 3 or 4";
  AttentionParts p;
  SmallVector<Value *> parts = {&p.q, &p.k, &p.v};
  int64_t at = 0;
  for (auto [i, part] : llvm::enumerate(parts)) {
    Value x = op.input(i);
    if (Value bias = op.input(3); bias && rankOf(x) == 3) {
      int64_t width = typeOf(x).getDimSize(2);
      x = add(b, x, slice(b, bias, 0, at, at + width));
      at += width;
    }
    *part = rankOf(x) == 4 ? x : splitHeads(b, x, heads);
  }
  Size past = 0;
  if (op.has(6)) {
    past = sizeOf(b, op.input(6), 2);
    p.k = concat(b, {op.input(6), p.k}, 2);
    p.v = concat(b, {op.input(7), p.v}, 2);
  }
  op.set(1, p.k);
  op.set(2, p.v);
  return op.result(microsoftAttend(op, p, op.input(4), op.input(5), past));
}

/// com.microsoft EmbedLayerNormalization: ids, segment ids, word, position and
/// segment embeddings, gamma, beta, mask, position ids.
static LogicalResult importEmbedLayerNorm(NodeContext &op) {
  HloBuilder &b = op.b;
  Value ids = op.input(0), sum = take(b, op.input(2), ids, 0);
  Value positions = op.input(8);
  if (!positions)
    positions = iota(b, {sizeOf(b, ids, 1)}, 0, elementOf(ids));
  sum = add(b, sum, take(b, op.input(3), positions, 0));
  if (op.has(1) && op.has(4))
    sum = add(b, sum, take(b, op.input(4), op.input(1), 0));
  op.set(0, layerNorm(b, sum, 2, op.input(5), op.input(6),
                      op.floatAttr("epsilon", 1e-12f))
                .result);
  if (op.wants(1)) {
    Type i32 = b.getI32Type();
    op.set(1, op.has(7) ? reduceSum(b, convert(b, op.input(7), i32), {1}, false)
                        : full(b, {sizeOf(b, ids, 0)}, i32, 0));
  }
  op.set(2, sum);
  return success();
}

void ferrule::onnx::registerAttentionOps(Registry &r) {
  r.add("Attention", importAttention);
  r.add("RotaryEmbedding", importRotaryEmbedding);
  r.add(microsoft, "RotaryEmbedding", importMicrosoftRotaryEmbedding);
  r.add(microsoft, "Attention", importMicrosoftAttention);
  r.add(microsoft, "MultiHeadAttention", importMultiHeadAttention);
  r.add(microsoft, "EmbedLayerNormalization", importEmbedLayerNorm);
}
