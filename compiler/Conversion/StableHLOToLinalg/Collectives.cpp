// Communication among the processes of a program, of which there is one: a
// group's only member keeps its own values. Anything that needs another
// process, or a host that answers, is refused.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ferrule::lowering {

/// The number of processes in the largest group; -1 when groups are named by
/// axes of a mesh. No group at all stands for everybody.
static int64_t groupSize(Attribute groups) {
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(groups);
  if (!elements)
    return -1;
  ArrayRef<int64_t> shape = elements.getType().getShape();
  if (elements.getNumElements() == 0)
    return 1;
  if (shape.size() != 2)
    return -1;
  // Rows of groups that are smaller than others end in -1.
  auto values = llvm::to_vector(elements.getValues<int64_t>());
  int64_t most = 0;
  for (int64_t row = 0; row < shape[0]; ++row) {
    auto members = ArrayRef(values).slice(row * shape[1], shape[1]);
    most = std::max<int64_t>(
        most, llvm::count_if(members, [](int64_t id) { return id >= 0; }));
  }
  return most;
}

LogicalResult checkCollectives(Operation *root) {
  WalkResult result = root->walk([](Operation *op) {
    if (isa<stablehlo::InfeedOp, stablehlo::OutfeedOp, stablehlo::SendOp,
            stablehlo::RecvOp>(op)) {
      op->emitOpError("exchanges data with a host while the program runs, "
                      "expected arguments and results instead");
      return WalkResult::interrupt();
    }
    Attribute groups = op->getAttr("replica_groups");
    if (!groups || groupSize(groups) == 1)
      return WalkResult::advance();
    op->emitOpError("needs groups of several processes, found one process");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {

/// all_gather, all_to_all, collective_broadcast ... of one -> the operands
template <typename OpT> struct OnlyMember : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumOperands() < op->getNumResults() ||
        groupSize(op->getAttr("replica_groups")) != 1)
      return rewriter.notifyMatchFailure(op, "not a group of one");
    SmallVector<Value> values;
    for (auto [result, operand] : llvm::zip(op->getResults(), op->getOperands())) {
      Value value = operand;
      if (getElementTypeOrSelf(value) != getElementTypeOrSelf(result))
        value = stablehlo::ConvertOp::create(
            rewriter, op.getLoc(),
            cast<RankedTensorType>(value.getType())
                .clone(getElementTypeOrSelf(result)),
            value);
      if (value.getType() != result.getType())
        value = tensor::CastOp::create(rewriter, op.getLoc(), result.getType(),
                                       value);
      values.push_back(value);
    }
    rewriter.replaceOp(op, values);
    return success();
  }
};

/// The operand when process 0 sends to itself, else zeros.
struct PermuteExpansion : OpRewritePattern<stablehlo::CollectivePermuteOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::CollectivePermuteOp op,
                                PatternRewriter &rewriter) const override {
    auto pairs = dyn_cast<DenseIntElementsAttr>(op.getSourceTargetPairs());
    if (!pairs)
      return rewriter.notifyMatchFailure(op, "pairs are not dense");
    auto ids = llvm::to_vector(pairs.getValues<int64_t>());
    bool toItself = false;
    for (size_t i = 0; i + 1 < ids.size(); i += 2)
      toItself |= ids[i] == 0 && ids[i + 1] == 0;
    Value operand = op.getOperand();
    if (!toItself) {
      // Zero on all positions of the operand, whatever its sizes are.
      auto type = cast<RankedTensorType>(operand.getType());
      Value isSame = stablehlo::CompareOp::create(
          rewriter, op.getLoc(), type.clone(rewriter.getI1Type()), operand,
          operand, stablehlo::ComparisonDirection::EQ,
          stablehlo::ComparisonTypeAttr());
      Value never = stablehlo::XorOp::create(rewriter, op.getLoc(),
                                             isSame.getType(), isSame, isSame);
      operand = stablehlo::ConvertOp::create(rewriter, op.getLoc(), type, never);
    }
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), operand, op.getType()));
    return success();
  }
};

template <typename OpT> struct IdExpansion : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<stablehlo::ConstantOp>(
        op, cast<ElementsAttr>(rewriter.getZeroAttr(op.getType())));
    return success();
  }
};

} // namespace

void addCollectivePatterns(Patterns &patterns) {
  patterns.add<OnlyMember<stablehlo::AllGatherOp>,
               OnlyMember<stablehlo::AllReduceOp>,
               OnlyMember<stablehlo::AllToAllOp>,
               OnlyMember<stablehlo::ReduceScatterOp>,
               OnlyMember<stablehlo::CollectiveBroadcastOp>,
               OnlyMember<stablehlo::CollectiveReduceOp>,
               OnlyMember<stablehlo::CrossReplicaSumOp>, PermuteExpansion,
               IdExpansion<stablehlo::ReplicaIdOp>,
               IdExpansion<stablehlo::PartitionIdOp>>(patterns.getContext());
}

} // namespace ferrule::lowering
