#include "compiler/Dialect/StableHLO/IR/StableHLOAssembly.h"

using namespace mlir;
namespace ferrule::stablehlo {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Assigns a parsed function type to single operands and one result.
static ParseResult assignTypes(OpAsmParser &parser, SMLoc loc,
                               FunctionType type, ArrayRef<Type *> operands,
                               Type &result) {
  if (type.getNumInputs() != operands.size() || type.getNumResults() != 1)
    return parser.emitError(loc)
           << "found " << type.getNumInputs() << " operand and "
           << type.getNumResults() << " result types, expected "
           << operands.size() << " and 1";
  for (auto [place, operand] : llvm::zip(operands, type.getInputs()))
    *place = operand;
  result = type.getResult(0);
  return success();
}

ParseResult parseTypeList(OpAsmParser &parser, ArrayRef<Type *> operands,
                          Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto function = dyn_cast<FunctionType>(type))
    return assignTypes(parser, loc, function, operands, result);
  for (Type *operand : operands)
    *operand = type;
  result = type;
  return success();
}

void printTypeList(OpAsmPrinter &printer, TypeRange operands, Type result) {
  if (llvm::all_of(operands, [&](Type type) { return type == result; }))
    printer << result;
  else
    printer.printFunctionalType(operands, TypeRange(result));
}

/// The type of a complex tensor's real or imaginary part.
static Type partOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto complex =
      tensor ? dyn_cast<ComplexType>(tensor.getElementType()) : ComplexType();
  return complex ? tensor.clone(complex.getElementType()) : Type();
}

ParseResult parseComplexTypes(OpAsmParser &parser, Type &lhs, Type &rhs,
                              Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto function = dyn_cast<FunctionType>(type))
    return assignTypes(parser, loc, function, {&lhs, &rhs}, result);
  Type part = partOf(type);
  if (!part)
    return parser.emitError(loc)
           << "found " << type << ", expected a tensor of complex numbers";
  lhs = rhs = part;
  result = type;
  return success();
}

void printComplexTypes(OpAsmPrinter &printer, Operation *, Type lhs, Type rhs,
                       Type result) {
  if (lhs == rhs && lhs == partOf(result))
    printer << result;
  else
    printer.printFunctionalType(TypeRange({lhs, rhs}), TypeRange(result));
}

ParseResult parseSelectTypes(OpAsmParser &parser, Type &pred, Type &onTrue,
                             Type &onFalse, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(pred))
    return failure();
  if (auto function = dyn_cast<FunctionType>(pred))
    return assignTypes(parser, loc, function, {&pred, &onTrue, &onFalse},
                       result);
  if (parser.parseComma() || parser.parseType(result))
    return failure();
  onTrue = onFalse = result;
  return success();
}

void printSelectTypes(OpAsmPrinter &printer, Operation *, Type pred,
                      Type onTrue, Type onFalse, Type result) {
  if (onTrue == result && onFalse == result)
    printer << pred << ", " << result;
  else
    printer.printFunctionalType(TypeRange({pred, onTrue, onFalse}),
                                TypeRange(result));
}

ParseResult parsePairwiseTypes(OpAsmParser &parser,
                               SmallVectorImpl<Type> &operands,
                               SmallVectorImpl<Type> &results) {
  if (parser.parseTypeList(operands))
    return failure();
  results.assign(operands.begin(), operands.end());
  return success();
}

void printPairwiseTypes(OpAsmPrinter &printer, Operation *, TypeRange operands,
                        TypeRange) {
  llvm::interleaveComma(operands, printer);
}

ParseResult parseTupleTypes(OpAsmParser &parser,
                            SmallVectorImpl<Type> &operands, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto function = dyn_cast<FunctionType>(type)) {
    llvm::append_range(operands, function.getInputs());
    if (function.getNumResults() != 1)
      return parser.emitError(loc, "expected one result type");
    result = function.getResult(0);
    return success();
  }
  auto tuple = dyn_cast<TupleType>(type);
  if (!tuple)
    return parser.emitError(loc) << "found " << type << ", expected a tuple";
  llvm::append_range(operands, tuple.getTypes());
  result = tuple;
  return success();
}

