// RUN: ferrule-opt %s --expand-library-calls --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @solve
func.func @solve(%a: tensor<2x2xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}>
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// The shape of a result that depends on the batch comes as an operand.
// CHECK-LABEL: @dynamic_batch
func.func @dynamic_batch(%a: tensor<?x4x4xf64>, %shape: tensor<3xi32>, %line: tensor<1xi32>) -> (tensor<?x4x4xf64>, tensor<?xi32>) {
  // CHECK: stablehlo.cholesky %{{.*}}, lower = true : tensor<?x4x4xf64>
  // CHECK-NOT: custom_call
  %0:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a, %shape, %line) {mhlo.backend_config = {uplo = 76 : ui8}, indices_of_shape_operands = dense<[1, 2]> : tensor<2xi64>, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]} : (tensor<?x4x4xf64>, tensor<3xi32>, tensor<1xi32>) -> (tensor<?x4x4xf64>, tensor<?xi32>)
  return %0#0, %0#1 : tensor<?x4x4xf64>, tensor<?xi32>
}

// -----

// CHECK-LABEL: @top_k
func.func @top_k(%x: tensor<8xf32>, %i: tensor<8xi32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %v = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %n = stablehlo.constant dense<-1> : tensor<i32>
  // CHECK: %[[S:.*]]:2 = "stablehlo.sort"(%arg0, %arg1)
  // CHECK: stablehlo.compare GT
  // CHECK: stablehlo.slice %[[S]]#0 [0:3]
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %v, %n) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// -----

func.func @no_row_major(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>) {
  // expected-error @+1 {{@lapack_sgeqrf_ffi has matrices in row-major order or no layouts, expected column-major ones}}
  %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2xf32>
}

// -----

func.func @no_other_elements(%a: tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>) {
  // expected-error @+1 {{@lapack_sgeqrf_ffi has elements f64, expected f32}}
  %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>)
  return %0#0, %0#1 : tensor<2x2xf64>, tensor<2xf64>
}

// -----

func.func @no_such_triangle(%a: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>) {
  // expected-error @+1 {{@lapack_spotrf_ffi has 88 as 'uplo', expected the code of one of LU}}
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 88 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<i32>)
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<i32>
}

// -----

func.func @no_such_routine(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{@lapack_sgges_ffi is a routine that Ferrule does not know}}
  %0 = stablehlo.custom_call @lapack_sgges_ffi(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
