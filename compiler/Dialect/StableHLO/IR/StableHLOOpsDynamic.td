// Operations whose parameters are operands: their result's shape is a value.
#ifndef FERRULE_STABLEHLO_OPS_DYNAMIC
#define FERRULE_STABLEHLO_OPS_DYNAMIC

include "StableHLOAttrs.td"

def StableHLO_DynamicIotaOp : StableHLO_Op<"dynamic_iota", [Pure]> {
  let summary = "iota of a run-time shape";
  let arguments = (ins StableHLO_SizesTensor:$output_shape,
      I64Attr:$iota_dimension);
  let results = (outs StableHLO_NumberTensor:$result);
  let assemblyFormat = [{
    $output_shape `,` `dim` `=` $iota_dimension attr-dict
      `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_DynamicReshapeOp : StableHLO_Op<"dynamic_reshape", [Pure]> {
  let summary = "reshape to a run-time shape";
  let arguments = (ins StableHLO_Tensor:$operand,
      StableHLO_SizesTensor:$output_shape);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_DynamicBroadcastInDimOp
    : StableHLO_Op<"dynamic_broadcast_in_dim", [Pure]> {
  let summary = "broadcast_in_dim to a run-time shape";
  let arguments = (ins StableHLO_Tensor:$operand,
      StableHLO_SizesTensor:$output_dimensions,
      DenseI64ArrayAttr:$broadcast_dimensions,
      OptionalAttr<DenseI64ArrayAttr>:$known_expanding_dimensions,
      OptionalAttr<DenseI64ArrayAttr>:$known_nonexpanding_dimensions);
  let results = (outs StableHLO_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$type,
      "::mlir::Value":$operand, "::mlir::Value":$outputDimensions,
      "::llvm::ArrayRef<int64_t>":$broadcastDimensions)>];
  let assemblyFormat = [{
    $operand `,` $output_dimensions `,` `dims` `=` $broadcast_dimensions
      attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_DynamicPadOp : StableHLO_Op<"dynamic_pad", [Pure]> {
  let summary = "pad by run-time amounts";
  let arguments = (ins StableHLO_Tensor:$operand,
      StableHLO_Tensor:$padding_value, StableHLO_SizesTensor:$edge_padding_low,
      StableHLO_SizesTensor:$edge_padding_high,
      StableHLO_SizesTensor:$interior_padding);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_RealDynamicSliceOp
    : StableHLO_Op<"real_dynamic_slice", [Pure]> {
  let summary = "slice with run-time bounds and strides (legacy)";
  let arguments = (ins StableHLO_Tensor:$operand,
      StableHLO_SizesTensor:$start_indices,
      StableHLO_SizesTensor:$limit_indices, StableHLO_SizesTensor:$strides);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_DynamicGatherOp : StableHLO_Op<"dynamic_gather", [Pure]> {
  let summary = "gather with run-time slice sizes";
  let arguments = (ins StableHLO_Tensor:$operand,
      StableHLO_IndexTensor:$start_indices, StableHLO_SizesTensor:$slice_sizes,
      StableHLO_GatherDimensionNumbers:$dimension_numbers,
      DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
}

def StableHLO_DynamicConvOp : StableHLO_Op<"dynamic_conv", [Pure]> {
  let summary = "convolution with run-time padding";
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs,
      StableHLO_IndexTensor:$padding,
      OptionalAttr<DenseI64ArrayAttr>:$window_strides,
      OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
      OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
      OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
      StableHLO_ConvDimensionNumbers:$dimension_numbers,
      I64Attr:$feature_group_count, I64Attr:$batch_group_count,
      OptionalAttr<StableHLO_PrecisionConfig>:$precision_config);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
}

#endif // FERRULE_STABLEHLO_OPS_DYNAMIC
