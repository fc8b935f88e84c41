// Text of the struct attributes: lists of named fields in any order, where a
// field at its default is not printed.
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferrule::stablehlo;

#define GET_ATTRDEF_CLASSES
#include "compiler/Dialect/StableHLO/IR/StableHLOAttrs.cpp.inc"

void StableHLODialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/Dialect/StableHLO/IR/StableHLOAttrs.cpp.inc"
      >();
}

namespace {
/// A field: a list of dimensions or one integer.
struct Field {
  StringRef name;
  SmallVector<int64_t> *list = nullptr;
  int64_t *number = nullptr;
};
} // namespace

static ParseResult parseDims(AsmParser &parser,
                             SmallVectorImpl<int64_t> &dims) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(dims.emplace_back());
  });
}

/// Parses `<name = value, ...>` with the fields in any order, each at most
/// once; a comma may follow the last.
static ParseResult parseFields(AsmParser &parser, ArrayRef<Field> fields) {
  SmallVector<bool> seen(fields.size());
  if (parser.parseLess())
    return failure();
  while (failed(parser.parseOptionalGreater())) {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    auto *field = llvm::find_if(
        fields, [&](const Field &field) { return field.name == name; });
    if (field == fields.end())
      return parser.emitError(loc) << "unknown field '" << name << "'";
    if (std::exchange(seen[field - fields.begin()], true))
      return parser.emitError(loc) << "field '" << name << "' given twice";
    if (field->list ? parseDims(parser, *field->list)
                    : parser.parseInteger(*field->number))
      return failure();
    if (failed(parser.parseOptionalComma()))
      return parser.parseGreater();
  }
  return success();
}

namespace {
/// Prints fields with commas between them.
class FieldPrinter {
public:
  explicit FieldPrinter(AsmPrinter &printer) : printer(printer) {
    printer << "<";
  }
  ~FieldPrinter() { printer << ">"; }
  raw_ostream &start(StringRef name) {
    printer << separator << name << " = ";
    separator = ", ";
    return printer.getStream();
  }
  void print(StringRef name, ArrayRef<int64_t> list) {
    if (list.empty())
      return;
    start(name) << "[";
    llvm::interleaveComma(list, printer);
    printer << "]";
  }
  void print(StringRef name, int64_t number) {
    if (number != 0)
      start(name) << number;
  }

private:
  AsmPrinter &printer;
  StringRef separator = "";
};
} // namespace

//===----------------------------------------------------------------------===//
// gather, scatter, dot
//===----------------------------------------------------------------------===//

Attribute GatherDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> offset, collapsed, operandBatching, indicesBatching, map;
  int64_t vectorDim = 0;
  if (parseFields(parser, {{"offset_dims", &offset},
                           {"collapsed_slice_dims", &collapsed},
                           {"operand_batching_dims", &operandBatching},
                           {"start_indices_batching_dims", &indicesBatching},
                           {"start_index_map", &map},
                           {"index_vector_dim", nullptr, &vectorDim}}))
    return {};
  return get(parser.getContext(), offset, collapsed, operandBatching,
             indicesBatching, map, vectorDim);
}

void GatherDimensionNumbersAttr::print(AsmPrinter &printer) const {
  FieldPrinter fields(printer);
  fields.print("offset_dims", getOffsetDims());
  fields.print("collapsed_slice_dims", getCollapsedSliceDims());
  fields.print("operand_batching_dims", getOperandBatchingDims());
  fields.print("start_indices_batching_dims", getStartIndicesBatchingDims());
  fields.print("start_index_map", getStartIndexMap());
  fields.print("index_vector_dim", getIndexVectorDim());
}

Attribute ScatterDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> window, inserted, inputBatching, indicesBatching, map;
  int64_t vectorDim = 0;
  if (parseFields(parser, {{"update_window_dims", &window},
                           {"inserted_window_dims", &inserted},
                           {"input_batching_dims", &inputBatching},
                           {"scatter_indices_batching_dims", &indicesBatching},
                           {"scatter_dims_to_operand_dims", &map},
                           {"index_vector_dim", nullptr, &vectorDim}}))
    return {};
  return get(parser.getContext(), window, inserted, inputBatching,
             indicesBatching, map, vectorDim);
}

void ScatterDimensionNumbersAttr::print(AsmPrinter &printer) const {
  FieldPrinter fields(printer);
  fields.print("update_window_dims", getUpdateWindowDims());
  fields.print("inserted_window_dims", getInsertedWindowDims());
  fields.print("input_batching_dims", getInputBatchingDims());
  fields.print("scatter_indices_batching_dims",
               getScatterIndicesBatchingDims());
  fields.print("scatter_dims_to_operand_dims", getScatterDimsToOperandDims());
  fields.print("index_vector_dim", getIndexVectorDim());
}

Attribute DotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
  if (parseFields(parser, {{"lhs_batching_dimensions", &lhsBatch},
                           {"rhs_batching_dimensions", &rhsBatch},
                           {"lhs_contracting_dimensions", &lhsContract},
                           {"rhs_contracting_dimensions", &rhsContract}}))
    return {};
  return get(parser.getContext(), lhsBatch, rhsBatch, lhsContract, rhsContract);
}

void DotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  FieldPrinter fields(printer);
  fields.print("lhs_batching_dimensions", getLhsBatchingDimensions());
  fields.print("rhs_batching_dimensions", getRhsBatchingDimensions());
  fields.print("lhs_contracting_dimensions", getLhsContractingDimensions());
  fields.print("rhs_contracting_dimensions", getRhsContractingDimensions());
}

//===----------------------------------------------------------------------===//
// output_operand_alias, type_extensions, result_accuracy
//===----------------------------------------------------------------------===//

Attribute OutputOperandAliasAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> output, operand;
  int64_t index = 0;
  if (parseFields(parser, {{"output_tuple_indices", &output},
                           {"operand_index", nullptr, &index},
                           {"operand_tuple_indices", &operand}}))
    return {};
  return get(parser.getContext(), output, index, operand);
}

void OutputOperandAliasAttr::print(AsmPrinter &printer) const {
  printer << "<output_tuple_indices = [";
  llvm::interleaveComma(getOutputTupleIndices(), printer);
  printer << "], operand_index = " << getOperandIndex()
          << ", operand_tuple_indices = [";
  llvm::interleaveComma(getOperandTupleIndices(), printer);
  printer << "]>";
}

/// Parses sizes where `?` stands for an unknown one.
static ParseResult parseBounds(AsmParser &parser,
                               AsmParser::Delimiter delimiter,
                               SmallVectorImpl<int64_t> &bounds) {
  return parser.parseCommaSeparatedList(delimiter, [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      bounds.push_back(ShapedType::kDynamic);
      return success();
    }
    return parser.parseInteger(bounds.emplace_back());
  });
}

static void printBounds(AsmPrinter &printer, ArrayRef<int64_t> bounds) {
  llvm::interleaveComma(bounds, printer, [&](int64_t bound) {
    if (ShapedType::isDynamic(bound))
      printer << "?";
    else
      printer << bound;
  });
}

Attribute TypeExtensionsAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> bounds;
  if (parser.parseLess() || parser.parseKeyword("bounds") ||
      parser.parseEqual() ||
      parseBounds(parser, AsmParser::Delimiter::Square, bounds) ||
      parser.parseGreater())
    return {};
  return get(parser.getContext(), bounds);
}

void TypeExtensionsAttr::print(AsmPrinter &printer) const {
  printer << "<bounds = [";
  printBounds(printer, getBounds());
  printer << "]>";
}

LogicalResult TypeExtensionsAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type,
    function_ref<InFlightDiagnostic()> emitError) const {
  if (getBounds().size() != shape.size())
    return emitError() << "found " << getBounds().size()
                       << " bounds for a tensor of rank " << shape.size();
  for (auto [size, bound] : llvm::zip(shape, getBounds()))
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(bound))
      return emitError() << "a static dimension of size " << size
                         << " has the bound " << bound << ", expected '?'";
  return success();
}

Attribute ResultAccuracyAttr::parse(AsmParser &parser, Type) {
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  ResultAccuracyModeAttr mode;
  if (parser.parseLess())
    return {};
  do {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return {};
    ParseResult result = failure();
    if (name == "atol")
      result = parser.parseFloat(atol);
    else if (name == "rtol")
      result = parser.parseFloat(rtol);
    else if (name == "ulps")
      result = parser.parseInteger(ulps);
    else if (name == "mode")
      result = parser.parseAttribute(mode);
    else
      return parser.emitError(loc) << "unknown field '" << name << "'",
             Attribute();
    if (failed(result))
      return {};
  } while (succeeded(parser.parseOptionalComma()));
  if (!mode)
    return parser.emitError(parser.getCurrentLocation(),
                            "expected a field 'mode'"),
           Attribute();
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), APFloat(atol), APFloat(rtol), ulps, mode);
}

void ResultAccuracyAttr::print(AsmPrinter &printer) const {
  FieldPrinter fields(printer);
  auto number = [&](StringRef name, const APFloat &value) {
    if (value.isZero())
      return;
    fields.start(name);
    printer.printFloat(value);
  };
  number("atol", getAtol());
  number("rtol", getRtol());
  fields.print("ulps", getUlps());
  fields.start("mode");
  printer.printAttribute(getMode());
}

//===----------------------------------------------------------------------===//
// Dialect hooks
//===----------------------------------------------------------------------===//

Attribute StableHLODialect::parseAttribute(DialectAsmParser &parser,
                                           Type type) const {
  StringRef mnemonic;
  Attribute attribute;
  OptionalParseResult result =
      generatedAttributeParser(parser, &mnemonic, type, attribute);
  if (result.has_value())
    return failed(*result) ? Attribute() : attribute;
  // The short spelling of type extensions.
  if (mnemonic == "bounds") {
    SmallVector<int64_t> bounds;
    if (parseBounds(parser, AsmParser::Delimiter::LessGreater, bounds))
      return {};
    return TypeExtensionsAttr::get(getContext(), bounds);
  }
  parser.emitError(parser.getNameLoc())
      << "unknown attribute '" << mnemonic << "' in dialect 'stablehlo'";
  return {};
}

void StableHLODialect::printAttribute(Attribute attribute,
                                      DialectAsmPrinter &printer) const {
  if (auto extensions = dyn_cast<TypeExtensionsAttr>(attribute)) {
    printer << "bounds<";
    printBounds(printer, extensions.getBounds());
    printer << ">";
    return;
  }
  (void)generatedAttributePrinter(attribute, printer);
}
