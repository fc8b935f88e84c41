// Operations that move elements.
#include "compiler/Conversion/StableHLOToTOSA/Builders.h"

using namespace mlir;
using namespace ferrule;
namespace ferrule::totosa {

namespace {

template <typename OpT> struct MovementPattern : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!isPlain(op))
      return rewriter.notifyMatchFailure(
          op, "TOSA has no such elements, or sizes are unknown or 0");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value result = build(op, b);
    if (!result)
      return rewriter.notifyMatchFailure(op, "TOSA has no such operation");
    rewriter.replaceOp(op, result);
    return success();
  }
  /// Null, and nothing made, where TOSA has no such operation.
  virtual Value build(OpT op, ImplicitLocOpBuilder &b) const = 0;
};

struct ReshapeLowering : MovementPattern<stablehlo::ReshapeOp> {
  using MovementPattern::MovementPattern;
  Value build(stablehlo::ReshapeOp op, ImplicitLocOpBuilder &b) const override {
    return reshape(b, op.getOperand(), op.getType().getShape());
  }
};

struct TransposeLowering : MovementPattern<stablehlo::TransposeOp> {
  using MovementPattern::MovementPattern;
  Value build(stablehlo::TransposeOp op,
              ImplicitLocOpBuilder &b) const override {
    return transpose(b, op.getOperand(), op.getPermutation());
  }
};

struct BroadcastLowering : MovementPattern<stablehlo::BroadcastInDimOp> {
  using MovementPattern::MovementPattern;
  Value build(stablehlo::BroadcastInDimOp op,
              ImplicitLocOpBuilder &b) const override {
    ArrayRef<int64_t> dims = op.getBroadcastDimensions();
    RankedTensorType type = op.getType();
    // The operand's dimensions in the order of the result's.
    auto order = llvm::to_vector(llvm::seq<int64_t>(dims.size()));
    llvm::sort(order, [&](int64_t l, int64_t r) { return dims[l] < dims[r]; });
    SmallVector<int64_t> sizes(type.getRank(), 1);
    for (auto [i, dim] : llvm::enumerate(dims))
      sizes[dim] = typeOf(op.getOperand()).getDimSize(i);
    SmallVector<int64_t> multiples;
    for (auto [size, wanted] : llvm::zip(sizes, type.getShape()))
      multiples.push_back(wanted / size);
    Value x = transpose(b, op.getOperand(), order);
    return tile(b, reshape(b, x, sizes), multiples);
  }
};

struct ConcatenateLowering : MovementPattern<stablehlo::ConcatenateOp> {
  using MovementPattern::MovementPattern;
  Value build(stablehlo::ConcatenateOp op,
              ImplicitLocOpBuilder &b) const override {
    return tosa::ConcatOp::create(b, op.getType(), op.getInputs(),
                                  b.getI32IntegerAttr(op.getDimension()));
  }
};

struct ReverseLowering : MovementPattern<stablehlo::ReverseOp> {
  using MovementPattern::MovementPattern;
  Value build(stablehlo::ReverseOp op, ImplicitLocOpBuilder &b) const override {
    Value x = op.getOperand();
    for (int64_t dim : op.getDimensions())
      x = tosa::ReverseOp::create(b, op.getType(), x,
                                  static_cast<uint32_t>(dim));
    return x;
  }
};

/// Every `stride`-th entry along `dim`: the first of each row of a matrix.
Value stride(ImplicitLocOpBuilder &b, Value x, int64_t dim, int64_t stride) {
  if (stride == 1)
    return x;
  SmallVector<int64_t> sizes(typeOf(x).getShape());
  int64_t count = llvm::divideCeil(sizes[dim], stride);
  SmallVector<int64_t> amounts(2 * sizes.size());
  amounts[2 * dim + 1] = count * stride - sizes[dim];
  x = pad(b, x, amounts);
  SmallVector<int64_t> split(sizes);
  split[dim] = count;
  split.insert(split.begin() + dim + 1, stride);
  x = reshape(b, x, split);
  split[dim + 1] = 1;
  x = slice(b, x, SmallVector<int64_t>(split.size()), split);
  sizes[dim] = count;
  return reshape(b, x, sizes);
}

