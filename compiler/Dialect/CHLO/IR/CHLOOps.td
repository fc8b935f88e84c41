// CHLO: functions and broadcasts that StableHLO has no operation for. They are
// expanded to StableHLO before anything else looks at the program.
#ifndef FERRULE_CHLO_OPS
#define FERRULE_CHLO_OPS

include "../../StableHLO/IR/StableHLOBase.td"

def CHLO_Dialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::ferrule::chlo";
  let summary = "Operations on the way to StableHLO";
  let dependentDialects = ["::ferrule::stablehlo::StableHLODialect"];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerOperations();
    void registerBytecode();
  }];
}

class CHLO_Op<string mnemonic, list<Trait> traits = []>
    : Op<CHLO_Dialect, mnemonic, traits>;

//===-- Attributes --------------------------------------------------------===//

class CHLO_EnumInfo<string name, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, "", cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::ferrule::chlo";
}

def CHLO_ComparisonDirection : CHLO_EnumInfo<"ComparisonDirection", [
  I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>,
  I32EnumAttrCase<"GE", 2>, I32EnumAttrCase<"GT", 3>,
  I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]>;
def CHLO_ComparisonDirectionAttr : EnumAttr<CHLO_Dialect,
    CHLO_ComparisonDirection, "comparison_direction">;

def CHLO_ComparisonType : CHLO_EnumInfo<"ComparisonType", [
  I32EnumAttrCase<"NOTYPE", 0>, I32EnumAttrCase<"FLOAT", 1>,
  I32EnumAttrCase<"TOTALORDER", 2>, I32EnumAttrCase<"SIGNED", 3>,
  I32EnumAttrCase<"UNSIGNED", 4>]>;
def CHLO_ComparisonTypeAttr : EnumAttr<CHLO_Dialect, CHLO_ComparisonType,
    "comparison_type">;

def CHLO_Precision : CHLO_EnumInfo<"Precision", [
  I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGH", 1>,
  I32EnumAttrCase<"HIGHEST", 2>]>;
def CHLO_PrecisionAttr : EnumAttr<CHLO_Dialect, CHLO_Precision, "precision">;

def CHLO_RaggedDotDimensionNumbers
    : AttrDef<CHLO_Dialect, "RaggedDotDimensionNumbers"> {
  let mnemonic = "ragged_dot";
  let parameters = (ins
      ArrayRefParameter<"int64_t">:$lhsBatchingDimensions,
      ArrayRefParameter<"int64_t">:$rhsBatchingDimensions,
      ArrayRefParameter<"int64_t">:$lhsContractingDimensions,
      ArrayRefParameter<"int64_t">:$rhsContractingDimensions,
      ArrayRefParameter<"int64_t">:$lhsRaggedDimensions,
      ArrayRefParameter<"int64_t">:$rhsGroupDimensions);
  let hasCustomAssemblyFormat = 1;
}

//===-- One operand -------------------------------------------------------===//

