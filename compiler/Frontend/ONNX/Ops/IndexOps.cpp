// Reading and writing at computed places; sorting.
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/Scan.h"
#include "compiler/Frontend/Support/Sort.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// Indices with negative ones counted from the end.
static Value wrapped(HloBuilder &b, Value indices, Size size) {
  if (auto known = onnx::constantInts(indices, 1 << 16))
    if (llvm::all_of(*known, [](int64_t i) { return i >= 0; }))
      return indices;
  return wrapNegative(b, indices, size);
}

/// Gather on lists whose elements are known one by one; null otherwise.
static Value gatherKnown(HloBuilder &b, Value x, Value indices) {
  auto places = onnx::constantInts(indices, 64);
  if (!places || rankOf(x) != 1 || rankOf(indices) > 1 ||
      !typeOf(x).hasStaticShape())
    return {};
  int64_t size = typeOf(x).getNumElements();
  for (int64_t &place : *places) {
    place = place < 0 ? place + size : place;
    if (place < 0 || place >= size)
      return {};
  }
  if (isSmall(x) && places->size() <= 16) {
    Sizes all = elementsOf(b, x), result;
    for (int64_t place : *places)
      result.push_back(all[place]);
    return fromElements(b, result, elementOf(x), rankOf(indices));
  }
  auto attr = dyn_cast_or_null<DenseElementsAttr>(constantAttr(x));
  if (!attr || size > 64)
    return {};
  SmallVector<mlir::Attribute> all(attr.getValues<mlir::Attribute>()), result;
  for (int64_t place : *places)
    result.push_back(all[place]);
  return constant(
      b, DenseElementsAttr::get(
             RankedTensorType::get(typeOf(indices).getShape(), elementOf(x)),
             result));
}

static LogicalResult importGather(NodeContext &op) {
  Value x = op.input(0), indices = op.input(1);
  auto axis = op.axis(op.intAttr("axis", 0), rankOf(x));
  if (failed(axis))
    return failure();
  if (Value known = gatherKnown(op.b, x, indices))
    return op.result(known);
  // One constant place is a slice.
  if (rankOf(indices) == 0 && onnx::constantInts(indices))
    return op.result(selectIndex(op.b, x, *axis, toSize(op.b, indices)));
  indices = wrapped(op.b, indices, sizeOf(op.b, x, *axis));
  return op.result(take(op.b, x, indices, *axis));
}

static LogicalResult importGatherElements(NodeContext &op) {
  Value x = op.input(0), indices = op.input(1);
  auto axis = op.axis(op.intAttr("axis", 0), rankOf(x));
  if (failed(axis))
    return failure();
  indices = wrapped(op.b, indices, sizeOf(op.b, x, *axis));
  return op.result(gatherElements(op.b, x, indices, *axis));
}

/// Index tuples in the last dimension, each wrapped by its own size.
static FailureOr<Value> wrappedTuples(NodeContext &op, Value x, Value indices,
                                      int64_t batchDims) {
  HloBuilder &b = op.b;
  int64_t width = typeOf(indices).getShape().back();
  if (ShapedType::isDynamic(width) || width + batchDims > rankOf(x))
    return op.error() << "found indices " << typeOf(indices) << " for "
                      << typeOf(x)
                      << ", expected a static last size of at most the rank";
  if (auto known = onnx::constantInts(indices, 1 << 16))
    if (llvm::all_of(*known, [](int64_t i) { return i >= 0; }))
      return indices;
  Sizes sizes = sizesOf(b, x);
  Value limits = shapeTensor(b, ArrayRef(sizes).slice(batchDims, width));
  limits = convert(b, limits, elementOf(indices));
  Value below = compare(b, Direction::LT, indices, 0.0);
  return select(b, below, add(b, indices, limits), indices);
}

static LogicalResult importGatherND(NodeContext &op) {
  Value x = op.input(0);
  int64_t batchDims = op.intAttr("batch_dims", 0);
  auto indices = wrappedTuples(op, x, op.input(1), batchDims);
  if (failed(indices))
    return failure();
  return op.result(gatherND(op.b, x, *indices, batchDims));
}

static FailureOr<Combine> combination(NodeContext &op) {
  StringRef name = op.stringAttr("reduction", "none");
  auto found = llvm::StringSwitch<std::optional<Combine>>(name)
                   .Case("none", Combine::Replace)
                   .Case("add", Combine::Add)
                   .Case("mul", Combine::Multiply)
                   .Case("min", Combine::Minimum)
                   .Case("max", Combine::Maximum)
                   .Default(std::nullopt);
  if (!found)
    return op.error() << "found reduction '" << name
                      << "', expected none, add, mul, min or max";
  return *found;
}

