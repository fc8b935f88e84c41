// RUN: ferrule-opt %s --tile-kernels --lower-kernels | FileCheck %s

// A row of unknown length is kept in a workspace, a part for each workgroup.
// CHECK-LABEL: func.func private @sm(
// CHECK-SAME: memref<?x4x?xf32>
// CHECK-NOT: memref.alloc(
// CHECK-LABEL: func.func @main(
// CHECK: tensor.empty({{.*}}) : tensor<?x4x?xf32>
// CHECK: byre.dispatch @sm workgroups
#all = affine_map<(i,j)->(i,j)>
#r = affine_map<(i,j)->(i)>
func.func private @sm(%x: tensor<?x?xf32>, %out: tensor<?x?xf32>, %s: index) -> tensor<?x?xf32> attributes {byre.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %p = linalg.generic {indexing_maps=[#all,#all],iterator_types=["parallel","parallel"]} ins(%x:tensor<?x?xf32>) outs(%e:tensor<?x?xf32>) { ^bb0(%a: f32, %b: f32):
    %t = math.exp %a : f32
    linalg.yield %t : f32 } -> tensor<?x?xf32>
  %e1 = tensor.empty(%m) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.reduce ins(%p : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [1] (%a: f32, %b: f32) { %q = arith.addf %a, %b : f32 linalg.yield %q : f32 }
  %g = linalg.generic {indexing_maps=[#all,#r,#all],iterator_types=["parallel","parallel"]} ins(%p,%sum:tensor<?x?xf32>,tensor<?xf32>) outs(%e:tensor<?x?xf32>) { ^bb0(%a: f32, %b: f32, %c: f32):
    %t = arith.divf %a, %b : f32
    linalg.yield %t : f32 } -> tensor<?x?xf32>
  %sum2 = linalg.reduce ins(%g : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [1] (%a: f32, %b: f32) { %q = arith.maximumf %a, %b : f32 linalg.yield %q : f32 }
  %h = linalg.generic {indexing_maps=[#all,#all,#r,#all],iterator_types=["parallel","parallel"]} ins(%g,%p,%sum2:tensor<?x?xf32>,tensor<?x?xf32>,tensor<?xf32>) outs(%e:tensor<?x?xf32>) { ^bb0(%a: f32, %d: f32, %b: f32, %c: f32):
    %t = arith.divf %a, %b : f32
    %u = arith.addf %t, %d : f32
    linalg.yield %u : f32 } -> tensor<?x?xf32>
  return %h : tensor<?x?xf32>
}
func.func @main(%x: tensor<?x?xf32>, %s: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = byre.dispatch @sm ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) scalars(%s : index) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
