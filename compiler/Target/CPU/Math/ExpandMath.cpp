// Mathematical functions as inline code.
#include "compiler/Target/CPU/Math/ExpandMath.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace ferrule;

LogicalResult cpu::expandMath(func::FuncOp kernel) {
  MLIRContext *context = kernel.getContext();
  RewritePatternSet patterns(context);
  populateMathF32ExpansionPatterns(patterns, [](StringRef) { return true; });
  populateMathPolynomialApproximationPatterns(patterns,
                                              [](StringRef) { return true; });
  arith::populateExpandBFloat16Patterns(patterns);
  return applyPatternsGreedily(kernel, std::move(patterns));
}
