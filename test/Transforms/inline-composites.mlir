// RUN: ferrule-opt %s --inline-composites | FileCheck %s

// CHECK-LABEL: @function_by_name
// CHECK: chlo.erf %arg0
func.func @function_by_name(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "chlo.erf" %x {decomposition = @chlo.erf.impl, version = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @decomposition
// CHECK: %[[A:.*]] = stablehlo.add %arg0, %arg0
// CHECK: stablehlo.multiply %[[A]], %[[A]]
// CHECK-NOT: func.func private
func.func @decomposition(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.outer" %x {decomposition = @my.outer} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func private @chlo.erf.impl(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @my.outer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.twice" %x {decomposition = @my.twice} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @my.twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
