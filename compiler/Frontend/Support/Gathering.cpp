#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

Value frontend::wrapNegative(HloBuilder &b, Value indices, Size size) {
  if (auto ints = constantInts(indices);
      ints && llvm::all_of(*ints, [](int64_t i) { return i >= 0; }))
    return indices;
  if (elementOf(indices).isUnsignedInteger())
    return indices;
  Value length = convert(b, size.materialize(b), elementOf(indices));
  return select(b, compare(b, Direction::LT, indices, 0.0),
                add(b, indices, length), indices);
}

/// gather, or dynamic_gather when a slice size is not a number.
static Value gather(HloBuilder &b, Value x, Value indices,
                    stablehlo::GatherDimensionNumbersAttr dims,
                    ArrayRef<Size> sliceSizes, RankedTensorType type) {
  if (allStatic(sliceSizes))
    return stablehlo::GatherOp::create(b, type, x, indices, dims,
                                       staticShape(sliceSizes), false);
  return stablehlo::DynamicGatherOp::create(
      b, type, x, indices, shapeTensor(b, sliceSizes), dims, false);
}

/// Gathers whole slices: each index vector (the last dimension of `indices`,
/// absent when `vectorDim` is their rank) gives positions in `indexed`. The
/// other dimensions of x stand in the result around the index dimensions,
/// which begin at `place`.
static Value gatherSlices(HloBuilder &b, Value x, Value indices,
                          ArrayRef<int64_t> indexed, int64_t vectorDim,
                          int64_t place) {
  int64_t indexRank = vectorDim;
  RankedTensorType from = typeOf(x), at = typeOf(indices);
  Sizes sliceSizes;
  SmallVector<int64_t> offsets, shape;
  auto addIndexDims = [&] {
    llvm::append_range(shape, at.getShape().take_front(indexRank));
  };
  if (place == 0)
    addIndexDims();
  for (int64_t dim = 0, kept = 0; dim < from.getRank(); ++dim) {
    if (llvm::is_contained(indexed, dim)) {
      sliceSizes.push_back(1);
      continue;
    }
    sliceSizes.push_back(sizeOf(b, x, dim));
    offsets.push_back(shape.size());
    shape.push_back(from.getDimSize(dim));
    if (++kept == place)
      addIndexDims();
  }
  SmallVector<int64_t> collapsed(indexed);
  llvm::sort(collapsed);
  auto dims = stablehlo::GatherDimensionNumbersAttr::get(
      b.getContext(), offsets, collapsed, {}, {}, indexed, vectorDim);
  return gather(b, x, indices, dims, sliceSizes,
                RankedTensorType::get(shape, from.getElementType()));
}

/// Whether there is no element, known before the run.
static bool isEmpty(Value x) {
  return llvm::is_contained(typeOf(x).getShape(), 0);
}

Value frontend::take(HloBuilder &b, Value x, Value indices, int64_t dim) {
  // A gather's slices of size 1 do not fit into an empty operand.
  if (isEmpty(x) || isEmpty(indices)) {
    Sizes sizes = sizesOf(b, x), middle = sizesOf(b, indices);
    dim = wrapDim(dim, rankOf(x));
    sizes.erase(sizes.begin() + dim);
    sizes.insert(sizes.begin() + dim, middle.begin(), middle.end());
    return full(b, sizes, elementOf(x), 0);
  }
  return gatherSlices(b, x, indices, {dim}, rankOf(indices), dim);
}

Value frontend::gatherElements(HloBuilder &b, Value x, Value indices,
                               int64_t dim) {
  int64_t rank = rankOf(x);
  if (rank == 0)
    return broadcastTo(b, x, sizesOf(b, indices));
  if (isEmpty(indices))
    return full(b, sizesOf(b, indices), elementOf(x), 0);
  // Only as much of x as the indices can reach: then all other dimensions
  // are batches of equal size.
  Sizes starts(rank, Size(0)), steps(rank, Size(1)), limits = sizesOf(b, x);
  SmallVector<int64_t> batch;
  for (int64_t d = 0; d < rank; ++d) {
    if (d == dim)
      continue;
    batch.push_back(d);
    limits[d] = sizeOf(b, indices, d);
  }
  x = slice(b, x, starts, limits, steps);
  auto dims = stablehlo::GatherDimensionNumbersAttr::get(
      b.getContext(), {}, {dim}, batch, batch, {dim}, rank);
  SmallVector<int64_t> ones(rank, 1);
  return gather(
      b, x, indices, dims, toSizes(ones),
      RankedTensorType::get(typeOf(indices).getShape(), elementOf(x)));
}

Value frontend::gatherND(HloBuilder &b, Value x, Value indices,
                         int64_t batchDims) {
  RankedTensorType from = typeOf(x), at = typeOf(indices);
  int64_t count = at.getShape().back(), lead = at.getRank() - 1;
  auto batch = llvm::to_vector(llvm::seq<int64_t>(0, batchDims));
  auto indexed =
      llvm::to_vector(llvm::seq<int64_t>(batchDims, batchDims + count));
  Sizes sliceSizes(batchDims + count, Size(1));
  SmallVector<int64_t> offsets, shape(at.getShape().drop_back());
  for (int64_t dim = batchDims + count; dim < from.getRank(); ++dim) {
    sliceSizes.push_back(sizeOf(b, x, dim));
    offsets.push_back(shape.size());
    shape.push_back(from.getDimSize(dim));
  }
  auto dims = stablehlo::GatherDimensionNumbersAttr::get(
      b.getContext(), offsets, indexed, batch, batch, indexed, lead);
  return gather(b, x, indices, dims, sliceSizes,
                RankedTensorType::get(shape, from.getElementType()));
}

Value frontend::advancedIndex(HloBuilder &b, Value x, ArrayRef<Value> indices) {
  SmallVector<int64_t> indexed;
  SmallVector<Value> given;
  for (auto [dim, index] : llvm::enumerate(indices))
    if (index) {
      indexed.push_back(dim);
      given.push_back(index);
    }
  if (given.empty())
    return x;
  given = broadcastTogether(b, given);
  // Index dimensions replace the indexed ones when those are neighbours, and
  // come first otherwise.
  bool neighbours =
      indexed.back() - indexed.front() + 1 == int64_t(indexed.size());
  int64_t place = neighbours ? indexed.front() : 0;
  if (given.size() == 1)
    return take(b, x, given[0], indexed[0]);
  int64_t vectorDim = rankOf(given[0]);
  return gatherSlices(b, x, stack(b, given, vectorDim), indexed, vectorDim,
                      place);
}

Value frontend::oneHot(HloBuilder &b, Value indices, Size depth, Value on,
                       Value off, int64_t axis) {
  axis = wrapDim(axis, rankOf(indices) + 1);
  Sizes sizes = sizesOf(b, indices);
  sizes.insert(sizes.begin() + axis, depth);
  Value places = iota(b, sizes, axis, elementOf(indices));
  Value hit =
      compare(b, Direction::EQ,
              broadcastTo(b, unsqueeze(b, indices, {axis}), sizes), places);
  return select(b, hit, fill(b, on, sizes), fill(b, off, sizes));
}
