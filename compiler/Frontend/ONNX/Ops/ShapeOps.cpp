// Sizes as values, and tensors made from sizes.
#include "compiler/Frontend/ONNX/GraphImporter.h"
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Reshape.h"
#include <cmath>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

static LogicalResult importShape(NodeContext &op) {
  Value x = op.input(0);
  int64_t rank = rankOf(x);
  int64_t start = op.intAttr("start", 0), end = op.intAttr("end", rank);
  auto clip = [&](int64_t i) {
    return std::clamp<int64_t>(i < 0 ? i + rank : i, 0, rank);
  };
  start = clip(start);
  end = std::max(start, clip(end));
  Sizes sizes;
  for (int64_t i = start; i < end; ++i)
    sizes.push_back(sizeOf(op.b, x, i));
  return op.result(fromElements(op.b, sizes, op.b.getI64Type(), 1));
}

static LogicalResult importSize(NodeContext &op) {
  Size count = numElements(op.b, op.input(0));
  return op.result(fromElements(op.b, {count}, op.b.getI64Type(), 0));
}

/// A tensor of one value; a constant when its sizes are known.
static Value filled(HloBuilder &b, DenseElementsAttr value,
                    ArrayRef<Size> sizes) {
  Type element = value.getElementType();
  auto scalarType = RankedTensorType::get({}, element);
  if (allStatic(sizes)) {
    auto type = RankedTensorType::get(staticShape(sizes), element);
    return constant(
        b,
        value.reshape(RankedTensorType::get({1}, element)).resizeSplat(type));
  }
  return fill(b, constant(b, value.reshape(scalarType)), sizes);
}

static LogicalResult importConstantOfShape(NodeContext &op) {
  auto sizes = sizesInput(op, 0, "shape");
  if (failed(sizes))
    return failure();
  auto f32 = RankedTensorType::get({1}, op.b.getF32Type());
  DenseElementsAttr value = DenseElementsAttr::get(f32, 0.0f);
  if (op.hasAttr("value")) {
    Value given = op.tensorAttr("value");
    if (!given)
      return failure();
    value = dyn_cast<DenseElementsAttr>(constantAttr(given));
    if (!value || value.getNumElements() != 1)
      return op.error() << "found value of type " << given.getType()
                        << ", expected one element";
  }
  return op.result(filled(op.b, value, *sizes));
}

static LogicalResult importConstant(NodeContext &op) {
  HloBuilder &b = op.b;
  if (op.hasAttr("value")) {
    Value value = op.tensorAttr("value");
    return value ? op.result(value) : failure();
  }
  auto vector = [&](int64_t size, Type element) {
    return RankedTensorType::get({size}, element);
  };
  if (const NodeAttribute *attr = op.attribute("value_int"))
    return op.result(scalarInt(b, b.getI64Type(), attr->i));
  if (const NodeAttribute *attr = op.attribute("value_float"))
    return op.result(scalar(b, b.getF32Type(), attr->f));
  if (const NodeAttribute *attr = op.attribute("value_ints"))
    return op.result(constantI64(b, attr->ints));
  if (const NodeAttribute *attr = op.attribute("value_floats"))
    return op.result(constant(
        b, DenseElementsAttr::get(vector(attr->floats.size(), b.getF32Type()),
                                  ArrayRef<float>(attr->floats))));
  if (const NodeAttribute *attr = op.attribute("sparse_value")) {
    std::string error;
    Value value =
        attr->sparse ? op.importer.importSparse(*attr->sparse, error) : Value();
    if (!value)
      return op.error() << "attribute 'sparse_value': " << error;
    return op.result(value);
  }
  return op.error() << "found no value of a supported type, expected a number "
                       "or tensor";
}

/// The number of elements of start, start + delta ... below limit.
static FailureOr<Size> rangeCount(NodeContext &op, Value start, Value limit,
                                  Value delta) {
  HloBuilder &b = op.b;
  if (isa<IntegerType>(elementOf(start))) {
    Size from = toSize(b, start), to = toSize(b, limit),
         step = toSize(b, delta);
    if (!step.isStatic() || step.is(0))
      return op.error() << "found a delta that is zero or computed at run "
                           "time, expected a constant";
    int64_t stride = step.getStatic();
    Size span =
        stride > 0 ? frontend::sub(b, to, from) : frontend::sub(b, from, to);
    Size count = frontend::ceilDiv(b, span, std::abs(stride));
    bool isSize = count.isStatic() || from.is(0);
    return count.isStatic() || !isSize ? frontend::maximum(b, count, 0) : count;
  }
  auto f = constantNumber(start), t = constantNumber(limit),
       s = constantNumber(delta);
  if (f && t && s)
    return Size(std::max<int64_t>(0, std::ceil((*t - *f) / *s)));
  Value count = frontend::ceil(b, div(b, sub(b, limit, start), delta));
  return frontend::maximum(b, toSize(b, convert(b, count, b.getI64Type())), 0);
}

static LogicalResult importRange(NodeContext &op) {
  HloBuilder &b = op.b;
  SmallVector<Value> bounds;
  for (Value value : op.inputs()) {
    if (typeOf(value).hasStaticShape() && typeOf(value).getNumElements() != 1)
      return op.error() << "found a bound of type " << value.getType()
                        << ", expected a scalar";
    bounds.push_back(frontend::reshape(b, value, {}));
  }
  if (bounds.size() != 3)
    return op.error() << "found " << bounds.size() << " inputs, expected 3";
  auto count = rangeCount(op, bounds[0], bounds[1], bounds[2]);
  if (failed(count))
    return failure();
  Type element = elementOf(bounds[0]);
  if (count->isStatic() && count->getStatic() <= 16 && areSmall(bounds)) {
    Size start = toSize(b, bounds[0]), step = toSize(b, bounds[2]);
    Sizes values;
    for (int64_t i = 0; i < count->getStatic(); ++i)
      values.push_back(frontend::add(b, start, frontend::mul(b, step, i)));
    return op.result(fromElements(b, values, element, 1));
  }
  Value values = iota(b, {*count}, 0, element);
  auto delta = constantNumber(bounds[2]), start = constantNumber(bounds[0]);
  if (!delta || *delta != 1)
    values = mul(b, values, fill(b, bounds[2], {*count}));
  if (!start || *start != 0)
    values = add(b, values, fill(b, bounds[0], {*count}));
  return op.result(values);
}

static LogicalResult importEyeLike(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  Type element = elementOf(x);
  if (op.hasAttr("dtype"))
    element = op.elementType(op.intAttr("dtype", 0));
  if (!element)
    return failure();
  Sizes sizes = sizesOf(b, x);
  if (sizes.size() != 2)
    return op.error() << "found rank " << sizes.size() << ", expected 2";
  Value row = iota(b, sizes, 0, b.getI64Type());
  Value column = iota(b, sizes, 1, b.getI64Type());
  row = add(b, row, double(op.intAttr("k", 0)));
  return op.result(convert(b, compare(b, Direction::EQ, row, column), element));
}

void ferrule::onnx::registerShapeOps(Registry &r) {
  r.add("Shape", importShape);
  r.add("Size", importSize);
  r.add("ConstantOfShape", importConstantOfShape);
  r.add("Constant", importConstant);
  r.add("Range", importRange);
  r.add("EyeLike", importEyeLike);
}
