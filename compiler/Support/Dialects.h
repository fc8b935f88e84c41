// Registers the dialects, interfaces and passes of the compiler, singly:
// MLIR's registerAll* functions pull in far more than Ferrule uses.
#ifndef FERRULE_COMPILER_SUPPORT_DIALECTS_H
#define FERRULE_COMPILER_SUPPORT_DIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ferrule {

/// Adds every dialect that some stage may hold, with the external models
/// (tiling, bufferization, value bounds, inlining) that the passes ask for.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace ferrule

#endif // FERRULE_COMPILER_SUPPORT_DIALECTS_H
