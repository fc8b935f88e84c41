// Text of constant, reduce and while.
#include "compiler/Dialect/StableHLO/IR/StableHLOAssembly.h"

using namespace mlir;
namespace ferrule::stablehlo {

//===----------------------------------------------------------------------===//
// constant
//===----------------------------------------------------------------------===//

/// `() <{value = ...}> : () -> T`: the value has another type than the result.
static ParseResult parseConstantWithResultType(OpAsmParser &parser,
                                               OperationState &result) {
  NamedAttrList properties;
  FunctionType type;
  if (parser.parseRParen())
    return failure();
  if (succeeded(parser.parseOptionalLess()))
    if (parser.parseOptionalAttrDict(properties) || parser.parseGreater())
      return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  Attribute value = properties.get("value");
  if (!value)
    value = result.attributes.erase("value");
  auto elements = dyn_cast_or_null<ElementsAttr>(value);
  if (!elements || type.getNumInputs() != 0 || type.getNumResults() != 1)
    return parser.emitError(loc, "expected a value and one result type");
  result.getOrAddProperties<ConstantOp::Properties>().value = elements;
  result.addTypes(type.getResults());
  return success();
}

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  if (succeeded(parser.parseOptionalLParen()))
    return parseConstantWithResultType(parser, result);
  ElementsAttr value;
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseAttribute(value))
    return failure();
  result.getOrAddProperties<ConstantOp::Properties>().value = value;
  result.addTypes(value.getType());
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  if (getValue().getType() == getType()) {
    printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
    printer << " " << getValue();
    return;
  }
  printer << "() <{value = " << getValue() << "}>";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
  printer << " : () -> " << getType();
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

/// The one operation of a body that the compact form can name: commutative,
/// without attributes, on the body's two scalars.
static Operation *compactReducer(ReduceOp op) {
  if (op.getInputs().size() != 1 || op.getBody().empty())
    return nullptr;
  Block &body = op.getBody().front();
  if (body.getNumArguments() != 2 || !llvm::hasNItems(body, 2))
    return nullptr;
  Operation &inner = body.front();
  Operation *end = &body.back();
  auto scalar = RankedTensorType::get(
      {}, getElementTypeOrSelf(op.getInputs().front().getType()));
  if (!inner.hasTrait<OpTrait::IsCommutative>() ||
      inner.getDialect() != op->getDialect() || inner.getNumOperands() != 2 ||
      inner.getNumResults() != 1 || inner.getNumRegions() != 0 ||
      !inner.getAttrs().empty() || inner.getOperands() != body.getArguments() ||
      inner.getResult(0).getType() != scalar || !isa<ReturnOp>(end) ||
      end->getOperands() != inner.getResults() || !end->getAttrs().empty())
    return nullptr;
  bool sameTypes = llvm::all_of(body.getArgumentTypes(),
                                [&](Type type) { return type == scalar; });
  return sameTypes ? &inner : nullptr;
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printer << "(";
  llvm::interleave(
      llvm::zip(getInputs(), getInitValues()), printer,
      [&](auto pair) {
        printer << std::get<0>(pair) << " init: " << std::get<1>(pair);
      },
      "), (");
  printer << ")";
  Operation *inner = compactReducer(*this);
  if (inner) {
    printer << " applies ";
    printer.printKeywordOrString(inner->getName().getStringRef());
  }
  printer << " across dimensions = [";
  llvm::interleaveComma(getDimensions(), printer);
  printer << "]";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"dimensions"});
  printer << " : ";
  printer.printFunctionalType(*this);
  if (inner)
    return;
  Block &body = getBody().front();
  size_t count = body.getNumArguments() / 2;
  printer.printNewline();
  printer << " reducer";
  for (size_t i = 0; i < count; ++i) {
    printer << "(";
    printer.printRegionArgument(body.getArgument(i));
    printer << ", ";
    printer.printRegionArgument(body.getArgument(i + count));
    printer << ") ";
  }
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// `applies stablehlo.add`: fills the body with that operation.
static ParseResult buildCompactReducer(OpAsmParser &parser, SMLoc loc,
                                       StringRef name, OperationState &result,
                                       Type input) {
  MLIRContext *context = parser.getContext();
  OperationName inner(name, context);
  auto tensor = dyn_cast<RankedTensorType>(input);
  if (!inner.isRegistered() || !inner.hasTrait<OpTrait::IsCommutative>() ||
      !inner.hasTrait<OpTrait::NOperands<2>::Impl>() ||
      inner.getDialect() != context->getLoadedDialect<StableHLODialect>())
    return parser.emitError(loc)
           << "found reducer '" << name
           << "', expected a commutative operation of two operands";
  if (!tensor)
    return parser.emitError(loc)
           << "found input of type " << input << ", expected a ranked tensor";
  Type scalar = RankedTensorType::get({}, tensor.getElementType());
  Region *region = result.addRegion();
  Block &body = region->emplaceBlock();
  body.addArguments({scalar, scalar}, {result.location, result.location});
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(&body);
  OperationState state(result.location, inner, body.getArguments(), {scalar});
  Operation *op = builder.create(state);
  ReturnOp::create(builder, result.location, op->getResults());
  return success();
}

