// Written by utils/make_e2e.py; expected values are those of JAX 0.10.2.

// Quotients and remainders round towards zero.
module @integer_division {
  func.func @main() {
    %in0 = stablehlo.constant dense<[7, -7, 7, -7, -2147483648]> : tensor<5xi32>
    %in1 = stablehlo.constant dense<[3, 3, -3, -3, 2]> : tensor<5xi32>
    %out:2 = call @f(%in0, %in1) : (tensor<5xi32>, tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>)
    %want0 = stablehlo.constant dense<[2, -2, -2, 2, -1073741824]> : tensor<5xi32>
    stablehlo.custom_call @check.expect_eq(%out#0, %want0) {has_side_effect = true} : (tensor<5xi32>, tensor<5xi32>) -> ()
    %want1 = stablehlo.constant dense<[1, -1, 1, -1, 0]> : tensor<5xi32>
    stablehlo.custom_call @check.expect_eq(%out#1, %want1) {has_side_effect = true} : (tensor<5xi32>, tensor<5xi32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<5xi32>, %arg1: tensor<5xi32>) -> (tensor<5xi32> {jax.result_info = "result[0]"}, tensor<5xi32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<5xi32>
    %1 = stablehlo.remainder %arg0, %arg1 : tensor<5xi32>
    return %0, %1 : tensor<5xi32>, tensor<5xi32>
  }
}

// -----

// Shifts by the width and more give zero, or the sign.
module @shifts {
  func.func @main() {
    %in0 = stablehlo.constant dense<[1, -1, 200, -128]> : tensor<4xi32>
    %in1 = stablehlo.constant dense<[0, 31, 32, 40]> : tensor<4xi32>
    %out:3 = call @f(%in0, %in1) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)
    %want0 = stablehlo.constant dense<[1, -2147483648, 0, 0]> : tensor<4xi32>
    stablehlo.custom_call @check.expect_eq(%out#0, %want0) {has_side_effect = true} : (tensor<4xi32>, tensor<4xi32>) -> ()
    %want1 = stablehlo.constant dense<[1, 1, 0, 0]> : tensor<4xi32>
    stablehlo.custom_call @check.expect_eq(%out#1, %want1) {has_side_effect = true} : (tensor<4xi32>, tensor<4xi32>) -> ()
    %want2 = stablehlo.constant dense<[1, -1, 0, -1]> : tensor<4xi32>
    stablehlo.custom_call @check.expect_eq(%out#2, %want2) {has_side_effect = true} : (tensor<4xi32>, tensor<4xi32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<4xi32>, %arg1: tensor<4xi32>) -> (tensor<4xi32> {jax.result_info = "result[0]"}, tensor<4xi32> {jax.result_info = "result[1]"}, tensor<4xi32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<4xi32>
    %1 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<4xi32>
    %2 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<4xi32>
    return %0, %1, %2 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
}

// -----

// NaN wins in both.
module @maximum_and_minimum {
  func.func @main() {
    %in0 = stablehlo.constant dense<[0.0, -0.0, 1.5, -2.5, 0x7F800000, 0xFF800000, 0x7FC00000, 1.0000000031710769e-30]> : tensor<8xf32>
    %in1 = stablehlo.constant dense<[1.0000000031710769e-30, 0x7FC00000, 0xFF800000, 0x7F800000, -2.5, 1.5, -0.0, 0.0]> : tensor<8xf32>
    %out:2 = call @f(%in0, %in1) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    %want0 = stablehlo.constant dense<[1.0000000031710769e-30, 0x7FC00000, 1.5, 0x7F800000, 0x7F800000, 1.5, 0x7FC00000, 1.0000000031710769e-30]> : tensor<8xf32>
    stablehlo.custom_call @check.expect_close(%out#0, %want0) {has_side_effect = true} : (tensor<8xf32>, tensor<8xf32>) -> ()
    %want1 = stablehlo.constant dense<[0.0, 0xFFC00000, 0xFF800000, -2.5, -2.5, 0xFF800000, 0x7FC00000, 0.0]> : tensor<8xf32>
    stablehlo.custom_call @check.expect_close(%out#1, %want1) {has_side_effect = true} : (tensor<8xf32>, tensor<8xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = "result[0]"}, tensor<8xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<8xf32>
    %1 = stablehlo.minimum %arg0, %arg1 : tensor<8xf32>
    return %0, %1 : tensor<8xf32>, tensor<8xf32>
  }
}

// -----

// To even, away from zero, down, up; infinities and NaN stay.
module @rounding {
  func.func @main() {
    %in0 = stablehlo.constant dense<[0.5, 1.5, 2.5, -0.5, -1.5, 1.0000000150474662e+30, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
    %out:4 = call @f(%in0) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
    %want0 = stablehlo.constant dense<[1.0, 2.0, 3.0, -1.0, -2.0, 1.0000000150474662e+30, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
    stablehlo.custom_call @check.expect_close(%out#0, %want0) {has_side_effect = true} : (tensor<8xf32>, tensor<8xf32>) -> ()
    %want1 = stablehlo.constant dense<[0.0, 2.0, 2.0, -0.0, -2.0, 1.0000000150474662e+30, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
    stablehlo.custom_call @check.expect_close(%out#1, %want1) {has_side_effect = true} : (tensor<8xf32>, tensor<8xf32>) -> ()
    %want2 = stablehlo.constant dense<[0.0, 1.0, 2.0, -1.0, -2.0, 1.0000000150474662e+30, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
    stablehlo.custom_call @check.expect_close(%out#2, %want2) {has_side_effect = true} : (tensor<8xf32>, tensor<8xf32>) -> ()
    %want3 = stablehlo.constant dense<[1.0, 2.0, 3.0, -0.0, -1.0, 1.0000000150474662e+30, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
    stablehlo.custom_call @check.expect_close(%out#3, %want3) {has_side_effect = true} : (tensor<8xf32>, tensor<8xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = "result[0]"}, tensor<8xf32> {jax.result_info = "result[1]"}, tensor<8xf32> {jax.result_info = "result[2]"}, tensor<8xf32> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.round_nearest_afz %arg0 : tensor<8xf32>
    %1 = stablehlo.round_nearest_even %arg0 : tensor<8xf32>
    %2 = stablehlo.floor %arg0 : tensor<8xf32>
    %3 = stablehlo.ceil %arg0 : tensor<8xf32>
    return %0, %1, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
}

// -----

// Negative bases, zeros and what is 1 by definition.
module @powers {
  func.func @main() {
    %in0 = stablehlo.constant dense<[2.0, 2.0, -2.0, -2.0, 0.0, 0.0, 0x7F800000, 1.0]> : tensor<8xf32>
    %in1 = stablehlo.constant dense<[3.0, -1.0, 3.0, 0.5, 0.0, -1.0, 0.0, 0x7FC00000]> : tensor<8xf32>
    %out = call @f(%in0, %in1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %want0 = stablehlo.constant dense<[8.0, 0.5, -8.0, 0xFFC00000, 1.0, 0x7F800000, 1.0, 1.0]> : tensor<8xf32>
    stablehlo.custom_call @check.expect_close(%out, %want0) {has_side_effect = true} : (tensor<8xf32>, tensor<8xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>) {
    %0 = stablehlo.power %arg0, %arg1 : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// Functions of the mathematical library.
module @functions {
  func.func @main() {
    %in0 = stablehlo.constant dense<[-1.0, 0.0, 0.30000001192092896, 2.5, 40.0, -40.0]> : tensor<6xf32>
    %out:6 = call @f(%in0) : (tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>)
    %want0 = stablehlo.constant dense<[0.3678794503211975, 1.0, 0.740818202495575, 0.08208499848842621, 4.24835413113866e-18, 4.24835413113866e-18]> : tensor<6xf32>
    stablehlo.custom_call @check.expect_almost_eq(%out#0, %want0) {has_side_effect = true} : (tensor<6xf32>, tensor<6xf32>) -> ()
    %want1 = stablehlo.constant dense<[-0.7615941762924194, 0.0, 0.2913126051425934, 0.9866143465042114, 1.0, -1.0]> : tensor<6xf32>
    stablehlo.custom_call @check.expect_almost_eq(%out#1, %want1) {has_side_effect = true} : (tensor<6xf32>, tensor<6xf32>) -> ()
    %want2 = stablehlo.constant dense<[0.2689414322376251, 0.5, 0.5744425058364868, 0.9241418242454529, 1.0, 4.24835413113866e-18]> : tensor<6xf32>
    stablehlo.custom_call @check.expect_almost_eq(%out#2, %want2) {has_side_effect = true} : (tensor<6xf32>, tensor<6xf32>) -> ()
    %want3 = stablehlo.constant dense<[-0.8427008390426636, 0.0, 0.328626811504364, 0.9995930194854736, 1.0, -1.0]> : tensor<6xf32>
    stablehlo.custom_call @check.expect_almost_eq(%out#3, %want3) {has_side_effect = true} : (tensor<6xf32>, tensor<6xf32>) -> ()
    %want4 = stablehlo.constant dense<[-0.8414709568023682, 0.0, 0.29552021622657776, 0.5984721183776855, 0.7451131343841553, -0.7451131343841553]> : tensor<6xf32>
    stablehlo.custom_call @check.expect_almost_eq(%out#4, %want4) {has_side_effect = true} : (tensor<6xf32>, tensor<6xf32>) -> ()
    %want5 = stablehlo.constant dense<[0.6931471824645996, 0.0, 0.2623642683029175, 1.252763032913208, 3.7135720252990723, 3.7135720252990723]> : tensor<6xf32>
    stablehlo.custom_call @check.expect_almost_eq(%out#5, %want5) {has_side_effect = true} : (tensor<6xf32>, tensor<6xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<6xf32>) -> (tensor<6xf32> {jax.result_info = "result[0]"}, tensor<6xf32> {jax.result_info = "result[1]"}, tensor<6xf32> {jax.result_info = "result[2]"}, tensor<6xf32> {jax.result_info = "result[3]"}, tensor<6xf32> {jax.result_info = "result[4]"}, tensor<6xf32> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.abs %arg0 : tensor<6xf32>
    %1 = stablehlo.negate %0 : tensor<6xf32>
    %2 = stablehlo.exponential %1 : tensor<6xf32>
    %3 = stablehlo.tanh %arg0 : tensor<6xf32>
    %4 = stablehlo.negate %arg0 : tensor<6xf32>
    %5 = stablehlo.exponential %4 : tensor<6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %7 = stablehlo.add %6, %5 : tensor<6xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %9 = stablehlo.divide %8, %7 : tensor<6xf32>
    %10 = chlo.erf %arg0 : tensor<6xf32> -> tensor<6xf32>
    %11 = stablehlo.sine %arg0 : tensor<6xf32>
    %12 = stablehlo.abs %arg0 : tensor<6xf32>
    %13 = stablehlo.log_plus_one %12 : tensor<6xf32>
    return %2, %3, %9, %10, %11, %13 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  }
}
