#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/Elementwise.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

/// The size that -1 stands for: the product of `from` divided by the product
/// of the other sizes of `to`.
static Size inferSize(HloBuilder &b, ArrayRef<Size> from,
                      ArrayRef<Size> others) {
  int64_t above = 1, below = 1;
  Sizes numerator, denominator;
  for (Size size : from) {
    if (size.isStatic())
      above *= size.getStatic();
    else
      numerator.push_back(size);
  }
  for (Size size : others) {
    if (size.isStatic()) {
      below *= size.getStatic();
      continue;
    }
    auto *same = llvm::find_if(
        numerator, [&](Size other) { return knownEqual(size, other); });
    if (same != numerator.end())
      numerator.erase(same);
    else
      denominator.push_back(size);
  }
  Size dividend = product(b, numerator), divisor = product(b, denominator);
  if (below != 0 && above % below == 0)
    dividend = mul(b, above / below, dividend);
  else {
    dividend = mul(b, above, dividend);
    divisor = mul(b, below, divisor);
  }
  if (divisor.is(0))
    return 0;
  // A run-time divisor of 0 must not trap; the dividend is then 0 as well.
  if (!divisor.isStatic())
    divisor = maximum(b, divisor, 1);
  return divisor.is(1) ? dividend : floorDiv(b, dividend, divisor);
}

Value frontend::reshape(HloBuilder &b, Value value, ArrayRef<Size> wanted) {
  Sizes sizes(wanted);
  auto *unknown = llvm::find_if(sizes, [](Size size) { return size.is(-1); });
  RankedTensorType from = typeOf(value);
  if (unknown != sizes.end()) {
    Sizes others(sizes.begin(), unknown);
    others.append(unknown + 1, sizes.end());
    *unknown = inferSize(b, sizesOf(b, value), others);
  }
  RankedTensorType type = tensorOf(sizes, from.getElementType());
  if (type.hasStaticShape())
    return type == from ? value : stablehlo::ReshapeOp::create(b, type, value);
  if (type.getRank() == from.getRank()) {
    bool same = true;
    for (auto [dim, size] : llvm::enumerate(sizes))
      same &= knownEqual(sizeOf(b, value, dim), size);
    if (same)
      return value;
  }
  return stablehlo::DynamicReshapeOp::create(b, type, value,
                                             shapeTensor(b, sizes));
}

Value frontend::flatten(HloBuilder &b, Value value, int64_t start,
                        int64_t end) {
  if (rankOf(value) == 0)
    return reshape(b, value, {1});
  if (start == end)
    return value;
  Sizes sizes = sizesOf(b, value), result;
  result.append(sizes.begin(), sizes.begin() + start);
  result.push_back(product(b, ArrayRef(sizes).slice(start, end - start + 1)));
  result.append(sizes.begin() + end + 1, sizes.end());
  return reshape(b, value, result);
}

Value frontend::unflatten(HloBuilder &b, Value value, int64_t dim,
                          ArrayRef<Size> parts) {
  Sizes sizes = sizesOf(b, value), inner(parts);
  for (auto [i, part] : llvm::enumerate(parts)) {
    if (!part.is(-1))
      continue;
    Sizes others(parts.take_front(i));
    llvm::append_range(others, parts.drop_front(i + 1));
    inner[i] = inferSize(b, {sizes[dim]}, others);
  }
  Sizes result(ArrayRef(sizes).take_front(dim));
  llvm::append_range(result, inner);
  llvm::append_range(result, ArrayRef(sizes).drop_front(dim + 1));
  return reshape(b, value, result);
}

Value frontend::unsqueeze(HloBuilder &b, Value value, ArrayRef<int64_t> dims) {
  if (dims.empty())
    return value;
  int64_t rank = rankOf(value) + dims.size();
  auto inserted = llvm::map_to_vector(
      dims, [&](int64_t dim) { return wrapDim(dim, rank); });
  RankedTensorType from = typeOf(value);
  SmallVector<int64_t> shape, kept, all;
  for (int64_t dim = 0, next = 0; dim < rank; ++dim) {
    if (llvm::is_contained(inserted, dim)) {
      shape.push_back(1);
      continue;
    }
    all.push_back(next);
    shape.push_back(from.getDimSize(next++));
    kept.push_back(dim);
  }
  auto type = RankedTensorType::get(shape, from.getElementType());
  if (from.hasStaticShape())
    return stablehlo::ReshapeOp::create(b, type, value);
  // A broadcast that repeats nothing says which size went where; a reshape
  // of unknown sizes would not.
  Sizes sizes(rank, Size(1));
  for (auto [i, dim] : llvm::enumerate(kept))
    sizes[dim] = sizeOf(b, value, i);
  return stablehlo::DynamicBroadcastInDimOp::create(
      b, type, value, shapeTensor(b, sizes), b.getDenseI64ArrayAttr(kept),
      DenseI64ArrayAttr(), b.getDenseI64ArrayAttr(all));
}

