// RUN: ferrule-opt %s --plan-memory --split-input-file | FileCheck %s

// Two buffers that do not live together share their bytes.
// CHECK-LABEL: func @chain(
// CHECK-SAME: byre.arena = 1088 : i64
func.func @chain(%x: memref<16xf32>) -> memref<16xf32> {
  // CHECK: %[[A:.*]] = byre.alloc at 0 : memref<256xf32>
  %a = byre.alloc : memref<256xf32>
  byre.dispatch @k ins(%x : memref<16xf32>) outs(%a : memref<256xf32>)
  // CHECK: %[[B:.*]] = byre.alloc at 1024 : memref<3xf32>
  %b = byre.alloc : memref<3xf32>
  byre.dispatch @k ins(%a : memref<256xf32>) outs(%b : memref<3xf32>)
  // CHECK-NOT: byre.free
  byre.free %a : memref<256xf32>
  // CHECK: %[[C:.*]] = byre.alloc at 0 : memref<16xf32>
  %c = byre.alloc : memref<16xf32>
  byre.dispatch @k ins(%b : memref<3xf32>) outs(%c : memref<16xf32>)
  byre.free %b : memref<3xf32>
  // CHECK: byre.alloc output 0
  %o = byre.alloc output 0 : memref<16xf32>
  byre.dispatch @k ins(%c : memref<16xf32>) outs(%o : memref<16xf32>)
  byre.free %c : memref<16xf32>
  return %o : memref<16xf32>
}
byre.image @i target "cpu" cpu "" features [] kernels [#byre.entry<"k" at 64 scratch 0>] data dense<0> : tensor<1xi8>

// -----

// A dynamic buffer stays; a static one around a loop does not overlap with
// those inside it.
// CHECK-LABEL: func @nested(
// CHECK-SAME: byre.arena = 192 : i64
func.func @nested(%x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: byre.alloc at 0 : memref<32xf32>
  %a = byre.alloc : memref<32xf32>
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: byre.alloc at 128 : memref<16xf32>
    %b = byre.alloc : memref<16xf32>
    byre.copy %x to %b : memref<16xf32> to memref<16xf32>
    byre.free %b : memref<16xf32>
    // CHECK: byre.alloc at 128 : memref<8xf32>
    %d = byre.alloc : memref<8xf32>
    byre.dispatch @k ins(%a : memref<32xf32>) outs(%d : memref<8xf32>)
    byre.free %d : memref<8xf32>
    // CHECK: %[[C:.*]] = byre.alloc sizes
    %c = byre.alloc sizes(%n) : memref<?xf32>
    byre.dispatch @k ins(%a : memref<32xf32>) outs(%c : memref<?xf32>)
    // CHECK: byre.free %[[C]]
    byre.free %c : memref<?xf32>
  }
  byre.free %a : memref<32xf32>
  return
}
byre.image @i target "cpu" cpu "" features [] kernels [#byre.entry<"k" at 64 scratch 0>] data dense<0> : tensor<1xi8>
