// RUN: ferrule-opt %s | ferrule-opt | FileCheck %s
// RUN: ferrule-opt %s --emit-bytecode | ferrule-opt | FileCheck %s

func.func @move(%x: tensor<2x3xf32>, %y: tensor<3x8xf32>, %v: tensor<f32>, %i: tensor<i64>, %d: tensor<4x?xf32>, %n: tensor<i32>) {
  // CHECK: %{{[^ ,()]+}} = stablehlo.reshape %{{[^ ,()]+}} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.transpose %{{[^ ,()]+}}, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.reverse %{{[^ ,()]+}}, dims = [0] : tensor<2x3xf32>
  %2 = stablehlo.reverse %x, dims = [0] : tensor<2x3xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.broadcast %{{[^ ,()]+}}, sizes = [2] : (tensor<2x3xf32>) -> tensor<2x2x3xf32>
  %3 = stablehlo.broadcast %x, sizes = [2] : (tensor<2x3xf32>) -> tensor<2x2x3xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.broadcast_in_dim %{{[^ ,()]+}}, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
  %4 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.slice %{{[^ ,()]+}} [1:3, 4:8:2] : (tensor<3x8xf32>) -> tensor<2x2xf32>
  %5 = stablehlo.slice %y [1:3, 4:8:2] : (tensor<3x8xf32>) -> tensor<2x2xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.dynamic_slice %{{[^ ,()]+}}, %{{[^ ,()]+}}, %{{[^ ,()]+}}, sizes = [1, 4] : (tensor<3x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>
  %6 = stablehlo.dynamic_slice %y, %i, %i, sizes = [1, 4] : (tensor<3x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.dynamic_update_slice %{{[^ ,()]+}}, %{{[^ ,()]+}}, %{{[^ ,()]+}}, %{{[^ ,()]+}} : (tensor<3x8xf32>, tensor<1x4xf32>, tensor<i64>, tensor<i64>) -> tensor<3x8xf32>
  %7 = stablehlo.dynamic_update_slice %y, %6, %i, %i : (tensor<3x8xf32>, tensor<1x4xf32>, tensor<i64>, tensor<i64>) -> tensor<3x8xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.concatenate %{{[^ ,()]+}}, %{{[^ ,()]+}}, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  %8 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.pad %{{[^ ,()]+}}, %{{[^ ,()]+}}, low = [4, 0], high = [-1, 0], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x5xf32>
  %9 = stablehlo.pad %x, %v, low = [4, 0], high = [-1, 0], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x5xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.get_dimension_size %{{[^ ,()]+}}, dim = 1 : (tensor<4x?xf32>) -> tensor<i32>
  %10 = stablehlo.get_dimension_size %d, dim = 1 : (tensor<4x?xf32>) -> tensor<i32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.set_dimension_size %{{[^ ,()]+}}, %{{[^ ,()]+}}, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
  %11 = stablehlo.set_dimension_size %x, %n, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
  // CHECK: %{{[^ ,()]+}} = stablehlo.slice %{{[^ ,()]+}} [] : (tensor<f32>) -> tensor<f32>
  %12 = stablehlo.slice %v [] : (tensor<f32>) -> tensor<f32>
  return
}

func.func @dynamic(%x: tensor<?x4xf32>, %v: tensor<f32>, %s: tensor<3xi32>, %n: tensor<2xi64>, %j: tensor<2xindex>) {
  // CHECK: %{{[^ ,()]+}} = stablehlo.dynamic_broadcast_in_dim %{{[^ ,()]+}}, %{{[^ ,()]+}}, dims = [1, 2] : (tensor<?x4xf32>, tensor<3xi32>) -> tensor<1x?x4xf32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1, 2] : (tensor<?x4xf32>, tensor<3xi32>) -> tensor<1x?x4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.dynamic_broadcast_in_dim %{{[^ ,()]+}}, %{{[^ ,()]+}}, dims = [1, 2] {known_expanding_dimensions = array<i64: 1>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<?x4xf32>, tensor<3xi32>) -> tensor<1x?x4xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1, 2] {known_expanding_dimensions = array<i64: 1>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<?x4xf32>, tensor<3xi32>) -> tensor<1x?x4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.dynamic_reshape %{{[^ ,()]+}}, %{{[^ ,()]+}} : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x2xf32>
  %2 = stablehlo.dynamic_reshape %x, %j : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x2xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.dynamic_pad %{{[^ ,()]+}}, %{{[^ ,()]+}}, %{{[^ ,()]+}}, %{{[^ ,()]+}}, %{{[^ ,()]+}} : (tensor<?x4xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %3 = stablehlo.dynamic_pad %x, %v, %n, %n, %n : (tensor<?x4xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.real_dynamic_slice %{{[^ ,()]+}}, %{{[^ ,()]+}}, %{{[^ ,()]+}}, %{{[^ ,()]+}} : (tensor<?x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %4 = stablehlo.real_dynamic_slice %x, %n, %n, %n : (tensor<?x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

func.func @values(%a: tensor<i32>, %b: tensor<f32>, %t: !stablehlo.token) {
  // CHECK: %{{[^ ,()]+}} = stablehlo.tuple %{{[^ ,()]+}}, %{{[^ ,()]+}} : tuple<tensor<i32>, tensor<f32>>
  %0 = stablehlo.tuple %a, %b : tuple<tensor<i32>, tensor<f32>>
  // CHECK: %{{[^ ,()]+}} = stablehlo.get_tuple_element %{{[^ ,()]+}}[1] : (tuple<tensor<i32>, tensor<f32>>) -> tensor<f32>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<i32>, tensor<f32>>) -> tensor<f32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.after_all %{{[^ ,()]+}}, %{{[^ ,()]+}} : !stablehlo.token
  %2 = stablehlo.after_all %t, %t : !stablehlo.token
  // CHECK: %{{[^ ,()]+}} = stablehlo.create_token : !stablehlo.token
  %3 = stablehlo.create_token : !stablehlo.token
  // CHECK: %{{[^ ,()]+}} = stablehlo.replica_id : tensor<ui32>
  %4 = stablehlo.replica_id : tensor<ui32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.partition_id : tensor<ui32>
  %5 = stablehlo.partition_id : tensor<ui32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.optimization_barrier %{{[^ ,()]+}}, %{{[^ ,()]+}} : tensor<f32>, tensor<i32>
  %6:2 = stablehlo.optimization_barrier %b, %a : tensor<f32>, tensor<i32>
  // CHECK: stablehlo.optimization_barrier()
  stablehlo.optimization_barrier()
  return
}
