#include "compiler/Frontend/ONNX/OldOpsets.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// `y` with sizes of 1 behind, so that its first dimension meets dimension
/// `axis` of a tensor of rank `rank`.
static LogicalResult alignFrom(NodeContext &op, Value y, int64_t axis,
                               int64_t rank) {
  if (axis < 0)
    axis += rank;
  int64_t behind = rank - axis - rankOf(y);
  if (axis < 0 || behind < 0)
    return op.error() << "found axis " << axis << " for operands of rank "
                      << rank << " and " << rankOf(y)
                      << ", expected the second one inside the first one";
  Sizes sizes = sizesOf(op.b, y);
  sizes.append(behind, Size(1));
  op.replaceInput(1, frontend::reshape(op.b, y, sizes));
  return success();
}

LogicalResult ferrule::onnx::adaptOldInputs(NodeContext &op) {
  Value x = op.input(0), y = op.input(1);
  if (!x || !y)
    return success();
  if (op.type() == "PRelu" && rankOf(y) == 1 && rankOf(x) > 1)
    return alignFrom(op, y, 1, rankOf(x));
  if (op.intAttr("broadcast", 0) && op.hasAttr("axis") && op.type() != "Gemm")
    return alignFrom(op, y, op.intAttr("axis", 0), rankOf(x));
  return success();
}
