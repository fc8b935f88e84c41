// custom_call of names that Ferrule does not define: calls of providers, which
// the program's user registers.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "compiler/Dialect/Byre/IR/Byre.h"

using namespace mlir;

namespace ferrule::lowering {

/// The options of the call: those of the typed interface of XLA's, or one text.
static DictionaryAttr configOf(stablehlo::CustomCallOp op) {
  if (auto typed = op->getAttrOfType<DictionaryAttr>("mhlo.backend_config"))
    return typed;
  Attribute own = op.getBackendConfig().value_or(Attribute());
  if (auto typed = dyn_cast_or_null<DictionaryAttr>(own))
    return typed;
  Builder builder(op.getContext());
  auto text = dyn_cast_or_null<StringAttr>(own);
  if (!text || text.empty())
    return builder.getDictionaryAttr({});
  return builder.getDictionaryAttr(
      builder.getNamedAttr("backend_config", text));
}

/// What the program file can say of an option; null when it cannot.
static Attribute storedOption(Attribute value) {
  Builder builder(value.getContext());
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    if (integer.getType().isInteger(1))
      return value;
    bool isUnsigned = integer.getType().isUnsignedInteger();
    const APInt &bits = integer.getValue();
    if (bits.getBitWidth() > 64 || (isUnsigned && bits.getActiveBits() > 63))
      return {};
    return builder.getI64IntegerAttr(isUnsigned ? int64_t(bits.getZExtValue())
                                                : bits.getSExtValue());
  }
  if (isa<FloatAttr, StringAttr, UnitAttr, DenseI64ArrayAttr, DenseF64ArrayAttr,
          DenseBoolArrayAttr>(value))
    return value;
  SmallVector<Attribute> elements;
  auto keep = [&](Attribute element) {
    Attribute stored = element ? storedOption(element) : Attribute();
    elements.push_back(stored);
    return bool(stored);
  };
  if (auto list = dyn_cast<ArrayAttr>(value))
    return llvm::all_of(list, keep) ? builder.getArrayAttr(elements)
                                    : Attribute();
  // The typed interface's lists of numbers.
  auto numbers = [&](auto list, Type type) -> Attribute {
    for (auto number : list)
      elements.push_back(isa<FloatType>(type)
                             ? Attribute(builder.getFloatAttr(type, number))
                             : builder.getI64IntegerAttr(number));
    return builder.getArrayAttr(elements);
  };
  if (auto list = dyn_cast<DenseI8ArrayAttr>(value))
    return numbers(list.asArrayRef(), list.getElementType());
  if (auto list = dyn_cast<DenseI16ArrayAttr>(value))
    return numbers(list.asArrayRef(), list.getElementType());
  if (auto list = dyn_cast<DenseI32ArrayAttr>(value))
    return numbers(list.asArrayRef(), list.getElementType());
  if (auto list = dyn_cast<DenseF32ArrayAttr>(value))
    return numbers(list.asArrayRef(), list.getElementType());
  if (auto list = dyn_cast<DenseElementsAttr>(value)) {
    if (list.getType().getRank() != 1)
      return {};
    return llvm::all_of(list.getValues<Attribute>(), keep)
               ? builder.getArrayAttr(elements)
               : Attribute();
  }
  return {};
}

static bool isToken(Value value) {
  return isa<stablehlo::TokenType>(value.getType());
}

/// Operands that are values of the handler's: shapes of results, which stand at
/// the end, are not.
static unsigned countOperands(stablehlo::CustomCallOp op) {
  auto shapes =
      op->getAttrOfType<DenseIntElementsAttr>("indices_of_shape_operands");
  unsigned count = op.getInputs().size();
  return shapes ? count - std::min<unsigned>(count, shapes.getNumElements())
                : count;
}

/// The names of element types that the stored ones do not tell; empty when
/// they tell all.
static SmallVector<Attribute> elementNames(stablehlo::CustomCallOp op) {
  Builder builder(op.getContext());
  SmallVector<Attribute> names;
  bool differ = false;
  auto add = [&](Value value) {
    if (isToken(value))
      return;
    Type own = getElementTypeOrSelf(value.getType());
    bool same = getStoredElement(own) == own;
    differ |= !same;
    names.push_back(
        builder.getStringAttr(same ? "" : llvm::formatv("{0}", own).str()));
  };
  for (Value input : op.getInputs().take_front(countOperands(op)))
    add(input);
  for (Value result : op->getResults())
    add(result);
  if (!differ)
    names.clear();
  return names;
}

