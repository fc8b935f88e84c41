// ragged_dot: a product for each group of slices along a dimension.
#include "compiler/Conversion/CHLOToStableHLO/Patterns.h"
#include "compiler/Frontend/Support/ColumnLoop.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule::frontend;

namespace ferrule::chlo {

/// Dimensions of a product: `lhs` and `rhs` of the same meaning pairwise.
using Dims = SmallVector<int64_t>;

static Dims freeDims(int64_t rank, ArrayRef<int64_t> batch,
                     ArrayRef<int64_t> contracting, int64_t without = -1) {
  Dims dims;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(batch, d) && !llvm::is_contained(contracting, d) &&
        d != without)
      dims.push_back(d);
  return dims;
}

namespace {

/// The operation's parts, and products of them.
struct RaggedDot {
  HloBuilder &b;
  RaggedDotOp op;
  RaggedDotDimensionNumbersAttr numbers = op.getRaggedDotDimensionNumbers();
  Dims lhsBatch = Dims(numbers.getLhsBatchingDimensions());
  Dims rhsBatch = Dims(numbers.getRhsBatchingDimensions());
  Dims lhsSum = Dims(numbers.getLhsContractingDimensions());
  Dims rhsSum = Dims(numbers.getRhsContractingDimensions());
  int64_t ragged = numbers.getLhsRaggedDimensions()[0];
  Type element = typeOf(op.getResult()).getElementType();

  Value dot(HloBuilder &b, Value lhs, Value rhs, ArrayRef<int64_t> rhsBatch,
            ArrayRef<int64_t> rhsSum) {
    SmallVector<int64_t> shape;
    for (int64_t d : lhsBatch)
      shape.push_back(typeOf(lhs).getDimSize(d));
    for (int64_t d : freeDims(rankOf(lhs), lhsBatch, lhsSum))
      shape.push_back(typeOf(lhs).getDimSize(d));
    for (int64_t d : freeDims(rankOf(rhs), rhsBatch, rhsSum))
      shape.push_back(typeOf(rhs).getDimSize(d));
    return stablehlo::DotGeneralOp::create(
        b, RankedTensorType::get(shape, element), lhs, rhs,
        stablehlo::DotDimensionNumbersAttr::get(b.getContext(), lhsBatch,
                                                rhsBatch, lhsSum, rhsSum));
  }

  /// [prefix ..., size of the ragged dimension]: whether slices are of group
  /// g. Slices behind the last group are of none.
  Value isOfGroup(HloBuilder &b, Value starts, Value ends, Value g, Size size) {
    int64_t last = rankOf(ends) - 1;
    Value start = selectIndex(b, starts, last, Size(g));
    Value end = selectIndex(b, ends, last, Size(g));
    Sizes sizes = sizesOf(b, start);
    sizes.push_back(size);
    Dims prefix = llvm::to_vector(llvm::seq<int64_t>(0, last));
    Value place = iota(b, sizes, last, b.getI64Type());
    return bitAnd(b,
                  compare(b, Direction::GE, place,
                          broadcastInDim(b, start, sizes, prefix)),
                  compare(b, Direction::LT, place,
                          broadcastInDim(b, end, sizes, prefix)));
  }

  /// x where the mask holds, else y; the mask's dimensions are `dims` of x.
  Value masked(HloBuilder &b, Value mask, Value x, Value y,
               ArrayRef<int64_t> dims) {
    // A mask without a prefix is that of the last dimension.
    ArrayRef<int64_t> own = dims.take_back(rankOf(mask));
    return select(b, broadcastInDim(b, mask, sizesOf(b, x), own), x, y);
  }

  /// Running sums of the groups' sizes (i64), before and after each group.
  std::pair<Value, Value> bounds() {
    Value sizes = convert(b, op.getGroupSizes(), b.getI64Type());
    int64_t last = rankOf(sizes) - 1;
    Sizes shape = sizesOf(b, sizes);
    Sizes square = shape;
    square.push_back(shape[last]);
    Dims source = llvm::to_vector(llvm::seq<int64_t>(0, last));
    source.push_back(last + 1);
    Value spread = broadcastInDim(b, sizes, square, source);
    Value before =
        compare(b, Direction::LE, iota(b, square, last + 1, b.getI64Type()),
                iota(b, square, last, b.getI64Type()));
    Value ends = reduceSum(b, select(b, before, spread, fullLike(b, spread, 0)),
                           {last + 1}, false);
    return {sub(b, ends, sizes), ends};
  }

