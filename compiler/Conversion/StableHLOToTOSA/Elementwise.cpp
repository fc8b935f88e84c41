// Elementwise operations, conversions and constants.
#include "compiler/Conversion/StableHLOToTOSA/Builders.h"

using namespace mlir;
using namespace ferrule;
namespace ferrule::totosa {

namespace {

/// Builds the result from operands of a computed element type, as that type.
using Build = Value (*)(ImplicitLocOpBuilder &, ValueRange, RankedTensorType);

template <typename OpT>
Value same(ImplicitLocOpBuilder &b, ValueRange x, RankedTensorType type) {
  return OpT::create(b, type, x);
}

bool isFloat(RankedTensorType type) {
  return isa<FloatType>(type.getElementType());
}
bool isBool(RankedTensorType type) {
  return type.getElementType().isInteger(1);
}
RankedTensorType boolLike(RankedTensorType type) {
  return type.clone(IntegerType::get(type.getContext(), 1));
}

Value buildNot(ImplicitLocOpBuilder &b, Value x) {
  return tosa::LogicalNotOp::create(b, x.getType(), x);
}

/// Rounded towards zero, still a float.
Value truncate(ImplicitLocOpBuilder &b, Value x) {
  RankedTensorType type = typeOf(x);
  Value zero = constant(b, type.getElementType(), type.getRank(), 0);
  Value negative = tosa::GreaterOp::create(b, boolLike(type), zero, x);
  return tosa::SelectOp::create(b, type, negative,
                                tosa::CeilOp::create(b, type, x),
                                tosa::FloorOp::create(b, type, x));
}

Value buildSign(ImplicitLocOpBuilder &b, ValueRange x, RankedTensorType type) {
  auto number = [&](double value) {
    return constant(b, type.getElementType(), type.getRank(), value);
  };
  Value zero = number(0);
  Value above = tosa::GreaterOp::create(b, boolLike(type), x[0], zero);
  Value below = tosa::GreaterOp::create(b, boolLike(type), zero, x[0]);
  // Zeros and NaN are their own sign.
  Value rest = tosa::SelectOp::create(b, type, below, number(-1), x[0]);
  return tosa::SelectOp::create(b, type, above, number(1), rest);
}

Value buildSqrt(ImplicitLocOpBuilder &b, ValueRange x, RankedTensorType type) {
  Value root = tosa::RsqrtOp::create(b, type, x[0]);
  return tosa::ReciprocalOp::create(b, type, root);
}

Value buildNegate(ImplicitLocOpBuilder &b, ValueRange x,
                  RankedTensorType type) {
  Value zero = constant(b, type.getElementType(), 1, 0);
  return tosa::NegateOp::create(b, type, x[0], zero, zero);
}

Value buildMultiply(ImplicitLocOpBuilder &b, ValueRange x,
                    RankedTensorType type) {
  return multiply(b, x[0], x[1], type);
}

Value buildDivide(ImplicitLocOpBuilder &b, ValueRange x,
                  RankedTensorType type) {
  if (!isFloat(type))
    return tosa::IntDivOp::create(b, type, x[0], x[1]);
  return multiply(b, x[0], tosa::ReciprocalOp::create(b, type, x[1]), type);
}

/// Distances that reach the width shift everything out in StableHLO.
template <typename Shift>
Value guardShift(ImplicitLocOpBuilder &b, ValueRange x, RankedTensorType type,
                 Shift shift) {
  Type element = type.getElementType();
  auto number = [&](int64_t value) {
    return constant(b, element, type.getRank(), value);
  };
  int64_t last = element.getIntOrFloatBitWidth() - 1;
  Value tooFar = tosa::GreaterOp::create(b, boolLike(type), x[1], number(last));
  Value negative = tosa::GreaterOp::create(b, boolLike(type), number(0), x[1]);
  Value out = tosa::LogicalOrOp::create(b, boolLike(type), tooFar, negative);
  Value distance = tosa::SelectOp::create(b, type, out, number(last), x[1]);
  return shift(distance, out, number(0));
}

template <typename OpT>
Value buildShift(ImplicitLocOpBuilder &b, ValueRange x, RankedTensorType type) {
  return guardShift(b, x, type, [&](Value distance, Value out, Value zero) {
    Value shifted = OpT::create(b, type, x[0], distance);
    return tosa::SelectOp::create(b, type, out, zero, shifted);
  });
}

Value buildSignedShift(ImplicitLocOpBuilder &b, ValueRange x,
                       RankedTensorType type) {
  return guardShift(b, x, type, [&](Value distance, Value, Value) -> Value {
    return tosa::ArithmeticRightShiftOp::create(b, type, x[0], distance,
                                                /*round=*/false);
  });
}

/// How an operation is computed on floats, integers and booleans; null where
/// it is not.
struct Recipe {
  Build floats = nullptr, integers = nullptr, booleans = nullptr;
};

template <typename OpT>
Value extreme(ImplicitLocOpBuilder &b, ValueRange x, RankedTensorType type) {
  return OpT::create(b, type, x[0], x[1]);
}

Recipe recipeFor(Operation *op) {
  using namespace tosa;
  return TypeSwitch<Operation *, Recipe>(op)
      .Case<stablehlo::AbsOp>(
          [](auto) { return Recipe{same<AbsOp>, same<AbsOp>}; })
      .Case<stablehlo::CeilOp>([](auto) { return Recipe{same<CeilOp>}; })
      .Case<stablehlo::FloorOp>([](auto) { return Recipe{same<FloorOp>}; })
      .Case<stablehlo::ExpOp>([](auto) { return Recipe{same<tosa::ExpOp>}; })
      .Case<stablehlo::LogOp>([](auto) { return Recipe{same<tosa::LogOp>}; })
      .Case<stablehlo::RsqrtOp>(
          [](auto) { return Recipe{same<tosa::RsqrtOp>}; })
      .Case<stablehlo::SqrtOp>([](auto) { return Recipe{buildSqrt}; })
      .Case<stablehlo::TanhOp>([](auto) { return Recipe{same<tosa::TanhOp>}; })
      .Case<stablehlo::LogisticOp>([](auto) { return Recipe{same<SigmoidOp>}; })
      .Case<stablehlo::SineOp>([](auto) { return Recipe{same<SinOp>}; })
      .Case<stablehlo::CosineOp>([](auto) { return Recipe{same<CosOp>}; })
      .Case<stablehlo::SignOp>(
          [](auto) { return Recipe{buildSign, buildSign}; })
      .Case<stablehlo::NegOp>(
          [](auto) { return Recipe{buildNegate, buildNegate}; })
      .Case<stablehlo::NotOp>([](auto) {
        return Recipe{nullptr, same<BitwiseNotOp>, same<LogicalNotOp>};
      })
      .Case<stablehlo::AddOp>([](auto) {
        return Recipe{same<tosa::AddOp>, same<tosa::AddOp>, same<LogicalOrOp>};
      })
      .Case<stablehlo::SubtractOp>(
          [](auto) { return Recipe{same<SubOp>, same<SubOp>}; })
      .Case<stablehlo::MulOp>([](auto) {
        return Recipe{buildMultiply, buildMultiply, same<LogicalAndOp>};
      })
      .Case<stablehlo::DivOp>(
          [](auto) { return Recipe{buildDivide, buildDivide}; })
      .Case<stablehlo::MaxOp>([](auto) {
        return Recipe{extreme<MaximumOp>, extreme<MaximumOp>,
                      same<LogicalOrOp>};
      })
      .Case<stablehlo::MinOp>([](auto) {
        return Recipe{extreme<MinimumOp>, extreme<MinimumOp>,
                      same<LogicalAndOp>};
      })
      .Case<stablehlo::PowOp>([](auto) { return Recipe{same<tosa::PowOp>}; })
      .Case<stablehlo::AndOp>([](auto) {
        return Recipe{nullptr, same<BitwiseAndOp>, same<LogicalAndOp>};
      })
      .Case<stablehlo::OrOp>([](auto) {
        return Recipe{nullptr, same<BitwiseOrOp>, same<LogicalOrOp>};
      })
      .Case<stablehlo::XorOp>([](auto) {
        return Recipe{nullptr, same<BitwiseXorOp>, same<LogicalXorOp>};
      })
      .Case<stablehlo::ShiftLeftOp>(
          [](auto) { return Recipe{nullptr, buildShift<LogicalLeftShiftOp>}; })
      .Case<stablehlo::ShiftRightLogicalOp>(
          [](auto) { return Recipe{nullptr, buildShift<LogicalRightShiftOp>}; })
      .Case<stablehlo::ShiftRightArithmeticOp>(
          [](auto) { return Recipe{nullptr, buildSignedShift}; })
      .Default(Recipe());
}

/// Operations whose narrow operands cannot be widened: bits would appear.
bool looksAtWidth(Operation *op) {
  return isa<stablehlo::ShiftLeftOp, stablehlo::ShiftRightLogicalOp,
             stablehlo::ShiftRightArithmeticOp>(op);
}

struct ElementwiseLowering : RewritePattern {
  explicit ElementwiseLowering(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    Recipe recipe = recipeFor(op);
    if (!recipe.floats && !recipe.integers)
      return rewriter.notifyMatchFailure(op, "TOSA has no such operation");
    if (!llvm::all_of(op->getOperandTypes(), hasElements))
      return rewriter.notifyMatchFailure(op, "TOSA has no such elements");
    auto type = mlir::cast<RankedTensorType>(op->getResult(0).getType());
    Build build = isFloat(type)  ? recipe.floats
                  : isBool(type) ? recipe.booleans
                                 : recipe.integers;
    if (!build)
      return rewriter.notifyMatchFailure(op, "not on these elements");
    Type computed = computedElement(type.getElementType());
    if (looksAtWidth(op) && computed != type.getElementType())
      return rewriter.notifyMatchFailure(op, "narrow shifts");
    ImplicitLocOpBuilder b(op->getLoc(), rewriter);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(cast(b, operand, computed));
    Value result = build(b, operands, type.clone(computed));
    rewriter.replaceOp(op, cast(b, result, type.getElementType()));
    return success();
  }
};

struct CompareLowering : OpRewritePattern<stablehlo::CompareOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::CompareOp op,
                                PatternRewriter &rewriter) const override {
    using Direction = stablehlo::ComparisonDirection;
    RankedTensorType type = typeOf(op.getLhs());
    if (!hasElements(type) ||
        op.getCompareType() == stablehlo::ComparisonType::TOTALORDER)
      return rewriter.notifyMatchFailure(op, "TOSA compares no such elements");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    // Of booleans, false is less than true.
    Type element =
        isBool(type) ? b.getI32Type() : computedElement(type.getElementType());
    Value lhs = cast(b, op.getLhs(), element);
    Value rhs = cast(b, op.getRhs(), element);
    Direction direction = op.getComparisonDirection();
    if (direction == Direction::LT || direction == Direction::LE)
      std::swap(lhs, rhs);
    RankedTensorType result = op.getType();
    if (direction == Direction::EQ || direction == Direction::NE) {
      Value equal = tosa::EqualOp::create(b, result, lhs, rhs);
      rewriter.replaceOp(op, direction == Direction::EQ ? equal
                                                        : buildNot(b, equal));
    } else if (direction == Direction::GT || direction == Direction::LT) {
      rewriter.replaceOpWithNewOp<tosa::GreaterOp>(op, result, lhs, rhs);
    } else {
      rewriter.replaceOpWithNewOp<tosa::GreaterEqualOp>(op, result, lhs, rhs);
    }
    return success();
  }
};

