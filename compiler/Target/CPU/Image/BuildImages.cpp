// Kernels of the kernel stage become images.
#include "compiler/Support/DiskCache.h"
#include "compiler/Target/CPU/CPU.h"
#include "compiler/Target/CPU/Image/Image.h"
#include "compiler/Target/CPU/LowerKernels/LowerKernels.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Threading.h"
#include "llvm/Config/llvm-config.h"
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
  /// The kernel alone, under the name `symbol`.
  OwningOpRef<ModuleOp> module;
  /// What the image calls it: a hash of the kernel, so that kernels of other
  /// programs under other names share its object code.
  std::string symbol;
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

/// The variant as part of a key: what LLVM is told about the CPU.
std::string describe(const Variant &variant) {
  return variant.triple + " " + variant.cpu + " " + variant.features + " " +
         std::to_string(variant.vectorBits);
}

/// Copies the kernel to a module of its own and names it by its contents.
void isolate(Unit &unit, const Variant &variant) {
  unit.module = ModuleOp::create(unit.kernel.getLoc());
  auto copy = cast<func::FuncOp>(unit.kernel->clone());
  unit.module->push_back(copy);
  copy.setName("kernel");
  copyGlobals(unit.kernel, *unit.module);
  copy.walk([&](cf::AssertOp op) { unit.messages.push_back(op.getMsgAttr()); });
  std::string text;
  llvm::raw_string_ostream stream(text);
  unit.module->print(stream, OpPrintingFlags().useLocalScope());
  unit.symbol = "k" + hashKey({text, describe(variant)}).substr(0, 32);
  copy.setName(unit.symbol);
}

/// The key of an entry in the kernel cache: `what` in the words of the IR, and
/// the code that turned it into machine code.
std::string cacheKey(StringRef what, ArrayRef<StringRef> contents) {
  static constexpr StringLiteral kIdentity =
#include "compiler/Target/CPU/Image/CodeIdentity.inc"
      ;
  SmallVector<StringRef> parts = {kIdentity, LLVM_VERSION_STRING, what};
  parts.append(contents.begin(), contents.end());
  return hashKey(parts);
}

/// Looks `key` up, or computes its contents and keeps them.
FailureOr<ObjectCode>
cached(DiskCache *cache, const std::string &key,
       llvm::function_ref<FailureOr<ObjectCode>()> compute) {
  if (cache)
    if (std::optional<ObjectCode> object = cache->load(key))
      return std::move(*object);
  FailureOr<ObjectCode> object = compute();
  if (cache && succeeded(object))
    cache->store(key, StringRef(object->data(), object->size()));
  return object;
}

FailureOr<ObjectCode> compileUnit(Unit &unit, const Variant &variant) {
  auto copy = unit.module->lookupSymbol<func::FuncOp>(unit.symbol);
  bool vectorized = copy->hasAttr(kVectorizedAttr);
  if (failed(lowerToLLVM(*unit.module, copy)))
    return unit.kernel.emitOpError("expected a kernel that lowers to LLVM");
  return compileModule(*unit.module, variant, vectorized);
}

void insertImage(ModuleOp module, const Variant &variant, StringRef name,
                 ArrayRef<Unit> units, const LinkedImage &image) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  SmallVector<Attribute> kernels;
  for (const Unit &unit : units)
    kernels.push_back(byre::KernelEntryAttr::get(
        builder.getStringAttr(unit.name), image.entries.lookup(unit.symbol),
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

/// Compiles all kernels of one variant, as far as the cache has not got them,
/// and links them.
FailureOr<ObjectCode> compileAndLink(ModuleOp module, const Variant &variant,
                                     MutableArrayRef<Unit> units,
                                     DiskCache *cache) {
  // Equal kernels share their code.
  llvm::StringMap<Unit *> distinct;
  SmallVector<Unit *> compiled;
  for (Unit &unit : units)
    if (distinct.try_emplace(unit.symbol, &unit).second)
      compiled.push_back(&unit);
  if (failed(failableParallelForEach(
          module.getContext(), compiled, [&](Unit *unit) -> LogicalResult {
            FailureOr<ObjectCode> object =
                cached(cache, cacheKey("kernel", {unit->symbol}),
                       [&] { return compileUnit(*unit, variant); });
            if (failed(object))
              return failure();
            unit->object = std::move(*object);
            return success();
          })))
    return failure();
  std::string error;
  FailureOr<ObjectCode> helpers =
      cached(cache, cacheKey("helpers", {describe(variant)}),
             [&] { return compileHelpers(variant, error); });
  if (failed(helpers))
    return module.emitError("expected the helpers to compile: ") << error;
  SmallVector<ObjectCode, 0> objects;
  std::vector<std::string> names;
  for (Unit *unit : compiled) {
    objects.push_back(std::move(unit->object));
    names.push_back(unit->symbol);
  }
  objects.push_back(std::move(*helpers));
  FailureOr<ObjectCode> image = linkImage(objects, names, error);
  if (failed(image))
    return module.emitError("expected the kernels to link: ") << error;
  return image;
}

LogicalResult buildImage(ModuleOp module, StringRef cpu,
                         SmallVector<Unit> &units, DiskCache *cache) {
  FailureOr<Variant> variant = resolveVariant(cpu);
  if (failed(variant))
    return module.emitError("expected a CPU that kernels can be compiled for, "
                            "found '")
           << cpu << "'";
  parallelForEach(module.getContext(), units,
                  [&](Unit &unit) { isolate(unit, *variant); });
  SmallVector<StringRef> symbols;
  for (Unit &unit : units)
    symbols.push_back(unit.symbol);
  FailureOr<ObjectCode> bytes = cached(cache, cacheKey("image", symbols), [&] {
    return compileAndLink(module, *variant, units, cache);
  });
  if (failed(bytes))
    return failure();
  std::string error;
  FailureOr<LinkedImage> image = readImage(std::move(*bytes), symbols, error);
  if (failed(image))
    return module.emitError("expected an image with all kernels: ") << error;
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
        !units.empty() &&
        failed(buildImage(module, cpu, units, options.cache.get())))
      return failure();
  if (options.cache)
    options.cache->prune();
  for (auto &[cpu, units] : variants)
    for (Unit &unit : units)
      unit.kernel.erase();
  return success();
}
