// Communication among the processes of a program. Values are exchanged by the
// runtime, in which processes are threads; what is computed with them is
// ordinary code. Anything that needs a host that answers is refused.
#include "compiler/Conversion/StableHLOToLinalg/Exchange.h"
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::lowering;

//===----------------------------------------------------------------------===//
// Participants
//===----------------------------------------------------------------------===//

/// The number of processes of a kind that the program is made for.
static std::optional<int64_t> processCount(Operation *op, StringRef name) {
  auto module = op->getParentOfType<ModuleOp>();
  auto count = module->getAttrOfType<IntegerAttr>(name);
  return count ? std::optional<int64_t>(count.getInt()) : std::nullopt;
}

static GroupMode modeOf(Operation *op) {
  auto channel =
      op->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle");
  bool hasChannel = channel && channel.getHandle() > 0;
  if (isa<stablehlo::AllToAllOp, stablehlo::CollectiveBroadcastOp,
          stablehlo::CollectivePermuteOp>(op))
    return hasChannel ? GroupMode::CrossPartition : GroupMode::CrossReplica;
  if (!hasChannel)
    return GroupMode::CrossReplica;
  return op->hasAttr("use_global_device_ids")
             ? GroupMode::FlattenedIds
             : GroupMode::CrossReplicaAndPartition;
}

FailureOr<Participants> lowering::participantsOf(Operation *op) {
  bool isPermute = isa<stablehlo::CollectivePermuteOp>(op);
  auto groups = op->getAttrOfType<DenseIntElementsAttr>(
      isPermute ? "source_target_pairs" : "replica_groups");
  if (!groups || groups.getType().getRank() != 2)
    return op->emitOpError("names its groups by axes of a mesh, expected "
                           "numbers of processes");
  std::optional<int64_t> replicas = processCount(op, "mhlo.num_replicas");
  std::optional<int64_t> partitions = processCount(op, "mhlo.num_partitions");
  Participants result{modeOf(op), groups, 0, true, false};
  auto ids = llvm::to_vector(groups.getValues<int64_t>());
  int64_t columns = groups.getType().getShape()[1];
  if (ids.empty()) {
    // Nobody named is everybody.
    int64_t fewest = isPermute ? 2 : 1;
    ids.assign(fewest, -1);
    result.groups = DenseIntElementsAttr::get(
        RankedTensorType::get({1, fewest}, groups.getElementType()),
        ArrayRef<int64_t>(ids));
    result.count = result.mode == GroupMode::CrossPartition
                       ? partitions.value_or(1)
                       : replicas.value_or(1);
  } else {
    int64_t fewest = columns;
    for (ArrayRef<int64_t> rest = ids; !rest.empty();
         rest = rest.drop_front(columns)) {
      int64_t members = llvm::count_if(rest.take_front(columns),
                                       [](int64_t id) { return id >= 0; });
      result.count = std::max(result.count, members);
      fewest = std::min(fewest, members);
    }
    result.equal = fewest == result.count;
  }
  bool withPartitions = result.mode == GroupMode::CrossReplicaAndPartition;
  if (withPartitions)
    result.count *= partitions.value_or(1);
  bool known = (groups.getNumElements() > 0 && !withPartitions) ||
               (replicas && partitions);
  result.alone =
      isPermute ? replicas == 1 && partitions == 1 : known && result.count == 1;
  return result;
}

/// collective_permute in one process alone still looks at its pairs.
static bool sendsToItself(const Participants &participants) {
  auto ids = llvm::to_vector(participants.groups.getValues<int64_t>());
  for (size_t i = 0; i + 1 < ids.size(); i += 2)
    if (ids[i] == 0 && ids[i + 1] == 0)
      return true;
  return false;
}

