// RUN: ferrule-opt %s -split-input-file -verify-diagnostics

func.func @broadcast_elements(%x: tensor<3x4xf32>, %y: tensor<4xi32>) {
  // expected-error@+1 {{expected equal element types}}
  %0 = chlo.broadcast_add %x, %y : (tensor<3x4xf32>, tensor<4xi32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @broadcast_dimensions(%x: tensor<3x4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{found broadcast dimension 2, expected rising dimensions of 'tensor<3x4xf32>'}}
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @broadcast_shapes(%x: tensor<3x4xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expected shapes that broadcast}}
  %0 = chlo.broadcast_add %x, %y : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @broadcast_select(%p: tensor<i32>, %x: tensor<4xf32>) {
  // expected-error@+1 {{found pred 'tensor<i32>', expected booleans}}
  %0 = chlo.broadcast_select %p, %x, %x : (tensor<i32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @constant_like(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected its element type}}
  %0 = "chlo.constant_like"(%x) <{value = 1 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @ragged_dot(%l: tensor<4x3xf32>, %w: tensor<3x3x5xf32>, %g: tensor<2xi32>) {
  // expected-error@+1 {{expected as many groups}}
  %0 = "chlo.ragged_dot"(%l, %w, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x3xf32>, tensor<3x3x5xf32>, tensor<2xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scan(%x: tensor<5xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{found dimension 1 for 'tensor<5xf32>'}}
  %0:2 = chlo.scan(%x) inits (%z) dimension=1 {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  } : (tensor<5xf32>, tensor<f32>) -> (tensor<5xf32>, tensor<f32>)
  return
}