struct SliceLowering : MovementPattern<stablehlo::SliceOp> {
  using MovementPattern::MovementPattern;
  Value build(stablehlo::SliceOp op, ImplicitLocOpBuilder &b) const override {
    SmallVector<int64_t> sizes;
    for (auto [start, limit] :
         llvm::zip(op.getStartIndices(), op.getLimitIndices()))
      sizes.push_back(limit - start);
    Value x = slice(b, op.getOperand(), op.getStartIndices(), sizes);
    for (auto [dim, step] : llvm::enumerate(op.getStrides()))
      x = stride(b, x, dim, step);
    return x;
  }
};

/// At constant indices a slice.
struct DynamicSliceLowering : MovementPattern<stablehlo::DynamicSliceOp> {
  using MovementPattern::MovementPattern;
  Value build(stablehlo::DynamicSliceOp op,
              ImplicitLocOpBuilder &b) const override {
    SmallVector<int64_t> starts;
    for (auto [index, size, whole] :
         llvm::zip(op.getStartIndices(), op.getSliceSizes(),
                   typeOf(op.getOperand()).getShape())) {
      DenseIntElementsAttr value;
      if (!matchPattern(index, m_Constant(&value)))
        return {};
      int64_t start = (*value.begin()).getSExtValue();
      starts.push_back(std::clamp<int64_t>(start, 0, whole - size));
    }
    return slice(b, op.getOperand(), starts, op.getSliceSizes());
  }
};

/// `amount` values after each entry along `dim`, but for the last.
Value dilate(ImplicitLocOpBuilder &b, Value x, int64_t dim, int64_t amount,
             Value value) {
  SmallVector<int64_t> sizes(typeOf(x).getShape());
  if (amount == 0)
    return x;
  SmallVector<int64_t> split(sizes);
  split.insert(split.begin() + dim + 1, 1);
  SmallVector<int64_t> amounts(2 * split.size());
  amounts[2 * dim + 3] = amount;
  x = pad(b, reshape(b, x, split), amounts, value);
  sizes[dim] *= amount + 1;
  x = reshape(b, x, sizes);
  sizes[dim] -= amount;
  return slice(b, x, SmallVector<int64_t>(sizes.size()), sizes);
}

struct PadLowering : MovementPattern<stablehlo::PadOp> {
  using MovementPattern::MovementPattern;
  Value build(stablehlo::PadOp op, ImplicitLocOpBuilder &b) const override {
    Value x = op.getOperand();
    int64_t rank = op.getType().getRank();
    for (auto [dim, amount] : llvm::enumerate(op.getInteriorPadding()))
      x = dilate(b, x, dim, amount, op.getPaddingValue());
    SmallVector<int64_t> amounts;
    for (int64_t dim = 0; dim < rank; ++dim) {
      amounts.push_back(std::max<int64_t>(op.getEdgePaddingLow()[dim], 0));
      amounts.push_back(std::max<int64_t>(op.getEdgePaddingHigh()[dim], 0));
    }
    x = pad(b, x, amounts, op.getPaddingValue());
    // Negative padding cuts, from what positive padding has added as well.
    SmallVector<int64_t> starts;
    for (int64_t low : op.getEdgePaddingLow())
      starts.push_back(std::max<int64_t>(-low, 0));
    return slice(b, x, starts, op.getType().getShape());
  }
};

/// Numbers of the entries along a dimension.
struct IotaLowering : MovementPattern<stablehlo::IotaOp> {
  using MovementPattern::MovementPattern;
  Value build(stablehlo::IotaOp op, ImplicitLocOpBuilder &b) const override {
    auto type = mlir::cast<RankedTensorType>(op.getType());
    int64_t dim = op.getIotaDimension(), size = type.getDimSize(dim);
    Type element = type.getElementType();
    SmallVector<int64_t> sizes(type.getRank(), 1), multiples(type.getShape());
    sizes[dim] = size;
    multiples[dim] = 1;
    SmallVector<Attribute> numbers;
    for (int64_t i = 0; i < size; ++i)
      numbers.push_back(isa<FloatType>(element)
                            ? Attribute(b.getFloatAttr(element, i))
                            : b.getIntegerAttr(element, i));
    auto line = RankedTensorType::get(sizes, element);
    Value x = tosa::ConstOp::create(b, line,
                                    DenseElementsAttr::get(line, numbers));
    return tile(b, x, multiples);
  }
};

/// Entries at computed indices, each a whole of the dimensions not indexed.
struct GatherLowering : MovementPattern<stablehlo::GatherOp> {
  using MovementPattern::MovementPattern;

