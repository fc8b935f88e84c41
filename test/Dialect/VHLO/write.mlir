// Text -> artifact -> text, in the version of today and in old ones.
// RUN: ferrule-translate %S/../StableHLO/elementwise.mlir --serialize | ferrule-translate --deserialize | FileCheck %S/../StableHLO/elementwise.mlir
// RUN: ferrule-translate %S/../StableHLO/shape.mlir --serialize | ferrule-translate | FileCheck %S/../StableHLO/shape.mlir
// RUN: ferrule-translate %S/../StableHLO/shape.mlir --serialize --target=1.0.0 | ferrule-translate | FileCheck %S/../StableHLO/shape.mlir
// RUN: ferrule-translate %S/Inputs/contraction-1.17.0.mlirbc --to=artifact --target=1.6.0 | ferrule-translate | FileCheck %S/current.mlir --check-prefix=PRODUCT
// RUN: ferrule-translate %S/Inputs/regions-1.17.0.mlirbc --to=artifact | ferrule-translate | FileCheck %S/current.mlir --check-prefix=REGION
// RUN: ferrule-translate %S/Inputs/scatteradd-0.9.0.mlirbc --serialize --target=1.0.0 | ferrule-translate | FileCheck %S/old-versions.mlir --check-prefix=SCATTER
// RUN: not ferrule-translate %S/../StableHLO/shape.mlir --serialize --target=0.19.0 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not ferrule-translate %S/../StableHLO/shape.mlir --serialize --target=x 2>&1 | FileCheck %s --check-prefix=NONE

// OLD: found version 0.19.0, expected one from 1.0.0 to 1.20.0 for a portable artifact
// NONE: found version 'x', expected one like 1.0.0, or current
