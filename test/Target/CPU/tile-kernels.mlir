// RUN: ferrule-opt %s --tile-kernels | FileCheck %s

#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>

// One loop over rows; the row's sum and the quotient are computed together.
// CHECK-LABEL: func.func private @normalize
// CHECK: scf.forall
// CHECK: linalg.reduce
// CHECK: linalg.generic
// CHECK: scf.forall.in_parallel
func.func private @normalize(%x: tensor<?x768xf32>, %out: tensor<?x768xf32>)
    -> tensor<?x768xf32> attributes {byre.kernel} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %d = tensor.dim %x, %c0 : tensor<?x768xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.reduce ins(%x : tensor<?x768xf32>) outs(%f : tensor<?xf32>)
      dimensions = [1] (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  %r = tensor.empty(%d) : tensor<?x768xf32>
  %q = linalg.generic {indexing_maps = [#all, #rows, #all],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<?x768xf32>, tensor<?xf32>)
      outs(%r : tensor<?x768xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x768xf32>
  return %q : tensor<?x768xf32>
}

// Both parts are loops of their own.
// CHECK-LABEL: func.func private @concat
// CHECK: scf.forall
// CHECK: scf.forall
func.func private @concat(%a: tensor<?x64xf32>, %b: tensor<?x64xf32>,
                          %out: tensor<?x64xf32>) -> tensor<?x64xf32>
    attributes {byre.kernel} {
  %r = tensor.concat dim(0) %a, %b
      : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<?x768xf32>, %[[A:.*]]: tensor<?x64xf32>
// CHECK: %[[D:.*]] = tensor.dim %[[X]]
// CHECK: byre.dispatch @normalize workgroups(%{{.*}})
// CHECK: arith.addi
// CHECK: byre.dispatch @concat workgroups(%{{.*}})
func.func @main(%x: tensor<?x768xf32>, %a: tensor<?x64xf32>)
    -> (tensor<?x768xf32>, tensor<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x768xf32>
  %e = tensor.empty(%d) : tensor<?x768xf32>
  %0 = byre.dispatch @normalize ins(%x : tensor<?x768xf32>)
      outs(%e : tensor<?x768xf32>) -> tensor<?x768xf32>
  %n = tensor.dim %a, %c0 : tensor<?x64xf32>
  %nn = arith.muli %n, %n : index
  %e1 = tensor.empty(%nn) : tensor<?x64xf32>
  %1 = byre.dispatch @concat ins(%a, %a : tensor<?x64xf32>, tensor<?x64xf32>)
      outs(%e1 : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %0, %1 : tensor<?x768xf32>, tensor<?x64xf32>
}
