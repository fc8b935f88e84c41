// RUN: ferrule-opt %s --split-input-file --verify-diagnostics

func.func @transpose_c2(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{C2: found permutation}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.transpose %x, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @slice_c3(%x: tensor<4xf32>) {
  // expected-error@+2 {{C3: found bounds 1:5 in dimension 0, expected 0 <= start <= limit <= 4}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.slice %x [1:5] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @concatenate_c2(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error@+2 {{C2: found inputs}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @pad_c4(%x: tensor<2xf32>, %v: tensor<f32>) {
  // expected-error@+2 {{C4: padding makes dimension 0 of size -1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.pad %x, %v, low = [-3], high = [0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

func.func @reshape_c2(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{C2: found 6 elements}}
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @broadcast_in_dim_c5(%x: tensor<3xf32>) {
  // expected-error@+1 {{C5: found operand size 3 in dimension 0 for result size 4, expected 1 or the same}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @broadcast_in_dim_c3(%x: tensor<3xf32>) {
  // expected-error@+1 {{C3: found broadcast dimension 2 for a result of rank 2}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [2] : (tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_slice_c4(%x: tensor<3xf32>, %i: tensor<i32>) {
  // expected-error@+2 {{C4: found slice size 4}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [4] : (tensor<3xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c6(%x: tensor<3xf32>, %u: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+2 {{C6: found update of size 4}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<3xf32>, tensor<4xf32>, tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @iota_c1() {
  // expected-error@+1 {{C1: found dimension 1}}
  %0 = stablehlo.iota dim = 1 : tensor<3xi32>
  return
}

// -----

func.func @select_c2(%p: tensor<i1>, %x: tensor<3xf32>, %y: tensor<4xf32>) {
  // expected-error@+2 {{C2: found values of types}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.select %p, %x, %y : (tensor<i1>, tensor<3xf32>, tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @compare_c1(%x: tensor<3xf32>, %y: tensor<3xi32>) {
  // expected-error@+2 {{C1: found operands of element types}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.compare LT, %x, %y : (tensor<3xf32>, tensor<3xi32>) -> tensor<3xi1>
  return
}

// -----

func.func @batch_norm_grad_c3(%x: tensor<2x3xf32>, %v: tensor<3xf32>, %g: tensor<4x3xf32>) {
  // expected-error@+2 {{C3: found gradient 'tensor<4x3xf32>' for operand 'tensor<2x3xf32>', expected equal types}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:3 = "stablehlo.batch_norm_grad"(%x, %v, %v, %v, %g) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
