// scatter -> ferrule.scatter; select_and_scatter -> the chosen position of
// each window (a reduction), then ferrule.scatter.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"

using namespace mlir;

namespace ferrule::lowering {

/// Fills a ferrule op's region with scalar code for `types` arguments.
static LogicalResult
fillRegion(OpBuilder &b, Location loc, Region &region, TypeRange types,
           function_ref<FailureOr<SmallVector<Value>>(OpBuilder &, ValueRange)>
               body) {
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&region, region.end(), types,
                               SmallVector<Location>(types.size(), loc));
  auto results = body(b, block->getArguments());
  if (failed(results))
    return failure();
  ext::YieldOp::create(b, loc, *results);
  return success();
}

namespace {

struct ScatterLowering : OpConversionPattern<stablehlo::ScatterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::ScatterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ScalarRegion region(rewriter, op.getUpdateComputation(), [&](Value value) {
      return rewriter.getRemappedValue(value);
    });
    if (failed(region.verify()))
      return failure();
    auto dims = op.getScatterDimensionNumbers();
    SmallVector<Value> inputs = {adaptor.getScatterIndices()};
    llvm::append_range(inputs, adaptor.getUpdates());
    ValueRange outs = adaptor.getInputs();
    bool isUnsigned = getElementTypeOrSelf(op.getScatterIndices().getType())
                          .isUnsignedInteger();
    auto scatter = ext::ScatterOp::create(
        rewriter, loc, outs.getTypes(), inputs, outs,
        dims.getUpdateWindowDims(), dims.getInsertedWindowDims(),
        dims.getInputBatchingDims(), dims.getScatterIndicesBatchingDims(),
        dims.getScatterDimsToOperandDims(), dims.getIndexVectorDim(),
        isUnsigned, op.getUniqueIndices());
    SmallVector<Type> types, updateTypes;
    for (Value out : outs)
      types.push_back(tensorType(out).getElementType());
    for (Value update : adaptor.getUpdates())
      types.push_back(tensorType(update).getElementType());
    auto body = [&](OpBuilder &b, ValueRange args) {
      return emitConverted(b, op, region, args);
    };
    if (failed(fillRegion(rewriter, loc, scatter.getRegion(), types, body)))
      return failure();
    SmallVector<Value> results;
    for (auto [result, original] :
         llvm::zip(scatter.getResults(), op.getResults()))
      results.push_back(castTo(rewriter, loc, result,
                               resultType(getTypeConverter(), original)));
    rewriter.replaceOp(op, results);
    return success();
  }

  /// The body may work in wider types than the tensors hold.
  static FailureOr<SmallVector<Value>> emitConverted(OpBuilder &b,
                                                     stablehlo::ScatterOp op,
                                                     ScalarRegion &region,
                                                     ValueRange args) {
    SmallVector<Type> stored;
    for (Value input : op.getInputs())
      stored.push_back(getElementTypeOrSelf(input.getType()));
    size_t n = stored.size();
    for (Value update : op.getUpdates())
      stored.push_back(getElementTypeOrSelf(update.getType()));
    SmallVector<Value> converted;
    for (auto [i, arg] : llvm::enumerate(args))
      converted.push_back(emitConvert(b, op.getLoc(), arg, stored[i],
                                      region.argumentType(i)));
    auto results = region.emit(b, converted);
    if (failed(results))
      return failure();
    for (size_t i = 0; i < n; ++i)
      (*results)[i] = emitConvert(b, op.getLoc(), (*results)[i],
                                  region.argumentType(i), stored[i]);
    return results;
  }
};

