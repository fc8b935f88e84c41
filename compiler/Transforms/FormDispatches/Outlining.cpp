#include "compiler/Transforms/FormDispatches/FormDispatches.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;
using namespace ferrule;

namespace {

/// Collects what a kernel needs and builds it.
class Outliner {
public:
  Outliner(DispatchGroup &group, SymbolTable &symbols, StringRef name)
      : group(group), symbols(symbols), name(name),
        last(group.ops.back()), builder(last->getContext()) {}

  LogicalResult run();

private:
  LogicalResult collectResults();
  LogicalResult collectOperands(Operation *op);
  LogicalResult need(Value value, Operation *user);
  FailureOr<Value> destinationOf(OpResult result);
  func::FuncOp createKernel();
  void buildBody(func::FuncOp kernel);
  Value cloneInit(Value init, Value outArgument);
  Value sliceOfResult(OpResult result,
                      const llvm::DenseMap<OpResult, Value> &outArguments);
  Value cloneIn(Value value);

  DispatchGroup &group;
  SymbolTable &symbols;
  StringRef name;
  Operation *last;
  OpBuilder builder;

  SmallVector<OpResult> results;
  SmallVector<Value> outs;
  llvm::SetVector<Value> ins, scalars;
  IRMapping mapping;
};

/// The destination-style view of an operation whose destination is made for
/// it. An insertion has a destination too, but keeps what is in it.
DestinationStyleOpInterface asDestinationStyle(Operation *op) {
  if (isa<tensor::InsertSliceOp>(op))
    return nullptr;
  return dyn_cast<DestinationStyleOpInterface>(op);
}

/// The `tensor.empty` below a destination, looking through a fill.
tensor::EmptyOp emptyBelow(Value init) {
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.getOutputs()[0];
  return init.getDefiningOp<tensor::EmptyOp>();
}

} // namespace

/// Values that come from outside the group and are needed inside.
LogicalResult Outliner::need(Value value, Operation *user) {
  Operation *def = value.getDefiningOp();
  if (def && group.ops.contains(def))
    return success();
  // No argument holds a complex number; its tensor is one instead.
  bool isComplexElement = isa_and_nonnull<tensor::ExtractOp>(def) &&
                          isa<ComplexType>(value.getType());
  if (def && (isClonedIntoKernels(def) || isa<linalg::FillOp>(def) ||
              isComplexElement)) {
    for (Value operand : def->getOperands())
      if (failed(need(operand, user)))
        return failure();
    return success();
  }
  if (isa<RankedTensorType>(value.getType())) {
    ins.insert(value);
    return success();
  }
  Type type = value.getType();
  if (!type.isIndex() && !type.isInteger(64) && !type.isInteger(1) &&
      !type.isF64() && !type.isF32()) {
    // Narrower scalars travel in a 64-bit slot; they are widened outside.
    if (!isa<IntegerType>(type) && !isa<FloatType>(type))
      return user->emitOpError("uses a value of type ")
             << type << ", which no kernel can take as a scalar";
  }
  scalars.insert(value);
  return success();
}

LogicalResult Outliner::collectOperands(Operation *op) {
  auto destination = asDestinationStyle(op);
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      if (value == insert.getDest())
        continue; // The out argument, or the insertion before.
    if (destination && destination.isDpsInit(&operand)) {
      // A fresh destination of an intermediate is made inside the kernel, so
      // only its sizes are needed; a result's destination is an out argument.
      if (tensor::EmptyOp empty = emptyBelow(value)) {
        if (auto fill = value.getDefiningOp<linalg::FillOp>())
          if (failed(need(fill.getInputs()[0], op)))
            return failure();
        OpResult result = destination.getTiedOpResult(&operand);
        if (!llvm::is_contained(results, result))
          for (Value size : empty.getDynamicSizes())
            if (failed(need(size, op)))
              return failure();
        continue;
      }
      OpResult result = destination.getTiedOpResult(&operand);
      if (llvm::is_contained(results, result))
        continue; // Read and updated through the out argument.
    }
    if (failed(need(value, op)))
      return failure();
  }
  llvm::SetVector<Value> captured;
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, region, captured);
  for (Value value : captured)
    if (failed(need(value, op)))
      return failure();
  return success();
}

