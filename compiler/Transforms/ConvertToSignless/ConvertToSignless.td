#ifndef FERRULE_TRANSFORMS_CONVERTTOSIGNLESS
#define FERRULE_TRANSFORMS_CONVERTTOSIGNLESS

include "mlir/Pass/PassBase.td"

def ConvertToSignless : Pass<"convert-to-signless", "::mlir::ModuleOp"> {
  let summary = "Replaces unsigned integers by signless ones, meaning kept";
  let description = [{
    Also known as `stablehlo-convert-to-signless`. For backends that have no
    unsigned types. Operations whose bits depend on the sign (comparison,
    extremes, division, conversion, power) become signed ones around it; the
    others only change their types. Functions' arguments and results keep the
    user's type as `ferrule.type`.

    ```mlir
    %0 = stablehlo.maximum %a, %b : tensor<4xui8>
    // becomes
    %1 = stablehlo.xor %a, %sign : tensor<4xi8>
    %2 = stablehlo.xor %b, %sign : tensor<4xi8>
    %3 = stablehlo.maximum %1, %2 : tensor<4xi8>
    %0 = stablehlo.xor %3, %sign : tensor<4xi8>
    ```

    Example: `test/Transforms/convert-to-signless.mlir`.
  }];
}

#endif // FERRULE_TRANSFORMS_CONVERTTOSIGNLESS
