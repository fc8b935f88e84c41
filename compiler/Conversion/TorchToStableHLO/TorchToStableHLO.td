#ifndef FERRULE_CONVERSION_TORCHTOSTABLEHLO
#define FERRULE_CONVERSION_TORCHTOSTABLEHLO

include "mlir/Pass/PassBase.td"

def ConvertTorchToStableHLO
    : Pass<"convert-torch-to-stablehlo", "mlir::ModuleOp"> {
  let summary = "Lower the torch dialect to StableHLO";
  let description = [{
    Rewrites the functions of a module from the `torch` dialect to `stablehlo`
    and `chlo`. Tensors become builtin tensors (signed element types become
    signless), `!torch.int`, `!torch.float` and `!torch.bool` become
    `tensor<i64>`, `tensor<f64>` and `tensor<i1>`; lists and None are read where
    they are used and disappear.

    Each operator is one registered function, named after the operator; element
    types follow PyTorch's promotion rules. All operators without such a
    function are reported, each at its source line, before anything is changed.

    Example (test/Conversion/TorchToStableHLO/convert-torch-to-stablehlo.mlir):

    ```mlir
    func.func @main(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
      %r = torch.aten.relu %x : !torch.vtensor<[?,4],f32> -> !torch.vtensor<[?,4],f32>
      return %r : !torch.vtensor<[?,4],f32>
    }
    ```
    becomes a `stablehlo.maximum` of a `tensor<?x4xf32>` with zeros.
  }];
  let dependentDialects = ["mlir::func::FuncDialect", "ferrule::chlo::CHLODialect",
                           "ferrule::stablehlo::StableHLODialect"];
}

#endif // FERRULE_CONVERSION_TORCHTOSTABLEHLO
