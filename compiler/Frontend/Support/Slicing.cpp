#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Padding.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

Value frontend::slice(HloBuilder &b, Value x, ArrayRef<Size> starts,
                      ArrayRef<Size> limits, ArrayRef<Size> steps) {
  Sizes sizes;
  bool whole = true;
  for (int64_t dim = 0; dim < rankOf(x); ++dim) {
    Size span = sub(b, limits[dim], starts[dim]);
    sizes.push_back(ceilDiv(b, span, steps[dim]));
    whole &= starts[dim].is(0) && steps[dim].is(1) &&
             knownEqual(sizeOf(b, x, dim), limits[dim]);
  }
  if (whole)
    return x;
  RankedTensorType type = tensorOf(sizes, elementOf(x));
  if (allStatic(starts) && allStatic(limits) && allStatic(steps))
    return stablehlo::SliceOp::create(b, type, x, staticShape(starts),
                                      staticShape(limits), staticShape(steps));
  // A box of static size at run-time places is the simpler op.
  if (type.hasStaticShape() &&
      llvm::all_of(steps, [](Size s) { return s.is(1); })) {
    auto at = llvm::map_to_vector(
        starts, [&](Size start) { return start.materialize(b); });
    return stablehlo::DynamicSliceOp::create(b, type, x, at, type.getShape());
  }
  return stablehlo::RealDynamicSliceOp::create(
      b, type, x, shapeTensor(b, starts), shapeTensor(b, limits),
      shapeTensor(b, steps));
}

Value frontend::slice(HloBuilder &b, Value x, int64_t dim, Size start,
                      Size limit, Size step) {
  Sizes starts(rankOf(x), Size(0)), steps(rankOf(x), Size(1));
  Sizes limits = sizesOf(b, x);
  starts[dim] = start;
  limits[dim] = limit;
  steps[dim] = step;
  return slice(b, x, starts, limits, steps);
}

/// A bound as Python reads it, brought into [0, size].
static Size clampBound(HloBuilder &b, Size bound, Size size) {
  if (bound.is(0) || knownEqual(bound, size))
    return bound;
  // The usual "to the end".
  if (bound.isStatic() && bound.getStatic() == INT64_MAX)
    return size;
  Size wrapped = wrapIndex(b, bound, size);
  if (!(bound.isStatic() && bound.getStatic() > 0))
    wrapped = maximum(b, wrapped, 0);
  return minimum(b, wrapped, size);
}

Value frontend::pythonSlice(HloBuilder &b, Value x, int64_t dim,
                            std::optional<Size> start,
                            std::optional<Size> limit, Size step) {
  Size size = sizeOf(b, x, dim);
  if (step.isStatic() && step.getStatic() < 0) {
    // Going down from `start` to above `limit` is going up in the reversed
    // tensor; index i there is size - 1 - i here.
    Value reversed = reverse(b, x, {dim});
    auto mirror = [&](Size bound) {
      Size wrapped = wrapIndex(b, bound, size);
      Size clamped = maximum(b, minimum(b, wrapped, sub(b, size, 1)), -1);
      return sub(b, sub(b, size, 1), clamped);
    };
    Size first = start ? mirror(*start) : Size(0);
    Size last = limit ? mirror(*limit) : size;
    return slice(b, reversed, dim, first, maximum(b, first, last),
                 -step.getStatic());
  }
  Size first = start ? clampBound(b, *start, size) : Size(0);
  Size last = limit ? clampBound(b, *limit, size) : size;
  bool ordered = first.is(0) || knownEqual(last, size);
  return slice(b, x, dim, first, ordered ? last : maximum(b, first, last),
               step);
}

Value frontend::selectIndex(HloBuilder &b, Value x, int64_t dim, Size index) {
  Size at = wrapIndex(b, index, sizeOf(b, x, dim));
  Sizes starts(rankOf(x), Size(0)), steps(rankOf(x), Size(1));
  Sizes limits = sizesOf(b, x);
  starts[dim] = at;
  limits[dim] = add(b, at, 1);
  Sizes sizes = limits;
  sizes[dim] = 1;
  // The result has one row whatever the index is; say so in the type.
  RankedTensorType type = tensorOf(sizes, elementOf(x));
  Value row;
  if (at.isStatic())
    row = slice(b, x, starts, limits, steps);
  else if (type.hasStaticShape())
    row = stablehlo::DynamicSliceOp::create(
        b, type, x,
        llvm::map_to_vector(starts, [&](Size s) { return s.materialize(b); }),
        type.getShape());
  else
    row = stablehlo::RealDynamicSliceOp::create(
        b, type, x, shapeTensor(b, starts), shapeTensor(b, limits),
        shapeTensor(b, steps));
  return squeeze(b, row, {dim});
}

Value frontend::putIndex(HloBuilder &b, Value x, Value slice, int64_t dim,
                         Size index) {
  SmallVector<Value> starts(rankOf(x), scalarInt(b, b.getI64Type(), 0));
  starts[dim] = index.materialize(b);
  return stablehlo::DynamicUpdateSliceOp::create(
      b, x.getType(), x, unsqueeze(b, slice, {dim}), starts);
}

Value frontend::sliceScatter(HloBuilder &b, Value x, Value source, int64_t dim,
                             std::optional<Size> start,
                             std::optional<Size> limit, Size step) {
  Size size = sizeOf(b, x, dim);
  Size first = start ? clampBound(b, *start, size) : Size(0);
  Size last = limit ? clampBound(b, *limit, size) : size;
  if (first.is(0) && step.is(1) && knownEqual(last, size))
    return source;
  if (step.is(1)) {
    // [before, source, after].
    SmallVector<Value> parts;
    if (!first.is(0))
      parts.push_back(slice(b, x, dim, 0, first));
    parts.push_back(source);
    Size end = maximum(b, first, last);
    if (!knownEqual(end, size))
      parts.push_back(slice(b, x, dim, end, size));
    Value joined = concat(b, parts, dim);
    return refineType(b, joined, typeOf(x));
  }
  Size count = sizeOf(b, source, dim);
  Value index = iota(b, {count}, 0, b.getI64Type());
  index = add(b, mul(b, index, step.materialize(b)), first.materialize(b));
  return indexUpdate(b, x, dim, index, source);
}
