#include "compiler/Target/Reference/LowerReferenceKernels/LowerReferenceKernels.h"
#include "compiler/Conversion/FerruleToLoops/FerruleToLoops.h"
#include "compiler/Target/Target.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Threading.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

namespace ferrule {
#define GEN_PASS_DEF_LOWERREFERENCEKERNELS
#include "compiler/Target/Reference/LowerReferenceKernels/LowerReferenceKernels.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;

namespace {

/// softmax and its like -> the ops they stand for
struct Decompose : OpInterfaceRewritePattern<linalg::AggregatedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::AggregatedOpInterface op,
                                PatternRewriter &rewriter) const override {
    FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
    if (failed(values))
      return rewriter.notifyMatchFailure(op, "it does not decompose");
    rewriter.replaceOp(op, *values);
    return success();
  }
};

/// The arguments become buffers; results are written into the outs.
void rewriteSignature(func::FuncOp kernel) {
  Block &body = kernel.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Location loc = kernel.getLoc();
  unsigned shaped = llvm::count_if(kernel.getArgumentTypes(),
                                   llvm::IsaPred<RankedTensorType>);
  unsigned firstOut = shaped - kernel.getNumResults();
  for (BlockArgument argument : body.getArguments().take_front(shaped)) {
    auto type = cast<RankedTensorType>(argument.getType());
    argument.setType(MemRefType::get(type.getShape(), type.getElementType()));
    auto tensor = bufferization::ToTensorOp::create(
        builder, loc, type, argument, /*restrict=*/true,
        /*writable=*/argument.getArgNumber() >= firstOut);
    argument.replaceAllUsesExcept(tensor, tensor);
  }
  auto returned = cast<func::ReturnOp>(body.getTerminator());
  builder.setInsertionPoint(returned);
  for (auto [i, value] : llvm::enumerate(returned.getOperands())) {
    auto materialize = bufferization::MaterializeInDestinationOp::create(
        builder, loc, value, body.getArgument(firstOut + i));
    materialize.setWritable(true);
    materialize.setRestrict(true);
  }
  returned->setOperands({});
  kernel.setFunctionType(
      FunctionType::get(kernel.getContext(), body.getArgumentTypes(), {}));
  kernel.removeResAttrsAttr();
  kernel.removeArgAttrsAttr();
}

LogicalResult bufferize(func::FuncOp kernel) {
  bufferization::OneShotBufferizationOptions options;
  options.allowUnknownOps = false;
  // Constants become globals of the module, which kernels share.
  bufferization::BufferizationState state;
  return bufferization::runOneShotBufferize(kernel, options, state);
}

struct LowerReferenceKernels
    : ferrule::impl::LowerReferenceKernelsBase<LowerReferenceKernels> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::StringSet<> names;
    for (func::FuncOp kernel : kernelsOf(module, "reference")) {
      names.insert(kernel.getName());
      if (failed(reference::lowerKernel(kernel)))
        return signalPassFailure();
    }
    module.walk([&](byre::DispatchOp launch) {
      if (!names.contains(launch.getKernel()))
        return;
      OpBuilder builder(launch);
      launch.getWorkgroupsMutable().assign(
          arith::ConstantIndexOp::create(builder, launch.getLoc(), 1));
    });
  }
};

} // namespace

LogicalResult reference::lowerKernel(func::FuncOp kernel) {
  MLIRContext *context = kernel.getContext();
  RewritePatternSet patterns(context);
  patterns.add<Decompose>(context);
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  if (failed(applyPatternsGreedily(kernel, std::move(patterns))))
    return kernel.emitOpError("expected a kernel that can be decomposed");
  rewriteSignature(kernel);
  if (failed(bufferize(kernel)))
    return kernel.emitOpError("expected a kernel that can be bufferized");
  PassManager manager(context, func::FuncOp::getOperationName());
  manager.addPass(createConvertLinalgToLoopsPass());
  manager.addPass(createConvertFerruleToLoops());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createConvertComplexToStandardPass());
  manager.addPass(createCanonicalizerPass());
  return manager.run(kernel);
}
