// Containers and control flow of the torch dialect (TorchScript's prim:: ops
// that have regions or a variadic form). Included by TorchOps.td.
#ifndef FERRULE_DIALECT_TORCH_TORCHPRIMOPS
#define FERRULE_DIALECT_TORCH_TORCHPRIMOPS

include "mlir/Interfaces/ControlFlowInterfaces.td"

def Torch_PrimListConstructOp : Torch_Op<"prim.ListConstruct", [Pure]> {
  let summary = "a list of the operands";
  let arguments = (ins Variadic<AnyTorchType>:$elements);
  let results = (outs Torch_List:$result);
  let assemblyFormat = [{
    $elements attr-dict `:` functional-type(operands, results)
  }];
}

def Torch_PrimListUnpackOp : Torch_Op<"prim.ListUnpack", [Pure]> {
  let summary = "the elements of a list";
  let arguments = (ins Torch_List:$operand);
  let results = (outs Variadic<AnyTorchType>:$results);
  let assemblyFormat = [{
    $operand attr-dict `:` qualified(type($operand)) `->`
    qualified(type($results))
  }];
  let hasFolder = 1;
}

def Torch_PrimTupleConstructOp : Torch_Op<"prim.TupleConstruct", [Pure]> {
  let summary = "a tuple of the operands";
  let arguments = (ins Variadic<AnyTorchType>:$elements);
  let results = (outs Torch_Tuple:$result);
  let assemblyFormat = [{
    ($elements^ `:` qualified(type($elements)))? attr-dict `->`
    qualified(type($result))
  }];
}

def Torch_PrimTupleUnpackOp : Torch_Op<"prim.TupleUnpack", [Pure]> {
  let summary = "the elements of a tuple";
  let arguments = (ins Torch_Tuple:$operand);
  let results = (outs Variadic<AnyTorchType>:$results);
  let assemblyFormat = [{
    $operand attr-dict `:` qualified(type($operand)) `->`
    qualified(type($results))
  }];
  let hasFolder = 1;
}

def Torch_PrimTupleIndexOp : Torch_Op<"prim.TupleIndex", [Pure]> {
  let summary = "one element of a tuple";
  let arguments = (ins Torch_Tuple:$operand, Torch_Int:$index);
  let results = (outs AnyTorchType:$result);
  let assemblyFormat = [{
    $operand `,` $index attr-dict `:` qualified(type($operand)) `,`
    qualified(type($index)) `->` qualified(type($result))
  }];
}

def Torch_PrimDictConstructOp : Torch_Op<"prim.DictConstruct",
    [MemoryEffects<[MemAlloc]>, SameVariadicOperandSize]> {
  let summary = "a dictionary";
  let arguments = (ins Variadic<AnyTorchType>:$keys,
                       Variadic<AnyTorchType>:$values);
  let results = (outs Torch_Dict:$result);
  let assemblyFormat = [{
    `keys` `(` ($keys^ `:` qualified(type($keys)))? `)`
    `values` `(` ($values^ `:` qualified(type($values)))? `)`
    attr-dict `->` qualified(type($result))
  }];
}

def Torch_PrimIfOp : Torch_Op<"prim.If", [
    NoRegionArguments, DeclareOpInterfaceMethods<RegionBranchOpInterface,
        ["getEntrySuccessorRegions", "getRegionInvocationBounds"]>,
    RecursiveMemoryEffects]> {
  let summary = "one of two regions";
  let arguments = (ins Torch_Bool:$condition);
  let results = (outs Variadic<AnyTorchType>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let hasCustomAssemblyFormat = 1;
}

def Torch_PrimIfYieldOp : Torch_Op<"prim.If.yield", [
    Pure, ReturnLike, Terminator, HasParent<"::ferrule::torch::PrimIfOp">]> {
  let summary = "ends a region of prim.If and gives its results";
  let arguments = (ins Variadic<AnyTorchType>:$values);
  let assemblyFormat = "($values^ `:` qualified(type($values)))? attr-dict";
}

def Torch_PrimLoopOp : Torch_Op<"prim.Loop", [
    DeclareOpInterfaceMethods<RegionBranchOpInterface,
        ["getEntrySuccessorOperands"]>,
    SingleBlock,
    RecursiveMemoryEffects]> {
  let summary = "repeats a region while a condition holds";
  let description = [{
    Runs the region at most `maxTripCount` times and as long as the condition,
    first `initialCondition`, then the one of `prim.Loop.condition`, is true.
    The region's first argument counts the iterations; the others are carried.
  }];
  let arguments = (ins Torch_Int:$maxTripCount, Torch_Bool:$initialCondition,
                       Variadic<AnyTorchType>:$iterArgsInit);
  let results = (outs Variadic<AnyTorchType>:$results);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    $maxTripCount `,` $initialCondition `,` `init` `(` $iterArgsInit `)`
    $region attr-dict `:` functional-type(operands, results)
  }];
}

def Torch_PrimLoopConditionOp : Torch_Op<"prim.Loop.condition", [
    Pure, Terminator, HasParent<"::ferrule::torch::PrimLoopOp">,
    DeclareOpInterfaceMethods<RegionBranchTerminatorOpInterface>]> {
  let summary = "ends the region of prim.Loop: go on?, and the carried values";
  let arguments = (ins Torch_Bool:$shouldContinue,
                       Variadic<AnyTorchType>:$iterArgs);
  let assemblyFormat = [{
    $shouldContinue `,` `iter` `(` ($iterArgs^ `:` qualified(type($iterArgs)))?
    `)` attr-dict
  }];
}

#endif // FERRULE_DIALECT_TORCH_TORCHPRIMOPS
