// The reference prints a second comma here, which it does not read again.
// RUN: ferrule-opt %s | ferrule-opt | FileCheck %s
// RUN: ferrule-opt %s --emit-bytecode | ferrule-opt | FileCheck %s

func.func @scalar(%x: tensor<f32>) {
  // CHECK: stablehlo.dynamic_slice %{{[^ ,()]+}}, sizes = [] : (tensor<f32>) -> tensor<f32>
  %0 = stablehlo.dynamic_slice %x, sizes = [] : (tensor<f32>) -> tensor<f32>
  return
}
