// Mathematical functions as inline code.
#include "compiler/Target/CPU/Math/ExpandMath.h"
#include "compiler/Target/CPU/Math/MathBuilder.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::cpu;

namespace {

Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

/// Computes in a wider type: narrow floats in f32, and f32 in f64 where the
/// function has no f32 form.
template <typename Build>
Value buildIn(PatternRewriter &rewriter, Location loc, Type type, Type wide,
              ValueRange operands, Build build) {
  SmallVector<Value> extended;
  for (Value operand : operands)
    extended.push_back(operand.getType() == wide
                           ? operand
                           : arith::ExtFOp::create(rewriter, loc, wide, operand)
                                 .getResult());
  MathBuilder builder(rewriter, loc, wide, /*ofSingle=*/wide != type);
  Value result = build(builder, extended);
  if (wide == type)
    return result;
  return arith::TruncFOp::create(rewriter, loc, type, result);
}

/// A function of the math dialect -> its code
template <typename Op, auto function, bool hasF32>
struct Expand : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    Type element = getElementTypeOrSelf(type);
    if (!isa<FloatType>(element) || element.getIntOrFloatBitWidth() > 64)
      return rewriter.notifyMatchFailure(op, "no float of at most 64 bits");
    if (element.getIntOrFloatBitWidth() < 32)
      return computeInF32(op, rewriter);
    Type wide = withElement(type, hasF32 ? element : rewriter.getF64Type());
    Value result = buildIn(
        rewriter, op.getLoc(), type, wide, op->getOperands(),
        [](MathBuilder &builder, ArrayRef<Value> operands) {
          if constexpr (std::is_same_v<decltype(function), UnaryFunction>)
            return function(builder, operands[0]);
          else
            return function(builder, operands[0], operands[1]);
        });
    rewriter.replaceOp(op, result);
    return success();
  }

  static LogicalResult computeInF32(Op op, PatternRewriter &rewriter) {
    Type wide = withElement(op.getType(), rewriter.getF32Type());
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          arith::ExtFOp::create(rewriter, op.getLoc(), wide, operand));
    Value result = Op::create(rewriter, op.getLoc(), TypeRange{wide}, operands);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), result);
    return success();
  }
};

template <typename Op, UnaryFunction function, bool hasF32 = false>
using Unary = Expand<Op, function, hasF32>;
template <typename Op, BinaryFunction function, bool hasF32 = false>
using Binary = Expand<Op, function, hasF32>;

/// rsqrt -> 1 / sqrt
Value buildRsqrt(MathBuilder &b, Value x) {
  return b.div(b.constant(1.0), b.sqrt(x));
}

/// Ties go away from zero.
Value buildRound(MathBuilder &b, Value x) {
  Value truncated = math::TruncOp::create(b.getBuilder(), b.getLoc(), x);
  Value rest = b.abs(b.sub(x, truncated));
  Value step = b.select(
      b.compare(arith::CmpFPredicate::OGE, rest, b.constant(0.5)),
      b.constant(1.0), b.constant(0.0));
  return b.copySign(b.add(truncated, b.copySign(step, x)), x);
}

/// sincos -> sin and cos
struct SplitSincos : OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::SincosOp op,
                                PatternRewriter &rewriter) const override {
    Value sin =
        math::SinOp::create(rewriter, op.getLoc(), op.getOperand());
    Value cos =
        math::CosOp::create(rewriter, op.getLoc(), op.getOperand());
    rewriter.replaceOp(op, {sin, cos});
    return success();
  }
};

/// fpowi -> pow with the exponent as a float
struct FPowIToPow : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FPowIOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type wide = withElement(op.getType(), rewriter.getF64Type());
    Value base = op.getLhs();
    if (base.getType() != wide)
      base = arith::ExtFOp::create(rewriter, loc, wide, base);
    Value exponent =
        arith::SIToFPOp::create(rewriter, loc, wide, op.getRhs());
    Value power = math::PowFOp::create(rewriter, loc, base, exponent);
    if (wide != op.getType())
      power = arith::TruncFOp::create(rewriter, loc, op.getType(), power);
    rewriter.replaceOp(op, power);
    return success();
  }
};

/// f64 to 16 bits -> through f32, rounded to odd there, so that rounding twice
/// gives what rounding once does
struct TruncateInSteps : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = op.getIn().getType();
    Type element = getElementTypeOrSelf(op.getType());
    if (!getElementTypeOrSelf(from).isF64() ||
        element.getIntOrFloatBitWidth() > 16)
      return rewriter.notifyMatchFailure(op, "not from f64 to a narrow float");
    Location loc = op.getLoc();
    MathBuilder wide(rewriter, loc, from);
    MathBuilder b(rewriter, loc, withElement(from, rewriter.getF32Type()));
    Value near = arith::TruncFOp::create(rewriter, loc, b.getType(),
                                         op.getIn());
    Value back = arith::ExtFOp::create(rewriter, loc, from, near);
    Value inexact = wide.compare(arith::CmpFPredicate::ONE, back, op.getIn());
    Value above = wide.greater(wide.abs(back), wide.abs(op.getIn()));
    Value raw = b.toBits(near);
    Value down = b.select(above, b.subBits(raw, b.bits(1)), raw);
    Value odd = b.select(inexact, b.orBits(down, b.bits(1)), raw);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(),
                                                 b.fromBits(odd));
    return success();
  }
};

