#ifndef FERRULE_CONVERSION_STABLEHLOTOLINALG_SPECIALFUNCTIONS_H
#define FERRULE_CONVERSION_STABLEHLOTOLINALG_SPECIALFUNCTIONS_H

#include "compiler/Conversion/StableHLOToLinalg/ScalarFormula.h"
#include "compiler/Conversion/StableHLOToLinalg/Scalars.h"

namespace ferrule::lowering {

/// Whether `name` (of `@ferrule.<name>`) is a function computed here.
bool isSpecialFunction(llvm::StringRef name);

/// Functions of the gamma family, on f64.
Formula lgammaOf(Formula x);
Formula digammaOf(Formula x);
Formula zetaOf(Formula s, Formula q);
Formula polygammaOf(Formula n, Formula x);

/// Emits it for float scalars.
mlir::Value emitSpecialFunction(ScalarContext &c, llvm::StringRef name);

} // namespace ferrule::lowering

#endif // FERRULE_CONVERSION_STABLEHLOTOLINALG_SPECIALFUNCTIONS_H
