// RUN: ferrule-opt %s --expand-complex --split-input-file -verify-diagnostics | FileCheck %s
// RUN: ferrule-opt %s --stablehlo-complex-math-expander --split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32> {ferrule.name = "x.real"}, %[[B:.*]]: tensor<4xf32> {ferrule.name = "x.imag"}, %[[C:.*]]: tensor<4xf32>, %[[D:.*]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
func.func @product(%x: tensor<4xcomplex<f32>> {ferrule.name = "x"}, %y: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // CHECK: %[[AC:.*]] = stablehlo.multiply %[[A]], %[[C]]
  // CHECK: %[[BD:.*]] = stablehlo.multiply %[[B]], %[[D]]
  // CHECK: %[[RE:.*]] = stablehlo.subtract %[[AC]], %[[BD]]
  // CHECK: %[[IM:.*]] = stablehlo.add
  // CHECK: return %[[RE]], %[[IM]]
  %0 = stablehlo.multiply %x, %y : tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: func.func @constant(
func.func @constant() -> tensor<2xcomplex<f64>> {
  // CHECK-DAG: stablehlo.constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf64>
  // CHECK-DAG: stablehlo.constant dense<[-2.000000e+00, 4.000000e+00]> : tensor<2xf64>
  %0 = stablehlo.constant dense<[(1.0, -2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  return %0 : tensor<2xcomplex<f64>>
}

// CHECK-LABEL: func.func @summed(
func.func @summed(%x: tensor<?x3xcomplex<f32>>, %i: tensor<complex<f32>>) -> tensor<?xcomplex<f32>> {
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}), (%{{.*}} init: %{{.*}}) across dimensions = [1]
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [1] : (tensor<?x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// CHECK-LABEL: func.func @calling(
func.func @calling(%x: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  // CHECK: %[[R:.*]]:2 = call @called(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  // CHECK: return %[[R]]#1
  %0 = call @called(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %1 = stablehlo.imag %0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @called(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  return %x : tensor<4xcomplex<f32>>
}

// -----

func.func @no_transform(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error @+1 {{failed to legalize operation 'stablehlo.fft'}}
  %0 = stablehlo.fft %x, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