Value frontend::squeeze(HloBuilder &b, Value value, ArrayRef<int64_t> dims) {
  Sizes sizes;
  for (int64_t dim = 0; dim < rankOf(value); ++dim)
    if (llvm::none_of(
            dims, [&](int64_t d) { return wrapDim(d, rankOf(value)) == dim; }))
      sizes.push_back(sizeOf(b, value, dim));
  return dims.empty() ? value : reshape(b, value, sizes);
}

Value frontend::padRank(HloBuilder &b, Value value, int64_t rank) {
  return unsqueeze(b, value,
                   llvm::to_vector(llvm::seq<int64_t>(
                       0, std::max<int64_t>(rank - rankOf(value), 0))));
}

Value frontend::transpose(HloBuilder &b, Value value,
                          ArrayRef<int64_t> permutation) {
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return value;
  RankedTensorType from = typeOf(value);
  auto shape = llvm::map_to_vector(
      permutation, [&](int64_t dim) { return from.getDimSize(dim); });
  return stablehlo::TransposeOp::create(
      b, RankedTensorType::get(shape, from.getElementType()), value,
      permutation);
}

Value frontend::swapDims(HloBuilder &b, Value value, int64_t x, int64_t y) {
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(value)));
  if (permutation.empty())
    return value;
  std::swap(permutation[wrapDim(x, rankOf(value))],
            permutation[wrapDim(y, rankOf(value))]);
  return transpose(b, value, permutation);
}

Value frontend::moveDim(HloBuilder &b, Value value, int64_t from, int64_t to) {
  int64_t rank = rankOf(value);
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  from = wrapDim(from, rank);
  permutation.erase(permutation.begin() + from);
  permutation.insert(permutation.begin() + wrapDim(to, rank), from);
  return transpose(b, value, permutation);
}

Value frontend::reverse(HloBuilder &b, Value value, ArrayRef<int64_t> dims) {
  if (dims.empty())
    return value;
  return stablehlo::ReverseOp::create(b, value.getType(), value, dims);
}

Value frontend::concat(HloBuilder &b, ValueRange values, int64_t dim) {
  if (values.size() == 1)
    return values[0];
  SmallVector<int64_t> shape(typeOf(values[0]).getShape());
  int64_t length = 0;
  for (Value value : values)
    for (auto [d, size] : llvm::enumerate(typeOf(value).getShape())) {
      if (int64_t(d) != dim && ShapedType::isDynamic(shape[d]))
        shape[d] = size;
      if (int64_t(d) == dim)
        length = ShapedType::isDynamic(length) || ShapedType::isDynamic(size)
                     ? ShapedType::kDynamic
                     : length + size;
    }
  shape[dim] = length;
  return stablehlo::ConcatenateOp::create(
      b, RankedTensorType::get(shape, elementOf(values[0])), values,
      b.getI64IntegerAttr(dim));
}

Value frontend::stack(HloBuilder &b, ValueRange values, int64_t dim) {
  auto pieces = llvm::map_to_vector(values, [&](Value value) {
    return unsqueeze(b, value, {wrapDim(dim, rankOf(value) + 1)});
  });
  return concat(b, pieces, wrapDim(dim, rankOf(pieces[0])));
}

Value frontend::tile(HloBuilder &b, Value value, ArrayRef<Size> repeats) {
  Sizes times(repeats);
  value = padRank(b, value, times.size());
  while (int64_t(times.size()) < rankOf(value))
    times.insert(times.begin(), 1);
  // [d0, d1] -> [r0, d0, r1, d1] -> [r0 * d0, r1 * d1]; a dimension that is
  // not repeated needs no place of its own.
  Sizes spread, result;
  SmallVector<int64_t> places;
  bool plain = true;
  for (int64_t dim = 0; dim < rankOf(value); ++dim) {
    Size size = sizeOf(b, value, dim);
    if (!times[dim].is(1)) {
      plain = false;
      spread.push_back(times[dim]);
    }
    places.push_back(spread.size());
    spread.push_back(size);
    result.push_back(mul(b, times[dim], size));
  }
  if (plain)
    return value;
  return reshape(b, broadcastInDim(b, value, spread, places), result);
}

Value frontend::repeatInterleave(HloBuilder &b, Value value, int64_t dim,
                                 Size times) {
  Sizes spread = sizesOf(b, value), result = spread;
  SmallVector<int64_t> places;
  for (int64_t d = 0; d < rankOf(value); ++d)
    places.push_back(d <= dim ? d : d + 1);
  spread.insert(spread.begin() + dim + 1, times);
  result[dim] = mul(b, result[dim], times);
  return reshape(b, broadcastInDim(b, value, spread, places), result);
}
