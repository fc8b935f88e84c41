// RUN: ferrule-translate %s --serialize --target=1.0.0 --split-input-file --verify-diagnostics

func.func @operation(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'stablehlo.tan' cannot be in a portable artifact of version 1.0.0: that version does not have it}}
  %0 = stablehlo.tan %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @attribute(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{found result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>, which that version does not have}}
  %0 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// expected-error@+1 {{found attribute function_type = (tensor<2xf8E8M0FNU>) -> (), which version 1.8.0 has first}}
func.func @type(%x: tensor<2xf8E8M0FNU>) {
  return
}

// -----

func.func @several_operands(%x: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{found 2 operands, expected 1}}
  %0:2 = "stablehlo.all_gather"(%x, %x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0 : tensor<4xf32>
}

// -----

func.func @other_dialect(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'chlo.erf' cannot be in a portable artifact of version 1.0.0: expected operations of stablehlo and func}}
  %0 = chlo.erf %x : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// expected-error@+1 {{found attribute arg_attrs = [{a.b}], which has no form there}}
func.func @unit(%x: tensor<2xf32> {a.b}) {
  return
}
