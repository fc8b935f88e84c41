// Removes and merges operations that only move elements.
#include "compiler/Transforms/SimplifyStableHLO/SimplifyStableHLO.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::stablehlo;

namespace {

bool isIdentity(ArrayRef<int64_t> dims) {
  return llvm::equal(dims, llvm::seq<int64_t>(dims.size()));
}

/// reshape(x) -> x of the same type; reshape(reshape(x)) -> reshape(x)
struct SimplifyReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getOperand().getType() == op.getType() &&
        op.getType().hasStaticShape()) {
      rewriter.replaceOp(op, op.getOperand());
      return success();
    }
    auto inner = op.getOperand().getDefiningOp<ReshapeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "nothing to merge with");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(),
                                           inner.getOperand());
    return success();
  }
};

/// transpose(transpose(x)) -> transpose(x); the identity goes; one that only
/// moves dimensions of size 1 is a reshape.
struct SimplifyTranspose : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> permutation = op.getPermutation();
    if (isIdentity(permutation)) {
      replaceWithCast(rewriter, op, op.getOperand());
      return success();
    }
    if (auto inner = op.getOperand().getDefiningOp<TransposeOp>()) {
      auto merged = llvm::map_to_vector(permutation, [&](int64_t dim) {
        return inner.getPermutation()[dim];
      });
      Value value = TransposeOp::create(rewriter, op.getLoc(),
                                        inner.getOperand(), merged);
      replaceWithCast(rewriter, op, value);
      return success();
    }
    RankedTensorType type = op.getOperand().getType();
    SmallVector<int64_t> large;
    for (int64_t dim : permutation)
      if (type.getDimSize(dim) != 1)
        large.push_back(dim);
    if (!type.hasStaticShape() || !op.getType().hasStaticShape() ||
        !llvm::is_sorted(large) || isQuantizedElement(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "it moves elements");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getOperand());
    return success();
  }
};

/// broadcast_in_dim that changes nothing goes; two become one; one that adds
/// dimensions of size 1 in order is a reshape.
struct SimplifyBroadcast : OpRewritePattern<BroadcastInDimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastInDimOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType from = op.getOperand().getType(), to = op.getType();
    ArrayRef<int64_t> dims = op.getBroadcastDimensions();
    if (from == to && from.hasStaticShape() && isIdentity(dims)) {
      rewriter.replaceOp(op, op.getOperand());
      return success();
    }
    if (auto inner = op.getOperand().getDefiningOp<BroadcastInDimOp>()) {
      auto merged = llvm::map_to_vector(inner.getBroadcastDimensions(),
                                        [&](int64_t dim) { return dims[dim]; });
      rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, to, inner.getOperand(),
                                                    merged);
      return success();
    }
    if (!from.hasStaticShape() || !to.hasStaticShape() ||
        from.getNumElements() != to.getNumElements() || !llvm::is_sorted(dims))
      return rewriter.notifyMatchFailure(op, "it repeats or moves elements");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, to, op.getOperand());
    return success();
  }
};

/// A slice of everything goes; slice(slice(x)) -> slice(x); a slice of one
/// operand of a concatenation is a slice of that operand.
struct SimplifySlice : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getOperand().getType() == op.getType() &&
        op.getType().hasStaticShape()) {
      rewriter.replaceOp(op, op.getOperand());
      return success();
    }
    if (auto inner = op.getOperand().getDefiningOp<SliceOp>())
      return mergeSlices(op, inner, rewriter);
    if (auto concatenate = op.getOperand().getDefiningOp<ConcatenateOp>())
      return sliceOfConcatenate(op, concatenate, rewriter);
    return rewriter.notifyMatchFailure(op, "nothing to merge with");
  }

  static LogicalResult mergeSlices(SliceOp op, SliceOp inner,
                                   PatternRewriter &rewriter) {
    SmallVector<int64_t> starts, limits, strides;
    for (auto [start, limit, stride, innerStart, innerStride] :
         llvm::zip(op.getStartIndices(), op.getLimitIndices(), op.getStrides(),
                   inner.getStartIndices(), inner.getStrides())) {
      starts.push_back(innerStart + start * innerStride);
      // One past the last element that is read.
      limits.push_back(limit == start
                           ? starts.back()
                           : innerStart + (limit - 1) * innerStride + 1);
      strides.push_back(stride * innerStride);
    }
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), inner.getOperand(),
                                         starts, limits, strides);
    return success();
  }

  static LogicalResult sliceOfConcatenate(SliceOp op, ConcatenateOp operand,
                                          PatternRewriter &rewriter) {
    int64_t dim = operand.getDimension(), offset = 0;
    int64_t start = op.getStartIndices()[dim];
    int64_t limit = op.getLimitIndices()[dim];
    for (Value input : operand.getInputs()) {
      int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(dim);
      if (ShapedType::isDynamic(size))
        break;
      if (start >= offset && limit <= offset + size && start < limit) {
        SmallVector<int64_t> starts(op.getStartIndices());
        SmallVector<int64_t> limits(op.getLimitIndices());
        starts[dim] -= offset;
        limits[dim] -= offset;
        rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), input, starts,
                                             limits, op.getStrides());
        return success();
      }
      offset += size;
    }
    return rewriter.notifyMatchFailure(op, "it reads from several operands");
  }
};

