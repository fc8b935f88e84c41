// RUN: ferrule-opt %s --block-convolutions --canonicalize --split-input-file | FileCheck %s

// Stem of 3 channels (read plain), ReLU, padding, a second convolution and a
// global mean: blocked from the first to the last without an unpack between.
#x = affine_map<(n, o, h, w, c, kh, kw) -> (n, c, h * 2 + kh, w * 2 + kw)>
#x1 = affine_map<(n, o, h, w, c, kh, kw) -> (n, c, h + kh, w + kw)>
#w = affine_map<(n, o, h, w, c, kh, kw) -> (o, c, kh, kw)>
#y = affine_map<(n, o, h, w, c, kh, kw) -> (n, o, h, w)>
#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
#ch = affine_map<(n, c, h, w) -> (c)>
#nc = affine_map<(n, c, h, w) -> (n, c)>
// CHECK-LABEL: func.func @stem
// CHECK-DAG: %[[W0:.*]] = linalg.pack %{{.*}} outer_dims_perm = [0, 1, 2, 3] inner_dims_pos = [0] inner_tiles = [16] into %{{.*}} : tensor<32x3x3x3xf32> -> tensor<2x3x3x3x16xf32>
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %[[W0]] : tensor<?x3x17x17xf32>, tensor<2x3x3x3x16xf32>) outs(%{{.*}} : tensor<?x2x8x8x16xf32>)
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<?x2x8x8x16xf32>, tensor<2x16xf32>)
// CHECK: tensor.pad %{{.*}} low[0, 0, 1, 1, 0] high[0, 0, 1, 1, 0]
// CHECK: linalg.pack %{{.*}} outer_dims_perm = [0, 1, 2, 3] inner_dims_pos = [1, 0] inner_tiles = [16, 16] into %{{.*}} : tensor<40x32x3x3xf32> -> tensor<3x2x3x3x16x16xf32>
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]
// CHECK-SAME: outs(%{{.*}} : tensor<?x3x8x8x16xf32>)
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{.*}} : tensor<?x3x16xf32>)
// CHECK: linalg.unpack
// CHECK-NOT: linalg.unpack
func.func @stem(%x: tensor<?x3x17x17xf32>, %w0: tensor<32x3x3x3xf32>, %b0: tensor<32xf32>, %w1: tensor<40x32x3x3xf32>) -> tensor<?x40xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x3x17x17xf32>
  %e0 = tensor.empty(%n) : tensor<?x32x8x8xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<?x32x8x8xf32>) -> tensor<?x32x8x8xf32>
  %y0 = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%x, %w0 : tensor<?x3x17x17xf32>, tensor<32x3x3x3xf32>) outs(%f0 : tensor<?x32x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x32x8x8xf32>
  %r0 = linalg.generic {indexing_maps = [#id, #ch, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%y0, %b0 : tensor<?x32x8x8xf32>, tensor<32xf32>) outs(%e0 : tensor<?x32x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<?x32x8x8xf32>
  %p = tensor.pad %r0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<?x32x8x8xf32> to tensor<?x32x10x10xf32>
  %e1 = tensor.empty(%n) : tensor<?x40x8x8xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x40x8x8xf32>) -> tensor<?x40x8x8xf32>
  %y1 = linalg.generic {indexing_maps = [#x1, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
    ins(%p, %w1 : tensor<?x32x10x10xf32>, tensor<40x32x3x3xf32>) outs(%f1 : tensor<?x40x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x40x8x8xf32>
  %e2 = tensor.empty(%n) : tensor<?x40xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x40xf32>) -> tensor<?x40xf32>
  %g = linalg.generic {indexing_maps = [#id, #nc], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%y1 : tensor<?x40x8x8xf32>) outs(%f2 : tensor<?x40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x40xf32>
  return %g : tensor<?x40xf32>
}

// -----

// The batch and the width are cut in the blocked form; of the channels, what is
// unpacked is cut, and nothing else with them.
#x = affine_map<(n, c, w, k) -> (n, c, w + k)>
#w = affine_map<(n, c, w, k) -> (c, k)>
#y = affine_map<(n, c, w, k) -> (n, c, w)>
// CHECK-LABEL: func.func @slices
// CHECK: %[[C:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x12x16xf32>)
// CHECK: %[[S:.*]] = tensor.extract_slice %[[C]][0, 0, 0, 0] [1, 3, 9, 16] [1, 1, 1, 1]
// CHECK: linalg.unpack %[[S]] {{.*}} : tensor<1x3x9x16xf32> -> tensor<1x36x9xf32>
func.func @slices(%x: tensor<2x40x15xf32>, %w: tensor<40x4xf32>) -> tensor<1x36x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x40x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x40x12xf32>) -> tensor<2x40x12xf32>
  %c = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<2x40x15xf32>, tensor<40x4xf32>) outs(%f : tensor<2x40x12xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x40x12xf32>
  %channels = tensor.extract_slice %c[0, 0, 0] [2, 36, 12] [1, 1, 1] : tensor<2x40x12xf32> to tensor<2x36x12xf32>
  %front = tensor.extract_slice %channels[0, 0, 0] [1, 36, 9] [1, 1, 1] : tensor<2x36x12xf32> to tensor<1x36x9xf32>
  return %front : tensor<1x36x9xf32>
}
