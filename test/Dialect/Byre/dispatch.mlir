// RUN: ferrule-opt %s --split-input-file --verify-diagnostics | ferrule-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func private @k(
func.func private @k(%a: tensor<?xf32>, %e: tensor<?xf32>, %n: index) -> tensor<?xf32> attributes {byre.kernel, byre.scratch = 64 : i64}

// CHECK-LABEL: func @on_tensors
func.func @on_tensors(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  // CHECK: byre.dispatch @k workgroups(%{{.*}}) ins(%{{.*}} : tensor<?xf32>) outs(%{{.*}} : tensor<?xf32>) scalars(%{{.*}} : index) -> tensor<?xf32>
  %r = byre.dispatch @k workgroups(%n) ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) scalars(%n : index) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @on_buffers
func.func @on_buffers(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  // CHECK: byre.dispatch @packed ins(%{{.*}} : memref<?xf32>) outs(%{{.*}} : memref<?xf32>)
  byre.dispatch @packed ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  return
}

// CHECK: byre.image @cpu target "cpu" cpu "x86-64-v3" features ["avx2"] kernels [#byre.entry<"packed" at 4096 scratch 64 work 300 messages("index out of range")>, #byre.entry<"plain" at 0 scratch 0>] data dense<0> : tensor<64xi8>
byre.image @cpu target "cpu" cpu "x86-64-v3" features ["avx2"]
    kernels [#byre.entry<"packed" at 4096 scratch 64 work 300 messages("index out of range")>, #byre.entry<"plain" at 0 scratch 0>]
    data dense<0> : tensor<64xi8>

// -----

func.func @no_kernel(%a: memref<4xf32>) {
  // expected-error @+1 {{expected @gone to be a kernel of this module, found none}}
  byre.dispatch @gone outs(%a : memref<4xf32>)
  return
}

// -----

func.func private @f(%a: memref<4xf32>)
func.func @no_kernel_attribute(%a: memref<4xf32>) {
  // expected-error @+1 {{expected @f to be a kernel (attribute 'byre.kernel'), found another function}}
  byre.dispatch @f outs(%a : memref<4xf32>)
  return
}

// -----

// expected-note @+1 {{kernel defined here}}
func.func private @k(%a: tensor<4xf32>) -> tensor<4xf32> attributes {byre.kernel}
func.func @no_equal_types(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected the kernel to be of type '(tensor<8xf32>) -> tensor<8xf32>', found '(tensor<4xf32>) -> tensor<4xf32>'}}
  %r = byre.dispatch @k outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @no_mixed_operands(%a: memref<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{expected all inputs and outs to be tensors or all to be memrefs}}
  byre.dispatch @k ins(%b : tensor<4xf32>) outs(%a : memref<4xf32>)
  return
}

// -----

// expected-error @+1 {{attribute 'byre.scratch' expected to be a number of bytes of type i64, found -1}}
func.func private @k() attributes {byre.kernel, byre.scratch = -1 : i64}
