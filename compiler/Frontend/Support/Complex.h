// Complex values and their parts.
#ifndef FERRULE_FRONTEND_SUPPORT_COMPLEX_H
#define FERRULE_FRONTEND_SUPPORT_COMPLEX_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

bool isComplex(mlir::Value x);
/// The element type of the parts of x.
mlir::Type partElement(mlir::Value x);
/// The parts of a complex value; those of a real one are itself and zeros.
mlir::Value realPart(HloBuilder &b, mlir::Value x);
mlir::Value imaginaryPart(HloBuilder &b, mlir::Value x);
/// The conjugate, for real elements the value itself.
mlir::Value conjugate(HloBuilder &b, mlir::Value x);
/// The real values as elements of a type, complex or real.
mlir::Value asElement(HloBuilder &b, mlir::Value re, mlir::Type element);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_COMPLEX_H
