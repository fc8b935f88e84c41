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
// conv
//===----------------------------------------------------------------------===//

namespace {
/// One of the three layouts of a convolution: a letter for each of the two
/// special dimensions, numbers for the spatial ones.
struct ConvLayout {
  StringRef letters;
  int64_t first = -1, second = -1;
  SmallVector<int64_t> spatial;
};
} // namespace

static ParseResult parseConvLayout(AsmParser &parser, ConvLayout &layout) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t dim = 0;
  SmallVector<std::pair<int64_t, int64_t>> spatial;
  auto parseOne = [&]() -> ParseResult {
    int64_t number;
    OptionalParseResult isNumber = parser.parseOptionalInteger(number);
    if (isNumber.has_value()) {
      spatial.push_back({number, dim++});
      return *isNumber;
    }
    // `?` is a dimension that plays no part.
    if (succeeded(parser.parseOptionalQuestion())) {
      ++dim;
      return success();
    }
    StringRef letter;
    if (parser.parseKeyword(&letter))
      return failure();
    int64_t *place = nullptr;
    if (letter == layout.letters.take_front())
      place = &layout.first;
    else if (letter == layout.letters.take_back())
      place = &layout.second;
    if (!place || *place >= 0)
      return parser.emitError(loc)
             << "expected each of '" << layout.letters.front() << "' and '"
             << layout.letters.back() << "' once, found '" << letter << "'";
    *place = dim++;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  if (layout.first < 0 || layout.second < 0)
    return parser.emitError(loc) << "expected '" << layout.letters.front()
                                 << "' and '" << layout.letters.back() << "'";
  llvm::sort(spatial);
  for (auto [position, entry] : llvm::enumerate(spatial)) {
    if (entry.first != static_cast<int64_t>(position))
      return parser.emitError(loc, "expected spatial dimensions 0, 1, ...");
    layout.spatial.push_back(entry.second);
  }
  return success();
}

static void printConvLayout(AsmPrinter &printer, StringRef letters,
                            int64_t first, int64_t second,
                            ArrayRef<int64_t> spatial) {
  int64_t rank = std::max(first, second);
  for (int64_t dim : spatial)
    rank = std::max(rank, dim);
  SmallVector<std::string> names(rank + 1, "?");
  names[first] = letters.take_front().str();
  names[second] = letters.take_back().str();
  for (auto [position, dim] : llvm::enumerate(spatial))
    names[dim] = std::to_string(position);
  printer << "[";
  llvm::interleaveComma(names, printer);
  printer << "]";
}

ParseResult
ferrule::stablehlo::parseConvDimensions(AsmParser &parser,
                                        ConvDimensionNumbersAttr &result) {
  ConvLayout input, kernel, output;
  input.letters = output.letters = "bf";
  kernel.letters = "io";
  if (parseConvLayout(parser, input) || parser.parseKeyword("x") ||
      parseConvLayout(parser, kernel) || parser.parseArrow() ||
      parseConvLayout(parser, output))
    return failure();
  result = ConvDimensionNumbersAttr::get(
      parser.getContext(), input.first, input.second, input.spatial,
      kernel.first, kernel.second, kernel.spatial, output.first, output.second,
      output.spatial);
  return success();
}

void ferrule::stablehlo::printConvDimensions(AsmPrinter &printer,
                                             ConvDimensionNumbersAttr dims) {
  printConvLayout(printer, "bf", dims.getInputBatchDimension(),
                  dims.getInputFeatureDimension(),
                  dims.getInputSpatialDimensions());
  printer << "x";
  printConvLayout(printer, "io", dims.getKernelInputFeatureDimension(),
                  dims.getKernelOutputFeatureDimension(),
                  dims.getKernelSpatialDimensions());
  printer << "->";
  printConvLayout(printer, "bf", dims.getOutputBatchDimension(),
                  dims.getOutputFeatureDimension(),
                  dims.getOutputSpatialDimensions());
}

/// The form for layouts that the letters cannot say: every field by name.
static Attribute parseRawConv(AsmParser &parser) {
  int64_t ib = 0, inf = 0, ki = 0, ko = 0, ob = 0, of = 0;
  SmallVector<int64_t> input, kernel, output;
  Field fields[] = {{"input_batch_dimension", nullptr, &ib},
                    {"input_feature_dimension", nullptr, &inf},
                    {"input_spatial_dimensions", &input},
                    {"kernel_input_feature_dimension", nullptr, &ki},
                    {"kernel_output_feature_dimension", nullptr, &ko},
                    {"kernel_spatial_dimensions", &kernel},
                    {"output_batch_dimension", nullptr, &ob},
                    {"output_feature_dimension", nullptr, &of},
                    {"output_spatial_dimensions", &output}};
  do {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseOptionalKeyword(&name))
      break;
    auto *field = llvm::find_if(
        fields, [&](const Field &field) { return field.name == name; });
    if (field == std::end(fields))
      return parser.emitError(loc) << "unknown field '" << name << "'",
             Attribute();
    if (parser.parseEqual() ||
        (field->list ? parseDims(parser, *field->list)
                     : parser.parseInteger(*field->number)))
      return {};
  } while (succeeded(parser.parseOptionalComma()));
  if (parser.parseGreater())
    return {};
  return ConvDimensionNumbersAttr::get(parser.getContext(), ib, inf, input, ki,
                                       ko, kernel, ob, of, output);
}

Attribute ConvDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalKeyword("raw")))
    return parseRawConv(parser);
  ConvDimensionNumbersAttr result;
  if (parseConvDimensions(parser, result) || parser.parseGreater())
    return {};
  return result;
}

void ConvDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printConvDimensions(printer, *this);
  printer << ">";
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
