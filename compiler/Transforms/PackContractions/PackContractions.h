// Stores constant weights of contractions in panels.
#ifndef FERRULE_TRANSFORMS_PACKCONTRACTIONS_H
#define FERRULE_TRANSFORMS_PACKCONTRACTIONS_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Transforms/PackContractions/PackContractions.h.inc"

/// Contraction with a constant right side -> generic on packed panels of
/// `panel` columns.
void populatePackContractionsPatterns(mlir::RewritePatternSet &patterns,
                                      int64_t panel);

} // namespace ferrule

#endif // FERRULE_TRANSFORMS_PACKCONTRACTIONS_H
