// RUN: ferrule-opt %s --convert-torch-to-stablehlo --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK: %[[ZEROS:.*]] = stablehlo.dynamic_broadcast_in_dim
// CHECK: %[[R:.*]] = stablehlo.maximum %[[X]], %[[ZEROS]]
// CHECK: return %[[R]]
func.func @main(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %r = torch.aten.relu %x : !torch.vtensor<[?,4],f32> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

// Signed integers become signless; numbers become tensors of rank 0.
// CHECK-LABEL: func.func @types(
// CHECK-SAME: tensor<3xi64>, %{{.*}}: tensor<i64>, %{{.*}}: tensor<i1>, %{{.*}}: tensor<f64>
// CHECK-SAME: -> (tensor<3xi64>, tensor<i64>)
func.func @types(%x: !torch.vtensor<[3],si64>, %n: !torch.int, %p: !torch.bool, %f: !torch.float) -> (!torch.vtensor<[3],si64>, !torch.int) {
  return %x, %n : !torch.vtensor<[3],si64>, !torch.int
}

// -----

// CHECK-LABEL: func.func @literal
// CHECK: stablehlo.constant dense<[1, 2, 3]> : tensor<3xi64>
func.func @literal() -> !torch.vtensor<[3],si64> {
  %0 = torch.vtensor.literal(dense<[1, 2, 3]> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
  return %0 : !torch.vtensor<[3],si64>
}

// -----

// Integers and floats promote as in PyTorch; the number 2.5 takes the
// tensor's category up to f32, not f64.
// CHECK-LABEL: func.func @promote
// CHECK-SAME: %[[X:.*]]: tensor<3xi64>
// CHECK: %[[F:.*]] = stablehlo.convert %[[X]] : (tensor<3xi64>) -> tensor<3xf32>
// CHECK: stablehlo.compare  LT, %[[F]], %{{.*}},  FLOAT
func.func @promote(%x: !torch.vtensor<[3],si64>) -> !torch.vtensor<[3],i1> {
  %f = torch.constant.float 2.5
  %0 = torch.aten.lt.Scalar %x, %f : !torch.vtensor<[3],si64>, !torch.float -> !torch.vtensor<[3],i1>
  return %0 : !torch.vtensor<[3],i1>
}

// -----

// Two unknown sizes that meet are equal: nothing is broadcast.
// CHECK-LABEL: func.func @unknown_sizes
// CHECK-SAME: %[[X:.*]]: tensor<?x?xf32>, %[[Y:.*]]: tensor<?x?xf32>
// CHECK-NEXT: stablehlo.multiply %[[X]], %[[Y]]
// CHECK-NEXT: return
func.func @unknown_sizes(%x: !torch.vtensor<[?,?],f32>, %y: !torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32> {
  %0 = torch.aten.mul.Tensor %x, %y : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,?],f32> -> !torch.vtensor<[?,?],f32>
  return %0 : !torch.vtensor<[?,?],f32>
}

// -----

// CHECK-LABEL: func.func @branch
// CHECK: "stablehlo.if"(%{{.*}})
// CHECK: stablehlo.negate
// CHECK: stablehlo.return
func.func @branch(%p: !torch.bool, %x: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> {
  %r = torch.prim.If %p -> (!torch.vtensor<[3],f32>) {
    %0 = torch.aten.neg %x : !torch.vtensor<[3],f32> -> !torch.vtensor<[3],f32>
    torch.prim.If.yield %0 : !torch.vtensor<[3],f32>
  } else {
    torch.prim.If.yield %x : !torch.vtensor<[3],f32>
  }
  return %r : !torch.vtensor<[3],f32>
}

// -----

// CHECK-LABEL: func.func @loop
// CHECK: stablehlo.while
// CHECK: cond
// CHECK: stablehlo.compare  LT
// CHECK: do
// CHECK: stablehlo.add
func.func @loop(%n: !torch.int, %x: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> {
  %true = torch.constant.bool true
  %one = torch.constant.int 1
  %r = torch.prim.Loop %n, %true, init(%x) {
  ^bb0(%i: !torch.int, %y: !torch.vtensor<[3],f32>):
    %0 = torch.aten.add.Tensor %y, %x, %one : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.int -> !torch.vtensor<[3],f32>
    torch.prim.Loop.condition %true, iter(%0 : !torch.vtensor<[3],f32>)
  } : (!torch.int, !torch.bool, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
}
