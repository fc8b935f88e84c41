// Fourier transforms and what goes before and after them.
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Fourier.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Padding.h"
#include "compiler/Frontend/Support/Reshape.h"
#include <cmath>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

static Size scalarSize(NodeContext &op, size_t i) {
  return toSize(op.b, frontend::reshape(op.b, op.input(i), {}));
}

/// A signal whose last dimension holds real (and imaginary) parts; fails
/// unless it has one or two of them.
static FailureOr<ComplexPair> readSignal(NodeContext &op, Value x) {
  HloBuilder &b = op.b;
  int64_t last = rankOf(x) - 1;
  int64_t parts = last < 1 ? 0 : typeOf(x).getDimSize(last);
  if ((parts != 1 && parts != 2) || !isa<FloatType>(elementOf(x)))
    return op.error() << "found input " << typeOf(x)
                      << ", expected floats with a last dimension of 1 (real) "
                         "or 2 (complex)";
  Value wide = convert(b, x, computeType(elementOf(x)));
  ComplexPair pair{selectIndex(b, wide, last, 0), Value()};
  if (parts == 2)
    pair.imaginary = selectIndex(b, wide, last, 1);
  return pair;
}

/// The dimension made `length` long, with zeros behind or the end cut off.
static Value fitTo(HloBuilder &b, Value x, int64_t dim, Size length) {
  Size size = sizeOf(b, x, dim);
  if (!x || knownEqual(size, length))
    return x;
  Sizes low(rankOf(x), Size(0)), high = low;
  high[dim] = frontend::maximum(b, frontend::sub(b, length, size), 0);
  x = padConstant(b, x, scalar(b, elementOf(x), 0), low, high);
  return slice(b, x, dim, 0, length);
}

/// The missing half of a spectrum of `length` bins whose first length / 2 + 1
/// are there: bin k is the conjugate of bin length - k.
static ComplexPair mirrorSpectrum(HloBuilder &b, ComplexPair x, int64_t dim,
                                  Size length) {
  Type i64 = b.getI64Type();
  Value k = iota(b, {length}, 0, i64);
  Value other = sub(b, fill(b, length.materialize(b), {length}), k);
  Value half = frontend::floorDiv(b, length, 2).materialize(b);
  Value known = compare(b, Direction::LE, k, half);
  Value from = select(b, known, k, other);
  Value sign = select(b, known, full(b, {length}, elementOf(x.real), 1),
                      full(b, {length}, elementOf(x.real), -1));
  ComplexPair y{take(b, x.real, from, dim), take(b, x.imaginary, from, dim)};
  y.imaginary = mul(b, y.imaginary,
                    broadcastInDim(b, sign, sizesOf(b, y.imaginary), {dim}));
  return y;
}

/// The transform along `dim`; a one-sided one gives (or, inverse, takes) the
/// first half of the bins and gives a real signal.
static Value transform(NodeContext &op, ComplexPair x, int64_t dim, Size length,
                       bool inverse, bool oneSided, Type element) {
  HloBuilder &b = op.b;
  int64_t last = rankOf(x.real);
  if (inverse && oneSided) {
    Size bins = frontend::add(b, frontend::floorDiv(b, length, 2), 1);
    x.real = fitTo(b, x.real, dim, bins);
    x.imaginary =
        x.imaginary ? fitTo(b, x.imaginary, dim, bins) : fullLike(b, x.real, 0);
    Value signal =
        fourier(b, mirrorSpectrum(b, x, dim, length), dim, true).real;
    return convert(b, unsqueeze(b, signal, {last}), element);
  }
  x.real = fitTo(b, x.real, dim, length);
  if (x.imaginary)
    x.imaginary = fitTo(b, x.imaginary, dim, length);
  ComplexPair y = fourier(b, x, dim, inverse);
  Value result = stack(b, {y.real, y.imaginary}, last);
  if (oneSided)
    result = slice(b, result, dim, 0,
                   frontend::add(b, frontend::floorDiv(b, length, 2), 1));
  return convert(b, result, element);
}

/// input [..., 1 or 2], dft_length, axis (an attribute before opset 20).
static LogicalResult importDFT(NodeContext &op) {
  HloBuilder &b = op.b;
  Value input = op.input(0);
  auto x = readSignal(op, input);
  if (failed(x))
    return failure();
  int64_t axis = op.opset < 20 ? op.intAttr("axis", 1) : -2;
  if (op.opset >= 20 && op.has(2)) {
    auto given = onnx::constantInts(op.input(2));
    if (!given || given->size() != 1)
      return op.error() << "found an axis computed at run time, expected a "
                           "constant";
    axis = given->front();
  }
  auto dim = op.axis(axis, rankOf(input));
  if (failed(dim))
    return failure();
  if (*dim == rankOf(input) - 1)
    return op.error() << "found axis " << axis
                      << ", expected one before the last dimension";
  bool inverse = op.intAttr("inverse", 0), oneSided = op.intAttr("onesided", 0);
  if (oneSided && !inverse && x->imaginary)
    return op.error() << "found onesided with a complex input, expected a "
                         "real one";
  Size length = sizeOf(b, input, *dim);
  if (op.has(1))
    length = scalarSize(op, 1);
  else if (oneSided && inverse)
    length = frontend::mul(b, frontend::sub(b, length, 1), 2);
  return op.result(
      transform(op, *x, *dim, length, inverse, oneSided, elementOf(input)));
}