struct SelectLowering : OpRewritePattern<stablehlo::SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::SelectOp op,
                                PatternRewriter &rewriter) const override {
    if (!hasElements(op.getType()))
      return rewriter.notifyMatchFailure(op, "TOSA has no such elements");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value pred = alignRank(b, op.getPred(), op.getOnTrue());
    rewriter.replaceOpWithNewOp<tosa::SelectOp>(
        op, op.getType(), pred, op.getOnTrue(), op.getOnFalse());
    return success();
  }
};

struct ClampLowering : OpRewritePattern<stablehlo::ClampOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::ClampOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    if (!hasElements(type) || isBool(type))
      return rewriter.notifyMatchFailure(op, "TOSA has no such elements");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type element = computedElement(type.getElementType());
    auto limit = [&](Value value) {
      return cast(b, alignRank(b, value, op.getOperand()), element);
    };
    RankedTensorType computed = type.clone(element);
    Value x = cast(b, op.getOperand(), element);
    x = tosa::MaximumOp::create(b, computed, x, limit(op.getMin()));
    x = tosa::MinimumOp::create(b, computed, x, limit(op.getMax()));
    rewriter.replaceOp(op, cast(b, x, type.getElementType()));
    return success();
  }
};

/// TOSA rounds floats to the nearest integer, StableHLO towards zero.
struct ConvertLowering : OpRewritePattern<stablehlo::ConvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::ConvertOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType from = typeOf(op.getOperand()), to = op.getType();
    if (!hasElements(from) || !hasElements(to))
      return rewriter.notifyMatchFailure(op, "TOSA has no such elements");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value x = op.getOperand();
    if (isBool(to)) {
      Type element = computedElement(from.getElementType());
      Value zero = constant(b, element, from.getRank(), 0);
      Value equal = tosa::EqualOp::create(b, to, cast(b, x, element), zero);
      rewriter.replaceOp(op, buildNot(b, equal));
      return success();
    }
    if (isFloat(from) && !isFloat(to))
      x = truncate(b, x);
    rewriter.replaceOp(op, cast(b, x, to.getElementType()));
    return success();
  }
};

