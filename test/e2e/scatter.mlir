// Written by utils/make_e2e.py; expected values are those of JAX 0.10.2.

// Two updates of one row add up; one out of range is dropped.
module @sum_of_updates {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[1.5, 0.625, 0.0], [-1.0, -0.75, -1.875], [-1.75, -2.0, -1.375], [1.25, 0.625, 1.75], [0.0, 0.5, 2.0]]> : tensor<5x3xf32>
    %in1 = stablehlo.constant dense<[1, 4, 1, 9]> : tensor<4xi32>
    %in2 = stablehlo.constant dense<[[-0.125, 0.0, 1.0], [1.875, -1.875, -1.5], [1.375, 1.875, -1.0], [-0.75, 1.5, -0.375]]> : tensor<4x3xf32>
    %out:2 = call @f(%in0, %in1, %in2) : (tensor<5x3xf32>, tensor<4xi32>, tensor<4x3xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>)
    %want0 = stablehlo.constant dense<[[1.5, 0.625, 0.0], [0.25, 1.125, -1.875], [-1.75, -2.0, -1.375], [1.25, 0.625, 1.75], [1.875, -1.375, 0.5]]> : tensor<5x3xf32>
    stablehlo.custom_call @check.expect_close(%out#0, %want0) {has_side_effect = true} : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
    %want1 = stablehlo.constant dense<[[1.5, 0.625, 0.0], [1.375, 1.875, 1.0], [-1.75, -2.0, -1.375], [1.25, 0.625, 1.75], [1.875, 0.5, 2.0]]> : tensor<5x3xf32>
    stablehlo.custom_call @check.expect_close(%out#1, %want1) {has_side_effect = true} : (tensor<5x3xf32>, tensor<5x3xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<5x3xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4x3xf32>) -> (tensor<5x3xf32> {jax.result_info = "result[0]"}, tensor<5x3xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4xi1>, tensor<4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %6 = "stablehlo.scatter"(%arg0, %5, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %14 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %14 : tensor<f32>
    }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<5x3xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %8 = stablehlo.compare LT, %arg1, %7, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_2 = stablehlo.constant dense<5> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %10 = stablehlo.add %arg1, %9 : tensor<4xi32>
    %11 = stablehlo.select %8, %10, %arg1 : tensor<4xi1>, tensor<4xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %13 = "stablehlo.scatter"(%arg0, %12, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %14 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
      stablehlo.return %14 : tensor<f32>
    }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<5x3xf32>
    return %6, %13 : tensor<5x3xf32>, tensor<5x3xf32>
  }
}

// -----

// Elements at pairs of indices are replaced.
module @single_elements {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[0, 0, 0, 0], [0, 0, 0, 0]]> : tensor<2x4xi32>
    %in1 = stablehlo.constant dense<[[0, 3], [1, 0]]> : tensor<2x2xi32>
    %in2 = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
    %out = call @f(%in0, %in1, %in2) : (tensor<2x4xi32>, tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x4xi32>
    %want0 = stablehlo.constant dense<[[0, 0, 0, 5], [6, 0, 0, 0]]> : tensor<2x4xi32>
    stablehlo.custom_call @check.expect_eq(%out, %want0) {has_side_effect = true} : (tensor<2x4xi32>, tensor<2x4xi32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<2x4xi32>, %arg1: tensor<2x2xi32>, %arg2: tensor<2xi32>) -> (tensor<2x4xi32>) {
    %0 = stablehlo.slice %arg1 [0:2, 0:1] : (tensor<2x2xi32>) -> tensor<2x1xi32>
    %1 = stablehlo.reshape %0 : (tensor<2x1xi32>) -> tensor<2xi32>
    %2 = stablehlo.slice %arg1 [0:2, 1:2] : (tensor<2x2xi32>) -> tensor<2x1xi32>
    %3 = stablehlo.reshape %2 : (tensor<2x1xi32>) -> tensor<2xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %5 = stablehlo.compare LT, %1, %4, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %7 = stablehlo.add %1, %6 : tensor<2xi32>
    %8 = stablehlo.select %5, %7, %1 : tensor<2xi1>, tensor<2xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %10 = stablehlo.compare LT, %3, %9, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2xi32>
    %12 = stablehlo.add %3, %11 : tensor<2xi32>
    %13 = stablehlo.select %10, %12, %3 : tensor<2xi1>, tensor<2xi32>
    %14 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %16 = stablehlo.concatenate %14, %15, dim = 1 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %17 = "stablehlo.scatter"(%arg0, %16, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      stablehlo.return %arg4 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x4xi32>
    return %17 : tensor<2x4xi32>
  }
}
