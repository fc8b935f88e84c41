func.func @linear(%a: tensor<?x64xf32>, %bias: tensor<96xf32>, %w: tensor<64x96xf32>) -> tensor<?x96xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x96xf32>) -> tensor<?x96xf32>
  %p = linalg.matmul ins(%a, %w : tensor<?x64xf32>, tensor<64x96xf32>) outs(%f : tensor<?x96xf32>) -> tensor<?x96xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m,n)->(m,n)>,affine_map<(m,n)->(n)>,affine_map<(m,n)->(m,n)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : tensor<?x96xf32>, tensor<96xf32>) outs(%e : tensor<?x96xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x96xf32>
  return %r : tensor<?x96xf32>
}
func.func @packed(%a: tensor<?x64xf32>, %bias: tensor<96xf32>) -> tensor<?x96xf32> {
  %c0 = arith.constant 0 : index
  %w = arith.constant dense_resource<weight> : tensor<64x96xf32>
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x96xf32>) -> tensor<?x96xf32>
  %p = linalg.matmul ins(%a, %w : tensor<?x64xf32>, tensor<64x96xf32>) outs(%f : tensor<?x96xf32>) -> tensor<?x96xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m,n)->(m,n)>,affine_map<(m,n)->(n)>,affine_map<(m,n)->(m,n)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : tensor<?x96xf32>, tensor<96xf32>) outs(%e : tensor<?x96xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x96xf32>
  return %r : tensor<?x96xf32>
}
// attention
func.func @attn(%q: tensor<12x?x64xf32>, %k: tensor<12x?x64xf32>, %v: tensor<12x?x64xf32>) -> tensor<12x?x64xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %sc = arith.constant 0.125 : f32
  %m = tensor.dim %q, %c1 : tensor<12x?x64xf32>
  %n = tensor.dim %k, %c1 : tensor<12x?x64xf32>
  %e = tensor.empty(%m, %n) : tensor<12x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x?x?xf32>) -> tensor<12x?x?xf32>
  %s0 = linalg.generic {indexing_maps=[affine_map<(b,m,n,k)->(b,m,k)>,affine_map<(b,m,n,k)->(b,n,k)>,affine_map<(b,m,n,k)->(b,m,n)>],iterator_types=["parallel","parallel","parallel","reduction"]} ins(%q,%k:tensor<12x?x64xf32>,tensor<12x?x64xf32>) outs(%f : tensor<12x?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32 } -> tensor<12x?x?xf32>
  %s = linalg.generic {indexing_maps=[affine_map<(b,m,n)->(b,m,n)>,affine_map<(b,m,n)->(b,m,n)>],iterator_types=["parallel","parallel","parallel"]} ins(%s0:tensor<12x?x?xf32>) outs(%e : tensor<12x?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %p = arith.mulf %x, %sc : f32
    linalg.yield %p : f32 } -> tensor<12x?x?xf32>
  %e1 = tensor.empty(%m) : tensor<12x?xf32>
  %fm = linalg.fill ins(%ninf : f32) outs(%e1 : tensor<12x?xf32>) -> tensor<12x?xf32>
  %mx = linalg.reduce ins(%s : tensor<12x?x?xf32>) outs(%fm : tensor<12x?xf32>) dimensions=[2] (%x: f32, %y: f32) { %z = arith.maximumf %x, %y : f32 linalg.yield %z : f32 }
  %ex = linalg.generic {indexing_maps=[affine_map<(b,m,n)->(b,m,n)>,affine_map<(b,m,n)->(b,m)>,affine_map<(b,m,n)->(b,m,n)>],iterator_types=["parallel","parallel","parallel"]} ins(%s,%mx:tensor<12x?x?xf32>,tensor<12x?xf32>) outs(%e : tensor<12x?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.subf %x, %y : f32
    %t = math.exp %p : f32
    linalg.yield %t : f32 } -> tensor<12x?x?xf32>
  %fz = linalg.fill ins(%zero : f32) outs(%e1 : tensor<12x?xf32>) -> tensor<12x?xf32>
  %sm = linalg.reduce ins(%ex : tensor<12x?x?xf32>) outs(%fz : tensor<12x?xf32>) dimensions=[2] (%x: f32, %y: f32) { %z = arith.addf %x, %y : f32 linalg.yield %z : f32 }
  %pr = linalg.generic {indexing_maps=[affine_map<(b,m,n)->(b,m,n)>,affine_map<(b,m,n)->(b,m)>,affine_map<(b,m,n)->(b,m,n)>],iterator_types=["parallel","parallel","parallel"]} ins(%ex,%sm:tensor<12x?x?xf32>,tensor<12x?xf32>) outs(%e : tensor<12x?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.divf %x, %y : f32
    linalg.yield %p : f32 } -> tensor<12x?x?xf32>
  %eo = tensor.empty(%m) : tensor<12x?x64xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<12x?x64xf32>) -> tensor<12x?x64xf32>
  %o = linalg.batch_matmul ins(%pr, %v : tensor<12x?x?xf32>, tensor<12x?x64xf32>) outs(%fo : tensor<12x?x64xf32>) -> tensor<12x?x64xf32>
  return %o : tensor<12x?x64xf32>
}
