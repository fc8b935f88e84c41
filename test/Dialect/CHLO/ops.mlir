// RUN: ferrule-opt %s | ferrule-opt | FileCheck %s
// RUN: ferrule-opt %s --emit-bytecode | ferrule-opt | FileCheck %s

func.func @f(%x: tensor<5xf32>, %z: tensor<f32>, %g: tensor<2xi32>, %w: tensor<2x3x5xf32>, %l: tensor<4x3xf32>, %d: tensor<?xf32>) {
  // CHECK: %{{[^ ,()]+}} = chlo.erf %{{[^ ,()]+}} : tensor<5xf32> -> tensor<5xf32>
  %0 = chlo.erf %x : tensor<5xf32> -> tensor<5xf32>
  // CHECK: %{{[^ ,()]+}} = chlo.next_after %{{[^ ,()]+}}, %{{[^ ,()]+}} : tensor<5xf32>, tensor<5xf32> -> tensor<5xf32>
  %1 = chlo.next_after %x, %x : tensor<5xf32>, tensor<5xf32> -> tensor<5xf32>
  // CHECK: %{{[^ ,()]+}} = chlo.broadcast_add %{{[^ ,()]+}}, %{{[^ ,()]+}} {broadcast_dimensions = array<i64>} : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %2 = chlo.broadcast_add %x, %z {broadcast_dimensions = array<i64>} : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  // CHECK: %{{[^ ,()]+}}, %{{[^ ,()]+}} = chlo.top_k(%{{[^ ,()]+}}, k = 5) : tensor<5xf32> -> (tensor<5xf32>, tensor<5xi32>)
  %v, %i = chlo.top_k(%x, k = 5) : tensor<5xf32> -> (tensor<5xf32>, tensor<5xi32>)
  // CHECK: %{{[^ ,()]+}} = "chlo.ragged_dot"(%{{[^ ,()]+}}, %{{[^ ,()]+}}, %{{[^ ,()]+}}) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x3xf32>, tensor<2x3x5xf32>, tensor<2xi32>) -> tensor<4x5xf32>
  %3 = "chlo.ragged_dot"(%l, %w, %g) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x3xf32>, tensor<2x3x5xf32>, tensor<2xi32>) -> tensor<4x5xf32>
  // CHECK: %{{.*}}:2 = chlo.scan(%{{[^ ,()]+}}) inits (%{{[^ ,()]+}}) dimension=0  {
  %out, %carry = chlo.scan(%x) inits(%z) dimension=0 {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // CHECK: %{{[^ ,()]+}} = stablehlo.add %{{[^ ,()]+}}, %{{[^ ,()]+}} : tensor<f32>
    %s = stablehlo.add %a, %b : tensor<f32>
    // CHECK: stablehlo.return %{{[^ ,()]+}}, %{{[^ ,()]+}} : tensor<f32>, tensor<f32>
    stablehlo.return %s, %s : tensor<f32>, tensor<f32>
  } : (tensor<5xf32>, tensor<f32>) -> (tensor<5xf32>, tensor<f32>)
  // CHECK: %{{[^ ,()]+}} = "chlo.constant_like"(%{{[^ ,()]+}}) <{value = 1.000000e+00 : f32}> : (tensor<?xf32>) -> tensor<?xf32>
  %5 = "chlo.constant_like"(%d) <{value = 1.000000e+00 : f32}> : (tensor<?xf32>) -> tensor<?xf32>
  // CHECK: %{{[^ ,()]+}} = chlo.constant dense<[1, 2]> : tensor<2xi32>
  %6 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK: %{{[^ ,()]+}} = chlo.broadcast_compare %{{[^ ,()]+}}, %{{[^ ,()]+}} {compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<5xf32>, tensor<f32>) -> tensor<5xi1>
  %7 = chlo.broadcast_compare %x, %z {compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<5xf32>, tensor<f32>) -> tensor<5xi1>
  // CHECK: %{{[^ ,()]+}} = chlo.is_inf %{{[^ ,()]+}} : tensor<5xf32> -> tensor<5xi1>
  %8 = chlo.is_inf %x : tensor<5xf32> -> tensor<5xi1>
  return
}
