// RUN: ferrule-opt %s --convert-stablehlo-to-tosa -split-input-file | FileCheck %s
// RUN: ferrule-opt %s --stablehlo-legalize-to-tosa -split-input-file | FileCheck %s

// CHECK-LABEL: @product
func.func @product(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  // CHECK: %[[A:.*]] = tosa.reshape %arg0, %{{.*}} -> tensor<1x4x8xf32>
  // CHECK: %[[B:.*]] = tosa.reshape %arg1, %{{.*}} -> tensor<1x8x2xf32>
  // CHECK: tosa.matmul %[[A]], %[[B]], {{.*}} -> tensor<1x4x2xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// Rounding towards zero is spelt out; dynamic sizes are fine elementwise.
// CHECK-LABEL: @truncated
func.func @truncated(%x: tensor<?xf32>) -> tensor<?xi32> {
  // CHECK: tosa.ceil
  // CHECK: tosa.floor
  // CHECK: tosa.select
  // CHECK: tosa.cast %{{.*}} : (tensor<?xf32>) -> tensor<?xi32>
  %0 = stablehlo.convert %x : (tensor<?xf32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

// CHECK-LABEL: @bytes
func.func @bytes(%x: tensor<4xi8>, %y: tensor<4xi8>) -> tensor<4xi8> {
  // CHECK: tosa.add {{.*}} -> tensor<4xi32>
  // CHECK: tosa.cast {{.*}} -> tensor<4xi8>
  %0 = stablehlo.add %x, %y : tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// The last row that no window reaches is cut off.
// CHECK-LABEL: @convolution
func.func @convolution(%x: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x4xf32>) -> tensor<1x3x3x4xf32> {
  // CHECK: tosa.transpose %arg1 {perms = array<i32: 3, 0, 1, 2>}
  // CHECK: tosa.slice %arg0, {{.*}} -> tensor<1x7x7x3xf32>
  // CHECK: tosa.conv2d {{.*}}stride = array<i64: 2, 2>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  return %0 : tensor<1x3x3x4xf32>
}

// -----

// CHECK-LABEL: @reduced
func.func @reduced(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  // CHECK: tosa.reduce_max %arg0 {axis = 1 : i32}
  // CHECK: tosa.maximum
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: @gathered
func.func @gathered(%x: tensor<5x4xf32>, %i: tensor<3x1xi64>) -> tensor<3x4xf32> {
  // CHECK: tosa.maximum
  // CHECK: tosa.minimum
  // CHECK: tosa.gather {{.*}} : (tensor<1x5x4xf32>, tensor<1x3xi32>) -> tensor<1x3x4xf32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<3x1xi64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// CHECK-LABEL: @stays
func.func @stays(%x: tensor<4xf64>, %n: tensor<4xui8>) -> (tensor<4xf64>, tensor<4xui8>) {
  // CHECK: stablehlo.add
  // CHECK: stablehlo.maximum
  %0 = stablehlo.add %x, %x : tensor<4xf64>
  %1 = stablehlo.maximum %n, %n : tensor<4xui8>
  return %0, %1 : tensor<4xf64>, tensor<4xui8>
}
