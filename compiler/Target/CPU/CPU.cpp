// The CPU as a target.
#include "compiler/Target/CPU/CPU.h"
#include "compiler/Target/CPU/Image/Image.h"
#include "compiler/Target/CPU/LowerKernels/LowerKernels.h"
#include "compiler/Target/CPU/TileKernels/TileKernels.h"
#include "compiler/Transforms/BlockConvolutions/BlockConvolutions.h"
#include "compiler/Transforms/PackContractions/PackContractions.h"
#include "compiler/Transforms/WinogradConvolutions/WinogradConvolutions.h"

using namespace mlir;
using namespace ferrule;

void cpu::addKernelPasses(OpPassManager &manager, const CPUOptions &options) {
  manager.addPass(createTileKernels());
  LowerKernelsOptions lowering;
  lowering.cpus.assign(options.cpus.begin(), options.cpus.end());
  manager.addPass(createLowerKernels(lowering));
}

namespace {
class CPUTarget final : public Target {
public:
  StringRef name() const override { return "cpu"; }
  StringRef summary() const override {
    return "machine code for x86-64 with AVX2 or AVX-512, and for aarch64";
  }
  StringRef fallback() const override { return ""; }

  std::string checkOptions(const TargetOptions &options) const override {
    if (std::string error = Target::checkOptions(options); !error.empty())
      return error;
    if (options.cpus.empty())
      return "found no target CPU, expected at least one";
    for (const std::string &cpu : options.cpus) {
      if (llvm::count(options.cpus, cpu) > 1)
        return "target CPU '" + cpu + "' is named twice";
      if (failed(cpu::resolveVariant(cpu)))
        return "unknown target CPU '" + cpu +
               "', expected host, x86-64-v3, x86-64-v4, aarch64 or the "
               "name of an x86-64 CPU with AVX2 and FMA or of an aarch64 CPU";
    }
    return "";
  }

  void addLayoutPasses(OpPassManager &manager,
                       const TargetOptions &options) const override {
    if (options.optLevel == 0)
      return;
    manager.addNestedPass<func::FuncOp>(createBlockConvolutions());
    // It reads what is blocked, and knows which weights are constant.
    manager.addNestedPass<func::FuncOp>(createWinogradConvolutions());
    manager.addNestedPass<func::FuncOp>(createPackContractions());
  }

  void addKernelPasses(OpPassManager &manager,
                       const TargetOptions &options) const override {
    cpu::addKernelPasses(manager, cpuOptions(options));
  }

  LogicalResult buildImages(ModuleOp module,
                            const TargetOptions &options) const override {
    return cpu::buildImages(module, cpuOptions(options));
  }

private:
  static cpu::CPUOptions cpuOptions(const TargetOptions &options) {
    cpu::CPUOptions result;
    result.cpus = options.cpus;
    result.threads = options.threads;
    result.cache = options.kernelCache;
    return result;
  }
};
} // namespace

std::unique_ptr<Target> ferrule::createCPUTarget() {
  return std::make_unique<CPUTarget>();
}
