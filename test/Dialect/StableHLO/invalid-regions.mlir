// RUN: ferrule-opt %s --split-input-file --verify-diagnostics

func.func @reduce_c4(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+2 {{C4: found dimension 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c6(%x: tensor<3xf32>, %z: tensor<f32>) {
  // expected-error@+1 {{C6: found 1 arguments of the body, expected 2}}
  %0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @sort_c5(%x: tensor<3xf32>) {
  // expected-error@+1 {{C5: found a comparator returning}}
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @scatter_c4(%x: tensor<3x4xf32>, %i: tensor<2x1xi32>, %u: tensor<2x5xf32>) {
  // expected-error@+1 {{C4: found updates}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x5xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @while_c1(%x: tensor<f32>) {
  // expected-error@+1 {{C1: found a condition returning}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @if_c2(%p: tensor<i1>, %x: tensor<f32>) {
  // expected-error@+1 {{C2: found 'tensor<i1>' returned by branch 1}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %p : tensor<i1>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @case_c1(%i: tensor<i32>) {
  // expected-error@+1 {{C1: found no branches}}
  "stablehlo.case"(%i) : (tensor<i32>) -> ()
  return
}

// -----

func.func @map_c3(%x: tensor<3x4xf32>) {
  // expected-error@+1 {{C3: found dimensions}}
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 1, 0>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @reduce_window_c4(%x: tensor<3x4xf32>, %z: tensor<f32>) {
  // expected-error@+2 {{C4: found 1 window dimensions}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}
