// RUN: ferrule-opt %s --convert-ferrule-to-loops | FileCheck %s

// CHECK-LABEL: @scatter_adds_rows
// CHECK-SAME: %[[I:.*]]: memref<2x1xi32>, %[[U:.*]]: memref<2x4xf32>, %[[X:.*]]: memref<8x4xf32>
// CHECK: scf.for %[[A:[a-z0-9]+]] =
// CHECK: memref.load %[[I]][%[[A]],
// CHECK: scf.if
// CHECK: scf.for %[[B:[a-z0-9]+]] =
// CHECK: memref.load %[[X]]
// CHECK: memref.load %[[U]][%[[A]], %[[B]]]
// CHECK: arith.addf
// CHECK: memref.store
func.func @scatter_adds_rows(%i: memref<2x1xi32>, %u: memref<2x4xf32>,
                             %x: memref<8x4xf32>) {
  ferrule.scatter ins(%i, %u : memref<2x1xi32>, memref<2x4xf32>)
      outs(%x : memref<8x4xf32>) attributes {
        update_window_dims = array<i64: 1>,
        inserted_window_dims = array<i64: 0>,
        input_batching_dims = array<i64>,
        scatter_indices_batching_dims = array<i64>,
        scatter_dims_to_operand_dims = array<i64: 0>,
        index_vector_dim = 1 : i64} {
  ^bb0(%old: f32, %new: f32):
    %s = arith.addf %old, %new : f32
    ferrule.yield %s : f32
  }
  return
}

// The left run of a merge goes to the scratch.
// CHECK-LABEL: @sort_rows
// CHECK-SAME: %[[X:.*]]: memref<?x?xf32>, %[[Y:.*]]: memref<?x?xf32>, %[[S:.*]]: memref<?x?xf32>
// CHECK: scf.for
// CHECK: scf.while
// CHECK: memref.store %{{.*}}, %[[S]]
// CHECK-NOT: memref.alloc
func.func @sort_rows(%x: memref<?x?xf32>, %y: memref<?x?xf32>,
                     %s: memref<?x?xf32>) {
  ferrule.sort ins(%x : memref<?x?xf32>)
      outs(%y, %s : memref<?x?xf32>, memref<?x?xf32>)
      attributes {dimension = 1 : i64} {
  ^bb0(%a: f32, %b: f32):
    %less = arith.cmpf olt, %a, %b : f32
    ferrule.yield %less : i1
  }
  return
}

// CHECK-LABEL: @scan_in_reverse
// CHECK: scf.for {{.*}} iter_args
// CHECK: arith.addf
func.func @scan_in_reverse(%x: memref<4x8xf32>, %init: memref<f32>,
                           %y: memref<4x8xf32>) {
  ferrule.scan ins(%x, %init : memref<4x8xf32>, memref<f32>)
      outs(%y : memref<4x8xf32>) attributes {dimension = 1 : i64, reverse} {
  ^bb0(%acc: f32, %e: f32):
    %s = arith.addf %acc, %e : f32
    ferrule.yield %s : f32
  }
  return
}
