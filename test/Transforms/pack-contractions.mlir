// RUN: ferrule-opt %s --pack-contractions | FileCheck %s

#row = affine_map<(m, n) -> (n)>
#all = affine_map<(m, n) -> (m, n)>

// The weight is packed, and bias and activation follow in panels.
// CHECK-LABEL: func.func @linear(
// CHECK-SAME: %[[A:.*]]: tensor<?x64xf32>, %[[B:.*]]: tensor<96xf32>)
// CHECK: %[[P:.*]] = linalg.pack {{.*}} : tensor<64x96xf32> -> tensor<3x64x32xf32>
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[P]]
// CHECK-SAME: outs({{.*}} : tensor<?x3x32xf32>)
// CHECK: %[[E:.*]] = linalg.generic {{.*}} ins(%[[C]]
// CHECK: arith.addf
// CHECK: tensor.collapse_shape
func.func @linear(%a: tensor<?x64xf32>, %bias: tensor<96xf32>)
    -> tensor<?x96xf32> {
  %c0 = arith.constant 0 : index
  %w = arith.constant dense_resource<weight> : tensor<64x96xf32>
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x96xf32>)
      -> tensor<?x96xf32>
  %p = linalg.matmul ins(%a, %w : tensor<?x64xf32>, tensor<64x96xf32>)
      outs(%f : tensor<?x96xf32>) -> tensor<?x96xf32>
  %r = linalg.generic {indexing_maps = [#all, #row, #all],
                       iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : tensor<?x96xf32>, tensor<96xf32>)
      outs(%e : tensor<?x96xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x96xf32>
  return %r : tensor<?x96xf32>
}

// Columns that fill no panel of 32 go to panels of 16.
// CHECK-LABEL: func.func @narrow(
// CHECK: linalg.pack {{.*}} : tensor<48x64xf32> -> tensor<3x64x16xf32>
// CHECK: linalg.generic
// CHECK: tensor.collapse_shape
func.func @narrow(%a: tensor<8x64xf32>) -> tensor<8x48xf32> {
  %w = arith.constant dense_resource<weight2> : tensor<48x64xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x48xf32>)
      -> tensor<8x48xf32>
  %p = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                       affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %w : tensor<8x64xf32>, tensor<48x64xf32>)
      outs(%f : tensor<8x48xf32>) -> tensor<8x48xf32>
  return %p : tensor<8x48xf32>
}

// Columns that fill no panels are padded, and the result is cut.
// CHECK-LABEL: func.func @odd(
// CHECK: linalg.pack {{.*}} padding_value({{.*}} : f32)
// CHECK-SAME: : tensor<64x37xf32> -> tensor<2x64x32xf32>
// CHECK: %[[JOINED:.*]] = tensor.collapse_shape
// CHECK: tensor.extract_slice %[[JOINED]][0, 0] [8, 37] [1, 1]
func.func @odd(%a: tensor<8x64xf32>) -> tensor<8x37xf32> {
  %w = arith.constant dense<2.0> : tensor<64x37xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x37xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x37xf32>)
      -> tensor<8x37xf32>
  %p = linalg.matmul ins(%a, %w : tensor<8x64xf32>, tensor<64x37xf32>)
      outs(%f : tensor<8x37xf32>) -> tensor<8x37xf32>
  return %p : tensor<8x37xf32>
}

// CHECK-LABEL: func.func @no_constant_weight(
// CHECK-NOT: linalg.pack
// CHECK: linalg.matmul
func.func @no_constant_weight(%a: tensor<8x64xf32>, %b: tensor<64x96xf32>,
                              %c: tensor<8x96xf32>) -> tensor<8x96xf32> {
  %p = linalg.matmul ins(%a, %b : tensor<8x64xf32>, tensor<64x96xf32>)
      outs(%c : tensor<8x96xf32>) -> tensor<8x96xf32>
  return %p : tensor<8x96xf32>
}
