// Structural ops of the torch dialect: constants, containers, control flow and
// symbolic sizes. Operators of PyTorch's registry are in Schemas.inc.
#ifndef FERRULE_DIALECT_TORCH_TORCHOPS
#define FERRULE_DIALECT_TORCH_TORCHOPS

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/CastInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "compiler/Dialect/Torch/IR/TorchTypes.td"

class Torch_Op<string mnemonic, list<Trait> traits = []>
    : Op<Torch_Dialect, mnemonic, traits>;

// Names results after the constant they hold: %int1, %none, %true.
def Torch_NamesResults
    : DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>;

class Torch_Constant<string kind, string text>
    : Torch_Op<"constant." # kind, [ConstantLike, Pure, Torch_NamesResults]> {
  let summary = text;
  let hasFolder = 1;
}

def Torch_ConstantIntOp : Torch_Constant<"int", "an int"> {
  let arguments = (ins I64Attr:$value);
  let results = (outs Torch_Int:$result);
  let assemblyFormat = "$value attr-dict";
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "int64_t":$value), [{
    $_state.addTypes(IntType::get($_builder.getContext()));
    $_state.getOrAddProperties<Properties>().value =
        $_builder.getI64IntegerAttr(value);
  }]>];
}

def Torch_ConstantFloatOp : Torch_Constant<"float", "a float"> {
  let arguments = (ins F64Attr:$value);
  let results = (outs Torch_Float:$result);
  let assemblyFormat = "$value attr-dict";
  let builders = [OpBuilder<(ins "double":$value), [{
    build($_builder, $_state, FloatType::get($_builder.getContext()),
          $_builder.getF64FloatAttr(value));
  }]>];
}

def Torch_ConstantBoolOp : Torch_Constant<"bool", "a bool"> {
  let arguments = (ins I1Attr:$value);
  let results = (outs Torch_Bool:$result);
  let assemblyFormat = "$value attr-dict";
}

def Torch_ConstantStrOp : Torch_Constant<"str", "a str"> {
  let arguments = (ins StrAttr:$value);
  let results = (outs Torch_String:$result);
  let assemblyFormat = "$value attr-dict";
}

def Torch_ConstantNoneOp : Torch_Constant<"none", "None"> {
  let results = (outs Torch_None:$result);
  let assemblyFormat = "attr-dict";
}

def Torch_ConstantNumberOp
    : Torch_Constant<"number", "a number whose kind the program leaves open"> {
  let arguments = (ins AnyAttrOf<[F64Attr, I64Attr]>:$value);
  let results = (outs Torch_Number:$result);
  let assemblyFormat = "$value attr-dict";
}

def Torch_ConstantDeviceOp : Torch_Constant<"device", "a device"> {
  let arguments = (ins StrAttr:$value);
  let results = (outs Torch_Device:$result);
  let assemblyFormat = "$value attr-dict";
}

