#include "compiler/Frontend/ONNX/Loops.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/SizeOrigins.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

RankedTensorType ferrule::onnx::joinTypes(Type x, Type y) {
  auto first = cast<RankedTensorType>(x), second = cast<RankedTensorType>(y);
  if (first.getRank() != second.getRank() ||
      first.getElementType() != second.getElementType())
    return {};
  SmallVector<int64_t> shape;
  for (auto [m, n] : llvm::zip(first.getShape(), second.getShape()))
    shape.push_back(m == n ? m : ShapedType::kDynamic);
  return RankedTensorType::get(shape, first.getElementType());
}

Value ferrule::onnx::relaxType(HloBuilder &b, Value value,
                               RankedTensorType type) {
  if (value.getType() == type)
    return value;
  return stablehlo::DynamicReshapeOp::create(b, type, value,
                                             shapeTensor(b, sizesOf(b, value)));
}

namespace {

/// Builds the while op in two steps: the body first, with the carried values
/// alone, then the op again with the buffers that collect results.
class LoopEmitter {
public:
  LoopEmitter(NodeContext &op, std::optional<Size> trips, Value condition,
              ValueRange initial, LoopBody body)
      : op(op), b(op.b), trips(trips), condition(condition), initial(initial),
        body(body) {}

  FailureOr<LoopOutcome> emit();

private:
  Operation *createWhile(ValueRange operands);
  LogicalResult buildBody();
  void buildCondition();
  LogicalResult addBuffers();
  std::optional<Size> sizeOutside(Value value, int64_t dim);

  NodeContext &op;
  HloBuilder &b;
  std::optional<Size> trips;
  Value condition;
  SmallVector<Value> initial;
  LoopBody body;
  Operation *loop = nullptr;
  LoopStep step;
};

} // namespace

Operation *LoopEmitter::createWhile(ValueRange operands) {
  OperationState state(b.getLoc(), stablehlo::WhileOp::getOperationName());
  state.addOperands(operands);
  state.addTypes(TypeRange(operands));
  state.addRegion();
  state.addRegion();
  return b.create(state);
}

static void addBlock(Operation *loop, unsigned region) {
  Block *block = new Block();
  loop->getRegion(region).push_back(block);
  for (Type type : loop->getOperandTypes())
    block->addArgument(type, loop->getLoc());
}

LogicalResult LoopEmitter::buildBody() {
  auto scalarType = [&](Type type) { return RankedTensorType::get({}, type); };
  Value go = condition;
  if (!go)
    go = scalar(b, b.getI1Type(), 1);
  // Types that change from one iteration to the next are given up until none
  // does; each round gives up one at least.
  for (int round = 0; round < 16; ++round) {
    SmallVector<Value> operands = {scalarInt(b, b.getI64Type(), 0), go};
    llvm::append_range(operands, initial);
    loop = createWhile(operands);
    addBlock(loop, 0);
    addBlock(loop, 1);
    OpBuilder::InsertionGuard guard(b);
    Block &block = loop->getRegion(1).front();
    b.setInsertionPointToStart(&block);
    auto built = body(block.getArgument(0), block.getArguments().drop_front(2));
    if (failed(built))
      return failure();
    step = *built;
    bool stable = true;
    SmallVector<RankedTensorType> types;
    for (auto [before, after] : llvm::zip(initial, step.carried)) {
      types.push_back(joinTypes(before.getType(), after.getType()));
      if (!types.back())
        return op.error() << "found a loop-carried value of type "
                          << before.getType() << " that becomes "
                          << after.getType()
                          << ", expected equal ranks and element types";
      stable &= types.back() == before.getType();
    }
    if (stable) {
      SmallVector<Value> results = {
          add(b, block.getArgument(0), scalarInt(b, b.getI64Type(), 1)),
          step.condition ? convert(b, step.condition, b.getI1Type())
                         : block.getArgument(1)};
      for (auto [value, type] : llvm::zip(step.carried, types))
        results.push_back(relaxType(b, value, type));
      if (rankOf(results[1]) != 0)
        results[1] = stablehlo::ReshapeOp::create(b, scalarType(b.getI1Type()),
                                                  results[1]);
      stablehlo::ReturnOp::create(b, results);
      return success();
    }
    b.setInsertionPoint(loop);
    for (auto [value, type] : llvm::zip(initial, types))
      value = relaxType(b, value, type);
    loop->erase();
  }
  return op.error() << "found loop-carried shapes that never settle";
}

