#ifndef FERRULE_TRANSFORMS_REFINEARGUMENTS
#define FERRULE_TRANSFORMS_REFINEARGUMENTS

include "mlir/Pass/PassBase.td"

def RefineArguments : Pass<"refine-arguments", "::mlir::ModuleOp"> {
  let summary = "Gives the arguments of @main the types that a caller has";
  let description = [{
    Also known as `stablehlo-refine-arguments`. Sizes that were unknown become
    known; nothing else may change. Users inside see the old types through
    `tensor.cast` until `simplify-stablehlo` takes the sizes further.

    ```mlir
    func.func @main(%x: tensor<?xf32>) -> tensor<?xf32>
    // with types = "tensor<4xf32>"
    func.func @main(%x: tensor<4xf32>) -> tensor<?xf32>
    ```

    Example: `test/Transforms/refine-arguments.mlir`.
  }];
  let options = [ListOption<"types", "types", "std::string",
                            "The arguments' types, in order">];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

#endif // FERRULE_TRANSFORMS_REFINEARGUMENTS
