#include "compiler/Frontend/Support/Fourier.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reshape.h"
#include <cmath>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

Value frontend::fourierOp(HloBuilder &b, Value x, int64_t dim,
                          stablehlo::FftType kind, int64_t length,
                          Type element) {
  Value last = moveDim(b, x, dim, -1);
  SmallVector<int64_t> shape(typeOf(last).getShape());
  shape.back() = kind == stablehlo::FftType::RFFT ? length / 2 + 1 : length;
  Value result = stablehlo::FftOp::create(
      b, RankedTensorType::get(shape, element), last,
      stablehlo::FftTypeAttr::get(b.getContext(), kind),
      b.getDenseI64ArrayAttr({length}));
  return moveDim(b, result, -1, dim);
}

/// cos and sin of 2 pi n k / size as matrices [size, size].
static ComplexPair waves(HloBuilder &b, Size size, Type element) {
  Type i64 = b.getI64Type();
  Value product =
      mul(b, iota(b, {size, size}, 0, i64), iota(b, {size, size}, 1, i64));
  Value turns = fill(b, maximum(b, size, 1).materialize(b), {size, size});
  // Whole turns do not count, and would cost precision.
  Value part = convert(b, remainder(b, product, turns), element);
  Value angle = mul(b, div(b, part, convert(b, turns, element)), 2 * M_PI);
  return {cos(b, angle), sin(b, angle)};
}

/// By products with matrices, for sizes that are known at run time only.
static ComplexPair fourierByMatrix(HloBuilder &b, ComplexPair x, int64_t dim,
                                   bool inverse) {
  Size size = sizeOf(b, x.real, dim);
  ComplexPair wave = waves(b, size, elementOf(x.real));
  auto apply = [&](Value value, Value matrix) {
    Value result = contract(b, value, matrix, {}, {}, {dim}, {0});
    return moveDim(b, result, -1, dim);
  };
  // (r + i m) (cos -+ i sin)
  ComplexPair y{apply(x.real, wave.real), apply(x.real, wave.imaginary)};
  if (!inverse)
    y.imaginary = neg(b, y.imaginary);
  if (x.imaginary) {
    Value m = apply(x.imaginary, wave.imaginary);
    y.real = inverse ? sub(b, y.real, m) : add(b, y.real, m);
    y.imaginary = add(b, y.imaginary, apply(x.imaginary, wave.real));
  }
  if (inverse) {
    Value count = convert(b, size.materialize(b), elementOf(y.real));
    y.real = div(b, y.real, count);
    y.imaginary = div(b, y.imaginary, count);
  }
  return y;
}

ComplexPair frontend::fourier(HloBuilder &b, ComplexPair x, int64_t dim,
                              bool inverse) {
  auto type = typeOf(x.real);
  if (!type.hasStaticShape() || type.getNumElements() == 0)
    return fourierByMatrix(b, x, dim, inverse);
  using Kind = stablehlo::FftType;
  if (!x.imaginary)
    x.imaginary = fullLike(b, x.real, 0);
  Type complex = ComplexType::get(type.getElementType());
  auto complexType = RankedTensorType::get(type.getShape(), complex);
  Value whole =
      stablehlo::ComplexOp::create(b, complexType, x.real, x.imaginary);
  whole = fourierOp(b, whole, dim, inverse ? Kind::IFFT : Kind::FFT,
                    type.getDimSize(dim), complex);
  return {stablehlo::RealOp::create(b, type, whole),
          stablehlo::ImagOp::create(b, type, whole)};
}
