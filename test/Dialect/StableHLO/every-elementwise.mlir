// RUN: ferrule-opt %s -split-input-file -o %t
// RUN: ferrule-opt %t -split-input-file | diff - %t
// RUN: ferrule-opt %s -split-input-file -mlir-print-op-generic | ferrule-opt -split-input-file | diff - %t

func.func @unary(%x: tensor<4xf32>, %i: tensor<4xi32>) {
  %0 = stablehlo.cbrt %x : tensor<4xf32>
  %1 = stablehlo.ceil %x : tensor<4xf32>
  %2 = stablehlo.cosine %x : tensor<4xf32>
  %3 = stablehlo.exponential %x : tensor<4xf32>
  %4 = stablehlo.exponential_minus_one %x : tensor<4xf32>
  %5 = stablehlo.floor %x : tensor<4xf32>
  %6 = stablehlo.imag %x : tensor<4xf32>
  %7 = stablehlo.log %x : tensor<4xf32>
  %8 = stablehlo.log_plus_one %x : tensor<4xf32>
  %9 = stablehlo.logistic %x : tensor<4xf32>
  %10 = stablehlo.negate %x : tensor<4xf32>
  %11 = stablehlo.round_nearest_afz %x : tensor<4xf32>
  %12 = stablehlo.round_nearest_even %x : tensor<4xf32>
  %13 = stablehlo.rsqrt %x : tensor<4xf32>
  %14 = stablehlo.sign %x : tensor<4xf32>
  %15 = stablehlo.sine %x : tensor<4xf32>
  %16 = stablehlo.sqrt %x : tensor<4xf32>
  %17 = stablehlo.tan %x : tensor<4xf32>
  %18 = stablehlo.tanh %x : tensor<4xf32>
  %19 = stablehlo.not %i : tensor<4xi32>
  %20 = stablehlo.popcnt %i : tensor<4xi32>
  %21 = stablehlo.count_leading_zeros %i : tensor<4xi32>
  return
}

// -----

func.func @accurate(%x: tensor<?x4xbf16>) {
  %0 = stablehlo.cbrt %x {mhlo.sharding = "x", result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<?x4xbf16>
  %1 = stablehlo.cosine %x {mhlo.sharding = "x", result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 1.000000e-01, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<?x4xbf16>
  %2 = stablehlo.exponential %x {mhlo.sharding = "x", result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<?x4xbf16>
  %3 = stablehlo.exponential_minus_one %x {mhlo.sharding = "x", result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<?x4xbf16>
  %4 = stablehlo.log %x {mhlo.sharding = "x", result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 1.000000e-01, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<?x4xbf16>
  %5 = stablehlo.log_plus_one %x {mhlo.sharding = "x", result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<?x4xbf16>
  %6 = stablehlo.logistic %x {mhlo.sharding = "x", result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<?x4xbf16>
  %7 = stablehlo.rsqrt %x {mhlo.sharding = "x", result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 1.000000e-01, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<?x4xbf16>
  %8 = stablehlo.sine %x {mhlo.sharding = "x", result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<?x4xbf16>
  %9 = stablehlo.sqrt %x {mhlo.sharding = "x", result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<?x4xbf16>
  %10 = stablehlo.tan %x {mhlo.sharding = "x", result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 1.000000e-01, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<?x4xbf16>
  %11 = stablehlo.tanh %x {mhlo.sharding = "x", result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<?x4xbf16>
  return
}

// -----

func.func @binary(%x: tensor<4xf32>, %i: tensor<4xui8>, %b: tensor<i1>, %d: tensor<?xf32>) {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  %1 = stablehlo.atan2 %x, %x : tensor<4xf32>
  %2 = stablehlo.divide %x, %x : tensor<4xf32>
  %3 = stablehlo.maximum %x, %x : tensor<4xf32>
  %4 = stablehlo.minimum %x, %x : tensor<4xf32>
  %5 = stablehlo.multiply %x, %x : tensor<4xf32>
  %6 = stablehlo.power %x, %x : tensor<4xf32>
  %7 = stablehlo.remainder %x, %x : tensor<4xf32>
  %8 = stablehlo.subtract %x, %x : tensor<4xf32>
  %9 = stablehlo.and %i, %i : tensor<4xui8>
  %10 = stablehlo.or %i, %i : tensor<4xui8>
  %11 = stablehlo.xor %i, %i : tensor<4xui8>
  %12 = stablehlo.shift_left %i, %i : tensor<4xui8>
  %13 = stablehlo.shift_right_arithmetic %i, %i : tensor<4xui8>
  %14 = stablehlo.shift_right_logical %i, %i : tensor<4xui8>
  %15 = stablehlo.and %b, %b {a.b} : tensor<i1>
  %16 = stablehlo.or %b, %b {a.b} : tensor<i1>
  %17 = stablehlo.xor %b, %b {a.b} : tensor<i1>
  %18 = stablehlo.add %x, %d : (tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @async(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %1 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

func.func @dynamic(%x: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x5xf32>, %p: tensor<2x2xi64>, %o: tensor<3x4x2xf32>, %i: tensor<2x3x2xi64>, %s: tensor<3xi64>) {
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, window_strides = array<i64: 2, 1>}> : (tensor<1x8x8x3xf32>, tensor<3x3x3x5xf32>, tensor<2x2xi64>) -> tensor<1x?x?x5xf32>
  %1 = "stablehlo.dynamic_gather"(%o, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = true}> : (tensor<3x4x2xf32>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x?x?xf32>
  return
}
