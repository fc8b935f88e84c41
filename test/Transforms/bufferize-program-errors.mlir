// RUN: ferrule-opt %s --bufferize-program --split-input-file --verify-diagnostics

func.func @no_loose_compute(%x: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
  // expected-error @+1 {{'linalg.fill' op has no place in a program: expected a launch, a view, scalar arithmetic or structured control flow}}
  %r = linalg.fill ins(%v : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @no_loose_insert(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tensor.insert_slice' op has no place in a program}}
  %r = tensor.insert_slice %y into %x[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @no_strided_slice(%x: tensor<4x8xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{expected a contiguous slice outside of kernels, found one of 'tensor<4x8xf32>'}}
  %r = tensor.extract_slice %x[0, 0] [4, 2] [1, 1] : tensor<4x8xf32> to tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

// -----

// expected-error @+1 {{expected structured control flow, found more than one block}}
func.func @no_blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^end
^end:
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected tensors of known rank in the signature}}
func.func @no_unknown_rank(%x: tensor<*xf32>) -> tensor<*xf32> {
  return %x : tensor<*xf32>
}
