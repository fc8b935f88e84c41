// Verifiers of communication between processes.
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOVerifiers.h"

using namespace mlir;
namespace ferrule::stablehlo {

namespace {
/// Codes of an operation's constraints on its groups in the specification.
struct GroupCodes {
  StringRef unique, values, ids;
};
} // namespace

/// The processes of replica_groups; nothing where a mesh gives them.
static std::optional<DenseIntElementsAttr> denseGroups(Attribute groups) {
  auto dense = dyn_cast<DenseIntElementsAttr>(groups);
  return dense ? std::optional(dense) : std::nullopt;
}

/// Checks that groups are rows of process numbers, each of 0 to n - 1 in one
/// place; -1 fills up groups that are shorter, where they may be. Processes in
/// no group are none of a complete list.
static LogicalResult checkGroups(Operation *op, Attribute attribute,
                                 GroupCodes codes, bool useGlobalIds,
                                 bool equalSizes, bool complete = true) {
  std::optional<DenseIntElementsAttr> groups = denseGroups(attribute);
  if (!groups)
    return success();
  ShapedType type = groups->getType();
  if (type.getRank() != 2)
    return op->emitOpError()
           << codes.values << ": found replica_groups of type " << type
           << ", expected a matrix";
  if (useGlobalIds && groups->empty())
    return op->emitOpError() << codes.ids
                             << ": found no replica_groups with "
                                "use_global_device_ids, expected some";
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t id : groups->getValues<int64_t>()) {
    if (id == -1 && !equalSizes)
      continue;
    if (id < 0)
      return op->emitOpError() << codes.values << ": found process " << id
                               << " in replica_groups, expected 0 or more";
    if (!seen.insert(id).second)
      return op->emitOpError() << codes.unique << ": found process " << id
                               << " twice in replica_groups";
  }
  for (int64_t id = 0, end = seen.size(); complete && id < end; ++id)
    if (!seen.contains(id))
      return op->emitOpError()
             << codes.values << ": found no process " << id
             << " in replica_groups of " << end << " processes";
  return success();
}

/// Processes of each group; nothing when they differ or are unknown: with a
/// channel and without global identifiers the groups are of replicas, each of
/// which has as many processes as there are partitions.
static std::optional<int64_t>
groupSize(Attribute attribute, std::optional<ChannelHandleAttr> channel,
          bool useGlobalIds) {
  if (channel && channel->getHandle() > 0 && !useGlobalIds)
    return std::nullopt;
  std::optional<DenseIntElementsAttr> groups = denseGroups(attribute);
  if (!groups || groups->getType().getRank() != 2 || groups->empty())
    return std::nullopt;
  return groups->getType().getDimSize(1);
}

/// Checks channel identifiers: use_global_device_ids needs one.
static LogicalResult checkChannel(Operation *op, StringRef code,
                                  std::optional<ChannelHandleAttr> channel,
                                  bool useGlobalIds) {
  if (!useGlobalIds || (channel && channel->getHandle() > 0))
    return success();
  return op->emitOpError() << code
                           << ": found use_global_device_ids without a channel "
                              "handle, expected one above 0";
}

/// Each operand has a result of its type but for dimension `dim`, whose size
/// `resize` gives.
static LogicalResult
checkResults(Operation *op, StringRef code, ArrayRef<int64_t> dims,
             llvm::function_ref<int64_t(int64_t dim, int64_t size)> resize) {
  if (op->getNumOperands() == 0)
    return op->emitOpError() << code << ": found no operands";
  if (op->getNumOperands() != op->getNumResults())
    return op->emitOpError()
           << code << ": found " << op->getNumOperands() << " operands and "
           << op->getNumResults() << " results, expected as many";
  for (auto [from, to] :
       llvm::zip(op->getOperandTypes(), op->getResultTypes())) {
    auto type = cast<RankedTensorType>(from);
    SmallVector<int64_t> shape(type.getShape());
    for (int64_t dim : dims)
      if (!ShapedType::isDynamic(shape[dim]))
        shape[dim] = resize(dim, shape[dim]);
    auto expected =
        RankedTensorType::get(shape, type.getElementType(),
                              dims.empty() ? type.getEncoding() : nullptr);
    if (!areCompatibleTypes(to, expected))
      return op->emitOpError() << code << ": found result " << to << " for "
                               << from << ", expected " << expected;
  }
  return success();
}

static LogicalResult checkSameTypes(Operation *op, StringRef code) {
  return checkResults(op, code, {}, nullptr);
}

static LogicalResult checkDim(Operation *op, StringRef code, int64_t dim,
                              Type type) {
  if (dim >= 0 && dim < cast<RankedTensorType>(type).getRank())
    return success();
  return op->emitOpError() << code << ": found dimension " << dim << " for "
                           << type;
}

LogicalResult AllGatherOp::verify() {
  int64_t dim = getAllGatherDim();
  for (Type type : getOperandTypes()) {
    if (failed(checkDim(*this, "C1", dim, type)))
      return failure();
    if (cast<RankedTensorType>(type).getDimSize(dim) == 0)
      return emitOpError() << "C1: found operand " << type
                           << ", expected a size above 0 in dimension " << dim;
  }
  if (failed(checkGroups(*this, getReplicaGroups(), {"C2", "C4", "C5"},
                         getUseGlobalDeviceIds(), /*equalSizes=*/true)) ||
      failed(checkChannel(*this, "C5", getChannelHandle(),
                          getUseGlobalDeviceIds())))
    return failure();
  std::optional<int64_t> size = groupSize(
      getReplicaGroups(), getChannelHandle(), getUseGlobalDeviceIds());
  return checkResults(*this, "C6", dim, [&](int64_t, int64_t from) {
    return size ? from * *size : ShapedType::kDynamic;
  });
}

