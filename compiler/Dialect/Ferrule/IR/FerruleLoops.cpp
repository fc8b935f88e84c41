#include "compiler/Dialect/Ferrule/IR/FerruleLoops.h"

using namespace mlir;
using namespace ferrule::ext;

Value LoopBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(*this, value);
}
Value LoopBuilder::add(Value a, Value b) {
  return arith::AddIOp::create(*this, a, b);
}
Value LoopBuilder::sub(Value a, Value b) {
  return arith::SubIOp::create(*this, a, b);
}
Value LoopBuilder::mul(Value a, Value b) {
  return arith::MulIOp::create(*this, a, b);
}
Value LoopBuilder::min(Value a, Value b) {
  return arith::MinSIOp::create(*this, a, b);
}
Value LoopBuilder::less(Value a, Value b) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::slt, a, b);
}
Value LoopBuilder::lessEqual(Value a, Value b) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::sle, a, b);
}
Value LoopBuilder::dim(Value memref, int64_t d) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.isDynamicDim(d))
    return index(type.getDimSize(d));
  return memref::DimOp::create(*this, memref, d);
}
Value LoopBuilder::load(Value memref, ValueRange at) {
  return memref::LoadOp::create(*this, memref, at);
}
void LoopBuilder::store(Value value, Value memref, ValueRange at) {
  memref::StoreOp::create(*this, value, memref, at);
}

void LoopBuilder::loop(Value from, Value to, Value step,
                       function_ref<void(Value)> body) {
  auto op = scf::ForOp::create(*this, from, to, step);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(op.getBody());
  body(op.getInductionVar());
}

SmallVector<Value> LoopBuilder::loop(
    Value from, Value to, ValueRange inits,
    function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto op = scf::ForOp::create(*this, from, to, index(1), inits);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(op.getBody());
  SmallVector<Value> next = body(op.getInductionVar(), op.getRegionIterArgs());
  scf::YieldOp::create(*this, next);
  return op.getResults();
}

void LoopBuilder::loopOver(Value memref, ArrayRef<int64_t> dims,
                           function_ref<void(SmallVector<Value>)> body) {
  OpBuilder::InsertionGuard guard(*this);
  SmallVector<Value> at(cast<MemRefType>(memref.getType()).getRank());
  Value zero = index(0), one = index(1);
  for (int64_t d : dims) {
    auto op = scf::ForOp::create(*this, zero, dim(memref, d), one);
    setInsertionPointToStart(op.getBody());
    at[d] = op.getInductionVar();
  }
  body(at);
}

SmallVector<Value> LoopBuilder::whileLoop(
    ValueRange inits, function_ref<Value(ValueRange)> condition,
    function_ref<SmallVector<Value>(ValueRange)> body) {
  // The op's callbacks run with this very builder inside its blocks.
  auto op = scf::WhileOp::create(
      *this, inits.getTypes(), inits,
      [&](OpBuilder &, Location, ValueRange values) {
        Value proceed = condition(values);
        scf::ConditionOp::create(*this, proceed, values);
      },
      [&](OpBuilder &, Location, ValueRange values) {
        SmallVector<Value> next = body(values);
        scf::YieldOp::create(*this, next);
      });
  return op.getResults();
}

Value LoopBuilder::both(Value first, function_ref<Value()> second) {
  auto op = scf::IfOp::create(*this, TypeRange{getI1Type()}, first,
                              /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(op.thenBlock());
  scf::YieldOp::create(*this, second());
  setInsertionPointToStart(op.elseBlock());
  scf::YieldOp::create(*this, first);
  return op.getResult(0);
}

void LoopBuilder::when(Value condition, function_ref<void()> body) {
  auto op = scf::IfOp::create(*this, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(op.thenBlock());
  body();
}

SmallVector<Value> LoopBuilder::inlineBlock(Region &region,
                                            ValueRange arguments) {
  Block &block = region.front();
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator())
    clone(op, mapping);
  SmallVector<Value> yielded;
  for (Value value : block.getTerminator()->getOperands())
    yielded.push_back(mapping.lookupOrDefault(value));
  return yielded;
}
