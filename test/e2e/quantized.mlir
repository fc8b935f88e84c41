// Expected values follow from the specification's formulas: a stored v stands
// for (v - zero point) * scale.

// 1.25 / 0.5 + 3 = 5.5 and 1.75 / 0.5 + 3 = 6.5: halves go to even.
module @quantize {
  func.func @main() {
    %x = stablehlo.constant dense<[1.25, 1.75, -100.0, 100.0, 0.0, -1.5]> : tensor<6xf32>
    %q = stablehlo.uniform_quantize %x : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8:f32, 0.5:3>>
    %want = stablehlo.constant() <{value = dense<[6, 6, -128, 127, 3, 0]> : tensor<6xi8>}> : () -> tensor<6x!quant.uniform<i8:f32, 0.5:3>>
    stablehlo.custom_call @check.expect_eq(%q, %want) {has_side_effect = true} : (tensor<6x!quant.uniform<i8:f32, 0.5:3>>, tensor<6x!quant.uniform<i8:f32, 0.5:3>>) -> ()
    %d = stablehlo.uniform_dequantize %q : (tensor<6x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<6xf32>
    check.expect_eq_const %d, dense<[1.5, 1.5, -65.5, 62.0, 0.0, -1.5]> : tensor<6xf32>
    return
  }
}

// -----

// (2 - 1) * 0.5 + (6 - 2) * 1.0 = 4.5, stored as 4.5 / 0.25 + 10 = 28.
module @add {
  func.func @main() {
    %a = stablehlo.constant() <{value = dense<[2, 1, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
    %b = stablehlo.constant() <{value = dense<[6, 0, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 1.0:2>>
    %sum = stablehlo.add %a, %b : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 1.0:2>>) -> tensor<3x!quant.uniform<i8:f32, 0.25:10>>
    %want = stablehlo.constant() <{value = dense<[28, 2, 127]> : tensor<3xi8>}> : () -> tensor<3x!quant.uniform<i8:f32, 0.25:10>>
    stablehlo.custom_call @check.expect_eq(%sum, %want) {has_side_effect = true} : (tensor<3x!quant.uniform<i8:f32, 0.25:10>>, tensor<3x!quant.uniform<i8:f32, 0.25:10>>) -> ()
    return
  }
}

// -----

// Row one less its zero point: [1, 2]; times columns [3, 4] and [5, -6] gives
// 11 and -7; times 0.5 and the columns' scales 0.5 and 1.0: 2.75 and -3.5.
module @product {
  func.func @main() {
    %a = stablehlo.constant() <{value = dense<[[2, 3]]> : tensor<1x2xi8>}> : () -> tensor<1x2x!quant.uniform<i8:f32, 0.5:1>>
    %b = stablehlo.constant() <{value = dense<[[3, 5], [4, -6]]> : tensor<2x2xi8>}> : () -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 1.0}>>
    %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 1.0}>>) -> tensor<1x2x!quant.uniform<i8:f32, 0.5:0>>
    // 5.5 goes to 6.
    %want = stablehlo.constant() <{value = dense<[[6, -7]]> : tensor<1x2xi8>}> : () -> tensor<1x2x!quant.uniform<i8:f32, 0.5:0>>
    stablehlo.custom_call @check.expect_eq(%c, %want) {has_side_effect = true} : (tensor<1x2x!quant.uniform<i8:f32, 0.5:0>>, tensor<1x2x!quant.uniform<i8:f32, 0.5:0>>) -> ()
    return
  }
}

// -----

// The padding is the number zero, not the stored zero.
module @convolution {
  func.func @main() {
    %x = stablehlo.constant() <{value = dense<[[[12], [14]]]> : tensor<1x2x1xi8>}> : () -> tensor<1x2x1x!quant.uniform<i8:f32, 1.0:10>>
    %k = stablehlo.constant() <{value = dense<[[[1]], [[2]], [[3]]]> : tensor<3x1x1xi8>}> : () -> tensor<3x1x1x!quant.uniform<i8:f32, 0.5>>
    %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x1x!quant.uniform<i8:f32, 1.0:10>>, tensor<3x1x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x2x1x!quant.uniform<i8:f32, 0.5:-1>>
    %want = stablehlo.constant() <{value = dense<[[[15], [9]]]> : tensor<1x2x1xi8>}> : () -> tensor<1x2x1x!quant.uniform<i8:f32, 0.5:-1>>
    stablehlo.custom_call @check.expect_eq(%y, %want) {has_side_effect = true} : (tensor<1x2x1x!quant.uniform<i8:f32, 0.5:-1>>, tensor<1x2x1x!quant.uniform<i8:f32, 0.5:-1>>) -> ()
    return
  }
}
