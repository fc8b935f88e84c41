// RUN: ferrule-opt %s -split-input-file -o %t
// RUN: ferrule-opt %t -split-input-file | diff - %t
// RUN: ferrule-opt %s -split-input-file -mlir-print-op-generic | ferrule-opt -split-input-file | diff - %t

func.func @unary(%x: tensor<?x4xf32>, %c: tensor<4xcomplex<f64>>) {
  %0 = chlo.acos %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %1 = chlo.acosh %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %2 = chlo.asin %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %3 = chlo.asinh %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %4 = chlo.atan %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %5 = chlo.atanh %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %6 = chlo.bessel_i1e %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %7 = chlo.conj %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %8 = chlo.cosh %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %9 = chlo.digamma %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %10 = chlo.erf %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %11 = chlo.erf_inv %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %12 = chlo.erfc %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %13 = chlo.lgamma %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %14 = chlo.sinh %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %15 = chlo.square %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %16 = chlo.tan %x : tensor<?x4xf32> -> tensor<?x4xf32>
  %17 = chlo.is_inf %x {a.b} : tensor<?x4xf32> -> tensor<?x4xi1>
  %18 = chlo.is_neg_inf %x {a.b} : tensor<?x4xf32> -> tensor<?x4xi1>
  %19 = chlo.is_pos_inf %x {a.b} : tensor<?x4xf32> -> tensor<?x4xi1>
  %20 = chlo.acos %c : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %21 = chlo.conj %c : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %22 = chlo._asin_acos_kernel %c : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  return
}

// -----

func.func @binary(%x: tensor<4xf32>, %i: tensor<4xi32>) {
  %0 = chlo.next_after %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %1 = chlo.polygamma %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %2 = chlo.zeta %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %3 = chlo.mulhi %i, %i : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
  return
}

// -----

func.func @broadcast(%x: tensor<3x4xf32>, %y: tensor<4xf32>, %i: tensor<3x4xi32>, %j: tensor<?xi32>, %p: tensor<4xi1>) {
  %0 = chlo.broadcast_add %x, %y : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %1 = chlo.broadcast_atan2 %x, %y {broadcast_dimensions = array<i64: 1>} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %2 = chlo.broadcast_divide %x, %y : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %3 = chlo.broadcast_maximum %x, %y {broadcast_dimensions = array<i64: 1>} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %4 = chlo.broadcast_minimum %x, %y : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %5 = chlo.broadcast_multiply %x, %y {broadcast_dimensions = array<i64: 1>} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %6 = chlo.broadcast_next_after %x, %y : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %7 = chlo.broadcast_polygamma %x, %y {broadcast_dimensions = array<i64: 1>} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %8 = chlo.broadcast_power %x, %y : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %9 = chlo.broadcast_remainder %x, %y {broadcast_dimensions = array<i64: 1>} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %10 = chlo.broadcast_subtract %x, %y : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %11 = chlo.broadcast_zeta %x, %y {broadcast_dimensions = array<i64: 1>} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %12 = chlo.broadcast_and %i, %j : (tensor<3x4xi32>, tensor<?xi32>) -> tensor<3x4xi32>
  %13 = chlo.broadcast_or %i, %j : (tensor<3x4xi32>, tensor<?xi32>) -> tensor<3x4xi32>
  %14 = chlo.broadcast_xor %i, %j : (tensor<3x4xi32>, tensor<?xi32>) -> tensor<3x4xi32>
  %15 = chlo.broadcast_shift_left %i, %j : (tensor<3x4xi32>, tensor<?xi32>) -> tensor<3x4xi32>
  %16 = chlo.broadcast_shift_right_arithmetic %i, %j : (tensor<3x4xi32>, tensor<?xi32>) -> tensor<3x4xi32>
  %17 = chlo.broadcast_shift_right_logical %i, %j : (tensor<3x4xi32>, tensor<?xi32>) -> tensor<3x4xi32>
  %18 = chlo.broadcast_complex %x, %y : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xcomplex<f32>>
  %19 = chlo.broadcast_select %p, %x, %y : (tensor<4xi1>, tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %20 = chlo.broadcast_compare %x, %y {broadcast_dimensions = array<i64: 1>, comparison_direction = #chlo<comparison_direction GE>} : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xi1>
  return
}

// -----

func.func @scan(%x: tensor<3x4xf32>, %i: tensor<4xf32>) -> tensor<3x4xf32> {
  %0:2 = chlo.scan(%x) inits (%i) dimension=0  attributes {is_associative = true, is_reverse = true, scan_dim_size = 3 : i64} {
  ^bb0(%a: tensor<4xf32>, %c: tensor<4xf32>):
    %r = stablehlo.add %a, %c : tensor<4xf32>
    stablehlo.return %r, %r : tensor<4xf32>, tensor<4xf32>
  } : (tensor<3x4xf32>, tensor<4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>)
  return %0#0 : tensor<3x4xf32>
}
