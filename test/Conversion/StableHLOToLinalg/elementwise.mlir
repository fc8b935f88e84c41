// RUN: ferrule-opt %s --convert-stablehlo-to-linalg --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @dynamic_add
// CHECK: %[[D:.*]] = tensor.dim %arg0, %c1
// CHECK: %[[E:.*]] = tensor.empty(%[[D]]) : tensor<4x?xf32>
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK-SAME: ins(%arg0, %arg1 : tensor<4x?xf32>, tensor<4x?xf32>) outs(%[[E]] : tensor<4x?xf32>)
// CHECK: arith.addf
func.func @dynamic_add(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = stablehlo.add %a, %b : tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// The type of a function has signless integers; the division is unsigned and
// its divisor never 0.
// CHECK-LABEL: @unsigned_division
// CHECK-SAME: %arg0: tensor<16xi32> {ferrule.type = ui32}, %arg1: tensor<16xi32> {ferrule.type = ui32}) -> (tensor<16xi32> {ferrule.type = ui32})
// CHECK: %[[Z:.*]] = arith.cmpi eq, %[[B:.*]], %c0_i32
// CHECK: %[[S:.*]] = arith.select %[[Z]], %c1_i32, %[[B]]
// CHECK: %[[Q:.*]] = arith.divui %{{.*}}, %[[S]]
// CHECK: arith.select %[[Z]], %c-1_i32, %[[Q]]
func.func @unsigned_division(%a: tensor<16xui32>, %b: tensor<16xui32>) -> tensor<16xui32> {
  %0 = stablehlo.divide %a, %b : tensor<16xui32>
  return %0 : tensor<16xui32>
}

// CHECK-LABEL: @narrow_floats_compute_in_f32
// CHECK: %[[X:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK: %[[Y:.*]] = math.tanh %[[X]] : f32
// CHECK: arith.truncf %[[Y]] : f32 to bf16
func.func @narrow_floats_compute_in_f32(%a: tensor<16xbf16>) -> tensor<16xbf16> {
  %0 = stablehlo.tanh %a : tensor<16xbf16>
  return %0 : tensor<16xbf16>
}

// CHECK-LABEL: @scalar_limits_broadcast
// CHECK: linalg.generic
// CHECK: arith.maximumf
// CHECK: arith.minimumf
func.func @scalar_limits_broadcast(%lo: tensor<f32>, %x: tensor<9xf32>, %hi: tensor<f32>) -> tensor<9xf32> {
  %0 = stablehlo.clamp %lo, %x, %hi : (tensor<f32>, tensor<9xf32>, tensor<f32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// CHECK-LABEL: @call_by_name
// CHECK: math.erf
func.func @call_by_name(%x: tensor<9xf32>) -> tensor<9xf32> {
  %0 = stablehlo.custom_call @ferrule.erf(%x) : (tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
