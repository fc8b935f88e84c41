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

/// Collects the text of one token of a mesh; false when it is none of these.
static bool appendToken(OpAsmParser &parser, llvm::raw_ostream &text) {
  StringRef keyword;
  std::string string;
  int64_t number;
  if (succeeded(parser.parseOptionalLSquare()))
    text << "[";
  else if (succeeded(parser.parseOptionalRSquare()))
    text << "]";
  else if (succeeded(parser.parseOptionalComma()))
    text << ", ";
  else if (succeeded(parser.parseOptionalEqual()))
    text << "=";
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

/// `sdy.mesh @name = <["x"=2, "y"=4], device_ids=[0, 1]>`
ParseResult MeshOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (parser.parseSymbolName(name) || parser.parseEqual() || parser.parseLess())
    return failure();
  while (appendToken(parser, stream))
    continue;
  if (parser.parseGreater() || parser.parseOptionalAttrDict(result.attributes))
    return failure();
  auto &properties = result.getOrAddProperties<Properties>();
  properties.sym_name = name;
  properties.mesh = parser.getBuilder().getStringAttr(text);
  return success();
}

void MeshOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getSymName());
  printer << " = <" << getMesh() << ">";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"sym_name", "mesh"});
}
