// Makes each result of a kernel be computed in its out argument.
#include "compiler/Target/CPU/TileKernels/BindDestinations.h"
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"
#include "compiler/Target/CPU/TileKernels/TileKernels.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ferrule;

namespace {

/// Whether every other reader of the value comes before this one, so that it
/// may be overwritten here.
bool isLastUse(OpOperand &operand) {
  Operation *owner = operand.getOwner();
  return llvm::all_of(operand.get().getUses(), [&](OpOperand &use) {
    return &use == &operand || (use.getOwner() != owner &&
                                use.getOwner()->getBlock() ==
                                    owner->getBlock() &&
                                use.getOwner()->isBeforeInBlock(owner));
  });
}

class Binder {
public:
  explicit Binder(func::FuncOp kernel) : builder(kernel.getContext()) {
    builder.setInsertionPointToStart(&kernel.getBody().front());
  }

  /// Lets `value` be computed in `destination`. Views of it are made at the
  /// kernel's start, so that they dominate every op.
  bool bind(Value value, Value destination) {
    if (value == destination)
      return true;
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return false;
    Operation *op = result.getOwner();
    return TypeSwitch<Operation *, bool>(op)
        .Case([&](DestinationStyleOpInterface dps) {
          return bindOperand(*dps.getTiedOpOperand(result), destination);
        })
        .Case([&](tensor::InsertSliceOp insert) {
          return bindOperand(insert.getDestMutable(), destination);
        })
        .Case([&](tensor::InsertOp insert) {
          return bindOperand(insert.getDestMutable(), destination);
        })
        .Case([&](scf::ForOp loop) {
          return bindOperand(*loop.getTiedLoopInit(
                                 loop.getRegionIterArg(result.getResultNumber())),
                             destination);
        })
        .Case([&](tensor::CastOp cast) {
          return bindView(cast.getSource(), destination);
        })
        .Case([&](tensor::ExpandShapeOp expand) {
          if (!expand->hasOneUse())
            return false;
          Value view = tensor::CollapseShapeOp::create(
              builder, op->getLoc(), expand.getSrcType(), destination,
              expand.getReassociationIndices());
          return bind(expand.getSrc(), view);
        })
        .Case([&](tensor::CollapseShapeOp collapse) {
          if (!collapse->hasOneUse() || !collapse.getSrcType().hasStaticShape())
            return false;
          Value view = tensor::ExpandShapeOp::create(
              builder, op->getLoc(), collapse.getSrcType(), destination,
              collapse.getReassociationIndices());
          return bind(collapse.getSrc(), view);
        })
        .Default([](Operation *) { return false; });
  }

private:
  bool bindView(Value source, Value destination) {
    return bind(source, castTo(source.getType(), destination));
  }

  Value castTo(Type type, Value destination) {
    if (destination.getType() == type)
      return destination;
    return tensor::CastOp::create(builder, destination.getLoc(), type,
                                  destination);
  }

  bool bindOperand(OpOperand &operand, Value destination) {
    Value init = operand.get();
    if (init == destination)
      return true;
    if (init.getDefiningOp<tensor::EmptyOp>()) {
      operand.set(castTo(init.getType(), destination));
      return true;
    }
    return init.getDefiningOp() && isLastUse(operand) &&
           bind(init, destination);
  }

  OpBuilder builder;
};

/// The operand of an elementwise op that could be updated in place: computed
/// in the kernel, not needed afterwards, and read where the result is written.
OpOperand *findUpdatable(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumLoops() != op.getNumParallelLoops())
    return nullptr;
  OpOperand &init = *op.getDpsInitOperand(0);
  if (op.payloadUsesValueFromOperand(&init) ||
      !init.get().getDefiningOp<tensor::EmptyOp>())
    return nullptr;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Operation *producer = input->get().getDefiningOp();
    if (isa_and_nonnull<linalg::LinalgOp, ext::WinogradOutputOp>(producer) &&
        isLastUse(*input) &&
        input->get().getType() == init.get().getType() &&
        op.getMatchingIndexingMap(input) == op.getMatchingIndexingMap(&init))
      return input;
  }
  return nullptr;
}

} // namespace

