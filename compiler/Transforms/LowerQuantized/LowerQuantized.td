#ifndef FERRULE_TRANSFORMS_LOWERQUANTIZED
#define FERRULE_TRANSFORMS_LOWERQUANTIZED

include "mlir/Pass/PassBase.td"

def LowerQuantized : Pass<"lower-quantized", "::mlir::ModuleOp"> {
  let summary = "Replaces quantized tensors by integers and arithmetic on them";
  let description = [{
    Also known as `stablehlo-legalize-quant-to-math`. Tensors of
    `!quant.uniform` become tensors of its storage type, in functions'
    signatures too; nothing of the quant dialect is left.

    * Products and convolutions of two quantized tensors are summed as
      integers, exactly, in as many bits as the sum may need; the sum is scaled
      once, in double precision, and rounded half to even. With one quantized
      operand they are those of the dequantized one.
    * Other arithmetic dequantizes, computes in the expressed type and
      quantizes, as the specification defines it.
    * What only moves elements moves integers. Accumulators of another
      quantization than the input's requantize the input first.

    ```mlir
    %0 = stablehlo.uniform_dequantize %x : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4xf32>
    // becomes, with %x : tensor<4xi8>
    %1 = stablehlo.convert %x : (tensor<4xi8>) -> tensor<4xi32>
    %2 = stablehlo.subtract %1, %three : tensor<4xi32>
    %3 = stablehlo.convert %2 : (tensor<4xi32>) -> tensor<4xf32>
    %0 = stablehlo.multiply %3, %half : tensor<4xf32>
    ```

    Example: `test/Transforms/lower-quantized.mlir`.
  }];
}

#endif // FERRULE_TRANSFORMS_LOWERQUANTIZED