static LogicalResult checkCollective(Operation *op) {
  if (isa<stablehlo::InfeedOp, stablehlo::OutfeedOp>(op))
    return op->emitOpError("exchanges data with a host while the program runs, "
                           "expected arguments and results instead");
  if (isa<stablehlo::SendOp, stablehlo::RecvOp>(op))
    return op->emitOpError("sends values through a channel while the program "
                           "runs, expected collective_permute among processes, "
                           "or arguments and results for the host");
  if (!op->hasAttr("replica_groups") &&
      !isa<stablehlo::CollectivePermuteOp>(op))
    return success();
  FailureOr<Participants> participants = participantsOf(op);
  if (failed(participants))
    return failure();
  if (op->hasAttr("has_dynamic_root") && !participants->alone)
    return op->emitOpError(
        "has a root that is known at run time only, expected "
        "the first process of each group");
  if (isa<stablehlo::CollectiveReduceOp>(op) && !participants->alone)
    return op->emitOpError("reduces to one of several processes, expected "
                           "all_reduce or one process");
  return success();
}

LogicalResult lowering::checkCollectives(Operation *root) {
  WalkResult result =
      root->walk([](Operation *op) { return WalkResult(checkCollective(op)); });
  return failure(result.wasInterrupted());
}

ValueRange lowering::createExchange(PatternRewriter &rewriter, Operation *op,
                                    Value operand,
                                    const Participants &participants,
                                    ExchangeKind kind, TypeRange types,
                                    int64_t dim, int64_t concat) {
  auto call = stablehlo::CustomCallOp::create(rewriter, op->getLoc(), types,
                                              operand, kExchangeCall);
  // Processes meet on a channel, in the order of their programs.
  auto channel =
      op->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle");
  call->setAttr("site",
                rewriter.getI64IntegerAttr(channel ? channel.getHandle() : 0));
  call->setAttr("count", rewriter.getI64IntegerAttr(participants.count));
  call->setAttr("mode", rewriter.getI64IntegerAttr(
                            static_cast<int64_t>(participants.mode)));
  call->setAttr("kind", rewriter.getI64IntegerAttr(static_cast<int64_t>(kind)));
  call->setAttr("dim", rewriter.getI64IntegerAttr(dim));
  call->setAttr("concat", rewriter.getI64IntegerAttr(concat));
  call->setAttr("groups", participants.groups);
  return call.getResults();
}

//===----------------------------------------------------------------------===//
// One process
//===----------------------------------------------------------------------===//

namespace {

/// all_gather, all_to_all, collective_broadcast ... of one -> the operands
template <typename OpT> struct OnlyMember : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    FailureOr<Participants> participants = participantsOf(op);
    if (op->getNumOperands() < op->getNumResults() || failed(participants) ||
        !participants->alone)
      return rewriter.notifyMatchFailure(op, "not a group of one");
    SmallVector<Value> values;
    for (auto [result, operand] :
         llvm::zip(op->getResults(), op->getOperands()))
      values.push_back(
          castTo(rewriter, op.getLoc(),
                 toElement(rewriter, operand, getElementTypeOrSelf(result)),
                 result.getType()));
    rewriter.replaceOp(op, values);
    return success();
  }

  static Value toElement(PatternRewriter &rewriter, Value value, Type element) {
    if (getElementTypeOrSelf(value) == element)
      return value;
    auto type = cast<RankedTensorType>(value.getType()).clone(element);
    return stablehlo::ConvertOp::create(rewriter, value.getLoc(), type, value);
  }
};

//===----------------------------------------------------------------------===//
// Several processes
//===----------------------------------------------------------------------===//

