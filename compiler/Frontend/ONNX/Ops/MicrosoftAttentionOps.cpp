// Attention of com.microsoft.
#include "compiler/Frontend/ONNX/Attention.h"
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Normalization.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"
#include <cmath>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// Which keys [B, 1, Sq or 1, Sk] a mask of any of its forms lets be seen:
/// raw [B, Sk], [B, Sq, Sk] or [B, 1, M, M], or counts of keys [B], or ends and
/// starts [2 B].
static FailureOr<Value> seenKeys(NodeContext &op, Value mask, Size batch,
                                 Size queries, Size keys) {
  HloBuilder &b = op.b;
  Type i64 = b.getI64Type();
  int64_t rank = rankOf(mask);
  if (rank == 0 || rank > 4)
    return op.error() << "found a mask " << typeOf(mask)
                      << ", expected rank 1 to 4";
  if (rank == 1) {
    Sizes shape = {batch, keys};
    Value key = iota(b, shape, 1, i64);
    mask = convert(b, mask, i64);
    int64_t length = typeOf(mask).getDimSize(0);
    bool twice = batch.isStatic() && ShapedType::isStatic(length) &&
                 length == 2 * batch.getStatic() && length > 0;
    if (!twice && batch.isStatic() && ShapedType::isStatic(length) &&
        length != batch.getStatic())
      return op.error() << "found a mask " << typeOf(mask)
                        << ", expected one or two numbers for each of "
                        << batch.getStatic() << " sequences";
    auto part = [&](Size from) {
      Value list = slice(b, mask, 0, from, frontend::add(b, from, batch));
      return broadcastInDim(b, list, shape, {0});
    };
    Value seen = compare(b, Direction::LT, key, part(0));
    if (twice)
      seen = bitAnd(b, seen, compare(b, Direction::GE, key, part(batch)));
    return unsqueeze(b, seen, {1, 2});
  }
  Value seen = compare(b, Direction::NE, mask, 0.0);
  if (rank == 2)
    return unsqueeze(b, seen, {1, 2});
  if (rank == 3)
    return unsqueeze(b, seen, {1});
  // The rows of the queries, which are the last ones.
  seen = slice(b, seen, 3, 0, keys);
  return slice(b, seen, 2, frontend::sub(b, keys, queries), keys);
}

