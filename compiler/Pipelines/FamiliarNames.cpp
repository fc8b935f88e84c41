#include "compiler/Pipelines/FamiliarNames.h"
#include "compiler/Conversion/CHLOToStableHLO/CHLOToStableHLO.h"
#include "compiler/Conversion/StableHLOToLinalg/StableHLOToLinalg.h"
#include "compiler/Conversion/StableHLOToTOSA/StableHLOToTOSA.h"
#include "compiler/Transforms/CallComposites/CallComposites.h"
#include "compiler/Transforms/ConvertToSignless/ConvertToSignless.h"
#include "compiler/Transforms/ExpandComplex/ExpandComplex.h"
#include "compiler/Transforms/LowerQuantized/LowerQuantized.h"
#include "compiler/Transforms/ModernizeStableHLO/ModernizeStableHLO.h"
#include "compiler/Transforms/RefineArguments/RefineArguments.h"
#include "compiler/Transforms/SimplifyStableHLO/SimplifyStableHLO.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace ferrule;

namespace {
struct ArgumentTypes : PassPipelineOptions<ArgumentTypes> {
  ListOption<std::string> types{*this, "types",
                                llvm::cl::desc("The arguments' types")};
};
struct KeptComposites : PassPipelineOptions<KeptComposites> {
  ListOption<std::string> except{*this, "except",
                                 llvm::cl::desc("Composites that stay")};
};
} // namespace

void ferrule::registerFamiliarNames() {
  using Make = std::unique_ptr<Pass> (*)();
  static const std::pair<const char *, Make> names[] = {
      {"chlo-legalize-to-stablehlo", createConvertCHLOToStableHLO},
      {"stablehlo-legalize-to-linalg", createConvertStableHLOToLinalg},
      {"stablehlo-complex-math-expander", createExpandComplex},
      {"stablehlo-convert-to-signless", createConvertToSignless},
      {"stablehlo-legalize-to-tosa",
       [] { return createConvertStableHLOToTOSA(); }},
      {"stablehlo-legalize-deprecated-ops", createModernizeStableHLO},
      {"stablehlo-legalize-quant-to-math", createLowerQuantized},
      // One pass of Ferrule does what four do elsewhere.
      {"stablehlo-aggressive-folder", createSimplifyStableHLO},
      {"stablehlo-aggressive-simplification", createSimplifyStableHLO},
      {"stablehlo-canonicalize-dynamism", createSimplifyStableHLO},
      {"stablehlo-refine-shapes", createSimplifyStableHLO}};
  for (auto [name, make] : names)
    PassPipelineRegistration<>(
        name, "The pass of Ferrule that does what this name says",
        [make = make](OpPassManager &pm) { pm.addPass(make()); });
  PassPipelineRegistration<ArgumentTypes>(
      "stablehlo-refine-arguments", "Same as refine-arguments",
      [](OpPassManager &pm, const ArgumentTypes &options) {
        RefineArgumentsOptions pass;
        pass.types.assign(options.types.begin(), options.types.end());
        pm.addPass(createRefineArguments(pass));
      });
  PassPipelineRegistration<KeptComposites>(
      "stablehlo-legalize-composite-to-call", "Same as call-composites",
      [](OpPassManager &pm, const KeptComposites &options) {
        CallCompositesOptions pass;
        pass.except.assign(options.except.begin(), options.except.end());
        pm.addPass(createCallComposites(pass));
      });
}
