// Verifiers, memory effects and result shapes.
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"

using namespace mlir;
using namespace ferrule::ext;

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void collectEffects(DestinationStyleOpInterface op, Effects &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool isInit = op.isDpsInit(&operand);
    if (!isInit || isa<ScatterOp>(op.getOperation()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isInit)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

static LogicalResult reifyFromInits(DestinationStyleOpInterface op,
                                    OpBuilder &builder,
                                    ReifiedRankedShapedTypeDims &shapes) {
  if (!op.hasPureTensorSemantics())
    return failure();
  for (Value init : op.getDpsInits())
    shapes.push_back(tensor::getMixedSizes(builder, op->getLoc(), init));
  return success();
}

/// Every op of the dialect has these two in common.
#define FERRULE_COMMON_METHODS(Op)                                             \
  void Op::getEffects(Effects &effects) { collectEffects(*this, effects); }    \
  LogicalResult Op::reifyResultShapes(OpBuilder &builder,                      \
                                      ReifiedRankedShapedTypeDims &shapes) {   \
    return reifyFromInits(*this, builder, shapes);                             \
  }
FERRULE_COMMON_METHODS(ScatterOp)
FERRULE_COMMON_METHODS(SortOp)
FERRULE_COMMON_METHODS(TopKOp)
FERRULE_COMMON_METHODS(ScanOp)
FERRULE_COMMON_METHODS(FftOp)
FERRULE_COMMON_METHODS(CholeskyOp)
FERRULE_COMMON_METHODS(TriangularSolveOp)
FERRULE_COMMON_METHODS(WinogradInputOp)
FERRULE_COMMON_METHODS(WinogradOutputOp)
#undef FERRULE_COMMON_METHODS

static LogicalResult verifyCounts(Operation *op, size_t inputs,
                                  size_t wantInputs, size_t outputs,
                                  size_t wantOutputs) {
  if (inputs != wantInputs || outputs != wantOutputs)
    return op->emitOpError("has ")
           << inputs << " inputs and " << outputs << " outs, expected "
           << wantInputs << " and " << wantOutputs;
  return success();
}

static LogicalResult verifyDimension(Operation *op, int64_t dimension) {
  int64_t rank = cast<ShapedType>(op->getOperand(0).getType()).getRank();
  if (dimension < 0 || dimension >= rank)
    return op->emitOpError("works along dimension ")
           << dimension << ", but its operand has rank " << rank;
  return success();
}

/// The region takes `arguments` scalars and yields `yields` of them.
static LogicalResult verifyRegion(Operation *op, Region &region,
                                  size_t arguments, size_t yields) {
  Block &block = region.front();
  size_t found = block.getTerminator()->getNumOperands();
  if (block.getNumArguments() != arguments || found != yields)
    return op->emitOpError("has a region of ")
           << block.getNumArguments() << " arguments that yields " << found
           << " values, expected " << arguments << " and " << yields;
  return success();
}

LogicalResult ScatterOp::verify() {
  size_t n = getOutputs().size();
  if (failed(verifyCounts(*this, getInputs().size(), n + 1, n, n)))
    return failure();
  return verifyRegion(*this, getRegion(), 2 * n, n);
}

LogicalResult SortOp::verify() {
  size_t n = getInputs().size();
  if (failed(verifyCounts(*this, n, n, getOutputs().size(), 2 * n)) ||
      failed(verifyDimension(*this, getDimension())))
    return failure();
  return verifyRegion(*this, getRegion(), 2 * n, 1);
}

LogicalResult TopKOp::verify() {
  if (failed(verifyCounts(*this, getInputs().size(), 1, getOutputs().size(),
                          2)))
    return failure();
  return verifyDimension(*this, getDimension());
}

LogicalResult ScanOp::verify() {
  size_t n = getOutputs().size();
  if (failed(verifyCounts(*this, getInputs().size(), 2 * n, n, n)) ||
      failed(verifyDimension(*this, getDimension())))
    return failure();
  return verifyRegion(*this, getRegion(), 2 * n, n);
}

LogicalResult FftOp::verify() {
  if (failed(verifyCounts(*this, getInputs().size(), 2, getOutputs().size(),
                          2)) ||
      failed(verifyDimension(*this, getDimension())))
    return failure();
  auto type = cast<ShapedType>(getInputs()[0].getType());
  if (!isa<ComplexType>(type.getElementType()))
    return emitOpError("expects complex elements, found ")
           << type.getElementType();
  if (type.isDynamicDim(getDimension()))
    return emitOpError("expects rows of static size");
  return success();
}

LogicalResult CholeskyOp::verify() {
  return verifyCounts(*this, getInputs().size(), 1, getOutputs().size(), 1);
}

LogicalResult TriangularSolveOp::verify() {
  return verifyCounts(*this, getInputs().size(), 2, getOutputs().size(), 1);
}
