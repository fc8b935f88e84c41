// Expectations inside a program.
#ifndef FERRULE_CHECK_OPS
#define FERRULE_CHECK_OPS

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"

def Check_Dialect : Dialect {
  let name = "check";
  let cppNamespace = "::ferrule::check";
  let summary = "Expectations that a program holds about its own values";
  let description = [{
    `ferrule-check` runs the program and compares the values. A NaN equals a
    NaN, zeros of both signs are equal, an infinity equals only itself.
  }];
}

class Check_Op<string mnemonic, list<Trait> traits = []>
    : Op<Check_Dialect, mnemonic, traits> {
  let hasCustomAssemblyFormat = 1;
}

// Compares two values of the program.
class Check_PairOp<string mnemonic, dag attributes = (ins)>
    : Check_Op<mnemonic> {
  let arguments = !con((ins AnyType:$actual, AnyType:$expected), attributes);
  let hasVerifier = 1;
}

// Compares a value of the program with one that the text holds.
class Check_ConstOp<string mnemonic, dag attributes = (ins)>
    : Check_Op<mnemonic> {
  let arguments = !con((ins AnyType:$actual, TypedAttrInterface:$value),
      attributes);
  let hasVerifier = 1;
}

def Check_ExpectEqOp : Check_PairOp<"expect_eq"> {
  let summary = "elements are equal";
}

def Check_ExpectEqConstOp : Check_ConstOp<"expect_eq_const"> {
  let summary = "elements equal those of a constant";
}

def Check_ExpectAlmostEqOp : Check_PairOp<"expect_almost_eq",
    (ins OptionalAttr<AnyAttr>:$tolerance)> {
  let summary = "floats are at most a tolerance apart (1e-3)";
}

def Check_ExpectAlmostEqConstOp : Check_ConstOp<"expect_almost_eq_const",
    (ins OptionalAttr<AnyAttr>:$tolerance)> {
  let summary = "floats are at most a tolerance (1e-3) from those of a constant";
}

def Check_ExpectCloseOp : Check_PairOp<"expect_close",
    (ins OptionalAttr<AnyAttr>:$min_ulp_difference,
         OptionalAttr<AnyAttr>:$max_ulp_difference)> {
  let summary = "floats are few units in the last place apart (0 to 3)";
  let description = [{
    Some pair of elements must be at least `min_ulp_difference` apart, so that
    a test can tell that an algorithm is as inexact as it should be.
  }];
}

def Check_ExpectSerializedEqOp : Check_Op<"expect_serialized_eq"> {
  let summary = "a value equals what a probe has seen";
  let arguments = (ins AnyType:$expected, StrAttr:$probe_id,
      OptionalAttr<AnyAttr>:$iteration);
  let hasVerifier = 1;
}

class Check_TruthOp<string mnemonic> : Check_Op<mnemonic> {
  let arguments = (ins AnyType:$operand);
}

def Check_ExpectTrueOp : Check_TruthOp<"expect_true"> {
  let summary = "a number is not zero";
}

def Check_ExpectFalseOp : Check_TruthOp<"expect_false"> {
  let summary = "a number is zero";
}

def Check_ExpectAllTrueOp : Check_TruthOp<"expect_all_true"> {
  let summary = "no element is zero";
}

#endif // FERRULE_CHECK_OPS
