// Kernels of the kernel stage become images.
#include "compiler/Target/CPU/CPU.h"
#include "compiler/Target/CPU/Image/Image.h"
#include "compiler/Target/CPU/LowerKernels/LowerKernels.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Threading.h"
#include "llvm/Support/FileSystem.h"

namespace ferrule {
#define GEN_PASS_DEF_BUILDIMAGES
#include "compiler/Target/CPU/Image/Image.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;
using namespace ferrule::cpu;

namespace {

/// A kernel of one variant and its object code.
struct Unit {
  func::FuncOp kernel;
  std::string name;
  int64_t scratch = 0;
  SmallVector<StringAttr> messages;
  ObjectCode object;
};

/// Small constant tensors of a kernel are globals beside it.
void copyGlobals(func::FuncOp kernel, ModuleOp module) {
  llvm::SetVector<Operation *> globals;
  kernel.walk([&](memref::GetGlobalOp op) {
    globals.insert(
        SymbolTable::lookupNearestSymbolFrom(kernel, op.getNameAttr()));
  });
  for (Operation *global : globals)
    module.getBody()->push_front(global->clone());
}

LogicalResult compileUnit(Unit &unit, const Variant &variant) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(unit.kernel.getLoc());
  auto copy = cast<func::FuncOp>(unit.kernel->clone());
  module->push_back(copy);
  copy.setName(unit.name);
  copyGlobals(unit.kernel, *module);
  copy.walk([&](cf::AssertOp op) { unit.messages.push_back(op.getMsgAttr()); });
  bool vectorized = copy->hasAttr(kVectorizedAttr);
  if (failed(lowerToLLVM(*module, copy)))
    return unit.kernel.emitOpError("expected a kernel that lowers to LLVM");
  FailureOr<ObjectCode> object = compileModule(*module, variant, vectorized);
  if (failed(object))
    return failure();
  unit.object = std::move(*object);
  return success();
}

void insertImage(ModuleOp module, const Variant &variant, StringRef name,
                 ArrayRef<Unit> units, const LinkedImage &image) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  SmallVector<Attribute> kernels;
  for (const Unit &unit : units)
    kernels.push_back(byre::KernelEntryAttr::get(
        builder.getStringAttr(unit.name), image.entries.lookup(unit.name),
        unit.scratch, /*work=*/0, unit.messages));
  std::string symbol = "cpu_";
  for (char c : name)
    symbol += llvm::isAlnum(c) ? c : '_';
  SmallVector<StringRef> features(variant.required.begin(),
                                  variant.required.end());
  AsmResourceBlob blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(
      image.bytes, /*align=*/4096);
  auto data = DenseResourceElementsAttr::get(
      RankedTensorType::get({static_cast<int64_t>(image.bytes.size())},
                            builder.getI8Type()),
      symbol, std::move(blob));
  byre::ImageOp::create(builder, module.getLoc(), symbol, "cpu", name,
                        builder.getStrArrayAttr(features),
                        builder.getArrayAttr(kernels), data);
}

struct BuildImages : ferrule::impl::BuildImagesBase<BuildImages> {
  using BuildImagesBase::BuildImagesBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    BuildImagesBase::getDependentDialects(registry);
    registerImageInterfaces(registry);
  }
  void runOnOperation() override {
    CPUOptions options;
    if (!cpus.empty())
      options.cpus.assign(cpus.begin(), cpus.end());
    if (failed(buildImages(getOperation(), options)))
      return signalPassFailure();
    if (output.empty())
      return;
    for (byre::ImageOp image : getOperation().getOps<byre::ImageOp>()) {
      std::error_code code;
      llvm::raw_fd_ostream stream(output + "." + image.getSymName().str(),
                                  code);
      auto data = cast<DenseResourceElementsAttr>(image.getData());
      ArrayRef<char> bytes = data.getRawHandle().getBlob()->getData();
      stream.write(bytes.data(), bytes.size());
    }
  }
};

/// Compiles all kernels of one variant and links them.
LogicalResult buildImage(ModuleOp module, StringRef cpu,
                         SmallVector<Unit> &units) {
  FailureOr<Variant> variant = resolveVariant(cpu);
  if (failed(variant))
    return module.emitError(
               "expected a CPU that kernels can be compiled for, found '")
           << cpu << "'";
  if (failed(
          failableParallelForEach(module.getContext(), units, [&](Unit &unit) {
            return compileUnit(unit, *variant);
          })))
    return failure();
  std::string error;
  FailureOr<ObjectCode> helpers = compileHelpers(*variant, error);
  if (failed(helpers))
    return module.emitError("expected the helpers to compile: ") << error;
  SmallVector<ObjectCode, 0> objects;
  std::vector<std::string> names;
  for (Unit &unit : units) {
    objects.push_back(std::move(unit.object));
    names.push_back(unit.name);
  }
  objects.push_back(std::move(*helpers));
  FailureOr<LinkedImage> image = linkImage(objects, names, error);
  if (failed(image))
    return module.emitError("expected the kernels to link: ") << error;
  insertImage(module, *variant, cpu, units, *image);
  return success();
}

} // namespace

LogicalResult cpu::buildImages(ModuleOp module, const CPUOptions &options) {
  loadLoweringDialects(module.getContext());
  llvm::MapVector<StringRef, SmallVector<Unit>> variants;
  for (const std::string &cpu : options.cpus)
    variants[cpu];
  for (func::FuncOp kernel : kernelsOf(module, "cpu")) {
    auto variant = kernel->getAttrOfType<StringAttr>(kVariantAttr);
    auto found = variant ? variants.find(variant.getValue()) : variants.end();
    if (found == variants.end())
      return kernel.emitOpError("expected a lowered kernel of one of the "
                                "variants");
    Unit unit;
    unit.kernel = kernel;
    unit.name = kernel.getName().str();
    // Copies for further variants carry the variant's name as a suffix.
    std::string suffix = "." + variant.getValue().str();
    if (StringRef(unit.name).ends_with(suffix))
      unit.name.resize(unit.name.size() - suffix.size());
    if (auto bytes = kernel->getAttrOfType<IntegerAttr>(byre::kScratchAttr))
      unit.scratch = bytes.getInt();
    found->second.push_back(std::move(unit));
  }
  // The runtime takes the first that the machine can run, so the most demanding
  // come first, whatever the order of the names.
  SmallVector<std::pair<StringRef, size_t>> order;
  for (auto &[cpu, units] : variants) {
    FailureOr<Variant> variant = resolveVariant(cpu);
    order.push_back({cpu, succeeded(variant) ? variant->required.size() : 0});
  }
  llvm::stable_sort(
      order, [](const auto &a, const auto &b) { return a.second > b.second; });
  // Each image is put first, so the last one comes first.
  for (auto &[cpu, demands] : llvm::reverse(order))
    if (SmallVector<Unit> &units = variants[cpu];
        !units.empty() && failed(buildImage(module, cpu, units)))
      return failure();
  for (auto &[cpu, units] : variants)
    for (Unit &unit : units)
      unit.kernel.erase();
  return success();
}