/// ipowi -> multiplications, one for each bit of the exponent
struct ExpandIPowI : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::IPowIOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getType();
    unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(
          rewriter, loc,
          cast<TypedAttr>(isa<VectorType>(type)
                              ? Attribute(DenseElementsAttr::get(
                                    cast<VectorType>(type),
                                    Attribute(rewriter.getIntegerAttr(
                                        getElementTypeOrSelf(type), value))))
                              : Attribute(rewriter.getIntegerAttr(type,
                                                                  value))));
    };
    auto compare = [&](arith::CmpIPredicate predicate, Value a,
                       Value b) -> Value {
      return arith::CmpIOp::create(rewriter, loc, predicate, a, b);
    };
    auto select = [&](Value condition, Value a, Value b) -> Value {
      return arith::SelectOp::create(rewriter, loc, condition, a, b);
    };
    Value zero = constant(0);
    Value one = constant(1);
    Value minusOne = constant(-1);
    Value base = op.getLhs();
    Value power = one;
    Value exponent = op.getRhs();
    for (unsigned bit = 0; bit + 1 < width; ++bit) {
      Value low = arith::AndIOp::create(rewriter, loc, exponent, one);
      Value set = compare(arith::CmpIPredicate::ne, low, zero);
      Value product = arith::MulIOp::create(rewriter, loc, power, base);
      power = select(set, product, power);
      base = arith::MulIOp::create(rewriter, loc, base, base);
      exponent = arith::ShRUIOp::create(rewriter, loc, exponent, one);
    }
    // A negative exponent leaves something of 1 and -1 only.
    Value odd = compare(
        arith::CmpIPredicate::ne,
        arith::AndIOp::create(rewriter, loc, op.getRhs(), one).getResult(),
        zero);
    Value inverse = select(compare(arith::CmpIPredicate::eq, op.getLhs(), one),
                           one, zero);
    inverse = select(
        compare(arith::CmpIPredicate::eq, op.getLhs(), minusOne),
        select(odd, minusOne, one), inverse);
    Value negative = compare(arith::CmpIPredicate::slt, op.getRhs(), zero);
    rewriter.replaceOp(op, select(negative, inverse, power));
    return success();
  }
};

/// remf -> a loop that takes away multiples of the divisor, exactly
struct ExpandRemainder : OpRewritePattern<arith::RemFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::RemFOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!isa<FloatType>(type))
      return rewriter.notifyMatchFailure(op, "not a scalar");
    Location loc = op.getLoc();
    Type wide = rewriter.getF64Type();
    Value result = buildIn(
        rewriter, loc, type, wide, op->getOperands(),
        [&](MathBuilder &b, ArrayRef<Value> operands) {
          return build(rewriter, loc, b, operands[0], operands[1]);
        });
    rewriter.replaceOp(op, result);
    return success();
  }

  static Value build(PatternRewriter &rewriter, Location loc, MathBuilder &b,
                     Value x, Value y) {
    Value divisor = b.abs(y);
    Value infinity = b.constant(std::numeric_limits<double>::infinity());
    // Nothing to do, and no end, for these.
    Value ordinary = b.less(b.constant(0.0), divisor);
    Value start = b.abs(x);
    Value finite = b.less(start, infinity);
    Value runs = arith::AndIOp::create(rewriter, loc, ordinary, finite);
    auto loop = scf::WhileOp::create(
        rewriter, loc, TypeRange{b.getType()}, ValueRange{start},
        [&](OpBuilder &builder, Location nested, ValueRange arguments) {
          Value more = arith::CmpFOp::create(builder, nested,
                                             arith::CmpFPredicate::OGE,
                                             arguments[0], divisor);
          more = arith::AndIOp::create(builder, nested, more, runs);
          scf::ConditionOp::create(builder, nested, more, arguments);
        },
        [&](OpBuilder &builder, Location nested, ValueRange arguments) {
          MathBuilder inner(builder, nested, b.getType());
          Value rest = arguments[0];
          // The quotient is cut to 27 bits, so that its product with the
          // divisor leaves an exact rest. A rounded quotient may be one too
          // large, which shows as a negative rest.
          Value ratio = inner.div(rest, divisor);
          Value cap = inner.constant(0x1p1000);
          ratio = inner.select(inner.greater(ratio, cap), cap, ratio);
          Value count = math::TruncOp::create(builder, nested, ratio);
          count = inner.fromBits(inner.andBits(
              inner.toBits(count), inner.bits(-(int64_t(1) << 26))));
          Value next = inner.fma(inner.neg(count), divisor, rest);
          Value fixed = inner.add(next, divisor);
          next = inner.select(inner.less(next, inner.constant(0.0)), fixed,
                              next);
          scf::YieldOp::create(builder, nested, next);
        });
    Value result = b.copySign(loop.getResult(0), x);
    Value nan = b.constant(std::numeric_limits<double>::quiet_NaN());
    return b.select(runs, result, nan);
  }
};