static LogicalResult importScatterElements(NodeContext &op) {
  Value x = op.input(0), indices = op.input(1);
  auto axis = op.axis(op.intAttr("axis", 0), rankOf(x));
  auto combine = combination(op);
  if (failed(axis) || failed(combine))
    return failure();
  indices = wrapped(op.b, indices, sizeOf(op.b, x, *axis));
  return op.result(
      scatterElements(op.b, x, indices, op.input(2), *axis, *combine));
}

static LogicalResult importScatterND(NodeContext &op) {
  Value x = op.input(0);
  auto combine = combination(op);
  auto indices = wrappedTuples(op, x, op.input(1), 0);
  if (failed(combine) || failed(indices))
    return failure();
  return op.result(scatterND(op.b, x, *indices, op.input(2), *combine));
}

static LogicalResult importTopK(NodeContext &op) {
  Value x = op.input(0);
  auto axis = op.axis(op.intAttr("axis", -1), rankOf(x));
  if (failed(axis))
    return failure();
  Size k = op.opset < 10 ? Size(op.intAttr("k", 1)) : Size(1);
  if (op.opset >= 10) {
    auto given = sizeInput(op, 1, "k");
    if (failed(given))
      return failure();
    k = *given;
  }
  auto [values, indices] =
      topK(op.b, x, k, *axis, op.intAttr("largest", 1) != 0);
  op.set(0, values);
  op.set(1, indices);
  return success();
}

static LogicalResult importOneHot(NodeContext &op) {
  HloBuilder &b = op.b;
  Value indices = op.input(0), values = op.input(2);
  Value depthValue = frontend::reshape(b, op.input(1), {});
  if (auto number = constantNumber(depthValue))
    depthValue = scalarInt(b, b.getI64Type(), int64_t(*number));
  Size depth = toSize(b, depthValue);
  auto axis = op.axis(op.intAttr("axis", -1), rankOf(indices) + 1);
  if (failed(axis))
    return failure();
  indices = convert(b, indices, b.getI64Type());
  indices = wrapped(b, indices, depth);
  Value off = selectIndex(b, values, 0, 0), on = selectIndex(b, values, 0, 1);
  return op.result(oneHot(b, indices, depth, on, off, *axis));
}

static FailureOr<int64_t> scanAxis(NodeContext &op) {
  auto axis = onnx::constantInts(op.input(1));
  if (!axis || axis->size() != 1)
    return op.error() << "found an axis computed at run time, expected a "
                         "constant";
  return op.axis(axis->front(), rankOf(op.input(0)));
}

static LogicalResult importCumSum(NodeContext &op) {
  auto axis = scanAxis(op);
  if (failed(axis))
    return failure();
  return op.result(cumulativeSum(op.b, op.input(0), *axis,
                                 op.intAttr("exclusive", 0),
                                 op.intAttr("reverse", 0)));
}

static LogicalResult importCumProd(NodeContext &op) {
  auto axis = scanAxis(op);
  if (failed(axis))
    return failure();
  return op.result(cumulativeProduct(op.b, op.input(0), *axis,
                                     op.intAttr("exclusive", 0),
                                     op.intAttr("reverse", 0)));
}

static LogicalResult importTrilu(NodeContext &op) {
  Size offset = 0;
  if (op.has(1)) {
    auto given = sizeInput(op, 1, "k");
    if (failed(given))
      return failure();
    offset = *given;
  }
  return op.result(triangle(op.b, op.input(0), op.intAttr("upper", 1), offset));
}

/// Each sequence's first `length` elements in reverse order, the rest kept.
static LogicalResult importReverseSequence(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  auto batch = op.axis(op.intAttr("batch_axis", 1), rankOf(x));
  auto time = op.axis(op.intAttr("time_axis", 0), rankOf(x));
  if (failed(batch) || failed(time))
    return failure();
  Sizes sizes = sizesOf(b, x);
  Value lengths = convert(b, op.input(1), b.getI64Type());
  lengths = broadcastInDim(b, lengths, sizes, {*batch});
  Value position = iota(b, sizes, *time, b.getI64Type());
  Value mirrored = sub(b, sub(b, lengths, 1.0), position);
  Value inside = compare(b, Direction::LT, position, lengths);
  return op.result(
      gatherElements(b, x, select(b, inside, mirrored, position), *time));
}

void ferrule::onnx::registerIndexOps(Registry &r) {
  r.add("Gather", importGather);
  r.add("GatherElements", importGatherElements);
  r.add("GatherND", importGatherND);
  r.add("Scatter", importScatterElements);
  r.add("ScatterElements", importScatterElements);
  r.add("ScatterND", importScatterND);
  r.add("TopK", importTopK);
  r.add("OneHot", importOneHot);
  r.add("CumSum", importCumSum);
  r.add("CumProd", importCumProd);
  r.add("Trilu", importTrilu);
  r.add("ReverseSequence", importReverseSequence);
}