  static bool takesWholeEntries(stablehlo::GatherOp op) {
    stablehlo::GatherDimensionNumbersAttr dims = op.getDimensionNumbers();
    ArrayRef<int64_t> map = dims.getStartIndexMap();
    if (!dims.getOperandBatchingDims().empty() ||
        sorted(dims.getCollapsedSliceDims()) != sorted(map))
      return false;
    for (auto [i, size] : llvm::enumerate(op.getSliceSizes()))
      if (size != (llvm::is_contained(map, static_cast<int64_t>(i))
                       ? 1
                       : typeOf(op.getOperand()).getDimSize(i)))
        return false;
    return true;
  }
  static SmallVector<int64_t> sorted(ArrayRef<int64_t> values) {
    SmallVector<int64_t> result(values);
    llvm::sort(result);
    return result;
  }

  /// Row-major numbers of the entries, as [1, W], within bounds.
  static Value numberEntries(stablehlo::GatherOp op, ImplicitLocOpBuilder &b) {
    stablehlo::GatherDimensionNumbersAttr dims = op.getDimensionNumbers();
    RankedTensorType operand = typeOf(op.getOperand());
    Value indices = cast(b, op.getStartIndices(), b.getI32Type());
    int64_t rank = typeOf(indices).getRank(), last = dims.getIndexVectorDim();
    SmallVector<int64_t> order;
    for (int64_t d = 0; d < rank; ++d)
      if (d != last)
        order.push_back(d);
    if (last < rank)
      order.push_back(last);
    int64_t vector = dims.getStartIndexMap().size();
    int64_t count = typeOf(indices).getNumElements() / vector;
    indices = reshape(b, transpose(b, indices, order), {count, vector});
    auto type = RankedTensorType::get({count, 1}, b.getI32Type());
    Value number;
    for (auto [i, dim] : llvm::enumerate(dims.getStartIndexMap())) {
      Value x = slice(b, indices, {0, static_cast<int64_t>(i)}, {count, 1});
      auto limit = [&](int64_t value) {
        return constant(b, b.getI32Type(), 2, value);
      };
      x = tosa::MaximumOp::create(b, type, x, limit(0));
      x = tosa::MinimumOp::create(b, type, x,
                                  limit(operand.getDimSize(dim) - 1));
      if (number) {
        number = multiply(b, number, limit(operand.getDimSize(dim)), type);
        x = tosa::AddOp::create(b, type, number, x);
      }
      number = x;
    }
    return reshape(b, number, {1, count});
  }

  Value build(stablehlo::GatherOp op, ImplicitLocOpBuilder &b) const override {
    if (!takesWholeEntries(op))
      return {};
    stablehlo::GatherDimensionNumbersAttr dims = op.getDimensionNumbers();
    RankedTensorType operand = typeOf(op.getOperand());
    SmallVector<int64_t> order(dims.getStartIndexMap());
    SmallVector<int64_t> entry;
    int64_t entries = 1;
    for (int64_t dim : order)
      entries *= operand.getDimSize(dim);
    for (int64_t d = 0; d < operand.getRank(); ++d)
      if (!llvm::is_contained(dims.getStartIndexMap(), d)) {
        order.push_back(d);
        entry.push_back(operand.getDimSize(d));
      }
    int64_t size = operand.getNumElements() / entries;
    Value values = reshape(b, transpose(b, op.getOperand(), order),
                           {1, entries, size});
    Value numbers = numberEntries(op, b);
    int64_t count = typeOf(numbers).getDimSize(1);
    Value found = tosa::GatherOp::create(
        b, RankedTensorType::get({1, count, size}, operand.getElementType()),
        values, numbers);
    // Batch dimensions first, then the entry's; then each to its place.
    RankedTensorType type = op.getType();
    SmallVector<int64_t> sizes, places;
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (!llvm::is_contained(dims.getOffsetDims(), d)) {
        sizes.push_back(type.getDimSize(d));
        places.push_back(d);
      }
    llvm::append_range(sizes, entry);
    llvm::append_range(places, dims.getOffsetDims());
    SmallVector<int64_t> back(places.size());
    for (auto [i, place] : llvm::enumerate(places))
      back[place] = i;
    return transpose(b, reshape(b, found, sizes), back);
  }
};

} // namespace

void addMovementPatterns(RewritePatternSet &patterns) {
  patterns.add<ReshapeLowering, TransposeLowering, BroadcastLowering,
               ConcatenateLowering, ReverseLowering, SliceLowering,
               DynamicSliceLowering, PadLowering, IotaLowering,
               GatherLowering>(patterns.getContext());
}

} // namespace ferrule::totosa
