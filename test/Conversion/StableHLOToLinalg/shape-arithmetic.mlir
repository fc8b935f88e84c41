// RUN: ferrule-opt %s --convert-stablehlo-to-linalg --canonicalize --cse | FileCheck %s

// A chain of size computations leaves index arithmetic and a view.
// CHECK-LABEL: @split_heads
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[D:.*]] = tensor.dim %arg0, %[[C0]]
// CHECK-NEXT: %[[R:.*]] = tensor.expand_shape %arg0 {{\[}}[0], [1], [2, 3]] output_shape [%[[D]], 128, 12, 64]
// CHECK-NEXT: return %[[R]]
func.func @split_heads(%a: tensor<?x128x768xf32>) -> tensor<?x128x12x64xf32> {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x128x768xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %c = stablehlo.constant dense<[128, 12, 64]> : tensor<3xi32>
  %2 = stablehlo.concatenate %1, %c, dim = 0 : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
  %3 = stablehlo.dynamic_reshape %a, %2 : (tensor<?x128x768xf32>, tensor<4xi32>) -> tensor<?x128x12x64xf32>
  return %3 : tensor<?x128x12x64xf32>
}

// A product of sizes is recognised: no collapse to one dimension.
// CHECK-LABEL: @merge_batch
// CHECK-NEXT: %[[R:.*]] = tensor.collapse_shape %arg0 {{\[}}[0, 1], [2, 3]]
// CHECK-NEXT: return %[[R]]
func.func @merge_batch(%a: tensor<?x?x12x64xf32>) -> tensor<?x768xf32> {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?x12x64xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?x12x64xf32>) -> tensor<i32>
  %m = stablehlo.multiply %0, %1 : tensor<i32>
  %r = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %c = stablehlo.constant dense<[768]> : tensor<1xi32>
  %2 = stablehlo.concatenate %r, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %3 = stablehlo.dynamic_reshape %a, %2 : (tensor<?x?x12x64xf32>, tensor<2xi32>) -> tensor<?x768xf32>
  return %3 : tensor<?x768xf32>
}

// CHECK-LABEL: @shape_operand
// CHECK-COUNT-2: tensor.extract %arg1
// CHECK: tensor.expand_shape
func.func @shape_operand(%a: tensor<?xf32>, %s: tensor<3xi32>) -> tensor<?x?x4xf32> {
  %3 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<3xi32>) -> tensor<?x?x4xf32>
  return %3 : tensor<?x?x4xf32>
}

// CHECK-LABEL: @product_of_sizes
// CHECK-NOT: linalg
// CHECK: arith.muli
// CHECK: tensor.from_elements
func.func @product_of_sizes(%s: tensor<3xi32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.reduce(%s init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
