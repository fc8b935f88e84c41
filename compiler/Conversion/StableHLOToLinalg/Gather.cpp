// gather, dynamic_gather and torch_index_select: generics whose body reads
// the operand at clamped indices.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

using namespace mlir;

namespace ferrule::lowering {

namespace {

/// Writes a gather. Position in the result -> position in the operand.
struct GatherBuilder {
  OpBuilder &b;
  Location loc;
  Value operand, indices;
  stablehlo::GatherDimensionNumbersAttr dims;
  bool unsignedIndices;
  Sizes sliceSizes;
  /// Upper bounds of the start indices, one for each index component.
  SmallVector<Value> room = {};

  int64_t vectorDim() const { return dims.getIndexVectorDim(); }

  SmallVector<int64_t> batchDims(int64_t rank) const {
    SmallVector<int64_t> batch;
    for (int64_t i = 0; i < rank; ++i)
      if (!llvm::is_contained(dims.getOffsetDims(), i))
        batch.push_back(i);
    return batch;
  }
  /// Operand dimensions that the result's offset dimensions run over.
  SmallVector<int64_t> windowDims() const {
    SmallVector<int64_t> window;
    for (int64_t d = 0; d < rankOf(operand); ++d)
      if (!llvm::is_contained(dims.getCollapsedSliceDims(), d) &&
          !llvm::is_contained(dims.getOperandBatchingDims(), d))
        window.push_back(d);
    return window;
  }

  Sizes resultSizes(int64_t rank) {
    Sizes sizes(rank);
    for (auto [d, offsetDim] : llvm::zip(windowDims(), dims.getOffsetDims()))
      sizes[offsetDim] = sliceSizes[d];
    for (auto [k, i] : llvm::enumerate(batchDims(rank)))
      sizes[i] = tensor::getMixedSize(b, loc, indices,
                                      int64_t(k) + (int64_t(k) >= vectorDim()));
    return sizes;
  }

  /// size - slice size of each indexed dimension; null when that is 0.
  void computeRoom() {
    for (int64_t d : dims.getStartIndexMap()) {
      OpFoldResult size = tensor::getMixedSize(b, loc, operand, d);
      OpFoldResult left = subIndices(b, loc, size, sliceSizes[d]);
      room.push_back(isConstantIntValue(left, 0) ? Value()
                                                 : toValue(b, loc, left));
    }
  }

  /// The map from result positions to a component of the index vectors, when
  /// there is only one component.
  AffineMap indexMap(int64_t rank) {
    SmallVector<AffineExpr> exprs;
    for (int64_t i : batchDims(rank))
      exprs.push_back(b.getAffineDimExpr(i));
    if (vectorDim() < rankOf(indices))
      exprs.insert(exprs.begin() + vectorDim(), b.getAffineConstantExpr(0));
    return AffineMap::get(rank, 0, exprs, b.getContext());
  }

  Value clamp(OpBuilder &body, Value raw, Value most) {
    Value zero = indexConstant(body, loc, 0);
    Value start = toIndex(body, loc, raw, unsignedIndices);
    start = arith::MaxSIOp::create(body, loc, start, zero);
    return arith::MinSIOp::create(body, loc, start, most);
  }

  /// Reads component k of the index vector of a result position.
  Value readIndex(OpBuilder &body, ArrayRef<Value> result, int64_t k) {
    SmallVector<Value> at;
    for (int64_t i : batchDims(result.size()))
      at.push_back(result[i]);
    if (vectorDim() < rankOf(indices))
      at.insert(at.begin() + vectorDim(), indexConstant(body, loc, k));
    return tensor::ExtractOp::create(body, loc, indices, at);
  }

  /// The operand's element for a result position. `single`: the only index
  /// component if already read.
  Value element(OpBuilder &body, ArrayRef<Value> result, Value single) {
    Value zero = indexConstant(body, loc, 0);
    SmallVector<Value> at(rankOf(operand), zero);
    for (auto [k, d] : llvm::enumerate(dims.getStartIndexMap())) {
      if (!room[k])
        continue;
      Value raw = single ? single : readIndex(body, result, k);
      at[d] = clamp(body, raw, room[k]);
    }
    SmallVector<int64_t> batch = batchDims(result.size());
    for (auto [d, s] : llvm::zip(dims.getOperandBatchingDims(),
                                 dims.getStartIndicesBatchingDims()))
      at[d] = result[batch[s - (s > vectorDim())]];
    for (auto [d, offsetDim] : llvm::zip(windowDims(), dims.getOffsetDims())) {
      bool atZero = getConstantIntValue(at[d]) == 0;
      at[d] = atZero ? result[offsetDim]
                     : Value(arith::AddIOp::create(body, loc, at[d],
                                                   result[offsetDim]));
    }
    return tensor::ExtractOp::create(body, loc, operand, at);
  }