  /// The ragged dimension is free: result row i takes the product with the
  /// weights of its group.
  Value raggedFree(int64_t groupDim) {
    Value lhs = op.getLhs(), rhs = op.getRhs();
    Dims free = freeDims(rankOf(lhs), lhsBatch, lhsSum);
    int64_t place = lhsBatch.size() + (llvm::find(free, ragged) - free.begin());
    Dims resultDims = llvm::to_vector(llvm::seq<int64_t>(0, place + 1));
    auto [starts, ends] = bounds();
    auto without = [&](Dims dims) {
      for (int64_t &d : dims)
        d -= d > groupDim;
      return dims;
    };
    Dims batch = without(rhsBatch), sum = without(rhsSum);
    Sizes sizes;
    for (int64_t d : lhsBatch)
      sizes.push_back(sizeOf(b, lhs, d));
    for (int64_t d : free)
      sizes.push_back(sizeOf(b, lhs, d));
    for (int64_t d : freeDims(rankOf(rhs), rhsBatch, rhsSum, groupDim))
      sizes.push_back(sizeOf(b, rhs, d));
    auto step = [&, starts = starts, ends = ends](HloBuilder &b, Value g,
                                                  ValueRange state) {
      Value mask = isOfGroup(b, starts, ends, g, sizeOf(b, lhs, ragged));
      Value weights = selectIndex(b, rhs, groupDim, Size(g));
      Value product = dot(b, lhs, weights, batch, sum);
      return SmallVector<Value>{masked(b, mask, product, state[0], resultDims)};
    };
    return columnLoop(b, sizeOf(b, rhs, groupDim), {full(b, sizes, element, 0)},
                      step)[0];
  }

  /// The ragged dimension is summed: a result for each group, in front.
  Value raggedSum() {
    Value lhs = op.getLhs(), rhs = op.getRhs();
    auto [starts, ends] = bounds();
    int64_t at = llvm::find(lhsSum, ragged) - lhsSum.begin();
    auto dimsOf = [&](Dims batch, ArrayRef<int64_t> sum) {
      llvm::append_range(batch, sum.take_front(at + 1));
      return batch;
    };
    Dims lhsDims = dimsOf(lhsBatch, lhsSum), rhsDims = dimsOf(rhsBatch, rhsSum);
    Size groups = sizeOf(b, ends, rankOf(ends) - 1);
    Sizes sizes = {groups};
    for (int64_t d : lhsBatch)
      sizes.push_back(sizeOf(b, lhs, d));
    for (int64_t d : freeDims(rankOf(lhs), lhsBatch, lhsSum))
      sizes.push_back(sizeOf(b, lhs, d));
    for (int64_t d : freeDims(rankOf(rhs), rhsBatch, rhsSum))
      sizes.push_back(sizeOf(b, rhs, d));
    auto step = [&, starts = starts, ends = ends](HloBuilder &b, Value g,
                                                  ValueRange state) {
      Value mask = isOfGroup(b, starts, ends, g, sizeOf(b, lhs, ragged));
      // Both: a zero times infinity would be NaN.
      Value left = masked(b, mask, lhs, fullLike(b, lhs, 0), lhsDims);
      Value right = masked(b, mask, rhs, fullLike(b, rhs, 0), rhsDims);
      Value product = dot(b, left, right, rhsBatch, rhsSum);
      return SmallVector<Value>{putIndex(b, state[0], product, 0, Size(g))};
    };
    return columnLoop(b, groups, {full(b, sizes, element, 0)}, step)[0];
  }
};

struct RaggedDotLowering : OpRewritePattern<RaggedDotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RaggedDotOp op,
                                PatternRewriter &rewriter) const override {
    auto numbers = op.getRaggedDotDimensionNumbers();
    auto type = dyn_cast<RankedTensorType>(op.getType());
    for (Value operand : op->getOperands())
      if (!isa<RankedTensorType>(operand.getType()))
        return rewriter.notifyMatchFailure(op, "unranked operand");
    if (!type || numbers.getLhsRaggedDimensions().size() != 1)
      return rewriter.notifyMatchFailure(op, "not one ragged dimension");
    HloBuilder b(op.getLoc(), rewriter);
    RaggedDot dot{b, op};
    bool inSum = llvm::is_contained(dot.lhsSum, dot.ragged);
    bool inBatch = llvm::is_contained(dot.lhsBatch, dot.ragged);
    ArrayRef<int64_t> groups = numbers.getRhsGroupDimensions();
    if (groups.size() != (inSum || inBatch ? 0 : 1))
      return rewriter.notifyMatchFailure(op, "another number of group dims");
    // Each batch has weights of its own already.
    Value result =
        inBatch ? dot.dot(b, op.getLhs(), op.getRhs(), dot.rhsBatch, dot.rhsSum)
        : inSum ? dot.raggedSum()
                : dot.raggedFree(groups[0]);
    if (rankOf(result) != type.getRank())
      return rewriter.notifyMatchFailure(op, "the result has another rank");
    rewriter.replaceOp(op, refineType(b, result, type));
    return success();
  }
};

} // namespace

void addRaggedDotPatterns(RewritePatternSet &patterns) {
  patterns.add<RaggedDotLowering>(patterns.getContext());
}

} // namespace ferrule::chlo
