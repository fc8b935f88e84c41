// RUN: ferrule-opt %s --convert-stablehlo-to-linalg --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5, d3 * 2 + d6)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
// CHECK-DAG: #[[DX:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>
// CHECK-DAG: #[[DW:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>

// CHECK-LABEL: @batch_matmul
// CHECK: linalg.generic {indexing_maps = [#[[A]], #[[B]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @batch_matmul(%a: tensor<2x?x8xf32>, %b: tensor<2x8x5xf32>) -> tensor<2x?x5xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x?x8xf32>, tensor<2x8x5xf32>) -> tensor<2x?x5xf32>
  return %0 : tensor<2x?x5xf32>
}

// Sums of bf16 are kept in f32 and rounded once.
// CHECK-LABEL: @narrow_matmul
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{.*}} : tensor<4x5xf32>)
// CHECK: arith.truncf
func.func @narrow_matmul(%a: tensor<4x8xbf16>, %b: tensor<8x5xbf16>) -> tensor<4x5xbf16> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xbf16>, tensor<8x5xbf16>) -> tensor<4x5xbf16>
  return %0 : tensor<4x5xbf16>
}

// CHECK-LABEL: @padded_convolution
// CHECK: %[[P:.*]] = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1]
// CHECK: linalg.generic {indexing_maps = [#[[X]], #[[W]], #{{.*}}]
// CHECK-SAME: ins(%[[P]], %arg1
func.func @padded_convolution(%x: tensor<?x3x8x8xf32>, %w: tensor<16x3x3x3xf32>) -> tensor<?x16x4x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x3x8x8xf32>, tensor<16x3x3x3xf32>) -> tensor<?x16x4x4xf32>
  return %0 : tensor<?x16x4x4xf32>
}

// One channel a group: no reduction over channels.
// CHECK-LABEL: @depthwise
// CHECK: %[[K:.*]] = tensor.collapse_shape %arg1
// CHECK: linalg.generic {indexing_maps = [#[[DX]], #[[DW]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
func.func @depthwise(%x: tensor<1x8x8x32xf32>, %w: tensor<3x3x1x32xf32>) -> tensor<1x6x6x32xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 32 : i64} : (tensor<1x8x8x32xf32>, tensor<3x3x1x32xf32>) -> tensor<1x6x6x32xf32>
  return %0 : tensor<1x6x6x32xf32>
}
