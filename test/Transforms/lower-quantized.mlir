// RUN: ferrule-opt %s --lower-quantized --split-input-file -verify-diagnostics | FileCheck %s
// RUN: ferrule-opt %s --stablehlo-legalize-quant-to-math --split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @dequantized(
// CHECK-SAME: %[[X:.*]]: tensor<4xi8>) -> tensor<4xf32>
func.func @dequantized(%x: tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4xf32> {
  // CHECK-DAG: %[[WIDE:.*]] = stablehlo.convert %[[X]] : (tensor<4xi8>) -> tensor<4xi32>
  // CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<3> : tensor<4xi32>
  // CHECK: %[[DISTANCE:.*]] = stablehlo.subtract %[[WIDE]], %[[ZERO]]
  // CHECK-DAG: %[[NUMBER:.*]] = stablehlo.convert %[[DISTANCE]] : (tensor<4xi32>) -> tensor<4xf32>
  // CHECK-DAG: %[[SCALE:.*]] = stablehlo.constant dense<5.000000e-01> : tensor<4xf32>
  // CHECK: stablehlo.multiply %[[NUMBER]], %[[SCALE]]
  %0 = stablehlo.uniform_dequantize %x : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @quantized(
// CHECK-SAME: -> tensor<?xui8>
func.func @quantized(%x: tensor<?xf32>) -> tensor<?x!quant.uniform<u8<1:255>:f32, 0.5:128>> {
  // CHECK: stablehlo.divide
  // CHECK: stablehlo.add
  // CHECK: %[[LOW:.*]] = stablehlo.constant dense<1.000000e+00>
  // CHECK: %[[HIGH:.*]] = stablehlo.constant dense<2.550000e+02>
  // CHECK: stablehlo.clamp %[[LOW]], %{{.*}}, %[[HIGH]]
  // CHECK: stablehlo.round_nearest_even
  // CHECK: stablehlo.convert %{{.*}} : (tensor<?xf32>) -> tensor<?xui8>
  %0 = stablehlo.uniform_quantize %x : (tensor<?xf32>) -> tensor<?x!quant.uniform<u8<1:255>:f32, 0.5:128>>
  return %0 : tensor<?x!quant.uniform<u8<1:255>:f32, 0.5:128>>
}

// Sums that fit are of 32 bits; the scales meet them once.
// CHECK-LABEL: func.func @product(
func.func @product(%a: tensor<2x8x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<8x4x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0, 1.0}>>) -> tensor<2x4x!quant.uniform<i8:f32, 4.0>> {
  // CHECK: stablehlo.dot_general {{.*}} : (tensor<2x8xi32>, tensor<8x4xi32>) -> tensor<2x4xi32>
  // CHECK: stablehlo.convert {{.*}} : (tensor<2x4xi32>) -> tensor<2x4xf64>
  // CHECK: stablehlo.constant dense<[2.500000e-01, 1.250000e-01, 1.000000e+00, 5.000000e-01]> : tensor<4xf64>
  // CHECK: stablehlo.broadcast_in_dim {{.*}}, dims = [1] : (tensor<4xf64>) -> tensor<2x4xf64>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x8x!quant.uniform<i8:f32, 0.5:3>>, tensor<8x4x!quant.uniform<i8:f32:1, {0.5, 0.25, 2.0, 1.0}>>) -> tensor<2x4x!quant.uniform<i8:f32, 4.0>>
  return %0 : tensor<2x4x!quant.uniform<i8:f32, 4.0>>
}

// CHECK-LABEL: func.func @long_product(
func.func @long_product(%a: tensor<2x?x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<?x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x4x!quant.uniform<i8:f32, 4.0>> {
  // CHECK: stablehlo.dot_general {{.*}} -> tensor<2x4xi64>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x?x!quant.uniform<i8:f32, 0.5:3>>, tensor<?x4x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x4x!quant.uniform<i8:f32, 4.0>>
  return %0 : tensor<2x4x!quant.uniform<i8:f32, 4.0>>
}

// What meets another quantization in a body is requantized before.
// CHECK-LABEL: func.func @accumulators(
func.func @accumulators(%x: tensor<4x!quant.uniform<i8:f32, 0.5>>, %i: tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i32:f32, 0.25>> {
  // CHECK: stablehlo.reduce({{.*}} init: {{.*}}) {{.*}} : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  // CHECK: reducer(%{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>)
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i32:f32, 0.25>>
    reducer(%a: tensor<!quant.uniform<i32:f32, 0.25>>, %b: tensor<!quant.uniform<i32:f32, 0.25>>) {
    %1 = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.25>>
    stablehlo.return %1 : tensor<!quant.uniform<i32:f32, 0.25>>
  }
  return %0 : tensor<!quant.uniform<i32:f32, 0.25>>
}

// CHECK-LABEL: func.func @called(
func.func @called(%x: tensor<2x!quant.uniform<i4:f32, 0.5>>) -> tuple<tensor<2x!quant.uniform<i4:f32, 0.5>>> {
  // CHECK: call @dispatch(%{{.*}}) : (tensor<2xi4>) -> tensor<2xi4>
  %0 = call @dispatch(%x) : (tensor<2x!quant.uniform<i4:f32, 0.5>>) -> tensor<2x!quant.uniform<i4:f32, 0.5>>
  // CHECK: stablehlo.tuple %{{.*}} : tuple<tensor<2xi4>>
  %1 = stablehlo.tuple %0 : tuple<tensor<2x!quant.uniform<i4:f32, 0.5>>>
  return %1 : tuple<tensor<2x!quant.uniform<i4:f32, 0.5>>>
}
func.func private @dispatch(%x: tensor<2x!quant.uniform<i4:f32, 0.5>>) -> tensor<2x!quant.uniform<i4:f32, 0.5>> {
  return %x : tensor<2x!quant.uniform<i4:f32, 0.5>>
}

// -----

func.func @no_meaning(%x: tensor<2x2x!quant.uniform<i4:f32, 0.5>>) -> tensor<2x!quant.uniform<i4:f32, 0.5>> {
  // expected-error @+1 {{failed to legalize operation 'stablehlo.unary_einsum'}}
  %0 = stablehlo.unary_einsum %x, config = "ab->a" : (tensor<2x2x!quant.uniform<i4:f32, 0.5>>) -> tensor<2x!quant.uniform<i4:f32, 0.5>>
  return %0 : tensor<2x!quant.uniform<i4:f32, 0.5>>
}