void printTupleTypes(OpAsmPrinter &printer, Operation *, TypeRange operands,
                     Type result) {
  if (TypeRange(cast<TupleType>(result).getTypes()) == operands)
    printer << result;
  else
    printer.printFunctionalType(operands, TypeRange(result));
}

//===----------------------------------------------------------------------===//
// Operands and attributes
//===----------------------------------------------------------------------===//

ParseResult parseOperandsWithComma(OpAsmParser &parser, Operands &operands) {
  while (true) {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult found = parser.parseOptionalOperand(operand);
    if (!found.has_value())
      return success();
    operands.push_back(operand);
    if (failed(*found) || parser.parseComma())
      return failure();
  }
}

void printOperandsWithComma(OpAsmPrinter &printer, Operation *,
                            OperandRange operands) {
  llvm::interleave(
      operands, printer, [&](Value operand) { printer << operand << ","; },
      " ");
}

ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &starts,
                             DenseI64ArrayAttr &limits,
                             DenseI64ArrayAttr &strides) {
  SmallVector<int64_t> start, limit, stride;
  auto parseRange = [&]() -> ParseResult {
    if (parser.parseInteger(start.emplace_back()) || parser.parseColon() ||
        parser.parseInteger(limit.emplace_back()))
      return failure();
    stride.push_back(1);
    if (succeeded(parser.parseOptionalColon()))
      return parser.parseInteger(stride.back());
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange))
    return failure();
  Builder &builder = parser.getBuilder();
  starts = builder.getDenseI64ArrayAttr(start);
  limits = builder.getDenseI64ArrayAttr(limit);
  strides = builder.getDenseI64ArrayAttr(stride);
  return success();
}

void printSliceRanges(OpAsmPrinter &printer, Operation *,
                      DenseI64ArrayAttr starts, DenseI64ArrayAttr limits,
                      DenseI64ArrayAttr strides) {
  printer << "[";
  llvm::interleaveComma(
      llvm::zip(starts.asArrayRef(), limits.asArrayRef(), strides.asArrayRef()),
      printer, [&](auto range) {
        auto [start, limit, stride] = range;
        printer << start << ":" << limit;
        if (stride != 1)
          printer << ":" << stride;
      });
  printer << "]";
}

/// `[DEFAULT, HIGH]`.
static ParseResult parsePrecisionList(OpAsmParser &parser,
                                      ArrayAttr &precision) {
  SmallVector<Attribute> entries;
  auto parseEntry = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    std::optional<Precision> value = symbolizePrecision(name);
    if (!value)
      return parser.emitError(loc) << "found precision '" << name
                                   << "', expected DEFAULT, HIGH or HIGHEST";
    entries.push_back(PrecisionAttr::get(parser.getContext(), *value));
    return success();
  };
  if (parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
    return failure();
  precision = parser.getBuilder().getArrayAttr(entries);
  return success();
}

ParseResult parsePrecision(OpAsmParser &parser, ArrayAttr &precision) {
  if (failed(parser.parseOptionalComma()))
    return success();
  return failure(parser.parseKeyword("precision") ||
                 parsePrecisionList(parser, precision));
}

void printPrecision(OpAsmPrinter &printer, Operation *, ArrayAttr precision) {
  if (!precision)
    return;
  printer << ", precision = [";
  llvm::interleaveComma(precision.getAsRange<PrecisionAttr>(), printer,
                        [&](PrecisionAttr attr) {
                          printer << stringifyPrecision(attr.getValue());
                        });
  printer << "]";
}

static ParseResult parseInts(AsmParser &parser,
                             SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(values.emplace_back());
  });
}

