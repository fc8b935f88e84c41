// RUN: ferrule-opt %s | ferrule-opt | FileCheck %s

// CHECK: sdy.mesh @maximal = <[], device_ids=[0]> {stablehlo.mesh = {axes = []}}
sdy.mesh @maximal = <[], device_ids=[0]> {stablehlo.mesh = {axes = []}}
// CHECK: sdy.mesh @grid = <["x"=2, "y"=4]>
sdy.mesh @grid = <["x"=2, "y"=4]>

// CHECK-LABEL: func @annotated
func.func @annotated(%x: tensor<3x3xf32> {sdy.sharding = #sdy.sharding<@grid, [{"x"}, {}]>}) -> tensor<3x3xf32> {
  // CHECK: sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l]) {i=3, j=3, k=3, l=3}, custom>
  %0 = stablehlo.custom_call @f(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l]) {i=3, j=3, k=3, l=3}, custom>} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// CHECK-LABEL: func @constrained
func.func @constrained(%x: tensor<8x3xf32>) -> tensor<8x3xf32> {
  // CHECK: sdy.sharding_constraint %{{.*}} <@grid, [{"x":(1)2, ?}p1, {}], replicated={"y"}> : tensor<8x3xf32>
  %0 = sdy.sharding_constraint %x <@grid, [{"x":(1)2, ?}p1, {}], replicated={"y"}> : tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}
