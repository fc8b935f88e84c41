#include "compiler/Dialect/Check/IR/Check.h"

#include "compiler/Dialect/Check/IR/Companions.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace ferrule::check;

#include "compiler/Dialect/Check/IR/CheckDialect.cpp.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/Check/IR/CheckOps.cpp.inc"

void ferrule::registerCheckDialect(DialectRegistry &registry) {
  registry.insert<CheckDialect, InterpreterDialect, UtilDialect>();
}

void CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "compiler/Dialect/Check/IR/CheckOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Short names of options among the operands, and what the attribute is.
static StringRef optionName(StringRef keyword) {
  if (keyword == "atol")
    return "tolerance";
  return keyword;
}

/// A value of an option: a bare number, since `: T` that follows is the type
/// of the check; of others the attribute.
static ParseResult parseValue(OpAsmParser &parser, StringRef name,
                              Attribute &value) {
  Builder &builder = parser.getBuilder();
  if (name == "tolerance") {
    double number;
    if (parser.parseFloat(number))
      return failure();
    value = builder.getF64FloatAttr(number);
    return success();
  }
  if (name == "probe_id") {
    std::string text;
    if (parser.parseString(&text))
      return failure();
    value = builder.getStringAttr(text);
    return success();
  }
  if (name == "iteration" || name.ends_with("ulp_difference")) {
    int64_t number;
    if (parser.parseInteger(number))
      return failure();
    value = builder.getI64IntegerAttr(number);
    return success();
  }
  return parser.parseAttribute(value);
}

/// `tolerance = 1e-4`, or IREE's `atol 1.0e-04`.
static ParseResult parseOption(OpAsmParser &parser, NamedAttrList &attrs) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  Attribute value;
  if (parser.parseKeyword(&keyword))
    return failure();
  (void)parser.parseOptionalEqual();
  if (parseValue(parser, optionName(keyword), value))
    return failure();
  if (attrs.get(optionName(keyword)))
    return parser.emitError(loc) << "found option '" << keyword << "' twice";
  attrs.set(optionName(keyword), value);
  return success();
}

/// What follows the first operand: the other one, a constant, options.
/// `positional` names the attributes of values without a name.
static ParseResult
parseRest(OpAsmParser &parser, ArrayRef<StringRef> positional,
          SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
          NamedAttrList &attrs) {
  while (succeeded(parser.parseOptionalComma())) {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult parsed = parser.parseOptionalOperand(operand);
    if (parsed.has_value()) {
      if (failed(*parsed))
        return failure();
      operands.push_back(operand);
      continue;
    }
    if (!positional.empty()) {
      Attribute value;
      if (parseValue(parser, positional.front(), value))
        return failure();
      attrs.set(positional.front(), value);
      positional = positional.drop_front();
      continue;
    }
    if (parseOption(parser, attrs))
      return failure();
  }
  return success();
}

/// `: T`, `: T, T` or `: (T, T) -> ()`; nothing where a constant has told it.
static ParseResult parseTypes(OpAsmParser &parser, Attribute value,
                              size_t count, SmallVectorImpl<Type> &types) {
  if (auto typed = dyn_cast_or_null<TypedAttr>(value);
      typed && failed(parser.parseOptionalColon())) {
    types.assign(count, typed.getType());
    return success();
  } else if (!typed && parser.parseColon()) {
    return failure();
  }
  if (succeeded(parser.parseOptionalLParen())) {
    SmallVector<Type> results;
    if (parser.parseTypeList(types) || parser.parseRParen() ||
        parser.parseArrowTypeList(results))
      return failure();
    if (!results.empty())
      return parser.emitError(parser.getNameLoc(), "a check has no results");
    return success();
  }
  if (parser.parseTypeList(types))
    return failure();
  if (types.size() == 1)
    types.resize(count, types.front());
  return success();
}

