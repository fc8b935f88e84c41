// Struct attributes.
#ifndef FERRULE_STABLEHLO_ATTRS
#define FERRULE_STABLEHLO_ATTRS

include "StableHLOEnums.td"

class StableHLO_Attr<string name, string keyword, list<Trait> traits = []>
    : AttrDef<StableHLO_Dialect, name, traits> {
  let mnemonic = keyword;
}
class StableHLO_Dims<string what = ""> : ArrayRefParameter<"int64_t", what>;

def StableHLO_GatherDimensionNumbers
    : StableHLO_Attr<"GatherDimensionNumbers", "gather"> {
  let summary = "which dimensions of a gather mean what";
  let parameters = (ins StableHLO_Dims<>:$offsetDims,
      StableHLO_Dims<>:$collapsedSliceDims,
      StableHLO_Dims<>:$operandBatchingDims,
      StableHLO_Dims<>:$startIndicesBatchingDims,
      StableHLO_Dims<>:$startIndexMap, "int64_t":$indexVectorDim);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_ScatterDimensionNumbers
    : StableHLO_Attr<"ScatterDimensionNumbers", "scatter"> {
  let summary = "which dimensions of a scatter mean what";
  let parameters = (ins StableHLO_Dims<>:$updateWindowDims,
      StableHLO_Dims<>:$insertedWindowDims,
      StableHLO_Dims<>:$inputBatchingDims,
      StableHLO_Dims<>:$scatterIndicesBatchingDims,
      StableHLO_Dims<>:$scatterDimsToOperandDims, "int64_t":$indexVectorDim);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_DotDimensionNumbers
    : StableHLO_Attr<"DotDimensionNumbers", "dot"> {
  let summary = "batching and contracting dimensions of a dot_general";
  let parameters = (ins StableHLO_Dims<>:$lhsBatchingDimensions,
      StableHLO_Dims<>:$rhsBatchingDimensions,
      StableHLO_Dims<>:$lhsContractingDimensions,
      StableHLO_Dims<>:$rhsContractingDimensions);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_DotAlgorithm : StableHLO_Attr<"DotAlgorithm", "dot_algorithm"> {
  let summary = "numeric recipe of a dot_general";
  let parameters = (ins "::mlir::Type":$lhsPrecisionType,
      "::mlir::Type":$rhsPrecisionType, "::mlir::Type":$accumulationType,
      "int64_t":$lhsComponentCount, "int64_t":$rhsComponentCount,
      "int64_t":$numPrimitiveOperations,
      "bool":$allowImpreciseAccumulation);
  let assemblyFormat = [{ `<`
      `lhs_precision_type` `=` $lhsPrecisionType
      `,` `rhs_precision_type` `=` $rhsPrecisionType
      `,` `accumulation_type` `=` $accumulationType
      `,` `lhs_component_count` `=` $lhsComponentCount
      `,` `rhs_component_count` `=` $rhsComponentCount
      `,` `num_primitive_operations` `=` $numPrimitiveOperations
      `,` `allow_imprecise_accumulation` `=` $allowImpreciseAccumulation
      `>` }];
}

def StableHLO_ConvDimensionNumbers
    : StableHLO_Attr<"ConvDimensionNumbers", "conv"> {
  let summary = "layouts of a convolution's input, kernel and output";
  let parameters = (ins "int64_t":$inputBatchDimension,
      "int64_t":$inputFeatureDimension,
      StableHLO_Dims<>:$inputSpatialDimensions,
      "int64_t":$kernelInputFeatureDimension,
      "int64_t":$kernelOutputFeatureDimension,
      StableHLO_Dims<>:$kernelSpatialDimensions,
      "int64_t":$outputBatchDimension, "int64_t":$outputFeatureDimension,
      StableHLO_Dims<>:$outputSpatialDimensions);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_ChannelHandle
    : StableHLO_Attr<"ChannelHandle", "channel_handle"> {
  let summary = "identity and kind of a communication channel";
  let parameters = (ins "int64_t":$handle, "int64_t":$type);
  let assemblyFormat = "`<` struct(params) `>`";
}

def StableHLO_OutputOperandAlias
    : StableHLO_Attr<"OutputOperandAlias", "output_operand_alias"> {
  let summary = "a result of a custom call that lives in an operand's buffer";
  let parameters = (ins StableHLO_Dims<>:$outputTupleIndices,
      "int64_t":$operandIndex, StableHLO_Dims<>:$operandTupleIndices);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_TypeExtensions
    : StableHLO_Attr<"TypeExtensions", "type_extensions", [
        DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "upper bounds of dynamic dimensions, as a tensor's encoding";
  let parameters = (ins StableHLO_Dims<>:$bounds);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_ResultAccuracy
    : StableHLO_Attr<"ResultAccuracy", "result_accuracy"> {
  let summary = "how exact an elementary function must be";
  let parameters = (ins "::llvm::APFloat":$atol, "::llvm::APFloat":$rtol,
      "int64_t":$ulps, "::ferrule::stablehlo::ResultAccuracyModeAttr":$mode);
  let hasCustomAssemblyFormat = 1;
}

//===-- Replica groups as axes of a mesh ----------------------------------===//

def StableHLO_SubAxisInfo : StableHLO_Attr<"SubAxisInfo", "sub_axis_info"> {
  let summary = "a part of a mesh axis: (size of the axes before it)size";
  let parameters = (ins "int64_t":$preSize, "int64_t":$size);
  let assemblyFormat = "`(` $preSize `)` `` $size";
}

def StableHLO_AxisRef : StableHLO_Attr<"AxisRef", "axis_ref"> {
  let summary = "a mesh axis or a part of it";
  let parameters = (ins "::mlir::StringAttr":$name,
      OptionalParameter<"::ferrule::stablehlo::SubAxisInfoAttr">:$subAxisInfo);
  let assemblyFormat = [{ `<` `name` `=` $name
      (`,` `sub_axis_info` `=` $subAxisInfo^)? `>` }];
}

def StableHLO_MeshAxis : StableHLO_Attr<"MeshAxis", "mesh_axis"> {
  let summary = "name and size of a mesh axis";
  let parameters = (ins "::mlir::StringAttr":$name, "int64_t":$size);
  let assemblyFormat = "`<` `name` `=` $name `,` `size` `=` $size `>`";
}

def StableHLO_Mesh : StableHLO_Attr<"Mesh", "mesh"> {
  let summary = "a grid of devices";
  let parameters = (ins "::mlir::ArrayAttr":$axes,
      OptionalParameter<"::mlir::DenseIntElementsAttr">:$deviceIds);
  let assemblyFormat = [{ `<` `axes` `=` $axes
      (`,` `device_ids` `=` $deviceIds^)? `>` }];
}

def StableHLO_ReplicaGroupMeshAxes
    : StableHLO_Attr<"ReplicaGroupMeshAxes", "replica_group_mesh_axes"> {
  let summary = "replica groups given by the axes of a mesh";
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$mesh,
      "::mlir::ArrayAttr":$axes);
  let assemblyFormat = "`<` `mesh` `=` $mesh `,` `axes` `=` $axes `>`";
}

//===-- Constraints -------------------------------------------------------===//

def StableHLO_PrecisionConfig
    : TypedArrayAttrBase<StableHLO_PrecisionAttr, "precision of each operand">;
def StableHLO_ReplicaGroups
    : AnyAttrOf<[I64ElementsAttr, StableHLO_ReplicaGroupMeshAxes]>;
def StableHLO_Layouts : TypedArrayAttrBase<IndexElementsAttr,
    "minor-to-major order of each value">;
def StableHLO_OutputOperandAliases
    : TypedArrayAttrBase<StableHLO_OutputOperandAlias, "output aliases">;

#endif // FERRULE_STABLEHLO_ATTRS
