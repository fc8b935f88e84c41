// Operators that make tensors, copy them or convert them.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

/// Copies, conversions and moves between devices: the result's element type
/// says all.
static void convertOp(OpLowering &x) {
  for (StringRef name : {"self", "input", "a", "tensor"})
    if (x.has(name))
      return x.give(x.tensor(name, x.resultElement()));
  x.fail("has no operand to copy");
}

static void copyOp(OpLowering &x) {
  Value self = x.tensor("self");
  Value source = x.tensor("src", elementOf(self));
  x.give(broadcastTo(x.b, source, sizesOf(x.b, self)));
}

static void fullOp(OpLowering &x) {
  x.give(fill(x.b, x.scalar("fill_value", x.resultElement()), x.sizes("size")));
}

template <int number> static void filledOp(OpLowering &x) {
  x.give(full(x.b, x.sizes("size"), x.resultElement(), number));
}

template <int number> static void filledLikeOp(OpLowering &x) {
  x.give(full(x.b, sizesOf(x.b, x.tensor("self")), x.resultElement(), number));
}

static void fullLikeOp(OpLowering &x) {
  x.give(fill(x.b, x.scalar("fill_value", x.resultElement()),
              sizesOf(x.b, x.tensor("self"))));
}

static void fillOp(OpLowering &x) {
  Value self = x.tensor("self");
  Value argument = getArgument(x.op, "value");
  Value value = isa<BaseTensorType>(argument.getType())
                    ? x.tensor("value", elementOf(self))
                    : x.scalar("value", elementOf(self));
  x.give(broadcastTo(x.b, value, sizesOf(x.b, self)));
}

static void scalarTensorOp(OpLowering &x) {
  for (StringRef name : {"s", "a", "t"})
    if (x.has(name))
      return x.give(x.scalar(name, x.resultElement()));
  x.fail("has no number");
}

/// A bound of arange as an integer: an int, or a float constant that is whole.
static std::optional<Size> wholeBound(OpLowering &x, StringRef name,
                                      int64_t missing) {
  if (!x.has(name))
    return Size(missing);
  if (x.scalarKind(name).isInteger(64))
    return x.size(name);
  auto constant = getArgument(x.op, name).getDefiningOp<ConstantFloatOp>();
  if (!constant)
    return std::nullopt;
  double number = constant.getValue().convertToDouble();
  if (number != std::trunc(number) || std::abs(number) > double(1ll << 53))
    return std::nullopt;
  return Size(int64_t(number));
}

/// arange with a bound that is no integer. The exporter may know the count.
static void arangeOfFloats(OpLowering &x) {
  RankedTensorType type = x.resultType();
  Type element = type.getElementType();
  Type f64 = x.b.getF64Type();
  auto bound = [&](StringRef name, double missing, Type type) {
    return x.has(name) ? x.scalar(name, type) : full(x.b, {}, type, missing);
  };
  Size count = type.getDimSize(0);
  if (!type.hasStaticShape()) {
    Value span = sub(x.b, bound("end", 0, f64), bound("start", 0, f64));
    Value steps = ceil(x.b, div(x.b, span, bound("step", 1, f64)));
    count = toSize(x.b, convert(x.b, steps, x.b.getI64Type()));
    count = maximum(x.b, count, 0);
  }
  Type compute = isa<mlir::FloatType>(element) ? computeType(element) : f64;
  Value index = iota(x.b, {count}, 0, compute);
  Value result = mul(x.b, index, bound("step", 1, compute));
  x.give(add(x.b, result, bound("start", 0, compute)));
}

/// start, start + step ... below end.
static void arangeOp(OpLowering &x) {
  std::optional<Size> first = wholeBound(x, "start", 0);
  std::optional<Size> last = wholeBound(x, "end", 0);
  std::optional<Size> stride = wholeBound(x, "step", 1);
  if (!first || !last || !stride)
    return arangeOfFloats(x);
  RankedTensorType type = x.resultType();
  Type element = type.getElementType();
  Size start = *first, end = *last, step = *stride;
  Size count = 0;
  Size span = sub(x.b, end, start);
  if (ShapedType::isStatic(type.getDimSize(0)))
    count = type.getDimSize(0);
  else if (step.isStatic() && step.getStatic() < 0)
    count = maximum(x.b, ceilDiv(x.b, sub(x.b, 0, span), -step.getStatic()), 0);
  else
    count = maximum(x.b, ceilDiv(x.b, span, step), 0);
  // Sizes are not negative where they come from the program's inputs.
  if (!count.isStatic() && start.is(0) && step.is(1))
    count = end;
  Type compute =
      isa<mlir::FloatType>(element) ? Type(x.b.getI64Type()) : element;
  Value result = iota(x.b, {count}, 0, compute);
  if (!step.is(1))
    result = mul(x.b, result, convert(x.b, step.materialize(x.b), compute));
  if (!start.is(0))
    result = add(x.b, result, convert(x.b, start.materialize(x.b), compute));
  x.give(result);
}

