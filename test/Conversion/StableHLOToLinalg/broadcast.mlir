// RUN: ferrule-opt %s --convert-stablehlo-to-linalg --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[UNIT:.*]] = affine_map<(d0, d1) -> (0, d1)>
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @unit_dimension
// CHECK: linalg.generic {indexing_maps = [#[[UNIT]], #[[ID]]]
func.func @unit_dimension(%x: tensor<1x4xf32>) -> tensor<3x4xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// Whether a dynamic dimension expands is decided at run time.
// CHECK-LABEL: @unknown
// CHECK: %[[D:.*]] = tensor.dim %arg0, %c0
// CHECK: %[[ONE:.*]] = arith.cmpi eq, %[[D]], %c1
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: arith.select %[[ONE]], %c0, %[[I]]
// CHECK: tensor.extract %arg0
func.func @unknown(%x: tensor<?x4xf32>, %s: tensor<2xi32>) -> tensor<?x4xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: @known_nonexpanding
// CHECK-NEXT: return %arg0
func.func @known_nonexpanding(%x: tensor<?x4xf32>, %s: tensor<2xi32>) -> tensor<?x4xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] {known_nonexpanding_dimensions = array<i64: 0>} : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// The wanted size is the operand's own.
// CHECK-LABEL: @own_size
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}]
// CHECK-SAME: ins(%arg0
func.func @own_size(%x: tensor<?xf32>) -> tensor<3x?xf32> {
  %d = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %r = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>
  %c = stablehlo.constant dense<3> : tensor<1xi32>
  %s = stablehlo.concatenate %c, %r, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}
