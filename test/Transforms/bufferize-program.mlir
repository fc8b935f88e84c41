// RUN: ferrule-opt %s --bufferize-program --split-input-file | FileCheck %s

// CHECK-LABEL: func @chain(
// CHECK-SAME: %[[X:.*]]: memref<?xf32>
// CHECK-SAME: -> (memref<1x?xf32> {ferrule.name = "y"})
func.func @chain(%x: tensor<?xf32> {ferrule.name = "x"}) -> (tensor<1x?xf32> {ferrule.name = "y"}) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[N:.*]] = memref.dim %[[X]]
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  // One tensor.empty in two outs: two buffers.
  %e = tensor.empty(%n) : tensor<?xf32>
  // CHECK: %[[A:.*]] = byre.alloc sizes(%[[N]]) : memref<?xf32>
  // CHECK-NEXT: byre.dispatch @k ins(%[[X]] : memref<?xf32>) outs(%[[A]] : memref<?xf32>)
  %a = byre.dispatch @k ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  // CHECK-NEXT: %[[B:.*]] = byre.alloc sizes(%[[N]]) output 0 : memref<?xf32>
  // CHECK-NEXT: byre.dispatch @k ins(%[[A]] : memref<?xf32>) outs(%[[B]] : memref<?xf32>)
  // CHECK-NEXT: byre.free %[[A]]
  %b = byre.dispatch @k ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  // The reshape of all of the output is the output.
  // CHECK-NEXT: %[[V:.*]] = byre.view %[[B]] sizes(%[[N]]) : memref<?xf32> to memref<1x?xf32>
  %v = tensor.expand_shape %b [[0, 1]] output_shape [1, %n] : tensor<?xf32> into tensor<1x?xf32>
  // CHECK-NEXT: return %[[V]]
  return %v : tensor<1x?xf32>
}
func.func private @k(%a: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> attributes {byre.kernel}

// -----

// An input, a constant, one value twice: each result has memory of its own.
// CHECK-LABEL: func @returned(
// CHECK-SAME: %[[X:.*]]: memref<4xf32>
func.func @returned(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[W:.*]] = byre.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  // CHECK: %[[A:.*]] = byre.alloc output 3
  // CHECK: byre.dispatch @k
  %a = byre.dispatch @k ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[O0:.*]] = byre.alloc output 0
  // CHECK: byre.copy %[[X]] to %[[O0]]
  // CHECK: %[[O1:.*]] = byre.alloc output 1
  // CHECK: byre.copy %[[W]] to %[[O1]]
  // CHECK: %[[O2:.*]] = byre.alloc output 2
  // CHECK: byre.copy %[[A]] to %[[O2]]
  // CHECK-NEXT: return %[[O0]], %[[O1]], %[[O2]], %[[A]]
  return %x, %w, %a, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
func.func private @k(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> attributes {byre.kernel}

// -----

// An update of a value that is read later, of an input and of a value that is
// an operand too works on a copy; the last use is updated in place.
// CHECK-LABEL: func @updates(
// CHECK-SAME: %[[X:.*]]: memref<4xf32>
func.func @updates(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[A:.*]] = byre.alloc : memref<4xf32>
  // CHECK: byre.copy %[[X]] to %[[A]]
  // CHECK: byre.dispatch @u outs(%[[A]]
  %a = byre.dispatch @u outs(%x : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[B:.*]] = byre.alloc : memref<4xf32>
  // CHECK: byre.copy %[[A]] to %[[B]]
  // CHECK: byre.dispatch @u outs(%[[B]]
  %b = byre.dispatch @u outs(%a : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: byre.dispatch @k ins(%[[A]] : memref<4xf32>) outs(%[[B]] : memref<4xf32>)
  // CHECK: byre.free %[[A]]
  %c = byre.dispatch @k ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[D:.*]] = byre.alloc output 0
  // CHECK: byre.copy %[[B]] to %[[D]]
  // CHECK: byre.dispatch @k ins(%[[B]] : memref<4xf32>) outs(%[[D]] : memref<4xf32>)
  // CHECK: byre.free %[[B]]
  %d = byre.dispatch @k ins(%c : tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %d : tensor<4xf32>
}
func.func private @u(%e: tensor<4xf32>) -> tensor<4xf32> attributes {byre.kernel}
func.func private @k(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> attributes {byre.kernel}

// -----

// A view keeps its source alive and stands in the way of an update in place.
// CHECK-LABEL: func @views(
func.func @views(%x: tensor<4x8xf32>, %i: index) -> tensor<32xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  // CHECK: %[[A:.*]] = byre.alloc : memref<4x8xf32>
  %a = byre.dispatch @k ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: %[[AT:.*]] = arith.muli %{{.*}}, %c32
  // CHECK: %[[S:.*]] = byre.view %[[A]] plus %[[AT]] : memref<4x8xf32> to memref<8xf32>
  %s = tensor.extract_slice %a[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  // CHECK: %[[B:.*]] = byre.alloc output 0 : memref<4x8xf32>
  // CHECK: byre.copy %[[A]] to %[[B]]
  // CHECK: byre.dispatch @u ins(%[[S]] : memref<8xf32>) outs(%[[B]]
  // CHECK-NEXT: byre.free %[[A]]
  %b = byre.dispatch @u ins(%s : tensor<8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: %[[V:.*]] = byre.view %[[B]] : memref<4x8xf32> to memref<32xf32>
  %v = tensor.collapse_shape %b [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  // CHECK-NEXT: return %[[V]]
  return %v : tensor<32xf32>
}
func.func private @k(%a: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {byre.kernel}
func.func private @u(%s: tensor<8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {byre.kernel}

// -----

// A slice is a part: it is copied to the output.
// CHECK-LABEL: func @returned_slice(
func.func @returned_slice(%n: index) -> tensor<2xi64> {
  // CHECK: %[[A:.*]] = byre.alloc : memref<4xi64>
  // CHECK: memref.store %{{.*}}, %[[A]][%{{.*}}]
  %m = arith.index_cast %n : index to i64
  %a = tensor.from_elements %m, %m, %m, %m : tensor<4xi64>
  // CHECK: %[[S:.*]] = byre.view %[[A]] at 16 : memref<4xi64> to memref<2xi64>
  %s = tensor.extract_slice %a[2] [2] [1] : tensor<4xi64> to tensor<2xi64>
  // CHECK: %[[O:.*]] = byre.alloc output 0
  // CHECK: byre.copy %[[S]] to %[[O]]
  // CHECK: byre.free %[[A]]
  return %s : tensor<2xi64>
}
