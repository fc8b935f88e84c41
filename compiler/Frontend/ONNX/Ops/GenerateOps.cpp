// Tensors made from numbers alone.
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include <cmath>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// a - b cos(2 pi i / n) + c cos(4 pi i / n), n the size or (not periodic) one
/// less.
static LogicalResult cosineWindow(NodeContext &op, double a, double b1,
                                  double c) {
  HloBuilder &b = op.b;
  Type element = op.elementType(op.intAttr("output_datatype", 1));
  auto given = sizeInput(op, 0, "size");
  if (!element || failed(given))
    return failure();
  Size size = *given;
  Value index = iota(b, {size}, 0, b.getF32Type());
  Size period = op.intAttr("periodic", 1) ? size : frontend::sub(b, size, 1);
  Value n = convert(b, period.materialize(b), b.getF32Type());
  Value angle = div(b, mul(b, index, 2 * M_PI), n);
  Value first = mul(b, frontend::cos(b, angle), -b1);
  Value result = add(b, first, a);
  if (c != 0)
    result = add(b, result, mul(b, frontend::cos(b, mul(b, angle, 2.0)), c));
  return op.result(convert(b, result, element));
}

static LogicalResult importHannWindow(NodeContext &op) {
  return cosineWindow(op, 0.5, 0.5, 0);
}

static LogicalResult importHammingWindow(NodeContext &op) {
  return cosineWindow(op, 25.0 / 46, 21.0 / 46, 0);
}

static LogicalResult importBlackmanWindow(NodeContext &op) {
  return cosineWindow(op, 0.42, 0.5, 0.08);
}

void ferrule::onnx::registerGenerateOps(Registry &r) {
  r.add("HannWindow", importHannWindow);
  r.add("HammingWindow", importHammingWindow);
  r.add("BlackmanWindow", importBlackmanWindow);
}
