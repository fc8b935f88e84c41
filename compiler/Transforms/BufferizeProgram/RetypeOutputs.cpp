// Outputs are allocated with the type that the function returns.
#include "compiler/Transforms/BufferizeProgram/ProgramBufferizer.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::byre;

/// alloc output : T0, ..., view T0 to T1, return T1 ->
/// alloc output : T1, view T1 to T0, ...
///
/// A result that is a reshape of what its kernel writes is still written in
/// place. When a size of the returned type is only known after the allocation,
/// the buffer stays a temporary and is copied.
void ferrule::retypeOutputs(func::FuncOp function) {
  auto returned = cast<func::ReturnOp>(function.getBody().front().getTerminator());
  DominanceInfo dominance(function);
  OpBuilder builder(function);
  SmallVector<AllocOp> outputs;
  function.walk([&](AllocOp op) {
    if (op.getOutput())
      outputs.push_back(op);
  });
  for (AllocOp alloc : outputs) {
    OpOperand &use = returned->getOpOperand(*alloc.getOutput());
    auto type = cast<MemRefType>(use.get().getType());
    if (type == alloc.getType())
      continue;
    SmallVector<Value> sizes;
    if (auto view = use.get().getDefiningOp<ViewOp>())
      sizes = view.getSizes();
    bool early = static_cast<int64_t>(sizes.size()) == type.getNumDynamicDims() &&
                 llvm::all_of(sizes, [&](Value size) {
                   return dominance.properlyDominates(size, alloc);
                 });
    if (!early) {
      builder.setInsertionPoint(returned);
      auto output = AllocOp::create(builder, alloc.getLoc(), type, sizes,
                                    IntegerAttr(), alloc.getOutputAttr());
      CopyOp::create(builder, alloc.getLoc(), use.get(), output);
      use.set(output);
      alloc.removeOutputAttr();
      FreeOp::create(builder, alloc.getLoc(), alloc);
      continue;
    }
    builder.setInsertionPoint(alloc);
    auto output = AllocOp::create(builder, alloc.getLoc(), type, sizes,
                                  IntegerAttr(), alloc.getOutputAttr());
    auto view = ViewOp::create(builder, alloc.getLoc(), alloc.getType(), output,
                               /*at=*/0, /*plus=*/Value(), alloc.getSizes());
    use.set(output);
    alloc.replaceAllUsesWith(view.getResult());
    alloc.erase();
  }
}