struct IsFiniteLowering : OpRewritePattern<stablehlo::IsFiniteOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::IsFiniteOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = typeOf(op.getOperand());
    if (!hasElements(type))
      return rewriter.notifyMatchFailure(op, "TOSA has no such elements");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value infinity = constant(b, type.getElementType(), type.getRank(),
                              std::numeric_limits<double>::infinity());
    Value absolute = tosa::AbsOp::create(b, type, op.getOperand());
    rewriter.replaceOpWithNewOp<tosa::GreaterOp>(op, op.getType(), infinity,
                                                 absolute);
    return success();
  }
};

struct ConstantLowering : OpRewritePattern<stablehlo::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::ConstantOp op,
                                PatternRewriter &rewriter) const override {
    if (!hasElements(op.getType()) ||
        op.getValue().getType() != Type(op.getType()))
      return rewriter.notifyMatchFailure(op, "TOSA has no such elements");
    rewriter.replaceOpWithNewOp<tosa::ConstOp>(op, op.getType(), op.getValue());
    return success();
  }
};

/// ferrule.erf, which the error function is after CHLO.
struct CallLowering : OpRewritePattern<stablehlo::CustomCallOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(stablehlo::CustomCallOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getCallTargetName() != "ferrule.erf" ||
        !hasElements(op->getResult(0).getType()))
      return rewriter.notifyMatchFailure(op, "TOSA has no such function");
    rewriter.replaceOpWithNewOp<tosa::ErfOp>(op, op->getResult(0).getType(),
                                             op->getOperand(0));
    return success();
  }
};

} // namespace

void addElementwisePatterns(RewritePatternSet &patterns) {
  patterns
      .add<ElementwiseLowering, CompareLowering, SelectLowering, ClampLowering,
           ConvertLowering, IsFiniteLowering, ConstantLowering, CallLowering>(
          patterns.getContext());
}

} // namespace ferrule::totosa
