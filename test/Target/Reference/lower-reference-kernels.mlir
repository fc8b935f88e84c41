// RUN: ferrule-opt %s --split-input-file --lower-reference-kernels | FileCheck %s

// CHECK-LABEL: func.func private @k
// CHECK-SAME: (%[[A:.*]]: memref<?xf32>, %[[O:.*]]: memref<?xf32>, %{{.*}}: index)
// CHECK-NOT: tensor
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK:   %[[X:.*]] = memref.load %[[A]][%[[I]]]
// CHECK:   %[[Y:.*]] = math.exp %[[X]] : f32
// CHECK:   memref.store %[[Y]], %[[O]][%[[I]]]
func.func private @k(%a: tensor<?xf32>, %o: tensor<?xf32>, %n: index)
    -> tensor<?xf32> attributes {byre.kernel, byre.target = "reference"} {
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>)
    -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// It runs as one workgroup.
// CHECK-LABEL: func.func @main
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: byre.dispatch @k workgroups(%[[ONE]])
func.func @main(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = byre.dispatch @k ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>)
    scalars(%n : index) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Kernels of other targets are left alone.
// CHECK-LABEL: func.func private @other
// CHECK: linalg.exp
func.func private @other(%a: tensor<4xf32>, %o: tensor<4xf32>)
    -> tensor<4xf32> attributes {byre.kernel, byre.target = "cpu"} {
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>)
    -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