static void printInts(OpAsmPrinter &printer, ArrayRef<int64_t> values) {
  printer << "[";
  llvm::interleaveComma(values, printer);
  printer << "]";
}

ParseResult parseDotDims(OpAsmParser &parser, DotDimensionNumbersAttr &dims) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
  auto parsePair = [&](SmallVector<int64_t> &lhs, SmallVector<int64_t> &rhs) {
    return failure(parser.parseEqual() || parseInts(parser, lhs) ||
                   parser.parseKeyword("x") || parseInts(parser, rhs));
  };
  if (succeeded(parser.parseOptionalKeyword("batching_dims")))
    if (failed(parsePair(lhsBatch, rhsBatch)) || parser.parseComma())
      return failure();
  if (parser.parseKeyword("contracting_dims") ||
      failed(parsePair(lhsContract, rhsContract)))
    return failure();
  dims = DotDimensionNumbersAttr::get(parser.getContext(), lhsBatch, rhsBatch,
                                      lhsContract, rhsContract);
  return success();
}

void printDotDims(OpAsmPrinter &printer, Operation *,
                  DotDimensionNumbersAttr dims) {
  if (!dims.getLhsBatchingDimensions().empty() ||
      !dims.getRhsBatchingDimensions().empty()) {
    printer << "batching_dims = ";
    printInts(printer, dims.getLhsBatchingDimensions());
    printer << " x ";
    printInts(printer, dims.getRhsBatchingDimensions());
    printer << ", ";
  }
  printer << "contracting_dims = ";
  printInts(printer, dims.getLhsContractingDimensions());
  printer << " x ";
  printInts(printer, dims.getRhsContractingDimensions());
}

ParseResult parseDotOptions(OpAsmParser &parser, ArrayAttr &precision,
                            DotAlgorithmAttr &algorithm) {
  while (succeeded(parser.parseOptionalComma())) {
    if (!precision && !algorithm &&
        succeeded(parser.parseOptionalKeyword("precision"))) {
      if (parsePrecisionList(parser, precision))
        return failure();
      continue;
    }
    if (algorithm)
      return parser.emitError(parser.getCurrentLocation(),
                              "expected the operation to end its options "
                              "with the algorithm");
    if (parser.parseKeyword("algorithm") || parser.parseEqual())
      return failure();
    algorithm = dyn_cast_or_null<DotAlgorithmAttr>(
        DotAlgorithmAttr::parse(parser, Type()));
    if (!algorithm)
      return failure();
  }
  return success();
}

void printDotOptions(OpAsmPrinter &printer, Operation *op, ArrayAttr precision,
                     DotAlgorithmAttr algorithm) {
  printPrecision(printer, op, precision);
  if (!algorithm)
    return;
  printer << ", algorithm = ";
  algorithm.print(printer);
}

ParseResult parseFloatFormat(OpAsmParser &parser, IntegerAttr &exponent,
                             IntegerAttr &mantissa) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef format;
  int32_t e, m;
  if (parser.parseKeyword(&format))
    return failure();
  auto [exponentText, mantissaText] = format.split('m');
  if (!exponentText.consume_front("e") || exponentText.getAsInteger(10, e) ||
      mantissaText.getAsInteger(10, m))
    return parser.emitError(loc)
           << "found format '" << format << "', expected one like e5m10";
  exponent = parser.getBuilder().getI32IntegerAttr(e);
  mantissa = parser.getBuilder().getI32IntegerAttr(m);
  return success();
}

void printFloatFormat(OpAsmPrinter &printer, Operation *, IntegerAttr exponent,
                      IntegerAttr mantissa) {
  printer << "e" << exponent.getInt() << "m" << mantissa.getInt();
}

ParseResult parseCallTarget(OpAsmParser &parser, StringAttr &target) {
  return parser.parseSymbolName(target);
}

void printCallTarget(OpAsmPrinter &printer, Operation *, StringAttr target) {
  printer.printSymbolName(target);
}

