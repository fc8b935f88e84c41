// Text of a convolution's layouts: `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace ferrule::stablehlo;

static ParseResult parseDims(AsmParser &parser,
                             SmallVectorImpl<int64_t> &dims) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(dims.emplace_back());
  });
}

namespace {
/// A field of the form by names: a list of dimensions or one dimension.
struct Field {
  StringRef name;
  SmallVector<int64_t> *list = nullptr;
  int64_t *number = nullptr;
};
} // namespace

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
  // Dimensions that no tensor has appear only in the text of an error.
  auto known = [](int64_t dim) { return dim >= 0 && dim < 64; };
  SmallVector<std::string> names;
  auto place = [&](int64_t dim, std::string name) {
    if (!known(dim))
      return;
    if (static_cast<int64_t>(names.size()) <= dim)
      names.resize(dim + 1, "?");
    names[dim] = std::move(name);
  };
  place(first, letters.take_front().str());
  place(second, letters.take_back().str());
  for (auto [position, dim] : llvm::enumerate(spatial))
    place(dim, std::to_string(position));
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

/// Whether two special and the spatial dimensions are 0, 1, ... in any order.
static bool isLayout(int64_t first, int64_t second, ArrayRef<int64_t> spatial) {
  SmallVector<int64_t> all = {first, second};
  llvm::append_range(all, spatial);
  return isPermutationVector(all);
}

static void printRawConv(AsmPrinter &printer, ConvDimensionNumbersAttr dims) {
  StringRef separator = "raw ";
  auto number = [&](StringRef name, int64_t value) {
    printer << separator << name << " = " << value;
    separator = ", ";
  };
  auto list = [&](StringRef name, ArrayRef<int64_t> values) {
    printer << separator << name << " = [";
    llvm::interleaveComma(values, printer);
    printer << "]";
  };
  number("input_batch_dimension", dims.getInputBatchDimension());
  number("input_feature_dimension", dims.getInputFeatureDimension());
  list("input_spatial_dimensions", dims.getInputSpatialDimensions());
  number("kernel_input_feature_dimension",
         dims.getKernelInputFeatureDimension());
  number("kernel_output_feature_dimension",
         dims.getKernelOutputFeatureDimension());
  list("kernel_spatial_dimensions", dims.getKernelSpatialDimensions());
  number("output_batch_dimension", dims.getOutputBatchDimension());
  number("output_feature_dimension", dims.getOutputFeatureDimension());
  list("output_spatial_dimensions", dims.getOutputSpatialDimensions());
}

void ConvDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printer << "<";
  // The letters can only say layouts that use each dimension once.
  if (isLayout(getInputBatchDimension(), getInputFeatureDimension(),
               getInputSpatialDimensions()) &&
      isLayout(getKernelInputFeatureDimension(),
               getKernelOutputFeatureDimension(),
               getKernelSpatialDimensions()) &&
      isLayout(getOutputBatchDimension(), getOutputFeatureDimension(),
               getOutputSpatialDimensions()))
    printConvDimensions(printer, *this);
  else
    printRawConv(printer, *this);
  printer << ">";
}