/// Keys that may not be seen as a bias.
static Value maskBias(HloBuilder &b, Value seen, Type element, double masked) {
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
static FailureOr<Value> microsoftAttend(NodeContext &op, AttentionParts &p,
                                        Value mask, Value extra, Size past) {
  HloBuilder &b = op.b;
  Type element = elementOf(p.q);
  Size queries = sizeOf(b, p.q, 2), keys = sizeOf(b, p.k, 2);
  if (mask) {
    auto seen = seenKeys(op, mask, sizeOf(b, p.q, 0), queries, keys);
    if (failed(seen))
      return failure();
    p.bias = maskBias(b, *seen, element,
                      op.floatAttr("mask_filter_value", -10000.0f));
  }
  if (extra)
    p.bias = addOptional(b, p.bias, extra);
  if (op.intAttr("unidirectional", 0)) {
    Value distance = distances(b, queries, keys, past.materialize(b));
    p.bias = addOptional(b, p.bias,
                         boundBias(b, distance, Direction::LE, 0, element));
  }
  p.scale = headScale(op, p.q);
  return joinHeads(b, attend(b, p));
}

/// Earlier keys and values [2, B, heads, P, D] put before the new ones; sets
/// output 1 to all of them. Returns how many there were.
static Size joinPast(NodeContext &op, AttentionParts &p, Value past) {
  HloBuilder &b = op.b;
  Size length = 0;
  if (past) {
    length = sizeOf(b, past, 3);
    p.k = concat(b, {selectIndex(b, past, 0, 0), p.k}, 2);
    p.v = concat(b, {selectIndex(b, past, 0, 1), p.v}, 2);
  }
  if (op.wants(1))
    op.set(1, stack(b, {p.k, p.v}, 0));
  return length;
}

/// The projections of an input by weights that lie side by side.
static LogicalResult splitProjections(NodeContext &op, Value all, int64_t heads,
                                      SmallVector<int64_t> widths,
                                      AttentionParts &p) {
  HloBuilder &b = op.b;
  int64_t width = typeOf(all).getShape().back();
  if (widths.empty())
    widths.assign(3, width / 3);
  if (heads <= 0 || rankOf(all) != 3 || ShapedType::isDynamic(width) ||
      widths.size() != 3 || widths[0] + widths[1] + widths[2] != width)
    return op.error() << "found num_heads " << heads << " and projections "
                      << typeOf(all)
                      << ", expected heads and a static width for query, key "
                         "and value";
  int64_t at = 0;
  SmallVector<Value *> parts = {&p.q, &p.k, &p.v};
  for (auto [part, size] : llvm::zip(parts, widths)) {
    *part = splitHeads(b, slice(b, all, 2, at, at + size), heads);
    at += size;
  }
  return success();
}

/// input, weights, bias, mask_index, past, attention_bias.
static LogicalResult importMicrosoftAttention(NodeContext &op) {
  HloBuilder &b = op.b;
  if (op.intAttr("do_rotary", 0) || op.intAttr("past_present_share_buffer", 0))
    return op.error() << "found do_rotary or past_present_share_buffer, "
                         "expected 0";
  Value all = matmul(b, op.input(0), op.input(1));
  if (op.has(2))
    all = add(b, all, op.input(2));
  AttentionParts p;
  if (failed(splitProjections(op, all, op.intAttr("num_heads", 0),
                              op.intsAttr("qkv_hidden_sizes"), p)))
    return failure();
  Size past = joinPast(op, p, op.input(4));
  auto y = microsoftAttend(op, p, op.input(3), op.input(5), past);
  return failed(y) ? failure() : op.result(*y);
}

/// The quantised form: input, weight, bias, scales of input and weight,
/// mask_index, their zero points, past.
static LogicalResult importQAttention(NodeContext &op) {
  HloBuilder &b = op.b;
  Type f32 = b.getF32Type();
  auto real = [&](size_t value, size_t scale, size_t zero) {
    Value x = convert(b, op.input(value), f32);
    if (op.has(zero))
      x = sub(b, x, convert(b, op.input(zero), f32));
    return mul(b, x, op.input(scale));
  };
  Value all = add(b, matmul(b, real(0, 3, 6), real(1, 4, 7)), op.input(2));
  AttentionParts p;
  if (failed(splitProjections(op, all, op.intAttr("num_heads", 0), {}, p)))
    return failure();
  Size past = joinPast(op, p, op.input(8));
  auto y = microsoftAttend(op, p, op.input(5), Value(), past);
  return failed(y) ? failure() : op.result(*y);
}

/// query [B, S, heads * D], or packed with key and value: [B, S, heads, 3, D];
/// key [B, L, heads * D], or with value [B, L, heads, 2, D], or [B, heads, L,
/// D] of an encoder.
static LogicalResult readHeads(NodeContext &op, AttentionParts &p) {
  HloBuilder &b = op.b;
  int64_t heads = op.intAttr("num_heads", 0);
  Value query = op.input(0), key = op.input(1), bias = op.input(3);
  auto unpack = [&](Value packed, int64_t i) {
    return swapDims(b, selectIndex(b, packed, 3, i), 1, 2);
  };
  if (heads > 0 && rankOf(query) == 5 && !bias) {
    p.q = unpack(query, 0);
    p.k = unpack(query, 1);
    p.v = unpack(query, 2);
    return success();
  }
  bool packed = key && rankOf(key) == 5 && !bias;
  if (heads <= 0 || rankOf(query) != 3 || !key || (!packed && !op.has(2)))
    return op.error() << "found query " << typeOf(query) << " and num_heads "
                      << heads
                      << ", expected heads and a query of rank 3 with key and "
                         "value, or one of rank 5";
  SmallVector<Value *> parts = {&p.q, &p.k, &p.v};
  int64_t at = 0;
  for (auto [i, part] : llvm::enumerate(parts)) {
    if (packed && i > 0) {
      *part = unpack(key, i - 1);
      continue;
    }
    Value x = op.input(i);
    if (bias && rankOf(x) == 3) {
      int64_t width = typeOf(x).getDimSize(2);
      x = add(b, x, slice(b, bias, 0, at, at + width));
      at += width;
    }
    *part = rankOf(x) == 4 ? x : splitHeads(b, x, heads);
  }
  return success();
}

/// query, key, value, bias, key_padding_mask, attention_bias, past_key,
/// past_value.
static LogicalResult importMultiHeadAttention(NodeContext &op) {
  HloBuilder &b = op.b;
  AttentionParts p;
  if (failed(readHeads(op, p)))
    return failure();
  Size past = 0;
  if (op.has(6) && op.has(7)) {
    past = sizeOf(b, op.input(6), 2);
    p.k = concat(b, {op.input(6), p.k}, 2);
    p.v = concat(b, {op.input(7), p.v}, 2);
  }
  op.set(1, p.k);
  op.set(2, p.v);
  auto y = microsoftAttend(op, p, op.input(4), op.input(5), past);
  return failed(y) ? failure() : op.result(*y);
}

namespace {
/// Where the new tokens of a GroupQueryAttention stand.
struct TokenPlaces {
  Value past;      // tokens before them, [B] (i64)
  Value positions; // of each, [B, S] (i64)
  Size total = 0;  // the length of the cache that is returned
};
} // namespace

/// The cache [B, heads, total, D] with `tokens` [B, heads, S, D] written at
/// their places; `past` may be null.
static Value updateCache(HloBuilder &b, Value past, Value tokens,
                         const TokenPlaces &at) {
  Sizes sizes = sizesOf(b, tokens);
  Size length = past ? sizeOf(b, past, 2) : Size(0);
  Value cache = past ? swapDims(b, past, 1, 2) : Value();
  if (!past || !knownEqual(length, at.total)) {
    Size missing = frontend::sub(b, at.total, length);
    Value rest =
        full(b, {sizes[0], missing, sizes[1], sizes[3]}, elementOf(tokens), 0);
    cache = cache ? concat(b, {cache, rest}, 1) : rest;
  }
  Value row = iota(b, {sizes[0], sizes[2]}, 0, b.getI64Type());
  cache = scatterND(b, cache, stack(b, {row, at.positions}, 2),
                    swapDims(b, tokens, 1, 2));
  return swapDims(b, cache, 1, 2);
}

/// Rotates [B, heads, S, D] by the caches' rows at the tokens' positions.
static Value rotateHeads(NodeContext &op, Value x, Value positions) {
  HloBuilder &b = op.b;
  Value cosine = take(b, op.input(7), positions, 0);
  Value sine = take(b, op.input(8), positions, 0);
  int64_t width = 2 * typeOf(cosine).getShape().back();
  Value y = rotate(b, swapDims(b, x, 1, 2), cosine, sine, width,
                   op.intAttr("rotary_interleaved", 0));
  return swapDims(b, y, 1, 2);
}

/// Query heads, key heads and value heads, split; the key's and the value's
/// may lie behind the query's in one input.
static LogicalResult readGroups(NodeContext &op, AttentionParts &p) {
  HloBuilder &b = op.b;
  int64_t heads = op.intAttr("num_heads", 0);
  int64_t own = op.intAttr("kv_num_heads", 0);
  Value query = op.input(0);
  int64_t width = rankOf(query) == 3 ? typeOf(query).getDimSize(2) : -1;
  if (heads < 1 || own < 1 || heads % own || width < 1 || !op.has(5) ||
      !op.has(6) || op.has(1) != op.has(2))
    return op.error() << "found query " << typeOf(query) << ", " << heads
                      << " heads and " << own
                      << " key heads, expected rank 3 of static width, "
                         "multiples, seqlens_k and total_sequence_length";
  if (op.has(1)) {
    p.q = splitHeads(b, query, heads);
    p.k = splitHeads(b, op.input(1), own);
    p.v = splitHeads(b, op.input(2), own);
    return success();
  }
  Value all = splitHeads(b, query, heads + 2 * own);
  p.q = slice(b, all, 1, 0, heads);
  p.k = slice(b, all, 1, heads, heads + own);
  p.v = slice(b, all, 1, heads + own, heads + 2 * own);
  return success();
}

/// query, key, value, past_key, past_value, seqlens_k (tokens of each sequence
/// less one), total_sequence_length, cos_cache, sin_cache, position_ids,
/// attention_bias, head_sink.
static LogicalResult importGroupQueryAttention(NodeContext &op) {
  HloBuilder &b = op.b;
  Type i64 = b.getI64Type();
  AttentionParts p;
  if (failed(readGroups(op, p)))
    return failure();
  for (size_t i = 12; i < op.numInputs(); ++i)
    if (op.has(i))
      return op.error() << "found input " << i
                        << ", expected none behind head_sink";
  if (op.wants(3) || op.intAttr("kv_cache_bit_width", 0))
    return op.error() << "found output_qk or a quantised cache, expected "
                         "neither";
  Type element = elementOf(p.q);
  Size batch = sizeOf(b, p.q, 0), queries = sizeOf(b, p.q, 2);
  Size total = toSize(b, frontend::reshape(b, op.input(6), {}));
  Value counts = frontend::reshape(b, convert(b, op.input(5), i64), {batch});
  counts = add(b, counts, 1.0);
  // The first call has no past, whatever the buffer's size.
  Value first =
      compare(b, Direction::EQ, queries.materialize(b), total.materialize(b));
  TokenPlaces at;
  at.past = sub(b, counts, fill(b, queries.materialize(b), {batch}));
  at.past = select(b, fill(b, first, {batch}), fullLike(b, counts, 0), at.past);
  Sizes shape = {batch, queries};
  at.positions =
      add(b, iota(b, shape, 1, i64), broadcastInDim(b, at.past, shape, {0}));
  Value pastKey = op.input(3), pastValue = op.input(4);
  at.total =
      pastKey ? frontend::maximum(b, total, sizeOf(b, pastKey, 2)) : total;
  if (op.intAttr("do_rotary", 0)) {
    if (!op.has(7) || !op.has(8))
      return op.error() << "found do_rotary without cos_cache and sin_cache";
    Value positions = op.has(9) ? convert(b, op.input(9), i64) : at.positions;
    p.q = rotateHeads(op, p.q, positions);
    p.k = rotateHeads(op, p.k, positions);
  }
  p.k = updateCache(b, pastKey, p.k, at);
  p.v = updateCache(b, pastValue, p.v, at);
  op.set(1, p.k);
  op.set(2, p.v);
  Value distance = distances(b, queries, at.total, at.past);
  if (op.intAttr("causal", 1))
    p.bias = boundBias(b, distance, Direction::LE, 0, element);
  if (int64_t window = op.intAttr("local_window_size", -1); window > 0)
    p.bias = addOptional(
        b, p.bias, boundBias(b, distance, Direction::GT, -window, element));
  if (Value extra = op.input(10)) {
    // It covers the keys that count, not the whole buffer.
    Size missing = frontend::sub(b, at.total, sizeOf(b, extra, 3));
    Sizes rest = sizesOf(b, extra);
    rest[3] = frontend::maximum(b, missing, 0);
    extra = concat(b, {extra, full(b, rest, elementOf(extra), 0)}, 3);
    p.bias = addOptional(b, p.bias, extra);
  }
  p.scale = headScale(op, p.q);
  p.softcap = op.floatAttr("softcap", 0);
  p.sink = op.input(11);
  if (!p.sink && op.intAttr("smooth_softmax", 0) > 0)
    p.sink = scalar(b, element, 0);
  return op.result(joinHeads(b, attend(b, p)));
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

void ferrule::onnx::registerMicrosoftAttentionOps(Registry &r) {
  r.add(microsoft, "Attention", importMicrosoftAttention);
  r.add(microsoft, "QAttention", importQAttention);
  r.add(microsoft, "MultiHeadAttention", importMultiHeadAttention);
  r.add(microsoft, "GroupQueryAttention", importGroupQueryAttention);
  r.add(microsoft, "EmbedLayerNormalization", importEmbedLayerNorm);
}