/// What all_reduce and collective_reduce have in common.
template <typename OpT> static LogicalResult checkReduction(OpT op) {
  if (failed(checkGroups(op, op.getReplicaGroups(), {"C1", "C3", "C4"},
                         op.getUseGlobalDeviceIds(), /*equalSizes=*/false)) ||
      failed(checkChannel(op, "C4", op.getChannelHandle(),
                          op.getUseGlobalDeviceIds())))
    return failure();
  for (Type type : op.getOperandTypes())
    if (failed(checkCombiner(op, "C5", op.getComputation(), TypeRange(type))))
      return failure();
  return success();
}

LogicalResult AllReduceOp::verifyRegions() {
  if (failed(checkReduction(*this)))
    return failure();
  if (getNumOperands() != getNumResults())
    return emitOpError() << "C6: found " << getNumOperands() << " operands and "
                         << getNumResults() << " results, expected as many";
  for (auto [from, to] : llvm::zip(getOperandTypes(), getResultTypes()))
    if (failed(verifyCompatibleShape(from, to)))
      return emitOpError() << "C6: found result " << to << " for " << from
                           << ", expected the same shape";
  return success();
}

LogicalResult AllToAllOp::verify() {
  int64_t count = getSplitCount();
  if (count <= 0)
    return emitOpError() << "C4: found split_count " << count
                         << ", expected at least 1";
  for (Type type : getOperandTypes()) {
    if (failed(checkDim(*this, "C1", getSplitDimension(), type)) ||
        failed(checkDim(*this, "C3", getConcatDimension(), type)))
      return failure();
    int64_t size = cast<RankedTensorType>(type).getDimSize(getSplitDimension());
    if (!ShapedType::isDynamic(size) && size % count != 0)
      return emitOpError() << "C2: found size " << size << " for split_count "
                           << count;
  }
  if (failed(checkGroups(*this, getReplicaGroups(), {"C5", "C7", "C7"},
                         /*useGlobalIds=*/false, /*equalSizes=*/true)))
    return failure();
  std::optional<int64_t> size =
      groupSize(getReplicaGroups(), std::nullopt, false);
  if (size && *size != count)
    return emitOpError() << "C8: found groups of " << *size
                         << " processes for split_count " << count;
  int64_t split = getSplitDimension(), concat = getConcatDimension();
  if (split == concat)
    return checkSameTypes(*this, "C9");
  return checkResults(*this, "C9", {split, concat},
                      [&](int64_t dim, int64_t from) {
                        return dim == split ? from / count : from * count;
                      });
}

LogicalResult ReduceScatterOp::verifyRegions() {
  RankedTensorType type = getOperand().getType();
  int64_t dim = getScatterDimension();
  if (failed(checkDim(*this, "C2", dim, type)) ||
      failed(checkGroups(*this, getReplicaGroups(), {"C3", "C5", "C6"},
                         getUseGlobalDeviceIds(), /*equalSizes=*/true)) ||
      failed(checkChannel(*this, "C6", getChannelHandle(),
                          getUseGlobalDeviceIds())) ||
      failed(checkCombiner(*this, "C7", getComputation(), TypeRange(type))))
    return failure();
  int64_t from = type.getDimSize(dim), to = getType().getDimSize(dim);
  std::optional<int64_t> size = groupSize(
      getReplicaGroups(), getChannelHandle(), getUseGlobalDeviceIds());
  if (size && !ShapedType::isDynamic(from) && from % *size != 0)
    return emitOpError() << "C1: found size " << from << " in dimension " << dim
                         << " for groups of " << *size << " processes";
  SmallVector<int64_t> shape(type.getShape());
  if (!ShapedType::isDynamic(from))
    shape[dim] = size ? from / *size : ShapedType::kDynamic;
  auto expected = RankedTensorType::get(shape, getType().getElementType());
  if (!areCompatibleTypes(getType(), expected) ||
      (to == 0 && !ShapedType::isDynamic(from)))
    return emitOpError() << "C8: found result " << getType() << " for " << type
                         << ", expected " << expected;
  return success();
}

LogicalResult CollectivePermuteOp::verify() {
  auto type = cast<ShapedType>(getSourceTargetPairs().getType());
  if (type.getRank() != 2 || type.getDimSize(1) != 2)
    return emitOpError() << "C1: found source_target_pairs of type " << type
                         << ", expected pairs";
  llvm::SmallDenseSet<int64_t> sources, targets;
  for (auto [i, id] :
       llvm::enumerate(getSourceTargetPairs().getValues<int64_t>())) {
    bool isTarget = i % 2;
    if (id < 0)
      return emitOpError() << "C4: found process " << id
                           << " in source_target_pairs, expected 0 or more";
    if (!(isTarget ? targets : sources).insert(id).second)
      return emitOpError() << (isTarget ? "C3" : "C2") << ": found "
                           << (isTarget ? "target " : "source ") << id
                           << " twice in source_target_pairs";
  }
  return checkSameTypes(*this, "C5");
}

LogicalResult CollectiveBroadcastOp::verify() {
  if (failed(checkGroups(*this, getReplicaGroups(), {"C1", "C2", "C2"},
                         /*useGlobalIds=*/false, /*equalSizes=*/true,
                         /*complete=*/false)))
    return failure();
  return checkSameTypes(*this, "C3");
}

LogicalResult CollectiveReduceOp::verifyRegions() {
  return checkReduction(*this);
}

LogicalResult CrossReplicaSumOp::verify() {
  if (failed(checkGroups(*this, getReplicaGroups(), {"C1", "C3", "C4"},
                         /*useGlobalIds=*/false, /*equalSizes=*/false,
                         /*complete=*/false)))
    return failure();
  return checkSameTypes(*this, "C6");
}

} // namespace ferrule::stablehlo
