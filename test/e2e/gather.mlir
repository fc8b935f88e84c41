// Written by utils/make_e2e.py; expected values are those of JAX 0.10.2.

// Indices out of range are clamped, negative ones too.
module @rows {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[1.5, 0.625, 0.0, -1.0], [-0.75, -1.875, -1.75, -2.0], [-1.375, 1.25, 0.625, 1.75], [0.0, 0.5, 2.0, 1.0], [0.5, 0.125, 0.25, 1.75]]> : tensor<5x4xf32>
    %in1 = stablehlo.constant dense<[4, 0, 7, -1]> : tensor<4xi32>
    %out = call @f(%in0, %in1) : (tensor<5x4xf32>, tensor<4xi32>) -> tensor<4x4xf32>
    %want0 = stablehlo.constant dense<[[0.5, 0.125, 0.25, 1.75], [1.5, 0.625, 0.0, -1.0], [0.5, 0.125, 0.25, 1.75], [1.5, 0.625, 0.0, -1.0]]> : tensor<4x4xf32>
    stablehlo.custom_call @check.expect_close(%out, %want0) {has_side_effect = true} : (tensor<4x4xf32>, tensor<4x4xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<5x4xf32>, %arg1: tensor<4xi32>) -> (tensor<4x4xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
}

// -----

// Slices of 2x3 at computed places.
module @windows {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[1.5, 0.625, 0.0, -1.0, -0.75, -1.875], [-1.75, -2.0, -1.375, 1.25, 0.625, 1.75], [0.0, 0.5, 2.0, 1.0, 0.5, 0.125], [0.25, 1.75, -0.875, 1.25, 0.75, -2.0]]> : tensor<4x6xf32>
    %in1 = stablehlo.constant dense<[[0, 1], [3, 2]]> : tensor<2x2xi32>
    %out = call @f(%in0, %in1) : (tensor<4x6xf32>, tensor<2x2xi32>) -> tensor<2x2x3xf32>
    %want0 = stablehlo.constant dense<[[[0.625, 0.0, -1.0], [-2.0, -1.375, 1.25]], [[2.0, 1.0, 0.5], [-0.875, 1.25, 0.75]]]> : tensor<2x2x3xf32>
    stablehlo.custom_call @check.expect_close(%out, %want0) {has_side_effect = true} : (tensor<2x2x3xf32>, tensor<2x2x3xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<4x6xf32>, %arg1: tensor<2x2xi32>) -> (tensor<2x2x3xf32>) {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 3>}> : (tensor<4x6xf32>, tensor<2x2xi32>) -> tensor<2x2x3xf32>
    return %0 : tensor<2x2x3xf32>
  }
}
