#include "compiler/CAPI/include/ferrule/dialects.h"
#include "compiler/Dialect/Byre/IR/Byre.h"
#include "compiler/Dialect/CHLO/IR/CHLO.h"
#include "compiler/Dialect/Check/IR/Check.h"
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Dialect/Torch/IR/Torch.h"
#include "mlir/CAPI/Registration.h"

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Byre, byre, ferrule::byre::ByreDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(CHLO, chlo, ferrule::chlo::CHLODialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Check, check,
                                      ferrule::check::CheckDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Ferrule, ferrule,
                                      ferrule::ext::FerruleDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(StableHLO, stablehlo,
                                      ferrule::stablehlo::StableHLODialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Torch, torch,
                                      ferrule::torch::TorchDialect)
