// RUN: ferrule-opt %s --convert-program-to-byre --split-input-file --verify-diagnostics | FileCheck %s

byre.image @i target "cpu" cpu "" features [] kernels [#byre.entry<"k" at 64 scratch 0>] data dense<0> : tensor<1xi8>
// CHECK-NOT: func private @k
func.func private @k(%first: index, %last: index, %scratch: memref<?xi8>, %a: memref<4xf32>) attributes {byre.kernel}
// CHECK-LABEL: func @loop(
// CHECK: cf.br ^[[HEAD:.*]](%c0, %{{.*}}, %{{.*}} : index, memref<4xf32>, memref<4xf32>)
// CHECK: ^[[HEAD]](%[[I:.*]]: index, %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>)
// CHECK: cf.cond_br %{{.*}}, ^[[BODY:.*]], ^[[EXIT:.*]]
// CHECK: ^[[BODY]]
// CHECK: cf.br ^[[HEAD]](%{{.*}}, %[[B]], %[[A]] : index, memref<4xf32>, memref<4xf32>)
func.func @loop(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (memref<4xf32>, memref<4xf32>) {
    byre.dispatch @k workgroups(%i) outs(%b : memref<4xf32>)
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  return %r#0 : memref<4xf32>
}

// -----

// A choice between two buffers is a branch, and so is each case of a switch.
// CHECK-LABEL: func @choice(
// CHECK-SAME: %[[P:[a-z0-9]+]]: i1, %[[N:[a-z0-9]+]]: index, %[[X:[a-z0-9]+]]: memref<4xf32>, %[[Y:[a-z0-9]+]]: memref<4xf32>
// CHECK: cf.cond_br %[[P]], ^[[NEXT:.*]](%[[X]] : memref<4xf32>), ^[[NEXT]](%[[Y]] : memref<4xf32>)
// CHECK: arith.cmpi eq
// CHECK: cf.cond_br
// CHECK: arith.cmpi eq
// CHECK: cf.cond_br
func.func @choice(%p: i1, %n: index, %x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
  %r = scf.if %p -> memref<4xf32> {
    scf.yield %x : memref<4xf32>
  } else {
    scf.yield %y : memref<4xf32>
  }
  scf.index_switch %n
  case 2 {
    byre.copy %r to %z : memref<4xf32> to memref<4xf32>
    scf.yield
  }
  case 5 {
    byre.copy %x to %z : memref<4xf32> to memref<4xf32>
    scf.yield
  }
  default {
    byre.copy %y to %z : memref<4xf32> to memref<4xf32>
    scf.yield
  }
  return
}

// -----

func.func @no_form(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{'memref.copy' op has no form in a program}}
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}

// -----

// expected-error @+1 {{expected the kernel's code in an image, found none}}
func.func private @k(%a: memref<4xf32>) attributes {byre.kernel}
func.func @no_code(%x: memref<4xf32>) {
  byre.dispatch @k outs(%x : memref<4xf32>)
  return
}
