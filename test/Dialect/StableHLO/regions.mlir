// RUN: ferrule-opt %s | ferrule-opt | FileCheck %s
// RUN: ferrule-opt %s --emit-bytecode | ferrule-opt | FileCheck %s

func.func @reduce(%x: tensor<2x3xf32>, %z: tensor<f32>, %a: tensor<3xi32>, %b: tensor<3xf32>, %w: tensor<i32>) {
  // CHECK: %{{[^ ,()]+}} = stablehlo.reduce(%{{[^ ,()]+}} init: %{{[^ ,()]+}}) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.reduce(%{{[^ ,()]+}} init: %{{[^ ,()]+}}), (%{{[^ ,()]+}} init: %{{[^ ,()]+}}) across dimensions = [0] : (tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  %1:2 = stablehlo.reduce(%b init: %z), (%a init: %w) across dimensions = [0] : (tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   // CHECK: reducer(%{{[^ ,()]+}}: tensor<f32>, %{{[^ ,()]+}}: tensor<f32>) (%{{[^ ,()]+}}: tensor<i32>, %{{[^ ,()]+}}: tensor<i32>)  {
   reducer(%p: tensor<f32>, %r: tensor<f32>) (%q: tensor<i32>, %s: tensor<i32>)  {
    // CHECK: %{{[^ ,()]+}} = stablehlo.add %{{[^ ,()]+}}, %{{[^ ,()]+}} : tensor<f32>
    %4 = stablehlo.add %p, %r : tensor<f32>
    // CHECK: %{{[^ ,()]+}} = stablehlo.add %{{[^ ,()]+}}, %{{[^ ,()]+}} : tensor<i32>
    %5 = stablehlo.add %q, %s : tensor<i32>
    // CHECK: stablehlo.return %{{[^ ,()]+}}, %{{[^ ,()]+}} : tensor<f32>, tensor<i32>
    stablehlo.return %4, %5 : tensor<f32>, tensor<i32>
  }
  // Not commutative.
  // CHECK: %{{[^ ,()]+}} = stablehlo.reduce(%{{[^ ,()]+}} init: %{{[^ ,()]+}}) across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.reduce(%x init: %z) across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
   // CHECK: reducer(%{{[^ ,()]+}}: tensor<f32>, %{{[^ ,()]+}}: tensor<f32>)  {
   reducer(%p: tensor<f32>, %r: tensor<f32>)  {
    // CHECK: %{{[^ ,()]+}} = stablehlo.subtract %{{[^ ,()]+}}, %{{[^ ,()]+}} : tensor<f32>
    %4 = stablehlo.subtract %p, %r : tensor<f32>
    // CHECK: stablehlo.return %{{[^ ,()]+}} : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }
  return
}

func.func @while(%a: tensor<i32>, %b: tensor<f32>) -> tensor<f32> {
  // CHECK: %{{[^ ,()]+}} = stablehlo.while(%{{[^ ,()]+}} = %{{[^ ,()]+}}, %{{[^ ,()]+}} = %{{[^ ,()]+}}) : tensor<i32>, tensor<f32>
  %r:2 = stablehlo.while(%iterArg = %a, %iterArg_0 = %b) : tensor<i32>, tensor<f32>
  // CHECK: cond {
  cond {
    // CHECK: %{{[^ ,()]+}} = stablehlo.compare LT, %{{[^ ,()]+}}, %{{[^ ,()]+}}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %0 = stablehlo.compare LT, %iterArg, %a, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    // CHECK: stablehlo.return %{{[^ ,()]+}} : tensor<i1>
    stablehlo.return %0 : tensor<i1>
  // CHECK: } do {
  } do {
    // CHECK: %{{[^ ,()]+}} = stablehlo.add %{{[^ ,()]+}}, %{{[^ ,()]+}} : tensor<f32>
    %0 = stablehlo.add %iterArg_0, %b : tensor<f32>
    // CHECK: stablehlo.return %{{[^ ,()]+}}, %{{[^ ,()]+}} : tensor<i32>, tensor<f32>
    stablehlo.return %iterArg, %0 : tensor<i32>, tensor<f32>
  }
  // CHECK: stablehlo.while() attributes {foo = 1 : i64}
  stablehlo.while() attributes {foo = 1 : i64}
  // CHECK: cond {
  cond {
    // CHECK: %{{[^ ,()]+}} = stablehlo.constant dense<false> : tensor<i1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    // CHECK: stablehlo.return %{{[^ ,()]+}} : tensor<i1>
    stablehlo.return %c : tensor<i1>
  // CHECK: } do {
  } do {
    // CHECK: stablehlo.return
    stablehlo.return
  }
  return %r#1 : tensor<f32>
}

func.func @calls(%x: tensor<4xf32>) {
  // CHECK: %{{[^ ,()]+}} = stablehlo.custom_call @"my-t"(%{{[^ ,()]+}}) {api_version = 4 : i32, backend_config = {k = 1 : i64}, has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  %0 = stablehlo.custom_call @"my-t"(%x) {api_version = 4 : i32, backend_config = {k = 1 : i64}, has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.custom_call @f(%{{[^ ,()]+}}) {backend_config = "", operand_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @f(%x) {backend_config = "", operand_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.composite "chlo.erf" %{{[^ ,()]+}} {decomposition = @erf.impl, version = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.composite "chlo.erf" %x {decomposition = @erf.impl, version = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func private @erf.impl(tensor<4xf32>) -> tensor<4xf32>

func.func @indexing(%x: tensor<3x4xf32>, %i: tensor<2x1xi32>, %u: tensor<2x4xf32>) {
  // CHECK: %{{[^ ,()]+}} = "stablehlo.gather"(%{{[^ ,()]+}}, %{{[^ ,()]+}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  // CHECK: %{{[^ ,()]+}} = "stablehlo.scatter"(%{{[^ ,()]+}}, %{{[^ ,()]+}}, %{{[^ ,()]+}}) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  %1 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%p: tensor<f32>, %r: tensor<f32>):
    // CHECK: stablehlo.return %{{[^ ,()]+}} : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  // CHECK: %{{[^ ,()]+}} = "stablehlo.sort"(%{{[^ ,()]+}}) <{dimension = 1 : i64, is_stable = true}> ({
  %2 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<f32>, %r: tensor<f32>):
    // CHECK: %{{[^ ,()]+}} = stablehlo.compare LT, %{{[^ ,()]+}}, %{{[^ ,()]+}}, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %c = stablehlo.compare LT, %p, %r, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    // CHECK: stablehlo.return %{{[^ ,()]+}} : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}
