// RUN: ferrule-opt %s | ferrule-opt | FileCheck %s
// RUN: ferrule-opt %s --mlir-print-op-generic | ferrule-opt | FileCheck %s

// CHECK: #map = affine_map<()[s0] -> (s0, 3)>
// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK: %int1 = torch.constant.int 1
  %0 = torch.constant.int 1
  // CHECK: %int-2 = torch.constant.int -2
  %1 = torch.constant.int -2
  // CHECK: %float1.500000e00 = torch.constant.float 1.500000e+00
  %2 = torch.constant.float 1.5
  // CHECK: %true = torch.constant.bool true
  %3 = torch.constant.bool true
  // CHECK: %none = torch.constant.none
  %4 = torch.constant.none
  // CHECK: %str = torch.constant.str "tanh"
  %5 = torch.constant.str "tanh"
  // CHECK: %cpu = torch.constant.device "cpu"
  %6 = torch.constant.device "cpu"
  // CHECK: torch.vtensor.literal(dense<[1, 2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %7 = torch.vtensor.literal(dense<[1, 2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  return
}

// CHECK-LABEL: func.func private @types(
// CHECK-SAME: !torch.vtensor, !torch.vtensor<*,f32>, !torch.vtensor<[],unk>,
// CHECK-SAME: !torch.tensor<[2,?],si64>, !torch.list<vtensor<[?],complex<f32>>>,
// CHECK-SAME: !torch.optional<list<int>>, !torch.tuple<tensor, tuple<>, none>,
// CHECK-SAME: !torch.dict<str, tensor>, !torch.nn.Module<"a.b">, !torch.union<int, float>,
// CHECK-SAME: !torch.vtensor<[3],!torch.qint8>
func.func private @types(!torch.vtensor, !torch.vtensor<*,f32>, !torch.vtensor<[],unk>,
    !torch.tensor<[2,?],si64>, !torch.list<vtensor<[?],complex<f32>>>,
    !torch.optional<list<!torch.int>>, !torch.tuple<tensor, tuple<>, none>,
    !torch.dict<str, tensor>, !torch.nn.Module<"a.b">, !torch.union<int, float>,
    !torch.vtensor<[3],!torch.qint8>)

// CHECK-LABEL: func.func @operators
func.func @operators(%a: !torch.vtensor<[2],f32>, %b: !torch.vtensor<[2],f32>, %n: !torch.int) -> !torch.vtensor<[2],f32> {
  // CHECK: torch.aten.add.Tensor %arg0, %arg1, %arg2 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
  %0 = torch.aten.add.Tensor %a, %b, %n : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
  // CHECK: torch.aten.var_mean %{{.*}}, %{{.*}} : !torch.vtensor<[2],f32>, !torch.bool -> !torch.vtensor<[],f32>, !torch.vtensor<[],f32>
  %true = torch.constant.bool true
  %v, %m = torch.aten.var_mean %0, %true : !torch.vtensor<[2],f32>, !torch.bool -> !torch.vtensor<[],f32>, !torch.vtensor<[],f32>
  // CHECK: torch.prim.ListConstruct %{{.*}}, %arg2 : (!torch.int, !torch.int) -> !torch.list<int>
  %int1 = torch.constant.int 1
  %l = torch.prim.ListConstruct %int1, %n : (!torch.int, !torch.int) -> !torch.list<int>
  // CHECK: torch.prim.ListConstruct  : () -> !torch.list<int>
  %e = torch.prim.ListConstruct : () -> !torch.list<int>
  // CHECK: torch.prim.TupleConstruct %arg0, %arg2 : !torch.vtensor<[2],f32>, !torch.int -> !torch.tuple<vtensor<[2],f32>, int>
  %t = torch.prim.TupleConstruct %a, %n : !torch.vtensor<[2],f32>, !torch.int -> !torch.tuple<vtensor<[2],f32>, int>
  // CHECK: torch.prim.ListUnpack %{{.*}} : !torch.list<int> -> !torch.int, !torch.int
  %u:2 = torch.prim.ListUnpack %l : !torch.list<int> -> !torch.int, !torch.int
  // CHECK: torch.operator "torch.mylib.f"(%arg0, %arg2) : (!torch.vtensor<[2],f32>, !torch.int) -> !torch.vtensor<[2],f32>
  %o = torch.operator "torch.mylib.f"(%a, %n) : (!torch.vtensor<[2],f32>, !torch.int) -> !torch.vtensor<[2],f32>
  // CHECK: torch.tensor_static_info_cast %arg0 : !torch.vtensor<[2],f32> to !torch.vtensor<[?],f32>
  %c = torch.tensor_static_info_cast %a : !torch.vtensor<[2],f32> to !torch.vtensor<[?],f32>
  // CHECK: torch.derefine %arg2 : !torch.int to !torch.optional<int>
  %d = torch.derefine %n : !torch.int to !torch.optional<int>
  return %o : !torch.vtensor<[2],f32>
}

// CHECK-LABEL: func.func @symbols
func.func @symbols(%a: !torch.vtensor<[?,3],f32>) {
  // CHECK: torch.symbolic_int "s0" {min_val = 2, max_val = 20} : !torch.int
  %s = torch.symbolic_int "s0" {min_val = 2, max_val = 20} : !torch.int
  // CHECK: torch.bind_symbolic_shape %arg0, [%{{.*}}], #map : !torch.vtensor<[?,3],f32>
  torch.bind_symbolic_shape %a, [%s], affine_map<()[s0] -> (s0, 3)> : !torch.vtensor<[?,3],f32>
  return
}

// CHECK-LABEL: func.func @mutable
func.func @mutable(%a: !torch.tensor<[2],f32>) {
  // CHECK: torch.copy.to_vtensor %arg0 : !torch.vtensor<[2],f32>
  %v = torch.copy.to_vtensor %a : !torch.vtensor<[2],f32>
  // CHECK: torch.overwrite.tensor.contents %{{.*}} overwrites %arg0 : !torch.vtensor<[2],f32>, !torch.tensor<[2],f32>
  torch.overwrite.tensor.contents %v overwrites %a : !torch.vtensor<[2],f32>, !torch.tensor<[2],f32>
  // CHECK: torch.copy.to_tensor %{{.*}} : !torch.tensor<[2],f32>
  %c = torch.copy.to_tensor %v : !torch.tensor<[2],f32>
  return
}

// CHECK-LABEL: func.func @control_flow
func.func @control_flow(%b: !torch.bool, %n: !torch.int) -> !torch.int {
  // CHECK: torch.prim.If %arg0 -> (!torch.int) {
  // CHECK-NEXT: torch.prim.If.yield %arg1 : !torch.int
  // CHECK-NEXT: } else {
  %0 = torch.prim.If %b -> (!torch.int) {
    torch.prim.If.yield %n : !torch.int
  } else {
    %int0 = torch.constant.int 0
    torch.prim.If.yield %int0 : !torch.int
  }
  // CHECK: torch.prim.Loop %{{.*}}, %arg0, init(%arg1) {
  // CHECK-NEXT: ^bb0(%{{.*}}: !torch.int, %{{.*}}: !torch.int):
  // CHECK-NEXT: torch.prim.Loop.condition %arg0, iter(%{{.*}} : !torch.int)
  // CHECK-NEXT: } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  %1 = torch.prim.Loop %0, %b, init(%n) {
  ^bb0(%i: !torch.int, %x: !torch.int):
    torch.prim.Loop.condition %b, iter(%x : !torch.int)
  } : (!torch.int, !torch.bool, !torch.int) -> !torch.int
  torch.runtime.assert %b, "message"
  return %1 : !torch.int
}
