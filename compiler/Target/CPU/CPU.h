// The CPU target: kernels of the dispatch stage become machine code.
#ifndef FERRULE_COMPILER_TARGET_CPU_CPU_H
#define FERRULE_COMPILER_TARGET_CPU_CPU_H

#include "compiler/Target/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include <memory>
#include <string>
#include <vector>

namespace ferrule {

std::unique_ptr<Target> createCPUTarget();

namespace cpu {

/// The variant whose results are the same on every build host.
#if defined(__aarch64__)
constexpr llvm::StringLiteral kBaseline = "aarch64";
#else
constexpr llvm::StringLiteral kBaseline = "x86-64-v3";
#endif

struct CPUOptions {
  /// One image each, in any order: "x86-64-v3", "x86-64-v4",
  /// "host", "aarch64" or a name that LLVM knows.
  std::vector<std::string> cpus = {kBaseline.str()};
  /// Threads that compile kernels; 0 means all that this process may use.
  unsigned threads = 0;
  /// Keeps object code between runs of the compiler; null: nothing is kept.
  std::shared_ptr<DiskCache> cache;
};

/// From the dispatch stage to the kernel stage: tiles every kernel into
/// workgroups, gives each byre.dispatch their number, then bufferizes and
/// lowers the kernels, once a variant. Entry functions stay on tensors.
void addKernelPasses(mlir::OpPassManager &manager, const CPUOptions &options);

/// Compiles the kernels of the kernel stage and replaces their functions by
/// one byre.image a variant.
mlir::LogicalResult buildImages(mlir::ModuleOp module,
                                const CPUOptions &options);

} // namespace cpu
} // namespace ferrule

#endif // FERRULE_COMPILER_TARGET_CPU_CPU_H
