// RUN: ferrule-opt %s --pass-pipeline='builtin.module(refine-arguments{types=tensor<4xf32>,tensor<i32>},simplify-stablehlo)' | FileCheck %s
// RUN: not ferrule-opt %s '--refine-arguments=types=tensor<4xf32>' 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not ferrule-opt %s '--refine-arguments=types=tensor<4xf64>,tensor<i32>' 2>&1 | FileCheck %s --check-prefix=TYPE

// COUNT: has 2 arguments, found 1 types for them
// TYPE: found type 'tensor<4xf64>' for argument 0 of type 'tensor<?xf32>', expected one with sizes where it has ?

// CHECK: func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<i32>)
// CHECK: stablehlo.add %arg0, %arg0 : tensor<4xf32>
func.func @main(%x: tensor<?xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
