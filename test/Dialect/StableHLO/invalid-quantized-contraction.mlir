// RUN: ferrule-opt %s --split-input-file --verify-diagnostics

func.func @dot_general_i1(%a0: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %a1: tensor<2x2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error@+1 {{I1: found}}
  %0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2x2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @dot_general_c14(%a0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x2xf32>) {
  // expected-error@+1 {{C14: found}}
  %0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @dot_general_result_c14(%a0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error@+1 {{C14: found}}
  %0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dot_general_c15(%a0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C15: found}}
  %0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @dot_general_c16(%a0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{C16: found}}
  %0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @dot_general_c17(%a0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{C17: found}}
  %0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i16:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @dot_general_c18(%a0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x2x!quant.uniform<i8:f64, 0.5>>) {
  // expected-error@+1 {{C18: found}}
  %0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f64, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @dot_general_c19(%a0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error@+1 {{C19: found}}
  %0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @dot_general_c20(%a0: tensor<2x2xf64>, %a1: tensor<2x2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error@+1 {{C20: found}}
  %0 = stablehlo.dot_general %a0, %a1, contracting_dims = [1] x [0] : (tensor<2x2xf64>, tensor<2x2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x2xf64>
  return
}

// -----

func.func @convolution_c28(%a0: tensor<1x4x2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<3x2x2xf32>) {
  // expected-error@+1 {{C28: found}}
  %0 = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x2x2xf32>) -> tensor<1x2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @convolution_c29(%a0: tensor<1x4x2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<3x2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  // expected-error@+1 {{C29: found}}
  %0 = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<1x2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @convolution_c30(%a0: tensor<1x4x2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<3x2x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>) {
  // expected-error@+1 {{C30: found}}
  %0 = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x2x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>) -> tensor<1x2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @convolution_c31(%a0: tensor<1x4x2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<3x2x2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{C31: found}}
  %0 = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x2x2x!quant.uniform<i16:f32, 0.5>>) -> tensor<1x2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @convolution_c32(%a0: tensor<1x4x2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<3x2x2x!quant.uniform<i8:f64, 0.5>>) {
  // expected-error@+1 {{C32: found}}
  %0 = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x2x2x!quant.uniform<i8:f64, 0.5>>) -> tensor<1x2x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @convolution_c33(%a0: tensor<1x4x2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<3x2x2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error@+1 {{C33: found}}
  %0 = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x2x2x!quant.uniform<i8:f32, 0.25>>) -> tensor<1x2x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>
  return
}

// -----

func.func @convolution_c34(%a0: tensor<1x4x2xf64>, %a1: tensor<3x2x2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error@+1 {{C34: found}}
  %0 = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf64>, tensor<3x2x2x!quant.uniform<i8:f32, 0.25>>) -> tensor<1x2x2xf64>
  return
}
