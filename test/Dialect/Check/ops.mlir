// RUN: ferrule-opt %s | FileCheck %s
// RUN: ferrule-opt %s | ferrule-opt | FileCheck %s
// RUN: ferrule-opt %s -emit-bytecode | ferrule-opt | FileCheck %s

// CHECK-LABEL: @pairs
func.func @pairs(%a: tensor<2xf32>, %e: tensor<?xf32>) {
  // CHECK: check.expect_eq %arg0, %arg0 : tensor<2xf32>
  check.expect_eq %a, %a : tensor<2xf32>
  // CHECK: check.expect_eq %arg0, %arg1 : tensor<2xf32>, tensor<?xf32>
  check.expect_eq %a, %e : tensor<2xf32>, tensor<?xf32>
  // CHECK: check.expect_eq %arg0, %arg1 : tensor<2xf32>, tensor<?xf32>
  "check.expect_eq"(%a, %e) : (tensor<2xf32>, tensor<?xf32>) -> ()
  // CHECK: check.expect_eq %arg0, %arg0 : tensor<2xf32>
  check.expect_eq(%a, %a) : tensor<2xf32>
  // CHECK: check.expect_almost_eq %arg0, %arg0 {tolerance = 1.000000e-02 : f64} : tensor<2xf32>
  check.expect_almost_eq %a, %a, tolerance = 0.01 : tensor<2xf32>
  // CHECK: check.expect_almost_eq %arg0, %arg0 {tolerance = 1.000000e-02 : f64} : tensor<2xf32>
  check.expect_almost_eq(%a, %a, atol 0.01) : tensor<2xf32>
  // CHECK: check.expect_almost_eq %arg0, %arg1 : tensor<2xf32>, tensor<?xf32>
  check.expect_almost_eq %a, %e : (tensor<2xf32>, tensor<?xf32>) -> ()
  // CHECK: check.expect_close %arg0, %arg0 {max_ulp_difference = 3 : i64, min_ulp_difference = 1 : i64} : tensor<2xf32>
  check.expect_close %a, %a, max_ulp_difference = 3, min_ulp_difference = 1 : tensor<2xf32>
  // CHECK: check.expect_close %arg0, %arg0 {max_ulp_difference = 3 : ui64} : tensor<2xf32>
  check.expect_close %a, %a {max_ulp_difference = 3 : ui64} : tensor<2xf32>, tensor<2xf32>
  return
}

// CHECK-LABEL: @constants
func.func @constants(%a: tensor<2xf32>, %d: tensor<?xf32>) {
  // CHECK: check.expect_eq_const %arg0, dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>{{$}}
  check.expect_eq_const %a, dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: check.expect_eq_const %arg0, dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>{{$}}
  check.expect_eq_const(%a, dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>
  // CHECK: check.expect_eq_const %arg1, dense<1.000000e+00> : tensor<2xf32> : tensor<?xf32>
  check.expect_eq_const %d, dense<1.0> : tensor<2xf32> : tensor<?xf32>
  // CHECK: check.expect_almost_eq_const %arg0, dense<1.000000e+00> : tensor<2xf32> {tolerance = 1.000000e-04 : f64}
  check.expect_almost_eq_const(%a, dense<1.0> : tensor<2xf32>, atol 1.0e-04) : tensor<2xf32>
  // CHECK: check.expect_almost_eq_const %arg0, dense<1.000000e+00> : tensor<2xf32>{{$}}
  check.expect_almost_eq_const %a, dense<1.0> : tensor<2xf32>
  return
}

// CHECK-LABEL: @truths
func.func @truths(%a: tensor<i1>) {
  // CHECK: check.expect_true %arg0 : tensor<i1>
  check.expect_true(%a) : tensor<i1>
  // CHECK: check.expect_false %arg0 : tensor<i1>
  check.expect_false %a : tensor<i1>
  // CHECK: check.expect_all_true %arg0 : tensor<i1>
  check.expect_all_true(%a) : tensor<i1>
  return
}

// CHECK-LABEL: @companions
func.func @companions() {
  // CHECK: util.unfoldable_constant dense<1> : tensor<2xi32>
  %0 = util.unfoldable_constant dense<1> : tensor<2xi32>
  // CHECK: interpreter.probe %{{.*}} {probe_id = "p"} : tensor<2xi32>
  %1 = interpreter.probe %0, probe_id = "p" : tensor<2xi32>
  // CHECK: interpreter.print %{{.*}} : tensor<2xi32>
  interpreter.print %1 : tensor<2xi32>
  // CHECK: check.expect_serialized_eq %{{.*}}, "p", 0 : tensor<2xi32>
  check.expect_serialized_eq %0, "p", 0 : tensor<2xi32>
  return
}
