// Written by utils/make_e2e.py; expected values are those of JAX 0.10.2.

// Transposes, reverses, slices with steps, negative padding.
module @rearranging {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[[1.5, 0.625, 0.0, -1.0], [-0.75, -1.875, -1.75, -2.0], [-1.375, 1.25, 0.625, 1.75]], [[0.0, 0.5, 2.0, 1.0], [0.5, 0.125, 0.25, 1.75], [-0.875, 1.25, 0.75, -2.0]]]> : tensor<2x3x4xf32>
    %out:4 = call @f(%in0) : (tensor<2x3x4xf32>) -> (tensor<4x2x3xf32>, tensor<2x3x4xf32>, tensor<2x2x1xf32>, tensor<3x6x3xf32>)
    %want0 = stablehlo.constant dense<[[[1.5, -0.75, -1.375], [0.0, 0.5, -0.875]], [[0.625, -1.875, 1.25], [0.5, 0.125, 1.25]], [[0.0, -1.75, 0.625], [2.0, 0.25, 0.75]], [[-1.0, -2.0, 1.75], [1.0, 1.75, -2.0]]]> : tensor<4x2x3xf32>
    stablehlo.custom_call @check.expect_close(%out#0, %want0) {has_side_effect = true} : (tensor<4x2x3xf32>, tensor<4x2x3xf32>) -> ()
    %want1 = stablehlo.constant dense<[[[1.75, 0.625, 1.25, -1.375], [-2.0, -1.75, -1.875, -0.75], [-1.0, 0.0, 0.625, 1.5]], [[-2.0, 0.75, 1.25, -0.875], [1.75, 0.25, 0.125, 0.5], [1.0, 2.0, 0.5, 0.0]]]> : tensor<2x3x4xf32>
    stablehlo.custom_call @check.expect_close(%out#1, %want1) {has_side_effect = true} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> ()
    %want2 = stablehlo.constant dense<[[[0.625], [1.25]], [[0.5], [1.25]]]> : tensor<2x2x1xf32>
    stablehlo.custom_call @check.expect_close(%out#2, %want2) {has_side_effect = true} : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> ()
    %want3 = stablehlo.constant dense<[[[9.0, 9.0, 9.0], [9.0, 9.0, 9.0], [9.0, 9.0, 9.0], [9.0, 9.0, 9.0], [9.0, 9.0, 9.0], [9.0, 9.0, 9.0]], [[9.0, 9.0, 9.0], [-0.75, -1.875, -1.75], [9.0, 9.0, 9.0], [-1.375, 1.25, 0.625], [9.0, 9.0, 9.0], [9.0, 9.0, 9.0]], [[9.0, 9.0, 9.0], [0.5, 0.125, 0.25], [9.0, 9.0, 9.0], [-0.875, 1.25, 0.75], [9.0, 9.0, 9.0], [9.0, 9.0, 9.0]]]> : tensor<3x6x3xf32>
    stablehlo.custom_call @check.expect_close(%out#3, %want3) {has_side_effect = true} : (tensor<3x6x3xf32>, tensor<3x6x3xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<2x3x4xf32>) -> (tensor<4x2x3xf32> {jax.result_info = "result[0]"}, tensor<2x3x4xf32> {jax.result_info = "result[1]"}, tensor<2x2x1xf32> {jax.result_info = "result[2]"}, tensor<3x6x3xf32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %0 = stablehlo.pad %arg0, %cst, low = [1, -1, 0], high = [0, 2, -1], interior = [0, 1, 0] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3x6x3xf32>
    %1 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    %2 = stablehlo.reverse %arg0, dims = [1, 2] : tensor<2x3x4xf32>
    %3 = stablehlo.slice %arg0 [0:2, 0:3:2, 1:4:3] : (tensor<2x3x4xf32>) -> tensor<2x2x1xf32>
    return %1, %2, %3, %0 : tensor<4x2x3xf32>, tensor<2x3x4xf32>, tensor<2x2x1xf32>, tensor<3x6x3xf32>
  }
}

// -----

// Starts are clamped so that the slice lies within.
module @dynamic_slices {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[1.5, 0.625, 0.0, -1.0, -0.75, -1.875], [-1.75, -2.0, -1.375, 1.25, 0.625, 1.75], [0.0, 0.5, 2.0, 1.0, 0.5, 0.125], [0.25, 1.75, -0.875, 1.25, 0.75, -2.0]]> : tensor<4x6xf32>
    %in1 = stablehlo.constant dense<3> : tensor<i32>
    %in2 = stablehlo.constant dense<-2> : tensor<i32>
    %out:2 = call @f(%in0, %in1, %in2) : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<4x6xf32>)
    %want0 = stablehlo.constant dense<[[1.0, 0.5, 0.125], [1.25, 0.75, -2.0]]> : tensor<2x3xf32>
    stablehlo.custom_call @check.expect_close(%out#0, %want0) {has_side_effect = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
    %want1 = stablehlo.constant dense<[[1.5, 0.625, 0.0, -1.0, -0.75, -1.875], [-1.75, -2.0, -1.375, 1.25, 0.625, 1.75], [0.0, 0.5, 2.0, 2.0, 1.0, 0.25], [0.25, 1.75, -0.875, 2.5, 1.5, -4.0]]> : tensor<4x6xf32>
    stablehlo.custom_call @check.expect_close(%out#1, %want1) {has_side_effect = true} : (tensor<4x6xf32>, tensor<4x6xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<4x6xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> (tensor<2x3xf32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg1 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.compare LT, %arg2, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<6> : tensor<i32>
    %4 = stablehlo.add %arg2, %c_2 : tensor<i32>
    %5 = stablehlo.select %3, %4, %arg2 : tensor<i1>, tensor<i32>
    %6 = stablehlo.dynamic_slice %arg0, %2, %5, sizes = [2, 3] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<2x3xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %arg1, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<4> : tensor<i32>
    %10 = stablehlo.add %arg1, %c_4 : tensor<i32>
    %11 = stablehlo.select %9, %10, %arg1 : tensor<i1>, tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.compare LT, %arg1, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<6> : tensor<i32>
    %13 = stablehlo.add %arg1, %c_6 : tensor<i32>
    %14 = stablehlo.select %12, %13, %arg1 : tensor<i1>, tensor<i32>
    %15 = stablehlo.dynamic_update_slice %arg0, %8, %11, %14 : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
    return %6, %15 : tensor<2x3xf32>, tensor<4x6xf32>
  }
}

// -----

// Tensors without elements.
module @empty_tensors {
  func.func @main() {
    %in0 = stablehlo.constant dense<> : tensor<0x3xf32>
    %in1 = stablehlo.constant dense<[[1.5, 0.625, 0.0], [-1.0, -0.75, -1.875]]> : tensor<2x3xf32>
    %out:2 = call @f(%in0, %in1) : (tensor<0x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
    %want0 = stablehlo.constant dense<[[1.5, 0.625, 0.0], [-1.0, -0.75, -1.875]]> : tensor<2x3xf32>
    stablehlo.custom_call @check.expect_close(%out#0, %want0) {has_side_effect = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
    %want1 = stablehlo.constant dense<[0.0, 0.0, 0.0]> : tensor<3xf32>
    stablehlo.custom_call @check.expect_close(%out#1, %want1) {has_side_effect = true} : (tensor<3xf32>, tensor<3xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<0x3xf32>, %arg1: tensor<2x3xf32>) -> (tensor<2x3xf32> {jax.result_info = "result[0]"}, tensor<3xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
    return %0, %1 : tensor<2x3xf32>, tensor<3xf32>
  }
}
