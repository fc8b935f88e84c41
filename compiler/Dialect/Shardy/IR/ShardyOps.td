// Sharding annotations: read, kept, never interpreted.
#ifndef FERRULE_SHARDY_OPS
#define FERRULE_SHARDY_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Shardy_Dialect : Dialect {
  let name = "sdy";
  let cppNamespace = "::ferrule::sdy";
  let summary = "Sharding annotations that JAX writes";
  let description = [{
    JAX annotates custom calls and functions with meshes and shardings even
    for one device. Attributes are kept as the text between their brackets;
    programs for one device may drop them all.
  }];
  let useDefaultAttributePrinterParser = 0;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
  }];
}

def Shardy_MeshOp : Op<Shardy_Dialect, "mesh", [Symbol]> {
  let summary = "a named grid of devices";
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$mesh);
  let hasCustomAssemblyFormat = 1;
}

def Shardy_ShardingConstraintOp
    : Op<Shardy_Dialect, "sharding_constraint", [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "its operand, which is to lie on the devices in some way";
  let description = [{
    On one device it is the operand, to which it folds.

    ```mlir
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"} ]> : tensor<4xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, StrAttr:$sharding);
  let results = (outs AnyRankedTensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
}

#endif // FERRULE_SHARDY_OPS