/// One exchange an operand, whose result is the operation's.
template <typename OpT> struct ExchangeExpansion : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    FailureOr<Participants> participants = participantsOf(op);
    if (failed(participants) || participants->alone)
      return rewriter.notifyMatchFailure(op, "nothing to exchange");
    ExchangeKind kind = ExchangeKind::Broadcast;
    int64_t dim = -1, concat = -1;
    if constexpr (std::is_same_v<OpT, stablehlo::AllGatherOp>) {
      kind = ExchangeKind::Gather;
      dim = op.getAllGatherDim();
    } else if constexpr (std::is_same_v<OpT, stablehlo::AllToAllOp>) {
      kind = ExchangeKind::AllToAll;
      dim = op.getSplitDimension();
      concat = op.getConcatDimension();
    }
    SmallVector<Value> values;
    for (auto [operand, result] :
         llvm::zip_equal(op->getOperands(), op->getResults()))
      values.push_back(createExchange(rewriter, op, operand, *participants,
                                      kind, result.getType(), dim, concat)
                           .front());
    rewriter.replaceOp(op, values);
    return success();
  }
};

struct PermuteExpansion : OpRewritePattern<stablehlo::CollectivePermuteOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::CollectivePermuteOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<Participants> participants = participantsOf(op);
    if (failed(participants))
      return rewriter.notifyMatchFailure(op, "unknown pairs");
    Value operand = op.getOperand();
    if (!participants->alone) {
      rewriter.replaceOp(op,
                         createExchange(rewriter, op, operand, *participants,
                                        ExchangeKind::Permute, op.getType()));
      return success();
    }
    if (!sendsToItself(*participants)) {
      // Zero on all positions of the operand, whatever its sizes are.
      auto type = cast<RankedTensorType>(operand.getType());
      Value isSame = stablehlo::CompareOp::create(
          rewriter, op.getLoc(), type.clone(rewriter.getI1Type()), operand,
          operand, stablehlo::ComparisonDirection::EQ,
          stablehlo::ComparisonTypeAttr());
      Value never = stablehlo::XorOp::create(rewriter, op.getLoc(),
                                             isSame.getType(), isSame, isSame);
      operand =
          stablehlo::ConvertOp::create(rewriter, op.getLoc(), type, never);
    }
    rewriter.replaceOp(op,
                       castTo(rewriter, op.getLoc(), operand, op.getType()));
    return success();
  }
};

/// Values of the members, combined in their order by `body`, which takes and
/// gives scalars; null: by addition. Members that `place` does not count are
/// left out.
class Combiner {
public:
  Combiner(PatternRewriter &rewriter, Location loc, Region *body)
      : rewriter(rewriter), loc(loc), body(body) {}

  Value combineAll(ValueRange values, Value place, bool equal) {
    Value sum = values.front();
    for (auto [i, value] : llvm::enumerate(values.drop_front())) {
      Value next = combine(sum, value);
      if (!equal)
        next = stablehlo::SelectOp::create(rewriter, loc, sum.getType(),
                                           isMember(place, i + 1), next, sum);
      sum = next;
    }
    return sum;
  }

private:
  Value combine(Value left, Value right) {
    if (!body)
      return stablehlo::AddOp::create(rewriter, loc, left.getType(), left,
                                      right);
    int64_t rank = rankOf(left);
    auto map = stablehlo::MapOp::create(
        rewriter, loc, left.getType(), ValueRange{left, right},
        llvm::to_vector(llvm::seq<int64_t>(rank)));
    rewriter.cloneRegionBefore(*body, map.getComputation(),
                               map.getComputation().end());
    return map.getResult();
  }

  /// Whether member `i` is one of this process's group.
  Value isMember(Value place, int64_t i) {
    Value count =
        stablehlo::SliceOp::create(rewriter, loc, place, ArrayRef<int64_t>{1},
                                   ArrayRef<int64_t>{2}, ArrayRef<int64_t>{1});
    auto scalar = RankedTensorType::get({}, rewriter.getI32Type());
    count = stablehlo::ReshapeOp::create(rewriter, loc, scalar, count);
    Value number = stablehlo::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(scalar, rewriter.getI32IntegerAttr(int32_t(i))));
    return stablehlo::CompareOp::create(rewriter, loc, count, number,
                                        stablehlo::ComparisonDirection::GT);
  }

  PatternRewriter &rewriter;
  Location loc;
  Region *body;
};