static void linspaceOp(OpLowering &x) {
  RankedTensorType type = x.resultType();
  Type element = computeType(type.getElementType());
  if (!isa<mlir::FloatType>(element))
    element = x.b.getF64Type();
  int64_t steps = x.integer("steps");
  double start = x.number("start"), end = x.number("end");
  double step = steps > 1 ? (end - start) / double(steps - 1) : 0;
  Value index = iota(x.b, {steps}, 0, element);
  // From the nearer end, as PyTorch does it, so that both ends are exact.
  Value rest = sub(x.b, full(x.b, {steps}, element, double(steps - 1)), index);
  Value up = add(x.b, mul(x.b, index, step), start);
  Value down = sub(x.b, full(x.b, {steps}, element, end), mul(x.b, rest, step));
  Value first = compare(x.b, Direction::LT, index, double(steps / 2));
  x.give(select(x.b, first, up, down));
}

static void eyeOp(OpLowering &x) {
  Size rows = x.size("n");
  Size columns = x.has("m") ? x.size("m") : rows;
  Sizes sizes = {rows, columns};
  Type i64 = x.b.getI64Type();
  x.give(compare(x.b, Direction::EQ, iota(x.b, sizes, 0, i64),
                 iota(x.b, sizes, 1, i64)));
}

/// Positions of the triangle's elements, known sizes only.
template <bool upper> static void triangleIndicesOp(OpLowering &x) {
  int64_t rows = x.integer("row"), columns = x.integer("col");
  int64_t offset = x.integer("offset");
  SmallVector<int64_t> first, second;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      if (upper ? j - i >= offset : j - i <= offset) {
        first.push_back(i);
        second.push_back(j);
      }
  x.give(stack(x.b, {constantI64(x.b, first), constantI64(x.b, second)}, 0));
}

/// Assertions hold in programs that are exported.
static void nothingOp(OpLowering &) {}

static const LoweringEntry entries[] = {
    {"aten.clone", convertOp},
    {"aten.contiguous", convertOp},
    {"aten.alias", convertOp},
    {"aten.alias_copy", convertOp},
    {"aten.detach", convertOp},
    {"aten.detach_copy", convertOp},
    {"aten.lift_fresh_copy", convertOp},
    {"aten.lift_fresh", convertOp},
    {"aten._to_copy", convertOp},
    {"aten.to.dtype", convertOp},
    {"aten.to.dtype_layout", convertOp},
    {"aten.to.device", convertOp},
    {"aten.to.other", convertOp},
    {"aten.type_as", convertOp},
    {"aten._autocast_to_reduced_precision", convertOp},
    {"aten.dropout", convertOp},
    {"aten.feature_dropout", convertOp},
    {"prims.convert_element_type", convertOp},
    {"prims.device_put", convertOp},
    {"aten.resolve_conj", convertOp},
    {"aten.resolve_neg", convertOp},
    {"aten.copy", copyOp},
    {"aten.full", fullOp},
    {"aten.new_full", fullOp},
    {"aten.full_like", fullLikeOp},
    {"aten.zeros", filledOp<0>},
    {"aten.ones", filledOp<1>},
    {"aten.new_zeros", filledOp<0>},
    {"aten.new_ones", filledOp<1>},
    {"aten.zeros_like", filledLikeOp<0>},
    {"aten.ones_like", filledLikeOp<1>},
    {"aten.empty.memory_format", filledOp<0>},
    {"aten.empty_strided", filledOp<0>},
    {"aten.new_empty", filledOp<0>},
    {"aten.new_empty_strided", filledOp<0>},
    {"aten.empty_like", filledLikeOp<0>},
    {"aten.empty_permuted", filledOp<0>},
    {"aten.fill.Scalar", fillOp},
    {"aten.fill.Tensor", fillOp},
    {"aten.scalar_tensor", scalarTensorOp},
    {"aten.tensor.float", scalarTensorOp},
    {"aten.tensor.int", scalarTensorOp},
    {"aten.tensor.bool", scalarTensorOp},
    {"prim.NumToTensor.Scalar", scalarTensorOp},
    {"prim.NumToTensor.bool", scalarTensorOp},
    {"aten.arange", arangeOp},
    {"aten.arange.start", arangeOp},
    {"aten.arange.start_step", arangeOp},
    {"aten.linspace", linspaceOp},
    {"aten.eye", eyeOp},
    {"aten.eye.m", eyeOp},
    {"aten.triu_indices", triangleIndicesOp<true>},
    {"aten.tril_indices", triangleIndicesOp<false>},
    {"aten._assert_tensor_metadata", nothingOp},
    {"aten._assert_scalar", nothingOp},
    {"aten._assert_async", nothingOp},
    {"aten._assert_async.msg", nothingOp},
    {"aten.sym_constrain_range", nothingOp},
    {"aten.sym_constrain_range_for_size", nothingOp},
};

void torch::addCreationLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
