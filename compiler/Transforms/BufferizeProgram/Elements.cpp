// Scalars in and out of tensors, and sizes.
#include "compiler/Transforms/BufferizeProgram/ProgramBufferizer.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::byre;

LogicalResult ProgramBufferizer::bufferizeExtract(tensor::ExtractOp op,
                                                  OpBuilder &builder) {
  FailureOr<Value> buffer = read(op.getTensorMutable(), builder);
  if (failed(buffer))
    return failure();
  SmallVector<Value> indices = llvm::map_to_vector(
      op.getIndices(), [&](Value index) { return scalars.lookup(index); });
  Value loaded = memref::LoadOp::create(builder, op.getLoc(), *buffer, indices);
  scalars.map(op.getResult(), loaded);
  return success();
}

LogicalResult ProgramBufferizer::bufferizeInsert(tensor::InsertOp op,
                                                 OpBuilder &builder) {
  FailureOr<Place> place = write(op.getDestMutable(), builder);
  if (failed(place))
    return failure();
  SmallVector<Value> indices = llvm::map_to_vector(
      op.getIndices(), [&](Value index) { return scalars.lookup(index); });
  memref::StoreOp::create(builder, op.getLoc(), scalars.lookup(op.getScalar()),
                          place->buffer, indices);
  alias(op.getResult(), *place);
  return success();
}

LogicalResult
ProgramBufferizer::bufferizeFromElements(tensor::FromElementsOp op,
                                         OpBuilder &builder) {
  FailureOr<Place> place =
      allocate(op.getResult(), op->getBlock(), builder, op.getLoc());
  if (failed(place))
    return failure();
  ArrayRef<int64_t> shape = op.getType().getShape();
  SmallVector<int64_t> strides = computeStrides(shape);
  for (auto [position, element] : llvm::enumerate(op.getElements())) {
    SmallVector<Value> indices;
    for (int64_t index : delinearize(position, strides))
      indices.push_back(
          arith::ConstantIndexOp::create(builder, op.getLoc(), index));
    memref::StoreOp::create(builder, op.getLoc(), scalars.lookup(element),
                            place->buffer, indices);
  }
  alias(op.getResult(), *place);
  return success();
}

LogicalResult ProgramBufferizer::bufferizeSplat(tensor::SplatOp op,
                                                OpBuilder &builder) {
  auto type = cast<MemRefType>(convertType(op.getType()));
  SmallVector<Value> sizes = llvm::map_to_vector(
      op.getDynamicSizes(), [&](Value size) { return scalars.lookup(size); });
  Value buffer = AllocOp::create(builder, op.getLoc(), type, sizes);
  FillOp::create(builder, op.getLoc(), scalars.lookup(op.getInput()), buffer);
  alias(op.getResult(), {buffer, addRoot(buffer, op->getBlock()), true});
  return success();
}

LogicalResult ProgramBufferizer::bufferizeDim(tensor::DimOp op,
                                              OpBuilder &builder) {
  std::optional<int64_t> index = op.getConstantIndex();
  auto type = dyn_cast<RankedTensorType>(op.getSource().getType());
  if (!index || !type || *index < 0 || *index >= type.getRank())
    return op.emitOpError("expected a constant index of a dimension of a "
                          "tensor of known rank");
  FailureOr<OpFoldResult> size =
      dim(op.getSource(), *index, builder, op.getLoc());
  if (failed(size))
    return failure();
  scalars.map(op.getResult(),
              getValueOrCreateConstantIndexOp(builder, op.getLoc(), *size));
  return success();
}
