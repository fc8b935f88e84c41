// Operators that write at computed places.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

/// The source of a scatter: a tensor, or a number of the index's shape.
static Value source(OpLowering &x, Type element, Value index) {
  if (x.has("src"))
    return x.tensor("src", element);
  return broadcastTo(x.b, x.scalar("value", element), sizesOf(x.b, index));
}

static std::optional<Combine> combineOf(StringRef name) {
  if (name == "sum" || name == "add" || name == "mean")
    return Combine::Add;
  if (name == "prod" || name == "multiply")
    return Combine::Multiply;
  if (name == "amax")
    return Combine::Maximum;
  if (name == "amin")
    return Combine::Minimum;
  return std::nullopt;
}

static void scatterOp(OpLowering &x) {
  Value self = x.tensor("self"), index = x.tensor("index");
  if (numElements(x.b, index).is(0))
    return x.give(self);
  std::optional<Combine> combine = Combine::Replace;
  if (x.has("reduce"))
    combine = combineOf(x.text("reduce"));
  if (!combine)
    return x.fail("has the reduction '" + x.text("reduce") + "'");
  x.give(scatterElements(x.b, self, index, source(x, elementOf(self), index),
                         x.dim("dim", rankOf(self)), *combine));
}

static void scatterAddOp(OpLowering &x) {
  Value self = x.tensor("self"), index = x.tensor("index");
  x.give(scatterElements(x.b, self, index, x.tensor("src", elementOf(self)),
                         x.dim("dim", rankOf(self)), Combine::Add));
}

/// The value that changes nothing in a combination.
static Value identityOf(HloBuilder &b, Combine combine, Type element) {
  switch (combine) {
  case Combine::Multiply:
    return scalar(b, element, 1);
  case Combine::Minimum:
    return highestScalar(b, element);
  case Combine::Maximum:
    return lowestScalar(b, element);
  default:
    return scalar(b, element, 0);
  }
}

static void scatterReduceOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value self = x.tensor("self"), index = x.tensor("index");
  Type element = elementOf(self);
  Value updates = x.tensor("src", element);
  int64_t dim = x.dim("dim", rankOf(self));
  StringRef name = x.text("reduce");
  std::optional<Combine> combine = combineOf(name);
  if (!combine)
    return x.fail("has the reduction '" + name + "'");
  bool includeSelf = x.flag("include_self", true);
  Value start = self;
  if (!includeSelf) {
    // Touched places forget their value first.
    Value neutral =
        broadcastTo(b, identityOf(b, *combine, element), sizesOf(b, index));
    start = scatterElements(b, self, index, neutral, dim);
  }
  Value result = scatterElements(b, start, index, updates, dim, *combine);
  if (name == "mean") {
    Value ones = full(b, sizesOf(b, index), element, 1);
    Value counts = fullLike(b, self, includeSelf ? 1 : 0);
    counts = scatterElements(b, counts, index, ones, dim, Combine::Add);
    counts = maximum(b, counts, 1.0);
    result = isa<mlir::FloatType>(element) ? div(b, result, counts)
                                           : floorDiv(b, result, counts);
  }
  x.give(result);
}

static Value vectorIndex(OpLowering &x) {
  Value index = x.tensor("index");
  return rankOf(index) == 0 ? unsqueeze(x.b, index, {0}) : index;
}

static void indexAddOp(OpLowering &x) {
  Value self = x.tensor("self");
  Value updates = x.tensor("source", elementOf(self));
  if (!x.isOne("alpha"))
    updates = mul(x.b, updates, x.scalar("alpha", elementOf(self)));
  x.give(indexUpdate(x.b, self, x.dim("dim", rankOf(self)), vectorIndex(x),
                     updates, Combine::Add));
}

static void indexCopyOp(OpLowering &x) {
  Value self = x.tensor("self");
  x.give(indexUpdate(x.b, self, x.dim("dim", rankOf(self)), vectorIndex(x),
                     x.tensor("source", elementOf(self))));
}

static void indexFillOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t dim = x.dim("dim", rankOf(self));
  Value index = vectorIndex(x);
  index = wrapNegative(x.b, index, sizeOf(x.b, self, dim));
  Value argument = getArgument(x.op, "value");
  Value value = isa<BaseTensorType>(argument.getType())
                    ? x.tensor("value", elementOf(self))
                    : x.scalar("value", elementOf(self));
  Sizes sizes = sizesOf(x.b, self);
  sizes[dim] = sizeOf(x.b, index, 0);
  x.give(indexUpdate(x.b, self, dim, index, broadcastTo(x.b, value, sizes)));
}

static void embeddingBackwardOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value grad = x.tensor("grad_output"), indices = x.tensor("indices");
  Type element = elementOf(grad), compute = computeType(element);
  int64_t padding = x.integer("padding_idx", -1);
  Size width = sizeOf(b, grad, -1), rows = x.size("num_weights");
  Value flatIndex = reshape(b, indices, {-1});
  Value flatGrad = reshape(b, convert(b, grad, compute), {-1, width});
  if (padding >= 0) {
    Value real = compare(b, Direction::NE, flatIndex, double(padding));
    Value spread = broadcastInDim(b, real, sizesOf(b, flatGrad), {0});
    flatGrad = select(b, spread, flatGrad, fullLike(b, flatGrad, 0));
  }
  if (x.flag("scale_grad_by_freq"))
    return x.fail("scales gradients by frequency");
  Value zeros = full(b, {rows, width}, compute, 0);
  x.give(indexUpdate(b, zeros, 0, flatIndex, flatGrad, Combine::Add));
}

static void sliceBackwardOp(OpLowering &x) {
  Value grad = x.tensor("grad_output");
  Value zeros = full(x.b, x.sizes("input_sizes"), elementOf(grad), 0);
  x.give(sliceScatter(x.b, zeros, grad, x.dim("dim", rankOf(zeros)),
                      x.sizeOrNone("start"), x.sizeOrNone("end"),
                      x.size("step", 1)));
}

static void selectBackwardOp(OpLowering &x) {
  Value grad = x.tensor("grad_output");
  Value zeros = full(x.b, x.sizes("input_sizes"), elementOf(grad), 0);
  int64_t dim = x.dim("dim", rankOf(zeros));
  Size index = wrapIndex(x.b, x.size("index"), sizeOf(x.b, zeros, dim));
  x.give(sliceScatter(x.b, zeros, unsqueeze(x.b, grad, {dim}), dim, index,
                      add(x.b, index, 1)));
}

static const LoweringEntry entries[] = {
    {"aten.scatter.src", scatterOp},
    {"aten.scatter.value", scatterOp},
    {"aten.scatter.reduce", scatterOp},
    {"aten.scatter.value_reduce", scatterOp},
    {"aten.scatter_add", scatterAddOp},
    {"aten.scatter_reduce.two", scatterReduceOp},
    {"aten.index_add", indexAddOp},
    {"aten.index_copy", indexCopyOp},
    {"aten.index_fill.int_Scalar", indexFillOp},
    {"aten.index_fill.int_Tensor", indexFillOp},
    {"aten.embedding_dense_backward", embeddingBackwardOp},
    {"aten.slice_backward", sliceBackwardOp},
    {"aten.select_backward", selectBackwardOp},
};

void torch::addScatterLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
