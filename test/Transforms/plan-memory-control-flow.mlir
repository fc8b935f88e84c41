// RUN: ferrule-opt %s --bufferize-program --plan-memory --canonicalize --split-input-file | FileCheck %s

// A carried value that is updated in place is one buffer, here the output.
// CHECK-LABEL: func @cache(
// CHECK-SAME: %[[X:.*]]: memref<4x64xf32>
func.func @cache(%x: tensor<4x64xf32>, %n: index) -> tensor<4x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[C:.*]] = byre.alloc output 0
  // CHECK-NEXT: byre.copy %[[X]] to %[[C]]
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: byre.dispatch @update outs(%[[C]]
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[C]]
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4x64xf32> {
    %b = byre.dispatch @update outs(%a : tensor<4x64xf32>) scalars(%i : index) -> tensor<4x64xf32>
    scf.yield %b : tensor<4x64xf32>
  }
  return %r : tensor<4x64xf32>
}
func.func private @update(%a: tensor<4x64xf32>, %i: index) -> tensor<4x64xf32> attributes {byre.kernel}

// -----

// A carried value that is replaced has two slots.
// CHECK-LABEL: func @state(
// CHECK-SAME: byre.arena = 128 : i64
func.func @state(%x: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<16xf32>
  // CHECK: %[[S:.*]] = byre.alloc at 0
  // CHECK: byre.copy %{{.*}} to %[[S]]
  // CHECK: %[[T:.*]] = byre.alloc at 64
  // CHECK: %[[R:.*]]:2 = scf.for %{{.*}} iter_args(%[[A:.*]] = %[[S]], %[[B:.*]] = %[[T]])
  // CHECK-NEXT: byre.dispatch @k ins(%[[A]] : memref<16xf32>) outs(%[[B]] : memref<16xf32>)
  // CHECK-NEXT: scf.yield %[[B]], %[[A]]
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<16xf32> {
    %b = byre.dispatch @k ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    scf.yield %b : tensor<16xf32>
  }
  // CHECK: byre.copy %[[R]]#0 to
  return %r : tensor<16xf32>
}
func.func private @k(%a: tensor<16xf32>, %e: tensor<16xf32>) -> tensor<16xf32> attributes {byre.kernel}

// -----

// Fibonacci: one value moves to the other's place, a new one comes.
// CHECK-LABEL: func @shift(
// CHECK-SAME: byre.arena = 192 : i64
func.func @shift(%x: tensor<16xf32>, %y: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<16xf32>
  // CHECK: scf.while (%[[I:.*]] = %{{.*}}, %[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}, %[[Z:.*]] = %{{.*}})
  %r:3 = scf.while (%i = %c0, %a = %x, %b = %y) : (index, tensor<16xf32>, tensor<16xf32>) -> (index, tensor<16xf32>, tensor<16xf32>) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %a, %b : index, tensor<16xf32>, tensor<16xf32>
  } do {
  // CHECK: ^bb0(%{{.*}}: index, %[[A:.*]]: memref<16xf32>, %[[B:.*]]: memref<16xf32>, %[[Z:.*]]: memref<16xf32>)
  ^bb0(%i: index, %a: tensor<16xf32>, %b: tensor<16xf32>):
    %j = arith.addi %i, %c1 : index
    // CHECK: byre.dispatch @k ins(%[[A]], %[[B]] : memref<16xf32>, memref<16xf32>) outs(%[[Z]]
    // CHECK: scf.yield %{{.*}}, %[[B]], %[[Z]], %[[A]]
    %s = byre.dispatch @k ins(%a, %b : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    scf.yield %j, %b, %s : index, tensor<16xf32>, tensor<16xf32>
  }
  return %r#2 : tensor<16xf32>
}
func.func private @k(%a: tensor<16xf32>, %b: tensor<16xf32>, %e: tensor<16xf32>) -> tensor<16xf32> attributes {byre.kernel}

// -----

// Branches write to the memory of their result, here the output.
// CHECK-LABEL: func @branches(
// CHECK-SAME: %[[P:.*]]: i1, %[[X:.*]]: memref<16xf32>
func.func @branches(%p: i1, %x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  // CHECK: %[[O:.*]] = byre.alloc output 0
  // CHECK: scf.if
  // CHECK: byre.dispatch @k ins(%[[X]] : memref<16xf32>) outs(%[[O]]
  // CHECK: else
  // CHECK: byre.copy %[[X]] to %[[O]]
  // CHECK: return %[[O]]
  %r = scf.if %p -> tensor<16xf32> {
    %b = byre.dispatch @k ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    scf.yield %b : tensor<16xf32>
  } else {
    scf.yield %x : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}
func.func private @k(%a: tensor<16xf32>, %e: tensor<16xf32>) -> tensor<16xf32> attributes {byre.kernel}
