// Launches and images; the ops on buffers are in ByreBufferOps.td.
#ifndef FERRULE_BYRE_OPS
#define FERRULE_BYRE_OPS

include "compiler/Dialect/Byre/IR/ByreBufferOps.td"
include "compiler/Dialect/Byre/IR/ByreDialect.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"

def Byre_DispatchOp : Byre_Op<"dispatch", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "Launches a kernel";
  let description = [{
    Runs all workgroups of a kernel. Result i is written into out i, which has
    its type; on buffers there are no results. An out made by `tensor.empty`
    has no contents, any other out is read and updated.

    `workgroups` is their number; it is absent until the target has tiled the
    kernel.

    ```mlir
    %r = byre.dispatch @k workgroups(%w) ins(%a : tensor<?xf32>)
        outs(%e : tensor<?xf32>) scalars(%n : index) -> tensor<?xf32>
    byre.dispatch @k workgroups(%w) ins(%a : memref<?xf32>)
        outs(%b : memref<?xf32>) scalars(%n : index)
    ```

    Constraints:
    * (K1) `kernel` names a function with `byre.kernel` or an entry of an image.
    * (K2) the kernel takes the inputs, outs and scalars in this order and has
      one result an out, as long as it is a function on tensors.
    * (K3) all inputs and outs are tensors or all are memrefs.
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$kernel,
    Optional<Index>:$workgroups,
    Variadic<Byre_Buffer>:$inputs,
    Variadic<Byre_Buffer>:$outs,
    Variadic<Byre_Scalar>:$scalars
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $kernel (`workgroups` `(` $workgroups^ `)`)?
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)?
    (`scalars` `(` $scalars^ `:` type($scalars) `)`)?
    attr-dict (`->` type($results)^)?
  }];
  let builders = [
    // The results are those of the outs that are tensors.
    OpBuilder<(ins "::mlir::SymbolRefAttr":$kernel,
      "::mlir::ValueRange":$inputs, "::mlir::ValueRange":$outs,
      "::mlir::ValueRange":$scalars, CArg<"::mlir::Value", "{}">:$workgroups)>
  ];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutsMutable();
    }
    /// Whether the launch is on tensors, so that it only yields its results.
    bool isOnTensors();
  }];
  let hasVerifier = 1;
}

def Byre_ImageOp : Byre_Op<"image", [Symbol, IsolatedFromAbove]> {
  let summary = "Compiled kernels for one variant of a target";
  let description = [{
    `data` is a position-independent ELF image (i8 elements) for the device
    `target`. Several images hold the same kernels for different `features` of
    the processor; the runtime takes the first whose features are all there, so
    better ones come first. `cpu` is for people.

    ```mlir
    byre.image @v3 target "cpu" cpu "x86-64-v3" features ["avx2", "fma"]
        kernels [#byre.entry<"k" at 4096 scratch 0>]
        data dense<0> : tensor<64xi8>
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    StrAttr:$target,
    StrAttr:$cpu,
    StrArrayAttr:$features,
    Byre_KernelEntryArrayAttr:$kernels,
    ElementsAttr:$data
  );
  let assemblyFormat = [{
    $sym_name `target` $target `cpu` $cpu `features` $features
    `kernels` $kernels `data` $data attr-dict
  }];
  let extraClassDeclaration = [{
    /// The entry of the kernel of this name, or a null attribute.
    KernelEntryAttr lookupKernel(::llvm::StringRef name);
  }];
  let hasVerifier = 1;
}

#endif // FERRULE_BYRE_OPS
