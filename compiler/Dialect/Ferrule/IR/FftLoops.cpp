// ferrule.fft as loops: Stockham's self-sorting transform with one pass per
// prime factor (4 before 2), ping-pong between the out and the scratch.
// Bluestein's algorithm is not used: a large prime factor p costs n*p.
#include "compiler/Dialect/Ferrule/IR/FerruleLoops.h"

using namespace mlir;
using namespace ferrule::ext;

static SmallVector<int64_t> factorize(int64_t n) {
  SmallVector<int64_t> factors;
  for (; n % 4 == 0; n /= 4)
    factors.push_back(4);
  for (int64_t p = 2; n > 1; ++p)
    for (; n % p == 0; n /= p)
      factors.push_back(p);
  if (factors.empty())
    factors.push_back(1);
  return factors;
}

namespace {

/// One pass: `done` is the product of the radices of the passes before, and
/// rest = n / (done * radix). Entry m' + q*(rest*radix) of the input holds the
/// q-th frequency (q < done) of the subsequence that starts at m' and has
/// stride rest*radix. For every m < rest and f = t*done + q (t < radix):
///   to[m + f*rest] = sum over s < radix of
///                    from[m + s*rest + q*(rest*radix)] * w^(s*f*rest)
/// with w = exp(-2*pi*i/n).
struct FftPass {
  FftOp op;
  LoopBuilder &b;
  Value from, to, twiddles;
  int64_t n, radix, done;
  SmallVector<Value> row;

  SmallVector<Value> at(Value i) {
    SmallVector<Value> position(row);
    position[op.getDimension()] = i;
    return position;
  }

  /// w^(s*step) for the given s.
  Value twiddle(Value s, Value step) {
    Value power = arith::RemUIOp::create(b, b.mul(s, step), b.index(n));
    return b.load(twiddles, power);
  }

  /// The sum for one m with factors that do not depend on m.
  Value sumOfFew(Value first, Value rest, ArrayRef<Value> factors) {
    Value sum = b.load(from, at(first));
    for (Value factor : factors) {
      first = b.add(first, rest);
      Value term = complex::MulOp::create(b, b.load(from, at(first)), factor);
      sum = complex::AddOp::create(b, sum, term);
    }
    return sum;
  }

  Value sumOfMany(Value first, Value rest, Value step) {
    Type type = cast<MemRefType>(to.getType()).getElementType();
    Type element = cast<ComplexType>(type).getElementType();
    Value zero = arith::ConstantOp::create(b, b.getFloatAttr(element, 0.0));
    Value complexZero = complex::CreateOp::create(b, type, zero, zero);
    return b.loop(b.index(0), b.index(radix), complexZero,
                  [&](Value s, ValueRange acc) -> SmallVector<Value> {
                    Value x = b.load(from, at(b.add(first, b.mul(s, rest))));
                    Value term =
                        complex::MulOp::create(b, x, twiddle(s, step));
                    return {complex::AddOp::create(b, acc[0], term)};
                  })[0];
  }

  void emit() {
    constexpr int64_t unrolled = 8;
    int64_t rest = n / (done * radix);
    Value restV = b.index(rest);
    b.loop(b.index(0), b.index(done), [&](Value q) {
      Value base = b.mul(q, b.index(rest * radix));
      b.loop(b.index(0), b.index(radix), [&](Value t) {
        Value f = b.add(b.mul(t, b.index(done)), q);
        Value step = b.mul(f, restV);
        SmallVector<Value> factors;
        for (int64_t s = 1; s < radix && radix <= unrolled; ++s)
          factors.push_back(twiddle(b.index(s), step));
        b.loop(b.index(0), restV, [&](Value m) {
          Value first = b.add(m, base);
          Value sum = radix <= unrolled ? sumOfFew(first, restV, factors)
                                        : sumOfMany(first, restV, step);
          b.store(sum, to, at(b.add(m, step)));
        });
      });
    });
  }
};

} // namespace

LogicalResult FftOp::emitLoops(RewriterBase &rewriter) {
  LoopBuilder b(getLoc(), rewriter);
  Value input = getInputs()[0];
  int64_t d = getDimension();
  int64_t n = cast<MemRefType>(input.getType()).getDimSize(d);
  if (n == 0)
    return success();
  SmallVector<int64_t> radices = factorize(n);
  b.loopOver(input, getBatchDims(*this), [&](SmallVector<Value> row) {
    Value from = input;
    int64_t done = 1;
    for (auto [i, radix] : llvm::enumerate(radices)) {
      // The buffers alternate so that the last pass writes the out.
      bool toOut = (radices.size() - i) % 2 == 1;
      Value to = getOutputs()[toOut ? 0 : 1];
      FftPass{*this, b, from, to, getInputs()[1], n, radix, done, row}.emit();
      done *= radix;
      from = to;
    }
  });
  return success();
}