class CHLO_UnaryOp<string mnemonic, Type operandType>
    : CHLO_Op<mnemonic, [Pure, Elementwise, SameOperandsAndResultShape,
        StableHLO_InferType]> {
  let arguments = (ins operandType:$operand);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` type($operand) `->` type($result)
  }];
}

def CHLO_AcosOp : CHLO_UnaryOp<"acos",
    StableHLO_FloatOrComplexTensor> {
  let summary = "arc cosine";
}
def CHLO_AcoshOp : CHLO_UnaryOp<"acosh",
    StableHLO_FloatOrComplexTensor> {
  let summary = "inverse hyperbolic cosine";
}
def CHLO_AsinOp : CHLO_UnaryOp<"asin",
    StableHLO_FloatOrComplexTensor> {
  let summary = "arc sine";
}
def CHLO_AsinhOp : CHLO_UnaryOp<"asinh",
    StableHLO_FloatOrComplexTensor> {
  let summary = "inverse hyperbolic sine";
}
def CHLO_AtanOp : CHLO_UnaryOp<"atan",
    StableHLO_FloatOrComplexTensor> {
  let summary = "arc tangent";
}
def CHLO_AtanhOp : CHLO_UnaryOp<"atanh",
    StableHLO_FloatOrComplexTensor> {
  let summary = "inverse hyperbolic tangent";
}
def CHLO_CoshOp : CHLO_UnaryOp<"cosh",
    StableHLO_FloatOrComplexTensor> {
  let summary = "hyperbolic cosine";
}
def CHLO_SinhOp : CHLO_UnaryOp<"sinh",
    StableHLO_FloatOrComplexTensor> {
  let summary = "hyperbolic sine";
}
def CHLO_TanOp : CHLO_UnaryOp<"tan",
    StableHLO_FloatOrComplexTensor> {
  let summary = "tangent";
}
def CHLO_BesselI1eOp : CHLO_UnaryOp<"bessel_i1e",
    StableHLO_FloatTensor> {
  let summary = "exponentially scaled modified Bessel function of order 1";
}
def CHLO_ConjOp : CHLO_UnaryOp<"conj",
    StableHLO_TensorOf<[StableHLO_Complex, StableHLO_Float]>> {
  let summary = "complex conjugate";
}
def CHLO_DigammaOp : CHLO_UnaryOp<"digamma",
    StableHLO_FloatTensor> {
  let summary = "derivative of lgamma";
}
def CHLO_ErfOp : CHLO_UnaryOp<"erf",
    StableHLO_FloatTensor> {
  let summary = "error function";
}
def CHLO_ErfInvOp : CHLO_UnaryOp<"erf_inv",
    StableHLO_FloatTensor> {
  let summary = "inverse of erf";
}
def CHLO_ErfcOp : CHLO_UnaryOp<"erfc",
    StableHLO_FloatTensor> {
  let summary = "1 - erf(x)";
}
def CHLO_IsInfOp : CHLO_UnaryOp<"is_inf",
    StableHLO_FloatTensor> {
  let summary = "whether infinite";
}
def CHLO_IsNegInfOp : CHLO_UnaryOp<"is_neg_inf",
    StableHLO_FloatTensor> {
  let summary = "whether minus infinity";
}
def CHLO_IsPosInfOp : CHLO_UnaryOp<"is_pos_inf",
    StableHLO_FloatTensor> {
  let summary = "whether plus infinity";
}
def CHLO_LgammaOp : CHLO_UnaryOp<"lgamma",
    StableHLO_FloatTensor> {
  let summary = "logarithm of |gamma(x)|";
}
def CHLO_SquareOp : CHLO_UnaryOp<"square",
    StableHLO_NumberTensor> {
  let summary = "x * x";
}
def CHLO_AsinAcosKernelOp : CHLO_UnaryOp<"_asin_acos_kernel",
    StableHLO_TensorOf<[StableHLO_Complex]>> {
  let summary = "common part of complex asin and acos";
}

def CHLO_ConstantLikeOp : CHLO_Op<"constant_like", [Pure,
    SameOperandsAndResultShape]> {
  let summary = "a splat of the operand's shape";
  let arguments = (ins TypedAttrInterface:$value, AnyTensor:$operand);
  let results = (outs AnyTensor:$result);
  let hasVerifier = 1;
}

def CHLO_ConstantOp : CHLO_Op<"constant", [Pure, ConstantLike,
    AllTypesMatch<["value", "output"]>]> {
  let summary = "a tensor known at compile time";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyStaticShapeTensor:$output);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

//===-- Two operands ------------------------------------------------------===//

class CHLO_BinaryOp<string mnemonic, Type operandType>
    : CHLO_Op<mnemonic, [Pure, Elementwise, SameOperandsAndResultShape,
        StableHLO_InferType]> {
  let arguments = (ins operandType:$lhs, operandType:$rhs);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
}

def CHLO_NextAfterOp : CHLO_BinaryOp<"next_after", StableHLO_FloatTensor> {
  let summary = "the number after lhs towards rhs";
}
def CHLO_PolygammaOp : CHLO_BinaryOp<"polygamma", StableHLO_FloatTensor> {
  let summary = "lhs-th derivative of digamma at rhs";
}
def CHLO_ZetaOp : CHLO_BinaryOp<"zeta", StableHLO_FloatTensor> {
  let summary = "Hurwitz zeta function of lhs and rhs";
}
def CHLO_MulhiOp : CHLO_BinaryOp<"mulhi", StableHLO_IntTensor> {
  let summary = "upper half of the product";
}

//===-- With structure ----------------------------------------------------===//

def CHLO_TopKOp : CHLO_Op<"top_k", [Pure, StableHLO_InferType]> {
  let summary = "the k largest of the last dimension, and where they are";
  let arguments = (ins StableHLO_Tensor:$operand, I64Attr:$k);
  let results = (outs StableHLO_Tensor:$values, StableHLO_Tensor:$indices);
  let assemblyFormat = [{
    `(` $operand `,` `k` `=` $k `)` attr-dict `:` type($operand) `->`
      `(` type($values) `,` type($indices) `)`
  }];
}

def CHLO_RaggedDotOp : CHLO_Op<"ragged_dot", [Pure]> {
  let summary = "dot_general whose groups along a dimension have sizes";
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs,
      StableHLO_IntTensor:$group_sizes,
      CHLO_RaggedDotDimensionNumbers:$ragged_dot_dimension_numbers,
      OptionalAttr<TypedArrayAttrBase<CHLO_PrecisionAttr,
          "precision of each operand">>:$precision_config);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
}

// The body gets a slice of each input and the carried values; it gives a
// slice of each output and the next carried values.
def CHLO_ScanOp : CHLO_Op<"scan", [RecursiveMemoryEffects, SingleBlock,
    AttrSizedOperandSegments, AttrSizedResultSegments,
    DeclareOpInterfaceMethods<OpAsmOpInterface,
        ["getAsmBlockArgumentNames"]>]> {
  let summary = "a loop over slices along a dimension with carried values";
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs,
      Variadic<StableHLO_Tensor>:$inits, I64Attr:$dimension,
      DefaultValuedOptionalAttr<BoolAttr, "false">:$is_reverse,
      OptionalAttr<BoolAttr>:$is_associative,
      OptionalAttr<I64Attr>:$scan_dim_size);
  let results = (outs Variadic<StableHLO_Tensor>:$outputs,
      Variadic<StableHLO_Tensor>:$carries);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

//===-- Broadcasting ------------------------------------------------------===//

class CHLO_BroadcastOp<string mnemonic> : CHLO_Op<mnemonic, [Pure]> {
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs,
      OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->`
      type($result)
  }];
  let hasVerifier = 1;
}

