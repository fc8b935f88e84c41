// Ops on buffers: contiguous, row-major memrefs. Scalars are read and written
// with memref.load and memref.store, sizes read with memref.dim.
#ifndef FERRULE_BYRE_BUFFER_OPS
#define FERRULE_BYRE_BUFFER_OPS

include "compiler/Dialect/Byre/IR/ByreDialect.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def Byre_MemRef : Type<
    And<[AnyMemRef.predicate,
         CPred<"::llvm::cast<::mlir::MemRefType>($_self).getLayout()"
               ".isIdentity()">]>,
    "contiguous memref", "::mlir::MemRefType">;

def Byre_AllocOp : Byre_Op<"alloc"> {
  let summary = "Provides a buffer with undefined contents";
  let description = [{
    Without `at` and `output` the buffer is allocated when the op runs and lives
    until its `byre.free`. `at` is the byte offset in the function's planned
    arena; such a buffer has no `free`. `output` is the number of the function's
    result whose memory this is: the caller's, if it gave some.

    ```mlir
    %0 = byre.alloc sizes(%n) : memref<?x4xf32>
    %1 = byre.alloc at 128 : memref<4xf32>
    %2 = byre.alloc output 0 : memref<4xf32>
    ```

    Constraints:
    * (A1) one size for each `?` of the result.
    * (A2) `at` only with a static size, a multiple of 64, and not with `output`.
  }];
  let arguments = (ins
    Variadic<Index>:$sizes,
    OptionalAttr<I64Attr>:$offset,
    OptionalAttr<I64Attr>:$output
  );
  let results = (outs
    Res<Byre_MemRef, "", [MemAlloc<DefaultResource>]>:$result);
  let assemblyFormat = [{
    (`sizes` `(` $sizes^ `)`)? (`at` $offset^)? (`output` $output^)?
    attr-dict `:` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::MemRefType":$type, "::mlir::ValueRange":$sizes), [{
      build($_builder, $_state, type, sizes, ::mlir::IntegerAttr(),
            ::mlir::IntegerAttr());
    }]>
  ];
  let hasVerifier = 1;
}

def Byre_FreeOp : Byre_Op<"free"> {
  let summary = "Gives a buffer back";
  let description = [{
    The operand is a buffer of `byre.alloc`, a result of a call, or a view of
    all of one of these. Nothing may use it, its views or its sizes afterwards.
  }];
  let arguments = (ins
    Arg<Byre_MemRef, "", [MemFree<DefaultResource>]>:$buffer);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
}

def Byre_ViewOp : Byre_Op<"view", [
    Pure, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "The same memory under another type";
  let description = [{
    A buffer that starts `at` bytes plus the value of `plus` (bytes too) after
    the source and lies inside it: a reshape or a contiguous slice.

    ```mlir
    %v = byre.view %b at 64 plus %o sizes(%n) : memref<?xf32> to memref<?x4xf32>
    ```

    Constraints:
    * (V1) one size for each `?` of the result.
    * (V2) `at` is not negative.
  }];
  let arguments = (ins
    Byre_MemRef:$source,
    DefaultValuedAttr<I64Attr, "0">:$at,
    Optional<Index>:$plus,
    Variadic<Index>:$sizes
  );
  let results = (outs Byre_MemRef:$result);
  let assemblyFormat = [{
    $source (`at` $at^)? (`plus` $plus^)? (`sizes` `(` $sizes^ `)`)?
    attr-dict `:` type($source) `to` type($result)
  }];
  let extraClassDeclaration = [{
    /// Whether the view starts where its source starts.
    bool startsAtSource() { return getAt() == 0 && !getPlus(); }
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Byre_CopyOp : Byre_Op<"copy"> {
  let summary = "Copies all of a buffer";
  let description = [{
    Source and target have the same element type and number of bytes.
  }];
  let arguments = (ins
    Arg<Byre_MemRef, "", [MemRead]>:$source,
    Arg<Byre_MemRef, "", [MemWrite]>:$target
  );
  let assemblyFormat =
      "$source `to` $target attr-dict `:` type($source) `to` type($target)";
  let hasVerifier = 1;
}

def Byre_FillOp : Byre_Op<"fill", [
    TypesMatchWith<"value of the buffer's element type", "buffer", "value",
                   "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">
  ]> {
  let summary = "Sets every element of a buffer";
  let arguments = (ins
    AnyType:$value,
    Arg<Byre_MemRef, "", [MemWrite]>:$buffer
  );
  let assemblyFormat = "$buffer `with` $value attr-dict `:` type($buffer)";
}

def Byre_ConstantOp : Byre_Op<"constant", [Pure]> {
  let summary = "Weights: a read-only buffer";
  let description = [{
    ```mlir
    %w = byre.constant dense_resource<w> : tensor<64x64xf32> as memref<64x64xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Byre_MemRef:$result);
  let assemblyFormat = "$value attr-dict `as` type($result)";
  let hasVerifier = 1;
}

def Byre_NarrowOp : Byre_Op<"narrow", [Pure]> {
  let summary = "The low bits of an integer register";
  let description = [{
    Only programs read from a file have it: registers of a file have 64 bits,
    and users of narrower integers see the whole register. So it is no
    instruction, in contrast to `arith.trunci`.
  }];
  let arguments = (ins I64:$value);
  let results = (outs AnyTypeOf<[I8, I16, I32]>:$result);
  let assemblyFormat = "$value attr-dict `to` type($result)";
}

def Byre_CallProviderOp : Byre_Op<"call_provider", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "Calls an operation of a provider by name";
  let description = [{
    As `byre.dispatch`, but the code is found in the runtime's providers when
    the program is loaded. `config` holds the operation's attributes.

    ```mlir
    byre.call_provider "acme.sort" ins(%a : memref<?xf32>)
        outs(%b : memref<?xf32>) config {axis = 0 : i64}
    ```
  }];
  let arguments = (ins
    StrAttr:$name,
    Variadic<Byre_Buffer>:$inputs,
    Variadic<Byre_Buffer>:$outs,
    Variadic<Byre_Scalar>:$scalars,
    OptionalAttr<DictionaryAttr>:$config
  );
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $name (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)?
    (`scalars` `(` $scalars^ `:` type($scalars) `)`)?
    (`config` $config^)? attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutsMutable();
    }
  }];
}

#endif // FERRULE_BYRE_BUFFER_OPS