/// Names that mean an operation of a dialect or nothing at all.
static bool isReserved(StringRef name) {
  return llvm::any_of(
      ArrayRef<StringRef>{"ferrule.", "check.", "chlo.", "mhlo.", "stablehlo."},
      [&](StringRef prefix) { return name.starts_with(prefix); });
}

LogicalResult checkProviderCall(stablehlo::CustomCallOp op) {
  StringRef name = op.getCallTargetName();
  if (isReserved(name))
    return op.emitOpError("calls '")
           << name << "', which Ferrule does not know";
  if (auto functions = op.getCalledComputations();
      functions && !functions->empty())
    return op.emitOpError("calls '")
           << name << "' with functions of the program, which a provider "
           << "cannot call";
  for (NamedAttribute option : configOf(op))
    if (!storedOption(option.getValue()))
      return op.emitOpError("calls '")
             << name << "' with option '" << option.getName().strref()
             << "' = " << option.getValue()
             << ", expected a number, a text or a list of them";
  bool hasShapes =
      countOperands(op) + op->getNumResults() == op.getInputs().size();
  for (Value result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type && !isToken(result))
      return op.emitOpError("calls '")
             << name << "' with a result of type " << result.getType()
             << ", expected ranked tensors and tokens";
    if (type && !type.hasStaticShape() && !hasShapes)
      return op.emitOpError("calls '")
             << name << "' with a result of type " << type
             << ", whose size is unknown: expected indices_of_shape_operands "
             << "with one operand a result";
  }
  for (Value input : op.getInputs())
    if (!isa<RankedTensorType>(input.getType()) && !isToken(input))
      return op.emitOpError("calls '")
             << name << "' with an operand of type " << input.getType()
             << ", expected ranked tensors and tokens";
  return success();
}

namespace {

/// custom_call @acme.f(%x) -> byre.call_provider "acme.f" ins(%x) outs(empty).
/// A token is no buffer: calls keep their order anyway.
struct ProviderCallLowering : OpConversionPattern<stablehlo::CustomCallOp> {
  ProviderCallLowering(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/0) {}

  LogicalResult
  matchAndRewrite(stablehlo::CustomCallOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (isReserved(op.getCallTargetName()))
      return rewriter.notifyMatchFailure(op, "a name that Ferrule defines");
    Location loc = op.getLoc();
    unsigned count = countOperands(op);
    SmallVector<Value> inputs, outs;
    for (auto [own, input] :
         llvm::zip(op.getInputs().take_front(count), adaptor.getInputs()))
      if (!isToken(own))
        inputs.push_back(input);
    for (auto [i, result] : llvm::enumerate(op->getResults())) {
      if (isToken(result))
        continue;
      RankedTensorType type = resultType(getTypeConverter(), result);
      Sizes sizes = getAsIndexOpFoldResult(op.getContext(), type.getShape());
      for (auto [dim, size] : llvm::enumerate(sizes))
        if (type.isDynamicDim(dim))
          size = sizeFrom(rewriter, loc, adaptor.getInputs()[count + i], dim);
      outs.push_back(emptyTensor(rewriter, loc, sizes, type.getElementType()));
    }
    auto call = byre::CallProviderOp::create(
        rewriter, loc, ValueRange(outs).getTypes(), op.getCallTargetName(),
        inputs, outs, ValueRange(), config(op));
    SmallVector<Value> results;
    auto made = call.getResults().begin();
    for (Value result : op->getResults())
      if (isToken(result))
        results.push_back(arith::ConstantOp::create(
            rewriter, loc,
            DenseElementsAttr::get(resultType(getTypeConverter(), result),
                                   false)));
      else
        results.push_back(castTo(rewriter, loc, *made++,
                                 resultType(getTypeConverter(), result)));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  static Value sizeFrom(OpBuilder &b, Location loc, Value shape, int64_t dim) {
    Value at = arith::ConstantIndexOp::create(b, loc, dim);
    Value size = tensor::ExtractOp::create(b, loc, shape, at);
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), size);
  }

  static DictionaryAttr config(stablehlo::CustomCallOp op) {
    NamedAttrList options;
    for (NamedAttribute option : configOf(op))
      options.set(option.getName(), storedOption(option.getValue()));
    SmallVector<Attribute> names = elementNames(op);
    if (!names.empty())
      options.set("ferrule.element_types",
                  ArrayAttr::get(op.getContext(), names));
    return options.empty() ? DictionaryAttr()
                           : options.getDictionary(op.getContext());
  }
};

} // namespace

void addProviderCallPatterns(Converter &converter, Patterns &patterns) {
  patterns.add<ProviderCallLowering>(converter, patterns.getContext());
}

} // namespace ferrule::lowering
