// Elementwise operations, and those that make values from nothing.
#ifndef FERRULE_STABLEHLO_OPS_ELEMENTWISE
#define FERRULE_STABLEHLO_OPS_ELEMENTWISE

include "StableHLOAttrs.td"

//===-- One operand -------------------------------------------------------===//

class StableHLO_UnaryOp<string mnemonic, Type operandType,
                        list<Trait> traits = [StableHLO_InferType]>
    : StableHLO_Op<mnemonic, !listconcat([Pure, Elementwise,
        SameOperandsAndResultShape], traits)> {
  let arguments = (ins operandType:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` custom<SameTypes>(type($operand), type($result))
  }];
}

class StableHLO_AccurateUnaryOp<string mnemonic, Type operandType>
    : StableHLO_UnaryOp<mnemonic, operandType> {
  let arguments = (ins operandType:$operand,
      OptionalAttr<StableHLO_ResultAccuracy>:$result_accuracy);
  let builders = [OpBuilder<(ins "::mlir::Value":$operand), [{
    build($_builder, $_state, operand, ResultAccuracyAttr());
  }]>];
}

def StableHLO_AbsOp : StableHLO_UnaryOp<"abs",
    StableHLO_NumberTensor> {
  let summary = "absolute value; of a complex number, its modulus";
}
def StableHLO_CeilOp : StableHLO_UnaryOp<"ceil",
    StableHLO_FloatOrQuantTensor> {
  let summary = "rounds towards plus infinity";
}
def StableHLO_FloorOp : StableHLO_UnaryOp<"floor",
    StableHLO_FloatOrQuantTensor> {
  let summary = "rounds towards minus infinity";
}
def StableHLO_RoundOp : StableHLO_UnaryOp<"round_nearest_afz",
    StableHLO_FloatOrQuantTensor> {
  let summary = "rounds to nearest, halves away from zero";
}
def StableHLO_RoundNearestEvenOp : StableHLO_UnaryOp<"round_nearest_even",
    StableHLO_FloatOrQuantTensor> {
  let summary = "rounds to nearest, halves to even";
}
def StableHLO_ClzOp : StableHLO_UnaryOp<"count_leading_zeros",
    StableHLO_IntTensor> {
  let summary = "number of leading zero bits";
}
def StableHLO_PopulationCountOp : StableHLO_UnaryOp<"popcnt",
    StableHLO_IntTensor> {
  let summary = "number of set bits";
}
def StableHLO_NotOp : StableHLO_UnaryOp<"not",
    StableHLO_PredOrIntTensor> {
  let summary = "bitwise complement";
}
def StableHLO_NegOp : StableHLO_UnaryOp<"negate",
    StableHLO_NumberTensor> {
  let summary = "additive inverse";
}
def StableHLO_SignOp : StableHLO_UnaryOp<"sign",
    StableHLO_NumberTensor> {
  let summary = "-1, 0 or 1; of a complex number, x / |x|";
}
def StableHLO_RealOp : StableHLO_UnaryOp<"real",
    StableHLO_FloatOrComplexTensor> {
  let summary = "real part";
}
def StableHLO_ImagOp : StableHLO_UnaryOp<"imag",
    StableHLO_FloatOrComplexTensor> {
  let summary = "imaginary part";
}
def StableHLO_IsFiniteOp : StableHLO_UnaryOp<"is_finite",
    StableHLO_FloatOrQuantTensor> {
  let summary = "whether neither infinite nor NaN";
  let assemblyFormat = [{
    $operand attr-dict `:` functional-type(operands, results)
  }];
}
def StableHLO_CbrtOp : StableHLO_AccurateUnaryOp<"cbrt",
    StableHLO_MathTensor> {
  let summary = "cube root";
}
def StableHLO_CosineOp : StableHLO_AccurateUnaryOp<"cosine",
    StableHLO_MathTensor> {
  let summary = "cosine";
}
def StableHLO_ExpOp : StableHLO_AccurateUnaryOp<"exponential",
    StableHLO_MathTensor> {
  let summary = "e to the power of x";
}
def StableHLO_Expm1Op : StableHLO_AccurateUnaryOp<"exponential_minus_one",
    StableHLO_MathTensor> {
  let summary = "exp(x) - 1";
}
def StableHLO_LogOp : StableHLO_AccurateUnaryOp<"log",
    StableHLO_MathTensor> {
  let summary = "natural logarithm";
}
def StableHLO_Log1pOp : StableHLO_AccurateUnaryOp<"log_plus_one",
    StableHLO_MathTensor> {
  let summary = "log(1 + x)";
}
def StableHLO_LogisticOp : StableHLO_AccurateUnaryOp<"logistic",
    StableHLO_MathTensor> {
  let summary = "1 / (1 + exp(-x))";
}
def StableHLO_RsqrtOp : StableHLO_AccurateUnaryOp<"rsqrt",
    StableHLO_MathTensor> {
  let summary = "1 / sqrt(x)";
}
def StableHLO_SineOp : StableHLO_AccurateUnaryOp<"sine",
    StableHLO_MathTensor> {
  let summary = "sine";
}
def StableHLO_SqrtOp : StableHLO_AccurateUnaryOp<"sqrt",
    StableHLO_MathTensor> {
  let summary = "square root";
}
def StableHLO_TanOp : StableHLO_AccurateUnaryOp<"tan",
    StableHLO_MathTensor> {
  let summary = "tangent";
}
def StableHLO_TanhOp : StableHLO_AccurateUnaryOp<"tanh",
    StableHLO_MathTensor> {
  let summary = "hyperbolic tangent";
}

// The result's element type is the caller's choice.
def StableHLO_ConvertOp
    : StableHLO_UnaryOp<"convert", StableHLO_Tensor, []> {
  let summary = "converts each element to another type";
  let builders = [OpBuilder<(ins "::mlir::Value":$operand,
                                 "::mlir::Type":$elementType)>];
  let hasFolder = 1;
}

def StableHLO_ReducePrecisionOp : StableHLO_UnaryOp<"reduce_precision",
    StableHLO_FloatOrQuantTensor> {
  let summary = "rounds to a float format of fewer bits and back";
  let arguments = (ins StableHLO_FloatOrQuantTensor:$operand,
      I32Attr:$exponent_bits, I32Attr:$mantissa_bits);
  let assemblyFormat = [{
    $operand `,` `format` `=`
      custom<FloatFormat>($exponent_bits, $mantissa_bits) attr-dict
      `:` custom<SameTypes>(type($operand), type($result))
  }];
  let hasVerifier = 1;
}

def StableHLO_UniformQuantizeOp
    : StableHLO_UnaryOp<"uniform_quantize", StableHLO_Tensor, []> {
  let summary = "float or quantized to quantized";
  let hasVerifier = 1;
}

def StableHLO_UniformDequantizeOp
    : StableHLO_UnaryOp<"uniform_dequantize", StableHLO_TensorOf<[
        StableHLO_Quant]>> {
  let summary = "quantized to its expressed float type";
}

// Bits regrouped: the last dimension appears or disappears when widths differ.
def StableHLO_BitcastConvertOp : StableHLO_Op<"bitcast_convert", [Pure]> {
  let summary = "the same bits as elements of another type";
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===-- Two operands ------------------------------------------------------===//

class StableHLO_BinaryOp<string mnemonic, Type operandType,
                         list<Trait> traits = []>
    : StableHLO_Op<mnemonic, !listconcat([Pure, Elementwise,
        SameOperandsAndResultShape, StableHLO_InferType], traits)> {
  let arguments = (ins operandType:$lhs, operandType:$rhs);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict
      `:` custom<SameTypes>(type($lhs), type($rhs), type($result))
  }];
}

def StableHLO_AddOp : StableHLO_BinaryOp<"add",
    StableHLO_Tensor, [Commutative]> {
  let summary = "sum; of booleans, or";
}
def StableHLO_SubtractOp : StableHLO_BinaryOp<"subtract",
    StableHLO_NumberTensor> {
  let summary = "difference";
}
def StableHLO_MulOp : StableHLO_BinaryOp<"multiply",
    StableHLO_Tensor, [Commutative]> {
  let summary = "product; of booleans, and";
}
def StableHLO_DivOp : StableHLO_BinaryOp<"divide",
    StableHLO_NumberTensor> {
  let summary = "quotient; of integers, rounded towards zero";
}
def StableHLO_RemOp : StableHLO_BinaryOp<"remainder",
    StableHLO_NumberTensor> {
  let summary = "remainder with the sign of the dividend";
}
def StableHLO_MaxOp : StableHLO_BinaryOp<"maximum",
    StableHLO_Tensor, [Commutative]> {
  let summary = "larger value; NaN wins";
}
def StableHLO_MinOp : StableHLO_BinaryOp<"minimum",
    StableHLO_Tensor, [Commutative]> {
  let summary = "smaller value; NaN wins";
}
def StableHLO_PowOp : StableHLO_BinaryOp<"power",
    StableHLO_NumberTensor> {
  let summary = "lhs to the power of rhs";
}
def StableHLO_Atan2Op : StableHLO_BinaryOp<"atan2",
    StableHLO_MathTensor> {
  let summary = "angle of the point (rhs, lhs)";
}
def StableHLO_AndOp : StableHLO_BinaryOp<"and",
    StableHLO_PredOrIntTensor, [Commutative]> {
  let summary = "bitwise and";
}
def StableHLO_OrOp : StableHLO_BinaryOp<"or",
    StableHLO_PredOrIntTensor, [Commutative]> {
  let summary = "bitwise or";
}
def StableHLO_XorOp : StableHLO_BinaryOp<"xor",
    StableHLO_PredOrIntTensor, [Commutative]> {
  let summary = "bitwise exclusive or";
}
def StableHLO_ShiftLeftOp : StableHLO_BinaryOp<"shift_left",
    StableHLO_IntTensor> {
  let summary = "shift; zero when the distance reaches the width";
}
def StableHLO_ShiftRightArithmeticOp : StableHLO_BinaryOp<"shift_right_arithmetic",
    StableHLO_IntTensor> {
  let summary = "shift that keeps the sign";
}
def StableHLO_ShiftRightLogicalOp : StableHLO_BinaryOp<"shift_right_logical",
    StableHLO_IntTensor> {
  let summary = "shift that fills with zeros";
}

def StableHLO_ComplexOp : StableHLO_Op<"complex", [Pure, Elementwise,
    SameOperandsAndResultShape, StableHLO_InferType]> {
  let summary = "complex numbers from real and imaginary parts";
  let arguments = (ins StableHLO_FloatTensor:$lhs, StableHLO_FloatTensor:$rhs);
  let results = (outs StableHLO_TensorOf<[StableHLO_Complex]>:$result);
  let assemblyFormat = [{
    operands attr-dict
      `:` custom<ComplexTypes>(type($lhs), type($rhs), type($result))
  }];
}

def StableHLO_CompareOp : StableHLO_Op<"compare", [Pure, Elementwise,
    SameOperandsAndResultShape, StableHLO_InferType]> {
  let summary = "elementwise comparison";
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs,
      StableHLO_ComparisonDirectionAttr:$comparison_direction,
      OptionalAttr<StableHLO_ComparisonTypeAttr>:$compare_type);
  let results = (outs StableHLO_PredTensor:$result);
  // The comparison type is the usual one of the element type.
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                                 "ComparisonDirection":$direction)>];
  let extraClassDeclaration = [{
    /// The comparison type, stated or implied by the element type.
    ComparisonType getEffectiveType();
  }];
  let assemblyFormat = [{
    custom<Keyword>($comparison_direction) `,` $lhs `,` $rhs ``
      custom<OptionalKeyword>($compare_type) attr-dict `:` functional-type(operands, results)
  }];
}

//===-- Three operands ----------------------------------------------------===//

def StableHLO_ClampOp : StableHLO_Op<"clamp", [Pure, StableHLO_InferType]> {
  let summary = "operand limited to [min, max]; limits may be scalars";
  let arguments = (ins StableHLO_Tensor:$min, StableHLO_Tensor:$operand,
      StableHLO_Tensor:$max);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $min `,` $operand `,` $max attr-dict
      `:` custom<SameTypes>(type($min), type($operand), type($max),
                            type($result))
  }];
}

def StableHLO_SelectOp : StableHLO_Op<"select", [Pure, StableHLO_InferType]> {
  let summary = "on_true where pred holds, else on_false; pred may be scalar";
  let arguments = (ins StableHLO_PredTensor:$pred, StableHLO_Tensor:$on_true,
      StableHLO_Tensor:$on_false);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict
      `:` custom<SelectTypes>(type($pred), type($on_true), type($on_false),
                              type($result))
  }];
}

//===-- No operand --------------------------------------------------------===//

def StableHLO_ConstantOp : StableHLO_Op<"constant", [Pure, ConstantLike,
    InferTypeOpAdaptorWithIsCompatible, DeclareOpInterfaceMethods<OpAsmOpInterface,
        ["getAsmResultNames"]>]> {
  let summary = "a tensor known at compile time";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs StableHLO_Tensor:$output);
  let builders = [OpBuilder<(ins "::mlir::Attribute":$value)>];
  let hasFolder = 1;
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_IotaOp : StableHLO_Op<"iota", [Pure]> {
  let summary = "each element is its index along one dimension";
  let arguments = (ins I64Attr:$iota_dimension);
  let results = (outs StableHLO_NumberTensor:$output);
  let assemblyFormat = [{
    `dim` `=` $iota_dimension attr-dict `:` type($output)
  }];
  let hasVerifier = 1;
}

#endif // FERRULE_STABLEHLO_OPS_ELEMENTWISE
