// Written by utils/make_e2e.py; expected values are those of JAX 0.10.2.

// Unsigned bytes wrap around and compare without a sign.
module @unsigned_wraps {
  func.func @main() {
    %in0 = stablehlo.constant dense<[250, 5, 255]> : tensor<3xui8>
    %in1 = stablehlo.constant dense<[10, 10, 255]> : tensor<3xui8>
    %out:4 = call @f(%in0, %in1) : (tensor<3xui8>, tensor<3xui8>) -> (tensor<3xui8>, tensor<3xui8>, tensor<3xui8>, tensor<3xi1>)
    %want0 = stablehlo.constant dense<[4, 15, 254]> : tensor<3xui8>
    stablehlo.custom_call @check.expect_eq(%out#0, %want0) {has_side_effect = true} : (tensor<3xui8>, tensor<3xui8>) -> ()
    %want1 = stablehlo.constant dense<[240, 251, 0]> : tensor<3xui8>
    stablehlo.custom_call @check.expect_eq(%out#1, %want1) {has_side_effect = true} : (tensor<3xui8>, tensor<3xui8>) -> ()
    %want2 = stablehlo.constant dense<[196, 50, 1]> : tensor<3xui8>
    stablehlo.custom_call @check.expect_eq(%out#2, %want2) {has_side_effect = true} : (tensor<3xui8>, tensor<3xui8>) -> ()
    %want3 = stablehlo.constant dense<[false, true, false]> : tensor<3xi1>
    stablehlo.custom_call @check.expect_eq(%out#3, %want3) {has_side_effect = true} : (tensor<3xi1>, tensor<3xi1>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<3xui8>, %arg1: tensor<3xui8>) -> (tensor<3xui8> {jax.result_info = "result[0]"}, tensor<3xui8> {jax.result_info = "result[1]"}, tensor<3xui8> {jax.result_info = "result[2]"}, tensor<3xi1> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<3xui8>
    %1 = stablehlo.subtract %arg0, %arg1 : tensor<3xui8>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<3xui8>
    %3 = stablehlo.compare LT, %arg0, %arg1, UNSIGNED : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
    return %0, %1, %2, %3 : tensor<3xui8>, tensor<3xui8>, tensor<3xui8>, tensor<3xi1>
  }
}

// -----

// Rounding to bfloat16 and arithmetic in it.
module @to_bfloat16 {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[1.5, 0.625, 0.0, -1.0, -0.75, -1.875, -1.75], [-2.0, -1.375, 1.25, 0.625, 1.75, 0.0, 0.5], [2.0, 1.0, 0.5, 0.125, 0.25, 1.75, -0.875], [1.25, 0.75, -2.0, -0.375, 1.5, 0.25, -1.875], [1.125, 1.0, 1.375, -1.375, -1.75, 1.5, -2.0]]> : tensor<5x7xf32>
    %out:3 = call @f(%in0) : (tensor<5x7xf32>) -> (tensor<5x7xbf16>, tensor<5x7xbf16>, tensor<5x7xf32>)
    %want0 = stablehlo.constant dense<[[1.515625, 0.6328125, 0.0, -1.0078125, -0.7578125, -1.890625, -1.765625], [-2.015625, -1.390625, 1.265625, 0.6328125, 1.765625, 0.0, 0.50390625], [2.015625, 1.0078125, 0.50390625, 0.1259765625, 0.251953125, 1.765625, -0.8828125], [1.265625, 0.7578125, -2.015625, -0.37890625, 1.515625, 0.251953125, -1.890625], [1.1328125, 1.0078125, 1.390625, -1.390625, -1.765625, 1.515625, -2.015625]]> : tensor<5x7xbf16>
    stablehlo.custom_call @check.expect_close(%out#0, %want0) {has_side_effect = true} : (tensor<5x7xbf16>, tensor<5x7xbf16>) -> ()
    %want1 = stablehlo.constant dense<[[3.03125, 1.265625, 0.0, -2.015625, -1.515625, -3.78125, -3.53125], [-4.03125, -2.78125, 2.53125, 1.265625, 3.53125, 0.0, 1.0078125], [4.03125, 2.015625, 1.0078125, 0.251953125, 0.50390625, 3.53125, -1.765625], [2.53125, 1.515625, -4.03125, -0.7578125, 3.03125, 0.50390625, -3.78125], [2.265625, 2.015625, 2.78125, -2.78125, -3.53125, 3.03125, -4.03125]]> : tensor<5x7xbf16>
    stablehlo.custom_call @check.expect_close(%out#1, %want1) {has_side_effect = true} : (tensor<5x7xbf16>, tensor<5x7xbf16>) -> ()
    %want2 = stablehlo.constant dense<[[1.515625, 0.6328125, 0.0, -1.0078125, -0.7578125, -1.890625, -1.765625], [-2.015625, -1.390625, 1.265625, 0.6328125, 1.765625, 0.0, 0.50390625], [2.015625, 1.0078125, 0.50390625, 0.1259765625, 0.251953125, 1.765625, -0.8828125], [1.265625, 0.7578125, -2.015625, -0.37890625, 1.515625, 0.251953125, -1.890625], [1.1328125, 1.0078125, 1.390625, -1.390625, -1.765625, 1.515625, -2.015625]]> : tensor<5x7xf32>
    stablehlo.custom_call @check.expect_close(%out#2, %want2) {has_side_effect = true} : (tensor<5x7xf32>, tensor<5x7xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<5x7xf32>) -> (tensor<5x7xbf16> {jax.result_info = "result[0]"}, tensor<5x7xbf16> {jax.result_info = "result[1]"}, tensor<5x7xf32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<1.010000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x7xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<5x7xf32>
    %2 = stablehlo.convert %1 : (tensor<5x7xf32>) -> tensor<5x7xbf16>
    %3 = stablehlo.add %2, %2 : tensor<5x7xbf16>
    %4 = stablehlo.convert %2 : (tensor<5x7xbf16>) -> tensor<5x7xf32>
    return %2, %3, %4 : tensor<5x7xbf16>, tensor<5x7xbf16>, tensor<5x7xf32>
  }
}

// -----

// Ties go to even, NaN stays, the largest overflow; selection keeps bits.
module @bfloat16_corners {
  func.func @main() {
    %in0 = stablehlo.constant dense<[1.00390625, 1.01171875, 0x7FC00000, 0x7F800000, 3.3999999521443642e+38, -9.999665841421895e-42]> : tensor<6xf32>
    %out:3 = call @f(%in0) : (tensor<6xf32>) -> (tensor<6xbf16>, tensor<6xbf16>, tensor<6xbf16>)
    %want0 = stablehlo.constant dense<[1.0, 1.015625, 0x7FC0, 0x7F80, 0x7F80, -0.0]> : tensor<6xbf16>
    stablehlo.custom_call @check.expect_close(%out#0, %want0) {has_side_effect = true} : (tensor<6xbf16>, tensor<6xbf16>) -> ()
    %want1 = stablehlo.constant dense<[1.0, 1.015625, 0x7FC0, 0x7F80, 0x7F80, 0.0]> : tensor<6xbf16>
    stablehlo.custom_call @check.expect_close(%out#1, %want1) {has_side_effect = true} : (tensor<6xbf16>, tensor<6xbf16>) -> ()
    %want2 = stablehlo.constant dense<[-1.0, 1.015625, 0xFFC0, 0x7F80, 0x7F80, 0.0]> : tensor<6xbf16>
    stablehlo.custom_call @check.expect_close(%out#2, %want2) {has_side_effect = true} : (tensor<6xbf16>, tensor<6xbf16>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<6xf32>) -> (tensor<6xbf16> {jax.result_info = "result[0]"}, tensor<6xbf16> {jax.result_info = "result[1]"}, tensor<6xbf16> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<6xf32>) -> tensor<6xbf16>
    %1 = stablehlo.negate %0 : tensor<6xbf16>
    %2 = stablehlo.maximum %0, %1 : tensor<6xbf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<6xbf16>
    %4 = stablehlo.compare GT, %0, %3, FLOAT : (tensor<6xbf16>, tensor<6xbf16>) -> tensor<6xi1>
    %5 = stablehlo.negate %0 : tensor<6xbf16>
    %6 = call @_where(%4, %0, %5) : (tensor<6xi1>, tensor<6xbf16>, tensor<6xbf16>) -> tensor<6xbf16>
    return %0, %2, %6 : tensor<6xbf16>, tensor<6xbf16>, tensor<6xbf16>
  }
  func.func private @_where(%arg0: tensor<6xi1>, %arg1: tensor<6xbf16>, %arg2: tensor<6xbf16>) -> tensor<6xbf16> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<6xi1>, tensor<6xbf16>
    return %0 : tensor<6xbf16>
  }
}

// -----

// Products, quotients, moduli and parts.
module @complex_arithmetic {
  func.func @main() {
    %in0 = stablehlo.constant dense<[(1.0, 2.0), (-0.0, -1.0), (0.0, 0.0), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
    %in1 = stablehlo.constant dense<[(2.0, -1.0), (4.0, 0.0), (0.0, 1.0), (-2.0, 0.0)]> : tensor<4xcomplex<f32>>
    %out:5 = call @f(%in0, %in1) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    %want0 = stablehlo.constant dense<[(4.0, 3.0), (0.0, -4.0), (0.0, 0.0), (-6.0, 0.0)]> : tensor<4xcomplex<f32>>
    stablehlo.custom_call @check.expect_close(%out#0, %want0) {has_side_effect = true} : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> ()
    %want1 = stablehlo.constant dense<[(0.0, 1.0), (-0.0, -0.25), (0.0, 0.0), (-1.5, -0.0)]> : tensor<4xcomplex<f32>>
    stablehlo.custom_call @check.expect_close(%out#1, %want1) {has_side_effect = true} : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> ()
    %want2 = stablehlo.constant dense<[2.2360680103302, 1.0, 0.0, 3.0]> : tensor<4xf32>
    stablehlo.custom_call @check.expect_close(%out#2, %want2) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
    %want3 = stablehlo.constant dense<[1.0, -0.0, 0.0, 3.0]> : tensor<4xf32>
    stablehlo.custom_call @check.expect_close(%out#3, %want3) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
    %want4 = stablehlo.constant dense<[2.0, -1.0, 0.0, 0.0]> : tensor<4xf32>
    stablehlo.custom_call @check.expect_close(%out#4, %want4) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<4xcomplex<f32>>, %arg1: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<4xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<4xf32> {jax.result_info = "result[2]"}, tensor<4xf32> {jax.result_info = "result[3]"}, tensor<4xf32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<4xcomplex<f32>>
    %1 = stablehlo.divide %arg0, %arg1 : tensor<4xcomplex<f32>>
    %2 = stablehlo.abs %arg0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %3 = stablehlo.real %arg0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %4 = stablehlo.imag %arg0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    return %0, %1, %2, %3, %4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// Arithmetic in 16 bits, overflow included.
module @half_precision {
  func.func @main() {
    %in0 = stablehlo.constant dense<[0.0010004043579101562, 1.5, -65504.0, 7.0, 0x7E00]> : tensor<5xf16>
    %in1 = stablehlo.constant dense<[3.0, 0.5, 2.0, -7.0, 1.0]> : tensor<5xf16>
    %out:5 = call @f(%in0, %in1) : (tensor<5xf16>, tensor<5xf16>) -> (tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xi1>, tensor<5xi32>)
    %want0 = stablehlo.constant dense<[3.001953125, 2.0, -65504.0, 0.0, 0x7E00]> : tensor<5xf16>
    stablehlo.custom_call @check.expect_close(%out#0, %want0) {has_side_effect = true} : (tensor<5xf16>, tensor<5xf16>) -> ()
    %want1 = stablehlo.constant dense<[0.003002166748046875, 0.75, 0xFC00, -49.0, 0x7E00]> : tensor<5xf16>
    stablehlo.custom_call @check.expect_close(%out#1, %want1) {has_side_effect = true} : (tensor<5xf16>, tensor<5xf16>) -> ()
    %want2 = stablehlo.constant dense<[0.00033354759216308594, 3.0, -32752.0, -1.0, 0x7E00]> : tensor<5xf16>
    stablehlo.custom_call @check.expect_close(%out#2, %want2) {has_side_effect = true} : (tensor<5xf16>, tensor<5xf16>) -> ()
    %want3 = stablehlo.constant dense<[true, false, true, false, false]> : tensor<5xi1>
    stablehlo.custom_call @check.expect_eq(%out#3, %want3) {has_side_effect = true} : (tensor<5xi1>, tensor<5xi1>) -> ()
    %want4 = stablehlo.constant dense<[0, 1, -65504, 7, 0]> : tensor<5xi32>
    stablehlo.custom_call @check.expect_eq(%out#4, %want4) {has_side_effect = true} : (tensor<5xi32>, tensor<5xi32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<5xf16>, %arg1: tensor<5xf16>) -> (tensor<5xf16> {jax.result_info = "result[0]"}, tensor<5xf16> {jax.result_info = "result[1]"}, tensor<5xf16> {jax.result_info = "result[2]"}, tensor<5xi1> {jax.result_info = "result[3]"}, tensor<5xi32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<5xf16>
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<5xf16>
    %2 = stablehlo.divide %arg0, %arg1 : tensor<5xf16>
    %3 = stablehlo.compare LT, %arg0, %arg1, FLOAT : (tensor<5xf16>, tensor<5xf16>) -> tensor<5xi1>
    %4 = stablehlo.convert %arg0 : (tensor<5xf16>) -> tensor<5xi32>
    return %0, %1, %2, %3, %4 : tensor<5xf16>, tensor<5xf16>, tensor<5xf16>, tensor<5xi1>, tensor<5xi32>
  }
}

// -----

// Products wrap; bits are counted.
module @wide_integers {
  func.func @main() {
    %in0 = stablehlo.constant dense<[4611686018427387904, -4611686018427387904, 5]> : tensor<3xi64>
    %in1 = stablehlo.constant dense<[3, 3, -2]> : tensor<3xi64>
    %out:4 = call @f(%in0, %in1) : (tensor<3xi64>, tensor<3xi64>) -> (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>)
    %want0 = stablehlo.constant dense<[-4611686018427387904, 4611686018427387904, -10]> : tensor<3xi64>
    stablehlo.custom_call @check.expect_eq(%out#0, %want0) {has_side_effect = true} : (tensor<3xi64>, tensor<3xi64>) -> ()
    %want1 = stablehlo.constant dense<[1537228672809129301, -1537228672809129301, -2]> : tensor<3xi64>
    stablehlo.custom_call @check.expect_eq(%out#1, %want1) {has_side_effect = true} : (tensor<3xi64>, tensor<3xi64>) -> ()
    %want2 = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi64>
    stablehlo.custom_call @check.expect_eq(%out#2, %want2) {has_side_effect = true} : (tensor<3xi64>, tensor<3xi64>) -> ()
    %want3 = stablehlo.constant dense<[1, 0, 61]> : tensor<3xi64>
    stablehlo.custom_call @check.expect_eq(%out#3, %want3) {has_side_effect = true} : (tensor<3xi64>, tensor<3xi64>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<3xi64>, %arg1: tensor<3xi64>) -> (tensor<3xi64> {jax.result_info = "result[0]"}, tensor<3xi64> {jax.result_info = "result[1]"}, tensor<3xi64> {jax.result_info = "result[2]"}, tensor<3xi64> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<3xi64>
    %1 = stablehlo.divide %arg0, %arg1 : tensor<3xi64>
    %2 = stablehlo.popcnt %arg0 : tensor<3xi64>
    %3 = stablehlo.count_leading_zeros %arg0 : tensor<3xi64>
    return %0, %1, %2, %3 : tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>
  }
}

// -----

// Numbers that f32 does not have.
module @double_precision {
  func.func @main() {
    %in0 = stablehlo.constant dense<[0.1, -2.5, 1.0e+300]> : tensor<3xf64>
    %out:3 = call @f(%in0) : (tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf32>)
    %want0 = stablehlo.constant dense<[0.010000000000000002, 6.25, 0x7FF0000000000000]> : tensor<3xf64>
    stablehlo.custom_call @check.expect_close(%out#0, %want0) {has_side_effect = true} : (tensor<3xf64>, tensor<3xf64>) -> ()
    %want1 = stablehlo.constant dense<[0.31622776601683794, 1.5811388300841898, 1.0e+150]> : tensor<3xf64>
    stablehlo.custom_call @check.expect_close(%out#1, %want1) {has_side_effect = true} : (tensor<3xf64>, tensor<3xf64>) -> ()
    %want2 = stablehlo.constant dense<[0.10000000149011612, -2.5, 0x7F800000]> : tensor<3xf32>
    stablehlo.custom_call @check.expect_close(%out#2, %want2) {has_side_effect = true} : (tensor<3xf32>, tensor<3xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<3xf64>) -> (tensor<3xf64> {jax.result_info = "result[0]"}, tensor<3xf64> {jax.result_info = "result[1]"}, tensor<3xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<3xf64>
    %1 = stablehlo.abs %arg0 : tensor<3xf64>
    %2 = stablehlo.sqrt %1 : tensor<3xf64>
    %3 = stablehlo.convert %arg0 : (tensor<3xf64>) -> tensor<3xf32>
    return %0, %2, %3 : tensor<3xf64>, tensor<3xf64>, tensor<3xf32>
  }
}

// -----

// Towards zero, to the nearest integer that there is; NaN gives 0.
module @float_to_integer {
  func.func @main() {
    %in0 = stablehlo.constant dense<[300.70001220703125, -300.70001220703125, 0x7FC00000, 1.0000000200408773e+20, -0.8999999761581421]> : tensor<5xf32>
    %out:3 = call @f(%in0) : (tensor<5xf32>) -> (tensor<5xi32>, tensor<5xi8>, tensor<5xui8>)
    %want0 = stablehlo.constant dense<[300, -300, 0, 2147483647, 0]> : tensor<5xi32>
    stablehlo.custom_call @check.expect_eq(%out#0, %want0) {has_side_effect = true} : (tensor<5xi32>, tensor<5xi32>) -> ()
    %want1 = stablehlo.constant dense<[127, -128, 0, 127, 0]> : tensor<5xi8>
    stablehlo.custom_call @check.expect_eq(%out#1, %want1) {has_side_effect = true} : (tensor<5xi8>, tensor<5xi8>) -> ()
    %want2 = stablehlo.constant dense<[255, 0, 0, 255, 0]> : tensor<5xui8>
    stablehlo.custom_call @check.expect_eq(%out#2, %want2) {has_side_effect = true} : (tensor<5xui8>, tensor<5xui8>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<5xf32>) -> (tensor<5xi32> {jax.result_info = "result[0]"}, tensor<5xi8> {jax.result_info = "result[1]"}, tensor<5xui8> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<5xf32>) -> tensor<5xi32>
    %1 = stablehlo.convert %arg0 : (tensor<5xf32>) -> tensor<5xi8>
    %2 = stablehlo.convert %arg0 : (tensor<5xf32>) -> tensor<5xui8>
    return %0, %1, %2 : tensor<5xi32>, tensor<5xi8>, tensor<5xui8>
  }
}
