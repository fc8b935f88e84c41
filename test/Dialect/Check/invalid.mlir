// RUN: ferrule-opt %s -split-input-file -verify-diagnostics

func.func @element_types(%a: tensor<2xf32>, %b: tensor<2xi32>) {
  // expected-error@+1 {{compares 'tensor<2xf32>' with 'tensor<2xi32>'}}
  check.expect_eq %a, %b : tensor<2xf32>, tensor<2xi32>
  return
}

// -----

func.func @element_types_of_constant(%a: tensor<2xf32>) {
  // expected-error@+1 {{compares 'tensor<2xf32>' with 'tensor<2xi32>'}}
  check.expect_eq_const %a, dense<1> : tensor<2xi32> : tensor<2xf32>
  return
}

// -----

func.func @tolerance(%a: tensor<2xf32>) {
  // expected-error@+1 {{found tolerance -1.000000e+00 : f64, expected a float that is not negative}}
  check.expect_almost_eq %a, %a, tolerance = -1.0 : tensor<2xf32>
  return
}

// -----

func.func @units(%a: tensor<2xf32>) {
  // expected-error@+1 {{found max_ulp_difference -1 : i64, expected an integer that is not negative}}
  check.expect_close %a, %a, max_ulp_difference = -1 : tensor<2xf32>
  return
}

// -----

func.func @option_twice(%a: tensor<2xf32>) {
  // expected-error@+1 {{found option 'atol' twice}}
  check.expect_almost_eq(%a, %a, atol 0.1, atol 0.1) : tensor<2xf32>
  return
}
