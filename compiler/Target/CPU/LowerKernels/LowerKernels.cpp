// The pass: lowers every kernel, once a variant.
#include "compiler/Target/CPU/LowerKernels/LowerKernels.h"
#include "compiler/Dialect/Byre/IR/Byre.h"
#include "compiler/Target/CPU/Image/Image.h"
#include "compiler/Target/Target.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Threading.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ferrule {
#define GEN_PASS_DEF_LOWERKERNELS
#include "compiler/Target/CPU/LowerKernels/LowerKernels.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;

namespace {

LogicalResult checkNoAllocation(func::FuncOp kernel) {
  WalkResult result = kernel.walk([](Operation *op) {
    if (isa<memref::AllocOp, memref::CopyOp>(op)) {
      op->emitError("expected a kernel without allocations and copies");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Views that are equal become one, and a copy onto itself goes away.
void simplify(func::FuncOp kernel) {
  MLIRContext *context = kernel.getContext();
  IRRewriter rewriter(context);
  RewritePatternSet patterns(context);
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (isa<memref::MemRefDialect, scf::SCFDialect, affine::AffineDialect,
            bufferization::BufferizationDialect>(name.getDialect()))
      name.getCanonicalizationPatterns(patterns, context);
  FrozenRewritePatternSet frozen(std::move(patterns));
  for (unsigned round = 0; round < 2; ++round) {
    (void)applyPatternsGreedily(kernel, frozen);
    DominanceInfo dominance(kernel);
    eliminateCommonSubExpressions(rewriter, dominance, kernel);
  }
  (void)applyPatternsGreedily(kernel, frozen);
}

LogicalResult lowerKernel(func::FuncOp kernel) {
  if (failed(cpu::bufferizeKernel(kernel)))
    return kernel.emitOpError("expected a kernel that can be bufferized");
  simplify(kernel);
  if (failed(cpu::placeAllocations(kernel)))
    return failure();
  cpu::lowerWorkgroups(kernel);
  FailureOr<cpu::Variant> variant = cpu::resolveVariant(
      kernel->getAttrOfType<StringAttr>(cpu::kVariantAttr).getValue());
  if (failed(variant))
    return kernel.emitOpError("expected a CPU that kernels can be compiled for, found ")
           << kernel->getAttr(cpu::kVariantAttr);
  if (failed(cpu::lowerToLoops(kernel, variant->vectorBits)))
    return failure();
  cpu::widenBooleans(kernel);
  RewritePatternSet patterns(kernel.getContext());
  memref::populateFoldMemRefAliasOpPatterns(patterns);
  (void)applyPatternsGreedily(kernel, std::move(patterns));
  return checkNoAllocation(kernel);
}

struct LowerKernels : ferrule::impl::LowerKernelsBase<LowerKernels> {
  using LowerKernelsBase::LowerKernelsBase;
  void runOnOperation() override {
    SmallVector<func::FuncOp> kernels = kernelsOf(getOperation(), "cpu");
    if (failed(addVariants(kernels)) ||
        failed(failableParallelForEach(&getContext(), kernels, lowerKernel)))
      signalPassFailure();
  }

  /// Gives every CPU after the first a copy of each kernel.
  LogicalResult addVariants(SmallVectorImpl<func::FuncOp> &kernels) {
    SmallVector<StringRef> names(cpus.begin(), cpus.end());
    if (names.empty())
      names.push_back("x86-64-v3");
    OpBuilder builder(&getContext());
    unsigned count = kernels.size();
    for (unsigned i = 0; i < count; ++i) {
      func::FuncOp kernel = kernels[i];
      builder.setInsertionPointAfter(kernel);
      for (StringRef name : llvm::drop_begin(names)) {
        auto copy = cast<func::FuncOp>(builder.clone(*kernel));
        copy.setName((kernel.getName() + "." + name).str());
        copy->setAttr(cpu::kVariantAttr, builder.getStringAttr(name));
        kernels.push_back(copy);
      }
      kernel->setAttr(cpu::kVariantAttr, builder.getStringAttr(names.front()));
    }
    return success();
  }
};

} // namespace
