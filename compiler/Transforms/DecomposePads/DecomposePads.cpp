#include "compiler/Transforms/DecomposePads/DecomposePads.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace ferrule {
#define GEN_PASS_DEF_DECOMPOSEPADS
#include "compiler/Transforms/DecomposePads/DecomposePads.h.inc"
} // namespace ferrule

using namespace mlir;

namespace {

OpFoldResult add(OpBuilder &builder, Location loc, OpFoldResult a,
                 OpFoldResult b) {
  AffineExpr d0, d1;
  bindDims(builder.getContext(), d0, d1);
  return affine::makeComposedFoldedAffineApply(builder, loc, d0 + d1, {a, b});
}

/// `into` with the slab at `offset` of dimension `dim` set to `value`.
Value fillSlab(OpBuilder &builder, Location loc, Value into, Value value,
               ArrayRef<OpFoldResult> sizes, unsigned dim, OpFoldResult offset,
               OpFoldResult length) {
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  SmallVector<OpFoldResult> slab(sizes);
  offsets[dim] = offset;
  slab[dim] = length;
  Value empty =
      tensor::EmptyOp::create(builder, loc, slab, value.getType());
  Value filled =
      linalg::FillOp::create(builder, loc, value, empty).getResult(0);
  return tensor::InsertSliceOp::create(builder, loc, filled, into, offsets,
                                       slab, strides);
}

void decompose(tensor::PadOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  Value padding = op.getConstantPaddingValue();
  if (!padding)
    return; // Another value at each position; computed as it stands.
  rewriter.setInsertionPoint(op);
  unsigned rank = op.getType().getRank();
  SmallVector<OpFoldResult> low = op.getMixedLowPad(),
                            high = op.getMixedHighPad(), inner, sizes;
  for (unsigned d = 0; d < rank; ++d) {
    inner.push_back(tensor::getMixedSize(rewriter, loc, op.getSource(), d));
    sizes.push_back(add(rewriter, loc,
                        add(rewriter, loc, low[d], inner[d]), high[d]));
  }
  Value result = tensor::EmptyOp::create(rewriter, loc, sizes,
                                         op.getType().getElementType());
  for (unsigned d = 0; d < rank; ++d) {
    if (getConstantIntValue(low[d]) != 0)
      result = fillSlab(rewriter, loc, result, padding, sizes, d,
                        rewriter.getIndexAttr(0), low[d]);
    if (getConstantIntValue(high[d]) != 0)
      result = fillSlab(rewriter, loc, result, padding, sizes, d,
                        add(rewriter, loc, low[d], inner[d]), high[d]);
  }
  SmallVector<OpFoldResult> strides(rank, rewriter.getIndexAttr(1));
  result = tensor::InsertSliceOp::create(rewriter, loc, op.getSource(), result,
                                         low, inner, strides);
  if (result.getType() != op.getType())
    result = tensor::CastOp::create(rewriter, loc, op.getType(), result);
  rewriter.replaceOp(op, result);
}

struct DecomposePads : ferrule::impl::DecomposePadsBase<DecomposePads> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<tensor::PadOp> pads;
    getOperation().walk([&](tensor::PadOp op) { pads.push_back(op); });
    for (tensor::PadOp op : pads)
      decompose(op, rewriter);
    RewritePatternSet patterns(&getContext());
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
