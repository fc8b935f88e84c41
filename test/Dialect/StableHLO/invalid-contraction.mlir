// RUN: ferrule-opt %s --split-input-file --verify-diagnostics

func.func @dot_general_c10(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) {
  // expected-error@+1 {{C10: found sizes 3 and 4 in contracting dimensions, expected equal ones}}
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @dot_general_c12(%x: tensor<2x3xf32>, %y: tensor<3x5xf32>) {
  // expected-error@+1 {{C12: found result}}
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @dot_general_c3(%x: tensor<2x3xf32>, %y: tensor<3x5xf32>) {
  // expected-error@+1 {{C3: found dimension 2 in lhs_contracting_dimensions for rank 2}}
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [2] x [0] : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @convolution_c14(%x: tensor<1x8x8x3xf32>, %k: tensor<3x3x4x16xf32>) {
  // expected-error@+1 {{C14: found 4 input features in the kernel, expected 3 / 1}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @convolution_c25(%x: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x16xf32>) {
  // expected-error@+1 {{C25: found result}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
  return
}

// -----

func.func @gather_c8(%x: tensor<3x4xf32>, %i: tensor<2x1xi32>) {
  // expected-error@+2 {{C8: found slice size 2 in collapsed dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 4>}> : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @batch_norm_inference_c3(%x: tensor<1x4xf32>, %s: tensor<3xf32>) {
  // expected-error@+2 {{C3: found}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<1x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x4xf32>
  return
}

// -----

func.func @fft_c2(%x: tensor<16xf32>) {
  // expected-error@+2 {{C2: found elements}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.fft %x, type = FFT, length = [16] : (tensor<16xf32>) -> tensor<16xf32>
  return
}