/// `reducer(%p: T, %r: T) (%q: U, %s: U) { ... }`: pairs in the text, first
/// all left and then all right ones in the block.
static ParseResult parseReducer(OpAsmParser &parser, OperationState &result,
                                size_t count) {
  SmallVector<OpAsmParser::Argument> left, right;
  if (parser.parseKeyword("reducer"))
    return failure();
  for (size_t i = 0; i < count; ++i)
    if (parser.parseLParen() ||
        parser.parseArgument(left.emplace_back(), /*allowType=*/true) ||
        parser.parseComma() ||
        parser.parseArgument(right.emplace_back(), /*allowType=*/true) ||
        parser.parseRParen())
      return failure();
  left.append(right.begin(), right.end());
  return parser.parseRegion(*result.addRegion(), left);
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, inits;
  SMLoc loc = parser.getCurrentLocation();
  do {
    if (parser.parseLParen() || parser.parseOperand(inputs.emplace_back()) ||
        parser.parseKeyword("init") || parser.parseColon() ||
        parser.parseOperand(inits.emplace_back()) || parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));

  std::string reducer;
  SMLoc reducerLoc;
  bool compact = succeeded(parser.parseOptionalKeyword("applies"));
  if (compact) {
    reducerLoc = parser.getCurrentLocation();
    if (parser.parseKeywordOrString(&reducer))
      return failure();
  }
  SmallVector<int64_t> dimensions;
  FunctionType type;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&] { return parser.parseInteger(dimensions.emplace_back()); }) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  result.getOrAddProperties<Properties>().dimensions =
      parser.getBuilder().getDenseI64ArrayAttr(dimensions);
  size_t count = inputs.size();
  inputs.append(inits.begin(), inits.end());
  if (parser.resolveOperands(inputs, type.getInputs(), loc, result.operands) ||
      parser.addTypesToList(type.getResults(), result.types))
    return failure();
  if (compact && count != 1)
    return parser.emitError(reducerLoc,
                            "found 'applies' with several inputs, expected "
                            "one");
  return compact ? buildCompactReducer(parser, reducerLoc, reducer, result,
                                       type.getInput(0))
                 : parseReducer(parser, result, count);
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

void WhileOp::print(OpAsmPrinter &printer) {
  printer << "(";
  llvm::interleaveComma(llvm::zip(getCond().getArguments(), getOperands()),
                        printer, [&](auto pair) {
                          printer.printOperand(std::get<0>(pair));
                          printer << " = ";
                          printer.printOperand(std::get<1>(pair));
                        });
  printer << ")";
  if (getNumOperands() > 0) {
    printer << " : ";
    llvm::interleaveComma(getOperandTypes(), printer);
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printNewline();
  printer << "cond ";
  printer.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc loc = parser.getCurrentLocation();
  auto parseOne = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();
  SmallVector<Type> types;
  if (succeeded(parser.parseOptionalColon()))
    if (parser.parseTypeList(types))
      return failure();
  if (parser.resolveOperands(operands, types, loc, result.operands) ||
      parser.addTypesToList(types, result.types) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  for (auto [argument, type] : llvm::zip(arguments, types))
    argument.type = type;
  return failure(parser.parseKeyword("cond") ||
                 parser.parseRegion(*result.addRegion(), arguments) ||
                 parser.parseKeyword("do") ||
                 parser.parseRegion(*result.addRegion(), arguments));
}

} // namespace ferrule::stablehlo
