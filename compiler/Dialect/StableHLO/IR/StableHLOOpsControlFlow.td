// Control flow, calls out of the dialect, and their values.
#ifndef FERRULE_STABLEHLO_OPS_CONTROL_FLOW
#define FERRULE_STABLEHLO_OPS_CONTROL_FLOW

include "StableHLOAttrs.td"

def StableHLO_IfOp : StableHLO_Op<"if", [RecursiveMemoryEffects,
    StableHLO_Body]> {
  let summary = "one of two regions";
  let arguments = (ins 0DTensorOf<[StableHLO_Pred]>:$pred);
  let results = (outs Variadic<StableHLO_Value>);
  let regions = (region SizedRegion<1>:$true_branch,
                        SizedRegion<1>:$false_branch);
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$types,
      "::mlir::Value":$pred, "::ferrule::stablehlo::BranchBuilder":$onTrue,
      "::ferrule::stablehlo::BranchBuilder":$onFalse)>];
  let hasRegionVerifier = 1;
}

def StableHLO_CaseOp : StableHLO_Op<"case", [RecursiveMemoryEffects,
    StableHLO_Body]> {
  let summary = "one of several regions; out of range: the last";
  let arguments = (ins 0DTensorOf<[I32]>:$index);
  let results = (outs Variadic<StableHLO_Value>);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let hasRegionVerifier = 1;
}

def StableHLO_WhileOp : StableHLO_Op<"while", [RecursiveMemoryEffects,
    StableHLO_InferType, StableHLO_Body,
    DeclareOpInterfaceMethods<OpAsmOpInterface,
        ["getAsmBlockArgumentNames"]>]> {
  let summary = "repeats the body while the condition holds";
  let arguments = (ins Variadic<StableHLO_Value>:$operand);
  let results = (outs Variadic<StableHLO_Value>);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$operands,
      "::ferrule::stablehlo::BodyBuilder":$cond,
      "::ferrule::stablehlo::BodyBuilder":$body)>];
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def StableHLO_CustomCallOp : StableHLO_Op<"custom_call", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "an operation that the dialect does not define";
  let arguments = (ins Variadic<StableHLO_Value>:$inputs,
      StrAttr:$call_target_name,
      DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect,
      OptionalAttr<AnyAttrOf<[StrAttr, DictionaryAttr]>>:$backend_config,
      DefaultValuedOptionalAttr<StableHLO_CustomCallApiVersionAttr,
          "CustomCallApiVersion::API_VERSION_ORIGINAL">:$api_version,
      OptionalAttr<FlatSymbolRefArrayAttr>:$called_computations,
      OptionalAttr<StableHLO_Layouts>:$operand_layouts,
      OptionalAttr<StableHLO_Layouts>:$result_layouts,
      OptionalAttr<StableHLO_OutputOperandAliases>:$output_operand_aliases,
      OptionalAttr<ArrayAttr>:$result_tilings);
  let results = (outs Variadic<StableHLO_Value>);
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$types,
      "::mlir::ValueRange":$inputs, "::llvm::StringRef":$target,
      CArg<"::mlir::Attribute", "{}">:$backendConfig,
      CArg<"bool", "false">:$hasSideEffect)>];
  let assemblyFormat = [{
    custom<CallTarget>($call_target_name) `(` $inputs `)` attr-dict
      `:` functional-type(operands, results)
  }];
  // Files from before version 1.18 have no result_tilings.
  let useCustomPropertiesEncoding = 1;
  let hasVerifier = 1;
}

def StableHLO_CompositeOp : StableHLO_Op<"composite", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a named operation with its decomposition in a function";
  let arguments = (ins Variadic<StableHLO_Value>:$inputs, StrAttr:$name,
      OptionalAttr<DictionaryAttr>:$composite_attributes,
      FlatSymbolRefAttr:$decomposition,
      DefaultValuedOptionalAttr<I32Attr, "0">:$version);
  let results = (outs Variadic<StableHLO_Value>);
  let regions = (region VariadicRegion<AnyRegion>:$composite_regions);
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$types,
      "::mlir::ValueRange":$inputs, "::llvm::StringRef":$name,
      "::mlir::DictionaryAttr":$attributes,
      "::llvm::StringRef":$decomposition, CArg<"int32_t", "0">:$version)>];
  let assemblyFormat = [{
    $name $inputs attr-dict (`(` $composite_regions^ `)`)?
      `:` functional-type(operands, results)
  }];
}

def StableHLO_AfterAllOp
    : StableHLO_Op<"after_all", [Pure]> {
  let summary = "a token after all the operands";
  let arguments = (ins Variadic<StableHLO_TokenType>:$inputs);
  let results = (outs StableHLO_TokenType:$result);
  let assemblyFormat = [{
    $inputs attr-dict `:` type($result)
  }];
}

def StableHLO_CreateTokenOp
    : StableHLO_Op<"create_token", [Pure]> {
  let summary = "a new token (legacy)";
  let results = (outs StableHLO_TokenType:$output);
  let assemblyFormat = [{
    attr-dict `:` type($output)
  }];
}

def StableHLO_InfeedOp : StableHLO_Op<"infeed"> {
  let summary = "reads values from the infeed";
  let arguments = (ins StableHLO_TokenType:$token,
      DefaultValuedOptionalAttr<StrAttr, "\"\"">:$infeed_config,
      OptionalAttr<ArrayAttr>:$layout);
  let results = (outs Variadic<StableHLO_TensorOrToken>);
  let hasVerifier = 1;
}

def StableHLO_OutfeedOp : StableHLO_Op<"outfeed"> {
  let summary = "writes values to the outfeed";
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs,
      StableHLO_TokenType:$token,
      DefaultValuedOptionalAttr<StrAttr, "\"\"">:$outfeed_config);
  let results = (outs StableHLO_TokenType:$result);
}

def StableHLO_AsyncStartOp : StableHLO_Op<"async_start", [StableHLO_Body]> {
  let summary = "starts an operation and returns a future";
  let arguments = (ins Variadic<StableHLO_Value>:$inputs);
  let results = (outs StableHLO_FutureType:$result);
  let regions = (region SizedRegion<1>:$body);
  let hasRegionVerifier = 1;
}

def StableHLO_AsyncDoneOp
    : StableHLO_Op<"async_done", [StableHLO_InferType]> {
  let summary = "waits for a future";
  let arguments = (ins StableHLO_FutureType:$future);
  let results = (outs Variadic<StableHLO_Value>:$result);
}

#endif // FERRULE_STABLEHLO_OPS_CONTROL_FLOW
