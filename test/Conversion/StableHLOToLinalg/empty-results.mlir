// RUN: ferrule-opt %s --convert-stablehlo-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @elementwise
// CHECK-NOT: linalg
// CHECK: return %{{.*}} : tensor<0x3xf32>
func.func @elementwise(%x: tensor<0x3xf32>) -> tensor<0x3xf32> {
  %0 = stablehlo.sine %x : tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}

// The sum of no element is an element.
// CHECK-LABEL: func.func @reduction
// CHECK: linalg.fill
func.func @reduction(%x: tensor<0x3xf32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @slice
// CHECK-NOT: extract_slice
// CHECK: return %{{.*}} : tensor<0x1xf32>
func.func @slice(%x: tensor<0x3xf32>) -> tensor<0x1xf32> {
  %0 = stablehlo.slice %x [0:0, 1:2] : (tensor<0x3xf32>) -> tensor<0x1xf32>
  return %0 : tensor<0x1xf32>
}

// CHECK-LABEL: func.func @pad_of_nothing
// CHECK-NOT: tensor.pad
// CHECK: linalg.fill
func.func @pad_of_nothing(%x: tensor<0x3xf32>) -> tensor<2x3xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.pad %x, %one, low = [2, 0], high = [0, 0], interior = [0, 0]
      : (tensor<0x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @pad_stays_empty
// CHECK-NOT: tensor.pad
// CHECK: return %{{.*}} : tensor<0x5xf32>
func.func @pad_stays_empty(%x: tensor<0x3xf32>) -> tensor<0x5xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.pad %x, %one, low = [0, 2], high = [0, 0], interior = [0, 0]
      : (tensor<0x3xf32>, tensor<f32>) -> tensor<0x5xf32>
  return %0 : tensor<0x5xf32>
}

// CHECK-LABEL: func.func @reduction_of_unknown_width
// CHECK: linalg.fill
// CHECK-NOT: linalg.generic
func.func @reduction_of_unknown_width(%x: tensor<0x?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<0x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
