#include "compiler/Dialect/Check/IR/Companions.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

MLIR_DEFINE_EXPLICIT_TYPE_ID(ferrule::check::InterpreterDialect)
MLIR_DEFINE_EXPLICIT_TYPE_ID(ferrule::check::UtilDialect)

using namespace mlir;
using namespace ferrule::check;

/// `%x (, name = "text")* {attributes} : T`, with a result of type T or
/// without.
static ParseResult parseValue(OpAsmParser &parser, OperationState &state,
                              bool hasResult) {
  OpAsmParser::UnresolvedOperand operand;
  Type type;
  if (parser.parseOperand(operand))
    return failure();
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    // An attribute would take the type that follows for its own.
    std::string value;
    if (parser.parseKeyword(&name) || parser.parseEqual() ||
        parser.parseString(&value))
      return failure();
    state.addAttribute(name, parser.getBuilder().getStringAttr(value));
  }
  if (parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(operand, type, state.operands))
    return failure();
  if (hasResult)
    state.addTypes(type);
  return success();
}

static void printValue(Operation *op, OpAsmPrinter &printer, StringRef) {
  printer << op->getName().getStringRef() << " " << op->getOperands();
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : " << op->getOperandTypes();
}

static ParseResult parseConstant(OpAsmParser &parser, OperationState &state) {
  TypedAttr value;
  if (parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseAttribute(value))
    return failure();
  state.addAttribute("value", value);
  state.addTypes(value.getType());
  return success();
}

static void printConstant(Operation *op, OpAsmPrinter &printer, StringRef) {
  printer << op->getName().getStringRef() << " ";
  printer.printOptionalAttrDict(op->getAttrs(), {"value"});
  printer << op->getAttr("value");
}

/// One operand, as many results.
template <unsigned Results> static LogicalResult verifyValue(Operation *op) {
  if (op->getNumOperands() == 1 && op->getNumResults() == Results &&
      (Results == 0 ||
       op->getResult(0).getType() == op->getOperand(0).getType()))
    return success();
  return op->emitOpError() << "found " << op->getNumOperands()
                           << " operands and " << op->getNumResults()
                           << " results, expected 1 and " << Results
                           << " of equal types";
}

static LogicalResult verifyConstant(Operation *op) {
  auto value = op->getAttrOfType<TypedAttr>("value");
  if (value && op->getNumResults() == 1 &&
      value.getType() == op->getResult(0).getType())
    return success();
  return op->emitOpError("expected a value of the result's type");
}

static LogicalResult accept(Operation *) { return success(); }

InterpreterDialect::InterpreterDialect(MLIRContext *context)
    : ExtensibleDialect(getDialectNamespace(), context,
                        TypeID::get<InterpreterDialect>()) {
  auto parseProbe = [](OpAsmParser &parser, OperationState &state) {
    return parseValue(parser, state, /*hasResult=*/true);
  };
  auto parsePrint = [](OpAsmParser &parser, OperationState &state) {
    return parseValue(parser, state, /*hasResult=*/false);
  };
  registerDynamicOp(DynamicOpDefinition::get("probe", this, verifyValue<1>,
                                             accept, parseProbe, printValue));
  registerDynamicOp(DynamicOpDefinition::get("print", this, verifyValue<0>,
                                             accept, parsePrint, printValue));
  allowUnknownOperations();
}

UtilDialect::UtilDialect(MLIRContext *context)
    : ExtensibleDialect(getDialectNamespace(), context,
                        TypeID::get<UtilDialect>()) {
  auto parseBarrier = [](OpAsmParser &parser, OperationState &state) {
    return parseValue(parser, state, /*hasResult=*/true);
  };
  registerDynamicOp(DynamicOpDefinition::get("unfoldable_constant", this,
                                             verifyConstant, accept,
                                             parseConstant, printConstant));
  registerDynamicOp(DynamicOpDefinition::get("optimization_barrier", this,
                                             verifyValue<1>, accept,
                                             parseBarrier, printValue));
}
