// RUN: ferrule-opt %s --bufferize-program --plan-memory --convert-program-to-byre | ferrule-translate --to=byre -o %t.byre
// RUN: ferrule-run %t.byre --function=fibonacci --input=n=i64=10 --print | FileCheck %s --check-prefix=FIB
// RUN: ferrule-run %t.byre --function=swap --input=x=2xf32=1 --input=y=2xf32=2 --input=n=i64=3 --print | FileCheck %s --check-prefix=SWAP
// RUN: ferrule-run %t.byre --function=double --input=x=3xf32=1.5 --print | FileCheck %s --check-prefix=DOUBLE
// RUN: ferrule-run %t.byre --function=choose --input=n=i64=1 --print | FileCheck %s --check-prefix=CHOOSE
// RUN: ferrule-run %t.byre --function=narrow --input=x=i32=2147483647 --print | FileCheck %s --check-prefix=NARROW
// RUN: not ferrule-run %t.byre --function=checked --input=x=0xf32=0 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: ferrule-run %t.byre --function=reshaped --print | FileCheck %s --check-prefix=RESHAPED
// RUN: ferrule-run %t.byre --function=calls --input=x=2xf32=3 --print | FileCheck %s --check-prefix=CALLS
// RUN: ferrule-run %t.byre --function=branches --input=n=i64=3 --print | FileCheck %s --check-prefix=BRANCHES

module attributes {ferrule.symbols = {batch = [0, -1]}, ferrule.metadata = {author = "test"}} {

// Carried tensors that trade places: 0 1 1 2 3 5 8 13 21 34 55.
// FIB: 55
func.func @fibonacci(%n: tensor<i64> {ferrule.name = "n"}) -> tensor<i64> {
  %zero = arith.constant dense<0> : tensor<i64>
  %one = arith.constant dense<1> : tensor<i64>
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i64
  %limit = tensor.extract %n[] : tensor<i64>
  %r:3 = scf.while (%i = %c0, %a = %zero, %b = %one) : (i64, tensor<i64>, tensor<i64>) -> (i64, tensor<i64>, tensor<i64>) {
    %more = arith.cmpi slt, %i, %limit : i64
    scf.condition(%more) %i, %a, %b : i64, tensor<i64>, tensor<i64>
  } do {
  ^bb0(%i: i64, %a: tensor<i64>, %b: tensor<i64>):
    %x = tensor.extract %a[] : tensor<i64>
    %y = tensor.extract %b[] : tensor<i64>
    %s = arith.addi %x, %y : i64
    %t = tensor.from_elements %s : tensor<i64>
    %j = arith.addi %i, %c1 : i64
    scf.yield %j, %b, %t : i64, tensor<i64>, tensor<i64>
  }
  return %r#1 : tensor<i64>
}

// SWAP: 2
// SWAP: 1
func.func @swap(%x: tensor<2xf32> {ferrule.name = "x"}, %y: tensor<2xf32> {ferrule.name = "y"}, %n: tensor<i64> {ferrule.name = "n"})
    -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.extract %n[] : tensor<i64>
  %limit = arith.index_cast %m : i64 to index
  %r:2 = scf.for %i = %c0 to %limit step %c1 iter_args(%a = %x, %b = %y) -> (tensor<2xf32>, tensor<2xf32>) {
    scf.yield %b, %a : tensor<2xf32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}

// A carried tensor that grows: [x, x], then twice that.
// DOUBLE: 12
func.func @double(%x: tensor<?xf32> {ferrule.name = "x", ferrule.dims = ["batch"]}) -> tensor<i64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x) -> tensor<?xf32> {
    %n = tensor.dim %a, %c0 : tensor<?xf32>
    %m = arith.addi %n, %n : index
    %b = tensor.splat %zero[%m] : tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  %n = tensor.dim %r, %c0 : tensor<?xf32>
  %k = arith.index_cast %n : index to i64
  %s = tensor.from_elements %k : tensor<i64>
  return %s : tensor<i64>
}

// CHOOSE: 4, 5, 6
func.func @choose(%n: tensor<i64> {ferrule.name = "n"}) -> tensor<3xi32> {
  %a = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %b = arith.constant dense<[4, 5, 6]> : tensor<3xi32>
  %c = arith.constant dense<[7, 8, 9]> : tensor<3xi32>
  %m = tensor.extract %n[] : tensor<i64>
  %i = arith.index_cast %m : i64 to index
  %r = scf.index_switch %i -> tensor<3xi32>
  case 0 { scf.yield %a : tensor<3xi32> }
  case 1 { scf.yield %b : tensor<3xi32> }
  default { scf.yield %c : tensor<3xi32> }
  return %r : tensor<3xi32>
}

// Narrow integers wrap; an unsigned division sees all bits.
// NARROW: -2147483648, 2147483647, 1
func.func @narrow(%x: tensor<i32> {ferrule.name = "x"}) -> tensor<3xi32> {
  %c1 = arith.constant 1 : i32
  %m1 = arith.constant -1 : i32
  %two = arith.constant 2 : i32
  %v = tensor.extract %x[] : tensor<i32>
  %w = arith.addi %v, %c1 : i32
  %d = arith.divui %m1, %two : i32
  %p = arith.cmpi ugt, %w, %v : i32
  %q = arith.extui %p : i1 to i32
  %r = tensor.from_elements %w, %d, %q : tensor<3xi32>
  return %r : tensor<3xi32>
}

// CHECKED: expected at least one row
func.func @checked(%x: tensor<?xf32> {ferrule.name = "x"}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %p = arith.cmpi ne, %n, %c0 : index
  cf.assert %p, "expected at least one row"
  return %x : tensor<?xf32>
}

// The output's memory is made under another shape.
// RESHAPED: 2x2xf32 = {{.*}}7, 7{{.*}}7, 7
func.func @reshaped() -> tensor<2x2xf32> {
  %seven = arith.constant 7.0 : f32
  %a = tensor.splat %seven : tensor<4xf32>
  %b = tensor.expand_shape %a [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %b : tensor<2x2xf32>
}

// CALLS: 3, 3
func.func @calls(%x: tensor<?xf32> {ferrule.name = "x"}) -> tensor<?xf32> {
  %a = call @copied(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %b = call @copied(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %b : tensor<?xf32>
}
func.func private @copied(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// Each turn takes one branch, which replaces the carried tensor or updates it:
// [9 9 9], [9 9 9], [9 9 1].
// BRANCHES: 9, 9, 1
func.func @branches(%n: tensor<i64> {ferrule.name = "n"}) -> tensor<3xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i64
  %nine = arith.constant 9 : i64
  %zero = arith.constant dense<0> : tensor<3xi64>
  %m = tensor.extract %n[] : tensor<i64>
  %limit = arith.index_cast %m : i64 to index
  %r = scf.for %i = %c0 to %limit step %c1 iter_args(%a = %zero) -> tensor<3xi64> {
    %even = arith.remui %i, %c2 : index
    %p = arith.cmpi eq, %even, %c0 : index
    %q = arith.cmpi ne, %i, %c2 : index
    %s = arith.andi %p, %q : i1
    %b = scf.if %s -> tensor<3xi64> {
      %t = tensor.splat %nine : tensor<3xi64>
      scf.yield %t : tensor<3xi64>
    } else {
      %t = tensor.insert %one into %a[%i] : tensor<3xi64>
      scf.yield %t : tensor<3xi64>
    }
    %u = tensor.insert %nine into %b[%c1] : tensor<3xi64>
    scf.yield %u : tensor<3xi64>
  }
  return %r : tensor<3xi64>
}
}
