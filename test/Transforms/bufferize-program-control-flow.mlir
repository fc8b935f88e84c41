// RUN: ferrule-opt %s --bufferize-program --split-input-file | FileCheck %s

// A carried value that is updated stays where it is: no allocation, no copy.
// CHECK-LABEL: func @cache(
// CHECK-SAME: %[[X:.*]]: memref<4x64xf32>
func.func @cache(%x: tensor<4x64xf32>, %n: index) -> tensor<4x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[C:.*]] = byre.alloc : memref<4x64xf32>
  // CHECK: byre.copy %[[X]] to %[[C]]
  // CHECK: %[[R:.*]] = scf.for %{{.*}} iter_args(%[[A:.*]] = %[[C]])
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4x64xf32> {
    // CHECK-NOT: byre.alloc
    // CHECK: byre.dispatch @update outs(%[[A]]
    %b = byre.dispatch @update outs(%a : tensor<4x64xf32>) scalars(%i : index) -> tensor<4x64xf32>
    // CHECK-NEXT: scf.yield %[[A]]
    scf.yield %b : tensor<4x64xf32>
  }
  // CHECK: %[[O:.*]] = byre.alloc output 0
  // CHECK: byre.copy %[[R]] to %[[O]]
  // CHECK: byre.free %[[R]]
  return %r : tensor<4x64xf32>
}
func.func private @update(%a: tensor<4x64xf32>, %i: index) -> tensor<4x64xf32> attributes {byre.kernel}

// -----

// A carried value of changing size: the old one is freed in each turn.
// CHECK-LABEL: func @grow(
func.func @grow(%x: tensor<?xf32>, %limit: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.while (%[[A:.*]] = %{{.*}}) : (memref<?xf32>) -> memref<?xf32>
  %r = scf.while (%a = %x) : (tensor<?xf32>) -> tensor<?xf32> {
    %n = tensor.dim %a, %c0 : tensor<?xf32>
    %c = arith.cmpi slt, %n, %limit : index
    // CHECK: scf.condition(%{{.*}}) %[[A]]
    scf.condition(%c) %a : tensor<?xf32>
  } do {
  // CHECK: ^bb0(%[[B:.*]]: memref<?xf32>)
  ^bb0(%b: tensor<?xf32>):
    %n = tensor.dim %b, %c0 : tensor<?xf32>
    %m = arith.addi %n, %c1 : index
    %e = tensor.empty(%m) : tensor<?xf32>
    // CHECK: %[[D:.*]] = byre.alloc
    // CHECK: byre.dispatch @k ins(%[[B]] : memref<?xf32>) outs(%[[D]] : memref<?xf32>)
    // CHECK-NEXT: byre.free %[[B]]
    // CHECK-NEXT: scf.yield %[[D]]
    %d = byre.dispatch @k ins(%b : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %d : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
func.func private @k(%a: tensor<?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> attributes {byre.kernel}

// -----

// Values that swap places only swap; one that is carried twice is copied once.
// CHECK-LABEL: func @swap(
func.func @swap(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for %{{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
  // CHECK-NEXT: scf.yield %[[B]], %[[A]]
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  // CHECK: scf.for %{{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
  // CHECK-NEXT: byre.free %[[A]]
  // CHECK-NEXT: %[[C:.*]] = byre.alloc
  // CHECK-NEXT: byre.copy %[[B]] to %[[C]]
  // CHECK-NEXT: scf.yield %[[C]], %[[B]]
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r#0, %b = %r#1) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %b : tensor<4xf32>, tensor<4xf32>
  }
  return %s#0, %s#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A branch may take a buffer that nothing needs later.
// CHECK-LABEL: func @branches(
// CHECK-SAME: %[[P:.*]]: i1, %[[X:.*]]: memref<4xf32>
func.func @branches(%p: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // CHECK: %[[A:.*]] = byre.alloc
  %a = byre.dispatch @k ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: scf.if
  %r = scf.if %p -> tensor<4xf32> {
    // CHECK-NEXT: byre.dispatch @u outs(%[[A]]
    // CHECK-NEXT: scf.yield %[[A]]
    %b = byre.dispatch @u outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  } else {
    // CHECK: byre.free %[[A]]
    // CHECK: byre.copy %[[X]] to %[[C:.*]] :
    // CHECK: scf.yield %[[C]]
    scf.yield %x : tensor<4xf32>
  }
  // CHECK: scf.if
  %s = scf.if %p -> tensor<4xf32> {
    // The other result still needs it: a copy.
    // CHECK-NEXT: byre.alloc
    // CHECK-NEXT: byre.copy
    // CHECK-NEXT: byre.dispatch
    %b = byre.dispatch @u outs(%r : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  } else {
    scf.yield %r : tensor<4xf32>
  }
  %t = byre.dispatch @k ins(%s : tensor<4xf32>) outs(%r : tensor<4xf32>) -> tensor<4xf32>
  return %t : tensor<4xf32>
}
func.func private @u(%e: tensor<4xf32>) -> tensor<4xf32> attributes {byre.kernel}
func.func private @k(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> attributes {byre.kernel}

// -----

// An outer value that a loop body updates is copied in every turn.
// CHECK-LABEL: func @outer(
func.func @outer(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  // CHECK: %[[A:.*]] = byre.alloc
  %a = byre.dispatch @k ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[S:.*]] = byre.alloc
  // CHECK: byre.fill %[[S]]
  // CHECK: scf.for %{{.*}} iter_args(%[[B:.*]] = %[[S]])
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %zero) -> tensor<4xf32> {
    // CHECK: byre.copy %[[A]] to %[[C:.*]] :
    // CHECK: byre.dispatch @k ins(%[[B]] : memref<4xf32>) outs(%[[C]] : memref<4xf32>)
    %c = byre.dispatch @k ins(%b : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %c : tensor<4xf32>
  }
  // CHECK: byre.free %[[A]]
  return %r : tensor<4xf32>
}
func.func private @k(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> attributes {byre.kernel}

// -----

// CHECK-LABEL: func @calls(
// CHECK: %[[A:.*]]:2 = call @callee(%{{.*}}) : (memref<?xf32>) -> (memref<?xf32>, i1)
// CHECK: byre.copy %[[A]]#0
// CHECK: byre.free %[[A]]#0
func.func @calls(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a, %p = call @callee(%x) : (tensor<?xf32>) -> (tensor<?xf32>, i1)
  cf.assert %p, "expected the callee to succeed"
  return %a : tensor<?xf32>
}
// CHECK-LABEL: func private @callee(
// CHECK: byre.alloc sizes(%{{.*}}) output 0
// CHECK: byre.copy
func.func private @callee(%x: tensor<?xf32>) -> (tensor<?xf32>, i1) {
  %true = arith.constant true
  return %x, %true : tensor<?xf32>, i1
}
