// Artifacts of JAX programs for consumers of versions 0.9.0, 0.14.0 and 1.0.0.
// RUN: ferrule-translate %S/Inputs/while-0.9.0.mlirbc | FileCheck %s --check-prefix=WHILE
// RUN: ferrule-translate %S/Inputs/while-0.14.0.mlirbc | FileCheck %s --check-prefix=WHILE
// RUN: ferrule-translate %S/Inputs/while-1.0.0.mlirbc | FileCheck %s --check-prefix=WHILE
// RUN: ferrule-translate %S/Inputs/sort-0.9.0.mlirbc | FileCheck %s --check-prefix=SORT
// RUN: ferrule-translate %S/Inputs/sort-0.14.0.mlirbc | FileCheck %s --check-prefix=SORT
// RUN: ferrule-translate %S/Inputs/sort-1.0.0.mlirbc | FileCheck %s --check-prefix=SORT
// RUN: ferrule-translate %S/Inputs/maxpool-0.9.0.mlirbc | FileCheck %s --check-prefix=POOL
// RUN: ferrule-translate %S/Inputs/maxpool-0.14.0.mlirbc | FileCheck %s --check-prefix=POOL
// RUN: ferrule-translate %S/Inputs/maxpool-1.0.0.mlirbc | FileCheck %s --check-prefix=POOL
// RUN: ferrule-translate %S/Inputs/scatteradd-0.9.0.mlirbc | FileCheck %s --check-prefix=SCATTER
// RUN: ferrule-translate %S/Inputs/scatteradd-0.14.0.mlirbc | FileCheck %s --check-prefix=SCATTER
// RUN: ferrule-translate %S/Inputs/scatteradd-1.0.0.mlirbc | FileCheck %s --check-prefix=SCATTER

// WHILE: stablehlo.while(%iterArg = %{{.*}}, %iterArg_{{.}} = %arg0) : tensor<i32>, tensor<3x4xf32>
// WHILE: stablehlo.compare LT, %iterArg, %{{.*}}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>

// SORT: "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
// SORT: stablehlo.compare LT, %{{.*}}, %{{.*}}, TOTALORDER

// POOL: "stablehlo.reduce_window"(%arg0, %{{.*}}) <{
// POOL-SAME: window_dimensions = array<i64: 1, 2, 2, 1>
// POOL: stablehlo.maximum

// SCATTER: "stablehlo.scatter"(%arg0, %{{.*}}) <{
// SCATTER-SAME: scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
