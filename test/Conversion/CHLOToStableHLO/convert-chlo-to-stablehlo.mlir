// RUN: ferrule-opt %s --convert-chlo-to-stablehlo | FileCheck %s

// CHECK-LABEL: @function
// CHECK: stablehlo.custom_call @ferrule.erf(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
func.func @function(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @call_of_an_older_producer
// CHECK: stablehlo.custom_call @ferrule.erf(%arg0)
func.func @call_of_an_older_producer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @mhlo.erf(%x) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @static_broadcast
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
// CHECK: stablehlo.add %arg0, %[[B]]
func.func @static_broadcast(%x: tensor<3x4xf32>, %y: tensor<4xf32>) -> tensor<3x4xf32> {
  %0 = chlo.broadcast_add %x, %y : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: @dynamic_broadcast
// CHECK: stablehlo.compare EQ
// CHECK: stablehlo.select
// CHECK-COUNT-2: stablehlo.dynamic_broadcast_in_dim
// CHECK: stablehlo.multiply
func.func @dynamic_broadcast(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = chlo.broadcast_multiply %x, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: @complex_function
// CHECK-NOT: chlo
// CHECK: stablehlo.log
func.func @complex_function(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = chlo.asinh %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: @largest
// CHECK: stablehlo.custom_call @ferrule.top_k(%arg0) : (tensor<2x9xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
func.func @largest(%x: tensor<2x9xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %v, %i = chlo.top_k(%x, k = 3) : tensor<2x9xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %v, %i : tensor<2x3xf32>, tensor<2x3xi32>
}