void populatePatterns(RewritePatternSet &patterns) {
  patterns.add<
      Unary<math::ExpOp, buildExp, true>, Unary<math::Exp2Op, buildExp2, true>,
      Unary<math::ExpM1Op, buildExpM1, true>,
      Unary<math::LogOp, buildLog, true>, Unary<math::Log2Op, buildLog2>,
      Unary<math::Log10Op, buildLog10>, Unary<math::Log1pOp, buildLog1p, true>,
      Binary<math::PowFOp, buildPow>, Unary<math::CbrtOp, buildCbrt>,
      Unary<math::SinOp, buildSin>, Unary<math::CosOp, buildCos>,
      Unary<math::TanOp, buildTan>, Unary<math::AsinOp, buildAsin>,
      Unary<math::AcosOp, buildAcos>, Unary<math::AtanOp, buildAtan>,
      Binary<math::Atan2Op, buildAtan2>, Unary<math::SinhOp, buildSinh>,
      Unary<math::CoshOp, buildCosh>, Unary<math::TanhOp, buildTanh, true>,
      Unary<math::AsinhOp, buildAsinh>, Unary<math::AcoshOp, buildAcosh>,
      Unary<math::AtanhOp, buildAtanh>, Unary<math::ErfOp, buildErf, true>,
      Unary<math::ErfcOp, buildErfc>, Unary<math::RsqrtOp, buildRsqrt, true>,
      Unary<math::RoundOp, buildRound, true>, SplitSincos, FPowIToPow,
      TruncateInSteps,
      ExpandIPowI, ExpandRemainder>(patterns.getContext());
  math::populateExpansionPatterns(patterns, {"clampf"});
}

/// f32 to bf16 -> integer arithmetic. MLIR's own form ends in a choice among
/// values of bf16, for which LLVM calls functions where the CPU has no bf16.
struct RoundToBFloat16 : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type from = op.getIn().getType();
    if (!getElementTypeOrSelf(from).isF32() ||
        !getElementTypeOrSelf(op.getType()).isBF16())
      return rewriter.notifyMatchFailure(op, "not from f32 to bf16");
    Location loc = op.getLoc();
    MathBuilder b(rewriter, loc, from);
    Value raw = b.toBits(op.getIn());
    // Half of the last place, less where a tie is to go down to even.
    Value odd = b.andBits(b.shiftRight(raw, 16), b.bits(1));
    Value rounded = b.addBits(raw, b.addBits(odd, b.bits(0x7fff)));
    Value quiet = b.orBits(raw, b.bits(0x400000));
    Value chosen = b.select(b.isNan(op.getIn()), quiet, rounded);
    Type narrow = withElement(from, rewriter.getI16Type());
    Value top = arith::TruncIOp::create(rewriter, loc, narrow,
                                        b.shiftRight(chosen, 16));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), top);
    return success();
  }
};

/// Element types that the CPU cannot compute with.
bool needsEmulation(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && (element.isBF16() || element.getWidth() < 16);
}

/// Computes in f32 what the CPU cannot compute with, rounding after each
/// operation.
LogicalResult emulate(func::FuncOp kernel, ArrayRef<Type> types) {
  MLIRContext *context = kernel.getContext();
  TypeConverter converter;
  arith::populateEmulateUnsupportedFloatsConversions(
      converter, types, Float32Type::get(context));
  RewritePatternSet patterns(context);
  arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
  ConversionTarget target(*context);
  arith::populateEmulateUnsupportedFloatsLegality(target, converter);
  if (failed(applyPartialConversion(kernel, target, std::move(patterns))))
    return failure();
  RewritePatternSet expansions(context);
  arith::populateExpandBFloat16Patterns(expansions);
  expansions.add<RoundToBFloat16>(context, /*benefit=*/2);
  return applyPatternsGreedily(kernel, std::move(expansions));
}

} // namespace

LogicalResult cpu::expandMath(func::FuncOp kernel) {
  bool hasComplex = false;
  SetVector<Type> narrow;
  kernel.walk([&](Operation *op) {
    hasComplex |= isa<complex::ComplexDialect>(op->getDialect());
    for (Type type : op->getResultTypes())
      if (needsEmulation(type))
        narrow.insert(getElementTypeOrSelf(type));
  });
  if (hasComplex) {
    PassManager manager(kernel.getContext(),
                        kernel->getName().getStringRef());
    manager.addPass(createConvertComplexToStandardPass());
    if (failed(manager.run(kernel)))
      return failure();
  }
  RewritePatternSet patterns(kernel.getContext());
  populatePatterns(patterns);
  if (failed(applyPatternsGreedily(kernel, std::move(patterns))))
    return failure();
  return narrow.empty() ? success() : emulate(kernel, narrow.getArrayRef());
}
