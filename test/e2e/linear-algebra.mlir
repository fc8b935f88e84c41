// Written by utils/make_e2e.py; expected values are those of JAX 0.10.2.

// A Cholesky factor and systems with it, from both sides.
module @factor_and_solve {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[4.0, 2.0, 2.0], [2.0, 5.0, 3.0], [2.0, 3.0, 6.0]]> : tensor<3x3xf32>
    %in1 = stablehlo.constant dense<[[1.5, 0.625], [0.0, -1.0], [-0.75, -1.875]]> : tensor<3x2xf32>
    %out:3 = call @f(%in0, %in1) : (tensor<3x3xf32>, tensor<3x2xf32>) -> (tensor<3x3xf32>, tensor<3x2xf32>, tensor<2x3xf32>)
    %want0 = stablehlo.constant dense<[[2.0, 0.0, 0.0], [1.0, 2.0, 0.0], [1.0, 1.0, 2.0]]> : tensor<3x3xf32>
    stablehlo.custom_call @check.expect_almost_eq(%out#0, %want0) {has_side_effect = true} : (tensor<3x3xf32>, tensor<3x3xf32>) -> ()
    %want1 = stablehlo.constant dense<[[0.75, 0.3125], [-0.375, -0.65625], [-0.5625, -0.765625]]> : tensor<3x2xf32>
    stablehlo.custom_call @check.expect_almost_eq(%out#1, %want1) {has_side_effect = true} : (tensor<3x2xf32>, tensor<3x2xf32>) -> ()
    %want2 = stablehlo.constant dense<[[0.75, -0.375, -0.5625], [0.3125, -0.65625, -0.765625]]> : tensor<2x3xf32>
    stablehlo.custom_call @check.expect_almost_eq(%out#2, %want2) {has_side_effect = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<3x3xf32>, %arg1: tensor<3x2xf32>) -> (tensor<3x3xf32> {jax.result_info = "result[0]"}, tensor<3x2xf32> {jax.result_info = "result[1]"}, tensor<2x3xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<3x3xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %3 = stablehlo.divide %1, %2 : tensor<3x3xf32>
    %4 = stablehlo.cholesky %3, lower = true : tensor<3x3xf32>
    %5 = stablehlo.iota dim = 0 : tensor<3x3xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<3x3xi64>
    %7 = stablehlo.add %5, %6 : tensor<3x3xi64>
    %8 = stablehlo.iota dim = 1 : tensor<3x3xi64>
    %9 = stablehlo.compare GE, %7, %8, SIGNED : (tensor<3x3xi64>, tensor<3x3xi64>) -> tensor<3x3xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %11 = stablehlo.select %9, %4, %10 : tensor<3x3xi1>, tensor<3x3xf32>
    %12 = "stablehlo.triangular_solve"(%11, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    %13 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
    %14 = "stablehlo.triangular_solve"(%11, %13) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %11, %12, %14 : tensor<3x3xf32>, tensor<3x2xf32>, tensor<2x3xf32>
  }
}

// -----

// Fourier transforms of 12 points: forward, back, of real numbers.
module @spectra {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[1.5, 0.625, 0.0, -1.0, -0.75, -1.875, -1.75, -2.0, -1.375, 1.25, 0.625, 1.75], [0.0, 0.5, 2.0, 1.0, 0.5, 0.125, 0.25, 1.75, -0.875, 1.25, 0.75, -2.0]]> : tensor<2x12xf32>
    %out:4 = call @f(%in0) : (tensor<2x12xf32>) -> (tensor<2x12xcomplex<f32>>, tensor<2x12xcomplex<f32>>, tensor<2x7xcomplex<f32>>, tensor<2x12xf32>)
    %want0 = stablehlo.constant dense<[[(-3.0, 0.0), (10.03765869140625, 2.75), (-0.5, 2.1650633811950684), (0.5, -1.25), (1.5, 0.0), (-0.78765869140625, 2.75), (-0.5, 0.0), (-0.78765869140625, -2.75), (1.5, 0.0), (0.5, 1.25), (-0.5, -2.1650633811950684), (10.03765869140625, -2.75)], [(5.25, 0.0), (-1.6103355884552002, -2.4608168601989746), (-3.0, -3.464101552963257), (-3.375, -1.125), (1.125, -3.680607795715332), (4.235335350036621, 2.0858168601989746), (-1.1920928955078125e-07, 0.0), (4.235335350036621, -2.0858166217803955), (1.125, 3.680607795715332), (-3.375, 1.1250001192092896), (-3.0, 3.464101552963257), (-1.6103355884552002, 2.4608166217803955)]]> : tensor<2x12xcomplex<f32>>
    stablehlo.custom_call @check.expect_almost_eq(%out#0, %want0) {has_side_effect = true} : (tensor<2x12xcomplex<f32>>, tensor<2x12xcomplex<f32>>) -> ()
    %want1 = stablehlo.constant dense<[[(1.5, 0.0), (0.6249999403953552, 0.0), (0.0, 0.0), (-1.0, 0.0), (-0.75, 0.0), (-1.875, 0.0), (-1.75, 0.0), (-2.0, 0.0), (-1.375, 0.0), (1.25, 0.0), (0.625, 0.0), (1.75, 0.0)], [(-3.973643103449831e-08, 9.934107758624577e-09), (0.5000001192092896, -1.9868215517249155e-08), (2.0, -9.934107758624577e-09), (1.0, 0.0), (0.5, 9.934107758624577e-09), (0.12499988079071045, 2.7140487190990825e-08), (0.2500000298023224, -9.934107758624577e-09), (1.7499998807907104, 0.0), (-0.875, 9.934107758624577e-09), (1.25, -7.2722712296524605e-09), (0.7499999403953552, -9.934107758624577e-09), (-1.9999998807907104, 0.0)]]> : tensor<2x12xcomplex<f32>>
    stablehlo.custom_call @check.expect_almost_eq(%out#1, %want1) {has_side_effect = true} : (tensor<2x12xcomplex<f32>>, tensor<2x12xcomplex<f32>>) -> ()
    %want2 = stablehlo.constant dense<[[(-3.0, 0.0), (10.03765869140625, 2.75), (-0.5, 2.1650636196136475), (0.5, -1.25), (1.5, 2.384185791015625e-07), (-0.78765869140625, 2.75), (-0.5, 0.0)], [(5.25, 0.0), (-1.6103358268737793, -2.4608166217803955), (-3.0, -3.464101552963257), (-3.375, -1.125), (1.125, -3.680608034133911), (4.235335826873779, 2.0858166217803955), (0.0, 0.0)]]> : tensor<2x7xcomplex<f32>>
    stablehlo.custom_call @check.expect_almost_eq(%out#2, %want2) {has_side_effect = true} : (tensor<2x7xcomplex<f32>>, tensor<2x7xcomplex<f32>>) -> ()
    %want3 = stablehlo.constant dense<[[1.5, 0.6249999403953552, 0.0, -1.0, -0.75, -1.875, -1.75, -2.0, -1.375, 1.25, 0.625, 1.75], [0.0, 0.5, 2.0, 1.0, 0.5, 0.125, 0.25, 1.75, -0.875, 1.25, 0.75, -2.0]]> : tensor<2x12xf32>
    stablehlo.custom_call @check.expect_almost_eq(%out#3, %want3) {has_side_effect = true} : (tensor<2x12xf32>, tensor<2x12xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<2x12xf32>) -> (tensor<2x12xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<2x12xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<2x7xcomplex<f32>> {jax.result_info = "result[2]"}, tensor<2x12xf32> {jax.result_info = "result[3]"}) {
    %0 = call @fft(%arg0) : (tensor<2x12xf32>) -> tensor<2x12xcomplex<f32>>
    %1 = call @fft_0(%0) : (tensor<2x12xcomplex<f32>>) -> tensor<2x12xcomplex<f32>>
    %2 = call @fft_1(%arg0) : (tensor<2x12xf32>) -> tensor<2x7xcomplex<f32>>
    %3 = call @fft_1(%arg0) : (tensor<2x12xf32>) -> tensor<2x7xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %4 = call @_pad(%3, %c) : (tensor<2x7xcomplex<f32>>, tensor<i64>) -> tensor<2x7xcomplex<f32>>
    %5 = call @fft_2(%4) : (tensor<2x7xcomplex<f32>>) -> tensor<2x12xf32>
    return %0, %1, %2, %5 : tensor<2x12xcomplex<f32>>, tensor<2x12xcomplex<f32>>, tensor<2x7xcomplex<f32>>, tensor<2x12xf32>
  }
  func.func private @fft(%arg0: tensor<2x12xf32>) -> tensor<2x12xcomplex<f32>> {
    %0 = stablehlo.convert %arg0 : (tensor<2x12xf32>) -> tensor<2x12xcomplex<f32>>
    %1 = stablehlo.fft %0, type = FFT, length = [12] : (tensor<2x12xcomplex<f32>>) -> tensor<2x12xcomplex<f32>>
    return %1 : tensor<2x12xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<2x12xcomplex<f32>>) -> tensor<2x12xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [12] : (tensor<2x12xcomplex<f32>>) -> tensor<2x12xcomplex<f32>>
    return %0 : tensor<2x12xcomplex<f32>>
  }
  func.func private @fft_1(%arg0: tensor<2x12xf32>) -> tensor<2x7xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [12] : (tensor<2x12xf32>) -> tensor<2x7xcomplex<f32>>
    return %0 : tensor<2x7xcomplex<f32>>
  }
  func.func private @_pad(%arg0: tensor<2x7xcomplex<f32>>, %arg1: tensor<i64>) -> tensor<2x7xcomplex<f32>> {
    %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x7xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x7xcomplex<f32>>
    return %1 : tensor<2x7xcomplex<f32>>
  }
  func.func private @fft_2(%arg0: tensor<2x7xcomplex<f32>>) -> tensor<2x12xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [12] : (tensor<2x7xcomplex<f32>>) -> tensor<2x12xf32>
    return %0 : tensor<2x12xf32>
  }
}
