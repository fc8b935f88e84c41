// RUN: ferrule-opt %s --convert-stablehlo-to-linalg --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @row_max
// CHECK: linalg.fill
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK: arith.maximumf
func.func @row_max(%x: tensor<4x?xf32>, %init: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.maximum across dimensions = [1] : (tensor<4x?xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @max_pool
// CHECK: tensor.pad
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]
func.func @max_pool(%x: tensor<1x4x9x9xf32>, %init: tensor<f32>) -> tensor<1x4x5x5xf32> {
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>, padding = dense<[[0, 0], [0, 0], [1, 1], [1, 1]]> : tensor<4x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<1x4x9x9xf32>, tensor<f32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// CHECK-LABEL: @running_sum
// CHECK: ferrule.scan
// CHECK-SAME: dimension = 1
func.func @running_sum(%x: tensor<4x8xf32>, %init: tensor<f32>) -> tensor<4x8xf32> {
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 1, 8>, padding = dense<[[0, 0], [7, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The second out is the sort's working space.
// CHECK-LABEL: @sort
// CHECK: %[[S:.*]]:2 = ferrule.sort ins(%arg0 : tensor<4x?xi32>) outs(%{{.*}}, %{{.*}} : tensor<4x?xi32>, tensor<4x?xi32>)
// CHECK: arith.cmpi ult
// CHECK: return %[[S]]#0
func.func @sort(%x: tensor<4x?xui32>) -> tensor<4x?xui32> {
  %0 = "stablehlo.sort"(%x) <{dimension = -1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %m = stablehlo.compare LT, %a, %b : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }) : (tensor<4x?xui32>) -> tensor<4x?xui32>
  return %0 : tensor<4x?xui32>
}