//===----------------------------------------------------------------------===//
// Window of a convolution
//===----------------------------------------------------------------------===//

/// `[[1, 1], [0, 0]]` as a tensor of two columns.
static ParseResult parsePadding(OpAsmParser &parser,
                                DenseIntElementsAttr &padding) {
  SmallVector<int64_t> values;
  int64_t rows = 0;
  SMLoc loc = parser.getCurrentLocation();
  auto parseRow = [&]() -> ParseResult {
    ++rows;
    return parseInts(parser, values);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRow))
    return failure();
  if (static_cast<int64_t>(values.size()) != 2 * rows)
    return parser.emitError(loc, "expected pairs of low and high padding");
  auto type =
      RankedTensorType::get({rows, 2}, parser.getBuilder().getI64Type());
  padding = DenseIntElementsAttr::get(type, values);
  return success();
}

static ParseResult parseReversal(OpAsmParser &parser,
                                 DenseBoolArrayAttr &reversal) {
  SmallVector<bool> values;
  auto parseEntry = [&]() -> ParseResult {
    int64_t number;
    OptionalParseResult isNumber = parser.parseOptionalInteger(number);
    if (isNumber.has_value()) {
      values.push_back(number != 0);
      return *isNumber;
    }
    if (succeeded(parser.parseOptionalKeyword("true"))) {
      values.push_back(true);
      return success();
    }
    values.push_back(false);
    return parser.parseKeyword("false");
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
    return failure();
  reversal = parser.getBuilder().getDenseBoolArrayAttr(values);
  return success();
}

ParseResult parseWindow(OpAsmParser &parser, DenseI64ArrayAttr &strides,
                        DenseIntElementsAttr &padding,
                        DenseI64ArrayAttr &lhsDilation,
                        DenseI64ArrayAttr &rhsDilation,
                        DenseBoolArrayAttr &reversal) {
  llvm::StringMap<DenseI64ArrayAttr *> arrays = {{"stride", &strides},
                                                 {"lhs_dilate", &lhsDilation},
                                                 {"rhs_dilate", &rhsDilation}};
  auto parseEntry = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    if (name == "pad")
      return parsePadding(parser, padding);
    if (name == "reverse")
      return parseReversal(parser, reversal);
    auto array = arrays.find(name);
    if (array == arrays.end())
      return parser.emitError(loc)
             << "found window key '" << name
             << "', expected stride, pad, lhs_dilate, rhs_dilate or reverse";
    SmallVector<int64_t> values;
    if (parseInts(parser, values))
      return failure();
    *array->second = parser.getBuilder().getDenseI64ArrayAttr(values);
    return success();
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces,
                                        parseEntry);
}

void printWindow(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr strides,
                 DenseIntElementsAttr padding, DenseI64ArrayAttr lhsDilation,
                 DenseI64ArrayAttr rhsDilation, DenseBoolArrayAttr reversal) {
  StringRef separator = "";
  auto key = [&](StringRef name) {
    printer << separator << name << " = ";
    separator = ", ";
  };
  auto array = [&](StringRef name, DenseI64ArrayAttr values) {
    if (!values)
      return;
    key(name);
    printInts(printer, values);
  };
  printer << "{";
  array("stride", strides);
  if (padding) {
    key("pad");
    auto values = llvm::to_vector(padding.getValues<int64_t>());
    printer << "[";
    for (size_t i = 0; i + 1 < values.size(); i += 2) {
      printer << (i ? ", " : "");
      printInts(printer, {values[i], values[i + 1]});
    }
    printer << "]";
  }
  array("lhs_dilate", lhsDilation);
  array("rhs_dilate", rhsDilation);
  if (reversal) {
    key("reverse");
    printer << "[";
    llvm::interleaveComma(reversal.asArrayRef(), printer, [&](bool value) {
      printer << (value ? "true" : "false");
    });
    printer << "]";
  }
  printer << "}";
}

} // namespace ferrule::stablehlo
