#include "compiler/Frontend/Support/Padding.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

Value frontend::padConstant(HloBuilder &b, Value x, Value value,
                            ArrayRef<Size> low, ArrayRef<Size> high) {
  SmallVector<int64_t> shape;
  bool nothing = true;
  for (auto [dim, size] : llvm::enumerate(typeOf(x).getShape())) {
    bool known = ShapedType::isStatic(size) && low[dim].isStatic() &&
                 high[dim].isStatic();
    bool none = low[dim].is(0) && high[dim].is(0);
    nothing &= none;
    shape.push_back(known  ? size + low[dim].getStatic() + high[dim].getStatic()
                    : none ? size
                           : ShapedType::kDynamic);
  }
  if (nothing)
    return x;
  auto type = RankedTensorType::get(shape, elementOf(x));
  SmallVector<int64_t> zeros(shape.size(), 0);
  if (allStatic(low) && allStatic(high))
    return stablehlo::PadOp::create(b, type, x, value, staticShape(low),
                                    staticShape(high), zeros);
  return stablehlo::DynamicPadOp::create(b, type, x, value, shapeTensor(b, low),
                                         shapeTensor(b, high),
                                         constantI64(b, zeros));
}

/// What stands before (low) or after the tensor along one dimension.
static Value border(HloBuilder &b, Value x, PadMode mode, int64_t dim,
                    Size amount, bool isLow) {
  Size size = sizeOf(b, x, dim);
  if (mode == PadMode::Edge) {
    Value edge = isLow ? slice(b, x, dim, 0, 1)
                       : slice(b, x, dim, sub(b, size, 1), size);
    Sizes sizes = sizesOf(b, x);
    sizes[dim] = 1;
    edge = refineType(b, edge, tensorOf(sizes, elementOf(x)));
    sizes[dim] = amount;
    return broadcastTo(b, edge, sizes);
  }
  if (mode == PadMode::Wrap)
    return isLow ? slice(b, x, dim, sub(b, size, amount), size)
                 : slice(b, x, dim, 0, amount);
  // Reflection: rows 1 .. amount before, the mirror image of it after.
  Value part = isLow ? slice(b, x, dim, 1, add(b, amount, 1))
                     : slice(b, x, dim, sub(b, sub(b, size, 1), amount),
                             sub(b, size, 1));
  return reverse(b, part, {dim});
}

Value frontend::pad(HloBuilder &b, Value x, PadMode mode, Value value,
                    ArrayRef<Size> low, ArrayRef<Size> high) {
  if (mode == PadMode::Constant)
    return padConstant(b, x, value, low, high);
  for (int64_t dim = 0; dim < rankOf(x); ++dim) {
    Value whole = x;
    // Negative amounts cut, whatever the mode.
    auto cut = [](Size s) {
      return s.isStatic() && s.getStatic() < 0 ? -s.getStatic() : 0;
    };
    if (cut(low[dim]) || cut(high[dim]))
      x = slice(b, x, dim, cut(low[dim]),
                sub(b, sizeOf(b, x, dim), cut(high[dim])));
    // What was cut off one side still counts for what stands on the other.
    SmallVector<Value> parts;
    auto wanted = [](Size s) { return !s.isStatic() || s.getStatic() > 0; };
    if (wanted(low[dim]))
      parts.push_back(border(b, mode == PadMode::Wrap ? x : whole, mode, dim,
                             low[dim], true));
    parts.push_back(x);
    if (wanted(high[dim]))
      parts.push_back(border(b, mode == PadMode::Wrap ? x : whole, mode, dim,
                             high[dim], false));
    x = concat(b, parts, dim);
  }
  return x;
}
