// All operations, by family.
#ifndef FERRULE_STABLEHLO_OPS
#define FERRULE_STABLEHLO_OPS

include "StableHLOOpsElementwise.td"
include "StableHLOOpsShape.td"
include "StableHLOOpsDynamic.td"
include "StableHLOOpsContraction.td"
include "StableHLOOpsReduction.td"
include "StableHLOOpsIndexing.td"
include "StableHLOOpsControlFlow.td"
include "StableHLOOpsNumeric.td"
include "StableHLOOpsCollective.td"

#endif // FERRULE_STABLEHLO_OPS
