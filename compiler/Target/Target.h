// What a target is to the rest of the compiler. Targets live in folders beside
// this file, which `ferrule_target` in a folder's CMakeLists.txt registers, or
// in plug-ins (compiler/Driver/Plugin.h).
#ifndef FERRULE_COMPILER_TARGET_TARGET_H
#define FERRULE_COMPILER_TARGET_TARGET_H

#include "compiler/Dialect/Byre/IR/Byre.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ferrule {
class DiskCache;

/// What users say about the target.
struct TargetOptions {
  /// Processors to make an image for each, in any order; what the
  /// names mean is the target's.
  std::vector<std::string> cpus = {"host"};
  /// `--target-option=NAME=VALUE`.
  std::map<std::string, std::string> values;
  /// 0: no fusion and no packing (to find faults); 1: everything.
  int optLevel = 1;
  /// Threads of the compiler itself; 0: all cores that this process may use.
  unsigned threads = 0;
  /// Keeps machine code between runs of the compiler; null: nothing is kept.
  std::shared_ptr<DiskCache> kernelCache;
};

class Target {
public:
  virtual ~Target();

  /// What `--target` calls it.
  virtual llvm::StringRef name() const = 0;
  /// One line for `--target=help` and error messages.
  virtual llvm::StringRef summary() const = 0;
  /// The runtime's device that runs its images: `target` of byre.image.
  virtual llvm::StringRef device() const { return name(); }

  /// Says what is wrong with the options: "unknown target CPU 'x', expected
  /// ...". Empty when nothing is. The default refuses every named value.
  virtual std::string checkOptions(const TargetOptions &options) const;

  /// Passes of the linalg stage that choose packed layouts. Constants are
  /// evaluated afterwards, so packing weights costs nothing at run time.
  virtual void addLayoutPasses(mlir::OpPassManager &,
                               const TargetOptions &) const {}

  /// Whether it runs this kernel of the dispatch stage. What it declines goes
  /// to fallback().
  virtual bool takesKernel(mlir::func::FuncOp) const { return true; }
  /// The target of declined kernels; it must take all.
  virtual llvm::StringRef fallback() const { return "cpu"; }

  /// From the dispatch to the kernel stage, for the kernels of
  /// kernelsOf(module, name()): gives each launch of them its number of
  /// workgroups, and lowers them to what buildImages wants. Entry functions
  /// stay on tensors.
  virtual void addKernelPasses(mlir::OpPassManager &manager,
                               const TargetOptions &options) const = 0;

  /// Replaces the target's kernels of the kernel stage by one byre.image a
  /// variant, with device() as its target.
  virtual mlir::LogicalResult
  buildImages(mlir::ModuleOp module, const TargetOptions &options) const = 0;
};

/// Makes a target known under its name; false when the name is taken.
bool registerTarget(std::unique_ptr<Target> target);

/// The target of that name, or null.
const Target *findTarget(llvm::StringRef name);

/// All names, sorted: "cpu, reference".
std::string listTargets();

/// The target named, then the one that runs what it declines, if there is one.
/// Null pointers for unknown names are left out.
llvm::SmallVector<const Target *> targetsOf(llvm::StringRef name);

/// Which target a kernel is for; without the attribute: whichever asks.
constexpr llvm::StringLiteral kTargetAttr = "byre.target";

/// The kernels with bodies that are for the target of this name.
llvm::SmallVector<mlir::func::FuncOp> kernelsOf(mlir::ModuleOp module,
                                                llvm::StringRef name);

/// Marks each kernel of the dispatch stage with the target that takes it.
mlir::LogicalResult assignTargets(mlir::ModuleOp module, const Target &target);

} // namespace ferrule

#endif // FERRULE_COMPILER_TARGET_TARGET_H
