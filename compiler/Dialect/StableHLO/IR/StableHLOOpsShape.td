// Operations that move elements without computing on them; static parameters.
#ifndef FERRULE_STABLEHLO_OPS_SHAPE
#define FERRULE_STABLEHLO_OPS_SHAPE

include "StableHLOAttrs.td"

def StableHLO_ReshapeOp : StableHLO_Op<"reshape", [Pure]> {
  let summary = "the same elements in row-major order under another shape";
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$operand,
                                 "::llvm::ArrayRef<int64_t>":$shape)>];
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_TransposeOp
    : StableHLO_Op<"transpose", [Pure, StableHLO_InferType]> {
  let summary = "result dimension i is operand dimension permutation[i]";
  let arguments = (ins StableHLO_Tensor:$operand,
      DenseI64ArrayAttr:$permutation);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $permutation attr-dict
      `:` functional-type(operands, results)
  }];
}

def StableHLO_ReverseOp : StableHLO_Op<"reverse", [Pure, StableHLO_InferType]> {
  let summary = "reverses the order along dimensions";
  let arguments = (ins StableHLO_Tensor:$operand,
      DenseI64ArrayAttr:$dimensions);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $dimensions attr-dict
      `:` custom<SameTypes>(type($operand), type($result))
  }];
}

def StableHLO_BroadcastOp
    : StableHLO_Op<"broadcast", [Pure, StableHLO_InferType]> {
  let summary = "adds leading dimensions (legacy)";
  let arguments = (ins StableHLO_Tensor:$operand,
      DenseI64ArrayAttr:$broadcast_sizes);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `sizes` `=` $broadcast_sizes attr-dict
      `:` functional-type(operands, results)
  }];
}

def StableHLO_BroadcastInDimOp : StableHLO_Op<"broadcast_in_dim", [Pure]> {
  let summary = "operand dimension i becomes result dimension dims[i]";
  let arguments = (ins StableHLO_Tensor:$operand,
      DenseI64ArrayAttr:$broadcast_dimensions);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $broadcast_dimensions attr-dict
      `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_SliceOp : StableHLO_Op<"slice", [Pure, StableHLO_InferType]> {
  let summary = "a strided box of the operand";
  let arguments = (ins StableHLO_Tensor:$operand,
      DenseI64ArrayAttr:$start_indices, DenseI64ArrayAttr:$limit_indices,
      DenseI64ArrayAttr:$strides);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand custom<SliceRanges>($start_indices, $limit_indices, $strides)
      attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_DynamicSliceOp
    : StableHLO_Op<"dynamic_slice", [Pure, StableHLO_InferType]> {
  let summary = "a box of static size at run-time indices, moved inside";
  let arguments = (ins StableHLO_Tensor:$operand,
      Variadic<StableHLO_ScalarInt>:$start_indices,
      DenseI64ArrayAttr:$slice_sizes);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` custom<OperandsWithComma>($start_indices)
      `sizes` `=` $slice_sizes attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_DynamicUpdateSliceOp
    : StableHLO_Op<"dynamic_update_slice", [Pure, StableHLO_InferType]> {
  let summary = "the operand with a box replaced at run-time indices";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$update,
      Variadic<StableHLO_ScalarInt>:$start_indices);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_ConcatenateOp
    : StableHLO_Op<"concatenate", [Pure, StableHLO_InferType]> {
  let summary = "operands one after another along a dimension";
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs, I64Attr:$dimension);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    custom<OperandsWithComma>($inputs) `dim` `=` $dimension attr-dict
      `:` functional-type(operands, results)
  }];
}

def StableHLO_PadOp : StableHLO_Op<"pad", [Pure, StableHLO_InferType]> {
  let summary = "padding at the edges (negative: cut) and between elements";
  let arguments = (ins StableHLO_Tensor:$operand,
      StableHLO_Tensor:$padding_value, DenseI64ArrayAttr:$edge_padding_low,
      DenseI64ArrayAttr:$edge_padding_high,
      DenseI64ArrayAttr:$interior_padding);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $padding_value `,` `low` `=` $edge_padding_low `,`
      `high` `=` $edge_padding_high `,` `interior` `=` $interior_padding
      attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_GetDimensionSizeOp
    : StableHLO_Op<"get_dimension_size", [Pure, StableHLO_InferType]> {
  let summary = "the size of a dimension as tensor<i32>";
  let arguments = (ins StableHLO_Tensor:$operand, I64Attr:$dimension);
  let results = (outs StableHLO_TensorOf<[StableHLO_Int]>:$result);
  let assemblyFormat = [{
    $operand `,` `dim` `=` $dimension attr-dict
      `:` functional-type(operands, results)
  }];
}

def StableHLO_SetDimensionSizeOp
    : StableHLO_Op<"set_dimension_size", [Pure, StableHLO_InferType]> {
  let summary = "the operand cut to a run-time size along a dimension";
  let arguments = (ins StableHLO_Tensor:$operand,
      0DTensorOf<[StableHLO_SInt]>:$size, I64Attr:$dimension);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $size `,` `dim` `=` $dimension attr-dict
      `:` functional-type(operands, results)
  }];
}

def StableHLO_TupleOp : StableHLO_Op<"tuple", [Pure, StableHLO_InferType]> {
  let summary = "several values as one";
  let arguments = (ins Variadic<StableHLO_Value>:$val);
  let results = (outs StableHLO_Tuple:$result);
  let assemblyFormat = [{
    $val attr-dict `:` custom<TupleTypes>(type($val), type($result))
  }];
}

def StableHLO_GetTupleElementOp
    : StableHLO_Op<"get_tuple_element", [Pure, StableHLO_InferType]> {
  let summary = "one value of a tuple";
  let arguments = (ins StableHLO_Tuple:$operand, I32Attr:$index);
  let results = (outs StableHLO_Value:$result);
  let assemblyFormat = [{
    $operand `[` $index `]` attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_OptimizationBarrierOp
    : StableHLO_Op<"optimization_barrier", [Pure, StableHLO_InferType]> {
  let summary = "values that no optimisation may look through";
  let arguments = (ins Variadic<StableHLO_TensorOrToken>:$operand);
  let results = (outs Variadic<StableHLO_TensorOrToken>:$result);
  let assemblyFormat = [{
    attr-dict ($operand^ `:` custom<PairwiseTypes>(type($operand),
      type($result))) : (`(` `)`)?
  }];
}

#endif // FERRULE_STABLEHLO_OPS_SHAPE
