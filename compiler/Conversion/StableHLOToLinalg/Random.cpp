// rng_bit_generator and rng. ThreeFry 2x32-20 and Philox 4x32-10 are those of
// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011); keys,
// counters and the order of the output words are XLA's. DEFAULT is Philox.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace ferrule::lowering {

namespace {

/// Arithmetic on 32- and 64-bit words.
struct WordBuilder : ImplicitLocOpBuilder {
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  Value word(uint64_t value, unsigned width = 32) {
    return intConstant(*this, getLoc(), getIntegerType(width),
                       APInt(width, value));
  }
  Value like(Value x, uint64_t value) {
    return word(value, x.getType().getIntOrFloatBitWidth());
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(*this, x, y); }
  Value mul(Value x, Value y) { return arith::MulIOp::create(*this, x, y); }
  Value xorOf(Value x, Value y) { return arith::XOrIOp::create(*this, x, y); }
  Value orOf(Value x, Value y) { return arith::OrIOp::create(*this, x, y); }
  Value left(Value x, uint64_t n) {
    return arith::ShLIOp::create(*this, x, like(x, n));
  }
  Value right(Value x, uint64_t n) {
    return arith::ShRUIOp::create(*this, x, like(x, n));
  }
  Value rotate(Value x, uint64_t n) { return orOf(left(x, n), right(x, 32 - n)); }
  Value low(Value x) {
    return arith::TruncIOp::create(*this, getI32Type(), x);
  }
  Value high(Value x) { return low(right(x, 32)); }
  Value wide(Value x) { return arith::ExtUIOp::create(*this, getI64Type(), x); }
  Value join(Value lowWord, Value highWord) {
    return orOf(wide(lowWord), left(wide(highWord), 32));
  }
  Value select(Value c, Value x, Value y) {
    return arith::SelectOp::create(*this, c, x, y);
  }
  Value equal(Value x, Value y) {
    return arith::CmpIOp::create(*this, arith::CmpIPredicate::eq, x, y);
  }

  /// Both words of ThreeFry 2x32 with 20 rounds.
  std::pair<Value, Value> threeFry(Value key, Value counter) {
    static constexpr uint64_t rotations[2][4] = {{13, 15, 26, 6},
                                                 {17, 29, 16, 24}};
    Value k[3] = {low(key), high(key), {}};
    k[2] = xorOf(xorOf(k[0], k[1]), word(0x1BD11BDA));
    Value x = add(low(counter), k[0]), y = add(high(counter), k[1]);
    for (int group = 0; group < 5; ++group) {
      for (uint64_t r : rotations[group % 2]) {
        x = add(x, y);
        y = xorOf(rotate(y, r), x);
      }
      x = add(x, k[(group + 1) % 3]);
      y = add(add(y, k[(group + 2) % 3]), word(group + 1));
    }
    return {x, y};
  }

  /// The four words of Philox 4x32 with 10 rounds.
  std::array<Value, 4> philox(std::array<Value, 4> x, Value key0, Value key1) {
    for (int round = 0; round < 10; ++round) {
      Value p = mul(wide(x[0]), word(0xD2511F53, 64));
      Value q = mul(wide(x[2]), word(0xCD9E8D57, 64));
      x = {xorOf(xorOf(high(q), x[1]), key0), low(q),
           xorOf(xorOf(high(p), x[3]), key1), low(p)};
      key0 = add(key0, word(0x9E3779B9));
      key1 = add(key1, word(0xBB67AE85));
    }
    return x;
  }
};


Value linearPosition(WordBuilder &b, ArrayRef<Value> at,
                     ArrayRef<int64_t> shape) {
  Value linear = b.word(0, 64);
  for (auto [i, size] : llvm::zip(at, shape))
    linear = b.add(b.mul(linear, b.word(size, 64)), i);
  return linear;
}

/// One generator: bits of an output position, and the state after all.
struct Generator {
  bool isPhilox;
  ArrayRef<int64_t> shape;
  unsigned width;

  int64_t elements() const { return ShapedType::getNumElements(shape); }

  /// Counters used for the whole output.
  int64_t counters() const {
    if (isPhilox)
      return llvm::divideCeil(elements(), width == 64 ? 2 : 4);
    if (width == 64)
      return elements();
    int64_t count = elements(), dim = splitDimension();
    return shape.empty() ? 1
                         : count / std::max<int64_t>(shape[dim], 1) *
                               llvm::divideCeil(shape[dim], 2);
  }

  /// ThreeFry's two words go to neighbours along this dimension: the first of
  /// even size, else the largest.
  int64_t splitDimension() const {
    for (auto [d, size] : llvm::enumerate(shape))
      if (size % 2 == 0)
        return d;
    return llvm::max_element(shape) - shape.begin();
  }

