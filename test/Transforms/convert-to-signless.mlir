// RUN: ferrule-opt %s --convert-to-signless --split-input-file -verify-diagnostics | FileCheck %s
// RUN: ferrule-opt %s --stablehlo-convert-to-signless --split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @maximum(
// CHECK-SAME: %[[A:.*]]: tensor<4xi8> {ferrule.type = ui8}, %[[B:.*]]: tensor<4xi8> {ferrule.type = ui8}) -> (tensor<4xi8> {ferrule.type = ui8})
func.func @maximum(%a: tensor<4xui8>, %b: tensor<4xui8>) -> tensor<4xui8> {
  // CHECK: %[[SIGN:.*]] = stablehlo.constant dense<-128> : tensor<4xi8>
  // CHECK: %[[X:.*]] = stablehlo.xor %[[A]], %[[SIGN]]
  // CHECK: %[[Y:.*]] = stablehlo.xor %[[B]]
  // CHECK: %[[M:.*]] = stablehlo.maximum %[[X]], %[[Y]] : tensor<4xi8>
  // CHECK: stablehlo.xor %[[M]]
  %0 = stablehlo.maximum %a, %b : tensor<4xui8>
  return %0 : tensor<4xui8>
}

// Sums have the same bits with and without a sign.
// CHECK-LABEL: func.func @sum(
func.func @sum(%a: tensor<?xui32>, %i: tensor<ui32>) -> tensor<ui32> {
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0] : (tensor<?xui32>, tensor<ui32>) -> tensor<ui32>
  return %0 : tensor<ui32>
}

// CHECK-LABEL: func.func @widened(
func.func @widened(%a: tensor<4xui8>) -> tensor<4xi32> {
  // CHECK: %[[W:.*]] = stablehlo.convert %{{.*}} : (tensor<4xi8>) -> tensor<4xi32>
  // CHECK: %[[M:.*]] = stablehlo.constant dense<255> : tensor<4xi32>
  // CHECK: stablehlo.and %[[W]], %[[M]]
  %0 = stablehlo.convert %a : (tensor<4xui8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func.func @compared(
func.func @compared(%a: tensor<4xui8>, %b: tensor<4xui8>) -> tensor<4xi1> {
  // CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}}, SIGNED
  %0 = stablehlo.compare LT, %a, %b, UNSIGNED : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

func.func @no_random_numbers(%a: tensor<ui8>, %s: tensor<1xi64>) -> tensor<4xui8> {
  // expected-error @+1 {{failed to legalize operation 'stablehlo.rng'}}
  %0 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<ui8>, tensor<ui8>, tensor<1xi64>) -> tensor<4xui8>
  return %0 : tensor<4xui8>
}
