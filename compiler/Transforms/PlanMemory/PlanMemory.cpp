// The pass, lifetimes and the layout of the arena.
#include "compiler/Transforms/PlanMemory/PlanMemory.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

namespace ferrule {
#define GEN_PASS_DEF_PLANMEMORY
#include "compiler/Transforms/PlanMemory/PlanMemory.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;
using namespace ferrule::byre;

static constexpr int64_t kAlignment = 64;

/// The offset of the smallest gap between buffers in use that holds `bytes`.
/// `placed` is sorted by offset and holds only buffers with common steps.
static int64_t findBestGap(ArrayRef<const PlannedBuffer *> placed,
                           int64_t bytes) {
  int64_t best = -1, bestGap = 0, end = 0;
  for (const PlannedBuffer *buffer : placed) {
    int64_t gap = buffer->offset - end;
    if (gap >= bytes && (best < 0 || gap < bestGap)) {
      best = end;
      bestGap = gap;
    }
    end = std::max<int64_t>(
        end, llvm::alignTo(buffer->offset + buffer->bytes, kAlignment));
  }
  return best < 0 ? end : best;
}

int64_t ferrule::assignOffsets(MutableArrayRef<PlannedBuffer> buffers) {
  SmallVector<PlannedBuffer *> order;
  for (PlannedBuffer &buffer : buffers)
    order.push_back(&buffer);
  llvm::stable_sort(order, [](PlannedBuffer *a, PlannedBuffer *b) {
    return a->bytes != b->bytes ? a->bytes > b->bytes : a->begin < b->begin;
  });
  SmallVector<PlannedBuffer *> placed;
  int64_t arena = 0;
  for (PlannedBuffer *buffer : order) {
    SmallVector<const PlannedBuffer *> together;
    for (PlannedBuffer *other : placed)
      if (other->begin < buffer->end && buffer->begin < other->end)
        together.push_back(other);
    buffer->offset = findBestGap(together, buffer->bytes);
    int64_t end = llvm::alignTo(buffer->offset + buffer->bytes, kAlignment);
    arena = std::max(arena, end);
    auto position = llvm::upper_bound(placed, buffer,
                                      [](PlannedBuffer *a, PlannedBuffer *b) {
                                        return a->offset < b->offset;
                                      });
    placed.insert(position, buffer);
  }
  return arena;
}

/// The free of a buffer in the block of its alloc, or null.
static FreeOp findFree(AllocOp alloc) {
  for (Operation *user : alloc.getResult().getUsers())
    if (auto free = dyn_cast<FreeOp>(user))
      if (free->getBlock() == alloc->getBlock())
        return free;
  return {};
}

LogicalResult ferrule::planMemory(func::FuncOp function) {
  // A step is an operation in program order. A buffer that is allocated and
  // freed in one block lives between the two steps, those of regions in between
  // included, in whatever turn of a surrounding loop.
  DenseMap<Operation *, int64_t> steps;
  SmallVector<std::pair<AllocOp, FreeOp>> found;
  bool stored = true;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    steps[op] = steps.size();
    auto alloc = dyn_cast<AllocOp>(op);
    if (!alloc || alloc.getOffset() || alloc.getOutput() ||
        !alloc.getType().hasStaticShape())
      return;
    if (FreeOp free = findFree(alloc))
      found.emplace_back(alloc, free);
  });
  SmallVector<PlannedBuffer> buffers;
  int64_t total = 0;
  for (auto [alloc, free] : found) {
    FailureOr<int64_t> bytes = getBufferBytes(alloc.getType());
    if (failed(bytes)) {
      alloc.emitOpError("expected elements that a program can store, found ")
          << alloc.getType().getElementType();
      stored = false;
      continue;
    }
    total += *bytes;
    buffers.push_back(
        {std::max<int64_t>(*bytes, 1), steps[alloc], steps[free], 0});
  }
  if (!stored)
    return failure();
  int64_t arena = assignOffsets(buffers);
  Builder builder(function.getContext());
  for (auto [pair, buffer] : llvm::zip_equal(found, buffers)) {
    pair.first.setOffsetAttr(builder.getI64IntegerAttr(buffer.offset));
    pair.second.erase();
  }
  function->setAttr(kArenaAttr, builder.getI64IntegerAttr(arena));
  remark::analysis(function.getLoc(),
                   remark::RemarkOpts::name("arena").category("plan-memory"))
      << remark::metric("buffers", found.size())
      << remark::metric("bytes", total) << remark::metric("arena", arena);
  return success();
}

namespace {
class PlanMemory : public ferrule::impl::PlanMemoryBase<PlanMemory> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (isKernel(function) || function.isDeclaration())
        continue;
      hoistCarriedBuffers(function);
      if (failed(planMemory(function)))
        return signalPassFailure();
    }
  }
};
} // namespace
