#ifndef FERRULE_CONVERSION_TORCHTOSTABLEHLO_TORCHTOSTABLEHLO_H
#define FERRULE_CONVERSION_TORCHTOSTABLEHLO_TORCHTOSTABLEHLO_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Conversion/TorchToStableHLO/TorchToStableHLO.h.inc"

/// Lowers all functions of the module. On failure, which is reported at the
/// ops, functions may be half lowered.
mlir::LogicalResult convertTorchToStableHLO(mlir::ModuleOp module);

/// The names of the operators that can be lowered ("aten.add.Tensor"), sorted.
llvm::SmallVector<llvm::StringRef> getLoweredTorchOps();

} // namespace ferrule

#endif // FERRULE_CONVERSION_TORCHTOSTABLEHLO_TORCHTOSTABLEHLO_H
