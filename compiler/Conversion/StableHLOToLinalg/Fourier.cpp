// fft -> ferrule.fft along one dimension after the other; the real forms
// through the complex one.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"

using namespace mlir;

namespace ferrule::lowering {

namespace {

struct FftBuilder {
  OpBuilder &b;
  Location loc;
  ComplexType element;

  Type part() const { return element.getElementType(); }

  /// exp(-2 pi i j / n), or its conjugate, computed in double precision.
  Value twiddles(int64_t n, bool inverse) {
    auto type = RankedTensorType::get({n}, element);
    auto round = [&](double value) {
      APFloat rounded(value);
      bool lost;
      rounded.convert(cast<FloatType>(part()).getFloatSemantics(),
                      APFloat::rmNearestTiesToEven, &lost);
      return rounded;
    };
    SmallVector<std::complex<APFloat>> values;
    for (int64_t j = 0; j < n; ++j) {
      double angle = 2.0 * M_PI * double(j) / double(n);
      values.push_back({round(std::cos(angle)),
                        round(inverse ? std::sin(angle) : -std::sin(angle))});
    }
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(type, values));
  }

  Value transform(Value x, int64_t d, bool inverse) {
    int64_t n = tensorType(x).getDimSize(d);
    Sizes sizes = sizesOf(b, loc, x);
    Value out = emptyTensor(b, loc, sizes, element);
    Value scratch = emptyTensor(b, loc, sizes, element);
    return ext::FftOp::create(
               b, loc, TypeRange{out.getType(), scratch.getType()},
               ValueRange{x, twiddles(n, inverse)}, ValueRange{out, scratch}, d)
        .getResult(0);
  }

  /// A generic of one input whose body maps each element.
  Value map(Value x, Type to,
            function_ref<Value(OpBuilder &, Value)> function) {
    Value out = emptyTensor(b, loc, sizesOf(b, loc, x), to);
    auto identity = b.getMultiDimIdentityMap(rankOf(x));
    return parallelGeneric(b, loc, x, identity, out,
                           [&](OpBuilder &body, ValueRange args) {
                             return SmallVector<Value>{function(body, args[0])};
                           })
        .getResult(0);
  }

  Value toComplex(Value x) {
    return map(x, element, [&](OpBuilder &body, Value v) -> Value {
      Value zero = getConstant(body, loc, part(), 0);
      return complex::CreateOp::create(body, loc, element, v, zero);
    });
  }

  Value scale(Value x, double factor) {
    return map(x, element, [&](OpBuilder &body, Value v) -> Value {
      Value f = getConstant(body, loc, part(), factor);
      Value re = arith::MulFOp::create(
          body, loc, complex::ReOp::create(body, loc, v), f);
      Value im = arith::MulFOp::create(
          body, loc, complex::ImOp::create(body, loc, v), f);
      return complex::CreateOp::create(body, loc, element, re, im);
    });
  }

  /// The first `n` entries of the last dimension.
  Value takeFirst(Value x, int64_t n) {
    Sizes sizes = sizesOf(b, loc, x);
    sizes.back() = b.getIndexAttr(n);
    SmallVector<OpFoldResult> zeros(sizes.size(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(b, loc, x, zeros, sizes, ones);
  }

  /// The n frequencies of a real signal from the first n/2+1 along the last
  /// dimension: f[n-j] = conj(f[j]). The imaginary part of f[0] (and f[n/2])
  /// does not count.
  Value mirror(Value x, int64_t n) {
    Sizes sizes = sizesOf(b, loc, x);
    sizes.back() = b.getIndexAttr(n);
    int64_t rank = rankOf(x);
    Value out = emptyTensor(b, loc, sizes, element);
    auto body = [&](OpBuilder &nested, ValueRange) -> SmallVector<Value> {
      SmallVector<Value> at;
      for (int64_t d = 0; d < rank; ++d)
        at.push_back(linalg::IndexOp::create(nested, loc, d));
      Value j = at.back(), total = indexConstant(nested, loc, n);
      Value upper = arith::CmpIOp::create(
          nested, loc, arith::CmpIPredicate::ugt, j,
          indexConstant(nested, loc, n / 2));
      Value other = arith::SubIOp::create(nested, loc, total, j);
      at.back() = arith::SelectOp::create(nested, loc, upper, other, j);
      Value v = tensor::ExtractOp::create(nested, loc, x, at);
      Value conj = complex::ConjOp::create(nested, loc, v);
      v = arith::SelectOp::create(nested, loc, upper, conj, v);
      // Entry 0, and n/2 for even n, are real.
      Value twice = arith::AddIOp::create(nested, loc, j, j);
      Value isReal = arith::OrIOp::create(
          nested, loc,
          arith::CmpIOp::create(nested, loc, arith::CmpIPredicate::eq, j,
                                indexConstant(nested, loc, 0)),
          arith::CmpIOp::create(nested, loc, arith::CmpIPredicate::eq, twice,
                                total));
      Value real = complex::CreateOp::create(
          nested, loc, element, complex::ReOp::create(nested, loc, v),
          getConstant(nested, loc, part(), 0));
      return {arith::SelectOp::create(nested, loc, isReal, real, v)};
    };
    return parallelGeneric(b, loc, {}, {}, out, body).getResult(0);
  }
};

/// A transform over several dimensions is one along each.
struct FftLowering : OpConversionPattern<stablehlo::FftOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::FftOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = adaptor.getOperand();
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    ArrayRef<int64_t> lengths = op.getFftLength();
    using Kind = stablehlo::FftType;
    Kind kind = op.getFftType();
    Type from = tensorType(x).getElementType();
    auto element = dyn_cast<ComplexType>(from);
    if (!element)
      element = ComplexType::get(from);
    FftBuilder fft{rewriter, loc, element};
    int64_t first = type.getRank() - int64_t(lengths.size());
    int64_t last = lengths.back();
    bool inverse = kind == Kind::IFFT || kind == Kind::IRFFT;
    if (llvm::is_contained(lengths, 0))
      return rewriter.notifyMatchFailure(op, "a length of zero");
    if (kind == Kind::RFFT)
      x = fft.toComplex(x);
    // The last dimension comes first (last for an inverse) because only it is
    // symmetric.
    SmallVector<int64_t> dims =
        llvm::to_vector(llvm::seq<int64_t>(first, type.getRank()));
    if (!inverse)
      std::reverse(dims.begin(), dims.end());
    for (int64_t d : dims) {
      bool isLast = d == type.getRank() - 1;
      if (kind == Kind::IRFFT && isLast)
        x = fft.mirror(x, last);
      x = fft.transform(x, d, inverse);
      if (kind == Kind::RFFT && isLast)
        x = fft.takeFirst(x, last / 2 + 1);
    }
    double count = 1;
    for (int64_t length : lengths)
      count *= length;
    if (inverse)
      x = fft.scale(x, 1.0 / count);
    if (kind == Kind::IRFFT)
      x = fft.map(x, fft.part(), [&](OpBuilder &b, Value v) -> Value {
        return complex::ReOp::create(b, loc, v);
      });
    rewriter.replaceOp(op, castTo(rewriter, loc, x, type));
    return success();
  }
};

} // namespace

void addFourierPatterns(Converter &converter, Patterns &patterns) {
  patterns.add<FftLowering>(converter, patterns.getContext());
}

} // namespace ferrule::lowering