static ParseResult parseCheck(OpAsmParser &parser, OperationState &state,
                              ArrayRef<StringRef> positional = {}) {
  bool inParentheses = succeeded(parser.parseOptionalLParen());
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  if (parser.parseOperand(operands.emplace_back()) ||
      parseRest(parser, positional, operands, state.attributes) ||
      (inParentheses && parser.parseRParen()) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  Attribute value = state.attributes.get("value");
  return failure(parseTypes(parser, value, operands.size(), types) ||
                 parser.resolveOperands(operands, types, loc, state.operands));
}

/// `%a, %b {options} : T`, with both types where they differ.
static void printCheck(OpAsmPrinter &printer, Operation *op,
                       ArrayRef<StringRef> positional = {}) {
  printer << " " << op->getOperands();
  for (StringRef name : positional)
    if (Attribute value = op->getAttr(name)) {
      printer << ", ";
      if (auto number = dyn_cast<IntegerAttr>(value))
        printer << number.getValue();
      else
        printer << value;
    }
  printer.printOptionalAttrDict(op->getAttrs(), positional);
  if (auto value = op->getAttrOfType<TypedAttr>("value");
      value && value.getType() == op->getOperand(0).getType())
    return;
  printer << " : ";
  if (llvm::all_equal(op->getOperandTypes()))
    printer << op->getOperand(0).getType();
  else
    printer << op->getOperandTypes();
}

#define TEXT_OF(OP, ...)                                                       \
  ParseResult OP::parse(OpAsmParser &parser, OperationState &state) {          \
    return parseCheck(parser, state, {__VA_ARGS__});                           \
  }                                                                            \
  void OP::print(OpAsmPrinter &printer) {                                      \
    printCheck(printer, *this, {__VA_ARGS__});                                 \
  }
TEXT_OF(ExpectEqOp)
TEXT_OF(ExpectEqConstOp, "value")
TEXT_OF(ExpectAlmostEqOp)
TEXT_OF(ExpectAlmostEqConstOp, "value")
TEXT_OF(ExpectCloseOp)
TEXT_OF(ExpectSerializedEqOp, "probe_id", "iteration")
TEXT_OF(ExpectTrueOp)
TEXT_OF(ExpectFalseOp)
TEXT_OF(ExpectAllTrueOp)
#undef TEXT_OF

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

static LogicalResult checkElements(Operation *op, Type actual, Type expected) {
  if (getElementTypeOrSelf(actual) == getElementTypeOrSelf(expected))
    return success();
  return op->emitOpError() << "compares " << actual << " with " << expected;
}

static LogicalResult checkTolerance(Operation *op, Attribute tolerance) {
  auto number = dyn_cast_or_null<FloatAttr>(tolerance);
  if (!tolerance ||
      (number && !number.getValue().isNegative() && !number.getValue().isNaN()))
    return success();
  return op->emitOpError() << "found tolerance " << tolerance
                           << ", expected a float that is not negative";
}

static LogicalResult checkCount(Operation *op, StringRef name,
                                Attribute count) {
  auto number = dyn_cast_or_null<IntegerAttr>(count);
  if (!count || (number && (number.getType().isUnsignedInteger() ||
                            !number.getValue().isNegative())))
    return success();
  return op->emitOpError() << "found " << name << " " << count
                           << ", expected an integer that is not negative";
}

LogicalResult ExpectEqOp::verify() {
  return checkElements(*this, getActual().getType(), getExpected().getType());
}

LogicalResult ExpectEqConstOp::verify() {
  return checkElements(*this, getActual().getType(), getValue().getType());
}

LogicalResult ExpectAlmostEqOp::verify() {
  if (failed(checkTolerance(*this, getToleranceAttr())))
    return failure();
  return checkElements(*this, getActual().getType(), getExpected().getType());
}

LogicalResult ExpectAlmostEqConstOp::verify() {
  if (failed(checkTolerance(*this, getToleranceAttr())))
    return failure();
  return checkElements(*this, getActual().getType(), getValue().getType());
}

LogicalResult ExpectCloseOp::verify() {
  if (failed(
          checkCount(*this, "min_ulp_difference", getMinUlpDifferenceAttr())) ||
      failed(
          checkCount(*this, "max_ulp_difference", getMaxUlpDifferenceAttr())))
    return failure();
  return checkElements(*this, getActual().getType(), getExpected().getType());
}

LogicalResult ExpectSerializedEqOp::verify() {
  return checkCount(*this, "iteration", getIterationAttr());
}
