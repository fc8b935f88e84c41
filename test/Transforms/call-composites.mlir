// RUN: ferrule-opt %s --call-composites -split-input-file -verify-diagnostics | FileCheck %s
// RUN: ferrule-opt %s --call-composites=except=my.op -split-input-file -verify-diagnostics | FileCheck %s --check-prefix=KEPT
// RUN: ferrule-opt %s --stablehlo-legalize-composite-to-call -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @called
func.func @called(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: call @impl(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  // KEPT: stablehlo.composite "my.op"
  %0 = stablehlo.composite "my.op" %x {decomposition = @impl} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @impl(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
