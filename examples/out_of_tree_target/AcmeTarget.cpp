// The Acme target, a plug-in of the compiler: it takes the kernels that its
// device can run and leaves the others to the CPU.
#include "AcmeCompiler.h"

#include "compiler/Driver/Plugin.h"
#include "compiler/Target/Target.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace ferrule;

namespace {

/// The device splits its work by itself: every launch is one workgroup.
struct OneWorkgroup : PassWrapper<OneWorkgroup, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OneWorkgroup)

  StringRef getArgument() const override { return "acme-one-workgroup"; }
  StringRef getDescription() const override {
    return "Launch kernels of the Acme device as one workgroup";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect>();
  }
  void runOnOperation() override {
    llvm::StringSet<> names;
    for (func::FuncOp kernel : kernelsOf(getOperation(), "acme"))
      names.insert(kernel.getName());
    getOperation().walk([&](byre::DispatchOp launch) {
      if (!names.contains(launch.getKernel()))
        return;
      OpBuilder builder(launch);
      launch.getWorkgroupsMutable().assign(
          arith::ConstantIndexOp::create(builder, launch.getLoc(), 1));
    });
  }
};

class AcmeTarget final : public Target {
public:
  StringRef name() const override { return "acme"; }
  StringRef summary() const override { return "the Acme device"; }

  bool takesKernel(func::FuncOp kernel) const override {
    return succeeded(acme::compileKernel(kernel));
  }

  void addKernelPasses(OpPassManager &manager,
                       const TargetOptions &) const override {
    manager.addPass(std::make_unique<OneWorkgroup>());
  }

  LogicalResult buildImages(ModuleOp module,
                            const TargetOptions &) const override {
    SmallVector<func::FuncOp> kernels = kernelsOf(module, name());
    if (kernels.empty())
      return success();
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    std::vector<char> bytes = {'A', 'C', 'M', 'E'};
    SmallVector<Attribute> entries;
    for (func::FuncOp kernel : kernels) {
      FailureOr<std::vector<int32_t>> words = acme::compileKernel(kernel);
      if (failed(words))
        return kernel.emitOpError("is nothing that the Acme device can run");
      entries.push_back(byre::KernelEntryAttr::get(
          builder.getStringAttr(kernel.getName()), bytes.size(),
          /*scratch=*/0));
      auto *raw = reinterpret_cast<const char *>(words->data());
      bytes.insert(bytes.end(), raw, raw + words->size() * sizeof(int32_t));
    }
    auto type = RankedTensorType::get({static_cast<int64_t>(bytes.size())},
                                      builder.getI8Type());
    auto data = DenseResourceElementsAttr::get(
        type, "acme", HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, 64));
    byre::ImageOp::create(builder, module.getLoc(), "acme", device(),
                          /*cpu=*/"acme-1", builder.getStrArrayAttr({}),
                          builder.getArrayAttr(entries), data);
    for (func::FuncOp kernel : kernels)
      kernel.erase();
    return success();
  }
};

} // namespace

extern "C" __attribute__((visibility("default"))) const CompilerPlugin *
ferruleCompilerPlugin() {
  static const CompilerPlugin plugin = {.name = "acme", .initialize = [] {
                                          registerTarget(
                                              std::make_unique<AcmeTarget>());
                                          PassRegistration<OneWorkgroup>();
                                        }};
  return &plugin;
}
