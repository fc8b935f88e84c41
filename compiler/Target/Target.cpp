// The registry of targets, and whose kernel is whose.
#include "compiler/Target/Target.h"
#include "compiler/AllTargets.h.inc"
#include <mutex>

using namespace mlir;
using namespace ferrule;

Target::~Target() = default;

std::string Target::checkOptions(const TargetOptions &options) const {
  if (options.values.empty())
    return "";
  return "unknown option '" + options.values.begin()->first + "' of target '" +
         name().str() + "', which has none";
}

namespace {
struct Registry {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Target>, std::less<>> targets;

  Registry() {
    for (std::unique_ptr<Target> &target : createFolderTargets()) {
      std::string name = target->name().str();
      targets[name] = std::move(target);
    }
  }
};
} // namespace

static Registry &registry() {
  static Registry instance;
  return instance;
}

bool ferrule::registerTarget(std::unique_ptr<Target> target) {
  Registry &known = registry();
  std::lock_guard<std::mutex> lock(known.mutex);
  std::string name = target->name().str();
  return known.targets.try_emplace(name, std::move(target)).second;
}

const Target *ferrule::findTarget(StringRef name) {
  Registry &known = registry();
  std::lock_guard<std::mutex> lock(known.mutex);
  auto found = known.targets.find(std::string_view(name));
  return found == known.targets.end() ? nullptr : found->second.get();
}

std::string ferrule::listTargets() {
  Registry &known = registry();
  std::lock_guard<std::mutex> lock(known.mutex);
  return llvm::join(llvm::make_first_range(known.targets), ", ");
}

SmallVector<const Target *> ferrule::targetsOf(StringRef name) {
  SmallVector<const Target *> targets;
  while (const Target *target = findTarget(name)) {
    if (llvm::is_contained(targets, target))
      break;
    targets.push_back(target);
    // A target that takes everything need not have a fallback.
    name = target->fallback();
    if (name.empty() || targets.size() == 2)
      break;
  }
  return targets;
}

SmallVector<func::FuncOp> ferrule::kernelsOf(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> kernels;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!byre::isKernel(function) || function.isDeclaration())
      continue;
    auto target = function->getAttrOfType<StringAttr>(kTargetAttr);
    if (!target || target.getValue() == name)
      kernels.push_back(function);
  }
  return kernels;
}

LogicalResult ferrule::assignTargets(ModuleOp module, const Target &target) {
  OpBuilder builder(module.getContext());
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!byre::isKernel(function) || function.isDeclaration())
      continue;
    StringRef name = target.name();
    if (!target.takesKernel(function)) {
      name = target.fallback();
      if (!findTarget(name))
        return function.emitOpError("is declined by target '")
               << target.name() << "', whose fallback '" << name
               << "' does not exist";
    }
    function->setAttr(kTargetAttr, builder.getStringAttr(name));
  }
  return success();
}
