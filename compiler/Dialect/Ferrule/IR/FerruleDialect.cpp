#include "compiler/Dialect/Ferrule/IR/Ferrule.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace ferrule::ext;

#include "compiler/Dialect/Ferrule/IR/FerruleDialect.cpp.inc"
#include "compiler/Dialect/Ferrule/IR/FerruleInterfaces.cpp.inc"
#define GET_OP_CLASSES
#include "compiler/Dialect/Ferrule/IR/FerruleOps.cpp.inc"

void FerruleDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "compiler/Dialect/Ferrule/IR/FerruleOps.cpp.inc"
      >();
}

namespace {

/// The same op on the buffers of its operands.
template <typename OpT>
struct FerruleOpBufferization
    : public bufferization::DstBufferizableOpInterfaceExternalModel<
          FerruleOpBufferization<OpT>, OpT> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const bufferization::AnalysisState &) const {
    // Only a scatter needs what its destination held before.
    return isa<ScatterOp>(op) ||
           cast<DestinationStyleOpInterface>(op).isDpsInput(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const bufferization::BufferizationOptions &options,
                          bufferization::BufferizationState &state) const {
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<TensorType>(operand.get().getType())) {
        operands.push_back(operand.get());
        continue;
      }
      FailureOr<Value> buffer = bufferization::getBuffer(
          rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      operands.push_back(*buffer);
    }
    OperationState newState(op->getLoc(), op->getName(), operands, TypeRange(),
                            op->getAttrs());
    for ([[maybe_unused]] Region &region : op->getRegions())
      newState.addRegion();
    Operation *newOp = rewriter.create(newState);
    for (auto [from, to] : llvm::zip(op->getRegions(), newOp->getRegions()))
      rewriter.inlineRegionBefore(from, to, to.end());
    unsigned first = cast<DestinationStyleOpInterface>(newOp)
                         .getDpsInits().getBeginOperandIndex();
    bufferization::replaceOpWithBufferizedValues(
        rewriter, op, ValueRange(operands).drop_front(first));
    return success();
  }
};

template <typename... Ops> void attachBufferization(MLIRContext *context) {
  (Ops::template attachInterface<FerruleOpBufferization<Ops>>(*context), ...);
}

} // namespace

void ferrule::registerFerruleDialect(DialectRegistry &registry) {
  registry.insert<FerruleDialect>();
  registry.addExtension(+[](MLIRContext *context, FerruleDialect *) {
    attachBufferization<ScatterOp, SortOp, TopKOp, ScanOp, FftOp, CholeskyOp,
                        TriangularSolveOp, WinogradInputOp, WinogradOutputOp>(context);
  });
}

LogicalResult ferrule::ext::lowerToLoops(RewriterBase &rewriter,
                                         Operation *op) {
  auto loops = dyn_cast<LowerToLoopsOpInterface>(op);
  if (!loops)
    return op->emitOpError("has no lowering to loops");
  if (op->getNumResults() != 0)
    return op->emitOpError("must be bufferised before it becomes loops");
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  if (failed(loops.emitLoops(rewriter)))
    return failure();
  rewriter.eraseOp(op);
  return success();
}
