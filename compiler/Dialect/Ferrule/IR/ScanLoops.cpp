// ferrule.scan as loops: the accumulators are carried along every row.
#include "compiler/Dialect/Ferrule/IR/FerruleLoops.h"

using namespace mlir;
using namespace ferrule::ext;

LogicalResult ScanOp::emitLoops(RewriterBase &rewriter) {
  LoopBuilder b(getLoc(), rewriter);
  size_t n = getOutputs().size();
  ValueRange inputs = getInputs().take_front(n);
  ValueRange inits = getInputs().drop_front(n);
  int64_t d = getDimension();
  b.loopOver(inputs.front(), getBatchDims(*this), [&](SmallVector<Value> at) {
    Value size = b.dim(inputs.front(), d);
    SmallVector<Value> start;
    for (Value init : inits)
      start.push_back(b.load(init, {}));
    b.loop(b.index(0), size, start, [&](Value i, ValueRange accumulators) {
      at[d] = i;
      if (getReverse())
        at[d] = b.sub(b.sub(size, b.index(1)), i);
      SmallVector<Value> arguments(accumulators);
      for (Value input : inputs)
        arguments.push_back(b.load(input, at));
      SmallVector<Value> next = b.inlineBlock(getRegion(), arguments);
      for (auto [k, out] : llvm::enumerate(getOutputs()))
        b.store(getExclusive() ? accumulators[k] : next[k], out, at);
      return next;
    });
  });
  return success();
}