/// signal [batch, length, 1 or 2], frame_step, window, frame_length. The
/// result is [batch, frames, bins, 2].
static LogicalResult importSTFT(NodeContext &op) {
  HloBuilder &b = op.b;
  Value input = op.input(0), window = op.input(2);
  Type i64 = b.getI64Type();
  // A real signal may lack its last dimension.
  if (rankOf(input) == 2)
    input = unsqueeze(b, input, {2});
  auto x = readSignal(op, input);
  if (failed(x))
    return failure();
  if (rankOf(input) != 3 || (!window && !op.has(3)) ||
      (window && rankOf(window) != 1))
    return op.error() << "found signal " << typeOf(input)
                      << ", expected [batch, length, 1 or 2] and a window or "
                         "a frame_length";
  Size step = scalarSize(op, 1);
  Size length = op.has(3) ? scalarSize(op, 3) : sizeOf(b, window, 0);
  if (step.isStatic() && step.getStatic() < 1)
    return op.error() << "found frame_step " << step.getStatic()
                      << ", expected at least 1";
  Size rest = frontend::sub(b, sizeOf(b, input, 1), length);
  Size frames = frontend::add(b, frontend::floorDiv(b, rest, step), 1);
  frames = frontend::maximum(b, frames, 0);
  Sizes shape = {frames, length};
  Value places = add(
      b, mul(b, iota(b, shape, 0, i64), fill(b, step.materialize(b), shape)),
      iota(b, shape, 1, i64));
  auto frame = [&](Value &part) {
    if (!part)
      return;
    part = take(b, part, places, 1);
    if (window)
      part = mul(b, part, convert(b, window, elementOf(part)));
  };
  frame(x->real);
  frame(x->imaginary);
  bool oneSided = op.intAttr("onesided", 1) && !x->imaginary;
  return op.result(transform(op, *x, 2, length, /*inverse=*/false, oneSided,
                             elementOf(input)));
}

/// Rows (bins of a spectrum) by columns (bands), each band a triangle over
/// three of equally spaced pitches. Inputs are scalars: num_mel_bins,
/// dft_length, sample_rate, lower_edge_hertz, upper_edge_hertz.
static LogicalResult importMelWeightMatrix(NodeContext &op) {
  HloBuilder &b = op.b;
  Type f64 = b.getF64Type();
  Type element = op.elementType(op.intAttr("output_datatype", 1));
  if (!element)
    return failure();
  Size bands = scalarSize(op, 0), length = scalarSize(op, 1);
  auto number = [&](size_t i) {
    return convert(b, frontend::reshape(b, op.input(i), {}), f64);
  };
  auto mel = [&](Value hertz) {
    return mul(b, log1p(b, div(b, hertz, 700.0)), 2595 / std::log(10.0));
  };
  Size edges = frontend::add(b, bands, 2);
  Value low = mel(number(3)), high = mel(number(4));
  Value step = div(b, sub(b, high, low), convert(b, edges.materialize(b), f64));
  Value pitch = add(b, mul(b, iota(b, {edges}, 0, f64), step), low);
  Value hertz = mul(b, expm1(b, mul(b, pitch, std::log(10.0) / 2595)), 700.0);
  Value bins = convert(b, frontend::add(b, length, 1).materialize(b), f64);
  Value edge = frontend::floor(b, div(b, mul(b, hertz, bins), number(2)));
  Size rows = frontend::add(b, frontend::floorDiv(b, length, 2), 1);
  Sizes shape = {rows, bands};
  auto column = [&](int64_t from) {
    Value part = slice(b, edge, 0, from, frontend::add(b, bands, from));
    return broadcastInDim(b, part, shape, {1});
  };
  Value left = column(0), middle = column(1), right = column(2);
  Value row = iota(b, shape, 0, f64);
  auto within = [&](Direction above, Value from, Direction below, Value to) {
    return bitAnd(b, compare(b, above, row, from), compare(b, below, row, to));
  };
  Value zero = full(b, shape, f64, 0);
  // The falling side wins where both hold.
  Value rise = div(b, sub(b, row, left), maximum(b, sub(b, middle, left), 1.0));
  Value peak = bitAnd(b, compare(b, Direction::EQ, left, middle),
                      compare(b, Direction::EQ, row, middle));
  Value fall =
      div(b, sub(b, right, row), maximum(b, sub(b, right, middle), 1.0));
  Value result =
      select(b, within(Direction::GE, left, Direction::LE, middle), rise, zero);
  result = select(b, peak, full(b, shape, f64, 1), result);
  result = select(b, within(Direction::GE, middle, Direction::LT, right), fall,
                  result);
  return op.result(convert(b, result, element));
}

void ferrule::onnx::registerSignalOps(Registry &r) {
  r.add("DFT", importDFT);
  r.add("STFT", importSTFT);
  r.add("MelWeightMatrix", importMelWeightMatrix);
}
