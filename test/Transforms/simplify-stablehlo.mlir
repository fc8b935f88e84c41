// RUN: ferrule-opt %s --simplify-stablehlo | FileCheck %s

// CHECK-LABEL: func @size_of_static_dimension
func.func @size_of_static_dimension(%x: tensor<2x?xf32>) -> tensor<i32> {
  // CHECK: %[[C:.*]] = stablehlo.constant dense<2> : tensor<i32>
  // CHECK: return %[[C]]
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<2x?xf32>) -> tensor<i32>
  return %n : tensor<i32>
}

// CHECK-LABEL: func @movement_that_cancels
func.func @movement_that_cancels(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: return %arg0
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.reshape %1 : (tensor<2x3xf32>) -> tensor<6xf32>
  %3 = stablehlo.reshape %2 : (tensor<6xf32>) -> tensor<2x3xf32>
  %4 = stablehlo.slice %3 [0:2, 0:3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = stablehlo.convert %5 : tensor<2x3xf32>
  %7 = stablehlo.reverse %6, dims = [1] : tensor<2x3xf32>
  %8 = stablehlo.reverse %7, dims = [1] : tensor<2x3xf32>
  %v = stablehlo.constant dense<0.0> : tensor<f32>
  %9 = stablehlo.pad %8, %v, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %9 : tensor<2x3xf32>
}

// CHECK-LABEL: func @transpose_of_unit_dimensions
func.func @transpose_of_unit_dimensions(%x: tensor<1x3x1x4xf32>) -> tensor<3x4x1x1xf32> {
  // CHECK: stablehlo.reshape %arg0
  %0 = stablehlo.transpose %x, dims = [1, 3, 0, 2] : (tensor<1x3x1x4xf32>) -> tensor<3x4x1x1xf32>
  return %0 : tensor<3x4x1x1xf32>
}

// CHECK-LABEL: func @slice_of_concatenation
func.func @slice_of_concatenation(%x: tensor<3xf32>, %y: tensor<4xf32>) -> tensor<1xf32> {
  // CHECK: stablehlo.slice %arg1 [3:4]
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<3xf32>, tensor<4xf32>) -> tensor<7xf32>
  %1 = stablehlo.slice %0 [3:7:2] : (tensor<7xf32>) -> tensor<2xf32>
  %2 = stablehlo.slice %0 [6:7] : (tensor<7xf32>) -> tensor<1xf32>
  return %2 : tensor<1xf32>
}

// CHECK-LABEL: func @neutral_values
func.func @neutral_values(%x: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  // CHECK-NEXT: return %arg0, %arg1
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %negzero = stablehlo.constant dense<-0.0> : tensor<4xf32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %ones = stablehlo.broadcast_in_dim %c1, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %0 = stablehlo.multiply %one, %x : tensor<4xf32>
  %1 = stablehlo.add %0, %negzero : tensor<4xf32>
  %2 = stablehlo.divide %1, %one : tensor<4xf32>
  %3 = stablehlo.negate %2 : tensor<4xf32>
  %4 = stablehlo.negate %3 : tensor<4xf32>
  %5 = stablehlo.multiply %i, %ones : tensor<4xi32>
  return %4, %5 : tensor<4xf32>, tensor<4xi32>
}

// Zero plus minus zero is zero: the sum is not x for every x.
// CHECK-LABEL: func @no_positive_zero
func.func @no_positive_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: stablehlo.add
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %0 = stablehlo.add %x, %zero : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @integer_arithmetic
func.func @integer_arithmetic() -> (tensor<3xi32>, tensor<2xi1>, tensor<2xui8>) {
  // CHECK-DAG: stablehlo.constant dense<[3, 12, 4]> : tensor<3xi32>
  // CHECK-DAG: stablehlo.constant dense<[true, false]> : tensor<2xi1>
  // CHECK-DAG: stablehlo.constant dense<[99, 255]> : tensor<2xui8>
  // CHECK-NOT: stablehlo.{{[a-b]}}
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x2xi64>) -> tensor<2x2xi64>
  %1 = stablehlo.multiply %0, %a : tensor<2x2xi64>
  %2 = stablehlo.slice %1 [1:2, 0:1] : (tensor<2x2xi64>) -> tensor<1x1xi64>
  %3 = stablehlo.reshape %2 : (tensor<1x1xi64>) -> tensor<1xi64>
  %c3 = stablehlo.constant dense<3> : tensor<1xi64>
  %c2 = stablehlo.constant dense<2> : tensor<1xi64>
  %4 = stablehlo.power %c2, %c3 : tensor<1xi64>
  %5 = stablehlo.subtract %4, %c3 : tensor<1xi64>
  %c12 = stablehlo.multiply %c3, %4 : tensor<1xi64>
  %6 = stablehlo.divide %c12, %c2 : tensor<1xi64>
  %7 = stablehlo.divide %4, %c2 : tensor<1xi64>
  %8 = stablehlo.concatenate %c3, %6, %7, dim = 0 : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
  %9 = stablehlo.convert %8 : (tensor<3xi64>) -> tensor<3xi32>
  %u = stablehlo.constant dense<[200, 255]> : tensor<2xui8>
  %v = stablehlo.constant dense<[99, 255]> : tensor<2xui8>
  %10 = stablehlo.compare GT, %u, %v : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  %11 = stablehlo.minimum %u, %v : tensor<2xui8>
  return %9, %10, %11 : tensor<3xi32>, tensor<2xi1>, tensor<2xui8>
}

// CHECK-LABEL: func @no_division_by_zero
func.func @no_division_by_zero() -> tensor<i32> {
  // CHECK: stablehlo.divide
  %a = stablehlo.constant dense<1> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.divide %a, %z : tensor<i32>
  return %0 : tensor<i32>
}
