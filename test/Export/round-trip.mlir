// A file that is read and written again has the same bytes, through text too.
// RUN: ferrule-translate %s --to=byre -o %t.byre
// RUN: ferrule-translate %t.byre --to=byre -o %t.again.byre
// RUN: cmp %t.byre %t.again.byre
// RUN: ferrule-translate %t.byre --locations --inline-data -o %t.text.mlir
// RUN: ferrule-translate %t.text.mlir --to=byre -o %t.text.byre
// RUN: cmp %t.byre %t.text.byre
// RUN: ferrule-translate %t.byre | FileCheck %s
// RUN: ferrule-translate %t.byre --locations | FileCheck %s --check-prefix=LOCATION

// LOCATION-DAG: loc("model.py":3:4)
// LOCATION-DAG: loc("layer 1"(#{{.*}}))

module attributes {ferrule.producer = "me", ferrule.symbols = {n = [1, 64]}, ferrule.metadata = {licence = "none"}} {
// CHECK: module attributes {ferrule.metadata = {licence = "none"}, ferrule.producer = "me", ferrule.symbols = {n = [1, 64]}}
// CHECK: func.func @main(%{{.*}}: memref<?x4xf32> {ferrule.dims = ["n", ""], ferrule.name = "x"})
// CHECK-SAME: -> (memref<?x4xf32> {ferrule.dims = ["n", ""], ferrule.name = "y"}, memref<2xi8> {ferrule.name = "z", ferrule.type = ui8}) attributes {byre.arena = 128 : i64}
func.func @main(%x: memref<?x4xf32> {ferrule.name = "x", ferrule.dims = ["n", ""]})
    -> (memref<?x4xf32> {ferrule.name = "y", ferrule.dims = ["n", ""]}, memref<2xi8> {ferrule.name = "z", ferrule.type = ui8})
    attributes {byre.arena = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %half = arith.constant 1.5 : bf16
  %f = arith.constant 2.5 : f32
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  // Two constants of equal bytes are one range of the file; i1 is one byte.
  %w = byre.constant dense<[1.0, 2.0]> : tensor<2xf32> as memref<2xf32>
  %v = byre.constant dense<[1065353216, 1073741824]> : tensor<2xi32> as memref<2xi32>
  %b = byre.constant dense<[true, false, true]> : tensor<3xi1> as memref<3xi1>
  %q = byre.constant dense<[1, -2, 3]> : tensor<3xi4> as memref<3xi4>
  // CHECK: byre.alloc at 64 : memref<2xf32>
  %a = byre.alloc at 64 : memref<2xf32>
  // CHECK: byre.alloc sizes(%{{.*}}) : memref<?xbf16>
  %d = byre.alloc sizes(%n) : memref<?xbf16>
  byre.fill %d with %half : memref<?xbf16>
  // CHECK: byre.view %{{.*}} at 4 : memref<2xf32> to memref<f32>
  %s = byre.view %a at 4 : memref<2xf32> to memref<f32>
  memref.store %f, %s[] : memref<f32>
  %i = memref.load %v[%c0] : memref<2xi32>
  %t = arith.truncf %f : f32 to bf16
  memref.store %t, %d[%c0] : memref<?xbf16>
  %p = memref.load %b[%c3] : memref<3xi1>
  // CHECK: cf.assert %{{.*}}, "expected a true value"
  cf.assert %p, "expected a true value"
  %bits = arith.bitcast %f : f32 to i32
  %j = arith.addi %i, %bits : i32
  %k = arith.divui %j, %i : i32
  %l = arith.extui %k : i32 to i64
  %g = arith.uitofp %l : i64 to f64
  %h = math.sqrt %g : f64
  %o = arith.cmpf ogt, %h, %g : f64
  %m = arith.cmpi slt, %o, %p : i1
  %u = arith.select %m, %n, %c3 : index
  // CHECK: byre.dispatch @k workgroups(%{{.*}}) outs(%{{.*}}, %{{.*}} : memref<?x4xf32>, memref<2xf32>) scalars(%{{.*}} : f32)
  byre.dispatch @k workgroups(%u) ins(%x : memref<?x4xf32>) outs(%a : memref<2xf32>) scalars(%f : f32) loc("layer 1"("model.py":3:4))
  // CHECK: byre.call_provider "acme.sort" ins(%{{.*}} : memref<3xi4>) outs(%{{.*}} : memref<2xf32>) config {axis = 0 : i64, name = "x", scale = 5.000000e-01 : f64}
  byre.call_provider "acme.sort" ins(%q : memref<3xi4>) outs(%a : memref<2xf32>) config {axis = 0 : i64, scale = 0.5 : f64, name = "x"}
  cf.cond_br %m, ^then(%x : memref<?x4xf32>), ^otherwise(%u : index)
^then(%y: memref<?x4xf32>):
  %z = byre.alloc output 1 : memref<2xi8>
  byre.free %d : memref<?xbf16>
  return %y, %z : memref<?x4xf32>, memref<2xi8>
^otherwise(%size: index):
  byre.free %d : memref<?xbf16>
  %r = func.call @helper(%x, %size) : (memref<?x4xf32>, index) -> memref<?x4xf32>
  %zz = byre.alloc output 1 : memref<2xi8>
  return %r, %zz : memref<?x4xf32>, memref<2xi8>
}
// CHECK: func.func private @helper(
func.func private @helper(%x: memref<?x4xf32>, %n: index) -> memref<?x4xf32> {
  %y = byre.alloc sizes(%n) output 0 : memref<?x4xf32>
  return %y : memref<?x4xf32>
}
// CHECK: byre.image @image_0 target "cpu" cpu "x86-64-v3" features ["avx2", "fma"] kernels [#byre.entry<"k" at 4096 scratch 64 work 7 messages("index out of range")>]
byre.image @v3 target "cpu" cpu "x86-64-v3" features ["avx2", "fma"]
    kernels [#byre.entry<"k" at 4096 scratch 64 work 7 messages("index out of range")>] data dense<[1, 2, 3]> : tensor<3xi8>
}
