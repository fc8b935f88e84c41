/* Ferrule's dialects for users of MLIR's own C API, in libferrule_compiler.so:
 *   mlirDialectHandleRegisterDialect(mlirGetDialectHandle__stablehlo__(), ctx);
 */
#ifndef FERRULE_DIALECTS_H
#define FERRULE_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Byre, byre);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(CHLO, chlo);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Check, check);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Ferrule, ferrule);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(StableHLO, stablehlo);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Torch, torch);

#ifdef __cplusplus
}
#endif

#endif /* FERRULE_DIALECTS_H */
