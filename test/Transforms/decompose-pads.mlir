// RUN: ferrule-opt %s --decompose-pads | FileCheck %s

// CHECK-LABEL: func.func @one_side
// CHECK: %[[E:.*]] = tensor.empty() : tensor<5x3xf32>
// CHECK: linalg.fill
// CHECK: %[[H:.*]] = tensor.insert_slice %{{.*}} into %[[E]][0, 0] [1, 3] [1, 1]
// CHECK: %[[R:.*]] = tensor.insert_slice %arg0 into %[[H]][1, 0] [4, 3] [1, 1]
// CHECK: return %[[R]]
func.func @one_side(%x: tensor<4x3xf32>) -> tensor<5x3xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x3xf32> to tensor<5x3xf32>
  return %p : tensor<5x3xf32>
}

// The upper slab of a dynamic dimension begins behind the source.
// CHECK-LABEL: func.func @dynamic
// CHECK: %[[N:.*]] = tensor.dim %arg0
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0] [2] [1]
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}()[%[[N]]]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[%{{.*}}] [1] [1]
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[2] [%[[N]]] [1]
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[2] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}
