// RUN: ferrule-opt %s --convert-stablehlo-to-linalg | FileCheck %s

// CHECK-LABEL: @call
func.func @call(%x: tensor<4xui32>) -> tensor<3xf32> {
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<3xf32>
  // CHECK: byre.call_provider "acme.f" ins(%arg0 : tensor<4xi32>) outs(%[[E]] : tensor<3xf32>) config {ferrule.element_types = ["ui32", ""], k = 200 : i64, list = [1, 2]} -> tensor<3xf32>
  %0 = stablehlo.custom_call @acme.f(%x) {mhlo.backend_config = {k = 200 : ui8, list = array<i32: 1, 2>}} : (tensor<4xui32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: @sizes_and_tokens
func.func @sizes_and_tokens(%x: tensor<?xf32>, %t: !stablehlo.token, %shape: tensor<2xi64>, %none: tensor<0xi64>) -> (tensor<?x2xf32>, !stablehlo.token) {
  // CHECK: %[[N:.*]] = arith.index_cast
  // CHECK: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?x2xf32>
  // CHECK: %[[R:.*]] = byre.call_provider "acme.g" ins(%arg0 : tensor<?xf32>) outs(%[[E]] : tensor<?x2xf32>) config {backend_config = "text"} -> tensor<?x2xf32>
  %0:2 = stablehlo.custom_call @acme.g(%x, %t, %shape, %none) {backend_config = "text", has_side_effect = true, indices_of_shape_operands = dense<[2, 3]> : tensor<2xi64>} : (tensor<?xf32>, !stablehlo.token, tensor<2xi64>, tensor<0xi64>) -> (tensor<?x2xf32>, !stablehlo.token)
  return %0#0, %0#1 : tensor<?x2xf32>, !stablehlo.token
}
