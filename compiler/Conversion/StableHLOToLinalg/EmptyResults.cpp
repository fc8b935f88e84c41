// Computations of no element: tensors with a static size of 0.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"

using namespace mlir;

namespace ferrule::lowering {

static bool isEmpty(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && llvm::is_contained(tensor.getShape(), 0);
}

/// Ops that compute or move elements. Their verifiers ask of slices that each
/// offset names an element, which none does in an empty dimension.
static bool movesElements(Operation *op) {
  return isa<DestinationStyleOpInterface, tensor::PadOp, tensor::ExtractSliceOp,
             tensor::InsertSliceOp, tensor::GenerateOp>(op);
}

static SmallVector<OpFoldResult> sizesOfResult(OpBuilder &b, OpResult result) {
  Operation *op = result.getOwner();
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return tensor::getMixedSizes(
        b, op->getLoc(), destination.getDpsInits()[result.getResultNumber()]);
  auto type = cast<RankedTensorType>(result.getType());
  if (type.hasStaticShape())
    return getAsIndexOpFoldResult(b.getContext(), type.getShape());
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    if (slice.getSourceType().getRank() == type.getRank())
      return slice.getMixedSizes();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return tensor::getMixedSizes(b, op->getLoc(), insert.getDest());
  ReifiedRankedShapedTypeDims shapes;
  if (failed(reifyResultShapes(b, op, shapes)))
    return {};
  return shapes[result.getResultNumber()];
}

static void replaceByEmpty(Operation *op) {
  OpBuilder b(op);
  SmallVector<Value> results;
  for (OpResult result : op->getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<OpFoldResult> sizes = sizesOfResult(b, result);
    if (int64_t(sizes.size()) != type.getRank())
      return;
    Value empty =
        tensor::EmptyOp::create(b, op->getLoc(), sizes, type.getElementType());
    if (empty.getType() != type)
      empty = tensor::CastOp::create(b, op->getLoc(), type, empty);
    results.push_back(empty);
  }
  op->replaceAllUsesWith(results);
  op->erase();
}

/// Nothing put into a tensor leaves it as it is; nothing padded is padding.
static void replaceEmptySource(Operation *op) {
  OpBuilder b(op);
  Value result;
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    result = insert.getDest();
  } else if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value padding = pad.getConstantPaddingValue();
    SmallVector<OpFoldResult> sizes = sizesOfResult(b, pad->getResult(0));
    if (!padding || sizes.empty())
      return;
    Value empty =
        tensor::EmptyOp::create(b, op->getLoc(), sizes, padding.getType());
    result =
        linalg::FillOp::create(b, op->getLoc(), padding, empty).getResult(0);
    if (result.getType() != pad.getType())
      result = tensor::CastOp::create(b, op->getLoc(), pad.getType(), result);
  }
  op->replaceAllUsesWith(ValueRange(result));
  op->erase();
}

/// Whether a loop runs over nothing, so that the results are the destinations
/// as they were.
static bool hasEmptyLoop(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.hasPureTensorSemantics() &&
         llvm::is_contained(linalgOp.getStaticLoopRanges(), 0);
}

void removeEmptyComputations(Operation *root) {
  SmallVector<Operation *> empty, emptySource, emptyLoop;
  root->walk([&](Operation *op) {
    if (movesElements(op) && op->getNumResults() &&
        llvm::all_of(op->getResultTypes(), isEmpty))
      empty.push_back(op);
    else if (isa<tensor::InsertSliceOp, tensor::PadOp>(op) &&
             isEmpty(op->getOperand(0).getType()))
      emptySource.push_back(op);
    else if (hasEmptyLoop(op))
      emptyLoop.push_back(op);
  });
  for (Operation *op : emptyLoop) {
    op->replaceAllUsesWith(cast<linalg::LinalgOp>(op).getDpsInits());
    op->erase();
  }
  for (Operation *op : empty)
    replaceByEmpty(op);
  for (Operation *op : emptySource)
    replaceEmptySource(op);
}

} // namespace ferrule::lowering
