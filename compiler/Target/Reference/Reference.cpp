#include "compiler/Target/Reference/Reference.h"
#include "compiler/Target/Reference/LowerReferenceKernels/LowerReferenceKernels.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::format::reference;

namespace {

template <typename T> void append(std::vector<char> &bytes, const T &value) {
  auto *raw = reinterpret_cast<const char *>(&value);
  bytes.insert(bytes.end(), raw, raw + sizeof value);
}

class ReferenceTarget final : public Target {
public:
  StringRef name() const override { return "reference"; }
  StringRef summary() const override {
    return "byte code that the runtime interprets: slow, checked, an oracle";
  }
  StringRef fallback() const override { return ""; }

  void addKernelPasses(OpPassManager &manager,
                       const TargetOptions &) const override {
    manager.addPass(createLowerReferenceKernels());
  }

  LogicalResult buildImages(ModuleOp module,
                            const TargetOptions &) const override {
    SmallVector<func::FuncOp> kernels = kernelsOf(module, name());
    if (kernels.empty())
      return success();
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    std::vector<char> bytes;
    append(bytes,
           CodeHeader{{kMagic[0], kMagic[1], kMagic[2], kMagic[3]}, kVersion});
    SmallVector<Attribute> entries;
    for (func::FuncOp kernel : kernels) {
      FailureOr<reference::KernelCode> code = reference::emitKernel(kernel);
      if (failed(code))
        return failure();
      entries.push_back(byre::KernelEntryAttr::get(
          builder.getStringAttr(kernel.getName()), bytes.size(), /*scratch=*/0,
          /*work=*/0, code->messages));
      append(bytes,
             KernelHeader{code->registers,
                          static_cast<uint32_t>(code->instructions.size())});
      for (const Instruction &instruction : code->instructions)
        append(bytes, instruction);
    }
    AsmResourceBlob blob =
        HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, /*align=*/64);
    auto data = DenseResourceElementsAttr::get(
        RankedTensorType::get({static_cast<int64_t>(bytes.size())},
                              builder.getI8Type()),
        "reference", std::move(blob));
    byre::ImageOp::create(builder, module.getLoc(), "reference", device(),
                          /*cpu=*/"", builder.getStrArrayAttr({}),
                          builder.getArrayAttr(entries), data);
    for (func::FuncOp kernel : kernels)
      kernel.erase();
    eraseGlobals(module);
    return success();
  }

private:
  /// Constants of the kernels are in their code now.
  static void eraseGlobals(ModuleOp module) {
    for (auto global :
         llvm::make_early_inc_range(module.getOps<memref::GlobalOp>()))
      if (SymbolTable::symbolKnownUseEmpty(global, module))
        global.erase();
  }
};

} // namespace

std::unique_ptr<Target> ferrule::createReferenceTarget() {
  return std::make_unique<ReferenceTarget>();
}