/// all_reduce, reduce_scatter and cross-replica-sum -> the members' values,
/// combined by each process for itself and so the same in all.
template <typename OpT> struct ReduceExpansion : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    FailureOr<Participants> participants = participantsOf(op);
    if (failed(participants) || participants->alone)
      return rewriter.notifyMatchFailure(op, "nothing to exchange");
    constexpr bool scatters = std::is_same_v<OpT, stablehlo::ReduceScatterOp>;
    Region *body = nullptr;
    if constexpr (!std::is_same_v<OpT, stablehlo::CrossReplicaSumOp>)
      body = &op.getComputation();
    int64_t dim = -1;
    if constexpr (scatters)
      dim = op.getScatterDimension();
    SmallVector<Value> values;
    for (auto [operand, result] :
         llvm::zip_equal(op->getOperands(), op->getResults())) {
      auto type = cast<RankedTensorType>(result.getType());
      Type element = body ? getElementTypeOrSelf(body->getArgument(0).getType())
                          : type.getElementType();
      Value wide = OnlyMember<OpT>::toElement(rewriter, operand, element);
      SmallVector<Type> types(
          participants->count,
          (scatters ? type : cast<RankedTensorType>(wide.getType()))
              .clone(element));
      types.push_back(RankedTensorType::get({2}, rewriter.getI32Type()));
      ValueRange each = createExchange(
          rewriter, op, wide, *participants,
          scatters ? ExchangeKind::EachPart : ExchangeKind::Each, types, dim);
      Value sum =
          Combiner(rewriter, op.getLoc(), body)
              .combineAll(each.drop_back(), each.back(), participants->equal);
      sum = OnlyMember<OpT>::toElement(rewriter, sum, type.getElementType());
      values.push_back(castTo(rewriter, op.getLoc(), sum, type));
    }
    rewriter.replaceOp(op, values);
    return success();
  }
};

/// replica_id, partition_id -> a question to the runtime.
template <typename OpT> struct IdExpansion : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    bool isPartition = std::is_same_v<OpT, stablehlo::PartitionIdOp>;
    if (processCount(op, isPartition ? "mhlo.num_partitions"
                                     : "mhlo.num_replicas") == 1) {
      rewriter.replaceOpWithNewOp<stablehlo::ConstantOp>(
          op, cast<ElementsAttr>(rewriter.getZeroAttr(op.getType())));
      return success();
    }
    auto call = stablehlo::CustomCallOp::create(rewriter, op.getLoc(),
                                                op->getResultTypes(),
                                                ValueRange(), kProcessIdCall);
    call->setAttr("kind", rewriter.getI64IntegerAttr(isPartition));
    rewriter.replaceOp(op, call.getResults());
    return success();
  }
};

} // namespace

void lowering::addCollectivePatterns(Patterns &patterns) {
  patterns.add<
      OnlyMember<stablehlo::AllGatherOp>, OnlyMember<stablehlo::AllReduceOp>,
      OnlyMember<stablehlo::AllToAllOp>, OnlyMember<stablehlo::ReduceScatterOp>,
      OnlyMember<stablehlo::CollectiveBroadcastOp>,
      OnlyMember<stablehlo::CollectiveReduceOp>,
      OnlyMember<stablehlo::CrossReplicaSumOp>, PermuteExpansion,
      ExchangeExpansion<stablehlo::AllGatherOp>,
      ExchangeExpansion<stablehlo::AllToAllOp>,
      ExchangeExpansion<stablehlo::CollectiveBroadcastOp>,
      ReduceExpansion<stablehlo::AllReduceOp>,
      ReduceExpansion<stablehlo::ReduceScatterOp>,
      ReduceExpansion<stablehlo::CrossReplicaSumOp>,
      IdExpansion<stablehlo::ReplicaIdOp>,
      IdExpansion<stablehlo::PartitionIdOp>>(patterns.getContext());
}
