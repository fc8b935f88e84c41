// Complex numbers and Fourier transforms.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Complex.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Fourier.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reshape.h"
#include <cmath>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

static Value complexOf(HloBuilder &b, Value real, Value imaginary) {
  auto v = broadcastTogether(b, {real, imaginary});
  auto type = RankedTensorType::get(mergedType(v, elementOf(real)).getShape(),
                                    mlir::ComplexType::get(elementOf(real)));
  return stablehlo::ComplexOp::create(b, type, v[0], v[1]);
}

static void realOp(OpLowering &x) { x.give(realPart(x.b, x.tensor("self"))); }
static void imagOp(OpLowering &x) {
  x.give(imaginaryPart(x.b, x.tensor("self")));
}

static void conjOp(OpLowering &x) { x.give(conjugate(x.b, x.tensor("self"))); }

static void complexOp(OpLowering &x) {
  x.give(complexOf(x.b, x.tensor("real"), x.tensor("imag")));
}

static unsigned bitsOf(Value value) {
  return elementOf(value).getIntOrFloatBitWidth();
}

/// The last dimension split in groups of `count`, or groups joined to one.
static Value splitLast(HloBuilder &b, Value value, int64_t count) {
  Sizes sizes = sizesOf(b, value);
  Size last = sizes.pop_back_val();
  sizes.append({floorDiv(b, last, count), count});
  return reshape(b, value, sizes);
}
static Value joinLast(HloBuilder &b, Value value) {
  Sizes sizes = sizesOf(b, value);
  Size inner = sizes.pop_back_val(), outer = sizes.pop_back_val();
  sizes.push_back(mul(b, outer, inner));
  return reshape(b, value, sizes);
}

/// Bits as another type; elements of another width change the last dimension.
static Value bitcast(HloBuilder &b, Value value, Type element) {
  unsigned from = bitsOf(value), to = element.getIntOrFloatBitWidth();
  if (from < to)
    value = splitLast(b, value, to / from);
  SmallVector<int64_t> shape(typeOf(value).getShape());
  if (from < to)
    shape.pop_back();
  if (from > to)
    shape.push_back(from / to);
  value = stablehlo::BitcastConvertOp::create(
      b, RankedTensorType::get(shape, element), value);
  return from > to ? joinLast(b, value) : value;
}

static void viewDtypeOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value self = x.tensor("self");
  Type element = x.resultElement(), byte = b.getIntegerType(8, false);
  if (elementOf(self) == element)
    return x.give(self);
  if (isa<mlir::ComplexType>(elementOf(self)))
    self =
        joinLast(b, stack(b, {realPart(b, self), imaginaryPart(b, self)}, -1));
  else if (elementOf(self).isInteger(1))
    self = convert(b, self, byte); // A truth is a byte in memory.
  if (element.isInteger(1))
    return x.give(bitcast(b, self, byte));
  auto complex = dyn_cast<mlir::ComplexType>(element);
  if (!complex)
    return x.give(elementOf(self) == element ? self
                                             : bitcast(b, self, element));
  if (elementOf(self) != complex.getElementType())
    self = bitcast(b, self, complex.getElementType());
  Value pairs = splitLast(b, self, 2);
  int64_t last = rankOf(pairs) - 1;
  x.give(complexOf(b, selectIndex(b, pairs, last, 0),
                   selectIndex(b, pairs, last, 1)));
}

static void polarOp(OpLowering &x) {
  Value radius = x.tensor("abs"), angle = x.tensor("angle");
  x.give(complexOf(x.b, mul(x.b, radius, cos(x.b, angle)),
                   mul(x.b, radius, sin(x.b, angle))));
}

static void angleOp(OpLowering &x) {
  Value self = x.tensor("self");
  if (!isa<mlir::ComplexType>(elementOf(self)))
    self = convert(x.b, self, x.resultElement());
  x.give(atan2(x.b, imaginaryPart(x.b, self), realPart(x.b, self)));
}