  Value build(int64_t rank) {
    computeRoom();
    Sizes sizes = resultSizes(rank);
    Value out = emptyTensor(b, loc, sizes,
                            tensorType(operand).getElementType());
    bool single = dims.getStartIndexMap().size() == 1 && room[0];
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    if (single) {
      inputs.push_back(indices);
      maps.push_back(indexMap(rank));
    }
    auto body = [&](OpBuilder &nested, ValueRange args) -> SmallVector<Value> {
      SmallVector<Value> result;
      for (int64_t i = 0; i < rank; ++i)
        result.push_back(linalg::IndexOp::create(nested, loc, i));
      return {element(nested, result, single ? args[0] : Value())};
    };
    return parallelGeneric(b, loc, inputs, maps, out, body).getResult(0);
  }
};

bool hasUnsignedElements(Value value) {
  return getElementTypeOrSelf(value.getType()).isUnsignedInteger();
}

struct GatherLowering : OpConversionPattern<stablehlo::GatherOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::GatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    GatherBuilder gather{
        rewriter, op.getLoc(), adaptor.getOperand(), adaptor.getStartIndices(),
        op.getDimensionNumbers(), hasUnsignedElements(op.getStartIndices()),
        getAsIndexOpFoldResult(op.getContext(), op.getSliceSizes())};
    Value result = gather.build(type.getRank());
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), result, type));
    return success();
  }
};

struct DynamicGatherLowering
    : OpConversionPattern<stablehlo::DynamicGatherOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::DynamicGatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    Sizes slices;
    for (int64_t d = 0; d < rankOf(adaptor.getOperand()); ++d)
      slices.push_back(getAsOpFoldResult(
          extractIndex(rewriter, loc, adaptor.getSliceSizes(), d)));
    for (int64_t d : op.getDimensionNumbers().getCollapsedSliceDims())
      slices[d] = rewriter.getIndexAttr(1);
    for (int64_t d : op.getDimensionNumbers().getOperandBatchingDims())
      slices[d] = rewriter.getIndexAttr(1);
    GatherBuilder gather{
        rewriter, loc, adaptor.getOperand(), adaptor.getStartIndices(),
        op.getDimensionNumbers(), hasUnsignedElements(op.getStartIndices()),
        slices};
    Value result = gather.build(type.getRank());
    rewriter.replaceOp(op, castTo(rewriter, loc, result, type));
    return success();
  }
};

/// result[batch, i..., rest] = operand[batch, index[batch, i...], rest]
struct TorchIndexSelectLowering
    : OpConversionPattern<stablehlo::TorchIndexSelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::TorchIndexSelectOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value operand = adaptor.getOperand(), index = adaptor.getIndex();
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    int64_t dim = op.getDim(), batch = op.getBatchDims();
    int64_t added = rankOf(index) - batch;
    Sizes sizes;
    SmallVector<AffineExpr> exprs;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      bool fromIndex = i < batch || (i >= dim && i < dim + added);
      int64_t indexDim = i < batch ? i : i - dim + batch;
      if (fromIndex) {
        sizes.push_back(tensor::getMixedSize(rewriter, loc, index, indexDim));
        exprs.push_back(rewriter.getAffineDimExpr(i));
      } else {
        int64_t d = i < dim ? i : i - added + 1;
        sizes.push_back(tensor::getMixedSize(rewriter, loc, operand, d));
      }
    }
    auto map = AffineMap::get(type.getRank(), 0, exprs, op.getContext());
    Value out = emptyTensor(rewriter, loc, sizes, type.getElementType());
    bool isUnsigned = hasUnsignedElements(op.getIndex());
    auto body = [&](OpBuilder &b, ValueRange args) -> SmallVector<Value> {
      SmallVector<Value> at;
      for (int64_t d = 0; d < rankOf(operand); ++d) {
        int64_t i = d < dim ? d : d + added - 1;
        at.push_back(d == dim ? toIndex(b, loc, args[0], isUnsigned)
                              : Value(linalg::IndexOp::create(b, loc, i)));
      }
      return {tensor::ExtractOp::create(b, loc, operand, at)};
    };
    auto generic = parallelGeneric(rewriter, loc, index, map, out, body);
    rewriter.replaceOp(op, castTo(rewriter, loc, generic.getResult(0), type));
    return success();
  }
};

} // namespace

void addGatherPatterns(Converter &converter, Patterns &patterns) {
  patterns.add<GatherLowering, DynamicGatherLowering,
               TorchIndexSelectLowering>(converter, patterns.getContext());
}

} // namespace ferrule::lowering
