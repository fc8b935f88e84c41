// The pass and the rewriting of one function.
#include "compiler/Transforms/BufferizeProgram/BufferizeProgram.h"
#include "compiler/Transforms/BufferizeProgram/ProgramBufferizer.h"

namespace ferrule {
#define GEN_PASS_DEF_BUFFERIZEPROGRAM
#include "compiler/Transforms/BufferizeProgram/BufferizeProgram.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;

/// Whether the function holds tensors anywhere.
static bool holdsTensors(func::FuncOp function) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (llvm::any_of(function.getArgumentTypes(), isTensor) ||
      llvm::any_of(function.getResultTypes(), isTensor))
    return true;
  WalkResult found = function.walk([&](Operation *op) {
    return llvm::any_of(op->getResultTypes(), isTensor)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return found.wasInterrupted();
}

LogicalResult ferrule::bufferizeProgramFunction(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitOpError(
        "expected structured control flow, found more than one block");
  auto isUnranked = [](Type type) { return isa<UnrankedTensorType>(type); };
  for (TypeRange types : {TypeRange(function.getArgumentTypes()),
                          TypeRange(function.getResultTypes())})
    if (llvm::any_of(types, isUnranked))
      return function.emitOpError("expected tensors of known rank in the "
                                  "signature, found ")
             << function.getFunctionType();

  OpBuilder builder(function);
  auto buffered = cast<func::FuncOp>(builder.cloneWithoutRegions(*function));
  SmallVector<Type> inputs = llvm::map_to_vector(
      function.getArgumentTypes(), ProgramBufferizer::convertType);
  SmallVector<Type> results = llvm::map_to_vector(
      function.getResultTypes(), ProgramBufferizer::convertType);
  buffered.setFunctionType(builder.getFunctionType(inputs, results));

  Block *old = &function.getBody().front();
  auto *body = new Block();
  buffered.getBody().push_back(body);
  for (BlockArgument argument : old->getArguments())
    body->addArgument(ProgramBufferizer::convertType(argument.getType()),
                      argument.getLoc());
  builder.setInsertionPointToStart(body);
  ProgramBufferizer bufferizer(*body);
  if (failed(bufferizer.bufferizeFunctionBody(*old, builder))) {
    buffered.erase();
    return failure();
  }
  function.erase();
  return success();
}

namespace {
class BufferizeProgram
    : public ferrule::impl::BufferizeProgramBase<BufferizeProgram> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!byre::isKernel(function) && !function.isDeclaration() &&
          holdsTensors(function))
        functions.push_back(function);
    for (func::FuncOp function : functions)
      if (failed(bufferizeProgramFunction(function)))
        return signalPassFailure();
  }
};
} // namespace
