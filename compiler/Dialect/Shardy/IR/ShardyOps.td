// Sharding annotations: read, kept, never interpreted.
#ifndef FERRULE_SHARDY_OPS
#define FERRULE_SHARDY_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"

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

#endif // FERRULE_SHARDY_OPS
