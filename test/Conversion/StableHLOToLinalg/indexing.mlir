// RUN: ferrule-opt %s --convert-stablehlo-to-linalg --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @embedding
// CHECK: linalg.generic
// CHECK-SAME: ins(%arg1 : tensor<?x1xi32>)
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: tensor.extract %arg0
func.func @embedding(%table: tensor<100x16xf32>, %i: tensor<?x1xi32>) -> tensor<?x16xf32> {
  %0 = "stablehlo.gather"(%table, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}> : (tensor<100x16xf32>, tensor<?x1xi32>) -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// CHECK-LABEL: @update
// CHECK: %[[S:.*]] = arith.minsi %{{.*}}, %c6
// CHECK: tensor.insert_slice %arg1 into %arg0[%[[S]], 0] [2, 4] [1, 1]
func.func @update(%x: tensor<8x4xf32>, %u: tensor<2x4xf32>, %i: tensor<i32>) -> tensor<8x4xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %c : (tensor<8x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK-LABEL: @scatter_add
// CHECK: ferrule.scatter ins(%arg1, %arg2 : tensor<2x1xi32>, tensor<2x4xf32>) outs(%arg0 : tensor<8x4xf32>)
// CHECK: arith.addf
// CHECK: ferrule.yield
func.func @scatter_add(%x: tensor<8x4xf32>, %i: tensor<2x1xi32>, %u: tensor<2x4xf32>) -> tensor<8x4xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK-LABEL: @negative_and_interior_padding
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[0, 2] [4, 4] [2, 1]
// CHECK: tensor.extract_slice %{{.*}}[1, 0] [6, 6] [1, 1]
func.func @negative_and_interior_padding(%x: tensor<4x4xf32>, %v: tensor<f32>) -> tensor<6x6xf32> {
  %0 = stablehlo.pad %x, %v, low = [-1, 2], high = [0, 0], interior = [1, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}
