// From linalg on tensors to the commands of the Acme device.
#include "AcmeCompiler.h"
#include "acme_code.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace {

using Words = std::vector<int32_t>;

class KernelCompiler {
public:
  explicit KernelCompiler(func::FuncOp kernel) : kernel(kernel) {}
  FailureOr<Words> run();

private:
  /// A tensor's memory and the words of each size.
  struct Tensor {
    int32_t memory = -1;
    SmallVector<Words> sizes;
  };

  LogicalResult compile(Operation *op);
  LogicalResult command(linalg::LinalgOp op);
  LogicalResult expression(Value value, linalg::LinalgOp op, Words &out);
  FailureOr<Words> sizeOf(Value index);
  LogicalResult access(AffineMap map, const Tensor &tensor, Words &out);
  LogicalResult temporary(Value tensor, ValueRange sizes);
  static std::optional<int32_t> opcodeOf(Operation *op);

  func::FuncOp kernel;
  DenseMap<Value, Tensor> tensors;
  Words temporaries, commands;
  int32_t buffers = 0, temporaryCount = 0, commandCount = 0;
};

std::optional<int32_t> KernelCompiler::opcodeOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<int32_t>>(op)
      .Case([](arith::AddFOp) { return ACME_ADD; })
      .Case([](arith::SubFOp) { return ACME_SUB; })
      .Case([](arith::MulFOp) { return ACME_MUL; })
      .Case([](arith::DivFOp) { return ACME_DIV; })
      .Case([](arith::MaximumFOp) { return ACME_MAX; })
      .Case([](arith::MinimumFOp) { return ACME_MIN; })
      .Case([](arith::NegFOp) { return ACME_NEG; })
      .Case([](math::ExpOp) { return ACME_EXP; })
      .Case([](math::TanhOp) { return ACME_TANH; })
      .Case([](math::SqrtOp) { return ACME_SQRT; })
      .Default([](Operation *) { return std::nullopt; });
}

/// Sizes that a launch knows: numbers, dims of its buffers, its scalars.
FailureOr<Words> KernelCompiler::sizeOf(Value index) {
  if (std::optional<int64_t> known = getConstantIntValue(index))
    return Words{ACME_KNOWN, static_cast<int32_t>(*known)};
  if (auto dim = index.getDefiningOp<tensor::DimOp>()) {
    auto found = tensors.find(dim.getSource());
    std::optional<int64_t> which = dim.getConstantIndex();
    if (found != tensors.end() && which)
      return found->second.sizes[*which];
  }
  if (auto argument = dyn_cast<BlockArgument>(index))
    if (argument.getOwner()->getParentOp() == kernel)
      return Words{ACME_SCALAR,
                   static_cast<int32_t>(argument.getArgNumber()) - buffers};
  return failure();
}

LogicalResult KernelCompiler::temporary(Value tensor, ValueRange sizes) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.getElementType().isF32())
    return failure();
  Tensor made;
  made.memory = buffers + temporaryCount++;
  temporaries.push_back(type.getRank());
  for (int64_t size : type.getShape()) {
    if (!ShapedType::isDynamic(size)) {
      made.sizes.push_back({ACME_KNOWN, static_cast<int32_t>(size)});
    } else {
      FailureOr<Words> words = sizeOf(sizes.front());
      if (failed(words))
        return failure();
      made.sizes.push_back(*words);
      sizes = sizes.drop_front();
    }
    llvm::append_range(temporaries, made.sizes.back());
  }
  tensors[tensor] = std::move(made);
  return success();
}

/// A value of the op's body in postfix form.
LogicalResult KernelCompiler::expression(Value value, linalg::LinalgOp op,
                                         Words &out) {
  FloatAttr number;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Value source = op->getOperand(argument.getArgNumber());
    if (!isa<RankedTensorType>(source.getType()))
      return expression(source, op, out); // The value of a fill.
    llvm::append_range(out, Words{ACME_OPERAND, static_cast<int32_t>(
                                                    argument.getArgNumber())});
    return success();
  }
  if (matchPattern(value, m_Constant(&number)) && value.getType().isF32()) {
    auto bits = number.getValue().bitcastToAPInt().getZExtValue();
    llvm::append_range(out, Words{ACME_CONST, static_cast<int32_t>(bits)});
    return success();
  }
  Operation *producer = value.getDefiningOp();
  std::optional<int32_t> opcode =
      producer ? opcodeOf(producer) : std::optional<int32_t>();
  if (!opcode || !value.getType().isF32() || out.size() > 64)
    return failure();
  for (Value operand : producer->getOperands())
    if (failed(expression(operand, op, out)))
      return failure();
  out.push_back(*opcode);
  return success();
}