LogicalResult Outliner::collectResults() {
  for (Operation *op : group.ops)
    for (OpResult result : op->getResults()) {
      bool outside = llvm::any_of(result.getUsers(), [&](Operation *user) {
        Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
        return !ancestor || !group.ops.contains(ancestor);
      });
      // Ops of the ferrule dialect have outs that are only working space.
      bool isScratch = result.use_empty() &&
                       op->getName().getDialectNamespace() == "ferrule";
      if (outside || isScratch)
        results.push_back(result);
    }
  for (OpResult result : results) {
    FailureOr<Value> out = destinationOf(result);
    if (failed(out))
      return failure();
    outs.push_back(*out);
  }
  return success();
}

/// What the dispatch passes as out for `result`: a tensor.empty of its size,
/// or the tensor that the operation updates.
FailureOr<Value> Outliner::destinationOf(OpResult result) {
  Operation *op = result.getOwner();
  Location loc = op->getLoc();
  if (auto destination = asDestinationStyle(op)) {
    Value init = destination.getTiedOpOperand(result)->get();
    if (tensor::EmptyOp empty = emptyBelow(init))
      return empty.getResult();
    return init;
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    // The first of a chain of insertions has the destination of all.
    while (auto before = insert.getDest().getDefiningOp<tensor::InsertSliceOp>()) {
      if (!group.ops.contains(before))
        break;
      insert = before;
    }
    return Value(insert.getDest());
  }
  auto type = cast<RankedTensorType>(result.getType());
  SmallVector<OpFoldResult> sizes;
  builder.setInsertionPoint(op);
  if (type.hasStaticShape()) {
    sizes = getAsIndexOpFoldResult(type.getContext(), type.getShape());
  } else {
    ReifiedRankedShapedTypeDims reified;
    if (failed(reifyResultShapes(builder, op, reified)))
      return op->emitOpError("has a result of unknown size that no kernel "
                             "can be given a buffer for");
    sizes = reified[result.getResultNumber()];
  }
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  if (empty.getType() != type)
    empty = tensor::CastOp::create(builder, loc, type, empty);
  return empty;
}

/// The type in which a scalar reaches a kernel.
static Type carrierType(Type type) {
  if (isa<IntegerType>(type) && !type.isInteger(1) && !type.isInteger(64))
    return IntegerType::get(type.getContext(), 64);
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32)
    return Float32Type::get(type.getContext());
  return type;
}

static Value widenScalar(OpBuilder &b, Value value) {
  Type type = carrierType(value.getType());
  if (type == value.getType())
    return value;
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(b, value.getLoc(), type, value);
  return arith::ExtSIOp::create(b, value.getLoc(), type, value);
}

static Value narrowScalar(OpBuilder &b, Value value, Type type) {
  if (type == value.getType())
    return value;
  if (isa<FloatType>(type))
    return arith::TruncFOp::create(b, value.getLoc(), type, value);
  return arith::TruncIOp::create(b, value.getLoc(), type, value);
}

func::FuncOp Outliner::createKernel() {
  SmallVector<Type> inputs, outputs;
  for (Value value : ins)
    inputs.push_back(value.getType());
  for (Value value : outs)
    inputs.push_back(value.getType());
  for (Value value : scalars)
    inputs.push_back(carrierType(value.getType()));
  for (OpResult result : results)
    outputs.push_back(result.getType());
  SmallVector<Location> locations;
  for (Operation *op : group.ops)
    locations.push_back(op->getLoc());
  auto kernel = func::FuncOp::create(
      FusedLoc::get(last->getContext(), locations), name,
      FunctionType::get(last->getContext(), inputs, outputs));
  kernel.setPrivate();
  kernel->setAttr("byre.kernel", UnitAttr::get(last->getContext()));
  symbols.insert(kernel);
  return kernel;
}

/// A copy of `value`'s definition inside the kernel, for values that are not
/// arguments.
Value Outliner::cloneIn(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *def = value.getDefiningOp();
  for (Value operand : def->getOperands())
    cloneIn(operand);
  Operation *copy = builder.clone(*def, mapping);
  return copy->getResult(cast<OpResult>(value).getResultNumber());
}

/// The destination of an operation inside the kernel: the out argument or a
/// fresh tensor, with its fill if it has one.
Value Outliner::cloneInit(Value init, Value outArgument) {
  tensor::EmptyOp empty = emptyBelow(init);
  if (!empty)
    return outArgument ? outArgument : cloneIn(init);
  Value base = outArgument;
  if (!base) {
    for (Value size : empty.getDynamicSizes())
      cloneIn(size);
    base = builder.clone(*empty, mapping)->getResult(0);
  }
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (!fill)
    return base;
  return linalg::FillOp::create(builder, fill.getLoc(),
                                cloneIn(fill.getInputs()[0]), base)
      .getResult(0);
}

