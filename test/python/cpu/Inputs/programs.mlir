#id = affine_map<(i)->(i)>
#s = affine_map<()->()>
func.func @scalar(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<f32>
  %r = linalg.generic {indexing_maps=[#s,#s,#s],iterator_types=[]} ins(%a,%b:tensor<f32>,tensor<f32>) outs(%e:tensor<f32>) { ^bb0(%x: f32, %y: f32, %z: f32):
   %t = math.powf %x, %y : f32
   linalg.yield %t : f32 } -> tensor<f32>
  return %r : tensor<f32>
}
func.func @gather(%t: tensor<100x16xf32>, %i: tensor<7xi64>) -> tensor<7x16xf32> {
  %e = tensor.empty() : tensor<7x16xf32>
  %r = linalg.generic {indexing_maps=[affine_map<(i,j)->(i)>,affine_map<(i,j)->(i,j)>],iterator_types=["parallel","parallel"]} ins(%i:tensor<7xi64>) outs(%e:tensor<7x16xf32>) { ^bb0(%x: i64, %z: f32):
   %p = arith.index_cast %x : i64 to index
   %j = linalg.index 1 : index
   %v = tensor.extract %t[%p, %j] : tensor<100x16xf32>
   linalg.yield %v : f32 } -> tensor<7x16xf32>
  return %r : tensor<7x16xf32>
}
func.func @mask(%a: tensor<33xi1>, %b: tensor<33xi32>) -> (tensor<33xi1>, tensor<33xi32>) {
  %e = tensor.empty() : tensor<33xi1>
  %e2 = tensor.empty() : tensor<33xi32>
  %r:2 = linalg.generic {indexing_maps=[#id,#id,#id,#id],iterator_types=["parallel"]} ins(%a,%b:tensor<33xi1>,tensor<33xi32>) outs(%e,%e2:tensor<33xi1>,tensor<33xi32>) { ^bb0(%x: i1, %y: i32, %z: i1, %w: i32):
   %c = arith.constant 5 : i32
   %q = arith.cmpi slt, %y, %c : i32
   %o = arith.xori %x, %q : i1
   %s = arith.select %x, %y, %c : i32
   linalg.yield %o, %s : i1, i32 } -> (tensor<33xi1>, tensor<33xi32>)
  return %r#0, %r#1 : tensor<33xi1>, tensor<33xi32>
}
func.func @total(%a: tensor<?x?xf32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<f32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce ins(%a : tensor<?x?xf32>) outs(%f : tensor<f32>) dimensions=[0,1] (%x: f32, %y: f32) { %q = arith.addf %x, %y : f32 linalg.yield %q : f32 }
  return %r : tensor<f32>
}
func.func @transpose(%a: tensor<70x50xf32>) -> tensor<50x70xf32> {
  %e = tensor.empty() : tensor<50x70xf32>
  %r = linalg.transpose ins(%a : tensor<70x50xf32>) outs(%e : tensor<50x70xf32>) permutation=[1,0]
  return %r : tensor<50x70xf32>
}
func.func @maxpool(%a: tensor<1x8x16x16xf32>) -> tensor<1x8x8x8xf32> {
  %e = tensor.empty() : tensor<1x8x8x8xf32>
  %w = tensor.empty() : tensor<2x2xf32>
  %z = arith.constant 0xFF800000 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%a, %w : tensor<1x8x16x16xf32>, tensor<2x2xf32>) outs(%f : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %r : tensor<1x8x8x8xf32>
}
func.func @conv(%a: tensor<1x3x10x10xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %e = tensor.empty() : tensor<1x4x8x8xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%a, %w : tensor<1x3x10x10xf32>, tensor<4x3x3x3xf32>) outs(%f : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %r : tensor<1x4x8x8xf32>
}
func.func @imm(%a: tensor<9x20xi8>, %w: tensor<20x17xi8>) -> tensor<9x17xi32> {
  %e = tensor.empty() : tensor<9x17xi32>
  %z = arith.constant 0 : i32
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<9x17xi32>) -> tensor<9x17xi32>
  %r = linalg.matmul ins(%a, %w : tensor<9x20xi8>, tensor<20x17xi8>) outs(%f : tensor<9x17xi32>) -> tensor<9x17xi32>
  return %r : tensor<9x17xi32>
}
func.func @hmm(%a: tensor<9x20xf16>, %w: tensor<20x17xf16>) -> tensor<9x17xf16> {
  %e = tensor.empty() : tensor<9x17xf16>
  %z = arith.constant 0.0 : f16
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<9x17xf16>) -> tensor<9x17xf16>
  %r = linalg.matmul ins(%a, %w : tensor<9x20xf16>, tensor<20x17xf16>) outs(%f : tensor<9x17xf16>) -> tensor<9x17xf16>
  return %r : tensor<9x17xf16>
}
func.func @cplx(%a: tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>> {
  %e = tensor.empty() : tensor<9xcomplex<f32>>
  %r = linalg.generic {indexing_maps=[#id,#id],iterator_types=["parallel"]} ins(%a:tensor<9xcomplex<f32>>) outs(%e:tensor<9xcomplex<f32>>) { ^bb0(%x: complex<f32>, %z: complex<f32>):
   %q = complex.exp %x : complex<f32>
   %s = complex.mul %q, %x : complex<f32>
   linalg.yield %s : complex<f32> } -> tensor<9xcomplex<f32>>
  return %r : tensor<9xcomplex<f32>>
}
func.func @empty(%a: tensor<0x4xf32>) -> tensor<0x4xf32> {
  %e = tensor.empty() : tensor<0x4xf32>
  %r = linalg.exp ins(%a : tensor<0x4xf32>) outs(%e : tensor<0x4xf32>) -> tensor<0x4xf32>
  return %r : tensor<0x4xf32>
}
