// Types of MLIR and of the file.
#ifndef FERRULE_COMPILER_EXPORT_ELEMENTTYPES_H
#define FERRULE_COMPILER_EXPORT_ELEMENTTYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "runtime/format/program_generated.h"
#include <optional>

namespace ferrule {

/// The file's name of an element type; index is i64.
std::optional<format::ElementType> convertElementType(mlir::Type type);

/// The signless type of IR; null for those that IR has no type for.
mlir::Type convertElementType(format::ElementType type,
                              mlir::MLIRContext *context);

/// The register that holds a scalar: integers of 8 to 64 bits and index in
/// I64, sign-extended; f16 and bf16 in F32.
std::optional<format::ScalarType> convertScalarType(mlir::Type type);
mlir::Type convertScalarType(format::ScalarType type,
                             mlir::MLIRContext *context);

} // namespace ferrule

#endif // FERRULE_COMPILER_EXPORT_ELEMENTTYPES_H
