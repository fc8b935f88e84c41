#include "compiler/Conversion/FerruleToLoops/FerruleToLoops.h"
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"

namespace ferrule {
#define GEN_PASS_DEF_CONVERTFERRULETOLOOPS
#include "compiler/Conversion/FerruleToLoops/FerruleToLoops.h.inc"
} // namespace ferrule

using namespace mlir;

namespace {

struct ConvertFerruleToLoops
    : ferrule::impl::ConvertFerruleToLoopsBase<ConvertFerruleToLoops> {
  void runOnOperation() override {
    SmallVector<ferrule::ext::LowerToLoopsOpInterface> ops;
    getOperation()->walk(
        [&](ferrule::ext::LowerToLoopsOpInterface op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (auto op : ops)
      if (failed(ferrule::ext::lowerToLoops(rewriter, op)))
        return signalPassFailure();
  }
};

} // namespace
