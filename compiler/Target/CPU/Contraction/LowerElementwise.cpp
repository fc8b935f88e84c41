// Elementwise ops on buffers as vector code.
#include "compiler/Target/CPU/Contraction/LoopNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ferrule::cpu;

namespace {

bool isWholeByte(Type type) {
  Type element = getElementTypeOrSelf(type);
  return (element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0) ||
         element.isIndex();
}

/// The loop along which every operand is contiguous or does not move.
std::optional<unsigned> findLane(linalg::LinalgOp op) {
  if (op.getNumLoops() == 0 || op.getNumLoops() != op.getNumParallelLoops())
    return std::nullopt;
  OpOperand &out = *op.getDpsInitOperand(0);
  AffineMap map = op.getMatchingIndexingMap(&out);
  auto last = map.getNumResults()
                  ? dyn_cast<AffineDimExpr>(map.getResults().back())
                  : AffineDimExpr(nullptr);
  if (!last)
    return std::nullopt;
  unsigned lane = last.getPosition();
  for (OpOperand &operand : op->getOpOperands()) {
    LaneAccess access = getLaneAccess(op, operand, lane);
    if (access == LaneAccess::Other || !isWholeByte(operand.get().getType()) ||
        (op.isDpsInit(&operand) && access != LaneAccess::Contiguous))
      return std::nullopt;
  }
  return lane;
}

bool hasVectorForm(linalg::LinalgOp op) {
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

class ElementwiseLowering {
public:
  ElementwiseLowering(OpBuilder &builder, linalg::LinalgOp op, unsigned lane,
                      int64_t lanes)
      : nest(builder, op), builder(builder), loc(op.getLoc()), op(op),
        lane(lane), lanes(lanes), indices(op.getNumLoops()) {}

  void build() { buildLoop(0); }

private:
  void buildLoop(unsigned loop) {
    if (loop == lane)
      return buildLoop(loop + 1);
    if (loop == indices.size())
      return buildLane();
    nest.loop(nest.index(0), nest.getSizes()[loop], 1, [&](Value iv) {
      indices[loop] = iv;
      buildLoop(loop + 1);
    });
  }

  void buildLane() {
    Value size = nest.getSizes()[lane];
    std::optional<int64_t> known = getConstantIntValue(size);
    Value whole;
    if (known) {
      whole = nest.index(*known / lanes * lanes);
    } else {
      Value rest = arith::RemUIOp::create(builder, loc, size,
                                          nest.index(lanes));
      whole = arith::SubIOp::create(builder, loc, size, rest);
    }
    nest.loop(nest.index(0), whole, lanes, [&](Value iv) {
      indices[lane] = iv;
      buildBody(lanes);
    });
    if (known && *known % lanes == 0)
      return;
    nest.loop(whole, size, 1, [&](Value iv) {
      indices[lane] = iv;
      buildBody(1);
    });
  }

  Value widen(Value value, int64_t count) {
    if (count == 1 || isa<VectorType>(value.getType()))
      return value;
    return vector::BroadcastOp::create(
        builder, loc, VectorType::get(count, value.getType()), value);
  }

  Value readIndex(unsigned loop, int64_t count) {
    Value value = widen(indices[loop], count);
    if (loop != lane || count == 1)
      return value;
    Value steps = vector::StepOp::create(
        builder, loc, VectorType::get(count, builder.getIndexType()));
    return arith::AddIOp::create(builder, loc, value, steps);
  }

  void buildBody(int64_t count) {
    IRMapping map;
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      if (argument.use_empty())
        continue;
      bool contiguous = count > 1 && getLaneAccess(op, operand, lane) ==
                                         LaneAccess::Contiguous;
      map.map(argument, contiguous
                            ? nest.loadVector(operand, indices, count)
                            : widen(nest.load(operand, indices), count));
    }
    for (Operation &inner : op.getBlock()->without_terminator())
      cloneWide(inner, map, count);
    for (auto [init, yielded] :
         llvm::zip_equal(op.getDpsInitsMutable(),
                         op.getBlock()->getTerminator()->getOperands()))
      nest.store(widen(map.lookupOrDefault(yielded), count), init, indices);
  }

  void cloneWide(Operation &inner, IRMapping &map, int64_t count) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      map.map(index.getResult(), readIndex(index.getDim(), count));
      return;
    }
    if (isa<arith::ConstantOp>(inner)) {
      Operation *copy = builder.clone(inner);
      map.map(inner.getResult(0), widen(copy->getResult(0), count));
      return;
    }
    for (Value operand : inner.getOperands())
      map.map(operand, widen(map.lookupOrDefault(operand), count));
    Operation *copy = builder.clone(inner, map);
    if (count == 1)
      return;
    for (Value result : copy->getResults())
      result.setType(VectorType::get(count, result.getType()));
  }

  LoopNest nest;
  OpBuilder &builder;
  Location loc;
  linalg::LinalgOp op;
  unsigned lane;
  int64_t lanes;
  SmallVector<Value> indices;
};

} // namespace

LogicalResult ferrule::cpu::lowerElementwise(OpBuilder &builder,
                                             linalg::LinalgOp op,
                                             unsigned vectorBits) {
  std::optional<unsigned> lane = findLane(op);
  if (!lane || !hasVectorForm(op))
    return failure();
  unsigned widest = 32;
  for (OpOperand &operand : op->getOpOperands()) {
    Type element = getElementTypeOrSelf(operand.get().getType());
    widest = std::max(
        widest, element.isIndex() ? 64 : element.getIntOrFloatBitWidth());
  }
  ElementwiseLowering(builder, op, *lane, vectorBits / widest).build();
  return success();
}