  Value threeFryBits(WordBuilder &b, ArrayRef<Value> at, Value key,
                     Value counter) const {
    if (width == 64) {
      Value c = b.add(counter, linearPosition(b, at, shape));
      auto [x, y] = b.threeFry(key, c);
      return b.join(x, y);
    }
    if (shape.empty())
      return b.threeFry(key, counter).first;
    int64_t d = splitDimension();
    SmallVector<int64_t> half(shape);
    half[d] = llvm::divideCeil(shape[d], 2);
    SmallVector<Value> position(at);
    Value isOdd = arith::TruncIOp::create(b, b.getI1Type(), at[d]);
    position[d] = b.right(at[d], 1);
    auto [x, y] =
        b.threeFry(key, b.add(counter, linearPosition(b, position, half)));
    return b.select(isOdd, y, x);
  }

  Value philoxBits(WordBuilder &b, ArrayRef<Value> at, Value key0, Value key1,
                   Value counter, Value counterHigh) const {
    Value linear = linearPosition(b, at, shape);
    unsigned shift = width == 64 ? 1 : 2;
    Value c = b.add(counter, b.right(linear, shift));
    // Carry into the upper half of the 128-bit counter.
    Value carries =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, c, counter);
    Value upper =
        b.add(counterHigh, arith::ExtUIOp::create(b, b.getI64Type(), carries));
    auto words = b.philox({b.low(c), b.high(c), b.low(upper), b.high(upper)},
                          key0, key1);
    Value which = arith::AndIOp::create(b, linear,
                                        b.word(width == 64 ? 1 : 3, 64));
    if (width == 64) {
      Value first = b.join(words[0], words[1]);
      Value second = b.join(words[2], words[3]);
      return b.select(b.equal(which, b.word(0, 64)), first, second);
    }
    Value result = words[3];
    for (int i = 2; i >= 0; --i)
      result = b.select(b.equal(which, b.word(i, 64)), words[i], result);
    return result;
  }
};

SmallVector<Value> positions(WordBuilder &b, int64_t rank) {
  SmallVector<Value> at;
  for (int64_t d = 0; d < rank; ++d)
    at.push_back(arith::IndexCastOp::create(b, b.getI64Type(),
                                            linalg::IndexOp::create(b, d)));
  return at;
}

struct RngBitGeneratorLowering
    : OpConversionPattern<stablehlo::RngBitGeneratorOp> {
  using OpConversionPattern::OpConversionPattern;

  /// The state's 64-bit words: key, counter, upper counter (the key again if
  /// the state has two words only).
  static SmallVector<Value> readState(WordBuilder &b, Value state) {
    int64_t n = tensorType(state).getNumElements();
    bool words32 = tensorType(state).getElementTypeBitWidth() == 32;
    auto element = [&](int64_t i) -> Value {
      return tensor::ExtractOp::create(b, state,
                                       indexConstant(b, b.getLoc(), i));
    };
    SmallVector<Value> words;
    for (int64_t i = 0; i < n; i += words32 ? 2 : 1)
      words.push_back(words32 ? b.join(element(i), element(i + 1))
                              : element(i));
    words.resize(3, words[0]);
    return words;
  }

  static Value writeState(WordBuilder &b, RankedTensorType type,
                          ArrayRef<Value> words) {
    SmallVector<Value> elements;
    bool words32 = type.getElementTypeBitWidth() == 32;
    for (int64_t i = 0; int64_t(elements.size()) < type.getNumElements(); ++i) {
      if (words32)
        elements.append({b.low(words[i]), b.high(words[i])});
      else
        elements.push_back(words[i]);
    }
    return tensor::FromElementsOp::create(b, type, elements);
  }

  LogicalResult
  matchAndRewrite(stablehlo::RngBitGeneratorOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType stateType =
        resultType(getTypeConverter(), op.getOutputState());
    RankedTensorType type = resultType(getTypeConverter(), op.getOutput());
    unsigned width = type.getElementTypeBitWidth();
    int64_t stateBits =
        stateType.getNumElements() * stateType.getElementTypeBitWidth();
    if (!isa<IntegerType>(stateType.getElementType()) ||
        (stateBits != 128 && stateBits != 192))
      return rewriter.notifyMatchFailure(op, "state is not 2 or 3 x 64 bits");
    using Algorithm = stablehlo::RngAlgorithm;
    Generator generator{op.getRngAlgorithm() != Algorithm::THREE_FRY,
                        type.getShape(), std::max(width, 32u)};
    WordBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> state = readState(b, adaptor.getInitialState());
    Sizes sizes = getAsIndexOpFoldResult(op.getContext(), type.getShape());
    Value out = emptyTensor(b, op.getLoc(), sizes, type.getElementType());
    Value key0 = b.low(state[0]), key1 = b.high(state[0]);
    auto body = [&](OpBuilder &nested, ValueRange) -> SmallVector<Value> {
      WordBuilder w(op.getLoc(), nested);
      SmallVector<Value> at = positions(w, type.getRank());
      Value bits = generator.isPhilox
                       ? generator.philoxBits(w, at, key0, key1, state[1],
                                              state[2])
                       : generator.threeFryBits(w, at, state[0], state[1]);
      if (width < 32)
        bits = arith::TruncIOp::create(w, w.getIntegerType(width), bits);
      if (isa<FloatType>(type.getElementType()))
        bits = arith::BitcastOp::create(w, type.getElementType(), bits);
      return {bits};
    };
    Value output =
        parallelGeneric(b, op.getLoc(), {}, {}, out, body).getResult(0);
    Value used = b.word(generator.counters(), 64);
    Value next = b.add(state[1], used);
    Value carries =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, next, used);
    state[2] = b.add(
        state[2], arith::ExtUIOp::create(b, b.getI64Type(), carries));
    state[1] = next;
    rewriter.replaceOp(op, ValueRange{writeState(b, stateType, state), output});
    return success();
  }
};

