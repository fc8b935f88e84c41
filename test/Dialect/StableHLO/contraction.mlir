// RUN: ferrule-opt %s | ferrule-opt | FileCheck %s
// RUN: ferrule-opt %s --emit-bytecode | ferrule-opt | FileCheck %s

func.func @dot(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<5x2x3xf32>, %d: tensor<5x3x2xf32>) {
  // CHECK: %{{[^ ,()]+}} = stablehlo.dot %{{[^ ,()]+}}, %{{[^ ,()]+}}, precision = [DEFAULT, HIGH] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %0 = stablehlo.dot %a, %b, precision = [DEFAULT, HIGH] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.dot %{{[^ ,()]+}}, %{{[^ ,()]+}} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.dot_general %{{[^ ,()]+}}, %{{[^ ,()]+}}, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.dot_general %{{[^ ,()]+}}, %{{[^ ,()]+}}, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<5x2x3xf32>, tensor<5x3x2xf32>) -> tensor<5x2x2xf32>
  %3 = stablehlo.dot_general %c, %d, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<5x2x3xf32>, tensor<5x3x2xf32>) -> tensor<5x2x2xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.dot_general %{{[^ ,()]+}}, %{{[^ ,()]+}}, contracting_dims = [] x [] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3x3x4xf32>
  %4 = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3x3x4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.einsum %{{[^ ,()]+}}, %{{[^ ,()]+}}, config = "ab,bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %5 = stablehlo.einsum %a, %b, config = "ab,bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.unary_einsum %{{[^ ,()]+}}, config = "ab->a" : (tensor<2x3xf32>) -> tensor<2xf32>
  %6 = stablehlo.unary_einsum %a, config = "ab->a" : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

func.func @convolution(%x: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x16xf32>, %v: tensor<1x3xf32>, %w: tensor<3x5xf32>) {
  // CHECK: %{{[^ ,()]+}} = stablehlo.convolution(%{{[^ ,()]+}}, %{{[^ ,()]+}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = {{\[\[}}1, 1], [0, 0{{\]\]}}, rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x4x2x16xf32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [0, 0]], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x4x2x16xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.convolution(%{{[^ ,()]+}}, %{{[^ ,()]+}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.convolution(%{{[^ ,()]+}}, %{{[^ ,()]+}}) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3xf32>, tensor<3x5xf32>) -> tensor<1x5xf32>
  %2 = stablehlo.convolution(%v, %w) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3xf32>, tensor<3x5xf32>) -> tensor<1x5xf32>
  return
}

func.func @numeric(%m: tensor<2x2xf32>, %x: tensor<16xf32>, %a: tensor<f32>, %s: tensor<2xi64>, %g: tensor<2xui64>) {
  // CHECK: %{{[^ ,()]+}} = stablehlo.cholesky %{{[^ ,()]+}}, lower = true : tensor<2x2xf32>
  %0 = stablehlo.cholesky %m, lower = true : tensor<2x2xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.cholesky %{{[^ ,()]+}} : tensor<2x2xf32>
  %1 = stablehlo.cholesky %m : tensor<2x2xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.fft %{{[^ ,()]+}}, type = RFFT, length = [16] : (tensor<16xf32>) -> tensor<9xcomplex<f32>>
  %2 = stablehlo.fft %x, type = RFFT, length = [16] : (tensor<16xf32>) -> tensor<9xcomplex<f32>>
  // CHECK: %{{[^ ,()]+}} = stablehlo.rng %{{[^ ,()]+}}, %{{[^ ,()]+}}, %{{[^ ,()]+}}, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x3xf32>
  %3 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x3xf32>
  // CHECK: %{{[^ ,()]+}}, %{{[^ ,()]+}} = stablehlo.rng_bit_generator %{{[^ ,()]+}}, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %4, %5 = stablehlo.rng_bit_generator %g, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  // CHECK: %{{[^ ,()]+}} = "stablehlo.triangular_solve"(%{{[^ ,()]+}}, %{{[^ ,()]+}}) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %6 = "stablehlo.triangular_solve"(%m, %m) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}
