#include "compiler/Transforms/RefineArguments/RefineArguments.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ferrule {
#define GEN_PASS_DEF_REFINEARGUMENTS
#include "compiler/Transforms/RefineArguments/RefineArguments.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;

/// Sets the type of one argument; users get the old one through a cast.
static void refine(BlockArgument argument, Type type) {
  Type old = argument.getType();
  if (old == type)
    return;
  OpBuilder builder(argument.getOwner(), argument.getOwner()->begin());
  argument.setType(type);
  auto cast = tensor::CastOp::create(builder, argument.getLoc(), old, argument);
  argument.replaceAllUsesExcept(cast, cast);
}

static LogicalResult refineArguments(func::FuncOp func, ArrayRef<Type> types) {
  if (types.size() != func.getNumArguments())
    return func.emitOpError()
           << "has " << func.getNumArguments() << " arguments, found "
           << types.size() << " types for them";
  for (auto [i, type] : llvm::enumerate(types)) {
    Type old = func.getArgument(i).getType();
    if (old == type)
      continue;
    auto from = dyn_cast<RankedTensorType>(old);
    auto to = dyn_cast<RankedTensorType>(type);
    if (!from || !to || from.getElementType() != to.getElementType() ||
        failed(verifyCompatibleShape(from, to)))
      return func.emitOpError()
             << "found type " << type << " for argument " << i << " of type "
             << old << ", expected one with sizes where it has ?";
  }
  for (auto [argument, type] : llvm::zip(func.getArguments(), types))
    refine(argument, type);
  func.setType(
      FunctionType::get(func.getContext(), types, func.getResultTypes()));
  return success();
}

namespace {
struct RefineArguments : ferrule::impl::RefineArgumentsBase<RefineArguments> {
  using RefineArgumentsBase::RefineArgumentsBase;
  void runOnOperation() override {
    auto func = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!func || func.isExternal()) {
      getOperation().emitError("found no function @main");
      return signalPassFailure();
    }
    SmallVector<Type> parsed;
    for (const std::string &text : types) {
      Type type = parseType(text, &getContext());
      if (!type)
        return signalPassFailure();
      parsed.push_back(type);
    }
    if (failed(refineArguments(func, parsed)))
      signalPassFailure();
  }
};
} // namespace
