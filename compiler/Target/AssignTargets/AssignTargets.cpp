#include "compiler/Target/AssignTargets/AssignTargets.h"
#include "compiler/Target/Target.h"

namespace ferrule {
#define GEN_PASS_DEF_ASSIGNTARGETS
#include "compiler/Target/AssignTargets/AssignTargets.h.inc"
} // namespace ferrule

using namespace mlir;

namespace {
struct AssignTargets : ferrule::impl::AssignTargetsBase<AssignTargets> {
  using AssignTargetsBase::AssignTargetsBase;
  void runOnOperation() override {
    const ferrule::Target *found = ferrule::findTarget(target);
    if (!found) {
      getOperation().emitError("unknown target '")
          << target << "', expected one of " << ferrule::listTargets();
      return signalPassFailure();
    }
    if (failed(ferrule::assignTargets(getOperation(), *found)))
      signalPassFailure();
  }
};
} // namespace
