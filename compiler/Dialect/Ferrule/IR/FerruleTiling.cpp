// Tiling of row ops over all dimensions but the row's, so that rows can be
// spread over threads.
#include "compiler/Dialect/Ferrule/IR/FerruleLoops.h"

using namespace mlir;
using namespace ferrule::ext;

SmallVector<int64_t> SortOp::getRowDims() {
  return {static_cast<int64_t>(getDimension())};
}
SmallVector<int64_t> TopKOp::getRowDims() {
  return {static_cast<int64_t>(getDimension())};
}
SmallVector<int64_t> ScanOp::getRowDims() {
  return {static_cast<int64_t>(getDimension())};
}
SmallVector<int64_t> FftOp::getRowDims() {
  return {static_cast<int64_t>(getDimension())};
}
static SmallVector<int64_t> lastTwo(Value value) {
  int64_t rank = cast<ShapedType>(value.getType()).getRank();
  return {rank - 2, rank - 1};
}
SmallVector<int64_t> CholeskyOp::getRowDims() { return lastTwo(getInputs()[0]); }
SmallVector<int64_t> TriangularSolveOp::getRowDims() {
  return lastTwo(getInputs()[0]);
}
bool ScanOp::isRowOperand(unsigned number) {
  size_t n = getOutputs().size();
  return number < n || number >= 2 * n;
}
bool FftOp::isRowOperand(unsigned number) { return number != 1; }

SmallVector<int64_t> ferrule::ext::getBatchDims(RowOpInterface op) {
  SmallVector<int64_t> row = op.getRowDims();
  int64_t rank = cast<ShapedType>(op->getOperand(0).getType()).getRank();
  SmallVector<int64_t> dims;
  for (int64_t i = 0; i < rank; ++i)
    if (!llvm::is_contained(row, i))
      dims.push_back(i);
  return dims;
}

static OpFoldResult sizeOf(OpBuilder &b, Location loc, Value value,
                           int64_t dim) {
  if (isa<MemRefType>(value.getType()))
    return memref::getMixedSize(b, loc, value, dim);
  return tensor::getMixedSize(b, loc, value, dim);
}

static SmallVector<Range> iterationDomain(RowOpInterface op, OpBuilder &b) {
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  SmallVector<Range> ranges;
  for (int64_t dim : getBatchDims(op))
    ranges.push_back(
        {zero, sizeOf(b, op.getLoc(), op->getOperand(0), dim), one});
  return ranges;
}

/// Offsets and sizes of an operand's part that belongs to a tile.
static void operandTile(RowOpInterface op, OpBuilder &b, Value operand,
                        ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes,
                        SmallVectorImpl<OpFoldResult> &operandOffsets,
                        SmallVectorImpl<OpFoldResult> &operandSizes) {
  int64_t rank = cast<ShapedType>(operand.getType()).getRank();
  operandOffsets.assign(rank, b.getIndexAttr(0));
  operandSizes.resize(rank);
  for (int64_t dim : op.getRowDims())
    operandSizes[dim] = sizeOf(b, op.getLoc(), operand, dim);
  for (auto [i, dim] : llvm::enumerate(getBatchDims(op))) {
    operandOffsets[dim] = offsets[i];
    operandSizes[dim] = sizes[i];
  }
}

static FailureOr<TilingResult> tile(RowOpInterface op, OpBuilder &b,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes) {
  Location loc = op.getLoc();
  auto dps = cast<DestinationStyleOpInterface>(op.getOperation());
  SmallVector<Value> operands;
  SmallVector<Type> resultTypes;
  SmallVector<Operation *> slices;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (op.isRowOperand(operand.getOperandNumber())) {
      SmallVector<OpFoldResult> at, extent;
      operandTile(op, b, value, offsets, sizes, at, extent);
      SmallVector<OpFoldResult> ones(at.size(), b.getIndexAttr(1));
      if (isa<MemRefType>(value.getType()))
        value = memref::SubViewOp::create(b, loc, value, at, extent, ones);
      else
        value = tensor::ExtractSliceOp::create(b, loc, value, at, extent, ones);
      slices.push_back(value.getDefiningOp());
    }
    operands.push_back(value);
    if (dps.isDpsInit(&operand) && isa<TensorType>(value.getType()))
      resultTypes.push_back(value.getType());
  }
  Operation *tiled = mlir::clone(b, op, resultTypes, operands);
  return TilingResult{{tiled}, SmallVector<Value>(tiled->getResults()), slices};
}

#define FERRULE_ROW_TILING(Op)                                                 \
  SmallVector<utils::IteratorType> Op::getLoopIteratorTypes() {                \
    return SmallVector<utils::IteratorType>(getBatchDims(*this).size(),           \
                                            utils::IteratorType::parallel);    \
  }                                                                            \
  SmallVector<Range> Op::getIterationDomain(OpBuilder &b) {                    \
    return iterationDomain(*this, b);                                          \
  }                                                                            \
  FailureOr<TilingResult> Op::getTiledImplementation(                          \
      OpBuilder &b, ArrayRef<OpFoldResult> offsets,                            \
      ArrayRef<OpFoldResult> sizes) {                                          \
    return tile(*this, b, offsets, sizes);                                     \
  }                                                                            \
  LogicalResult Op::getResultTilePosition(                                     \
      OpBuilder &b, unsigned number, ArrayRef<OpFoldResult> offsets,           \
      ArrayRef<OpFoldResult> sizes,                                            \
      SmallVector<OpFoldResult> &resultOffsets,                                \
      SmallVector<OpFoldResult> &resultSizes) {                                \
    operandTile(*this, b, getOutputs()[number], offsets, sizes, resultOffsets, \
                resultSizes);                                                  \
    return success();                                                          \
  }
FERRULE_ROW_TILING(SortOp)
FERRULE_ROW_TILING(TopKOp)
FERRULE_ROW_TILING(ScanOp)
FERRULE_ROW_TILING(FftOp)
FERRULE_ROW_TILING(CholeskyOp)
FERRULE_ROW_TILING(TriangularSolveOp)
#undef FERRULE_ROW_TILING
