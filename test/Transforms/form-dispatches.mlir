// RUN: ferrule-opt %s --fuse-elementwise --decompose-pads --form-dispatches --canonicalize --split-input-file | FileCheck %s

// Softmax over the last dimension is one kernel.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @softmax(
// CHECK: byre.dispatch @softmax_0_reduction
// CHECK-NOT: byre.dispatch
// CHECK: return
func.func @softmax(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<8xf32>
  %f1 = linalg.fill ins(%ninf : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x128xf32>) outs(%f1 : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.maximumf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %e2 = tensor.empty() : tensor<8x128xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<8x128xf32>, tensor<8xf32>) outs(%e2 : tensor<8x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %e = math.exp %s : f32
    linalg.yield %e : f32
  } -> tensor<8x128xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<8x128xf32>) outs(%f2 : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<8x128xf32>, tensor<8xf32>) outs(%e2 : tensor<8x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x128xf32>
  return %y : tensor<8x128xf32>
}

// -----

// Bias and activation join the contraction; the constant splat moves inside.
#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @dense(
// CHECK: byre.dispatch @dense_0_contraction
// CHECK-SAME: outs(%{{.*}} : tensor<?x64xf32>)
// CHECK-NOT: byre.dispatch
// CHECK: return
// CHECK: func.func private @dense_0_contraction
// CHECK: linalg.fill
// CHECK: linalg.matmul
// CHECK: linalg.generic
func.func @dense(%x: tensor<?x32xf32>, %w: tensor<32x64xf32>, %bias: tensor<64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x32xf32>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %m = linalg.matmul ins(%x, %w : tensor<?x32xf32>, tensor<32x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m, %bias : tensor<?x64xf32>, tensor<64xf32>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

// Equal kernels become one.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @twice(
// CHECK: byre.dispatch @twice_0_elementwise
// CHECK: byre.dispatch @twice_0_elementwise
// CHECK-NOT: @twice_1_elementwise
func.func @twice(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = math.exp %i : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = math.exp %i : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// -----

// A part of a concatenation is computed in its place; an input is copied.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @concatenate(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<16xf32>
// CHECK: %[[P:.*]] = byre.dispatch @concatenate_0_insert_slice ins(%arg0 :{{.*}} outs(%[[E]] :
// CHECK: byre.dispatch @concatenate_1_insert_slice ins(%arg1 :{{.*}} outs(%[[P]] :
// CHECK: func.func private @concatenate_0_insert_slice
// CHECK: tensor.extract_slice %arg1[0] [8] [1]
// CHECK: linalg.generic
// CHECK: tensor.insert_slice
func.func @concatenate(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = math.exp %i : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %c = tensor.concat dim(0) %a, %y : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  return %c : tensor<16xf32>
}

// -----

// A kernel that also returns a value of its group inserts into the right out.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func private @two_results_0_insert_slice(
// CHECK-SAME: %{{.*}}: tensor<8xf32>, %{{.*}}: tensor<8xf32>, %[[OUT:.*]]: tensor<12xf32>
// CHECK: tensor.extract_slice %[[OUT]][4] [8] [1]
// CHECK: tensor.insert_slice %{{.*}} into %[[OUT]][4] [8] [1]
func.func @two_results(%x: tensor<8xf32>, %y: tensor<12xf32>) -> (tensor<8xf32>, tensor<12xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %b = tensor.empty() : tensor<12xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = math.exp %i : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = math.log %i : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %p = tensor.insert_slice %c into %b[4] [8] [1] : tensor<8xf32> into tensor<12xf32>
  return %a, %p : tensor<8xf32>, tensor<12xf32>
}

// -----

// Launches say what they compute, over the sizes of their arguments.
#x = affine_map<(i, j, k) -> (i, k)>
#w = affine_map<(i, j, k) -> (k, j)>
#y = affine_map<(i, j, k) -> (i, j)>
// CHECK-LABEL: func.func @counts(
// CHECK: byre.dispatch @counts_0_contraction
// CHECK-SAME: byre.work = #byre.work<"contraction"
// CHECK-SAME: flops "32 * b0d0 * b0d1" bytes "4 * b0d0 * b0d1 + 64 * b1d0 + 64 * b2d0"
func.func @counts(%x: tensor<?x?xf32>, %w: tensor<?x16xf32>, %y: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x?xf32>, tensor<?x16xf32>) outs(%y : tensor<?x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// -----

// A tile of a kernel holds no more of a value than its reader wants: a value
// that is a result too is not computed together with one that skips columns.
#id = affine_map<(d0, d1) -> (d0, d1)>
#even = affine_map<(d0, d1) -> (d0, d1 * 2)>
// CHECK-LABEL: func.func @no_part_of_a_result(
// CHECK: byre.dispatch @no_part_of_a_result_0_elementwise
// CHECK: byre.dispatch @no_part_of_a_result_1_elementwise
// CHECK: byre.dispatch @no_part_of_a_result_2_elementwise
func.func @no_part_of_a_result(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %h = tensor.empty() : tensor<4x4xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = math.exp %i : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %b = linalg.generic {indexing_maps = [#even, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%h : tensor<4x4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = math.log %i : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %c = linalg.generic {indexing_maps = [#even, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%h : tensor<4x4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = math.sqrt %i : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %a, %b, %c : tensor<4x8xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// Where nothing else needs the value, it is one kernel.
#id = affine_map<(d0, d1) -> (d0, d1)>
#even = affine_map<(d0, d1) -> (d0, d1 * 2)>
// CHECK-LABEL: func.func @part_of_an_intermediate(
// CHECK: byre.dispatch @part_of_an_intermediate_0_elementwise
// CHECK-NOT: byre.dispatch
func.func @part_of_an_intermediate(%x: tensor<4x8xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %h = tensor.empty() : tensor<4x4xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = math.exp %i : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %b = linalg.generic {indexing_maps = [#even, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%h : tensor<4x4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = math.log %i : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}
