// reduce_window: padding with the init value, then a generic over result and
// window positions; running sums and their like become ferrule.scan.
#include "compiler/Conversion/StableHLOToLinalg/MultiplyAdd.h"
#include "compiler/Conversion/StableHLOToLinalg/Padding.h"
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"

using namespace mlir;

namespace ferrule::lowering {

using Window = ArrayRef<stablehlo::WindowDimension>;

namespace {

/// A window over everything before (or after) each position of a dimension.
struct ScanShape {
  int64_t dimension;
  bool reverse;
};

std::optional<ScanShape> matchScan(Window window, RankedTensorType type) {
  std::optional<ScanShape> found;
  for (auto [d, w] : llvm::enumerate(window)) {
    bool plain = w.size == 1 && w.stride == 1 && w.paddingLow == 0 &&
                 w.paddingHigh == 0 && w.baseDilation == 1;
    if (plain)
      continue;
    int64_t size = type.getDimSize(d);
    bool whole = !found && !type.isDynamicDim(d) && w.size == size &&
                 w.stride == 1 && w.baseDilation == 1 && w.windowDilation == 1;
    bool forward = w.paddingLow == size - 1 && w.paddingHigh == 0;
    bool backward = w.paddingHigh == size - 1 && w.paddingLow == 0;
    if (!whole || !(forward || backward))
      return std::nullopt;
    found = ScanShape{int64_t(d), !forward};
  }
  return found;
}

struct ReduceWindowLowering
    : OpConversionPattern<stablehlo::ReduceWindowOp> {
  using OpConversionPattern::OpConversionPattern;

  struct Operands {
    SmallVector<Value> inputs, inits;
    SmallVector<Type> elements, types;
  };

  static Operands readOperands(OpBuilder &b, stablehlo::ReduceWindowOp op,
                               OpAdaptor adaptor, ScalarRegion &region) {
    Operands o;
    o.inputs.assign(adaptor.getInputs().begin(), adaptor.getInputs().end());
    for (auto [i, init] : llvm::enumerate(adaptor.getInitValues())) {
      o.inits.push_back(extractScalar(b, op.getLoc(), init));
      o.elements.push_back(getElementTypeOrSelf(op.getInputs()[i].getType()));
      o.types.push_back(region.argumentType(i));
    }
    return o;
  }

  /// The body for accumulators and elements.
  static FailureOr<SmallVector<Value>> combine(OpBuilder &b, Location loc,
                                               const Operands &o,
                                               ScalarRegion &region,
                                               ValueRange accumulators,
                                               ValueRange elements) {
    SmallVector<Value> scalars(accumulators);
    for (auto [i, element] : llvm::enumerate(elements))
      scalars.push_back(
          emitConvert(b, loc, element, o.elements[i], o.types[i]));
    return region.emit(b, scalars);
  }

  /// Sizes of the result, from the padded inputs.
  static Sizes resultSizes(OpBuilder &b, Location loc, Value padded,
                           Window window) {
    Sizes sizes;
    for (auto [d, w] : llvm::enumerate(window)) {
      int64_t reach = (w.size - 1) * w.windowDilation + 1;
      AffineExpr n = b.getAffineDimExpr(0);
      sizes.push_back(
          affineIndex(b, loc, (n - reach).floorDiv(w.stride) + 1,
                      {tensor::getMixedSize(b, loc, padded, d)}));
    }
    return sizes;
  }

  static SmallVector<Value> padAll(OpBuilder &b, Location loc,
                                   const Operands &o, Window window) {
    SmallVector<int64_t> low, high, interior;
    for (const auto &w : window) {
      low.push_back(w.paddingLow);
      high.push_back(w.paddingHigh);
      interior.push_back(w.baseDilation - 1);
    }
    SmallVector<Value> padded;
    for (auto [input, init] : llvm::zip(o.inputs, o.inits))
      padded.push_back(padTensor(b, loc, input, init, low, high, interior));
    return padded;
  }

  static FailureOr<SmallVector<Value>> reduceWindows(OpBuilder &b, Location loc,
                                                     const Operands &o,
                                                     ScalarRegion &region,
                                                     Window window) {
    size_t n = o.inputs.size();
    int64_t rank = window.size();
    SmallVector<Value> inputs = padAll(b, loc, o, window);
    Sizes sizes = resultSizes(b, loc, inputs.front(), window);
    SmallVector<Value> outs;
    for (size_t i = 0; i < n; ++i)
      outs.push_back(filledTensor(
          b, loc, sizes,
          emitConvert(b, loc, o.inits[i], o.elements[i], o.types[i])));
    // Dimensions whose window has one element need no loop for it.
    SmallVector<AffineExpr> read;
    Sizes windowSizes;
    for (auto [d, w] : llvm::enumerate(window)) {
      AffineExpr position = b.getAffineDimExpr(d) * w.stride;
      if (w.size != 1) {
        AffineExpr inner = b.getAffineDimExpr(rank + windowSizes.size());
        position = position + inner * w.windowDilation;
        windowSizes.push_back(b.getIndexAttr(w.size));
      }
      read.push_back(position);
    }
    int64_t loops = rank + windowSizes.size();
    MLIRContext *context = b.getContext();
    SmallVector<AffineMap> maps(n, AffineMap::get(loops, 0, read, context));
    // An operand that is only a shape gives the window's loops their sizes.
    inputs.push_back(
        emptyTensor(b, loc, windowSizes,
                    tensorType(inputs.front()).getElementType()));
    maps.push_back(lastLoops(context, loops, loops - rank));
    maps.append(n, firstLoops(context, loops, rank));
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    iterators.append(loops - rank, utils::IteratorType::reduction);
    bool complete = true;
    auto generic = linalg::GenericOp::create(
        b, loc, ValueRange(outs).getTypes(), inputs, outs, maps, iterators,
        [&](OpBuilder &body, Location, ValueRange args) {
          ValueRange accumulators = args.drop_front(n + 1);
          auto results = combine(body, loc, o, region, accumulators,
                                 args.take_front(n));
          complete = succeeded(results);
          if (complete)
            linalg::YieldOp::create(body, loc, *results);
          else
            linalg::YieldOp::create(body, loc, accumulators);
        });
    if (!complete)
      return failure();
    return SmallVector<Value>(generic.getResults());
  }

  static FailureOr<SmallVector<Value>> scan(OpBuilder &b, Location loc,
                                            const Operands &o,
                                            ScalarRegion &region,
                                            ScanShape shape) {
    SmallVector<Value> inputs(o.inputs), outs;
    SmallVector<Type> scalars;
    Sizes sizes = sizesOf(b, loc, inputs.front());
    for (auto [i, init] : llvm::enumerate(o.inits)) {
      Value start = emitConvert(b, loc, init, o.elements[i], o.types[i]);
      inputs.push_back(tensor::FromElementsOp::create(
          b, loc, RankedTensorType::get({}, start.getType()), start));
      outs.push_back(emptyTensor(b, loc, sizes, start.getType()));
      scalars.push_back(start.getType());
    }
    for (Value input : o.inputs)
      scalars.push_back(tensorType(input).getElementType());
    auto op = ext::ScanOp::create(b, loc, ValueRange(outs).getTypes(), inputs,
                                  outs, shape.dimension, shape.reverse,
                                  /*exclusive=*/false);
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&op.getRegion(), {}, scalars,
                                 SmallVector<Location>(scalars.size(), loc));
    size_t n = o.inputs.size();
    auto results = combine(b, loc, o, region,
                           block->getArguments().take_front(n),
                           block->getArguments().drop_front(n));
    if (failed(results))
      return failure();
    ext::YieldOp::create(b, loc, *results);
    return SmallVector<Value>(op.getResults());
  }

  LogicalResult
  matchAndRewrite(stablehlo::ReduceWindowOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ScalarRegion region(rewriter, op.getBody(), [&](Value value) {
      return rewriter.getRemappedValue(value);
    });
    if (failed(region.verify()))
      return failure();
    auto window = op.getWindow();
    Operands operands = readOperands(rewriter, op, adaptor, region);
    auto shape = matchScan(window, tensorType(operands.inputs.front()));
    auto values = shape
                      ? scan(rewriter, loc, operands, region, *shape)
                      : reduceWindows(rewriter, loc, operands, region, window);
    if (failed(values))
      return failure();
    SmallVector<Value> results;
    for (auto [i, original] : llvm::enumerate(op.getResults())) {
      Value value = convertElements(rewriter, loc, (*values)[i],
                                    operands.types[i],
                                    getElementTypeOrSelf(original.getType()));
      results.push_back(castTo(rewriter, loc, value,
                               resultType(getTypeConverter(), original)));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

void addReduceWindowPatterns(Converter &converter, Patterns &patterns) {
  patterns.add<ReduceWindowLowering>(converter, patterns.getContext());
}

} // namespace ferrule::lowering
