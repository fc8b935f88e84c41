// The checks themselves: every way of being equal that they know.

// Neighbours, zeros of both signs, NaNs and infinities are close.
func.func @close() {
  %0 = stablehlo.constant dense<[1.0, 0.0, 0x7FC00001, 0x7F800000]> : tensor<4xf32>
  %1 = stablehlo.constant dense<[1.0000002, -0.0, 0xFFC00000, 0x7F800000]> : tensor<4xf32>
  stablehlo.custom_call @check.expect_close(%0, %1) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}

func.func @almost_equal() {
  %0 = stablehlo.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[1.0009, 0x7FC00000]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_almost_eq(%0, %1) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}

func.func @equal_with_result() -> tensor<i1> {
  %0 = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>
  %1 = stablehlo.constant dense<[(1.00005, 2.0)]> : tensor<1xcomplex<f32>>
  %2 = stablehlo.custom_call @check.eq(%0, %1) : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<i1>
  return %2 : tensor<i1>
}

func.func private @inputs() -> (tensor<3xi4>, tensor<2xui8>) {
  %0 = stablehlo.constant dense<[-8, 7, 3]> : tensor<3xi4>
  %1 = stablehlo.constant dense<[200, 100]> : tensor<2xui8>
  return %0, %1 : tensor<3xi4>, tensor<2xui8>
}

// Functions without arguments hold data, as exported tests have them.
func.func @data_functions() {
  %0:2 = call @inputs() : () -> (tensor<3xi4>, tensor<2xui8>)
  %1 = stablehlo.add %0#1, %0#1 : tensor<2xui8>
  %2 = stablehlo.constant dense<[144, 200]> : tensor<2xui8>
  stablehlo.custom_call @check.expect_eq(%1, %2) {has_side_effect = true} : (tensor<2xui8>, tensor<2xui8>) -> ()
  stablehlo.custom_call @check.expect_eq(%0#0, %0#0) {has_side_effect = true} : (tensor<3xi4>, tensor<3xi4>) -> ()
  return
}

// -----

// The same as operations.
func.func @operations() {
  %0 = util.unfoldable_constant dense<[1.0, 0.0, 0x7FC00000]> : tensor<3xf32>
  %1 = stablehlo.add %0, %0 : tensor<3xf32>
  check.expect_eq_const %1, dense<[2.0, -0.0, 0xFFC00000]> : tensor<3xf32>
  check.expect_eq_const(%1, dense<[2.0, 0.0, 0x7FC00000]> : tensor<3xf32>) : tensor<3xf32>
  check.expect_almost_eq_const %1, dense<[2.0009, 0.0, 0x7FC00000]> : tensor<3xf32>
  check.expect_almost_eq_const(%1, dense<[2.09, 0.0, 0x7FC00000]> : tensor<3xf32>, atol 0.1) : tensor<3xf32>
  %2 = stablehlo.constant dense<[2.0000005, 0.0, 0x7FC00000]> : tensor<3xf32>
  check.expect_close %1, %2 : tensor<3xf32>
  check.expect_close %1, %2, min_ulp_difference = 2, max_ulp_difference = 2 : tensor<3xf32>, tensor<3xf32>
  check.expect_almost_eq %1, %2 : tensor<3xf32>
  return
}

// One unit in the last place of a small type is more than a thousandth.
func.func @small_types() {
  %0 = stablehlo.constant dense<[100.0, 1000.0]> : tensor<2xf16>
  %1 = stablehlo.constant dense<[100.06, 1000.5]> : tensor<2xf16>
  check.expect_almost_eq %0, %1 : tensor<2xf16>
  return
}

func.func @truths() {
  %0 = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  check.expect_all_true(%0) : tensor<2xi1>
  %1 = stablehlo.not %0 : tensor<2xi1>
  %2 = stablehlo.slice %1 [0:1] : (tensor<2xi1>) -> tensor<1xi1>
  check.expect_false(%2) : tensor<1xi1>
  return
}

func.func @probes() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.add %0, %0 : tensor<2xi32>
  %2 = interpreter.probe %1, probe_id = "sum" : tensor<2xi32>
  %3 = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
  check.expect_serialized_eq %3, "sum", 0 : tensor<2xi32>
  return
}

// -----

func.func @refused() {
  // expected-error@+1 {{shapes differ}}
  %0 = stablehlo.constant dense<[1, 2]> : tensor<3xi32>
  return
}
