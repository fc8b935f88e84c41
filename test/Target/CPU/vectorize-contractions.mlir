// RUN: ferrule-opt %s --split-input-file --vectorize-contractions | FileCheck %s

// 128 rows are ten tiles of 12 and one of 8; the accumulators are carried by
// the loop over k and the epilogue works on them.
// CHECK-LABEL: func.func @gemm(
// CHECK: scf.for %{{.*}} = %c0 to %c24
// CHECK: scf.for %{{.*}} = %c0 to %c120 step %c12
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<12x1x32xf32>)
// CHECK: vector.contract
// CHECK: arith.addf {{.*}} : vector<12x1x32xf32>
// CHECK: arith.maximumf
// CHECK: vector.transfer_write
// CHECK: -> (vector<8x1x32xf32>)
// CHECK-NOT: linalg
#a = affine_map<(m, nb, n, k) -> (m, k)>
#b = affine_map<(m, nb, n, k) -> (nb, k, n)>
#c = affine_map<(m, nb, n, k) -> (m, nb, n)>
func.func @gemm(%a: tensor<128x768xf32>, %b: tensor<24x768x32xf32>, %bias: tensor<24x32xf32>, %c: tensor<128x24x32xf32>) -> tensor<128x24x32xf32> {
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%c : tensor<128x24x32xf32>) -> tensor<128x24x32xf32>
  %r = linalg.generic {indexing_maps=[#a, #b, #c], iterator_types=["parallel","parallel","parallel","reduction"]} ins(%a,%b : tensor<128x768xf32>,tensor<24x768x32xf32>) outs(%f : tensor<128x24x32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<128x24x32xf32>
  %e = linalg.generic {indexing_maps=[affine_map<(m,nb,n)->(nb,n)>,affine_map<(m,nb,n)->(m,nb,n)>], iterator_types=["parallel","parallel","parallel"]} ins(%bias : tensor<24x32xf32>) outs(%r : tensor<128x24x32xf32>) {
  ^bb0(%y: f32, %x: f32):
    %v0 = arith.addf %x, %y : f32
    %v = arith.maximumf %v0, %z : f32
    linalg.yield %v : f32
  } -> tensor<128x24x32xf32>
  return %e : tensor<128x24x32xf32>
}

// -----

// Rows of unknown number: tiles of 12, then of 4, then single rows.
// CHECK-LABEL: func.func @gemm_dynamic_rows(
// CHECK: -> (vector<12x1x32xf32>)
// CHECK: -> (vector<4x1x32xf32>)
// CHECK: -> (vector<1x1x32xf32>)
// CHECK-NOT: linalg
#a = affine_map<(m, nb, n, k) -> (m, k)>
#b = affine_map<(m, nb, n, k) -> (nb, k, n)>
#c = affine_map<(m, nb, n, k) -> (m, nb, n)>
func.func @gemm_dynamic_rows(%a: tensor<?x768xf32>, %b: tensor<24x768x32xf32>, %bias: tensor<24x32xf32>, %c: tensor<?x24x32xf32>) -> tensor<?x24x32xf32> {
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%c : tensor<?x24x32xf32>) -> tensor<?x24x32xf32>
  %r = linalg.generic {indexing_maps=[#a, #b, #c], iterator_types=["parallel","parallel","parallel","reduction"]} ins(%a,%b : tensor<?x768xf32>,tensor<24x768x32xf32>) outs(%f : tensor<?x24x32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<?x24x32xf32>
  %e = linalg.generic {indexing_maps=[affine_map<(m,nb,n)->(nb,n)>,affine_map<(m,nb,n)->(m,nb,n)>], iterator_types=["parallel","parallel","parallel"]} ins(%bias : tensor<24x32xf32>) outs(%r : tensor<?x24x32xf32>) {
  ^bb0(%y: f32, %x: f32):
    %v0 = arith.addf %x, %y : f32
    %v = arith.maximumf %v0, %z : f32
    linalg.yield %v : f32
  } -> tensor<?x24x32xf32>
  return %e : tensor<?x24x32xf32>
}

// -----

// Two blocks of 16 output channels by seven columns.
// CHECK-LABEL: func.func @convs2(
// CHECK: iter_args(%{{.*}} = %{{.*}}) -> (vector<2x7x16xf32>)
// CHECK: vector.contract
// CHECK-NOT: linalg

#x = affine_map<(n,o,h,w,oc,c,kh,kw,ci) -> (n,c,h*2+kh,w*2+kw,ci)>
#w = affine_map<(n,o,h,w,oc,c,kh,kw,ci) -> (o,c,kh,kw,ci,oc)>
#y = affine_map<(n,o,h,w,oc,c,kh,kw,ci) -> (n,o,h,w,oc)>
func.func @convs2(%x: tensor<1x8x57x57x16xf32>, %w: tensor<8x8x3x3x16x16xf32>, %bias: tensor<8x16xf32>, %y: tensor<1x8x28x28x16xf32>) -> tensor<1x8x28x28x16xf32> {
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%y : tensor<1x8x28x28x16xf32>) -> tensor<1x8x28x28x16xf32>
  %r = linalg.generic {indexing_maps=[#x,#w,#y], iterator_types=["parallel","parallel","parallel","parallel","parallel","reduction","reduction","reduction","reduction"]} ins(%x,%w : tensor<1x8x57x57x16xf32>, tensor<8x8x3x3x16x16xf32>) outs(%f : tensor<1x8x28x28x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<1x8x28x28x16xf32>
  %e = linalg.generic {indexing_maps=[affine_map<(n,o,h,w,oc)->(o,oc)>,affine_map<(n,o,h,w,oc)->(n,o,h,w,oc)>], iterator_types=["parallel","parallel","parallel","parallel","parallel"]} ins(%bias : tensor<8x16xf32>) outs(%r : tensor<1x8x28x28x16xf32>) {
  ^bb0(%y0: f32, %x0: f32):
    %v0 = arith.addf %x0, %y0 : f32
    %v = arith.maximumf %v0, %z : f32
    linalg.yield %v : f32
  } -> tensor<1x8x28x28x16xf32>
  return %e : tensor<1x8x28x28x16xf32>
}

// -----

// CHECK-LABEL: func.func @dw(
// CHECK: iter_args(%{{.*}} = %{{.*}}) -> (vector<7x16xf32>)
// CHECK: arith.mulf
// CHECK-NOT: linalg

#x = affine_map<(n,c,h,w,ci,kh,kw) -> (n,c,h*1+kh,w*1+kw,ci)>
#w = affine_map<(n,c,h,w,ci,kh,kw) -> (c,kh,kw,ci)>
#y = affine_map<(n,c,h,w,ci,kh,kw) -> (n,c,h,w,ci)>
func.func @dw(%x: tensor<1x9x58x58x16xf32>, %w: tensor<9x3x3x16xf32>, %y: tensor<1x9x56x56x16xf32>) -> tensor<1x9x56x56x16xf32> {
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%y : tensor<1x9x56x56x16xf32>) -> tensor<1x9x56x56x16xf32>
  %r = linalg.generic {indexing_maps=[#x,#w,#y], iterator_types=["parallel","parallel","parallel","parallel","parallel","reduction","reduction"]} ins(%x,%w : tensor<1x9x58x58x16xf32>, tensor<9x3x3x16xf32>) outs(%f : tensor<1x9x56x56x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<1x9x56x56x16xf32>
  return %r : tensor<1x9x56x56x16xf32>
}
