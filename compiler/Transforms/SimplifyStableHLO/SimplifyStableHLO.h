#ifndef FERRULE_TRANSFORMS_SIMPLIFYSTABLEHLO_SIMPLIFYSTABLEHLO_H
#define FERRULE_TRANSFORMS_SIMPLIFYSTABLEHLO_SIMPLIFYSTABLEHLO_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/SimplifyStableHLO/SimplifyStableHLO.h.inc"

/// All rewrites of the pass, for other passes that simplify as they go.
void populateSimplifyStableHLOPatterns(mlir::RewritePatternSet &patterns);

// The parts of the above, each in the file of its name.
void populateFoldConstantsPatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyShapesPatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyArithmeticPatterns(mlir::RewritePatternSet &patterns);
void populateStaticFormsPatterns(mlir::RewritePatternSet &patterns);
void populateSimplifySizesPatterns(mlir::RewritePatternSet &patterns);
void populateRefineTypesPatterns(mlir::RewritePatternSet &patterns);
void populateSimplifyControlFlowPatterns(mlir::RewritePatternSet &patterns);

/// Largest number of elements that is computed here; larger constants are
/// evaluated by compiling them.
inline constexpr int64_t kSmallConstant = 64;

/// The value of a constant operand, null when it is none.
mlir::DenseElementsAttr matchConstant(mlir::Value value);
/// The same as integers, sign- or zero-extended as the type says; nothing
/// when the value is no constant of at most kSmallConstant integers.
std::optional<llvm::SmallVector<int64_t>> matchIntegers(mlir::Value value);
/// Entries of a vector of sizes that are known, the others dynamic. Sees
/// through concatenations, reshapes and conversions. Nothing when not even
/// the length is known.
std::optional<llvm::SmallVector<int64_t>> matchSizes(mlir::Value vector);

/// Replaces `op` by a value of a compatible type, with a cast when the types
/// differ.
void replaceWithCast(mlir::PatternRewriter &rewriter, mlir::Operation *op,
                     mlir::Value value);

} // namespace ferrule

#endif // FERRULE_TRANSFORMS_SIMPLIFYSTABLEHLO_SIMPLIFYSTABLEHLO_H
