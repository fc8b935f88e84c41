// RUN: ferrule-opt %s --convert-torch-to-stablehlo --cse --split-input-file | FileCheck %s

// A size that is read and given to a view reaches the reshape as it is.
// CHECK-LABEL: func.func @view
// CHECK-SAME: %[[X:.*]]: tensor<?x?x768xf32>
// CHECK-DAG: %[[D0:.*]] = stablehlo.get_dimension_size %[[X]], dim = 0
// CHECK-DAG: %[[D1:.*]] = stablehlo.get_dimension_size %[[X]], dim = 1
// CHECK-NOT: stablehlo.divide
// CHECK: stablehlo.dynamic_reshape %[[X]], %{{.*}} : (tensor<?x?x768xf32>, tensor<4xi64>) -> tensor<?x?x12x64xf32>
func.func @view(%x: !torch.vtensor<[?,?,768],f32>) -> !torch.vtensor<[?,?,12,64],f32> {
  %c0 = torch.constant.int 0
  %c1 = torch.constant.int 1
  %c12 = torch.constant.int 12
  %c64 = torch.constant.int 64
  %b = torch.aten.size.int %x, %c0 : !torch.vtensor<[?,?,768],f32>, !torch.int -> !torch.int
  %s = torch.aten.size.int %x, %c1 : !torch.vtensor<[?,?,768],f32>, !torch.int -> !torch.int
  %l = torch.prim.ListConstruct %b, %s, %c12, %c64 : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.view %x, %l : !torch.vtensor<[?,?,768],f32>, !torch.list<int> -> !torch.vtensor<[?,?,12,64],f32>
  return %r : !torch.vtensor<[?,?,12,64],f32>
}

// -----

// -1 follows from the other sizes without a division.
// CHECK-LABEL: func.func @view_minus_one
// CHECK-NOT: stablehlo.divide
// CHECK: stablehlo.dynamic_reshape %{{.*}} -> tensor<?x768xf32>
func.func @view_minus_one(%x: !torch.vtensor<[?,?,768],f32>) -> !torch.vtensor<[?,768],f32> {
  %m = torch.constant.int -1
  %c = torch.constant.int 768
  %l = torch.prim.ListConstruct %m, %c : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.view %x, %l : !torch.vtensor<[?,?,768],f32>, !torch.list<int> -> !torch.vtensor<[?,768],f32>
  return %r : !torch.vtensor<[?,768],f32>
}

// -----

// A view to the sizes that a tensor has is the tensor.
// CHECK-LABEL: func.func @view_same
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>
// CHECK: return %[[X]]
func.func @view_same(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %c0 = torch.constant.int 0
  %c4 = torch.constant.int 4
  %b = torch.aten.size.int %x, %c0 : !torch.vtensor<[?,4],f32>, !torch.int -> !torch.int
  %l = torch.prim.ListConstruct %b, %c4 : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.view %x, %l : !torch.vtensor<[?,4],f32>, !torch.list<int> -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}

// -----

// Sizes are read at the arguments, through the operators in between.
// CHECK-LABEL: func.func @expand_to_size
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>, %[[Y:.*]]: tensor<1x4xf32>
// CHECK: stablehlo.get_dimension_size %[[X]], dim = 0
// CHECK: stablehlo.dynamic_broadcast_in_dim %[[Y]], %{{.*}}, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>}
func.func @expand_to_size(%x: !torch.vtensor<[?,4],f32>, %y: !torch.vtensor<[1,4],f32>) -> !torch.vtensor<[?,4],f32> {
  %c0 = torch.constant.int 0
  %c4 = torch.constant.int 4
  %false = torch.constant.bool false
  %t = torch.aten.tanh %x : !torch.vtensor<[?,4],f32> -> !torch.vtensor<[?,4],f32>
  %b = torch.aten.size.int %t, %c0 : !torch.vtensor<[?,4],f32>, !torch.int -> !torch.int
  %l = torch.prim.ListConstruct %b, %c4 : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.expand %y, %l, %false : !torch.vtensor<[1,4],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[?,4],f32>
  return %r : !torch.vtensor<[?,4],f32>
}