static void viewAsRealOp(OpLowering &x) {
  Value self = x.tensor("self");
  x.give(stack(x.b, {realPart(x.b, self), imaginaryPart(x.b, self)},
               rankOf(self)));
}

static void viewAsComplexOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t last = rankOf(self) - 1;
  x.give(complexOf(x.b, selectIndex(x.b, self, last, 0),
                   selectIndex(x.b, self, last, 1)));
}

/// PyTorch's normalisation codes: 0 none, 1 by the root of the count, 2 by the
/// count; of a transform that the op itself scales when it is inverse.
static Value normalised(HloBuilder &b, Value value, int64_t code, double count,
                        bool opDivides) {
  double factor = code == 0 ? 1 : code == 1 ? 1 / std::sqrt(count) : 1 / count;
  if (opDivides)
    factor *= count;
  if (factor == 1)
    return value;
  Value scale = full(b, sizesOf(b, value), elementOf(value), factor);
  return mul(b, value, scale);
}

static void fftOp(OpLowering &x) {
  HloBuilder &b = x.b;
  using stablehlo::FftType;
  Value value = x.tensor("self");
  StringRef name = x.op->getName().getStringRef();
  bool fromReal = name.ends_with("r2c"), toReal = name.ends_with("c2r");
  bool forward = fromReal || (!toReal && x.flag("forward", true));
  SmallVector<int64_t> dims = x.dims("dim", rankOf(value));
  bool isKnown = llvm::none_of(
      dims, [&](int64_t dim) { return typeOf(value).isDynamicDim(dim); });
  if (dims.empty() || !isKnown)
    return x.fail("needs a known size of each dimension that it transforms");
  bool oneSided = fromReal && x.flag("onesided", true);
  Type part = partElement(value);
  Type complex = mlir::ComplexType::get(part);
  double count = 1;
  // The last of the dimensions is the one that is real on one side.
  if (fromReal && !oneSided)
    value = complexOf(b, value, fullLike(b, value, 0));
  auto size = [&](int64_t dim) { return typeOf(value).getDimSize(dim); };
  for (int64_t i = int64_t(dims.size()) - 1; fromReal && i >= 0; --i) {
    int64_t dim = dims[i], n = size(dim);
    bool real = oneSided && i == int64_t(dims.size()) - 1;
    value = fourierOp(b, value, dim, real ? FftType::RFFT : FftType::FFT, n,
                      complex);
    count *= double(n);
  }
  for (size_t i = 0; !fromReal && i < dims.size(); ++i) {
    int64_t dim = dims[i], n = size(dim);
    bool real = toReal && i + 1 == dims.size();
    if (real) {
      n = x.integer("last_dim_size");
      value = fourierOp(b, value, dim, FftType::IRFFT, n, part);
    } else {
      value = fourierOp(b, value, dim, forward ? FftType::FFT : FftType::IFFT,
                        n, complex);
    }
    count *= double(n);
  }
  x.give(normalised(b, value, x.integer("normalization"), count, !forward));
}

static const LoweringEntry entries[] = {
    {"aten.view.dtype", viewDtypeOp},
    {"aten.real", realOp},
    {"aten.imag", imagOp},
    {"aten.conj", conjOp},
    {"aten._conj", conjOp},
    {"aten._conj_physical", conjOp},
    {"aten.conj_physical", conjOp},
    {"aten.complex", complexOp},
    {"aten.polar", polarOp},
    {"aten.angle", angleOp},
    {"aten.view_as_real", viewAsRealOp},
    {"aten.view_as_real_copy", viewAsRealOp},
    {"aten.view_as_complex", viewAsComplexOp},
    {"aten.view_as_complex_copy", viewAsComplexOp},
    {"aten._fft_r2c", fftOp},
    {"aten._fft_c2r", fftOp},
    {"aten._fft_c2c", fftOp},
};

void torch::addComplexLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
