// Loop-carried tiles -> registers.
#include "compiler/Target/CPU/Contraction/VectorizeContractions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace {

/// Calls `visit` with the position of every innermost row of `type`.
void forEachRow(VectorType type,
                llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  int64_t rows = type.getNumElements() / type.getShape().back();
  SmallVector<int64_t> position(type.getRank() - 1);
  for (int64_t row = 0; row < rows; ++row) {
    int64_t rest = row;
    for (int64_t d = type.getRank() - 2; d >= 0; --d) {
      position[d] = rest % type.getDimSize(d);
      rest /= type.getDimSize(d);
    }
    visit(position);
  }
}

bool isTile(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() > 1;
}

void split(OpBuilder &builder, Location loc, ValueRange values,
           SmallVectorImpl<Value> &rows) {
  for (Value value : values) {
    if (!isTile(value.getType())) {
      rows.push_back(value);
      continue;
    }
    forEachRow(cast<VectorType>(value.getType()),
               [&](ArrayRef<int64_t> position) {
                 rows.push_back(vector::ExtractOp::create(builder, loc, value,
                                                          position));
               });
  }
}

SmallVector<Value> join(OpBuilder &builder, Location loc, TypeRange types,
                        ValueRange rows) {
  SmallVector<Value> values;
  unsigned next = 0;
  for (Type type : types) {
    if (!isTile(type)) {
      values.push_back(rows[next++]);
      continue;
    }
    Value tile =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    forEachRow(cast<VectorType>(type), [&](ArrayRef<int64_t> position) {
      tile = vector::InsertOp::create(builder, loc, rows[next++], tile,
                                      position);
    });
    values.push_back(tile);
  }
  return values;
}

/// scf.for carrying vector<6x64xf32> -> scf.for carrying 6 x vector<64xf32>
struct SplitLoopVectors : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::ForOp loop,
                                PatternRewriter &rewriter) const override {
    if (llvm::none_of(loop.getResultTypes(), isTile))
      return rewriter.notifyMatchFailure(loop, "carries no tile");
    Location loc = loop.getLoc();
    SmallVector<Value> inits;
    split(rewriter, loc, loop.getInitArgs(), inits);
    auto result =
        scf::ForOp::create(rewriter, loc, loop.getLowerBound(),
                           loop.getUpperBound(), loop.getStep(), inits);
    if (!result.getBody()->empty())
      rewriter.eraseOp(&result.getBody()->back());
    rewriter.setInsertionPointToStart(result.getBody());
    SmallVector<Value> arguments{result.getInductionVar()};
    llvm::append_range(arguments, join(rewriter, loc, loop.getResultTypes(),
                                       result.getRegionIterArgs()));
    rewriter.mergeBlocks(loop.getBody(), result.getBody(), arguments);
    auto yield = cast<scf::YieldOp>(result.getBody()->getTerminator());
    rewriter.setInsertionPoint(yield);
    SmallVector<Value> yielded;
    split(rewriter, loc, yield.getOperands(), yielded);
    rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, yielded);
    rewriter.setInsertionPointAfter(result);
    rewriter.replaceOp(loop, join(rewriter, loc, loop.getResultTypes(),
                                  result.getResults()));
    return success();
  }
};

} // namespace

void ferrule::cpu::populateSplitLoopVectorsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<SplitLoopVectors>(patterns.getContext());
}