/// Each dim as factors of the loops and a constant.
LogicalResult KernelCompiler::access(AffineMap map, const Tensor &tensor,
                                     Words &out) {
  out.push_back(tensor.memory);
  out.push_back(tensor.sizes.size());
  for (const Words &size : tensor.sizes)
    llvm::append_range(out, size);
  for (AffineExpr expression : map.getResults()) {
    SmallVector<int64_t> flat;
    if (failed(
            getFlattenedAffineExpr(expression, map.getNumDims(), 0, &flat)) ||
        flat.size() != map.getNumDims() + 1)
      return failure();
    for (int64_t number : flat)
      out.push_back(static_cast<int32_t>(number));
  }
  return success();
}

LogicalResult KernelCompiler::command(linalg::LinalgOp op) {
  if (op->getNumResults() != 1 || op.getNumLoops() > 16 ||
      op.hasIndexSemantics())
    return failure();
  // The loops' sizes are those of operands that a loop alone indexes.
  SmallVector<Words> loops(op.getNumLoops());
  Words operands;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto found = tensors.find(operand.get());
    if (!isa<RankedTensorType>(operand.get().getType())) {
      // Scalars are in the program; they take their number here.
      llvm::append_range(operands, Words{0, 0});
      continue;
    }
    if (found == tensors.end() || failed(access(map, found->second, operands)))
      return failure();
    for (auto [dim, expression] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expression))
        loops[loop.getPosition()] = found->second.sizes[dim];
  }
  if (llvm::any_of(loops, [](const Words &words) { return words.empty(); }))
    return failure();
  Words code;
  Operation *yield = op.getBlock()->getTerminator();
  if (failed(expression(yield->getOperand(0), op, code)))
    return failure();
  code.push_back(ACME_STORE);
  ++commandCount;
  commands.push_back(loops.size());
  for (const Words &size : loops)
    llvm::append_range(commands, size);
  commands.push_back(op->getNumOperands());
  llvm::append_range(commands, operands);
  commands.push_back(code.size());
  llvm::append_range(commands, code);
  // The result lies where the op was told to write.
  tensors[op->getResult(0)] = tensors[op.getDpsInitOperand(0)->get()];
  return success();
}

LogicalResult KernelCompiler::compile(Operation *op) {
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return temporary(empty, empty.getDynamicSizes());
  // Numbers are read where they are used.
  if (isa<arith::ConstantOp, tensor::DimOp>(op))
    return success(!isa<RankedTensorType>(op->getResult(0).getType()));
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return command(linalgOp);
  return failure();
}

FailureOr<Words> KernelCompiler::run() {
  Block &body = kernel.getBody().front();
  for (BlockArgument argument : body.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    if (!type.getElementType().isF32())
      return failure();
    Tensor tensor;
    tensor.memory = buffers++;
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      tensor.sizes.push_back(
          ShapedType::isDynamic(size)
              ? Words{ACME_DIM, tensor.memory, static_cast<int32_t>(dim)}
              : Words{ACME_KNOWN, static_cast<int32_t>(size)});
    tensors[argument] = std::move(tensor);
  }
  for (Operation &op : body.without_terminator())
    if (failed(compile(&op)))
      return failure();
  // Results that lie in temporaries are copied into the outs.
  for (auto [i, result] :
       llvm::enumerate(body.getTerminator()->getOperands())) {
    auto found = tensors.find(result);
    int32_t out = buffers - static_cast<int32_t>(kernel.getNumResults()) + i;
    if (found == tensors.end())
      return failure();
    if (found->second.memory == out)
      continue;
    const Tensor &from = found->second;
    Tensor to = from;
    to.memory = out;
    unsigned rank = from.sizes.size();
    AffineMap map =
        AffineMap::getMultiDimIdentityMap(rank, kernel.getContext());
    commands.push_back(rank);
    for (const Words &size : from.sizes)
      llvm::append_range(commands, size);
    commands.push_back(2);
    if (failed(access(map, from, commands)) ||
        failed(access(map, to, commands)))
      return failure();
    llvm::append_range(commands, Words{3, ACME_OPERAND, 0, ACME_STORE});
    ++commandCount;
  }
  Words all = {0, temporaryCount};
  llvm::append_range(all, temporaries);
  all.push_back(commandCount);
  llvm::append_range(all, commands);
  all.front() = all.size();
  return all;
}

} // namespace

FailureOr<std::vector<int32_t>> acme::compileKernel(func::FuncOp kernel) {
  return KernelCompiler(kernel).run();
}