void LoopEmitter::buildCondition() {
  OpBuilder::InsertionGuard guard(b);
  Block &block = loop->getRegion(0).front();
  b.setInsertionPointToStart(&block);
  Value go = block.getArgument(1);
  if (trips) {
    Value more =
        compare(b, Direction::LT, block.getArgument(0), trips->materialize(b));
    bool always = !condition && !step.condition;
    go = always ? more : bitAnd(b, more, go);
  }
  stablehlo::ReturnOp::create(b, go);
}

/// The size of a value of the body as one that can be read before the loop.
std::optional<Size> LoopEmitter::sizeOutside(Value value, int64_t dim) {
  Block *block = &loop->getRegion(1).front();
  SizeOrigin origin = originOf(value, dim);
  if (!origin.value)
    return Size(origin.number);
  auto argument = dyn_cast<BlockArgument>(origin.value);
  if (argument && argument.getOwner() == block) {
    // A carried size that each iteration keeps is the initial one.
    unsigned index = argument.getArgNumber();
    if (index < 2 || origin.dim < 0)
      return std::nullopt;
    SizeOrigin next = originOf(step.carried[index - 2], origin.dim);
    if (next.value != origin.value || next.dim != origin.dim)
      return std::nullopt;
    return sizeOf(b, initial[index - 2], origin.dim);
  }
  Region *region = origin.value.getParentRegion();
  if (loop->getRegion(1).isAncestor(region))
    return std::nullopt;
  if (origin.dim >= 0)
    return sizeOf(b, origin.value, origin.dim);
  return toSize(b, origin.value);
}

LogicalResult LoopEmitter::addBuffers() {
  if (step.collected.empty())
    return success();
  if (!trips)
    return op.error() << "found a loop without a trip count that collects "
                         "values, expected a trip count";
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop);
  SmallVector<Value> operands(loop->getOperands());
  for (Value value : step.collected) {
    Sizes sizes = {*trips};
    for (int64_t dim = 0; dim < rankOf(value); ++dim) {
      auto size = sizeOutside(value, dim);
      if (!size)
        return op.error() << "found a collected value of type "
                          << value.getType()
                          << ", expected sizes that all iterations share";
      sizes.push_back(*size);
    }
    operands.push_back(full(b, sizes, elementOf(value), 0));
  }
  Operation *old = loop;
  loop = createWhile(operands);
  for (unsigned i : {0, 1}) {
    loop->getRegion(i).takeBody(old->getRegion(i));
    for (Value operand : ArrayRef(operands).drop_front(old->getNumOperands()))
      loop->getRegion(i).front().addArgument(operand.getType(), old->getLoc());
  }
  old->erase();
  Block &block = loop->getRegion(1).front();
  Operation *end = block.getTerminator();
  b.setInsertionPoint(end);
  SmallVector<Value> results(end->getOperands());
  for (Value value : step.collected) {
    Value buffer = block.getArgument(results.size());
    results.push_back(
        putIndex(b, buffer, value, 0, Size(block.getArgument(0))));
  }
  end->setOperands(results);
  return success();
}

FailureOr<LoopOutcome> LoopEmitter::emit() {
  Block *outside = b.getInsertionBlock();
  bool built = succeeded(buildBody());
  if (built) {
    buildCondition();
    built = succeeded(addBuffers());
  }
  if (!built) {
    // Leave nothing half done behind: the caller may try another way.
    loop->erase();
    b.setInsertionPointToEnd(outside);
    return failure();
  }
  b.setInsertionPointAfter(loop);
  LoopOutcome outcome;
  size_t carried = initial.size();
  ResultRange results = loop->getResults();
  llvm::append_range(outcome.carried, results.slice(2, carried));
  bool always = !condition && !step.condition;
  for (Value buffer : results.drop_front(2 + carried)) {
    // A loop that ended early filled only the first rows.
    if (!always)
      buffer = slice(b, buffer, 0, 0, Size(results[0]));
    outcome.collected.push_back(buffer);
  }
  return outcome;
}

FailureOr<LoopOutcome>
ferrule::onnx::emitLoop(NodeContext &op, std::optional<Size> trips,
                        Value condition, ValueRange initial, LoopBody body) {
  return LoopEmitter(op, trips, condition, initial, body).emit();
}
