// RUN: ferrule-translate %s --to=byre -o %t.byre --split-input-file --verify-diagnostics

// expected-error @+1 {{is public: expected tensors as arguments and results, found scalars}}
func.func @no_public_scalars(%n: index) {
  return
}

// -----

func.func @no_half(%x: memref<2xbf16>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<2xbf16>
  // expected-error @+1 {{'arith.addf' op has no instruction for f16 and bf16: expected such arithmetic inside kernels}}
  %b = arith.addf %a, %a : bf16
  memref.store %b, %x[%c0] : memref<2xbf16>
  return
}

// -----

func.func @no_instruction(%x: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<2xf32>
  // expected-error @+1 {{'math.erf' op has no instruction}}
  %b = math.erf %a : f32
  memref.store %b, %x[%c0] : memref<2xf32>
  return
}

// -----

func.func @no_wide_integer(%x: memref<2xi128>) {
  return
}
// expected-error @-3 {{has an argument or result of element type 'i128', which cannot be stored}}

// -----

func.func @no_missing_data() {
  // expected-error @+1 {{the data of resource 'gone' is not in memory}}
  %w = byre.constant dense_resource<gone> : tensor<2xf32> as memref<2xf32>
  return
}

// -----

func.func @no_workgroups(%x: memref<2xf32>) {
  // expected-error @+1 {{expected a number of workgroups}}
  byre.dispatch @k outs(%x : memref<2xf32>)
  return
}
byre.image @i target "cpu" cpu "" features [] kernels [#byre.entry<"k" at 64 scratch 0>] data dense<0> : tensor<1xi8>

// -----

// expected-error @+1 {{expected 2 names in 'ferrule.dims' of 'x', found 1}}
func.func @no_wrong_dims(%x: memref<2x?xf32> {ferrule.name = "x", ferrule.dims = ["n"]}) {
  return
}
