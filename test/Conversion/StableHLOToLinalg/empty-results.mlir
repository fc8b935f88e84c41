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
