// sort -> ferrule.sort.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"

using namespace mlir;

namespace ferrule::lowering {

namespace {

struct SortLowering : OpConversionPattern<stablehlo::SortOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::SortOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ScalarRegion region(rewriter, op.getComparator(), [&](Value value) {
      return rewriter.getRemappedValue(value);
    });
    if (failed(region.verify()))
      return failure();
    ValueRange inputs = adaptor.getInputs();
    int64_t rank = rankOf(inputs.front());
    if (rank == 0) {
      rewriter.replaceOp(op, inputs);
      return success();
    }
    // Results, then as much working space.
    SmallVector<Value> outs;
    SmallVector<Type> scalars;
    Sizes sizes = sizesOf(rewriter, loc, inputs.front());
    for (int copy = 0; copy < 2; ++copy)
      for (Value input : inputs)
        outs.push_back(emptyTensor(rewriter, loc, sizes,
                                   tensorType(input).getElementType()));
    for (Value input : inputs)
      scalars.append(2, tensorType(input).getElementType());
    int64_t dimension = op.getDimension();
    auto sort = ext::SortOp::create(
        rewriter, loc, ValueRange(outs).getTypes(), inputs, outs,
        dimension < 0 ? dimension + rank : dimension);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      Block *block =
          rewriter.createBlock(&sort.getRegion(), {}, scalars,
                               SmallVector<Location>(scalars.size(), loc));
      auto less = region.emit(rewriter, block->getArguments());
      if (failed(less))
        return failure();
      ext::YieldOp::create(rewriter, loc, *less);
    }
    SmallVector<Value> results;
    for (auto [i, original] : llvm::enumerate(op.getResults()))
      results.push_back(castTo(rewriter, loc, sort.getResult(i),
                               resultType(getTypeConverter(), original)));
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

void addSortPatterns(Converter &converter, Patterns &patterns) {
  patterns.add<SortLowering>(converter, patterns.getContext());
}

} // namespace ferrule::lowering
