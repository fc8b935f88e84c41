#include "compiler/Frontend/ONNX/Attention.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

static constexpr double minusInfinity =
    -std::numeric_limits<double>::infinity();

Value ferrule::onnx::splitHeads(HloBuilder &b, Value x, int64_t heads) {
  Sizes s = sizesOf(b, x);
  Size depth = frontend::floorDiv(b, s[2], heads);
  return swapDims(b, frontend::reshape(b, x, {s[0], s[1], heads, depth}), 1, 2);
}

Value ferrule::onnx::joinHeads(HloBuilder &b, Value x) {
  Value y = swapDims(b, x, 1, 2);
  return flatten(b, y, 2, 3);
}

Value ferrule::onnx::asBias(HloBuilder &b, Value mask, Type element) {
  if (!elementOf(mask).isInteger(1))
    return convert(b, mask, element);
  Value zero = scalar(b, element, 0), low = scalar(b, element, minusInfinity);
  return select(b, mask, fill(b, zero, sizesOf(b, mask)),
                fill(b, low, sizesOf(b, mask)));
}

/// The softmax of rows that have one more score, which is left out of the
/// result.
static Value sinkSoftmax(HloBuilder &b, Value scores, Value sink) {
  Sizes sizes = sizesOf(b, scores);
  Size keys = sizes[3];
  sizes[3] = 1;
  sink = convert(b, sink, elementOf(scores));
  Value column = rankOf(sink) == 1 ? broadcastInDim(b, sink, sizes, {1})
                                   : fill(b, sink, sizes);
  Value weights = softmax(b, concat(b, {scores, column}, 3), 3);
  return slice(b, weights, 3, 0, keys);
}

Value ferrule::onnx::attend(HloBuilder &b, AttentionParts &p) {
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
  Value weights =
      p.sink ? sinkSoftmax(b, scores, p.sink) : softmax(b, scores, 3);
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

Value ferrule::onnx::addOptional(HloBuilder &b, Value x, Value y) {
  return x ? add(b, x, y) : y;
}

Value ferrule::onnx::distances(HloBuilder &b, Size queries, Size keys,
                               Value offset) {
  Type i64 = b.getI64Type();
  Value distance = sub(b, iota(b, {queries, keys}, 1, i64),
                       iota(b, {queries, keys}, 0, i64));
  if (rankOf(offset) == 1)
    offset = unsqueeze(b, offset, {1, 2, 3});
  return sub(b, distance, offset);
}

Value ferrule::onnx::boundBias(HloBuilder &b, Value distance,
                               Direction direction, int64_t limit,
                               Type element) {
  return asBias(b, compare(b, direction, distance, double(limit)), element);
}

Value ferrule::onnx::rotate(HloBuilder &b, Value x, Value cosine, Value sine,
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
