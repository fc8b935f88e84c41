// The dialect and its attributes.
#ifndef FERRULE_BYRE_DIALECT
#define FERRULE_BYRE_DIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Byre_Dialect : Dialect {
  let name = "byre";
  let cppNamespace = "::ferrule::byre";
  let summary = "The program that the runtime executes";
  let description = [{
    A list of kernel launches under structured control flow, first on tensors
    (stage `dispatch`), then on buffers (stages `kernel` and `byre`).

    Attributes on functions:
    * `byre.kernel` (unit): the function is a kernel, not a part of the program.
    * `byre.scratch` (i64): bytes of scratch memory a worker of it needs.
    * `byre.arena` (i64): bytes of the planned arena of an entry function.

    On launches: `byre.work` (#byre.work), what the kernel computes there.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

class Byre_Attr<string name, string attrMnemonic> : AttrDef<Byre_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Byre_KernelEntryAttr : Byre_Attr<"KernelEntry", "entry"> {
  let summary = "Where a kernel lies in an image";
  let description = [{
    `offset` is the position of the kernel's first instruction in the loaded
    image, `scratch` the bytes of scratch memory of one worker, `work` the rough
    cost of one workgroup in nanoseconds on one core (0: unknown), `messages`
    the texts of its assertions: a kernel that returns n failed with the n-th.
  }];
  let parameters = (ins
    "::mlir::StringAttr":$kernel,
    "uint64_t":$offset,
    "uint64_t":$scratch,
    DefaultValuedParameter<"uint64_t", "0">:$work,
    OptionalArrayRefParameter<"::mlir::StringAttr">:$messages
  );
  let assemblyFormat = [{
    `<` $kernel `at` $offset `scratch` $scratch
    (`work` $work^)?
    (`messages` `(` $messages^ `)`)? `>`
  }];
  let builders = [
    AttrBuilderWithInferredContext<(ins "::mlir::StringAttr":$kernel,
      "uint64_t":$offset, "uint64_t":$scratch, CArg<"uint64_t", "0">:$work,
      CArg<"::llvm::ArrayRef<::mlir::StringAttr>", "{}">:$messages), [{
      return $_get(kernel.getContext(), kernel, offset, scratch, work,
                   messages);
    }]>
  ];
}

def Byre_WorkAttr : Byre_Attr<"Work", "work"> {
  let summary = "What a kernel computes, for profiles";
  let description = [{
    `operations` names the operations fused in the kernel, in their order.
    `flops` counts its floating-point operations (integer ones of integer
    contractions too), a fused multiply-add as two; `bytes` what it must read
    and write at least, each buffer once. Both are expressions over the sizes
    of the launch: `b1d0` is dimension 0 of buffer 1 (ins, then outs), `s0` the
    first scalar; empty: not known.

    ```mlir
    #byre.work<"contraction + add" flops "2 * 64 * b0d0" bytes "4 * b0d0">
    ```
  }];
  let parameters = (ins
    StringRefParameter<>:$operations,
    StringRefParameter<>:$flops,
    StringRefParameter<>:$bytes
  );
  let assemblyFormat = "`<` $operations `flops` $flops `bytes` $bytes `>`";
}

def Byre_KernelEntryArrayAttr :
    TypedArrayAttrBase<Byre_KernelEntryAttr, "array of kernel entries">;

def Byre_Buffer : AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef]>;
def Byre_Scalar : AnyTypeOf<[Index, I64, I1, F64, F32]>;

class Byre_Op<string mnemonic, list<Trait> traits = []> :
    Op<Byre_Dialect, mnemonic, traits>;

#endif // FERRULE_BYRE_DIALECT
