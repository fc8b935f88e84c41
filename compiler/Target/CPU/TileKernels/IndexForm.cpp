// Ops that move data, as generics that compute where each element comes from.
#include "compiler/Target/CPU/TileKernels/IndexForm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace {

using BodyBuilder =
    llvm::function_ref<Value(OpBuilder &, Location, ValueRange indices)>;

/// A generic over all elements of `destination`, each computed by `body` from
/// its indices.
linalg::GenericOp buildIndexForm(OpBuilder &builder, Location loc,
                                 Value destination, BodyBuilder body) {
  auto type = cast<RankedTensorType>(destination.getType());
  unsigned rank = type.getRank();
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      builder, loc, type, ValueRange{}, destination,
      builder.getMultiDimIdentityMap(rank), iterators,
      [&](OpBuilder &nested, Location nestedLoc, ValueRange) {
        SmallVector<Value> indices;
        for (unsigned dim = 0; dim < rank; ++dim)
          indices.push_back(linalg::IndexOp::create(nested, nestedLoc, dim));
        linalg::YieldOp::create(nested, nestedLoc,
                                body(nested, nestedLoc, indices));
      });
}

/// source[indices] where every index is inside, else `outside`. An index below
/// zero is a large unsigned number, so that one comparison checks both ends.
Value readInside(OpBuilder &builder, Location loc, Value source,
                 ValueRange sizes, ValueRange indices, Value outside) {
  Value inside;
  for (auto [index, size] : llvm::zip_equal(indices, sizes)) {
    Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       index, size);
    inside = inside ? arith::AndIOp::create(builder, loc, inside, fits)
                          .getResult()
                    : fits;
  }
  if (!inside)
    return tensor::ExtractOp::create(builder, loc, source, indices);
  auto choice = scf::IfOp::create(
      builder, loc, inside,
      [&](OpBuilder &nested, Location nestedLoc) {
        Value element =
            tensor::ExtractOp::create(nested, nestedLoc, source, indices);
        scf::YieldOp::create(nested, nestedLoc, element);
      },
      [&](OpBuilder &nested, Location nestedLoc) {
        scf::YieldOp::create(nested, nestedLoc, outside);
      });
  return choice.getResult(0);
}

SmallVector<Value> getSizes(OpBuilder &builder, Location loc, Value tensor) {
  SmallVector<Value> sizes;
  for (OpFoldResult size : tensor::getMixedSizes(builder, loc, tensor))
    sizes.push_back(getValueOrCreateConstantIndexOp(builder, loc, size));
  return sizes;
}

/// tensor.pad -> generic
struct PadToIndexForm : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ReifiedRankedShapedTypeDims shapes;
    if (failed(reifyResultShapes(rewriter, op, shapes)))
      return rewriter.notifyMatchFailure(op, "its result has no known size");
    Value empty = tensor::EmptyOp::create(rewriter, loc, shapes[0],
                                          op.getType().getElementType());
    if (empty.getType() != op.getType())
      empty = tensor::CastOp::create(rewriter, loc, op.getType(), empty);
    SmallVector<Value> sizes = getSizes(rewriter, loc, op.getSource());
    SmallVector<Value> lows;
    for (OpFoldResult low : op.getMixedLowPad())
      lows.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, low));
    auto body = [&](OpBuilder &nested, Location nestedLoc, ValueRange indices) {
      IRMapping map;
      map.map(op.getBody()->getArguments(), indices);
      for (Operation &inner : op.getBody()->without_terminator())
        nested.clone(inner, map);
      Value outside = map.lookupOrDefault(
          op.getBody()->getTerminator()->getOperand(0));
      SmallVector<Value> reads;
      for (auto [index, low] : llvm::zip_equal(indices, lows)) {
        Value read = index;
        if (getConstantIntValue(low) != 0)
          read = arith::SubIOp::create(nested, nestedLoc, index, low);
        reads.push_back(read);
      }
      return readInside(nested, nestedLoc, op.getSource(), sizes, reads,
                        outside);
    };
    rewriter.replaceOp(op, buildIndexForm(rewriter, loc, empty, body));
    return success();
  }
};

/// linalg.pack -> generic
struct PackToIndexForm : OpRewritePattern<linalg::PackOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::PackOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "not on tensors");
    Location loc = op.getLoc();
    Value source = op.getSource();
    SmallVector<Value> sizes = getSizes(rewriter, loc, source);
    SmallVector<Value> tiles;
    for (OpFoldResult tile : op.getMixedTiles())
      tiles.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, tile));
    unsigned rank = sizes.size();
    auto body = [&](OpBuilder &nested, Location nestedLoc,
                    ValueRange indices) -> Value {
      // Outer indices are permuted; each tiled one is scaled and offset.
      SmallVector<Value> reads(rank);
      ArrayRef<int64_t> permutation = op.getOuterDimsPerm();
      for (unsigned i = 0; i < rank; ++i)
        reads[permutation.empty() ? i : permutation[i]] = indices[i];
      for (auto [i, dim] : llvm::enumerate(op.getInnerDimsPos())) {
        Value base =
            arith::MulIOp::create(nested, nestedLoc, reads[dim], tiles[i]);
        reads[dim] =
            arith::AddIOp::create(nested, nestedLoc, base, indices[rank + i]);
      }
      if (Value outside = op.getPaddingValue())
        return readInside(nested, nestedLoc, source, sizes, reads, outside);
      return tensor::ExtractOp::create(nested, nestedLoc, source, reads);
    };
    rewriter.replaceOp(op, buildIndexForm(rewriter, loc, op.getDest(), body));
    return success();
  }
};

/// linalg.unpack -> generic
struct UnPackToIndexForm : OpRewritePattern<linalg::UnPackOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::UnPackOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "not on tensors");
    Location loc = op.getLoc();
    SmallVector<Value> tiles;
    for (OpFoldResult tile : op.getMixedTiles())
      tiles.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, tile));
    auto body = [&](OpBuilder &nested, Location nestedLoc,
                    ValueRange indices) -> Value {
      SmallVector<Value> outer(indices);
      SmallVector<Value> inner;
      for (auto [i, dim] : llvm::enumerate(op.getInnerDimsPos())) {
        inner.push_back(arith::RemUIOp::create(nested, nestedLoc, indices[dim],
                                               tiles[i]));
        outer[dim] = arith::DivUIOp::create(nested, nestedLoc, indices[dim],
                                            tiles[i]);
      }
      SmallVector<Value> reads;
      ArrayRef<int64_t> permutation = op.getOuterDimsPerm();
      for (unsigned i = 0; i < outer.size(); ++i)
        reads.push_back(outer[permutation.empty() ? i : permutation[i]]);
      llvm::append_range(reads, inner);
      return tensor::ExtractOp::create(nested, nestedLoc, op.getSource(),
                                       reads);
    };
    rewriter.replaceOp(op, buildIndexForm(rewriter, loc, op.getDest(), body));
    return success();
  }
};

} // namespace

void ferrule::cpu::populateIndexFormPatterns(RewritePatternSet &patterns) {
  patterns.add<PadToIndexForm, PackToIndexForm, UnPackToIndexForm>(
      patterns.getContext());
}
