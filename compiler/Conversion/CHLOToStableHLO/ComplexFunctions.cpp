// Inverse and hyperbolic functions of complex numbers, by their logarithms.
#include "compiler/Conversion/CHLOToStableHLO/Patterns.h"

using namespace mlir;

namespace ferrule::chlo {

namespace {

/// StableHLO arithmetic on complex tensors of one type.
struct ComplexBuilder {
  OpBuilder &b;
  Location loc;
  Value like;
  RankedTensorType type;

  Value constant(double re, double im = 0.0) {
    auto element = cast<ComplexType>(type.getElementType());
    auto part = cast<FloatType>(element.getElementType());
    auto number = [&](double v) {
      return cast<FloatAttr>(b.getFloatAttr(part, v)).getValue();
    };
    auto splat = [&](RankedTensorType t) -> Value {
      std::complex<APFloat> value(number(re), number(im));
      return stablehlo::ConstantOp::create(b, loc,
                                           DenseElementsAttr::get(t, value));
    };
    if (type.hasStaticShape())
      return splat(type);
    return stablehlo::DynamicBroadcastInDimOp::create(
        b, loc, type, splat(RankedTensorType::get({}, element)),
        buildShape(b, loc, like), ArrayRef<int64_t>());
  }
  template <typename OpT> Value make(Value x, Value y) {
    return OpT::create(b, loc, type, x, y);
  }
  Value add(Value x, Value y) { return make<stablehlo::AddOp>(x, y); }
  Value sub(Value x, Value y) { return make<stablehlo::SubtractOp>(x, y); }
  Value mul(Value x, Value y) { return make<stablehlo::MulOp>(x, y); }
  template <typename OpT> Value accurate(Value x) {
    return OpT::create(b, loc, type, x, stablehlo::ResultAccuracyAttr());
  }
  Value log(Value x) { return accurate<stablehlo::LogOp>(x); }
  Value exp(Value x) { return accurate<stablehlo::ExpOp>(x); }
  Value sqrt(Value x) { return accurate<stablehlo::SqrtOp>(x); }
  Value timesI(Value x) { return mul(x, constant(0, 1)); }

  /// log(z + sqrt(z + i) sqrt(z - i)): no cancellation of squares, right cuts.
  Value asinh(Value z) {
    Value root = mul(sqrt(add(constant(1), timesI(z))),
                     sqrt(sub(constant(1), timesI(z))));
    return log(add(z, root));
  }
  Value asin(Value z) { return mul(asinh(timesI(z)), constant(0, -1)); }
  Value acos(Value z) { return sub(constant(M_PI / 2), asin(z)); }
  Value acosh(Value z) {
    Value root = mul(sqrt(add(z, constant(1))), sqrt(sub(z, constant(1))));
    return log(add(z, root));
  }
  Value atanh(Value z) {
    Value difference =
        sub(log(add(constant(1), z)), log(sub(constant(1), z)));
    return mul(difference, constant(0.5));
  }
  Value atan(Value z) { return mul(atanh(timesI(z)), constant(0, -1)); }
  Value half(Value x) { return mul(x, constant(0.5)); }
  Value negate(Value x) { return sub(constant(0), x); }
  Value sinh(Value z) { return half(sub(exp(z), exp(negate(z)))); }
  Value cosh(Value z) { return half(add(exp(z), exp(negate(z)))); }
};

template <typename OpT, Value (ComplexBuilder::*function)(Value)>
struct ComplexFunctionLowering : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    if (!isa<ComplexType>(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "not complex");
    ComplexBuilder builder{rewriter, op.getLoc(), op.getOperand(), type};
    rewriter.replaceOp(op, (builder.*function)(op.getOperand()));
    return success();
  }
};

} // namespace

void addComplexFunctionPatterns(RewritePatternSet &patterns) {
  patterns.add<ComplexFunctionLowering<AcosOp, &ComplexBuilder::acos>,
               ComplexFunctionLowering<AcoshOp, &ComplexBuilder::acosh>,
               ComplexFunctionLowering<AsinOp, &ComplexBuilder::asin>,
               ComplexFunctionLowering<AsinhOp, &ComplexBuilder::asinh>,
               ComplexFunctionLowering<AtanOp, &ComplexBuilder::atan>,
               ComplexFunctionLowering<AtanhOp, &ComplexBuilder::atanh>,
               ComplexFunctionLowering<CoshOp, &ComplexBuilder::cosh>,
               ComplexFunctionLowering<SinhOp, &ComplexBuilder::sinh>>(
      patterns.getContext());
}

} // namespace ferrule::chlo
