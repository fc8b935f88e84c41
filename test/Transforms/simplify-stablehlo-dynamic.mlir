// RUN: ferrule-opt %s --simplify-stablehlo | FileCheck %s

// CHECK-LABEL: func @static_forms
func.func @static_forms(%x: tensor<4xf32>) -> (tensor<2x2xf32>, tensor<3x4xf32>, tensor<3xi32>, tensor<6xf32>, tensor<2xf32>) {
  // CHECK-DAG: stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<2x2xf32>
  // CHECK-DAG: stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
  // CHECK-DAG: stablehlo.iota dim = 0 : tensor<3xi32>
  // CHECK-DAG: stablehlo.pad %arg0, %{{.*}}, low = [1], high = [1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  // CHECK-DAG: stablehlo.slice %arg0 [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>
  // CHECK-NOT: dynamic
  %s22 = stablehlo.constant dense<2> : tensor<2xi32>
  %s34 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %three = stablehlo.constant dense<3> : tensor<1xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %v = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dynamic_reshape %x, %s22 : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %x, %s34, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<3x4xf32>
  %2 = stablehlo.dynamic_iota %three, dim = 0 : (tensor<1xi32>) -> tensor<3xi32>
  %3 = stablehlo.dynamic_pad %x, %v, %one, %one, %zero : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<6xf32>
  %4 = stablehlo.real_dynamic_slice %x, %one, %four, %two : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<2x2xf32>, tensor<3x4xf32>, tensor<3xi32>, tensor<6xf32>, tensor<2xf32>
}

// Sizes flow through the program; the function keeps its type.
// CHECK-LABEL: func @sizes_flow
func.func @sizes_flow(%x: tensor<4xf32>, %y: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<i32>) {
  // CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<2> : tensor<i32>
  // CHECK-DAG: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<4xf32>) -> tensor<2x2xf32>
  // CHECK: %[[E:.*]] = stablehlo.exponential %[[R]] : tensor<2x2xf32>
  // CHECK: %[[T:.*]] = tensor.cast %[[E]] : tensor<2x2xf32> to tensor<?x?xf32>
  // CHECK: return %[[T]], %[[C]]
  %s = stablehlo.constant dense<2> : tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.exponential %0 : tensor<?x?xf32>
  %2 = stablehlo.get_dimension_size %1, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  return %1, %2 : tensor<?x?xf32>, tensor<i32>
}

// CHECK-LABEL: func @partly_known_shape
func.func @partly_known_shape(%x: tensor<?x4xf32>, %z: tensor<f32>) -> tensor<?x?xf32> {
  // CHECK: %[[B:.*]] = stablehlo.dynamic_broadcast_in_dim %arg1, %{{.*}}, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
  // CHECK: stablehlo.add %arg0, %[[B]] : tensor<?x4xf32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %n1, %m1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %z, %s, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.add %x, %0 : (tensor<?x4xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: func @slice_at_constants
func.func @slice_at_constants(%x: tensor<4x8xf32>, %i: tensor<i32>) -> tensor<2x8xf32> {
  // Indices out of range are moved inside; a whole dimension starts at 0.
  // CHECK: stablehlo.slice %arg0 [2:4, 0:8]
  %c = stablehlo.constant dense<7> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %c, %i, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: func @branches
func.func @branches(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  // CHECK: %[[N:.*]] = stablehlo.negate %arg0
  // CHECK: return %[[N]], %arg1, %arg0
  %t = stablehlo.constant dense<true> : tensor<i1>
  %i = stablehlo.constant dense<-1> : tensor<i32>
  %0 = "stablehlo.if"(%t) ({
    %3 = stablehlo.negate %x : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %1 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  %2 = stablehlo.while(%a = %x) : tensor<f32>
  cond {
    %f = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %f : tensor<i1>
  } do {
    %4 = stablehlo.add %a, %a : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// Sizes come from arguments, not from what is computed.
// CHECK-LABEL: func @sizes_of_results
func.func @sizes_of_results(%x: tensor<?x4xf32>, %w: tensor<4x?xf32>, %z: tensor<f32>, %s: tensor<2xi64>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  // CHECK-DAG: %[[N:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
  // CHECK-DAG: %[[M:.*]] = stablehlo.get_dimension_size %arg1, dim = 1
  // CHECK-DAG: %[[E:.*]] = stablehlo.slice %arg3 [1:2]
  // CHECK-DAG: %[[R:.*]] = stablehlo.reshape %[[E]]
  // CHECK-DAG: %[[C:.*]] = stablehlo.convert %[[R]]
  // CHECK: return %[[N]], %[[M]], %[[C]]
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = stablehlo.tanh %1 : tensor<?x?xf32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %n = stablehlo.get_dimension_size %3, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %2, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %4 = stablehlo.dynamic_broadcast_in_dim %z, %s, dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  %k = stablehlo.get_dimension_size %4, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  return %n, %m, %k : tensor<i32>, tensor<i32>, tensor<i32>
}
