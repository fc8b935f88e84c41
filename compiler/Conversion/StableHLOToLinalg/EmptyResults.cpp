// Computations of no element: tensors with a static size of 0.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"

using namespace mlir;

namespace ferrule::lowering {

static bool isEmpty(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && llvm::is_contained(tensor.getShape(), 0);
}

void removeEmptyComputations(Operation *root) {
  SmallVector<Operation *> empty;
  root->walk([&](DestinationStyleOpInterface op) {
    if (op->getNumResults() && llvm::all_of(op->getResultTypes(), isEmpty))
      empty.push_back(op);
  });
  for (Operation *op : empty) {
    OpBuilder b(op);
    auto inits = cast<DestinationStyleOpInterface>(op).getDpsInits();
    SmallVector<Value> results;
    for (auto [result, init] : llvm::zip(op->getResults(), inits)) {
      SmallVector<OpFoldResult> sizes =
          tensor::getMixedSizes(b, op->getLoc(), init);
      Type element = getElementTypeOrSelf(result.getType());
      results.push_back(
          tensor::EmptyOp::create(b, op->getLoc(), sizes, element));
    }
    op->replaceAllUsesWith(results);
    op->erase();
  }
}

} // namespace ferrule::lowering
