// RUN: ferrule-opt %s --simplify-stablehlo | FileCheck %s
// Results that say less than their operands get what is known of them.

// CHECK-LABEL: @bounds
func.func @bounds(%x: tensor<2x?xf32, #stablehlo.bounds<?, 3>>, %y: tensor<?x4xf32, #stablehlo.bounds<5, ?>>, %z: tensor<f32>) {
  // CHECK: stablehlo.transpose {{.*}} -> tensor<?x2xf32, #stablehlo.bounds<3, ?>>
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x?xf32, #stablehlo.bounds<?, 3>>) -> tensor<?x2xf32>
  // CHECK: stablehlo.concatenate {{.*}} -> tensor<2x?xf32, #stablehlo.bounds<?, 6>>
  %1 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<2x?xf32, #stablehlo.bounds<?, 3>>, tensor<2x?xf32, #stablehlo.bounds<?, 3>>) -> tensor<2x?xf32>
  // CHECK: stablehlo.pad {{.*}} -> tensor<2x?xf32, #stablehlo.bounds<?, 8>>
  %2 = stablehlo.pad %x, %z, low = [0, 1], high = [0, 2], interior = [0, 1] : (tensor<2x?xf32, #stablehlo.bounds<?, 3>>, tensor<f32>) -> tensor<2x?xf32>
  // CHECK: stablehlo.reduce{{.*}} -> tensor<?xf32, #stablehlo.bounds<3>>
  %3 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2x?xf32, #stablehlo.bounds<?, 3>>, tensor<f32>) -> tensor<?xf32>
  // CHECK: stablehlo.dot_general {{.*}} -> tensor<?x?xf32, #stablehlo.bounds<5, 3>>
  %w = "stablehlo.custom_call"() <{call_target_name = "test.weights"}> : () -> tensor<2x4xf32>
  %4 = stablehlo.dot_general %y, %w, contracting_dims = [1] x [1] : (tensor<?x4xf32, #stablehlo.bounds<5, ?>>, tensor<2x4xf32>) -> tensor<?x2xf32>
  %5 = stablehlo.dot_general %4, %x, contracting_dims = [1] x [0] : (tensor<?x2xf32>, tensor<2x?xf32, #stablehlo.bounds<?, 3>>) -> tensor<?x?xf32>
  // CHECK: stablehlo.add {{.*}} : tensor<2x?xf32, #stablehlo.bounds<?, 3>>
  %6 = stablehlo.add %x, %x : (tensor<2x?xf32, #stablehlo.bounds<?, 3>>, tensor<2x?xf32, #stablehlo.bounds<?, 3>>) -> tensor<2x?xf32>
  // CHECK: stablehlo.set_dimension_size {{.*}} -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
  %n = stablehlo.constant dense<1> : tensor<i32>
  %7 = stablehlo.set_dimension_size %x, %n, dim = 1 : (tensor<2x?xf32, #stablehlo.bounds<?, 3>>, tensor<i32>) -> tensor<2x?xf32>
  stablehlo.custom_call @test.use(%0, %1, %2, %3, %5, %6, %7) {has_side_effect = true} : (tensor<?x2xf32>, tensor<2x?xf32>, tensor<2x?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<2x?xf32>, tensor<2x?xf32>) -> ()
  return
}
