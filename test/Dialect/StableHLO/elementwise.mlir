// RUN: ferrule-opt %s | ferrule-opt | FileCheck %s
// RUN: ferrule-opt %s --emit-bytecode | ferrule-opt | FileCheck %s

// One type stands for all when they are equal.
func.func @unary(%x: tensor<4xf32>, %i: tensor<4xi64>, %z: tensor<4xcomplex<f32>>, %d: tensor<?xf32>, %q: tensor<4x!quant.uniform<i8:f32, 2.000000e+00:15>>) {
  // CHECK: %{{[^ ,()]+}} = stablehlo.abs %{{[^ ,()]+}} : tensor<4xf32>
  %0 = stablehlo.abs %x : tensor<4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.abs %{{[^ ,()]+}} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %1 = stablehlo.abs %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.convert %{{[^ ,()]+}} : (tensor<4xi64>) -> tensor<4xf32>
  %2 = stablehlo.convert %i : (tensor<4xi64>) -> tensor<4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.exponential %{{[^ ,()]+}} {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  %3 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.is_finite %{{[^ ,()]+}} : (tensor<4xf32>) -> tensor<4xi1>
  %4 = stablehlo.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK: %{{[^ ,()]+}} = stablehlo.real %{{[^ ,()]+}} : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %5 = stablehlo.real %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.reduce_precision %{{[^ ,()]+}}, format = e8m10 : tensor<4xf32>
  %6 = stablehlo.reduce_precision %x, format = e8m10 : tensor<4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.round_nearest_even %{{[^ ,()]+}} : (tensor<?xf32>) -> tensor<4xf32>
  %7 = stablehlo.round_nearest_even %d : (tensor<?xf32>) -> tensor<4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.count_leading_zeros %{{[^ ,()]+}} : tensor<4xi64>
  %8 = stablehlo.count_leading_zeros %i : tensor<4xi64>
  // CHECK: %{{[^ ,()]+}} = stablehlo.uniform_dequantize %{{[^ ,()]+}} : (tensor<4x!quant.uniform<i8:f32, 2.000000e+00:15>>) -> tensor<4xf32>
  %9 = stablehlo.uniform_dequantize %q : (tensor<4x!quant.uniform<i8:f32, 2.000000e+00:15>>) -> tensor<4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.uniform_quantize %{{[^ ,()]+}} : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 2.000000e+00:15>>
  %10 = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 2.000000e+00:15>>
  // CHECK: %{{[^ ,()]+}} = stablehlo.bitcast_convert %{{[^ ,()]+}} : (tensor<4xf32>) -> tensor<4x4xi8>
  %11 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4x4xi8>
  return
}

func.func @binary(%x: tensor<4xf32>, %d: tensor<?xf32>, %p: tensor<4xi1>, %s: tensor<f32>) {
  // CHECK: %{{[^ ,()]+}} = stablehlo.add %{{[^ ,()]+}}, %{{[^ ,()]+}} : tensor<4xf32>
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.add %{{[^ ,()]+}}, %{{[^ ,()]+}} : (tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  %1 = stablehlo.add %x, %d : (tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.complex %{{[^ ,()]+}}, %{{[^ ,()]+}} : tensor<4xcomplex<f32>>
  %2 = stablehlo.complex %x, %x : tensor<4xcomplex<f32>>
  // CHECK: %{{[^ ,()]+}} = stablehlo.compare LT, %{{[^ ,()]+}}, %{{[^ ,()]+}}, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %3 = stablehlo.compare LT, %x, %x, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: %{{[^ ,()]+}} = stablehlo.compare EQ, %{{[^ ,()]+}}, %{{[^ ,()]+}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %4 = stablehlo.compare EQ, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: %{{[^ ,()]+}} = stablehlo.select %{{[^ ,()]+}}, %{{[^ ,()]+}}, %{{[^ ,()]+}} : tensor<4xi1>, tensor<4xf32>
  %5 = stablehlo.select %p, %x, %x : tensor<4xi1>, tensor<4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.select %{{[^ ,()]+}}, %{{[^ ,()]+}}, %{{[^ ,()]+}} : (tensor<4xi1>, tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  %6 = stablehlo.select %p, %x, %d : (tensor<4xi1>, tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.clamp %{{[^ ,()]+}}, %{{[^ ,()]+}}, %{{[^ ,()]+}} : tensor<4xf32>
  %7 = stablehlo.clamp %x, %x, %x : tensor<4xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.clamp %{{[^ ,()]+}}, %{{[^ ,()]+}}, %{{[^ ,()]+}} : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %8 = stablehlo.clamp %s, %x, %s : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func @constants
func.func @constants(%n: tensor<2xi64>) {
  // CHECK: %{{[^ ,()]+}} = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.constant {foo = 1 : i64} dense<1.000000e+00> : tensor<2xf32>
  %cst = stablehlo.constant {foo = 1 : i64} dense<1.000000e+00> : tensor<2xf32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.constant() <{value = dense<3> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 2.000000e+00:15>>
  %0 = stablehlo.constant() <{value = dense<3> : tensor<1xi8>}> : () -> tensor<1x!quant.uniform<i8:f32, 2.000000e+00:15>>
  // CHECK: %{{[^ ,()]+}} = stablehlo.iota dim = 0 : tensor<4x5xi32>
  %1 = stablehlo.iota dim = 0 : tensor<4x5xi32>
  // CHECK: %{{[^ ,()]+}} = stablehlo.dynamic_iota %{{[^ ,()]+}}, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi32>
  %2 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi32>
  return
}
