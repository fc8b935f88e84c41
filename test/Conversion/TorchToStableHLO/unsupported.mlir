// RUN: ferrule-opt %s --convert-torch-to-stablehlo --split-input-file --verify-diagnostics

func.func @all_at_once(%x: !torch.vtensor<[3,3],f32>) -> !torch.vtensor<[3,3],f32> {
  // expected-error @below {{2 unsupported operators: torch.aten.matrix_exp, torch.aten.i0}}
  // expected-note @below {{torch.aten.matrix_exp is used 2 times, first at}}
  %0 = torch.aten.matrix_exp %x : !torch.vtensor<[3,3],f32> -> !torch.vtensor<[3,3],f32>
  %1 = torch.aten.matrix_exp %0 : !torch.vtensor<[3,3],f32> -> !torch.vtensor<[3,3],f32>
  // expected-note @below {{torch.aten.i0 is used 1 time, first at}}
  %2 = torch.aten.i0 %1 : !torch.vtensor<[3,3],f32> -> !torch.vtensor<[3,3],f32>
  return %2 : !torch.vtensor<[3,3],f32>
}

// -----

func.func @no_constant_dimension(%x: !torch.vtensor<[3,3],f32>, %d: !torch.int) -> !torch.vtensor<[3,3],f32> {
  %false = torch.constant.bool false
  // expected-error @below {{needs a constant for 'dim'}}
  %0 = torch.aten._softmax %x, %d, %false : !torch.vtensor<[3,3],f32>, !torch.int, !torch.bool -> !torch.vtensor<[3,3],f32>
  return %0 : !torch.vtensor<[3,3],f32>
}

// -----

func.func @no_dimension_within_rank(%x: !torch.vtensor<[3,3],f32>) -> !torch.vtensor<[3,3],f32> {
  %false = torch.constant.bool false
  %d = torch.constant.int 2
  // expected-error @below {{has dimension 2 for 'dim', expected one within rank 2}}
  %0 = torch.aten._softmax %x, %d, %false : !torch.vtensor<[3,3],f32>, !torch.int, !torch.bool -> !torch.vtensor<[3,3],f32>
  return %0 : !torch.vtensor<[3,3],f32>
}

// -----

// expected-error @below {{argument 0 has type '!torch.vtensor<*,f32>', expected a tensor of known rank and element type or a number}}
func.func @no_unknown_rank(%x: !torch.vtensor<*,f32>) -> !torch.vtensor<*,f32> {
  return %x : !torch.vtensor<*,f32>
}
