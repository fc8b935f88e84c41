// The body of a linalg op on vectors of points.
#include "compiler/Target/CPU/Contraction/VectorBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ferrule::cpu;

bool ferrule::cpu::hasVectorElements(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isInteger(1) || element.isIndex() ||
         (element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0);
}

bool ferrule::cpu::hasVectorForm(linalg::LinalgOp op) {
  WalkResult result = op.getBlock()->walk([](Operation *inner) {
    if (isa<linalg::YieldOp, linalg::IndexOp, arith::ConstantOp>(inner))
      return WalkResult::advance();
    bool fine = OpTrait::hasElementwiseMappableTraits(inner) &&
                llvm::all_of(inner->getResultTypes(), [](Type type) {
                  return type.isIntOrIndexOrFloat();
                });
    return fine ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

int64_t ferrule::cpu::countLanes(linalg::LinalgOp op, unsigned vectorBits) {
  unsigned widest = 32;
  for (Value operand : op->getOperands()) {
    Type element = getElementTypeOrSelf(operand.getType());
    widest = std::max(widest,
                      element.isIndex() ? 64 : element.getIntOrFloatBitWidth());
  }
  return vectorBits / widest;
}

VectorBody::VectorBody(OpBuilder &builder, linalg::LinalgOp op, unsigned lane)
    : nest(builder, op), builder(builder), loc(op.getLoc()), op(op), lane(lane),
      indices(op.getNumLoops()) {}

Value VectorBody::widen(Value value, int64_t count) {
  if (count == 1 || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      builder, loc, VectorType::get(count, value.getType()), value);
}

Value VectorBody::read(OpOperand &operand, int64_t count) {
  if (count > 1 && getLaneAccess(op, operand, lane) == LaneAccess::Contiguous)
    return nest.loadVector(operand, indices, count);
  return widen(nest.load(operand, indices), count);
}

Value VectorBody::readIndex(unsigned loop, int64_t count) {
  Value value = widen(indices[loop], count);
  if (loop != lane || count == 1)
    return value;
  Value steps = vector::StepOp::create(
      builder, loc, VectorType::get(count, builder.getIndexType()));
  return arith::AddIOp::create(builder, loc, value, steps);
}

void VectorBody::cloneBody(IRMapping &map, int64_t count) {
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      map.map(index.getResult(), readIndex(index.getDim(), count));
      continue;
    }
    if (isa<arith::ConstantOp>(inner)) {
      Operation *copy = builder.clone(inner);
      map.map(inner.getResult(0), widen(copy->getResult(0), count));
      continue;
    }
    for (Value operand : inner.getOperands())
      map.map(operand, widen(map.lookupOrDefault(operand), count));
    Operation *copy = builder.clone(inner, map);
    if (count > 1)
      for (Value result : copy->getResults())
        result.setType(VectorType::get(count, result.getType()));
  }
}

Value VectorBody::wholePart(unsigned loop, int64_t step) {
  Value size = nest.getSizes()[loop];
  if (std::optional<int64_t> known = getConstantIntValue(size))
    return nest.index(*known / step * step);
  Value rest = arith::RemUIOp::create(builder, loc, size, nest.index(step));
  return arith::SubIOp::create(builder, loc, size, rest);
}

void VectorBody::loopOver(unsigned loop, Value from, Value to, int64_t step,
                          function_ref<void()> body) {
  nest.loop(from, to, step, [&](Value iv) {
    indices[loop] = iv;
    body();
  });
}
