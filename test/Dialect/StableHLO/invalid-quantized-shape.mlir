// RUN: ferrule-opt %s --split-input-file --verify-diagnostics

func.func @concatenate_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.concatenate %a0, %a1, dim = 0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @concatenate_c5(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C5: found}}
  %0 = stablehlo.concatenate %a0, %a0, dim = 0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @pad_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<!quant.uniform<i8:f32, 0.25>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.pad %a0, %a1, low = [0], high = [1], interior = [0] : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<!quant.uniform<i8:f32, 0.25>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @slice_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.slice %a0 [0:1] : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<1x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @reverse_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.reverse %a0, dims = [0] : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @update_c2(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<1x!quant.uniform<i8:f32, 0.25>>, %a2: tensor<i32>) {
  // expected-error@+1 {{C2: found}}
  %0 = stablehlo.dynamic_update_slice %a0, %a1, %a2 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<1x!quant.uniform<i8:f32, 0.25>>, tensor<i32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @dynamic_slice_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<i32>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.dynamic_slice %a0, %a1, sizes = [1] : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<i32>) -> tensor<1x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @gather_c23(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<3x1xi32>) {
  // expected-error@+1 {{C23: found}}
  %0 = "stablehlo.gather"(%a0, %a1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x1xi32>) -> tensor<3x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @barrier_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = "stablehlo.optimization_barrier"(%a0) : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @reshape_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.reshape %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x1x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @reshape_axis_c1(%a0: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.reshape %a0 : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.125}>>
  return
}

// -----

func.func @reshape_c3(%a0: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{C3: found}}
  %0 = stablehlo.reshape %a0 : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @dynamic_reshape_c3(%a0: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %a1: tensor<2xi32>) {
  // expected-error@+1 {{C3: found}}
  %0 = stablehlo.dynamic_reshape %a0, %a1 : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2xi32>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @broadcast_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.broadcast_in_dim %a0, dims = [0] : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x1x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @broadcast_c6(%a0: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{C6: found scales along}}
  %0 = stablehlo.broadcast_in_dim %a0, dims = [0] : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @broadcast_scales_c6(%a0: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{C6: found}}
  %0 = stablehlo.broadcast_in_dim %a0, dims = [1] : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.125}>>
  return
}

// -----

func.func @transpose_c1(%a0: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.transpose %a0, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.125}>>
  return
}

// -----

func.func @transpose_c4(%a0: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{C4: found}}
  %0 = stablehlo.transpose %a0, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}
