// Written by utils/make_e2e.py; expected values are those of JAX 0.10.2.

// Stable: values of equal keys keep their order.
module @keys_and_values {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[3, 1, 2, 1], [0, -1, 5, -1]]> : tensor<2x4xi32>
    %in1 = stablehlo.constant dense<[[1.5, 0.625, 0.0, -1.0], [-0.75, -1.875, -1.75, -2.0]]> : tensor<2x4xf32>
    %out:2 = call @f(%in0, %in1) : (tensor<2x4xi32>, tensor<2x4xf32>) -> (tensor<2x4xi32>, tensor<2x4xf32>)
    %want0 = stablehlo.constant dense<[[1, 1, 2, 3], [-1, -1, 0, 5]]> : tensor<2x4xi32>
    stablehlo.custom_call @check.expect_eq(%out#0, %want0) {has_side_effect = true} : (tensor<2x4xi32>, tensor<2x4xi32>) -> ()
    %want1 = stablehlo.constant dense<[[0.625, -1.0, 0.0, 1.5], [-1.875, -2.0, -0.75, -1.75]]> : tensor<2x4xf32>
    stablehlo.custom_call @check.expect_close(%out#1, %want1) {has_side_effect = true} : (tensor<2x4xf32>, tensor<2x4xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<2x4xi32>, %arg1: tensor<2x4xf32>) -> (tensor<2x4xi32> {jax.result_info = "result[0]"}, tensor<2x4xf32> {jax.result_info = "result[1]"}) {
    %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<f32>, %arg5: tensor<f32>):
      %1 = stablehlo.compare LT, %arg2, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<2x4xi32>, tensor<2x4xf32>) -> (tensor<2x4xi32>, tensor<2x4xf32>)
    return %0#0, %0#1 : tensor<2x4xi32>, tensor<2x4xf32>
  }
}

// -----

// NaN goes last.
module @special_floats {
  func.func @main() {
    %in0 = stablehlo.constant dense<[2.0, 0x7FC00000, -0.0, 0.0, 0xFF800000, 1.0]> : tensor<6xf32>
    %out:3 = call @f(%in0) : (tensor<6xf32>) -> (tensor<6xi64>, tensor<2xf32>, tensor<2xi32>)
    %want0 = stablehlo.constant dense<[4, 2, 3, 5, 0, 1]> : tensor<6xi64>
    stablehlo.custom_call @check.expect_eq(%out#0, %want0) {has_side_effect = true} : (tensor<6xi64>, tensor<6xi64>) -> ()
    %want1 = stablehlo.constant dense<[1.0, 0.0]> : tensor<2xf32>
    stablehlo.custom_call @check.expect_close(%out#1, %want1) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
    %want2 = stablehlo.constant dense<[3, 1]> : tensor<2xi32>
    stablehlo.custom_call @check.expect_eq(%out#2, %want2) {has_side_effect = true} : (tensor<2xi32>, tensor<2xi32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<6xf32>) -> (tensor<6xi64> {jax.result_info = "result[0]"}, tensor<2xf32> {jax.result_info = "result[1][0]"}, tensor<2xi32> {jax.result_info = "result[1][1]"}) {
    %0 = call @argsort(%arg0) : (tensor<6xf32>) -> tensor<6xi64>
    %1 = stablehlo.slice %arg0 [2:6] : (tensor<6xf32>) -> tensor<4xf32>
    %values, %indices = chlo.top_k(%1, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
    return %0, %values, %indices : tensor<6xi64>, tensor<2xf32>, tensor<2xi32>
  }
  func.func private @argsort(%arg0: tensor<6xf32>) -> tensor<6xi64> {
    %0 = stablehlo.iota dim = 0 : tensor<6xi64>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i64>, %arg4: tensor<i64>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %5 = stablehlo.select %4, %cst_1, %3 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.select %6, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %9 = stablehlo.select %8, %cst_4, %7 : tensor<i1>, tensor<f32>
      %10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<6xf32>, tensor<6xi64>) -> (tensor<6xf32>, tensor<6xi64>)
    return %1#1 : tensor<6xi64>
  }
}
