// Sizes with a bound: what is not set counts in no sum. Expected values by hand.

module @reductions {
  func.func @main() {
    %x = stablehlo.constant dense<[[1.0, 2.0, 30.0], [4.0, 5.0, 60.0]]> : tensor<2x3xf32>
    %n = stablehlo.constant dense<2> : tensor<i32>
    %c = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.set_dimension_size %x, %n, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
    %y = stablehlo.add %s, %s : tensor<2x?xf32, #stablehlo.bounds<?, 3>>
    %sum = stablehlo.reduce(%y init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x?xf32, #stablehlo.bounds<?, 3>>, tensor<f32>) -> tensor<f32>
    check.expect_eq_const %sum, dense<24.0> : tensor<f32>
    %size = stablehlo.get_dimension_size %y, dim = 1 : (tensor<2x?xf32, #stablehlo.bounds<?, 3>>) -> tensor<i32>
    check.expect_eq_const %size, dense<2> : tensor<i32>
    return
  }
}

// -----

module @movement {
  func.func @main() {
    %x = stablehlo.constant dense<[[1.0, 2.0, 30.0], [4.0, 5.0, 60.0]]> : tensor<2x3xf32>
    %n = stablehlo.constant dense<2> : tensor<i32>
    %c = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.set_dimension_size %x, %n, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
    %t = stablehlo.transpose %s, dims = [1, 0] : (tensor<2x?xf32, #stablehlo.bounds<?, 3>>) -> tensor<?x2xf32, #stablehlo.bounds<3, ?>>
    %j = stablehlo.concatenate %t, %t, dim = 0 : (tensor<?x2xf32, #stablehlo.bounds<3, ?>>, tensor<?x2xf32, #stablehlo.bounds<3, ?>>) -> tensor<?x2xf32, #stablehlo.bounds<6, ?>>
    %size = stablehlo.get_dimension_size %j, dim = 0 : (tensor<?x2xf32, #stablehlo.bounds<6, ?>>) -> tensor<i32>
    check.expect_eq_const %size, dense<4> : tensor<i32>
    %columns = stablehlo.reduce(%j init: %c) applies stablehlo.add across dimensions = [0] : (tensor<?x2xf32, #stablehlo.bounds<6, ?>>, tensor<f32>) -> tensor<2xf32>
    check.expect_eq_const %columns, dense<[6.0, 18.0]> : tensor<2xf32>
    return
  }
}

// -----

module @reshapes {
  func.func @main() {
    %x = stablehlo.constant dense<[[1.0, 2.0, 30.0], [4.0, 5.0, 60.0]]> : tensor<2x3xf32>
    %n = stablehlo.constant dense<2> : tensor<i32>
    %c = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.set_dimension_size %x, %n, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
    %b = stablehlo.broadcast_in_dim %s, dims = [1, 2] : (tensor<2x?xf32, #stablehlo.bounds<?, 3>>) -> tensor<3x2x?xf32, #stablehlo.bounds<?, ?, 3>>
    %r = stablehlo.reshape %b : (tensor<3x2x?xf32, #stablehlo.bounds<?, ?, 3>>) -> tensor<?xf32, #stablehlo.bounds<18>>
    %size = stablehlo.get_dimension_size %r, dim = 0 : (tensor<?xf32, #stablehlo.bounds<18>>) -> tensor<i32>
    check.expect_eq_const %size, dense<12> : tensor<i32>
    %sum = stablehlo.reduce(%r init: %c) applies stablehlo.add across dimensions = [0] : (tensor<?xf32, #stablehlo.bounds<18>>, tensor<f32>) -> tensor<f32>
    check.expect_eq_const %sum, dense<36.0> : tensor<f32>
    return
  }
}
