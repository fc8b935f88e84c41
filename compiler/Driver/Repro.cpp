#include "compiler/Driver/Repro.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"
#include <random>

using namespace mlir;
using namespace ferrule;

static constexpr StringLiteral kSeedAttr = "ferrule.seed";
/// What constants of all dialects, and globals, call their values.
static constexpr StringLiteral kValueAttrs[] = {"value", "initial_value"};
/// Smaller constants are sizes and indices, on which the failure may depend.
static constexpr int64_t kLarge = 64;

static ElementsAttr getValue(Operation *op, StringRef &name) {
  for (StringRef candidate : kValueAttrs)
    if (auto value = op->getAttrOfType<ElementsAttr>(candidate)) {
      name = candidate;
      return value;
    }
  return nullptr;
}

bool ferrule::isInternalStage(Stage stage) {
  return stage == Stage::Graph || stage == Stage::Dispatch ||
         stage == Stage::Kernel || stage == Stage::Byre;
}

void ferrule::replaceWeightsBySeeds(ModuleOp module) {
  Builder builder(module.getContext());
  int64_t seed = 0;
  module.walk([&](Operation *op) {
    StringRef name;
    ElementsAttr value = getValue(op, name);
    if (!value || value.getNumElements() <= kLarge || value.isSplat())
      return;
    Type element = value.getElementType();
    if (!element.isIntOrFloat())
      return;
    op->setAttr(name,
                DenseElementsAttr::get(value.getShapedType(),
                                       builder.getZeroAttr(element)));
    op->setAttr(kSeedAttr, builder.getI64IntegerAttr(seed++));
  });
}

/// One value of the type as its bits.
static APInt randomBits(Type type, std::mt19937_64 &random) {
  unsigned width = type.getIntOrFloatBitWidth();
  auto floating = dyn_cast<FloatType>(type);
  if (!floating)
    // Small, because large integers are indices that must be within a table.
    return APInt(width, random() & 1);
  APFloat value(static_cast<double>(random() >> 11) * 0x1p-52 - 1);
  bool losesInfo;
  value.convert(floating.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.bitcastToAPInt();
}

static ElementsAttr randomValue(ShapedType type, uint64_t seed) {
  std::mt19937_64 random(seed);
  Type element = type.getElementType();
  int64_t count = type.getNumElements();
  if (element.isInteger(1)) {
    SmallVector<bool> bits(count);
    for (bool &bit : bits)
      bit = random() & 1;
    return DenseElementsAttr::get(type, bits);
  }
  unsigned bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  std::vector<char> data(count * bytes);
  for (int64_t i = 0; i < count; ++i) {
    APInt bits = randomBits(element, random);
    std::memcpy(&data[i * bytes], bits.getRawData(), bytes);
  }
  AsmResourceBlob blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(
      ArrayRef<char>(data.data(), data.size()), /*align=*/64);
  return DenseResourceElementsAttr::get(type, "seeded", std::move(blob));
}

void ferrule::expandSeeds(ModuleOp module) {
  module.walk([](Operation *op) {
    auto seed = op->getAttrOfType<IntegerAttr>(kSeedAttr);
    StringRef name;
    ElementsAttr value = getValue(op, name);
    if (!seed || !value || !value.getElementType().isIntOrFloat())
      return;
    op->removeAttr(kSeedAttr);
    op->setAttr(name, randomValue(value.getShapedType(), seed.getInt()));
  });
}

/// The command that runs the stage on the file alone.
static std::string replayCommand(StringRef path, Stage stage,
                                 const CompileOptions &options) {
  std::string command = "ferrule-compile " + path.str() +
                        " --compile-to=" + stageName(stage).str() +
                        " -o " + path.str() + ".out --kernel-cache=off";
  command += " --opt-level=" + std::to_string(options.optLevel);
  command += " --target=" + options.target + " --target-cpu=";
  command += llvm::join(options.targetCPUs, ",");
  for (const auto &[name, value] : options.targetOptions)
    command += " --target-option=" + name + "=" + value;
  return command;
}

void ferrule::reportInternalFailure(ModuleOp before, Stage stage,
                                    const CompileOptions &options) {
  replaceWeightsBySeeds(before);
  auto report = [&]() -> InFlightDiagnostic {
    return emitError(UnknownLoc::get(before.getContext()))
           << "internal failure in the stage '" << stageName(stage) << "': ";
  };
  SmallString<128> path;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("ferrule-repro", path)) {
    report() << "no repro could be written to the temporary folder: "
             << error.message();
    return;
  }
  llvm::sys::path::append(path, ("before-" + stageName(stage) + ".mlir").str());
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file) {
    report() << "no repro could be written: " << message;
    return;
  }
  before.print(file->os(), OpPrintingFlags().enableDebugInfo());
  file->os() << "\n";
  file->keep();
  report() << "this is a fault of Ferrule's, please report it with the file "
           << path.str() << " (it holds no weights), which fails again by: "
           << replayCommand(path, stage, options);
}
