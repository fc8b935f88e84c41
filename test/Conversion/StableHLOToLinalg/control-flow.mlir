// RUN: ferrule-opt %s --convert-stablehlo-to-linalg --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @counted_loop
// CHECK: scf.while
// CHECK: tensor.extract
// CHECK: arith.cmpi slt
// CHECK: scf.condition
// CHECK: linalg.generic
// CHECK: scf.yield
func.func @counted_loop(%n: tensor<i32>, %x: tensor<9xf32>) -> tensor<9xf32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %c0, %y = %x) : tensor<i32>, tensor<9xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %c1 : tensor<i32>
    %z = stablehlo.multiply %y, %y : tensor<9xf32>
    stablehlo.return %j, %z : tensor<i32>, tensor<9xf32>
  }
  return %r#1 : tensor<9xf32>
}

// CHECK-LABEL: @last_branch_is_the_default
// CHECK: %[[I:.*]] = tensor.extract %arg0[]
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[I]], %c0_i32
// CHECK: scf.if %[[ZERO]]
// CHECK: } else {
// CHECK: scf.if
func.func @last_branch_is_the_default(%i: tensor<i32>, %x: tensor<9xf32>) -> tensor<9xf32> {
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.abs %x : tensor<9xf32>
    stablehlo.return %1 : tensor<9xf32>
  }, {
    %1 = stablehlo.floor %x : tensor<9xf32>
    stablehlo.return %1 : tensor<9xf32>
  }, {
    %1 = stablehlo.ceil %x : tensor<9xf32>
    stablehlo.return %1 : tensor<9xf32>
  }) : (tensor<i32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
