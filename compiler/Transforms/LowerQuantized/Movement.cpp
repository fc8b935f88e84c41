// Operations that move elements, or hand them to bodies: integers move alike.
#include "compiler/Dialect/StableHLO/IR/StableHLORetyping.h"
#include "compiler/Transforms/LowerQuantized/Quantization.h"

using namespace mlir;
using namespace ferrule::stablehlo;

namespace ferrule::quantized {

/// Whether the operation means the same on the integers as on what they stand
/// for, once its bodies are lowered.
static bool movesElements(Operation *op) {
  return isa<AfterAllOp, AllGatherOp, AllReduceOp, AllToAllOp, AsyncDoneOp,
             AsyncStartOp, BitcastConvertOp, BroadcastOp, BroadcastInDimOp,
             CaseOp, CollectiveBroadcastOp, CollectivePermuteOp, CompositeOp,
             ConcatenateOp, CustomCallOp, DynamicBroadcastInDimOp,
             DynamicGatherOp, DynamicPadOp, DynamicReshapeOp, DynamicSliceOp,
             DynamicUpdateSliceOp, GatherOp, GetDimensionSizeOp,
             GetTupleElementOp, IfOp, InfeedOp, MapOp, OptimizationBarrierOp,
             OutfeedOp, PadOp, RealDynamicSliceOp, RecvOp, ReduceOp,
             ReduceScatterOp, ReduceWindowOp, ReshapeOp, ReturnOp, ReverseOp,
             ScatterOp, SelectAndScatterOp, SendOp, SetDimensionSizeOp,
             SliceOp, SortOp, TorchIndexSelectOp, TransposeOp, TupleOp,
             WhileOp>(op) ||
         op->getName().getStringRef() == "tensor.cast" ||
         op->getName().getDialectNamespace() == "check";
}

/// The types of the accumulators of a body, `count` times those of its first
/// arguments in a row.
static SmallVector<Type> repeatAccumulators(Region &body, size_t each,
                                            size_t count) {
  SmallVector<Type> types;
  for (size_t i = 0; i < count; ++i)
    for (BlockArgument argument : body.getArguments().take_front(each))
      types.push_back(argument.getType());
  return types;
}

/// For each operand the type that the operation's bodies expect its elements
/// in, null where they need none.
static SmallVector<Type> getExpectedTypes(Operation *op) {
  SmallVector<Type> types(op->getNumOperands());
  auto place = [&](size_t first, ArrayRef<Type> some) {
    for (auto [i, type] : llvm::enumerate(some))
      types[first + i] = type;
  };
  if (isa<ReduceOp, ReduceWindowOp>(op)) {
    size_t inputs = op->getNumOperands() / 2;
    place(0, repeatAccumulators(op->getRegion(0), inputs, 2));
  } else if (auto scatter = dyn_cast<ScatterOp>(op)) {
    size_t inputs = scatter.getInputs().size();
    SmallVector<Type> each =
        repeatAccumulators(scatter.getUpdateComputation(), inputs, 1);
    place(0, each);
    place(inputs + 1, each);
  } else if (auto select = dyn_cast<SelectAndScatterOp>(op)) {
    place(1, repeatAccumulators(select.getScatter(), 1, 2));
  } else if (isa<AllReduceOp, ReduceScatterOp>(op)) {
    Type one = op->getRegion(0).getArgument(0).getType();
    types.assign(types.size(), one);
  } else if (isa<SortOp>(op)) {
    for (size_t i = 0; i < types.size(); ++i)
      types[i] = op->getRegion(0).getArgument(2 * i).getType();
  } else if (isa<WhileOp, MapOp>(op)) {
    llvm::copy(op->getRegion(0).getArgumentTypes(), types.begin());
  } else if (isa<ReturnOp>(op)) {
    Operation *parent = op->getParentOp();
    Region *region = op->getParentRegion();
    if (isa<IfOp, CaseOp>(parent))
      place(0, llvm::to_vector(parent->getResultTypes()));
    else if (isa<WhileOp, ReduceOp, ReduceWindowOp, ScatterOp,
                 SelectAndScatterOp>(parent) &&
             region->getNumArguments() >= types.size())
      place(0, repeatAccumulators(*region, types.size(), 1));
  }
  return types;
}

namespace {

/// The same operation on storage.
struct MovementLowering : ConversionPattern {
  MovementLowering(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!movesElements(op))
      return rewriter.notifyMatchFailure(op, "not only moves elements");
    SmallVector<Value> stored(operands);
    SmallVector<Type> expected = getExpectedTypes(op);
    for (auto [i, operand] : llvm::enumerate(stored)) {
      auto from = getQuantized(op->getOperand(i).getType());
      auto to = expected[i] ? getQuantized(expected[i]) : from;
      if (from && to)
        operand = buildRequantize(rewriter, op->getLoc(), operand, from, to);
    }
    FailureOr<Operation *> result =
        rebuildConverted(op, stored, *getTypeConverter(), rewriter);
    if (failed(result))
      return rewriter.notifyMatchFailure(op, "a type has no storage type");
    rewriter.replaceOp(op, *result);
    return success();
  }
};

} // namespace

void addMovementPatterns(const TypeConverter &converter,
                         RewritePatternSet &patterns) {
  patterns.add<MovementLowering>(converter, patterns.getContext());
}

} // namespace ferrule::quantized
