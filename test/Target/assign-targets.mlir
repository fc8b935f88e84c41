// RUN: ferrule-opt %s --assign-targets=target=reference | FileCheck %s
// RUN: ferrule-opt %s --assign-targets | FileCheck %s --check-prefix=CPU
// RUN: not ferrule-opt %s --assign-targets=target=none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN

// CHECK: func.func private @k
// CHECK-SAME: byre.kernel, byre.target = "reference"
// CPU: func.func private @k
// CPU-SAME: byre.kernel, byre.target = "cpu"
// UNKNOWN: error: unknown target 'none', expected one of cpu, reference
func.func private @k(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32>
    attributes {byre.kernel} {
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>)
    -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK: func.func @main
// CHECK-NOT: byre.target
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = byre.dispatch @k ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>)
    -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
