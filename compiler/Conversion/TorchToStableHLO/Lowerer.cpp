#include "compiler/Conversion/TorchToStableHLO/Lowerer.h"
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Frontend/Support/Constants.h"
#include "compiler/Frontend/Support/Elementwise.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

RankedTensorType torch::toBuiltinType(Type type) {
  if (auto tensor = dyn_cast<BaseTensorType>(type))
    return dyn_cast_or_null<RankedTensorType>(tensor.toBuiltinTensor());
  MLIRContext *context = type.getContext();
  if (isa<IntType>(type))
    return RankedTensorType::get({}, IntegerType::get(context, 64));
  if (isa<BoolType>(type))
    return RankedTensorType::get({}, IntegerType::get(context, 1));
  if (isa<torch::FloatType>(type))
    return RankedTensorType::get({}, Float64Type::get(context));
  return RankedTensorType();
}

/// The table's key for an op, empty for ops outside of the table.
static StringRef keyOf(Operation *op) {
  if (auto unknown = dyn_cast<OperatorOp>(op)) {
    StringRef name = unknown.getName();
    name.consume_front("torch.");
    return name;
  }
  StringRef name = op->getName().getStringRef();
  return name.consume_front("torch.") ? name : StringRef();
}

/// Structural ops, which the walk itself handles.
static bool isStructural(Operation *op) {
  return isa<ConstantIntOp, ConstantFloatOp, ConstantBoolOp, ConstantStrOp,
             ConstantNoneOp, ConstantNumberOp, ConstantDeviceOp,
             ValueTensorLiteralOp, PrimListConstructOp, PrimListUnpackOp,
             PrimTupleConstructOp, PrimIfOp, PrimIfYieldOp, PrimLoopOp,
             PrimLoopConditionOp, DerefineOp, TensorStaticInfoCastOp,
             SymbolicIntOp, BindSymbolicShapeOp, RuntimeAssertOp>(op);
}

/// The place in the user's program, for messages.
static std::string describe(Location location) {
  std::string text;
  llvm::raw_string_ostream(text) << location;
  return text;
}

LogicalResult torch::checkLowerings(Operation *root) {
  // One error for all of them: whoever ports a model wants the whole list.
  llvm::MapVector<StringRef, SmallVector<Operation *>> unsupported;
  root->walk([&](Operation *op) {
    StringRef key = keyOf(op);
    if (!key.empty() && !isStructural(op) && !getLoweringTable().contains(key))
      unsupported[key].push_back(op);
  });
  if (unsupported.empty())
    return success();
  Operation *first = unsupported.front().second.front();
  InFlightDiagnostic error = first->emitError()
                             << unsupported.size() << " unsupported operator"
                             << (unsupported.size() == 1 ? "" : "s") << ": ";
  llvm::interleaveComma(llvm::make_first_range(unsupported), error,
                        [&](StringRef name) { error << "torch." << name; });
  for (auto &[name, ops] : unsupported)
    error.attachNote(ops.front()->getLoc())
        << "torch." << name << " is used " << ops.size()
        << (ops.size() == 1 ? " time" : " times") << ", first at "
        << describe(ops.front()->getLoc());
  return error;
}

LogicalResult Lowerer::run() {
  if (function.isExternal())
    return success();
  Region &body = function.getBody();
  if (!body.hasOneBlock())
    return function.emitError() << "has several blocks, expected one";
  Block &old = body.front();
  auto *entry = new Block;
  body.push_back(entry);
  b.setInsertionPointToEnd(entry);
  LogicalResult result = lowerSignature(old);
  if (succeeded(result))
    result = lowerOps(old);
  if (succeeded(result))
    result = lowerReturn(cast<func::ReturnOp>(old.getTerminator()));
  if (failed(result)) {
    // Leave the function as it was.
    SmallVector<Operation *> made(
        llvm::make_pointer_range(llvm::reverse(entry->getOperations())));
    for (Operation *op : made) {
      op->dropAllUses();
      op->erase();
    }
    entry->erase();
    return failure();
  }
  old.dropAllReferences();
  old.dropAllDefinedValueUses();
  old.erase();
  SmallVector<Type> results(entry->getTerminator()->getOperandTypes());
  function.setType(FunctionType::get(function.getContext(),
                                     entry->getArgumentTypes(), results));
  return success();
}

LogicalResult Lowerer::lowerSignature(Block &old) {
  Block *entry = b.getInsertionBlock();
  for (BlockArgument arg : old.getArguments()) {
    // Arguments that are builtin already stay.
    Type type = arg.getType();
    if (isa<torch::TorchDialect>(type.getDialect())) {
      RankedTensorType builtin = toBuiltinType(type);
      if (!builtin)
        return function.emitError()
               << "argument " << arg.getArgNumber() << " has type " << type
               << ", expected a tensor of known rank and element type or a "
                  "number";
      type = builtin;
    }
    map.values[arg] = entry->addArgument(type, arg.getLoc());
  }
  return success();
}

LogicalResult Lowerer::lowerOps(Block &block) {
  for (Operation &op : block.without_terminator()) {
    b.setLoc(op.getLoc());
    if (failed(lowerOp(&op)))
      return failure();
  }
  return success();
}

