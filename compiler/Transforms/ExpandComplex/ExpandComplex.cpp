#include "compiler/Transforms/ExpandComplex/ExpandComplex.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"
#include "compiler/Dialect/StableHLO/IR/StableHLORetyping.h"
#include "compiler/Transforms/ExpandComplex/ComplexArithmetic.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ferrule {
#define GEN_PASS_DEF_EXPANDCOMPLEX
#include "compiler/Transforms/ExpandComplex/ExpandComplex.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;
using namespace ferrule::stablehlo;

static ComplexType complexOf(Type type) {
  return dyn_cast<ComplexType>(getElementTypeOrSelf(type));
}

/// The type of a part of `type`; others stay.
static Type partOf(Type type) {
  ComplexType complex = complexOf(type);
  return complex ? withElement(type, complex.getElementType()) : type;
}

/// Operations that do the same to both parts.
static bool isPartwise(Operation *op) {
  return isa<AddOp, SubtractOp, NegOp, BroadcastOp, BroadcastInDimOp,
             ConcatenateOp, DynamicBroadcastInDimOp, DynamicGatherOp,
             DynamicPadOp, DynamicReshapeOp, DynamicSliceOp,
             DynamicUpdateSliceOp, GatherOp, GetDimensionSizeOp, PadOp,
             RealDynamicSliceOp, ReshapeOp, ReverseOp, SelectOp,
             SetDimensionSizeOp, SliceOp, TorchIndexSelectOp, TransposeOp>(op);
}

/// Operations that take a list of values, and twice as many as well.
static bool isVariadic(Operation *op) {
  return isa<CaseOp, IfOp, OptimizationBarrierOp, ReduceOp, ReduceWindowOp,
             ReturnOp, ScatterOp, WhileOp>(op);
}

/// The same operation on one part of each complex operand.
static Value buildPart(OpBuilder &b, Operation *op, ArrayRef<ValueRange> x,
                       size_t part) {
  SmallVector<Value> operands;
  for (ValueRange values : x)
    operands.push_back(values[values.size() == 2 ? part : 0]);
  Type type = partOf(op->getResult(0).getType());
  return rebuild(b, op, operands, type)->getResult(0);
}

/// A product of real factors chosen by part.
static Value buildProduct(OpBuilder &b, Operation *op, ArrayRef<ValueRange> x,
                          size_t left, size_t right) {
  SmallVector<ValueRange> factors(x);
  factors[0] = x[0].slice(left, 1);
  factors[1] = x[1].slice(right, 1);
  return buildPart(b, op, factors, 0);
}

static Pair buildArithmetic(ImplicitLocOpBuilder &b, Operation *op,
                            ArrayRef<ValueRange> x) {
  ComplexArithmetic c{b};
  auto pair = [&](size_t i) { return Pair{x[i][0], x[i][1]}; };
  return TypeSwitch<Operation *, Pair>(op)
      .Case([&](MulOp) { return c.multiply(pair(0), pair(1)); })
      .Case([&](DivOp) { return c.divide(pair(0), pair(1)); })
      .Case([&](PowOp) { return c.power(pair(0), pair(1)); })
      .Case([&](SignOp) { return c.sign(pair(0)); })
      .Case([&](ExpOp) { return c.exp(pair(0)); })
      .Case([&](Expm1Op) { return c.expm1(pair(0)); })
      .Case([&](LogOp) { return c.log(pair(0)); })
      .Case([&](Log1pOp) { return c.log1p(pair(0)); })
      .Case([&](SqrtOp) { return c.sqrt(pair(0)); })
      .Case([&](RsqrtOp) { return c.rsqrt(pair(0)); })
      .Case([&](SineOp) { return c.sine(pair(0)); })
      .Case([&](CosineOp) { return c.cosine(pair(0)); })
      .Case([&](TanOp) { return c.tan(pair(0)); })
      .Case([&](TanhOp) { return c.tanh(pair(0)); })
      .Case([&](LogisticOp) { return c.logistic(pair(0)); })
      .Case<DotOp, DotGeneralOp, ConvolutionOp, DynamicConvOp>([&](auto op) {
        auto product = [&](size_t l, size_t r) {
          return buildProduct(b, op, x, l, r);
        };
        return Pair{c.subtract(product(0, 0), product(1, 1)),
                    c.add(product(0, 1), product(1, 0))};
      })
      .Default(Pair());
}

/// A real result of complex operands; null for other operations.
static Value buildReal(ImplicitLocOpBuilder &b, Operation *op,
                       ArrayRef<ValueRange> x) {
  ComplexArithmetic c{b};
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](RealOp) { return x[0][0]; })
      .Case([&](ImagOp) { return x[0][1]; })
      .Case([&](AbsOp) { return c.abs({x[0][0], x[0][1]}); })
      .Case([&](ConvertOp convert) -> Value {
        return ConvertOp::create(b, x[0][0],
                                 convert.getType().getElementType());
      })
      .Case([&](CompareOp compare) -> Value {
        ComparisonDirection direction = compare.getComparisonDirection();
        Value re = c.compare(x[0][0], x[1][0], direction);
        Value im = c.compare(x[0][1], x[1][1], direction);
        if (direction == ComparisonDirection::EQ)
          return AndOp::create(b, re, im);
        if (direction == ComparisonDirection::NE)
          return OrOp::create(b, re, im);
        return {};
      })
      .Case([&](GetDimensionSizeOp) { return buildPart(b, op, x, 0); })
      .Default(Value());
}

