#ifndef FERRULE_TRANSFORMS_EXPANDCOMPLEX
#define FERRULE_TRANSFORMS_EXPANDCOMPLEX

include "mlir/Pass/PassBase.td"

def ExpandComplex : Pass<"expand-complex", "::mlir::ModuleOp"> {
  let summary = "Replaces complex tensors by pairs of real ones";
  let description = [{
    For backends without complex numbers: StableHLO's `complex-math-expander`
    and more, since no complex type is left. A complex argument, result or
    carried value becomes two, its real and its imaginary part, named `x.real`
    and `x.imag` where it was named `x`. Fourier transforms, factorisations and
    sorts of complex numbers are refused.

    ```mlir
    %0 = stablehlo.multiply %x, %y : tensor<4xcomplex<f32>>
    // becomes, with %a + %b i for %x and %c + %d i for %y
    %0 = stablehlo.multiply %a, %c : tensor<4xf32>
    %1 = stablehlo.multiply %b, %d : tensor<4xf32>
    %re = stablehlo.subtract %0, %1 : tensor<4xf32>
    %2 = stablehlo.multiply %a, %d : tensor<4xf32>
    %3 = stablehlo.multiply %b, %c : tensor<4xf32>
    %im = stablehlo.add %2, %3 : tensor<4xf32>
    ```

    Example: `test/Transforms/expand-complex.mlir`.
  }];
}

#endif // FERRULE_TRANSFORMS_EXPANDCOMPLEX