/// Windows without overlap handling: first the linear position that `select`
/// chooses in each window, then a scatter of the source to these positions.
struct SelectAndScatterLowering
    : OpConversionPattern<stablehlo::SelectAndScatterOp> {
  using OpConversionPattern::OpConversionPattern;

  struct Window {
    SmallVector<int64_t> size, stride, low;
  };
  static Window readWindow(stablehlo::SelectAndScatterOp op) {
    int64_t rank = rankOf(op.getOperand());
    Window window;
    window.size.assign(rank, 1);
    window.stride.assign(rank, 1);
    window.low.assign(rank, 0);
    if (auto sizes = op.getWindowDimensions())
      window.size.assign(sizes->begin(), sizes->end());
    if (auto strides = op.getWindowStrides())
      window.stride.assign(strides->begin(), strides->end());
    if (auto padding = op.getPadding()) {
      auto values = llvm::to_vector(padding->getValues<int64_t>());
      for (int64_t d = 0; d < rank; ++d)
        window.low[d] = values[2 * d];
    }
    return window;
  }

  /// A generic over (source position, window position) that keeps the chosen
  /// value and its linear position in the operand, -1 before the first.
  static FailureOr<Value> choose(OpBuilder &b, stablehlo::SelectAndScatterOp op,
                                 Value operand, Value source,
                                 const Window &window, ScalarRegion &select) {
    Location loc = op.getLoc();
    int64_t rank = rankOf(operand);
    Type element = tensorType(operand).getElementType();
    Type i64 = b.getI64Type();
    Sizes sizes = sizesOf(b, loc, source);
    Value values =
        filledTensor(b, loc, sizes, getConstant(b, loc, element, 0));
    Value places = filledTensor(b, loc, sizes, getConstant(b, loc, i64, -1));
    Sizes windowSizes = getAsIndexOpFoldResult(b.getContext(), window.size);
    // Only its shape is used: it gives the window's loops their sizes.
    Value shape = emptyTensor(b, loc, windowSizes, element);
    auto outMap = firstLoops(b.getContext(), 2 * rank, rank);
    auto windowMap = lastLoops(b.getContext(), 2 * rank, rank);
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    loops.append(rank, utils::IteratorType::reduction);
    LogicalResult status = success();
    auto generic = linalg::GenericOp::create(
        b, loc, TypeRange{values.getType(), places.getType()}, shape,
        ValueRange{values, places},
        SmallVector<AffineMap>{windowMap, outMap, outMap}, loops,
        [&](OpBuilder &body, Location, ValueRange args) {
          SmallVector<Value> results =
              step(body, loc, operand, window, select, args[1], args[2],
                   status);
          linalg::YieldOp::create(body, loc, results);
        });
    if (failed(status))
      return failure();
    return generic.getResult(1);
  }

  static SmallVector<Value> step(OpBuilder &b, Location loc, Value operand,
                                 const Window &window, ScalarRegion &select,
                                 Value value, Value place,
                                 LogicalResult &status) {
    int64_t rank = rankOf(operand);
    SmallVector<Value> at;
    Value inside = arith::ConstantIntOp::create(b, loc, 1, 1);
    Value linear = indexConstant(b, loc, 0);
    for (int64_t d = 0; d < rank; ++d) {
      Value i = linalg::IndexOp::create(b, loc, d);
      Value w = linalg::IndexOp::create(b, loc, rank + d);
      i = arith::MulIOp::create(b, loc, i,
                                indexConstant(b, loc, window.stride[d]));
      i = arith::AddIOp::create(b, loc, i, w);
      i = arith::SubIOp::create(b, loc, i, indexConstant(b, loc, window.low[d]));
      at.push_back(i);
      Value size = tensor::DimOp::create(b, loc, operand, d);
      Value ok = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, i,
                                       size);
      inside = arith::AndIOp::create(b, loc, inside, ok);
      linear = arith::AddIOp::create(
          b, loc, arith::MulIOp::create(b, loc, linear, size), i);
    }
    auto choice = scf::IfOp::create(
        b, loc, TypeRange{value.getType(), place.getType()}, inside,
        /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(b, loc, ValueRange{value, place});
    b.setInsertionPointToStart(choice.thenBlock());
    Value next = tensor::ExtractOp::create(b, loc, operand, at);
    auto keeps = select.emit(b, {value, next});
    if (failed(keeps)) {
      status = failure();
      keeps = SmallVector<Value>{inside};
    }
    // The first element of a window is chosen whatever `select` says.
    Value first = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::slt, place,
        getConstant(b, loc, place.getType(), 0));
    Value never = arith::ConstantIntOp::create(b, loc, 0, 1);
    Value keep = arith::SelectOp::create(b, loc, first, never, keeps->front());
    Value position =
        arith::IndexCastOp::create(b, loc, place.getType(), linear);
    scf::YieldOp::create(
        b, loc,
        ValueRange{arith::SelectOp::create(b, loc, keep, value, next),
                   arith::SelectOp::create(b, loc, keep, place, position)});
    return choice.getResults();
  }

  static Value flatten(OpBuilder &b, Location loc, Value tensor) {
    int64_t rank = rankOf(tensor);
    if (rank == 1)
      return tensor;
    if (rank == 0)
      return tensor::ExpandShapeOp::create(
          b, loc,
          RankedTensorType::get({1}, tensorType(tensor).getElementType()),
          tensor, SmallVector<ReassociationIndices>());
    return tensor::CollapseShapeOp::create(
        b, loc, tensor,
        SmallVector<ReassociationIndices>{
            llvm::to_vector(llvm::seq<int64_t>(0, rank))});
  }

  LogicalResult
  matchAndRewrite(stablehlo::SelectAndScatterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto remap = [&](Value v) { return rewriter.getRemappedValue(v); };
    ScalarRegion select(rewriter, op.getSelect(), remap);
    ScalarRegion scatterBody(rewriter, op.getScatter(), remap);
    if (failed(select.verify()) || failed(scatterBody.verify()))
      return failure();
    Value operand = adaptor.getOperand();
    FailureOr<Value> places = choose(rewriter, op, operand,
                                     adaptor.getSource(), readWindow(op),
                                     select);
    if (failed(places))
      return failure();
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    Value init = extractScalar(rewriter, loc, adaptor.getInitValue());
    Sizes sizes = sizesOf(rewriter, loc, operand);
    Value out = filledTensor(rewriter, loc, sizes, init);
    Value flatOut = flatten(rewriter, loc, out);
    Value flatSource = flatten(rewriter, loc, adaptor.getSource());
    Value flatPlaces = flatten(rewriter, loc, *places);
    ArrayRef<int64_t> none;
    auto scatter = ext::ScatterOp::create(
        rewriter, loc, TypeRange{flatOut.getType()},
        ValueRange{flatPlaces, flatSource}, ValueRange{flatOut},
        /*update_window_dims=*/none, /*inserted_window_dims=*/{0}, none, none,
        /*scatter_dims_to_operand_dims=*/{0}, /*index_vector_dim=*/1,
        /*unsigned_indices=*/false, /*unique_indices=*/false);
    SmallVector<Type> types(2, type.getElementType());
    if (failed(fillRegion(rewriter, loc, scatter.getRegion(), types,
                          [&](OpBuilder &b, ValueRange args) {
                            return scatterBody.emit(b, args);
                          })))
      return failure();
    Value result = scatter.getResult(0);
    if (rankOf(operand) != 1)
      result = reshapeThroughVector(rewriter, loc, result, sizes,
                                    tensorType(out));
    rewriter.replaceOp(op, castTo(rewriter, loc, result, type));
    return success();
  }
};

} // namespace

void addScatterPatterns(Converter &converter, Patterns &patterns) {
  patterns.add<ScatterLowering, SelectAndScatterLowering>(
      converter, patterns.getContext());
}

} // namespace ferrule::lowering
