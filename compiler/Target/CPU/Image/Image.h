// Compiles lowered kernels and links them into ELF images.
#ifndef FERRULE_COMPILER_TARGET_CPU_IMAGE_IMAGE_H
#define FERRULE_COMPILER_TARGET_CPU_IMAGE_IMAGE_H

#include "compiler/Dialect/Byre/IR/Byre.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace ferrule {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Target/CPU/Image/Image.h.inc"

namespace cpu {

using ObjectCode = llvm::SmallVector<char, 0>;

/// A CPU as LLVM knows it.
struct Variant {
  /// The machine that runs it; the compiler itself may run on another.
  std::string triple;
  std::string cpu;
  std::string features;
  /// Width of the vectors that kernels are written in. NEON's registers are
  /// half as wide and twice as many as those of AVX2: one vector is two.
  unsigned vectorBits = 256;
  /// What the machine must have, as the runtime names it.
  std::vector<std::string> required;
};

/// Resolves "host", "x86-64-v3", "aarch64" and LLVM's own names.
llvm::FailureOr<Variant> resolveVariant(llvm::StringRef name);

/// Adds the interfaces through which dialects become LLVM IR.
void registerImageInterfaces(mlir::DialectRegistry &registry);

/// Loads all dialects that lowerToLLVM makes. To be called before kernels are
/// lowered in parallel: a context must not load dialects from several threads.
void loadLoweringDialects(mlir::MLIRContext *context);

/// Lowers one kernel to the LLVM dialect, in a module of its own, with the
/// entry that runtime/include/ferrule/kernel_abi.h describes.
mlir::LogicalResult lowerToLLVM(mlir::ModuleOp module,
                                mlir::func::FuncOp kernel);

/// Compiles a module of the LLVM dialect. `vectorized` code skips LLVM's loop
/// transformations.
llvm::FailureOr<ObjectCode> compileModule(mlir::ModuleOp module,
                                          const Variant &variant,
                                          bool vectorized);

/// The memory and conversion functions that LLVM calls by itself.
llvm::FailureOr<ObjectCode> compileHelpers(const Variant &variant,
                                           std::string &error);

/// A linked image and where its exported functions lie.
struct LinkedImage {
  ObjectCode bytes;
  llvm::StringMap<uint64_t> entries;
};

/// Links objects into an image that exports `entries`.
llvm::FailureOr<ObjectCode> linkImage(llvm::ArrayRef<ObjectCode> objects,
                                      llvm::ArrayRef<std::string> entries,
                                      std::string &error);

/// Finds where an image's functions lie, and fails when it lacks one of
/// `entries`.
llvm::FailureOr<LinkedImage> readImage(ObjectCode bytes,
                                       llvm::ArrayRef<llvm::StringRef> entries,
                                       std::string &error);

} // namespace cpu
} // namespace ferrule

#endif // FERRULE_COMPILER_TARGET_CPU_IMAGE_IMAGE_H
