// reduce: a generic with the body's scalars; the inits are its destinations'
// first values.
#include "compiler/Conversion/StableHLOToLinalg/MultiplyAdd.h"

using namespace mlir;

namespace ferrule::lowering {

namespace {

/// Elements and inits may be narrower than the body's types.
struct ReduceLowering : OpConversionPattern<stablehlo::ReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  static Sizes keptSizes(OpBuilder &b, Location loc, ValueRange inputs,
                         ArrayRef<int64_t> reduced) {
    Sizes sizes;
    for (int64_t d = 0; d < rankOf(inputs.front()); ++d) {
      if (llvm::is_contained(reduced, d))
        continue;
      Value chosen = inputs.front();
      for (Value input : inputs)
        if (!tensorType(input).isDynamicDim(d))
          chosen = input;
      sizes.push_back(tensor::getMixedSize(b, loc, chosen, d));
    }
    return sizes;
  }

  LogicalResult
  matchAndRewrite(stablehlo::ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ScalarRegion region(rewriter, op.getBody(), [&](Value value) {
      return rewriter.getRemappedValue(value);
    });
    if (failed(region.verify()))
      return failure();
    ValueRange inputs = adaptor.getInputs();
    int64_t rank = rankOf(inputs.front());
    size_t n = inputs.size();
    Sizes sizes = keptSizes(rewriter, loc, inputs, op.getDimensions());
    SmallVector<Value> outs;
    SmallVector<Type> types;
    for (auto [i, init] : llvm::enumerate(adaptor.getInitValues())) {
      Type from = getElementTypeOrSelf(op.getInitValues()[i].getType());
      types.push_back(region.argumentType(i));
      Value scalar = extractScalar(rewriter, loc, init);
      scalar = emitConvert(rewriter, loc, scalar, from, types.back());
      outs.push_back(filledTensor(rewriter, loc, sizes, scalar));
    }
    SmallVector<utils::IteratorType> loops;
    SmallVector<AffineExpr> kept;
    for (int64_t d = 0; d < rank; ++d) {
      bool reduced = llvm::is_contained(op.getDimensions(), d);
      loops.push_back(reduced ? utils::IteratorType::reduction
                              : utils::IteratorType::parallel);
      if (!reduced)
        kept.push_back(rewriter.getAffineDimExpr(d));
    }
    SmallVector<AffineMap> maps(n, rewriter.getMultiDimIdentityMap(rank));
    maps.append(n, AffineMap::get(rank, 0, kept, op.getContext()));
    bool complete = true;
    auto generic = linalg::GenericOp::create(
        rewriter, loc, ValueRange(outs).getTypes(), inputs, outs, maps, loops,
        [&](OpBuilder &b, Location, ValueRange args) {
          SmallVector<Value> scalars(args.drop_front(n));
          for (size_t i = 0; i < n; ++i)
            scalars.push_back(
                emitConvert(b, loc, args[i],
                            getElementTypeOrSelf(op.getInputs()[i].getType()),
                            types[i]));
          auto results = region.emit(b, scalars);
          complete = succeeded(results);
          if (complete)
            linalg::YieldOp::create(b, loc, *results);
          else
            linalg::YieldOp::create(b, loc, args.drop_front(n));
        });
    if (!complete)
      return failure();
    replace(rewriter, op, generic, types);
    return success();
  }

  void replace(ConversionPatternRewriter &rewriter, stablehlo::ReduceOp op,
               linalg::GenericOp generic, ArrayRef<Type> types) const {
    SmallVector<Value> results;
    for (auto [i, original] : llvm::enumerate(op.getResults())) {
      Value value = convertElements(rewriter, op.getLoc(), generic.getResult(i),
                                    types[i],
                                    getElementTypeOrSelf(original.getType()));
      results.push_back(castTo(rewriter, op.getLoc(), value,
                               resultType(getTypeConverter(), original)));
    }
    rewriter.replaceOp(op, results);
  }
};

} // namespace

void addReducePatterns(Converter &converter, Patterns &patterns) {
  patterns.add<ReduceLowering>(converter, patterns.getContext());
}

} // namespace ferrule::lowering
