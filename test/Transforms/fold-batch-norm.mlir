// RUN: ferrule-opt %s --fold-batch-norm --split-input-file | FileCheck %s

// CHECK-LABEL: func @scale_into_weights
func.func @scale_into_weights(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x6x6xf32> {
  // CHECK-DAG: %[[W:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<4x3x3x3xf32>
  // CHECK-DAG: %[[S:.*]] = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
  // CHECK: %[[F:.*]] = stablehlo.broadcast_in_dim %[[S]], dims = [0] : (tensor<4xf32>) -> tensor<4x3x3x3xf32>
  // CHECK: %[[V:.*]] = stablehlo.multiply %[[F]], %[[W]]
  // CHECK: %[[C:.*]] = stablehlo.convolution(%arg0, %[[V]])
  // CHECK: return %[[C]]
  %w = stablehlo.constant dense<2.0> : tensor<4x3x3x3xf32>
  %c = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  %s = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<4xf32>) -> tensor<1x4x6x6xf32>
  %y = stablehlo.multiply %b, %c : tensor<1x4x6x6xf32>
  return %y : tensor<1x4x6x6xf32>
}

// -----

// One convolution and one addition remain, with the batch size unknown.
// CHECK-LABEL: func @batch_norm_after_biased_convolution
func.func @batch_norm_after_biased_convolution(%x: tensor<?x8x8x3xf32>, %n: tensor<4xi32>) -> tensor<?x6x6x4xf32> {
  // CHECK: %[[SUM:.*]] = stablehlo.add %{{.*}}, %{{.*}} : tensor<4xf32>
  // CHECK: %[[DEV:.*]] = stablehlo.sqrt %[[SUM]]
  // CHECK-COUNT-1: stablehlo.convolution
  // CHECK-NOT: stablehlo.convolution
  // CHECK-NOT: stablehlo.multiply %{{.*}} : tensor<?x6x6x4xf32>
  // CHECK: stablehlo.add %{{.*}} : tensor<?x6x6x4xf32>
  // CHECK-NEXT: return
  %w = stablehlo.constant dense<2.0> : tensor<3x3x3x4xf32>
  %v = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %c = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<?x6x6x4xf32>
  %b = stablehlo.dynamic_broadcast_in_dim %v, %n, dims = [3] : (tensor<4xf32>, tensor<4xi32>) -> tensor<?x6x6x4xf32>
  %0 = stablehlo.add %c, %b : tensor<?x6x6x4xf32>
  %1 = "stablehlo.batch_norm_inference"(%0, %v, %v, %v, %v) <{epsilon = 1.0e-3 : f32, feature_index = 3 : i64}> : (tensor<?x6x6x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x6x6x4xf32>
  return %1 : tensor<?x6x6x4xf32>
}

// -----

// CHECK-LABEL: func @no_shared_convolution
func.func @no_shared_convolution(%x: tensor<1x3x8x8xf32>) -> (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) {
  // CHECK: %[[C:.*]] = stablehlo.convolution
  // CHECK: stablehlo.multiply %[[C]]
  %w = stablehlo.constant dense<2.0> : tensor<4x3x3x3xf32>
  %c = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  %s = stablehlo.constant dense<3.0> : tensor<1x4x6x6xf32>
  %y = stablehlo.multiply %c, %s : tensor<1x4x6x6xf32>
  return %y, %c : tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>
}
