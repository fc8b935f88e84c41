// Written by utils/make_e2e.py; expected values are those of JAX 0.10.2.

// A batch of matrix products.
module @batched_product {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[[1.5, 0.625, 0.0, -1.0, -0.75], [-1.875, -1.75, -2.0, -1.375, 1.25], [0.625, 1.75, 0.0, 0.5, 2.0]], [[1.0, 0.5, 0.125, 0.25, 1.75], [-0.875, 1.25, 0.75, -2.0, -0.375], [1.5, 0.25, -1.875, 1.125, 1.0]]]> : tensor<2x3x5xf32>
    %in1 = stablehlo.constant dense<[[[-0.125, 0.0, 1.0, 1.875], [-1.875, -1.5, 1.375, 1.875], [-1.0, -0.75, 1.5, -0.375], [-0.875, 1.375, -1.0, -0.375], [0.625, 0.25, -1.75, -2.0]], [[1.5, 1.0, 1.375, 0.125], [1.25, -0.75, -0.25, 1.25], [-1.5, -0.75, -1.5, -0.25], [2.0, -1.5, -0.5, -0.375], [1.625, -1.25, 0.0, -1.0]]]> : tensor<2x5x4xf32>
    %out = call @f(%in0, %in1) : (tensor<2x3x5xf32>, tensor<2x5x4xf32>) -> tensor<2x3x4xf32>
    %want0 = stablehlo.constant dense<[[[-0.953125, -2.5, 4.671875, 5.859375], [7.5, 2.546875, -8.09375, -8.03125], [-2.546875, -1.4375, -0.96875, 0.265625]], [[5.28125, -2.03125, 0.9375, -1.125], [-5.484375, 1.09375, -1.640625, 2.390625], [9.25, -0.21875, 4.25, -0.453125]]]> : tensor<2x3x4xf32>
    stablehlo.custom_call @check.expect_close(%out, %want0) {has_side_effect = true} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<2x3x5xf32>, %arg1: tensor<2x5x4xf32>) -> (tensor<2x3x4xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x5xf32>, tensor<2x5x4xf32>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
}

// -----

// Two dimensions contracted, in another order on both sides.
module @two_contracted_dimensions {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[[1.5, 0.625, 0.0], [-1.0, -0.75, -1.875]], [[-1.75, -2.0, -1.375], [1.25, 0.625, 1.75]], [[0.0, 0.5, 2.0], [1.0, 0.5, 0.125]], [[0.25, 1.75, -0.875], [1.25, 0.75, -2.0]], [[-0.375, 1.5, 0.25], [-1.875, 1.125, 1.0]]]> : tensor<5x2x3xf32>
    %in1 = stablehlo.constant dense<[[[-0.125, 0.0, 1.0, 1.875, -1.875], [-1.5, 1.375, 1.875, -1.0, -0.75], [1.5, -0.375, -0.875, 1.375, -1.0], [-0.375, 0.625, 0.25, -1.75, -2.0]], [[1.5, 1.0, 1.375, 0.125, 1.25], [-0.75, -0.25, 1.25, -1.5, -0.75], [-1.5, -0.25, 2.0, -1.5, -0.5], [-0.375, 1.625, -1.25, 0.0, -1.0]], [[-2.0, 1.0, -1.75, -0.875, 0.0], [0.0, -1.625, 2.0, 1.0, 1.875], [-1.625, 0.875, -0.875, 0.125, 1.75], [-0.875, 0.875, -1.375, -0.75, 2.0]]]> : tensor<3x4x5xf32>
    %out = call @f(%in0, %in1) : (tensor<5x2x3xf32>, tensor<3x4x5xf32>) -> tensor<2x4xf32>
    %want0 = stablehlo.constant dense<[[-1.40625, -1.890625, -1.8125, -9.75], [15.703125, 1.59375, 7.0, 9.015625]]> : tensor<2x4xf32>
    stablehlo.custom_call @check.expect_close(%out, %want0) {has_side_effect = true} : (tensor<2x4xf32>, tensor<2x4xf32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<5x2x3xf32>, %arg1: tensor<3x4x5xf32>) -> (tensor<2x4xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0, 2] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<5x2x3xf32>, tensor<3x4x5xf32>) -> tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
}

// -----

// The result is a scalar.
module @inner_product {
  func.func @main() {
    %in0 = stablehlo.constant dense<[1.5, 0.625, 0.0, -1.0, -0.75, -1.875, -1.75]> : tensor<7xf32>
    %in1 = stablehlo.constant dense<[-0.125, 0.0, 1.0, 1.875, -1.875, -1.5, 1.375]> : tensor<7xf32>
    %out = call @f(%in0, %in1) : (tensor<7xf32>, tensor<7xf32>) -> tensor<f32>
    %want0 = stablehlo.constant dense<-0.25> : tensor<f32>
    stablehlo.custom_call @check.expect_close(%out, %want0) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<7xf32>, %arg1: tensor<7xf32>) -> (tensor<f32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7xf32>, tensor<7xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// -----

// Bytes summed up in 32 bits.
module @byte_product {
  func.func @main() {
    %in0 = stablehlo.constant dense<[[-6, -5, -4, -3], [-2, -1, 0, 1], [2, 3, 4, 5]]> : tensor<3x4xi8>
    %in1 = stablehlo.constant dense<[[-8, -7, -6, -5, -4], [-3, -2, -1, 0, 1], [2, 3, 4, 5, 6], [7, 8, 9, 10, 11]]> : tensor<4x5xi8>
    %out = call @f(%in0, %in1) : (tensor<3x4xi8>, tensor<4x5xi8>) -> tensor<3x5xi32>
    %want0 = stablehlo.constant dense<[[34, 16, -2, -20, -38], [26, 24, 22, 20, 18], [18, 32, 46, 60, 74]]> : tensor<3x5xi32>
    stablehlo.custom_call @check.expect_eq(%out, %want0) {has_side_effect = true} : (tensor<3x5xi32>, tensor<3x5xi32>) -> ()
    return
  }
  func.func private @f(%arg0: tensor<3x4xi8>, %arg1: tensor<4x5xi8>) -> (tensor<3x5xi32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xi8>, tensor<4x5xi8>) -> tensor<3x5xi32>
    return %0 : tensor<3x5xi32>
  }
}
