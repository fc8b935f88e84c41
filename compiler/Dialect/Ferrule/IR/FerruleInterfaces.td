// Interfaces of the ferrule dialect's ops.
#ifndef FERRULE_DIALECT_FERRULE_INTERFACES
#define FERRULE_DIALECT_FERRULE_INTERFACES

include "mlir/IR/OpBase.td"

def LowerToLoopsOpInterface : OpInterface<"LowerToLoopsOpInterface"> {
  let description = [{
    An op that can be written as `scf` loops over `memref`s once it is
    bufferised. Call it through `ferrule::ext::lowerToLoops`.
  }];
  let cppNamespace = "::ferrule::ext";
  let methods = [
    InterfaceMethod<[{
        Writes the loops at the rewriter's insertion point. All operands are
        memrefs (of any strided layout). The op itself is left in place.
      }],
      "::llvm::LogicalResult", "emitLoops",
      (ins "::mlir::RewriterBase &":$rewriter)>,
  ];
}

def RowOpInterface : OpInterface<"RowOpInterface"> {
  let description = [{
    An op that works on rows: some dimensions (the row) belong together and
    every position of the other ones can be computed alone. The tiling and the
    loops of these ops come from these two facts.
  }];
  let cppNamespace = "::ferrule::ext";
  let methods = [
    InterfaceMethod<"Dimensions that one row spans, ascending.",
      "::llvm::SmallVector<int64_t>", "getRowDims", (ins)>,
    InterfaceMethod<[{
        Whether an operand has the rows' batch dimensions. Other operands
        (initial values, tables) are used whole by every row.
      }],
      "bool", "isRowOperand", (ins "unsigned":$number), "",
      [{ return true; }]>,
  ];
}

#endif // FERRULE_DIALECT_FERRULE_INTERFACES