/// The part of the out argument that `result` is inserted into by the group's
/// last operation, so that it is computed there; nothing when it is not.
Value Outliner::sliceOfResult(
    OpResult result, const llvm::DenseMap<OpResult, Value> &outArguments) {
  auto insert = dyn_cast<tensor::InsertSliceOp>(last);
  if (!insert || insert.getSource() != result)
    return Value();
  auto inside = [&](ArrayRef<OpFoldResult> values) {
    SmallVector<OpFoldResult> mapped;
    for (OpFoldResult value : values) {
      auto dynamic = dyn_cast<Value>(value);
      mapped.push_back(dynamic ? OpFoldResult(cloneIn(dynamic)) : value);
    }
    return mapped;
  };
  return tensor::ExtractSliceOp::create(
      builder, insert.getLoc(), insert.getSourceType(),
      outArguments.lookup(cast<OpResult>(last->getResult(0))), inside(insert.getMixedOffsets()),
      inside(insert.getMixedSizes()), inside(insert.getMixedStrides()));
}

void Outliner::buildBody(func::FuncOp kernel) {
  Block *body = kernel.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  unsigned argument = 0;
  for (Value value : ins)
    mapping.map(value, body->getArgument(argument++));
  llvm::DenseMap<OpResult, Value> outArguments;
  for (OpResult result : results)
    outArguments[result] = body->getArgument(argument++);
  for (Value value : scalars)
    mapping.map(value, narrowScalar(builder, body->getArgument(argument++),
                                    value.getType()));

  for (Operation *op : group.ops) {
    auto destination = asDestinationStyle(op);
    llvm::DenseMap<unsigned, Value> initValues;
    if (destination)
      for (OpOperand &init : destination.getDpsInitsMutable()) {
        if (!isa<RankedTensorType>(init.get().getType()))
          continue;
        OpResult tied = destination.getTiedOpResult(&init);
        Value out = outArguments.lookup(tied);
        if (!out)
          out = sliceOfResult(tied, outArguments);
        initValues[init.getOperandNumber()] = cloneInit(init.get(), out);
      }
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      if (!group.ops.contains(insert.getDest().getDefiningOp()))
        initValues[insert.getDestMutable().getOperandNumber()] =
            outArguments.lookup(cast<OpResult>(last->getResult(0)));
    for (OpOperand &operand : op->getOpOperands())
      if (!initValues.count(operand.getOperandNumber()))
        cloneIn(operand.get());
    llvm::SetVector<Value> captured;
    for (Region &region : op->getRegions())
      getUsedValuesDefinedAbove(region, region, captured);
    for (Value value : captured)
      cloneIn(value);
    // Destinations are not in the mapping: one tensor.empty may serve several
    // operations. They are set on the copy.
    IRMapping local(mapping);
    Operation *copy = builder.clone(*op, local);
    for (auto [number, value] : initValues)
      copy->setOperand(number, value);
    for (auto [from, to] : llvm::zip(op->getResults(), copy->getResults()))
      mapping.map(from, to);
  }

  SmallVector<Value> returned;
  for (OpResult result : results) {
    Value value = mapping.lookup(result);
    Operation *op = result.getOwner();
    if (!isa<DestinationStyleOpInterface>(op))
      value = linalg::CopyOp::create(builder, op->getLoc(), value,
                                     outArguments.lookup(result))
                  .getResult(0);
    returned.push_back(value);
  }
  func::ReturnOp::create(builder, last->getLoc(), returned);
}

LogicalResult Outliner::run() {
  if (failed(collectResults()))
    return failure();
  for (Operation *op : group.ops)
    if (failed(collectOperands(op)))
      return failure();
  func::FuncOp kernel = createKernel();
  buildBody(kernel);
  builder.setInsertionPoint(last);
  SmallVector<Value> carried;
  for (Value value : scalars)
    carried.push_back(widenScalar(builder, value));
  auto dispatch = byre::DispatchOp::create(
      builder, kernel.getLoc(), SymbolRefAttr::get(kernel),
      ins.getArrayRef(), outs, carried);
  for (auto [result, value] : llvm::zip(results, dispatch.getResults()))
    result.replaceUsesWithIf(value, [&](OpOperand &use) {
      return !group.ops.contains(use.getOwner());
    });
  for (Operation *op : llvm::reverse(group.ops)) {
    op->dropAllUses();
    op->erase();
  }
  return success();
}

LogicalResult ferrule::outlineDispatch(DispatchGroup &group,
                                       SymbolTable &symbols, StringRef name) {
  return Outliner(group, symbols, name).run();
}
