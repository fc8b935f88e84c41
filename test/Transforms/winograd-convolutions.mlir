// RUN: ferrule-opt %s --winograd-convolutions --split-input-file | FileCheck %s
// RUN: ferrule-opt %s --winograd-convolutions=growth=900 --split-input-file | FileCheck %s --check-prefix=LARGE

#x = affine_map<(n, o, h, w, ol, c, kh, kw, cl) -> (n, c, h + kh, w + kw, cl)>
#w = affine_map<(n, o, h, w, ol, c, kh, kw, cl) -> (o, c, kh, kw, cl, ol)>
#y = affine_map<(n, o, h, w, ol, c, kh, kw, cl) -> (n, o, h, w, ol)>

// The window is transformed along its rows, then along its columns; both
// depend on constants only.
// LARGE-LABEL: func.func @direct
// LARGE: linalg.generic
// LARGE-SAME: tensor<4x3xf32>, tensor<4x4x3x3x16x16xf32>) outs(%{{.*}} : tensor<4x4x4x3x16x16xf32>)
// LARGE: linalg.generic
// LARGE-SAME: tensor<4x3xf32>, tensor<4x4x4x3x16x16xf32>) outs(%{{.*}} : tensor<4x4x4x4x16x16xf32>)
// LARGE: %[[U:.*]] = tensor.collapse_shape
// LARGE-SAME: into tensor<16x4x4x16x16xf32>
// LARGE: %[[V:.*]] = ferrule.winograd_input ins(%arg0 : tensor<1x4x30x30x16xf32>) outs(%{{.*}} : tensor<1x16x14x14x4x16xf32>)
// LARGE: %[[Y:.*]] = ferrule.winograd_output ins(%[[V]], %[[U]] : {{.*}}) outs(%{{.*}} : tensor<1x4x28x28x16xf32>)
// LARGE: return %[[Y]]

// The weights are all that the function has; they may not grow by 16/9.
// CHECK-LABEL: func.func @direct
// CHECK-NOT: ferrule.winograd
func.func @direct(%x: tensor<1x4x30x30x16xf32>) -> tensor<1x4x28x28x16xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense_resource<weights> : tensor<4x4x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x4x28x28x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x28x28x16xf32>) -> tensor<1x4x28x28x16xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
    ins(%x, %w : tensor<1x4x30x30x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%f : tensor<1x4x28x28x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x28x28x16xf32>
  return %y : tensor<1x4x28x28x16xf32>
}

// -----

#x = affine_map<(n, o, h, w, ol, c, kh, kw, cl) -> (n, c, h + kh, w + kw, cl)>
#w = affine_map<(n, o, h, w, ol, c, kh, kw, cl) -> (o, c, kh, kw, cl, ol)>
#y = affine_map<(n, o, h, w, ol, c, kh, kw, cl) -> (n, o, h, w, ol)>

// Weights that are no constants cannot be transformed at compile time.
// LARGE-LABEL: func.func @no_argument_weights
// LARGE-NOT: ferrule.winograd
func.func @no_argument_weights(%x: tensor<1x4x30x30x16xf32>, %w: tensor<4x4x3x3x16x16xf32>) -> tensor<1x4x28x28x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x28x28x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x28x28x16xf32>) -> tensor<1x4x28x28x16xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
    ins(%x, %w : tensor<1x4x30x30x16xf32>, tensor<4x4x3x3x16x16xf32>) outs(%f : tensor<1x4x28x28x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x28x28x16xf32>
  return %y : tensor<1x4x28x28x16xf32>
}

// -----

#x = affine_map<(n, o, h, w, ol, c, kh, kw, cl) -> (n, c, h + kh, w + kw, cl)>
#w = affine_map<(n, o, h, w, ol, c, kh, kw, cl) -> (o, c, kh, kw, cl, ol)>
#y = affine_map<(n, o, h, w, ol, c, kh, kw, cl) -> (n, o, h, w, ol)>

// Few pixels for many weights: reading 16/9 of them would cost more.
// LARGE-LABEL: func.func @no_small_image
// LARGE-NOT: ferrule.winograd
func.func @no_small_image(%x: tensor<1x32x10x10x16xf32>) -> tensor<1x32x8x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense_resource<weights> : tensor<32x32x3x3x16x16xf32>
  %e = tensor.empty() : tensor<1x32x8x8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x8x8x16xf32>) -> tensor<1x32x8x8x16xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
    ins(%x, %w : tensor<1x32x10x10x16xf32>, tensor<32x32x3x3x16x16xf32>) outs(%f : tensor<1x32x8x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x32x8x8x16xf32>
  return %y : tensor<1x32x8x8x16xf32>
}