def CHLO_BroadcastAddOp : CHLO_BroadcastOp<"broadcast_add"> {
  let summary = "add with implicit broadcasting";
}
def CHLO_BroadcastAndOp : CHLO_BroadcastOp<"broadcast_and"> {
  let summary = "and with implicit broadcasting";
}
def CHLO_BroadcastAtan2Op : CHLO_BroadcastOp<"broadcast_atan2"> {
  let summary = "atan2 with implicit broadcasting";
}
def CHLO_BroadcastComplexOp : CHLO_BroadcastOp<"broadcast_complex"> {
  let summary = "complex with implicit broadcasting";
}
def CHLO_BroadcastDivOp : CHLO_BroadcastOp<"broadcast_divide"> {
  let summary = "divide with implicit broadcasting";
}
def CHLO_BroadcastMaxOp : CHLO_BroadcastOp<"broadcast_maximum"> {
  let summary = "maximum with implicit broadcasting";
}
def CHLO_BroadcastMinOp : CHLO_BroadcastOp<"broadcast_minimum"> {
  let summary = "minimum with implicit broadcasting";
}
def CHLO_BroadcastMulOp : CHLO_BroadcastOp<"broadcast_multiply"> {
  let summary = "multiply with implicit broadcasting";
}
def CHLO_BroadcastNextAfterOp : CHLO_BroadcastOp<"broadcast_next_after"> {
  let summary = "next_after with implicit broadcasting";
}
def CHLO_BroadcastOrOp : CHLO_BroadcastOp<"broadcast_or"> {
  let summary = "or with implicit broadcasting";
}
def CHLO_BroadcastPolygammaOp : CHLO_BroadcastOp<"broadcast_polygamma"> {
  let summary = "polygamma with implicit broadcasting";
}
def CHLO_BroadcastPowOp : CHLO_BroadcastOp<"broadcast_power"> {
  let summary = "power with implicit broadcasting";
}
def CHLO_BroadcastRemOp : CHLO_BroadcastOp<"broadcast_remainder"> {
  let summary = "remainder with implicit broadcasting";
}
def CHLO_BroadcastShiftLeftOp : CHLO_BroadcastOp<"broadcast_shift_left"> {
  let summary = "shift_left with implicit broadcasting";
}
def CHLO_BroadcastShiftRightArithmeticOp : CHLO_BroadcastOp<"broadcast_shift_right_arithmetic"> {
  let summary = "shift_right_arithmetic with implicit broadcasting";
}
def CHLO_BroadcastShiftRightLogicalOp : CHLO_BroadcastOp<"broadcast_shift_right_logical"> {
  let summary = "shift_right_logical with implicit broadcasting";
}
def CHLO_BroadcastSubOp : CHLO_BroadcastOp<"broadcast_subtract"> {
  let summary = "subtract with implicit broadcasting";
}
def CHLO_BroadcastXorOp : CHLO_BroadcastOp<"broadcast_xor"> {
  let summary = "xor with implicit broadcasting";
}
def CHLO_BroadcastZetaOp : CHLO_BroadcastOp<"broadcast_zeta"> {
  let summary = "zeta with implicit broadcasting";
}

def CHLO_BroadcastCompareOp : CHLO_BroadcastOp<"broadcast_compare"> {
  let summary = "compare with implicit broadcasting";
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs,
      OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions,
      CHLO_ComparisonDirectionAttr:$comparison_direction,
      OptionalAttr<CHLO_ComparisonTypeAttr>:$compare_type);
}

def CHLO_BroadcastSelectOp : CHLO_Op<"broadcast_select", [Pure]> {
  let summary = "select with implicit broadcasting";
  let arguments = (ins AnyTensor:$pred, AnyTensor:$on_true,
      AnyTensor:$on_false);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // FERRULE_CHLO_OPS
