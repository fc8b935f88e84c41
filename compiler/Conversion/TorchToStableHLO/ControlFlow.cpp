// Branches and loops of the torch dialect.
#include "compiler/Conversion/TorchToStableHLO/Lowerer.h"
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Frontend/Support/Elementwise.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

LogicalResult Lowerer::lowerIf(PrimIfOp op) {
  auto types = llvm::map_to_vector(
      op.getResultTypes(), [](Type type) { return Type(toBuiltinType(type)); });
  if (llvm::is_contained(types, Type()))
    return op.emitOpError() << "has a result that is not a tensor or a number";
  FailureOr<Value> condition = mappedAs(
      op.getCondition(), toBuiltinType(op.getCondition().getType()), op);
  if (failed(condition))
    return failure();
  LogicalResult result = success();
  auto fill = [&](Region &region) {
    return [&, block = &region.front()](OpBuilder &inner, Location) {
      OpBuilder::InsertionGuard guard(b);
      b.restoreInsertionPoint(inner.saveInsertionPoint());
      SmallVector<Value> values;
      if (failed(lowerOps(*block)))
        result = failure();
      if (succeeded(result))
        for (auto [value, type] :
             llvm::zip(block->getTerminator()->getOperands(), types)) {
          FailureOr<Value> mapped =
              mappedAs(value, cast<RankedTensorType>(type), op);
          if (failed(mapped))
            result = failure();
          else
            values.push_back(*mapped);
        }
      stablehlo::ReturnOp::create(b, values);
    };
  };
  auto onTrue = fill(op.getThenRegion()), onFalse = fill(op.getElseRegion());
  auto made =
      stablehlo::IfOp::create(b, TypeRange(types), *condition, onTrue, onFalse);
  if (failed(result))
    return failure();
  for (auto [old, now] : llvm::zip(op.getResults(), made->getResults()))
    map.values[old] = now;
  return success();
}

LogicalResult Lowerer::lowerLoop(PrimLoopOp op) {
  // State: the iteration, whether to go on, the carried values.
  Block &block = op.getRegion().front();
  SmallVector<Value> state = {scalarInt(b, b.getI64Type(), 0)};
  auto add = [&](Value value, Type type) -> LogicalResult {
    RankedTensorType builtin = toBuiltinType(type);
    if (!builtin)
      return op.emitOpError() << "carries a value of type " << type
                              << ", expected tensors and numbers";
    FailureOr<Value> mapped = mappedAs(value, builtin, op);
    if (succeeded(mapped))
      state.push_back(*mapped);
    return mapped;
  };
  if (failed(add(op.getInitialCondition(), op.getInitialCondition().getType())))
    return failure();
  for (auto [init, arg] :
       llvm::zip(op.getIterArgsInit(), block.getArguments().drop_front()))
    if (failed(add(init, arg.getType())))
      return failure();
  FailureOr<Value> bound = mappedAs(
      op.getMaxTripCount(), toBuiltinType(op.getMaxTripCount().getType()), op);
  if (failed(bound))
    return failure();
  LogicalResult result = success();
  auto condition = [&](OpBuilder &inner, Location loc, ValueRange args) {
    HloBuilder body(loc, inner);
    Value more = compare(body, Direction::LT, args[0], *bound);
    stablehlo::ReturnOp::create(body, ValueRange{bitAnd(body, more, args[1])});
  };
  auto step = [&](OpBuilder &inner, Location, ValueRange args) {
    OpBuilder::InsertionGuard guard(b);
    b.restoreInsertionPoint(inner.saveInsertionPoint());
    map.values[block.getArgument(0)] = args[0];
    for (auto [old, now] :
         llvm::zip(block.getArguments().drop_front(), args.drop_front(2)))
      map.values[old] = now;
    if (failed(lowerOps(block)))
      result = failure();
    SmallVector<Value> next = {
        frontend::add(b, args[0], scalarInt(b, b.getI64Type(), 1))};
    auto values = block.getTerminator()->getOperands();
    for (auto [index, value] : llvm::enumerate(values)) {
      if (failed(result))
        break;
      FailureOr<Value> mapped = mappedAs(value, typeOf(state[index + 1]), op);
      if (failed(mapped))
        result = failure();
      else
        next.push_back(*mapped);
    }
    stablehlo::ReturnOp::create(b, next);
  };
  auto loop = stablehlo::WhileOp::create(b, state, condition, step);
  if (failed(result))
    return failure();
  for (auto [old, now] :
       llvm::zip(op.getResults(), loop->getResults().drop_front(2)))
    map.values[old] = now;
  return success();
}
