// The torch dialect: PyTorch programs, in the text of Torch-MLIR.
#ifndef FERRULE_DIALECT_TORCH_TORCHDIALECT
#define FERRULE_DIALECT_TORCH_TORCHDIALECT

include "mlir/IR/OpBase.td"

def Torch_Dialect : Dialect {
  let name = "torch";
  let cppNamespace = "::ferrule::torch";
  let summary = "PyTorch's operators and types";
  let description = [{
    Programs as PyTorch describes them: every operator overload of PyTorch's
    registry is an op named after it (`aten::add.Tensor` is
    `torch.aten.add.Tensor`). Those come from the table `Schemas.inc`; only the
    structural ops are written out here. The text is the one of Torch-MLIR, so
    that either project can read what the other writes.
  }];
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerSchemaOps();
  }];
}

#endif // FERRULE_DIALECT_TORCH_TORCHDIALECT
