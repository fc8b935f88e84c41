#include "compiler/Transforms/ModernizeStableHLO/ModernizeStableHLO.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace ferrule {
#define GEN_PASS_DEF_MODERNIZESTABLEHLO
#include "compiler/Transforms/ModernizeStableHLO/ModernizeStableHLO.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;
using namespace ferrule::stablehlo;

/// broadcast x, sizes = [2] -> broadcast_in_dim x, the dimensions after them
static LogicalResult replaceBroadcast(BroadcastOp op,
                                      PatternRewriter &rewriter) {
  int64_t leading = op.getBroadcastSizes().size();
  int64_t rank = op.getOperand().getType().getRank();
  auto dims = llvm::to_vector(llvm::seq<int64_t>(leading, leading + rank));
  rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(),
                                                op.getOperand(), dims);
  return success();
}

/// create_token -> after_all of nothing
static LogicalResult replaceToken(CreateTokenOp op, PatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<AfterAllOp>(op, op.getType(), ValueRange());
  return success();
}

/// dot a, b -> dot_general over the last of a and the first of b
static LogicalResult replaceDot(DotOp op, PatternRewriter &rewriter) {
  auto dims = DotDimensionNumbersAttr::get(
      op.getContext(), {}, {}, {op.getLhs().getType().getRank() - 1}, {0});
  auto result = DotGeneralOp::create(rewriter, op.getLoc(), op.getType(),
                                     op.getLhs(), op.getRhs(), dims,
                                     op.getPrecisionConfigAttr(), nullptr);
  rewriter.replaceOp(op, result);
  return success();
}

/// cross-replica-sum -> all_reduce with an addition
static LogicalResult replaceSum(CrossReplicaSumOp op,
                                PatternRewriter &rewriter) {
  auto scalar = RankedTensorType::get({}, op.getType().getElementType());
  auto reduce = AllReduceOp::create(
      rewriter, op.getLoc(), TypeRange(op.getType()),
      ValueRange(op.getOperand()), op.getReplicaGroups(), ChannelHandleAttr(),
      /*use_global_device_ids=*/false);
  Block *body =
      rewriter.createBlock(&reduce.getComputation(), {}, {scalar, scalar},
                           {op.getLoc(), op.getLoc()});
  Value sum = AddOp::create(rewriter, op.getLoc(), body->getArgument(0),
                            body->getArgument(1));
  ReturnOp::create(rewriter, op.getLoc(), sum);
  rewriter.replaceOp(op, reduce);
  return success();
}

/// torch_index_select -> gather of whole slices along `dim`
static LogicalResult replaceIndexSelect(TorchIndexSelectOp op,
                                        PatternRewriter &rewriter) {
  RankedTensorType operand = op.getOperand().getType();
  int64_t dim = op.getDim(), batch = op.getBatchDims();
  int64_t indexRank = op.getIndex().getType().getRank();
  if (!operand.hasStaticShape())
    return rewriter.notifyMatchFailure(op, "the slices' sizes are unknown");
  auto batches = llvm::to_vector(llvm::seq<int64_t>(0, batch));
  SmallVector<int64_t> sizes(operand.getShape()), offsets;
  for (int64_t i : batches)
    sizes[i] = 1;
  sizes[dim] = 1;
  // Result: dimensions before dim, those of the indices, those after.
  for (int64_t i = batch; i < dim; ++i)
    offsets.push_back(i);
  for (int64_t i = dim + 1; i < operand.getRank(); ++i)
    offsets.push_back(i - 1 + indexRank - batch);
  auto numbers = GatherDimensionNumbersAttr::get(
      op.getContext(), offsets, {dim}, batches, batches, {dim}, indexRank);
  rewriter.replaceOpWithNewOp<GatherOp>(op, op.getType(), op.getOperand(),
                                        op.getIndex(), numbers, sizes,
                                        /*indices_are_sorted=*/false);
  return success();
}

/// einsum "ab,bc->ca" -> transpose of dot_general
static LogicalResult replaceEinsum(EinsumOp op, PatternRewriter &rewriter) {
  auto [inputs, output] = op.getEinsumConfig().split("->");
  auto [lhs, rhs] = inputs.split(',');
  auto isUnique = [](StringRef names) {
    return llvm::SmallDenseSet<char>(names.begin(), names.end()).size() ==
           names.size();
  };
  if (!isUnique(lhs) || !isUnique(rhs) || !isUnique(output) ||
      inputs.contains('.'))
    return rewriter.notifyMatchFailure(op, "indices repeat in an operand");
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsSum, rhsSum;
  std::string order, lhsFree, rhsFree;
  for (auto [i, name] : llvm::enumerate(lhs)) {
    size_t other = rhs.find(name);
    bool kept = output.contains(name);
    if (other == StringRef::npos && !kept)
      return rewriter.notifyMatchFailure(op, "one operand is summed alone");
    if (other == StringRef::npos) {
      lhsFree += name;
      continue;
    }
    (kept ? lhsBatch : lhsSum).push_back(i);
    (kept ? rhsBatch : rhsSum).push_back(other);
    if (kept)
      order += name;
  }
  for (char name : rhs)
    if (!lhs.contains(name) && !output.contains(name))
      return rewriter.notifyMatchFailure(op, "one operand is summed alone");
    else if (!lhs.contains(name))
      rhsFree += name;
  order += lhsFree + rhsFree;
  if (order.size() != output.size())
    return rewriter.notifyMatchFailure(op, "the result has other indices");
  SmallVector<int64_t> permutation, shape(order.size());
  for (auto [i, name] : llvm::enumerate(output)) {
    permutation.push_back(order.find(name));
    shape[permutation.back()] = op.getType().getDimSize(i);
  }
  auto dims = DotDimensionNumbersAttr::get(op.getContext(), lhsBatch, rhsBatch,
                                           lhsSum, rhsSum);
  Value product = DotGeneralOp::create(
      rewriter, op.getLoc(),
      RankedTensorType::get(shape, op.getType().getElementType()), op.getLhs(),
      op.getRhs(), dims, nullptr, nullptr);
  if (order != output)
    product = TransposeOp::create(rewriter, op.getLoc(), op.getType(), product,
                                  permutation);
  rewriter.replaceOp(op, product);
  return success();
}

namespace {
struct ModernizeStableHLO
    : ferrule::impl::ModernizeStableHLOBase<ModernizeStableHLO> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(replaceBroadcast);
    patterns.add(replaceToken);
    patterns.add(replaceDot);
    patterns.add(replaceSum);
    patterns.add(replaceIndexSelect);
    patterns.add(replaceEinsum);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
