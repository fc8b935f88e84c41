// Loops over the points of a linalg op on buffers.
#include "compiler/Target/CPU/Contraction/LoopNest.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ferrule::cpu;

LoopNest::LoopNest(OpBuilder &builder, linalg::LinalgOp op)
    : builder(builder), loc(op.getLoc()), op(op) {
  AffineMap toLoops = op.getShapesToLoopsMap();
  SmallVector<OpFoldResult> shapes =
      op.createFlatListOfOperandDims(builder, loc);
  for (AffineExpr result : toLoops.getResults()) {
    OpFoldResult size = affine::makeComposedFoldedAffineApply(
        builder, loc, AffineMap::get(toLoops.getNumDims(), 0, result), shapes);
    sizes.push_back(getValueOrCreateConstantIndexOp(builder, loc, size));
  }
}

Value LoopNest::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value LoopNest::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}

void LoopNest::loop(Value from, Value to, int64_t step,
                    function_ref<void(Value)> body) {
  loop(from, to, step, {}, [&](Value iv, ValueRange) {
    body(iv);
    return SmallVector<Value>();
  });
}

SmallVector<Value>
LoopNest::loop(Value from, Value to, int64_t step, ValueRange carried,
               function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(builder, loc, from, to, index(step), carried);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = loop.getBody();
  if (!block->empty() && block->back().hasTrait<OpTrait::IsTerminator>())
    block->back().erase();
  builder.setInsertionPointToEnd(block);
  SmallVector<Value> results =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(builder, loc, results);
  return loop.getResults();
}

SmallVector<Value> LoopNest::locate(OpOperand &operand,
                                    ArrayRef<Value> indices) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<Value> position;
  for (AffineExpr result : map.getResults())
    position.push_back(affine::expandAffineExpr(builder, loc, result, indices,
                                                ValueRange{}));
  return position;
}

Value LoopNest::load(OpOperand &operand, ArrayRef<Value> indices) {
  if (!isa<MemRefType>(operand.get().getType()))
    return operand.get();
  return memref::LoadOp::create(builder, loc, operand.get(),
                                locate(operand, indices));
}

Value LoopNest::loadVector(OpOperand &operand, ArrayRef<Value> indices,
                           int64_t lanes) {
  Type element = getElementTypeOrSelf(operand.get().getType());
  return vector::LoadOp::create(builder, loc, VectorType::get(lanes, element),
                                operand.get(), locate(operand, indices));
}

void LoopNest::store(Value value, OpOperand &operand, ArrayRef<Value> indices) {
  SmallVector<Value> position = locate(operand, indices);
  if (isa<VectorType>(value.getType()))
    vector::StoreOp::create(builder, loc, value, operand.get(), position);
  else
    memref::StoreOp::create(builder, loc, value, operand.get(), position);
}

LaneAccess ferrule::cpu::getLaneAccess(linalg::LinalgOp op, OpOperand &operand,
                                       unsigned loop) {
  if (!isa<MemRefType>(operand.get().getType()))
    return LaneAccess::Invariant;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isFunctionOfDim(loop))
    return LaneAccess::Invariant;
  for (AffineExpr result : map.getResults().drop_back())
    if (result.isFunctionOfDim(loop))
      return LaneAccess::Other;
  int64_t offset;
  SmallVector<int64_t> strides;
  auto type = cast<MemRefType>(operand.get().getType());
  bool unit = succeeded(type.getStridesAndOffset(strides, offset)) &&
              !strides.empty() && strides.back() == 1;
  // A sum with other loops still moves by one element a step.
  AffineExpr last = map.getResults().back();
  AffineExpr dim = getAffineDimExpr(loop, op->getContext());
  AffineExpr rest =
      simplifyAffineExpr(last - dim, map.getNumDims(), map.getNumSymbols());
  return unit && !rest.isFunctionOfDim(loop) ? LaneAccess::Contiguous
                                             : LaneAccess::Other;
}
