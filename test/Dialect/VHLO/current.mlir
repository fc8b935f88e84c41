// Artifacts that StableHLO's own serialiser made; two of the programs beside
// which they are checked.
// RUN: ferrule-translate %S/Inputs/elementwise-1.17.0.mlirbc | FileCheck %S/../StableHLO/elementwise.mlir
// RUN: ferrule-translate %S/Inputs/shape-1.17.0.mlirbc | FileCheck %S/../StableHLO/shape.mlir
// RUN: ferrule-translate %S/Inputs/contraction-1.17.0.mlirbc | FileCheck %s --check-prefix=PRODUCT
// RUN: ferrule-translate %S/Inputs/regions-1.17.0.mlirbc | FileCheck %s --check-prefix=REGION

// PRODUCT: stablehlo.dot_general %arg2, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
// PRODUCT: stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = {{\[\[}}1, 1], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}
// PRODUCT: stablehlo.fft %arg1, type = RFFT, length = [16]
// PRODUCT: stablehlo.rng_bit_generator %arg4, algorithm = THREE_FRY

// REGION: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1]
// REGION: stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<i32>, tensor<f32>
// REGION: stablehlo.custom_call @"my-t"(%arg0) {api_version = 4 : i32, backend_config = {k = 1 : i64}, has_side_effect = true}
// REGION: stablehlo.composite "chlo.erf" %arg0 {decomposition = @erf.impl, version = 1 : i32}
// REGION: func.func private @erf.impl
// REGION: "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}>
// REGION: "stablehlo.scatter"
// REGION: "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}>