/// A pad by nothing goes.
struct SimplifyPad : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PadOp op,
                                PatternRewriter &rewriter) const override {
    auto isZero = [](int64_t size) { return size == 0; };
    if (!llvm::all_of(op.getEdgePaddingLow(), isZero) ||
        !llvm::all_of(op.getEdgePaddingHigh(), isZero) ||
        !llvm::all_of(op.getInteriorPadding(), isZero))
      return rewriter.notifyMatchFailure(op, "it pads");
    replaceWithCast(rewriter, op, op.getOperand());
    return success();
  }
};

/// Empty operands go; a concatenation of one value is that value; nested
/// ones along the same dimension become one.
struct SimplifyConcatenate : OpRewritePattern<ConcatenateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatenateOp op,
                                PatternRewriter &rewriter) const override {
    int64_t dim = op.getDimension();
    SmallVector<Value> inputs;
    bool changed = false;
    for (Value input : op.getInputs()) {
      auto inner = input.getDefiningOp<ConcatenateOp>();
      if (inner && inner.getDimension() == static_cast<uint64_t>(dim) &&
          inner->hasOneUse()) {
        llvm::append_range(inputs, inner.getInputs());
        changed = true;
      } else if (cast<RankedTensorType>(input.getType()).getDimSize(dim) == 0) {
        changed = true;
      } else {
        inputs.push_back(input);
      }
    }
    if (inputs.empty())
      inputs.push_back(op.getInputs().front());
    if (inputs.size() == 1) {
      replaceWithCast(rewriter, op, inputs.front());
      return success();
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "nothing to merge or drop");
    rewriter.replaceOpWithNewOp<ConcatenateOp>(op, op.getType(), inputs, dim);
    return success();
  }
};

/// A reverse of dimensions of size 1 goes; reverse(reverse(x)) -> x.
struct SimplifyReverse : OpRewritePattern<ReverseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReverseOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getOperand().getType();
    if (llvm::all_of(op.getDimensions(),
                     [&](int64_t dim) { return type.getDimSize(dim) == 1; })) {
      replaceWithCast(rewriter, op, op.getOperand());
      return success();
    }
    auto inner = op.getOperand().getDefiningOp<ReverseOp>();
    if (!inner || inner.getDimensions() != op.getDimensions())
      return rewriter.notifyMatchFailure(op, "it moves elements");
    replaceWithCast(rewriter, op, inner.getOperand());
    return success();
  }
};

/// get_tuple_element(tuple(x, y)) -> x
struct SimplifyTupleElement : OpRewritePattern<GetTupleElementOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GetTupleElementOp op,
                                PatternRewriter &rewriter) const override {
    auto tuple = op.getOperand().getDefiningOp<TupleOp>();
    if (!tuple)
      return rewriter.notifyMatchFailure(op, "the tuple is not built here");
    Value value = tuple.getVal()[op.getIndex()];
    if (value.getType() != op.getResult().getType())
      return rewriter.notifyMatchFailure(op, "types differ");
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// An update of the whole operand is the update.
struct SimplifyUpdateSlice : OpRewritePattern<DynamicUpdateSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DynamicUpdateSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getUpdate().getType() != op.getType() ||
        !op.getType().hasStaticShape())
      return rewriter.notifyMatchFailure(op, "it updates a part");
    rewriter.replaceOp(op, op.getUpdate());
    return success();
  }
};

/// broadcast(x) -> broadcast_in_dim(x), of which there are rewrites
struct ModernizeBroadcast : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().hasStaticShape())
      return rewriter.notifyMatchFailure(op, "the result's shape is dynamic");
    int64_t added = op.getBroadcastSizes().size();
    auto dims =
        llvm::to_vector(llvm::seq<int64_t>(added, op.getType().getRank()));
    rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(),
                                                  op.getOperand(), dims);
    return success();
  }
};

} // namespace

void ferrule::populateSimplifyShapesPatterns(RewritePatternSet &patterns) {
  patterns.add<SimplifyReshape, SimplifyTranspose, SimplifyBroadcast,
               SimplifySlice, SimplifyPad, SimplifyConcatenate, SimplifyReverse,
               SimplifyTupleElement, SimplifyUpdateSlice, ModernizeBroadcast>(
      patterns.getContext());
}
