// Loops whose results may be collected over the iterations.
#ifndef FERRULE_COMPILER_FRONTEND_ONNX_LOOPS_H
#define FERRULE_COMPILER_FRONTEND_ONNX_LOOPS_H

#include "compiler/Frontend/ONNX/NodeContext.h"

namespace ferrule::onnx {

struct LoopStep {
  /// Whether to go on (tensor<i1>); null: always.
  mlir::Value condition;
  llvm::SmallVector<mlir::Value> carried;
  /// Values of this iteration to be stacked along a new first dimension.
  llvm::SmallVector<mlir::Value> collected;
};

struct LoopOutcome {
  llvm::SmallVector<mlir::Value> carried, collected;
};

using LoopBody = llvm::function_ref<mlir::FailureOr<LoopStep>(
    mlir::Value iteration, mlir::ValueRange carried)>;

/// Emits a stablehlo.while of at most `trips` iterations (no limit when there
/// is none), not begun when `condition` (may be null) is false. Sizes of
/// carried values that change become unknown. `body` builds one iteration at
/// `op.b`'s insertion point, and may be called more than once.
mlir::FailureOr<LoopOutcome> emitLoop(NodeContext &op,
                                      std::optional<frontend::Size> trips,
                                      mlir::Value condition,
                                      mlir::ValueRange initial, LoopBody body);

/// `value` with its type made less precise: every size that `type` leaves
/// open is unknown afterwards.
mlir::Value relaxType(frontend::HloBuilder &b, mlir::Value value,
                      mlir::RankedTensorType type);

/// The most precise type that both have; null when ranks or elements differ.
mlir::RankedTensorType joinTypes(mlir::Type x, mlir::Type y);

} // namespace ferrule::onnx

#endif // FERRULE_COMPILER_FRONTEND_ONNX_LOOPS_H
