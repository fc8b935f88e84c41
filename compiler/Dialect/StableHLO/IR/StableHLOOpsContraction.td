// Products of tensors: dot, dot_general, convolution, einsum.
#ifndef FERRULE_STABLEHLO_OPS_CONTRACTION
#define FERRULE_STABLEHLO_OPS_CONTRACTION

include "StableHLOAttrs.td"

def StableHLO_DotOp : StableHLO_Op<"dot", [Pure]> {
  let summary = "vector and matrix product (legacy)";
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs,
      OptionalAttr<StableHLO_PrecisionConfig>:$precision_config);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `` custom<Precision>($precision_config) attr-dict
      `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

// Result dimensions: batching, then free of lhs, then free of rhs.
def StableHLO_DotGeneralOp : StableHLO_Op<"dot_general", [Pure]> {
  let summary = "product summed over contracting dimensions, per batch";
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs,
      StableHLO_DotDimensionNumbers:$dot_dimension_numbers,
      OptionalAttr<StableHLO_PrecisionConfig>:$precision_config,
      OptionalAttr<StableHLO_DotAlgorithm>:$algorithm);
  let results = (outs StableHLO_Tensor:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$lhs,
        "::mlir::Value":$rhs, "DotDimensionNumbersAttr":$dims)>,
    // The result has this element type, or that of lhs when none is given.
    OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
        "DotDimensionNumbersAttr":$dims,
        CArg<"::mlir::Type", "{}">:$elementType)>];
  let assemblyFormat = [{
    $lhs `,` $rhs `,` custom<DotDims>($dot_dimension_numbers)
      `` custom<DotOptions>($precision_config, $algorithm) attr-dict
      `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_ConvolutionOp : StableHLO_Op<"convolution", [Pure]> {
  let summary = "windowed product of an input with a kernel";
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs,
      OptionalAttr<DenseI64ArrayAttr>:$window_strides,
      OptionalAttr<I64ElementsAttr>:$padding,
      OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
      OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
      OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
      StableHLO_ConvDimensionNumbers:$dimension_numbers,
      I64Attr:$feature_group_count, I64Attr:$batch_group_count,
      OptionalAttr<StableHLO_PrecisionConfig>:$precision_config);
  let results = (outs StableHLO_Tensor:$result);
  // Empty lists stand for ones (strides, dilations) and zeros (padding,
  // low and high of each spatial dimension in turn).
  let builders = [
    OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
        "ConvDimensionNumbersAttr":$dims,
        "::llvm::ArrayRef<int64_t>":$strides,
        "::llvm::ArrayRef<int64_t>":$padding,
        CArg<"::llvm::ArrayRef<int64_t>", "{}">:$lhsDilation,
        CArg<"::llvm::ArrayRef<int64_t>", "{}">:$rhsDilation,
        CArg<"int64_t", "1">:$featureGroupCount,
        CArg<"int64_t", "1">:$batchGroupCount,
        CArg<"::mlir::Type", "{}">:$elementType)>];
  let extraClassDeclaration = [{
    int64_t getSpatialRank() {
      return getDimensionNumbers().getInputSpatialDimensions().size();
    }
    /// The windows' parameters with defaults filled in, one per spatial
    /// dimension.
    ::llvm::SmallVector<WindowDimension> getWindow();
  }];
  let assemblyFormat = [{
    `(` operands `)` `dim_numbers` `=` custom<ConvDims>($dimension_numbers)
      `,` `window` `=` custom<Window>($window_strides, $padding,
          $lhs_dilation, $rhs_dilation, $window_reversal)
      attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_EinsumOp : StableHLO_Op<"einsum", [Pure]> {
  let summary = "Einstein summation of two tensors (legacy)";
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs,
      StrAttr:$einsum_config);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` `config` `=` $einsum_config attr-dict
      `:` functional-type(operands, results)
  }];
}

def StableHLO_UnaryEinsumOp : StableHLO_Op<"unary_einsum", [Pure]> {
  let summary = "Einstein summation of one tensor (legacy)";
  let arguments = (ins StableHLO_Tensor:$operand, StrAttr:$einsum_config);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `config` `=` $einsum_config attr-dict
      `:` functional-type(operands, results)
  }];
}

#endif // FERRULE_STABLEHLO_OPS_CONTRACTION