/// Uniform in [a, b) or normal with mean a and deviation b: a hash of the
/// element's position, so the same numbers in every run.
struct RngLowering : OpConversionPattern<stablehlo::RngOp> {
  using OpConversionPattern::OpConversionPattern;

  static Value uniform(WordBuilder &b, Value bits, Type type) {
    Value unit = arith::UIToFPOp::create(b, type, b.right(bits, 11));
    Value scale = getConstant(b, b.getLoc(), type, std::ldexp(1.0, -53));
    return arith::MulFOp::create(b, unit, scale);
  }

  /// Box and Muller's transform of two uniform numbers.
  static Value normal(WordBuilder &b, Value bits, Value otherBits, Type type) {
    Value one = getConstant(b, b.getLoc(), type, 1.0);
    Value u = arith::SubFOp::create(b, one, uniform(b, bits, type));
    Value minusTwo = getConstant(b, b.getLoc(), type, -2.0);
    Value radius = math::SqrtOp::create(
        b, arith::MulFOp::create(b, minusTwo, math::LogOp::create(b, u)));
    Value turn = getConstant(b, b.getLoc(), type, 2.0 * M_PI);
    Value angle =
        arith::MulFOp::create(b, turn, uniform(b, otherBits, type));
    return arith::MulFOp::create(b, radius, math::CosOp::create(b, angle));
  }

  LogicalResult
  matchAndRewrite(stablehlo::RngOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    Type original = getElementTypeOrSelf(op.getResult().getType());
    Location loc = op.getLoc();
    WordBuilder b(loc, rewriter);
    Value low = extractScalar(b, loc, adaptor.getA());
    Value high = extractScalar(b, loc, adaptor.getB());
    Sizes sizes = sizesFromShape(b, loc, adaptor.getShape(), type);
    Value out = emptyTensor(b, loc, sizes, type.getElementType());
    Type f64 = b.getF64Type();
    bool isNormal =
        op.getRngDistribution() == stablehlo::RngDistribution::NORMAL;
    auto body = [&](OpBuilder &nested, ValueRange) -> SmallVector<Value> {
      WordBuilder w(loc, nested);
      Value linear = w.word(0, 64);
      for (auto [d, at] : llvm::enumerate(positions(w, type.getRank()))) {
        Value size = arith::IndexCastOp::create(w, w.getI64Type(),
                                                toValue(w, loc, sizes[d]));
        linear = w.add(w.mul(linear, size), at);
      }
      Value counter = w.left(linear, 1);
      auto [x, y] = w.threeFry(w.word(0x243F6A8885A308D3, 64), counter);
      Value bits = w.join(x, y);
      Value from = emitConvert(w, loc, low, original, f64);
      Value to = emitConvert(w, loc, high, original, f64);
      Value value;
      if (isNormal) {
        auto [x2, y2] = w.threeFry(w.word(0x243F6A8885A308D3, 64),
                                   w.orOf(counter, w.word(1, 64)));
        value = arith::AddFOp::create(
            w, from,
            arith::MulFOp::create(w, to, normal(w, bits, w.join(x2, y2), f64)));
      } else {
        Value span = arith::SubFOp::create(w, to, from);
        value = arith::AddFOp::create(
            w, from, arith::MulFOp::create(w, span, uniform(w, bits, f64)));
      }
      if (isa<IntegerType>(original))
        value = math::FloorOp::create(w, value);
      return {emitConvert(w, loc, value, f64, original)};
    };
    Value output = parallelGeneric(b, loc, {}, {}, out, body).getResult(0);
    rewriter.replaceOp(op, castTo(b, loc, output, type));
    return success();
  }
};

} // namespace

void addRandomPatterns(Converter &converter, Patterns &patterns) {
  patterns.add<RngBitGeneratorLowering, RngLowering>(converter,
                                                     patterns.getContext());
}

} // namespace ferrule::lowering
