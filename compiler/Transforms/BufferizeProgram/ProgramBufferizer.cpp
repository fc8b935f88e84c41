// Blocks, launches, calls and returns.
#include "compiler/Transforms/BufferizeProgram/ProgramBufferizer.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::byre;

Type ProgramBufferizer::convertType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return MemRefType::get(tensor.getShape(), tensor.getElementType());
  return type;
}

LogicalResult ProgramBufferizer::bufferizeFunctionBody(Block &old,
                                                       OpBuilder &builder) {
  bind(old.getArguments(), entry.getArguments(), nullptr);
  auto terminator = dyn_cast<func::ReturnOp>(old.getTerminator());
  if (!terminator)
    return old.getTerminator()->emitOpError("expected func.return");
  if (failed(bufferizeBlock(old, builder)) ||
      failed(bufferizeReturn(terminator, builder)))
    return failure();
  freeOwned(&old, &entry);
  return success();
}

LogicalResult ProgramBufferizer::bufferizeBlock(Block &old,
                                                OpBuilder &builder) {
  for (Operation &op : old.without_terminator())
    if (failed(bufferizeOp(op, builder)))
      return failure();
  return success();
}

LogicalResult ProgramBufferizer::bufferizeOp(Operation &op,
                                             OpBuilder &builder) {
  // Constants and tensors without contents get a buffer where they are used.
  bool tensorConstant =
      isa<arith::ConstantOp>(op) && isa<TensorType>(op.getResult(0).getType());
  if (tensorConstant || isa<tensor::EmptyOp>(op))
    return success();
  if (isViewOp(&op))
    return bufferizeView(op, builder);
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<DispatchOp, CallProviderOp>(
          [&](auto launch) { return bufferizeLaunch(op, builder); })
      .Case([&](func::CallOp o) { return bufferizeCall(o, builder); })
      .Case([&](tensor::DimOp o) { return bufferizeDim(o, builder); })
      .Case([&](tensor::ExtractOp o) { return bufferizeExtract(o, builder); })
      .Case([&](tensor::InsertOp o) { return bufferizeInsert(o, builder); })
      .Case([&](tensor::FromElementsOp o) {
        return bufferizeFromElements(o, builder);
      })
      .Case([&](tensor::SplatOp o) { return bufferizeSplat(o, builder); })
      .Case([&](scf::IfOp o) { return bufferizeIf(o, builder); })
      .Case([&](scf::IndexSwitchOp o) { return bufferizeSwitch(o, builder); })
      .Case([&](scf::ForOp o) { return bufferizeFor(o, builder); })
      .Case([&](scf::WhileOp o) { return bufferizeWhile(o, builder); })
      .Default([&](Operation *) { return cloneScalarOp(op, builder); });
}

LogicalResult ProgramBufferizer::cloneScalarOp(Operation &op,
                                               OpBuilder &builder) {
  bool known =
      isa<arith::ArithDialect, math::MathDialect, affine::AffineDialect,
          complex::ComplexDialect, ub::UBDialect>(op.getDialect()) ||
      isa<cf::AssertOp>(op);
  auto isScalar = [](Type type) { return !isa<ShapedType>(type); };
  if (!known || op.getNumRegions() != 0 ||
      !llvm::all_of(op.getOperandTypes(), isScalar) ||
      !llvm::all_of(op.getResultTypes(), isScalar))
    return op.emitOpError(
        "has no place in a program: expected a launch, a view, scalar "
        "arithmetic or structured control flow");
  builder.clone(op, scalars);
  return success();
}

LogicalResult ProgramBufferizer::bufferizeLaunch(Operation &op,
                                                 OpBuilder &builder) {
  auto launch = cast<DestinationStyleOpInterface>(op);
  OperandRange inits = launch.getDpsInits();
  unsigned first =
      inits.empty() ? op.getNumOperands() : inits.getBeginOperandIndex();
  SmallVector<Value> operands;
  SmallVector<Place> outs;
  for (OpOperand &use : op.getOpOperands()) {
    bool isOut = use.getOperandNumber() >= first &&
                 use.getOperandNumber() < first + inits.size();
    if (!isa<TensorType>(use.get().getType())) {
      operands.push_back(scalars.lookup(use.get()));
    } else if (isOut) {
      FailureOr<Place> place = write(use, builder);
      if (failed(place))
        return failure();
      operands.push_back(place->buffer);
      outs.push_back(*place);
    } else {
      FailureOr<Value> buffer = read(use, builder);
      if (failed(buffer))
        return failure();
      operands.push_back(*buffer);
    }
  }
  OperationState state(op.getLoc(), op.getName(), operands, TypeRange(),
                       op.getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op.getPropertiesAsAttribute();
  builder.create(state);
  for (auto [result, place] : llvm::zip_equal(op.getResults(), outs))
    alias(result, place);
  return success();
}

LogicalResult ProgramBufferizer::bufferizeCall(func::CallOp op,
                                               OpBuilder &builder) {
  SmallVector<Value> operands;
  for (OpOperand &use : op->getOpOperands()) {
    if (!isa<TensorType>(use.get().getType())) {
      operands.push_back(scalars.lookup(use.get()));
      continue;
    }
    FailureOr<Value> buffer = read(use, builder);
    if (failed(buffer))
      return failure();
    operands.push_back(*buffer);
  }
  SmallVector<Type> types =
      llvm::map_to_vector(op.getResultTypes(), convertType);
  auto call = func::CallOp::create(builder, op.getLoc(), op.getCallee(), types,
                                   operands);
  bind(op.getResults(), call.getResults(), op->getBlock());
  return success();
}

LogicalResult ProgramBufferizer::bufferizeReturn(func::ReturnOp op,
                                                 OpBuilder &builder) {
  SmallVector<Value> values;
  for (OpOperand &use : op->getOpOperands()) {
    if (!isa<TensorType>(use.get().getType())) {
      values.push_back(scalars.lookup(use.get()));
      continue;
    }
    IntegerAttr number = builder.getI64IntegerAttr(use.getOperandNumber());
    auto found = places.find(use.get());
    if (found != places.end() && found->second.whole &&
        isLastUse(*found->second.root, use)) {
      Root *root = found->second.root;
      if (auto alloc = root->buffer.getDefiningOp<AllocOp>()) {
        alloc.setOutputAttr(number);
        root->moved = true;
        values.push_back(found->second.buffer);
        continue;
      }
    }
    FailureOr<Value> source = read(use, builder);
    if (failed(source))
      return failure();
    FailureOr<Place> output =
        allocate(use.get(), op->getBlock(), builder, op.getLoc());
    if (failed(output))
      return failure();
    output->buffer.getDefiningOp<AllocOp>().setOutputAttr(number);
    output->root->moved = true;
    CopyOp::create(builder, op.getLoc(), *source, output->buffer);
    values.push_back(output->buffer);
  }
  func::ReturnOp::create(builder, op.getLoc(), values);
  return success();
}
