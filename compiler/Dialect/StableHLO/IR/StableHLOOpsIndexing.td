// Reading and writing at computed indices.
#ifndef FERRULE_STABLEHLO_OPS_INDEXING
#define FERRULE_STABLEHLO_OPS_INDEXING

include "StableHLOAttrs.td"

def StableHLO_GatherOp : StableHLO_Op<"gather", [Pure, StableHLO_InferType]> {
  let summary = "slices of the operand at indices, moved inside";
  let arguments = (ins StableHLO_Tensor:$operand,
      StableHLO_IndexTensor:$start_indices,
      StableHLO_GatherDimensionNumbers:$dimension_numbers,
      DenseI64ArrayAttr:$slice_sizes,
      DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs StableHLO_Tensor:$result);
}

// Inputs and updates are equally many; indices stand between them.
def StableHLO_ScatterOp : StableHLO_Op<"scatter", [RecursiveMemoryEffects,
    SameVariadicOperandSize, StableHLO_InferType, StableHLO_Body]> {
  let summary = "combines updates into the inputs at indices";
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs,
      StableHLO_IndexTensor:$scatter_indices,
      Variadic<StableHLO_Tensor>:$updates,
      StableHLO_ScatterDimensionNumbers:$scatter_dimension_numbers,
      DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
      DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices);
  let results = (outs Variadic<StableHLO_Tensor>);
  let regions = (region SizedRegion<1>:$update_computation);
  // The body's arguments: the present values, then the updates.
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$inputs,
      "::mlir::Value":$scatterIndices, "::mlir::ValueRange":$updates,
      "ScatterDimensionNumbersAttr":$dims, "bool":$indicesAreSorted,
      "bool":$uniqueIndices, "::ferrule::stablehlo::BodyBuilder":$body)>];
  let hasRegionVerifier = 1;
}

def StableHLO_TorchIndexSelectOp : StableHLO_Op<"torch_index_select", [Pure]> {
  let summary = "entries along a dimension by index (legacy)";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$index,
      I64Attr:$dim, I64Attr:$batch_dims);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
}

#endif // FERRULE_STABLEHLO_OPS_INDEXING
