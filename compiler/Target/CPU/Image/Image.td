#ifndef FERRULE_CPU_IMAGE
#define FERRULE_CPU_IMAGE

include "mlir/Pass/PassBase.td"

def BuildImages : Pass<"build-images", "::mlir::ModuleOp"> {
  let summary = "Compile kernels into ELF images for the CPU";
  let description = [{
    Replaces the kernels of the kernel stage by one `byre.image` a variant: a
    position-independent ELF image without imports, and for each kernel the
    offset of its entry and the size of its scratch. Equal input gives equal
    bytes, for any number of threads.

    ```mlir
    func.func private @k(%first: index, ...) attributes {byre.kernel, ...}
    // becomes
    byre.image @cpu_x86_64_v3 target "x86_64" features [...]
        kernels [#byre.entry<"k" at 4096 scratch 0>] data ...
    ```

    Example: test/Target/CPU/build-images.mlir.
  }];
  let options = [
    ListOption<"cpus", "cpus", "std::string",
               "CPUs to compile for, as given to lower-kernels">,
    Option<"output", "output", "std::string", "\"\"",
           "also write each image to this file, the CPU's name appended">
  ];
  let dependentDialects = [
    "::ferrule::byre::ByreDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

#endif // FERRULE_CPU_IMAGE
