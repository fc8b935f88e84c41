// Operations whose body combines elements.
#ifndef FERRULE_STABLEHLO_OPS_REDUCTION
#define FERRULE_STABLEHLO_OPS_REDUCTION

include "StableHLOAttrs.td"

// Called with the block's arguments (scalars); ends the block with
// stablehlo.return itself.
defvar BodyBuilder = "::ferrule::stablehlo::BodyBuilder";

def StableHLO_ReduceOp : StableHLO_Op<"reduce", [RecursiveMemoryEffects,
    SameVariadicOperandSize, StableHLO_InferType, StableHLO_Body]> {
  let summary = "combines the elements along dimensions";
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs,
      Variadic<StableHLO_Tensor>:$init_values, DenseI64ArrayAttr:$dimensions);
  let results = (outs Variadic<StableHLO_Tensor>);
  let regions = (region SizedRegion<1>:$body);
  // The body's arguments: all left values, then all right ones.
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$inputs,
      "::mlir::ValueRange":$initValues,
      "::llvm::ArrayRef<int64_t>":$dimensions, BodyBuilder:$body)>];
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def StableHLO_ReduceWindowOp : StableHLO_Op<"reduce_window", [
    RecursiveMemoryEffects, SameVariadicOperandSize, StableHLO_InferType,
    StableHLO_Body]> {
  let summary = "combines the elements of each window";
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs,
      Variadic<StableHLO_Tensor>:$init_values,
      DenseI64ArrayAttr:$window_dimensions,
      OptionalAttr<DenseI64ArrayAttr>:$window_strides,
      OptionalAttr<DenseI64ArrayAttr>:$base_dilations,
      OptionalAttr<DenseI64ArrayAttr>:$window_dilations,
      OptionalAttr<I64ElementsAttr>:$padding);
  let results = (outs Variadic<StableHLO_Tensor>);
  let regions = (region SizedRegion<1>:$body);
  // Empty lists stand for ones (strides, dilations) and zeros (padding,
  // low and high of each dimension in turn).
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$inputs,
      "::mlir::ValueRange":$initValues,
      "::llvm::ArrayRef<int64_t>":$windowDimensions,
      "::llvm::ArrayRef<int64_t>":$windowStrides,
      "::llvm::ArrayRef<int64_t>":$baseDilations,
      "::llvm::ArrayRef<int64_t>":$windowDilations,
      "::llvm::ArrayRef<int64_t>":$padding, BodyBuilder:$body)>];
  let extraClassDeclaration = [{
    /// The windows' parameters with defaults filled in, one per dimension.
    ::llvm::SmallVector<WindowDimension> getWindow();
  }];
  let hasRegionVerifier = 1;
}

def StableHLO_SelectAndScatterOp : StableHLO_Op<"select_and_scatter", [
    RecursiveMemoryEffects, StableHLO_InferType, StableHLO_Body]> {
  let summary = "adds each source element where its window's choice lies";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$source,
      StableHLO_Tensor:$init_value,
      OptionalAttr<DenseI64ArrayAttr>:$window_dimensions,
      OptionalAttr<DenseI64ArrayAttr>:$window_strides,
      OptionalAttr<I64ElementsAttr>:$padding);
  let results = (outs StableHLO_Tensor:$result);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
  let hasRegionVerifier = 1;
}

def StableHLO_MapOp : StableHLO_Op<"map", [RecursiveMemoryEffects,
    SameOperandsAndResultShape, StableHLO_Body]> {
  let summary = "applies the body to each element";
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs,
      DenseI64ArrayAttr:$dimensions);
  let results = (outs StableHLO_Tensor:$result);
  let regions = (region SizedRegion<1>:$computation);
  let hasRegionVerifier = 1;
}

def StableHLO_SortOp : StableHLO_Op<"sort", [RecursiveMemoryEffects,
    StableHLO_InferType, StableHLO_Body]> {
  let summary = "sorts slices along a dimension, all inputs together";
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs,
      DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
      DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable);
  let results = (outs Variadic<StableHLO_Tensor>);
  let regions = (region SizedRegion<1>:$comparator);
  // The comparator's arguments: left and right element of each input in turn.
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$inputs,
      "int64_t":$dimension, "bool":$isStable, BodyBuilder:$comparator)>];
  let hasRegionVerifier = 1;
}

def StableHLO_ReturnOp : StableHLO_Op<"return", [Pure, Terminator]> {
  let summary = "ends a region";
  let arguments = (ins Variadic<StableHLO_Value>:$results);
  let builders = [OpBuilder<(ins), [{ }]>];
  let assemblyFormat = [{
    $results attr-dict (`:` type($results)^)?
  }];
}

#endif // FERRULE_STABLEHLO_OPS_REDUCTION
