// Normalisation, linear algebra, transforms and random numbers.
#ifndef FERRULE_STABLEHLO_OPS_NUMERIC
#define FERRULE_STABLEHLO_OPS_NUMERIC

include "StableHLOAttrs.td"

class StableHLO_BatchNormOp<string mnemonic>
    : StableHLO_Op<mnemonic, [Pure, StableHLO_InferType]>;

def StableHLO_BatchNormInferenceOp
    : StableHLO_BatchNormOp<"batch_norm_inference"> {
  let summary = "normalises with given mean and variance";
  let arguments = (ins StableHLO_FloatTensor:$operand,
      StableHLO_FloatTensor:$scale, StableHLO_FloatTensor:$offset,
      StableHLO_FloatTensor:$mean, StableHLO_FloatTensor:$variance,
      F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs StableHLO_FloatTensor:$result);
}

def StableHLO_BatchNormTrainingOp
    : StableHLO_BatchNormOp<"batch_norm_training"> {
  let summary = "normalises with the batch's mean and variance";
  let arguments = (ins StableHLO_FloatTensor:$operand,
      StableHLO_FloatTensor:$scale, StableHLO_FloatTensor:$offset,
      F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs StableHLO_FloatTensor:$output,
      StableHLO_FloatTensor:$batch_mean, StableHLO_FloatTensor:$batch_var);
}

def StableHLO_BatchNormGradOp : StableHLO_BatchNormOp<"batch_norm_grad"> {
  let summary = "gradient of batch_norm_training";
  let arguments = (ins StableHLO_FloatTensor:$operand,
      StableHLO_FloatTensor:$scale, StableHLO_FloatTensor:$mean,
      StableHLO_FloatTensor:$variance, StableHLO_FloatTensor:$grad_output,
      F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs StableHLO_FloatTensor:$grad_operand,
      StableHLO_FloatTensor:$grad_scale, StableHLO_FloatTensor:$grad_offset);
}

def StableHLO_CholeskyOp
    : StableHLO_Op<"cholesky", [Pure, StableHLO_InferType]> {
  let summary = "Cholesky factor of each matrix";
  let arguments = (ins StableHLO_FloatOrComplexTensor:$a,
      DefaultValuedOptionalAttr<BoolAttr, "false">:$lower);
  let results = (outs StableHLO_FloatOrComplexTensor:$result);
  let assemblyFormat = [{
    $a (`,` `lower` `=` $lower^)? attr-dict
      `:` custom<SameTypes>(type($a), type($result))
  }];
}

def StableHLO_TriangularSolveOp
    : StableHLO_Op<"triangular_solve", [Pure, StableHLO_InferType]> {
  let summary = "solves op(a) x = b or x op(a) = b, a triangular";
  let arguments = (ins StableHLO_FloatOrComplexTensor:$a,
      StableHLO_FloatOrComplexTensor:$b, BoolAttr:$left_side, BoolAttr:$lower,
      BoolAttr:$unit_diagonal, StableHLO_TransposeAttr:$transpose_a);
  let results = (outs StableHLO_FloatOrComplexTensor:$result);
}

def StableHLO_FftOp : StableHLO_Op<"fft", [Pure, StableHLO_InferType]> {
  let summary = "discrete Fourier transform of the last dimensions";
  let arguments = (ins StableHLO_FloatOrComplexTensor:$operand,
      StableHLO_FftTypeAttr:$fft_type, DenseI64ArrayAttr:$fft_length);
  let results = (outs StableHLO_FloatOrComplexTensor:$result);
  let assemblyFormat = [{
    $operand `,` `type` `=` custom<Keyword>($fft_type) `,` `length` `=` $fft_length attr-dict
      `:` functional-type(operands, results)
  }];
}

def StableHLO_RngOp : StableHLO_Op<"rng"> {
  let summary = "random numbers of a distribution";
  let arguments = (ins 0DTensorOf<[StableHLO_Pred, StableHLO_Int,
          StableHLO_Float]>:$a,
      0DTensorOf<[StableHLO_Pred, StableHLO_Int, StableHLO_Float]>:$b,
      StableHLO_SizesTensor:$shape,
      StableHLO_RngDistributionAttr:$rng_distribution);
  let results = (outs StableHLO_TensorOf<[StableHLO_Pred, StableHLO_Int,
      StableHLO_Float]>:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $shape `,` `distribution` `=`
      custom<Keyword>($rng_distribution) attr-dict
      `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_RngBitGeneratorOp : StableHLO_Op<"rng_bit_generator", [Pure]> {
  let summary = "random bits from a state, and the next state";
  let arguments = (ins StableHLO_RngAlgorithmAttr:$rng_algorithm,
      StableHLO_TensorOf<[StableHLO_Int, StableHLO_Float]>:$initial_state);
  let results = (outs
      StableHLO_TensorOf<[StableHLO_Int, StableHLO_Float]>:$output_state,
      StableHLO_TensorOf<[StableHLO_Int, StableHLO_Float]>:$output);
  let assemblyFormat = [{
    $initial_state `,` `algorithm` `=`
      custom<Keyword>($rng_algorithm) attr-dict
      `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // FERRULE_STABLEHLO_OPS_NUMERIC
