// Written by utils/make_e2e.py; expected values are those of JAX 0.10.2.

// Overlapping windows that reach into the padding.
module @pooling {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[[[1.5, 0.625], [0.0, -1.0], [-0.75, -1.875], [-1.75, -2.0], [-1.375, 1.25], [0.625, 1.75]], [[0.0, 0.5], [2.0, 1.0], [0.5, 0.125], [0.25, 1.75], [-0.875, 1.25], [0.75, -2.0]], [[-0.375, 1.5], [0.25, -1.875], [1.125, 1.0], [1.375, -1.375], [-1.75, 1.5], [-2.0, 0.125]], [[-1.75, -0.875], [-0.125, -0.375], [-0.375, -2.0], [-2.0, -1.5], [-2.0, 0.75], [0.125, 0.625]], [[-1.0, 0.5], [1.125, -0.5], [-0.125, 2.0], [1.25, 2.0], [-0.5, 0.75], [1.875, 0.625]], [[1.375, 0.75], [0.875, -0.5], [1.5, -1.5], [0.375, 0.875], [1.375, 0.125], [-0.5, -0.75]]]]> : tensor<1x6x6x2xf32>
    %out:2 = call @f(%in0) : (tensor<1x6x6x2xf32>) -> (tensor<1x3x3x2xf32>, tensor<1x5x5x2xf32>)
    %want0 = stablehlo.constant dense<[[[[2.0, 1.5], [1.375, 1.75], [0.75, 1.75]], [[1.125, 2.0], [1.375, 2.0], [1.875, 1.5]], [[1.5, 2.0], [1.5, 2.0], [1.875, 0.75]]]]> : tensor<1x3x3x2xf32>
    stablehlo.custom_call @check.expect_close(%out#0, %want0) {has_side_effect = true} : (tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>) -> ()
    %want1 = stablehlo.constant dense<[[[[3.5, 1.125], [1.75, -1.75], [-1.75, -2.0], [-3.75, 2.25], [-0.875, 2.25]], [[1.875, 1.125], [3.875, 0.25], [3.25, 1.5], [-1.0, 3.125], [-3.875, 0.875]], [[-2.0, -1.625], [0.875, -3.25], [0.125, -3.875], [-4.375, -0.625], [-5.625, 3.0]], [[-1.75, -1.25], [0.5, -0.875], [-1.25, 0.5], [-3.25, 2.0], [-0.5, 2.75]], [[2.375, 0.25], [3.375, -0.5], [3.0, 3.375], [2.5, 3.75], [2.25, 0.75]]]]> : tensor<1x5x5x2xf32>
    stablehlo.custom_call @check.expect_close(%out#1, %want1) {has_side_effect = true} : (tensor<1x5x5x2xf32>, tensor<1x5x5x2xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<1x6x6x2xf32>) -> (tensor<1x3x3x2xf32> {jax.result_info = "result[0]"}, tensor<1x5x5x2xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %4 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<1x3x3x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<f32>
    %3 = "stablehlo.reduce_window"(%arg0, %2) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<1x5x5x2xf32>
    return %1, %3 : tensor<1x3x3x2xf32>, tensor<1x5x5x2xf32>
  }
}

// -----

// A window as long as the dimension.
module @running_sum {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[1.5, 0.625, 0.0, -1.0, -0.75, -1.875, -1.75, -2.0], [-1.375, 1.25, 0.625, 1.75, 0.0, 0.5, 2.0, 1.0], [0.5, 0.125, 0.25, 1.75, -0.875, 1.25, 0.75, -2.0]]> : tensor<3x8xf32>
    %out:2 = call @f(%in0) : (tensor<3x8xf32>) -> (tensor<3x8xf32>, tensor<3x8xf32>)
    %want0 = stablehlo.constant dense<[[1.5, 2.125, 2.125, 1.125, 0.375, -1.5, -3.25, -5.25], [-1.375, -0.125, 0.5, 2.25, 2.25, 2.75, 4.75, 5.75], [0.5, 0.625, 0.875, 2.625, 1.75, 3.0, 3.75, 1.75]]> : tensor<3x8xf32>
    stablehlo.custom_call @check.expect_close(%out#0, %want0) {has_side_effect = true} : (tensor<3x8xf32>, tensor<3x8xf32>) -> ()
    %want1 = stablehlo.constant dense<[[0.625, 2.0, 0.875, 2.5, -1.625, -0.125, 1.0, -3.0], [-0.875, 1.375, 0.875, 3.5, -0.875, 1.75, 2.75, -1.0], [0.5, 0.125, 0.25, 1.75, -0.875, 1.25, 0.75, -2.0]]> : tensor<3x8xf32>
    stablehlo.custom_call @check.expect_close(%out#1, %want1) {has_side_effect = true} : (tensor<3x8xf32>, tensor<3x8xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<3x8xf32>) -> (tensor<3x8xf32> {jax.result_info = "result[0]"}, tensor<3x8xf32> {jax.result_info = "result[1]"}) {
    %0 = call @cumsum(%arg0) : (tensor<3x8xf32>) -> tensor<3x8xf32>
    %1 = call @cumsum_1(%arg0) : (tensor<3x8xf32>) -> tensor<3x8xf32>
    return %0, %1 : tensor<3x8xf32>, tensor<3x8xf32>
  }
  func.func private @cumsum(%arg0: tensor<3x8xf32>) -> tensor<3x8xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<3x8xf32>) -> tensor<3x8xf32>
    return %0 : tensor<3x8xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<3x8xf32>) -> tensor<3x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [7, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 8>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<3x8xf32>, tensor<f32>) -> tensor<3x8xf32>
    return %1 : tensor<3x8xf32>
  }
  func.func private @cumsum_1(%arg0: tensor<3x8xf32>) -> tensor<3x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 2], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<3x8xf32>, tensor<f32>) -> tensor<3x8xf32>
    return %1 : tensor<3x8xf32>
  }
}

// -----

// Scatters to the largest element of each window.
module @gradient_of_pooling {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 0.0], [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 0.0, 1.0]]]> : tensor<1x4x4xf32>
    %out = call @f(%in0) : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
    %want0 = stablehlo.constant dense<[[[0.0, 0.0, 0.0, 0.0], [0.0, 3.0, 3.0, 0.0], [0.0, 0.0, 0.0, 3.0], [0.0, 3.0, 0.0, 0.0]]]> : tensor<1x4x4xf32>
    stablehlo.custom_call @check.expect_close(%out, %want0) {has_side_effect = true} : (tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<1x4x4xf32>) -> (tensor<1x4x4xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<0> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2>, window_strides = array<i64: 1, 2, 2>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %11 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %11 : tensor<f32>
    }) : (tensor<1x4x4xf32>, tensor<f32>) -> tensor<1x2x2xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x2x2xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<1x2x2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x2x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x2x2xf32>
    %cst_3 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x2xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<1x2x2xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.pad %arg0, %cst_4, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<1x4x4xf32>, tensor<f32>) -> tensor<1x4x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = "stablehlo.select_and_scatter"(%8, %7, %cst_5) <{padding = dense<0> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 2, 2>, window_strides = array<i64: 1, 2, 2>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %11 = stablehlo.compare GE, %arg1, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    }, {
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %11 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %11 : tensor<f32>
    }) : (tensor<1x4x4xf32>, tensor<1x2x2xf32>, tensor<f32>) -> tensor<1x4x4xf32>
    %10 = stablehlo.slice %9 [0:1, 0:4, 0:4] : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
    return %10 : tensor<1x4x4xf32>
  }
}
