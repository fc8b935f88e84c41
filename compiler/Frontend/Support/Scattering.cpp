#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

static Value scatter(HloBuilder &b, Value x, Value indices, Value updates,
                     stablehlo::ScatterDimensionNumbersAttr dims,
                     Combine combine) {
  auto op = stablehlo::ScatterOp::create(
      b, ValueRange{x}, indices, ValueRange{updates}, dims, false, false,
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        HloBuilder body(loc, inner);
        Value result = args[1];
        switch (combine) {
        case Combine::Replace:
          break;
        case Combine::Add:
          result = add(body, args[0], args[1]);
          break;
        case Combine::Multiply:
          result = mul(body, args[0], args[1]);
          break;
        case Combine::Minimum:
          result = minimum(body, args[0], args[1]);
          break;
        case Combine::Maximum:
          result = maximum(body, args[0], args[1]);
          break;
        }
        stablehlo::ReturnOp::create(body, result);
      });
  return op->getResult(0);
}

Value frontend::scatterElements(HloBuilder &b, Value x, Value indices,
                                Value updates, int64_t dim, Combine combine) {
  int64_t rank = rankOf(x);
  if (rank == 0) {
    // One element: the last update of one.
    Value update = reshape(b, updates, {});
    switch (combine) {
    case Combine::Replace:
      return update;
    case Combine::Add:
      return add(b, x, update);
    case Combine::Multiply:
      return mul(b, x, update);
    case Combine::Minimum:
      return minimum(b, x, update);
    case Combine::Maximum:
      return maximum(b, x, update);
    }
  }
  // Updates beyond the indices are not used.
  Sizes sizes = sizesOf(b, indices);
  updates =
      slice(b, updates, Sizes(rank, Size(0)), sizes, Sizes(rank, Size(1)));
  bool batches = true;
  SmallVector<int64_t> others;
  for (int64_t d = 0; d < rank; ++d) {
    if (d == dim)
      continue;
    others.push_back(d);
    batches &= knownEqual(x, d, indices, d);
  }
  if (batches) {
    auto dims = stablehlo::ScatterDimensionNumbersAttr::get(
        b.getContext(), {}, {dim}, others, others, {dim}, rank);
    return scatter(b, x, indices, updates, dims, combine);
  }
  // The full position of each update.
  Type element = elementOf(indices);
  SmallVector<Value> places;
  for (int64_t d = 0; d < rank; ++d)
    places.push_back(d == dim ? indices : iota(b, sizes, d, element));
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  auto dims = stablehlo::ScatterDimensionNumbersAttr::get(
      b.getContext(), {}, all, {}, {}, all, rank);
  return scatter(b, x, stack(b, places, rank), updates, dims, combine);
}

Value frontend::scatterND(HloBuilder &b, Value x, Value indices, Value updates,
                          Combine combine) {
  int64_t lead = rankOf(indices) - 1;
  int64_t count = typeOf(indices).getShape().back();
  auto window =
      llvm::to_vector(llvm::seq<int64_t>(lead, lead + rankOf(x) - count));
  auto indexed = llvm::to_vector(llvm::seq<int64_t>(0, count));
  auto dims = stablehlo::ScatterDimensionNumbersAttr::get(
      b.getContext(), window, indexed, {}, {}, indexed, lead);
  return scatter(b, x, indices, updates, dims, combine);
}

/// Slices of x at index vectors over the dimensions `indexed`; in `updates`
/// the index dimensions begin at `place`.
static Value scatterSlices(HloBuilder &b, Value x, Value indices, Value updates,
                           ArrayRef<int64_t> indexed, int64_t vectorDim,
                           int64_t place, Combine combine) {
  SmallVector<int64_t> window;
  for (int64_t kept = 0; kept < rankOf(x) - int64_t(indexed.size()); ++kept)
    window.push_back(kept < place ? kept : kept + vectorDim);
  SmallVector<int64_t> inserted(indexed);
  llvm::sort(inserted);
  auto dims = stablehlo::ScatterDimensionNumbersAttr::get(
      b.getContext(), window, inserted, {}, {}, indexed, vectorDim);
  return scatter(b, x, indices, updates, dims, combine);
}

Value frontend::advancedIndexPut(HloBuilder &b, Value x,
                                 ArrayRef<Value> indices, Value values,
                                 Combine combine) {
  SmallVector<int64_t> indexed;
  SmallVector<Value> given;
  for (auto [dim, index] : llvm::enumerate(indices))
    if (index) {
      indexed.push_back(dim);
      given.push_back(index);
    }
  if (given.empty())
    return broadcastTo(b, values, sizesOf(b, x));
  given = broadcastTogether(b, given);
  bool neighbours =
      indexed.back() - indexed.front() + 1 == int64_t(indexed.size());
  int64_t place = neighbours ? indexed.front() : 0;
  int64_t vectorDim = rankOf(given[0]);
  // The shape of the indexed part, which the values are broadcast to.
  Sizes sizes, places = sizesOf(b, given[0]);
  int64_t kept = 0;
  for (int64_t dim = 0; dim < rankOf(x); ++dim) {
    if (llvm::is_contained(indexed, dim))
      continue;
    if (kept++ == place)
      llvm::append_range(sizes, places);
    sizes.push_back(sizeOf(b, x, dim));
  }
  if (kept <= place)
    llvm::append_range(sizes, places);
  return scatterSlices(b, x, stack(b, given, vectorDim),
                       broadcastTo(b, values, sizes), indexed, vectorDim, place,
                       combine);
}

Value frontend::indexUpdate(HloBuilder &b, Value x, int64_t dim, Value index,
                            Value source, Combine combine) {
  return scatterSlices(b, x, index, source, {dim}, rankOf(index), dim, combine);
}
