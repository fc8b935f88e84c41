// RUN: ferrule-opt %s -split-input-file -verify-diagnostics

func.func @and_c1(%x: tensor<4xi32>, %y: tensor<4xi1>) {
  // expected-error@+2 {{C1: found operands of element types 'i32' and 'i1', expected equal ones}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.and %x, %y : (tensor<4xi32>, tensor<4xi1>) -> tensor<4xi32>
  return
}

// -----

func.func @complex_c2(%x: tensor<4xbf16>) {
  // expected-error@+2 {{C2: found operands of element type 'bf16', expected f32 or f64}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.complex"(%x, %x) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @sine_c3(%x: tensor<4xf32>) {
  // expected-error@+2 {{expected tolerances of 0 or more}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.sine %x {result_accuracy = #stablehlo.result_accuracy<ulps = -1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  return
}

// -----

func.func @sine_c3_mode(%x: tensor<4xf32>) {
  // expected-error@+2 {{expected tolerances with mode TOLERANCE only}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.sine %x {result_accuracy = #stablehlo.result_accuracy<ulps = 1, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
  return
}

// -----

func.func @custom_call_alias(%x: tensor<4xf32>) {
  // expected-error@+1 {{of parts of different types}}
  %0 = stablehlo.custom_call @f(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @torch_index_select(%x: tensor<4x6xf32>, %i: tensor<2xi32>) {
  // expected-error@+1 {{found result 'tensor<3x6xf32>', expected the shape of 'tensor<2x6xf32>'}}
  %0 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<3x6xf32>
  return
}
