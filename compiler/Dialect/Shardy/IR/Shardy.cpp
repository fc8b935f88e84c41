#include "compiler/Dialect/Shardy/IR/Shardy.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace ferrule::sdy;

#include "compiler/Dialect/Shardy/IR/ShardyDialect.cpp.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/Shardy/IR/ShardyOps.cpp.inc"

void ferrule::registerShardyDialect(DialectRegistry &registry) {
  registry.insert<ShardyDialect>();
}

void ShardyDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "compiler/Dialect/Shardy/IR/ShardyOps.cpp.inc"
      >();
}

Attribute ShardyDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  return OpaqueAttr::get(StringAttr::get(getContext(), "sdy"),
                         parser.getFullSymbolSpec(),
                         NoneType::get(getContext()));
}

/// Collects the text of one token of a mesh or a sharding; false when it is
/// none of these.
static bool appendToken(OpAsmParser &parser, llvm::raw_ostream &text) {
  StringRef keyword;
  std::string string;
  StringAttr symbol;
  int64_t number;
  if (succeeded(parser.parseOptionalLSquare()))
    text << "[";
  else if (succeeded(parser.parseOptionalRSquare()))
    text << "]";
  else if (succeeded(parser.parseOptionalComma()))
    text << ", ";
  else if (succeeded(parser.parseOptionalEqual()))
    text << "=";
  else if (succeeded(parser.parseOptionalLBrace()))
    text << "{";
  else if (succeeded(parser.parseOptionalRBrace()))
    text << "}";
  else if (succeeded(parser.parseOptionalLParen()))
    text << "(";
  else if (succeeded(parser.parseOptionalRParen()))
    text << ")";
  else if (succeeded(parser.parseOptionalColon()))
    text << ":";
  else if (succeeded(parser.parseOptionalQuestion()))
    text << "?";
  else if (succeeded(parser.parseOptionalSymbolName(symbol)))
    text << "@" << symbol.getValue();
  else if (succeeded(parser.parseOptionalString(&string)))
    text << '"' << string << '"';
  else if (succeeded(parser.parseOptionalKeyword(&keyword)))
    text << keyword;
  else if (OptionalParseResult result = parser.parseOptionalInteger(number);
           result.has_value() && succeeded(*result))
    text << number;
  else
    return false;
  return true;
}

/// The text between angle brackets.
static FailureOr<StringAttr> parseBracketed(OpAsmParser &parser) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (parser.parseLess())
    return failure();
  while (appendToken(parser, stream))
    continue;
  if (parser.parseGreater())
    return failure();
  return parser.getBuilder().getStringAttr(text);
}

/// `sdy.mesh @name = <["x"=2, "y"=4], device_ids=[0, 1]>`
ParseResult MeshOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  if (parser.parseSymbolName(name) || parser.parseEqual())
    return failure();
  FailureOr<StringAttr> mesh = parseBracketed(parser);
  if (failed(mesh) || parser.parseOptionalAttrDict(result.attributes))
    return failure();
  auto &properties = result.getOrAddProperties<Properties>();
  properties.sym_name = name;
  properties.mesh = *mesh;
  return success();
}

void MeshOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getSymName());
  printer << " = <" << getMesh() << ">";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"sym_name", "mesh"});
}

/// `sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<4x8xf32>`
ParseResult ShardingConstraintOp::parse(OpAsmParser &parser,
                                        OperationState &result) {
  OpAsmParser::UnresolvedOperand input;
  Type type;
  if (parser.parseOperand(input))
    return failure();
  FailureOr<StringAttr> sharding = parseBracketed(parser);
  if (failed(sharding) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(input, type, result.operands))
    return failure();
  result.getOrAddProperties<Properties>().sharding = *sharding;
  result.addTypes(type);
  return success();
}

void ShardingConstraintOp::print(OpAsmPrinter &printer) {
  printer << " " << getInput() << " <" << getSharding() << ">";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"sharding"});
  printer << " : " << getInput().getType();
}

OpFoldResult ShardingConstraintOp::fold(FoldAdaptor) { return getInput(); }
