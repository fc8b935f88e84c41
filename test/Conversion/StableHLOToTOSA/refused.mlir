// RUN: ferrule-opt %s --convert-stablehlo-to-tosa=full -split-input-file -verify-diagnostics

func.func @no_such_function(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'stablehlo.cbrt' op has no form in TOSA for its types: 'tensor<4xf32>'}}
  %0 = stablehlo.cbrt %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @no_unknown_sizes(%x: tensor<?x4xf32>) -> tensor<4x?xf32> {
  // expected-error@+1 {{'stablehlo.transpose' op has no form in TOSA}}
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}
