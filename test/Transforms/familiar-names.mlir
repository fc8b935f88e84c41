// Passes under the names that users of StableHLO know.
// RUN: ferrule-opt %s --chlo-legalize-to-stablehlo | FileCheck %s --check-prefix=CHLO
// RUN: ferrule-opt %s --stablehlo-canonicalize-dynamism | FileCheck %s --check-prefix=STATIC
// RUN: ferrule-opt %s --stablehlo-refine-shapes | FileCheck %s --check-prefix=STATIC
// RUN: ferrule-opt %s --stablehlo-aggressive-folder --stablehlo-aggressive-simplification | FileCheck %s --check-prefix=STATIC
// RUN: ferrule-opt %s '--stablehlo-refine-arguments=types=tensor<4xf32>' | FileCheck %s --check-prefix=REFINED
// RUN: ferrule-opt %s --chlo-legalize-to-stablehlo --stablehlo-legalize-to-linalg | FileCheck %s --check-prefix=LINALG

// CHLO-NOT: chlo.
// STATIC: stablehlo.reshape %{{.*}} : (tensor<4xf32>) -> tensor<2x2xf32>
// REFINED: func.func @main(%arg0: tensor<4xf32>)
// LINALG: tensor.expand_shape
func.func @main(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %0 = chlo.square %x : tensor<4xf32> -> tensor<4xf32>
  %1 = stablehlo.constant dense<2> : tensor<2xi32>
  %2 = stablehlo.dynamic_reshape %0, %1 : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}