void cpu::bindDestinations(func::FuncOp kernel) {
  auto returned = cast<func::ReturnOp>(kernel.getBody().front().getTerminator());
  Binder binder(kernel);
  llvm::SmallPtrSet<Value, 4> seen;
  for (OpOperand &operand : returned->getOpOperands()) {
    Value value = operand.get();
    Value out = getOutArgument(kernel, operand.getOperandNumber());
    if (seen.insert(value).second && binder.bind(value, out))
      continue;
    OpBuilder builder(returned);
    operand.set(linalg::CopyOp::create(builder, returned.getLoc(), value, out)
                    .getResult(0));
  }
}

/// The tensor.empty that a value is computed in, looking through the ops that
/// update it.
static tensor::EmptyOp findEmpty(Value value) {
  for (unsigned depth = 0; depth < 64; ++depth) {
    Operation *op = value.getDefiningOp();
    if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(op))
      return empty;
    auto dps = dyn_cast_or_null<DestinationStyleOpInterface>(op);
    if (!dps)
      return {};
    value = dps.getTiedOpOperand(cast<OpResult>(value))->get();
  }
  return {};
}

/// Pairs of an argument and its dimension for each dimension of an out: -1 for
/// what is unknown, and the dimension -1 for a scalar.
static constexpr llvm::StringLiteral kSizes = "byre.out_sizes";

void cpu::noteOutSizes(func::FuncOp kernel) {
  Operation *returned = kernel.getBody().front().getTerminator();
  OpBuilder builder(kernel.getContext());
  for (auto [i, value] : llvm::enumerate(returned->getOperands())) {
    tensor::EmptyOp empty = findEmpty(value);
    if (!empty)
      continue;
    SmallVector<int64_t> pairs;
    for (OpFoldResult size : empty.getMixedSizes()) {
      auto dynamic = dyn_cast<Value>(size);
      int64_t argument = -1;
      int64_t dim = -1;
      if (auto scalar = dyn_cast_if_present<BlockArgument>(dynamic))
        argument = scalar.getArgNumber();
      else if (auto op = dynamic ? dynamic.getDefiningOp<tensor::DimOp>()
                                 : tensor::DimOp())
        if (auto source = dyn_cast<BlockArgument>(op.getSource()))
          if (std::optional<int64_t> index = op.getConstantIndex()) {
            argument = source.getArgNumber();
            dim = *index;
          }
      pairs.append({argument, dim});
    }
    kernel.setArgAttr(getOutArgument(kernel, i).getArgNumber(), kSizes,
                      builder.getDenseI64ArrayAttr(pairs));
  }
}

void cpu::unifySizes(func::FuncOp kernel) {
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointToStart(&kernel.getBody().front());
  SmallVector<tensor::DimOp> dims;
  kernel.walk([&](tensor::DimOp op) { dims.push_back(op); });
  for (tensor::DimOp op : dims) {
    auto out = dyn_cast<BlockArgument>(op.getSource());
    std::optional<int64_t> index = op.getConstantIndex();
    if (!out || !index || out.getOwner() != &kernel.getBody().front())
      continue;
    auto pairs = kernel.getArgAttrOfType<DenseI64ArrayAttr>(out.getArgNumber(),
                                                            kSizes);
    if (!pairs || pairs[2 * *index] < 0)
      continue;
    BlockArgument source = kernel.getArgument(pairs[2 * *index]);
    int64_t dim = pairs[2 * *index + 1];
    Value size = source;
    if (dim >= 0)
      size = tensor::DimOp::create(builder, op.getLoc(), source, dim);
    op.replaceAllUsesWith(size);
    op.erase();
  }
}

void cpu::updateInPlace(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  SmallVector<linalg::GenericOp> generics;
  kernel.walk([&](linalg::GenericOp op) { generics.push_back(op); });
  for (linalg::GenericOp op : generics) {
    OpOperand *input = findUpdatable(op);
    if (!input)
      continue;
    unsigned number = input->getOperandNumber();
    Block *body = op.getBody();
    BlockArgument read = body->getArgument(number);
    read.replaceAllUsesWith(body->getArguments().back());
    op.getDpsInitsMutable()[0].set(input->get());
    body->eraseArgument(number);
    SmallVector<Attribute> maps(op.getIndexingMaps().begin(),
                                op.getIndexingMaps().end());
    maps.erase(maps.begin() + number);
    op.setIndexingMapsAttr(rewriter.getArrayAttr(maps));
    op.getInputsMutable().erase(number);
  }
}
