// RUN: ferrule-opt %s --cse --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @equal_pure_ops_merge
// CHECK-COUNT-1: torch.aten.relu
// CHECK-NOT: torch.aten.relu
func.func @equal_pure_ops_merge(%a: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) {
  %0 = torch.aten.relu %a : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  %1 = torch.aten.relu %a : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  %2 = torch.aten.neg %a : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %0, %1 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

// CHECK-LABEL: func.func @no_random_ops_merge
// CHECK-COUNT-2: torch.aten.bernoulli
func.func @no_random_ops_merge(%a: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) {
  %none = torch.constant.none
  %0 = torch.aten.bernoulli %a, %none : !torch.vtensor<[2],f32>, !torch.none -> !torch.vtensor<[2],f32>
  %1 = torch.aten.bernoulli %a, %none : !torch.vtensor<[2],f32>, !torch.none -> !torch.vtensor<[2],f32>
  return %0, %1 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

// CHECK-LABEL: func.func @no_in_place_ops_vanish
// CHECK: torch.aten.relu_
func.func @no_in_place_ops_vanish(%a: !torch.tensor<[2],f32>) {
  %0 = torch.aten.relu_ %a : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  return
}

// CHECK-LABEL: func.func @unpacked_list
// CHECK: return %arg0, %arg1
func.func @unpacked_list(%a: !torch.int, %b: !torch.int) -> (!torch.int, !torch.int) {
  %l = torch.prim.ListConstruct %a, %b : (!torch.int, !torch.int) -> !torch.list<int>
  %u:2 = torch.prim.ListUnpack %l : !torch.list<int> -> !torch.int, !torch.int
  return %u#0, %u#1 : !torch.int, !torch.int
}
