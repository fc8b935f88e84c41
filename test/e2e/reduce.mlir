// Written by utils/make_e2e.py; expected values are those of JAX 0.10.2.

// Over the first, a middle, the last and all dimensions.
module @sums {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[[1.5, 0.625, 0.0, -1.0, -0.75], [-1.875, -1.75, -2.0, -1.375, 1.25], [0.625, 1.75, 0.0, 0.5, 2.0], [1.0, 0.5, 0.125, 0.25, 1.75]], [[-0.875, 1.25, 0.75, -2.0, -0.375], [1.5, 0.25, -1.875, 1.125, 1.0], [1.375, -1.375, -1.75, 1.5, -2.0], [0.125, -1.75, -0.875, -0.125, -0.375]], [[-0.375, -2.0, -2.0, -1.5, -2.0], [0.75, 0.125, 0.625, -1.0, 0.5], [1.125, -0.5, -0.125, 2.0, 1.25], [2.0, -0.5, 0.75, 1.875, 0.625]]]> : tensor<3x4x5xf32>
    %out:4 = call @f(%in0) : (tensor<3x4x5xf32>) -> (tensor<4x5xf32>, tensor<3x5xf32>, tensor<3x4xf32>, tensor<f32>)
    %want0 = stablehlo.constant dense<[[0.25, -0.125, -1.25, -4.5, -3.125], [0.375, -1.375, -3.25, -1.25, 2.75], [3.125, -0.125, -1.875, 4.0, 1.25], [3.125, -1.75, 0.0, 2.0, 2.0]]> : tensor<4x5xf32>
    stablehlo.custom_call @check.expect_close(%out#0, %want0) {has_side_effect = true} : (tensor<4x5xf32>, tensor<4x5xf32>) -> ()
    %want1 = stablehlo.constant dense<[[1.25, 1.125, -1.875, -1.625, 4.25], [2.125, -1.625, -3.75, 0.5, -1.75], [3.5, -2.875, -0.75, 1.375, 0.375]]> : tensor<3x5xf32>
    stablehlo.custom_call @check.expect_close(%out#1, %want1) {has_side_effect = true} : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
    %want2 = stablehlo.constant dense<[[0.375, -5.75, 4.875, 3.625], [-1.25, 2.0, -2.25, -3.0], [-7.875, 1.0, 3.75, 4.75]]> : tensor<3x4xf32>
    stablehlo.custom_call @check.expect_close(%out#2, %want2) {has_side_effect = true} : (tensor<3x4xf32>, tensor<3x4xf32>) -> ()
    %want3 = stablehlo.constant dense<0.25> : tensor<f32>
    stablehlo.custom_call @check.expect_close(%out#3, %want3) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<3x4x5xf32>) -> (tensor<4x5xf32> {jax.result_info = "result[0]"}, tensor<3x5xf32> {jax.result_info = "result[1]"}, tensor<3x4xf32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<3x4x5xf32>, tensor<f32>) -> tensor<4x5xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<3x4x5xf32>, tensor<f32>) -> tensor<3x5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<3x4x5xf32>, tensor<f32>) -> tensor<3x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%arg0 init: %cst_2) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<3x4x5xf32>, tensor<f32>) -> tensor<f32>
    return %0, %1, %2, %3 : tensor<4x5xf32>, tensor<3x5xf32>, tensor<3x4xf32>, tensor<f32>
  }
}

// -----

// The first of equal elements counts.
module @extremes {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[3, -1, 3], [-5, -5, 2]]> : tensor<2x3xi32>
    %out:4 = call @f(%in0) : (tensor<2x3xi32>) -> (tensor<2xi32>, tensor<2xi64>, tensor<2xi64>, tensor<3xi64>)
    %want0 = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
    stablehlo.custom_call @check.expect_eq(%out#0, %want0) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
    %want1 = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
    stablehlo.custom_call @check.expect_eq(%out#1, %want1) {has_side_effect = true} : (tensor<2xi64>, tensor<2xi64>) -> ()
    %want2 = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
    stablehlo.custom_call @check.expect_eq(%out#2, %want2) {has_side_effect = true} : (tensor<2xi64>, tensor<2xi64>) -> ()
    %want3 = stablehlo.constant dense<[-15, 5, 6]> : tensor<3xi64>
    stablehlo.custom_call @check.expect_eq(%out#3, %want3) {has_side_effect = true} : (tensor<3xi64>, tensor<3xi64>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<2x3xi32>) -> (tensor<2xi32> {jax.result_info = "result[0]"}, tensor<2xi64> {jax.result_info = "result[1]"}, tensor<2xi64> {jax.result_info = "result[2]"}, tensor<3xi64> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<-2147483648> : tensor<i32>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
    %1 = call @argmax(%arg0) : (tensor<2x3xi32>) -> tensor<2xi64>
    %2 = call @argmin(%arg0) : (tensor<2x3xi32>) -> tensor<2xi64>
    %3 = stablehlo.convert %arg0 : (tensor<2x3xi32>) -> tensor<2x3xi64>
    %c_0 = stablehlo.constant dense<1> : tensor<i64>
    %4 = stablehlo.reduce(%3 init: %c_0) applies stablehlo.multiply across dimensions = [0] : (tensor<2x3xi64>, tensor<i64>) -> tensor<3xi64>
    return %0, %1, %2, %4 : tensor<2xi32>, tensor<2xi64>, tensor<2xi64>, tensor<3xi64>
  }
  func.func private @argmax(%arg0: tensor<2x3xi32>) -> tensor<2xi64> {
    %0 = stablehlo.iota dim = 1 : tensor<2x3xi64>
    %c = stablehlo.constant dense<-2147483648> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [1] : (tensor<2x3xi32>, tensor<2x3xi64>, tensor<i32>, tensor<i64>) -> (tensor<2xi32>, tensor<2xi64>)
     reducer(%arg1: tensor<i32>, %arg3: tensor<i32>) (%arg2: tensor<i64>, %arg4: tensor<i64>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<i32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i64>
      stablehlo.return %9, %10 : tensor<i32>, tensor<i64>
    }
    return %1#1 : tensor<2xi64>
  }
  func.func private @argmin(%arg0: tensor<2x3xi32>) -> tensor<2xi64> {
    %0 = stablehlo.iota dim = 1 : tensor<2x3xi64>
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [1] : (tensor<2x3xi32>, tensor<2x3xi64>, tensor<i32>, tensor<i64>) -> (tensor<2xi32>, tensor<2xi64>)
     reducer(%arg1: tensor<i32>, %arg3: tensor<i32>) (%arg2: tensor<i64>, %arg4: tensor<i64>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<i32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i64>
      stablehlo.return %9, %10 : tensor<i32>, tensor<i64>
    }
    return %1#1 : tensor<2xi64>
  }
}

// -----

// Conjunction and disjunction.
module @booleans {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
    %out:2 = call @f(%in0) : (tensor<2x2xi1>) -> (tensor<2xi1>, tensor<2xi1>)
    %want0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
    stablehlo.custom_call @check.expect_eq(%out#0, %want0) {has_side_effect = true} : (tensor<2xi1>, tensor<2xi1>) -> ()
    %want1 = stablehlo.constant dense<[true, true]> : tensor<2xi1>
    stablehlo.custom_call @check.expect_eq(%out#1, %want1) {has_side_effect = true} : (tensor<2xi1>, tensor<2xi1>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<2x2xi1>) -> (tensor<2xi1> {jax.result_info = "result[0]"}, tensor<2xi1> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.and across dimensions = [0] : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.reduce(%arg0 init: %c_0) applies stablehlo.or across dimensions = [1] : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>
    return %0, %1 : tensor<2xi1>, tensor<2xi1>
  }
}
