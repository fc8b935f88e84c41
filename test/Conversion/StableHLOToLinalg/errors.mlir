// RUN: ferrule-opt %s --convert-stablehlo-to-linalg --split-input-file --verify-diagnostics

func.func @no_unknown_call(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{calls 'ferrule.unknown', which Ferrule does not know}}
  %0 = stablehlo.custom_call @ferrule.unknown(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
