// RUN: ferrule-opt %s --hoist-constants | FileCheck %s

// The transposed weight is constant; the product with the input is not. The
// fill is a splat and stays. A large weight is evaluated too.
// CHECK: func.func @main
// CHECK: func.func @constants(%[[W:.*]]: tensor<1000x40xf32>) -> tensor<40x1000xf32>
// CHECK-NEXT: %[[E:.*]] = tensor.empty
// CHECK-NEXT: %[[T:.*]] = linalg.transpose ins(%[[W]]
// CHECK-NEXT: return %[[T]]
func.func @main(%x: tensor<2x40xf32>) -> tensor<2x1000xf32> {
  %w = arith.constant dense_resource<w> : tensor<1000x40xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x1000xf32>
  %t = linalg.transpose ins(%w : tensor<1000x40xf32>) outs(%e : tensor<40x1000xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<2x1000xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x1000xf32>) -> tensor<2x1000xf32>
  %y = linalg.matmul ins(%x, %t : tensor<2x40xf32>, tensor<40x1000xf32>) outs(%f : tensor<2x1000xf32>) -> tensor<2x1000xf32>
  return %y : tensor<2x1000xf32>
}

{-# dialect_resources: { builtin: { w: "0x0400000000000000" } } #-}
