// RUN: ferrule-opt %s --hoist-constants | FileCheck %s

// The transposed weight is constant; the product with the input is not. The
// fill is a splat and stays.
// CHECK: func.func @main
// CHECK: func.func @constants(%[[W:.*]]: tensor<100x4xf32>) -> tensor<4x100xf32>
// CHECK-NEXT: %[[E:.*]] = tensor.empty
// CHECK-NEXT: %[[T:.*]] = linalg.transpose ins(%[[W]]
// CHECK-NEXT: return %[[T]]
func.func @main(%x: tensor<2x4xf32>) -> tensor<2x100xf32> {
  %w = arith.constant dense_resource<w> : tensor<100x4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x100xf32>
  %t = linalg.transpose ins(%w : tensor<100x4xf32>) outs(%e : tensor<4x100xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<2x100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x100xf32>) -> tensor<2x100xf32>
  %y = linalg.matmul ins(%x, %t : tensor<2x4xf32>, tensor<4x100xf32>) outs(%f : tensor<2x100xf32>) -> tensor<2x100xf32>
  return %y : tensor<2x100xf32>
}

{-# dialect_resources: { builtin: { w: "0x0400000000000000" } } #-}
