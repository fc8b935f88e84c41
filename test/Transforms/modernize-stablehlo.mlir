// RUN: ferrule-opt %s --modernize-stablehlo | FileCheck %s
// RUN: ferrule-opt %s --stablehlo-legalize-deprecated-ops | FileCheck %s

// CHECK-LABEL: @all
func.func @all(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %i: tensor<5xi32>) {
  // CHECK: stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<7x2x3xf32>
  %0 = stablehlo.broadcast %a, sizes = [7] : (tensor<2x3xf32>) -> tensor<7x2x3xf32>
  // CHECK: stablehlo.after_all : !stablehlo.token
  %1 = stablehlo.create_token : !stablehlo.token
  // CHECK: stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  // CHECK: %[[P:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  // CHECK: stablehlo.transpose %[[P]], dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %3 = stablehlo.einsum %a, %b, config = "ab,bc->ca" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  // CHECK: "stablehlo.all_reduce"(%arg0)
  // CHECK: stablehlo.add
  %4 = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.gather"(%arg1, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 3, 1>}> : (tensor<3x4xf32>, tensor<5xi32>) -> tensor<3x5xf32>
  %5 = "stablehlo.torch_index_select"(%b, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<3x4xf32>, tensor<5xi32>) -> tensor<3x5xf32>
  return
}
