// RUN: ferrule-opt %s --lower-contraction-vectors | FileCheck %s

// One element of %a is broadcast at a time; the four sums are carried as
// registers of their own.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>)
// CHECK: %[[A0:.*]] = memref.load
// CHECK: %[[V0:.*]] = vector.broadcast %[[A0]]
// CHECK: %[[B:.*]] = vector.load
// CHECK: vector.fma %[[V0]], %[[B]]
// CHECK: memref.load
// CHECK: vector.fma
// CHECK-NOT: vector.contract
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @rows(%a: memref<2x64xf32>, %b: memref<64x16xf32>, %c: memref<2x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<2x16xf32>
  %r = scf.for %k = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> vector<2x16xf32> {
    %x = vector.transfer_read %a[%c0, %k], %z {in_bounds = [true, true]} : memref<2x64xf32>, vector<2x1xf32>
    %y = vector.transfer_read %b[%k, %c0], %z {in_bounds = [true, true]} : memref<64x16xf32>, vector<1x16xf32>
    %n = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %acc : vector<2x1xf32>, vector<1x16xf32> into vector<2x16xf32>
    scf.yield %n : vector<2x16xf32>
  }
  vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<2x16xf32>, memref<2x16xf32>
  return
}