def Torch_ValueTensorLiteralOp : Torch_Op<"vtensor.literal",
    [ConstantLike, Pure, Torch_NamesResults]> {
  let summary = "a tensor constant";
  let description = [{
    [L1] The attribute's shape and element type are those of the result, where
    the result's are known.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Torch_ValueTensor:$result);
  let assemblyFormat = [{
    `(` $value `)` attr-dict `:` qualified(type($result))
  }];
  let builders = [OpBuilder<(ins "mlir::ElementsAttr":$value)>];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Torch_NonValueTensorLiteralOp : Torch_Op<"tensor.literal",
    [MemoryEffects<[MemAlloc]>, Torch_NamesResults]> {
  let summary = "a fresh mutable tensor with constant contents";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Torch_NonValueTensor:$result);
  let assemblyFormat = [{
    `(` $value `)` attr-dict `:` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Torch_OperatorOp : Torch_Op<"operator"> {
  let summary = "an operator that the table does not know";
  let description = [{
    Carries operators of other libraries through the dialect. The name is
    "torch.<namespace>.<name>.<overload>".
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyTorchType>:$args);
  let results = (outs Variadic<AnyTorchType>:$outs);
  let regions = (region VariadicRegion<AnyRegion>:$bodies);
  let assemblyFormat = [{
    $name `(` $args `)` attr-dict `:` functional-type($args, $outs) $bodies
  }];
}

def Torch_OperatorTerminatorOp
    : Torch_Op<"operator_terminator", [Terminator, Pure]> {
  let summary = "ends a region of torch.operator";
  let arguments = (ins Variadic<AnyTorchType>:$values);
  let assemblyFormat = "($values^ `:` qualified(type($values)))? attr-dict";
}

def Torch_CopyToNonValueTensorOp : Torch_Op<"copy.to_tensor",
    [MemoryEffects<[MemAlloc]>]> {
  let summary = "a fresh mutable tensor with the value's contents";
  let arguments = (ins Torch_ValueTensor:$value);
  let results = (outs Torch_NonValueTensor:$result);
  let hasCustomAssemblyFormat = 1;
}

def Torch_CopyToValueTensorOp : Torch_Op<"copy.to_vtensor",
    [MemoryEffects<[MemRead]>]> {
  let summary = "the present contents of a mutable tensor";
  let arguments = (ins Torch_NonValueTensor:$value);
  let results = (outs Torch_ValueTensor:$result);
  let hasCustomAssemblyFormat = 1;
}

def Torch_OverwriteTensorContentsOp : Torch_Op<"overwrite.tensor.contents",
    [MemoryEffects<[MemWrite]>]> {
  let summary = "writes a value into a mutable tensor";
  let arguments = (ins Torch_ValueTensor:$value,
                       Torch_NonValueTensor:$overwritten);
  let assemblyFormat = [{
    $value `overwrites` $overwritten attr-dict `:` qualified(type($value)) `,`
    qualified(type($overwritten))
  }];
}

def Torch_TensorStaticInfoCastOp : Torch_Op<"tensor_static_info_cast", [Pure]> {
  let summary = "the same tensor under a type that says more or less";
  let arguments = (ins AnyTorchTensor:$operand);
  let results = (outs AnyTorchTensor:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` qualified(type($operand)) `to`
    qualified(type($result))
  }];
  let hasFolder = 1;
}

def Torch_DerefineOp : Torch_Op<"derefine", [Pure]> {
  let summary = "the same value under a supertype, e.g. int to optional<int>";
  let arguments = (ins AnyTorchType:$operand);
  let results = (outs AnyTorchType:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` qualified(type($operand)) `to`
    qualified(type($result))
  }];
  let hasFolder = 1;
}

def Torch_RuntimeAssertOp : Torch_Op<"runtime.assert"> {
  let summary = "fails at run time unless the condition holds";
  let arguments = (ins Torch_Bool:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}

def Torch_PromoteDtypesOp : Torch_Op<"promote_dtypes", [Pure]> {
  let summary = "the element type that PyTorch's promotion rules give";
  let arguments = (ins Torch_List:$ranks, Torch_List:$dtypes);
  let results = (outs Torch_Int:$result);
  let assemblyFormat = [{
    $ranks `,` $dtypes attr-dict `:` functional-type(operands, results)
  }];
}

def Torch_SymbolicIntOp : Torch_Op<"symbolic_int", [Pure]> {
  let summary = "a size that the caller chooses, within a range";
  let arguments = (ins StrAttr:$symbol_name, I64Attr:$min_val, I64Attr:$max_val);
  let results = (outs Torch_Int:$result);
  let assemblyFormat = [{
    $symbol_name ` ` `{` `min_val` `=` $min_val `,` `max_val` `=` $max_val `}`
    attr-dict `:` qualified(type($result))
  }];
}

def Torch_BindSymbolicShapeOp : Torch_Op<"bind_symbolic_shape"> {
  let summary = "says what a tensor's sizes are in terms of symbols";
  let description = [{
    The map takes the symbols, in their order, to the sizes. [B1] It has as many
    symbols as the op and as many results as the tensor has dimensions.
  }];
  let arguments = (ins AnyTorchTensor:$operand,
                       Variadic<Torch_Int>:$shape_symbols,
                       AffineMapAttr:$shape_expressions);
  let assemblyFormat = [{
    $operand `,` `[` $shape_symbols `]` `,` $shape_expressions attr-dict `:`
    qualified(type($operand))
  }];
  let hasVerifier = 1;
}

include "compiler/Dialect/Torch/IR/TorchPrimOps.td"

#endif // FERRULE_DIALECT_TORCH_TORCHOPS