/// The parts of a constant; null for what holds no complex numbers.
static Pair buildConstant(ImplicitLocOpBuilder &b, ConstantOp op) {
  auto value = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!value)
    return {};
  SmallVector<APFloat> re, im;
  if (value.isSplat()) {
    auto number = value.getSplatValue<std::complex<APFloat>>();
    re.push_back(number.real());
    im.push_back(number.imag());
  } else {
    for (const std::complex<APFloat> &number :
         value.getValues<std::complex<APFloat>>()) {
      re.push_back(number.real());
      im.push_back(number.imag());
    }
  }
  auto type = cast<RankedTensorType>(partOf(op.getType()));
  auto part = [&](ArrayRef<APFloat> numbers) -> Value {
    return ConstantOp::create(b, DenseElementsAttr::get(type, numbers));
  };
  return {part(re), part(im)};
}

static Pair buildComplex(ImplicitLocOpBuilder &b, Operation *op,
                         ArrayRef<ValueRange> x) {
  if (auto constant = dyn_cast<ConstantOp>(op))
    return buildConstant(b, constant);
  if (isa<ComplexOp>(op))
    return {x[0][0], x[1][0]};
  if (auto convert = dyn_cast<ConvertOp>(op)) {
    Type part = complexOf(convert.getType()).getElementType();
    Value re = ConvertOp::create(b, x[0][0], part);
    ComplexArithmetic c{b};
    Value im = x[0].size() == 2 ? Value(ConvertOp::create(b, x[0][1], part))
                                : c.number(re, 0);
    return {re, im};
  }
  if (isPartwise(op))
    return {buildPart(b, op, x, 0), buildPart(b, op, x, 1)};
  return buildArithmetic(b, op, x);
}

namespace {

struct Expand : ConversionPattern {
  Expand(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}

  /// The operation with the parts of all values in a row.
  LogicalResult flatten(Operation *op, ArrayRef<ValueRange> operands,
                        ConversionPatternRewriter &rewriter) const {
    SmallVector<Value> flat;
    for (ValueRange values : operands)
      llvm::append_range(flat, values);
    FailureOr<Operation *> result =
        rebuildConverted(op, flat, *getTypeConverter(), rewriter);
    if (failed(result))
      return rewriter.notifyMatchFailure(op, "a type has no parts");
    SmallVector<SmallVector<Value>> results;
    ValueRange rest = (*result)->getResults();
    for (Type type : op->getResultTypes()) {
      size_t count = complexOf(type) ? 2 : 1;
      results.push_back(llvm::to_vector(rest.take_front(count)));
      rest = rest.drop_front(count);
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (isVariadic(op))
      return flatten(op, operands, rewriter);
    if (!isa_and_nonnull<StableHLODialect>(op->getDialect()) ||
        op->getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "not known on complex numbers");
    ImplicitLocOpBuilder b(op->getLoc(), rewriter);
    if (!complexOf(op->getResult(0).getType())) {
      Value result = buildReal(b, op, operands);
      if (!result)
        return rewriter.notifyMatchFailure(op, "no real part of the result");
      rewriter.replaceOp(op, result);
      return success();
    }
    Pair result = buildComplex(b, op, operands);
    if (!result.re)
      return rewriter.notifyMatchFailure(op, "no parts of the result");
    SmallVector<SmallVector<Value>> parts = {{result.re, result.im}};
    rewriter.replaceOpWithMultiple(op, std::move(parts));
    return success();
  }
};

} // namespace

/// A dictionary for each value of a signature; both parts of a complex one get
/// its, under names of their own.
static ArrayAttr splitAttributes(ArrayAttr all, TypeRange types) {
  if (!all)
    return {};
  Builder b(all.getContext());
  SmallVector<Attribute> result;
  for (auto [attribute, type] : llvm::zip(all, types)) {
    auto dictionary = cast<DictionaryAttr>(attribute);
    if (!complexOf(type)) {
      result.push_back(dictionary);
      continue;
    }
    for (StringRef suffix : {".real", ".imag"}) {
      NamedAttrList part(dictionary);
      if (auto name = dictionary.getAs<StringAttr>("ferrule.name"))
        part.set("ferrule.name", b.getStringAttr(name.getValue() + suffix));
      part.erase("ferrule.type");
      part.erase("ferrule.alias_input");
      result.push_back(part.getDictionary(b.getContext()));
    }
  }
  return b.getArrayAttr(result);
}

namespace {

struct ExpandComplex : ferrule::impl::ExpandComplexBase<ExpandComplex> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    // The conversion of signatures knows nothing of attributes.
    SmallVector<std::tuple<func::FuncOp, ArrayAttr, ArrayAttr>> attributes;
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      attributes.emplace_back(function,
                              splitAttributes(function.getArgAttrsAttr(),
                                              function.getArgumentTypes()),
                              splitAttributes(function.getResAttrsAttr(),
                                              function.getResultTypes()));
      function.removeArgAttrsAttr();
      function.removeResAttrsAttr();
    }
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [](RankedTensorType type,
           SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
          types.append(complexOf(type) ? 2 : 1, partOf(type));
          return success();
        });
    RewritePatternSet patterns(context);
    patterns.add<Expand>(converter, context);
    if (failed(convertProgram(getOperation(), converter, std::move(patterns))))
      return signalPassFailure();
    for (auto [function, arguments, results] : attributes) {
      if (arguments)
        function.setArgAttrsAttr(arguments);
      if (results)
        function.setResAttrsAttr(results);
    }
  }
};

} // namespace
