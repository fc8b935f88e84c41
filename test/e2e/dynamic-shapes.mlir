// Shapes that are computed. Values by hand.

// A row for each element of a vector of unknown size.
module @broadcast_rows {
  func.func @main() {
    %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %n = stablehlo.constant dense<2> : tensor<i32>
    %out = call @f(%x, %n) : (tensor<3xf32>, tensor<i32>) -> tensor<?x?xf32>
    %want = stablehlo.constant dense<[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]> : tensor<2x3xf32>
    stablehlo.custom_call @check.expect_eq(%out, %want) {has_side_effect = true} : (tensor<?x?xf32>, tensor<2x3xf32>) -> ()
    return
  }
  func.func private @f(%x: tensor<3xf32>, %n: tensor<i32>) -> tensor<?x?xf32> {
    %rows = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<3xf32>) -> tensor<i32>
    %columns = stablehlo.reshape %size : (tensor<i32>) -> tensor<1xi32>
    %shape = stablehlo.concatenate %rows, %columns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %0 = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
}

// -----

// The shape of an iota is a number from the program's input.
module @iota {
  func.func @main() {
    %n = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
    %two = stablehlo.constant dense<[2]> : tensor<1xi32>
    %six = stablehlo.constant dense<[6]> : tensor<1xi32>
    %shape = stablehlo.add %n, %n : tensor<2xi32>
    %half = stablehlo.subtract %shape, %n : tensor<2xi32>
    %0 = stablehlo.dynamic_iota %half, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi64>
    %want = stablehlo.constant dense<[[0, 0], [1, 1], [2, 2]]> : tensor<3x2xi64>
    stablehlo.custom_call @check.expect_eq(%0, %want) {has_side_effect = true} : (tensor<?x?xi64>, tensor<3x2xi64>) -> ()
    %1 = stablehlo.dynamic_reshape %0, %six : (tensor<?x?xi64>, tensor<1xi32>) -> tensor<6xi64>
    %flat = stablehlo.constant dense<[0, 0, 1, 1, 2, 2]> : tensor<6xi64>
    stablehlo.custom_call @check.expect_eq(%1, %flat) {has_side_effect = true} : (tensor<6xi64>, tensor<6xi64>) -> ()
    return
  }
}

// -----

// Sums, products and concatenations along sizes that no type tells.
module @unknown_sizes {
  func.func @main() {
    %x = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
    %out:3 = call @f(%x) : (tensor<2x3xf32>) -> (tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
    %sums = stablehlo.constant dense<[6.0, 15.0]> : tensor<2xf32>
    %products = stablehlo.constant dense<[[14.0, 32.0], [32.0, 77.0]]> : tensor<2x2xf32>
    %twice = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<4x3xf32>
    stablehlo.custom_call @check.expect_eq(%out#0, %sums) {has_side_effect = true} : (tensor<?xf32>, tensor<2xf32>) -> ()
    stablehlo.custom_call @check.expect_eq(%out#1, %products) {has_side_effect = true} : (tensor<?x?xf32>, tensor<2x2xf32>) -> ()
    stablehlo.custom_call @check.expect_eq(%out#2, %twice) {has_side_effect = true} : (tensor<?x?xf32>, tensor<4x3xf32>) -> ()
    return
  }
  func.func private @f(%arg: tensor<2x3xf32>) -> (tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
    %x = tensor.cast %arg : tensor<2x3xf32> to tensor<?x?xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sums = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
    %products = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %twice = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    return %sums, %products, %twice : tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
  }
}