LogicalResult Lowerer::lowerOp(Operation *op) {
  if (auto literal = dyn_cast<ValueTensorLiteralOp>(op))
    return lowerLiteral(literal);
  if (auto call = dyn_cast<func::CallOp>(op))
    return lowerCall(call);
  if (auto branch = dyn_cast<PrimIfOp>(op))
    return lowerIf(branch);
  if (auto loop = dyn_cast<PrimLoopOp>(op))
    return lowerLoop(loop);
  if (auto symbol = dyn_cast<SymbolicIntOp>(op))
    return lowerSymbol(symbol);
  if (auto unpack = dyn_cast<PrimListUnpackOp>(op))
    return lowerUnpack(unpack);
  if (isa<DerefineOp, TensorStaticInfoCastOp>(op)) {
    if (auto found = map.values.find(op->getOperand(0));
        found != map.values.end())
      map.values[op->getResult(0)] = Value(found->second);
    return success();
  }
  if (isStructural(op))
    return success();
  StringRef key = keyOf(op);
  auto found = getLoweringTable().find(key);
  if (found == getLoweringTable().end())
    return op->emitOpError() << "is not an op of the torch dialect";
  OpLowering lowering(b, op, map);
  found->second(lowering);
  if (!lowering.failed() && !lowering.gave() && op->getNumResults())
    lowering.fail("has a lowering that gives no result");
  return failure(lowering.failed());
}

LogicalResult Lowerer::lowerLiteral(ValueTensorLiteralOp op) {
  map.values[op.getResult()] = constant(b, toBuiltinElements(op.getValue()));
  return success();
}

FailureOr<Value> Lowerer::mappedAs(Value value, RankedTensorType type,
                                   Operation *user) {
  OpLowering reader(b, user, map);
  Value mapped = reader.mapped(value);
  if (!mapped)
    return user->emitError() << "uses a value of type " << value.getType()
                             << " that has no tensor for it";
  if (!type || typeOf(mapped) == type)
    return mapped;
  if (rankOf(mapped) != type.getRank())
    return user->emitError() << "uses a value of type " << mapped.getType()
                             << ", expected " << type;
  mapped = refineType(b, convert(b, mapped, type.getElementType()), type);
  if (typeOf(mapped) != type)
    mapped = stablehlo::DynamicReshapeOp::create(
        b, type, mapped, shapeTensor(b, sizesOf(b, mapped)));
  return mapped;
}

LogicalResult Lowerer::lowerReturn(func::ReturnOp op) {
  b.setLoc(op.getLoc());
  SmallVector<Value> results;
  for (Value value : op.getOperands()) {
    FailureOr<Value> mapped =
        mappedAs(value, toBuiltinType(value.getType()), op);
    if (failed(mapped))
      return failure();
    results.push_back(*mapped);
  }
  func::ReturnOp::create(b, results);
  return success();
}

LogicalResult Lowerer::lowerCall(func::CallOp op) {
  SmallVector<Value> operands;
  SmallVector<Type> types;
  for (Value value : op.getOperands()) {
    FailureOr<Value> mapped =
        mappedAs(value, toBuiltinType(value.getType()), op);
    if (failed(mapped))
      return failure();
    operands.push_back(*mapped);
  }
  for (Type type : op.getResultTypes())
    types.push_back(toBuiltinType(type));
  auto call = func::CallOp::create(b, op.getCallee(), types, operands);
  for (auto [old, now] : llvm::zip(op.getResults(), call.getResults()))
    map.values[old] = now;
  return success();
}

LogicalResult Lowerer::lowerUnpack(PrimListUnpackOp op) {
  OpLowering reader(b, op, map);
  SmallVector<Value> elements;
  if (auto found = map.lists.find(op.getOperand()); found != map.lists.end())
    elements = found->second;
  else if (auto list = matchList(op.getOperand()))
    elements = llvm::map_to_vector(
        *list, [&](Value value) { return reader.mapped(value); });
  if (elements.size() != op.getNumResults())
    return op.emitOpError() << "unpacks " << op.getNumResults()
                            << " elements from a list of " << elements.size();
  for (auto [result, element] : llvm::zip(op.getResults(), elements)) {
    FailureOr<Value> value = element;
    if (RankedTensorType type = toBuiltinType(result.getType()))
      value = refineType(b, convert(b, element, type.getElementType()), type);
    map.values[result] = *value;
  }
  return success();
}

LogicalResult Lowerer::lowerSymbol(SymbolicIntOp op) {
  // The symbol is a size of some argument.
  for (Operation *user : op.getResult().getUsers()) {
    auto bind = dyn_cast<BindSymbolicShapeOp>(user);
    if (!bind || !map.values.contains(bind.getOperand()) ||
        !isa<BlockArgument>(bind.getOperand()))
      continue;
    unsigned position = llvm::find(bind.getShapeSymbols(), op.getResult()) -
                        bind.getShapeSymbols().begin();
    AffineMap sizes = bind.getShapeExpressions();
    for (auto [dim, expression] : llvm::enumerate(sizes.getResults())) {
      auto symbol = dyn_cast<AffineSymbolExpr>(expression);
      if (!symbol || symbol.getPosition() != position)
        continue;
      map.values[op.getResult()] =
          sizeOf(b, map.values[bind.getOperand()], dim).materialize(b);
      return success();
    }
  }
  bool used = llvm::any_of(op->getUsers(), [](Operation *user) {
    return !isa<BindSymbolicShapeOp>(user);
  });
  if (used)
    return op.emitOpError() << "is not the size of an argument's dimension";
  return success();
}
