#include "compiler/Transforms/ConvertToSignless/ConvertToSignless.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"
#include "compiler/Dialect/StableHLO/IR/StableHLORetyping.h"
#include "compiler/Transforms/ConvertToSignless/UnsignedArithmetic.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ferrule {
#define GEN_PASS_DEF_CONVERTTOSIGNLESS
#include "compiler/Transforms/ConvertToSignless/ConvertToSignless.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;
using namespace ferrule::stablehlo;

static bool isUnsigned(Type type) {
  return getElementTypeOrSelf(type).isUnsignedInteger();
}

static IntegerType signlessOf(Type element) {
  return IntegerType::get(element.getContext(),
                          element.getIntOrFloatBitWidth());
}

/// Operations whose result depends on whether their operands have signs and
/// that no pattern lowers.
static bool dependsOnSign(Operation *op) {
  return isa<AbsOp, ClampOp, CompareOp, ConvertOp, DivOp, MaxOp, MinOp, PowOp,
             RemOp, SignOp, RngOp, ReplicaIdOp, PartitionIdOp, DotGeneralOp,
             DotOp, ConvolutionOp, DynamicConvOp, EinsumOp, UnaryEinsumOp>(op);
}

namespace {

/// What only changes its types.
struct Retype : ConversionPattern {
  Retype(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (isa<ConstantOp>(op) || dependsOnSign(op) ||
        !isa_and_nonnull<StableHLODialect>(op->getDialect()))
      return rewriter.notifyMatchFailure(op, "its meaning depends on signs");
    FailureOr<Operation *> result =
        rebuildConverted(op, operands, *getTypeConverter(), rewriter);
    if (failed(result))
      return rewriter.notifyMatchFailure(op, "a type has no signless form");
    rewriter.replaceOp(op, *result);
    return success();
  }
};

struct ConvertLowering : OpConversionPattern<ConvertOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ConvertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    UnsignedArithmetic numbers{b};
    Type from = getElementTypeOrSelf(op.getOperand());
    Type to = op.getType().getElementType();
    Value x = adaptor.getOperand();
    if (isa<ComplexType>(from) && isUnsigned(op.getType())) {
      from = cast<ComplexType>(from).getElementType();
      x = RealOp::create(b, x);
    }
    Type target = isUnsigned(op.getType()) ? Type(signlessOf(to)) : to;
    if (!from.isUnsignedInteger()) {
      rewriter.replaceOp(op, isa<FloatType>(from)
                                 ? numbers.fromFloat(x, signlessOf(to))
                                 : ConvertOp::create(b, x, target));
    } else if (isa<IntegerType>(target)) {
      rewriter.replaceOp(op, target.isInteger(1)
                                 ? ConvertOp::create(b, x, target)
                                 : numbers.extend(x, target));
    } else if (auto complex = dyn_cast<ComplexType>(target)) {
      Value real = numbers.toFloat(x, complex.getElementType());
      rewriter.replaceOp(op, ConvertOp::create(b, real, target));
    } else {
      rewriter.replaceOp(op, numbers.toFloat(x, target));
    }
    return success();
  }
};

/// Products of unsigned numbers: those of the factors as wide as the sum.
template <typename OpT> struct ProductLowering : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isUnsigned(op.getLhs().getType()) ||
        !isUnsigned(op.getRhs().getType()) || !isUnsigned(op.getType()))
      return rewriter.notifyMatchFailure(op, "only some have no sign");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    UnsignedArithmetic numbers{b};
    Type element = signlessOf(op.getType().getElementType());
    SmallVector<Value> operands(adaptor.getOperands());
    operands[0] = numbers.extend(operands[0], element);
    operands[1] = numbers.extend(operands[1], element);
    FailureOr<Operation *> result =
        rebuildConverted(op, operands, *this->getTypeConverter(), rewriter);
    if (failed(result))
      return rewriter.notifyMatchFailure(op, "a type has no signless form");
    rewriter.replaceOp(op, *result);
    return success();
  }
};

/// The arithmetic that looks at signs.
struct ArithmeticLowering : ConversionPattern {
  ArithmeticLowering(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 2, context) {}
  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> x,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op->getLoc(), rewriter);
    UnsignedArithmetic numbers{b};
    auto turned = [&](auto make) -> Value {
      return numbers.turn(make(
          llvm::map_to_vector(x, [&](Value v) { return numbers.turn(v); })));
    };
    Value result =
        TypeSwitch<Operation *, Value>(op)
            .Case([&](CompareOp compare) {
              return numbers.compare(x[0], x[1],
                                     compare.getComparisonDirection());
            })
            .Case([&](MaxOp) {
              return turned([&](ArrayRef<Value> v) -> Value {
                return MaxOp::create(b, v[0], v[1]);
              });
            })
            .Case([&](MinOp) {
              return turned([&](ArrayRef<Value> v) -> Value {
                return MinOp::create(b, v[0], v[1]);
              });
            })
            .Case([&](ClampOp) {
              return turned([&](ArrayRef<Value> v) -> Value {
                return ClampOp::create(b, v[0], v[1], v[2]);
              });
            })
            .Case([&](DivOp) { return numbers.divide(x[0], x[1]); })
            .Case([&](RemOp) { return numbers.remainder(x[0], x[1]); })
            .Case([&](PowOp) { return numbers.power(x[0], x[1]); })
            .Case([&](AbsOp) { return x[0]; })
            .Case([&](SignOp) -> Value {
              Value zero = numbers.constant(x[0], uint64_t(0));
              Value isZero =
                  CompareOp::create(b, x[0], zero, ComparisonDirection::EQ);
              return SelectOp::create(b, isZero, zero,
                                      numbers.constant(x[0], 1));
            })
            .Default(Value());
    if (!result)
      return rewriter.notifyMatchFailure(op, "no arithmetic of this kind");
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ConvertToSignless
    : ferrule::impl::ConvertToSignlessBase<ConvertToSignless> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic())
        recordOwnTypes(function, isUnsigned);
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion([](RankedTensorType type) -> Type {
      return isUnsigned(type)
                 ? withElement(type, signlessOf(type.getElementType()))
                 : type;
    });
    addContainerConversions(converter);
    RewritePatternSet patterns(context);
    addConstantPattern(converter, patterns);
    patterns
        .add<Retype, ConvertLowering, ArithmeticLowering,
             ProductLowering<DotGeneralOp>, ProductLowering<DotOp>,
             ProductLowering<ConvolutionOp>, ProductLowering<DynamicConvOp>>(
            converter, context);
    if (failed(convertProgram(getOperation(), converter, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
