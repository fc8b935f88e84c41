#include "compiler/Dialect/CHLO/IR/CHLO.h"

#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferrule::chlo;

#include "compiler/Dialect/CHLO/IR/CHLODialect.cpp.inc"
#include "compiler/Dialect/CHLO/IR/CHLOEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/Dialect/CHLO/IR/CHLOAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/CHLO/IR/CHLOOps.cpp.inc"

void ferrule::registerCHLODialect(DialectRegistry &registry) {
  registry.insert<CHLODialect>();
}

namespace {
/// Every operation may move into a caller: none depends on its function.
struct CHLOInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void CHLODialect::initialize() {
  registerOperations();
  registerAttributes();
  registerBytecode();
  addInterfaces<CHLOInliner>();
}

void CHLODialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "compiler/Dialect/CHLO/IR/CHLOOps.cpp.inc"
      >();
}

void CHLODialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/Dialect/CHLO/IR/CHLOAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Attribute RaggedDotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  std::array<SmallVector<int64_t>, 6> lists;
  constexpr StringRef names[] = {
      "lhs_batching_dimensions",    "rhs_batching_dimensions",
      "lhs_contracting_dimensions", "rhs_contracting_dimensions",
      "lhs_ragged_dimensions",      "rhs_group_dimensions"};
  if (parser.parseLess())
    return {};
  while (failed(parser.parseOptionalGreater())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return {};
    const auto *found = llvm::find(names, name);
    if (found == std::end(names))
      return parser.emitError(loc) << "unknown field '" << name << "'",
             Attribute();
    auto &list = lists[found - names];
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
          return parser.parseInteger(list.emplace_back());
        }))
      return {};
    if (failed(parser.parseOptionalComma())) {
      if (parser.parseGreater())
        return {};
      break;
    }
  }
  return get(parser.getContext(), lists[0], lists[1], lists[2], lists[3],
             lists[4], lists[5]);
}

void RaggedDotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  std::pair<StringRef, ArrayRef<int64_t>> fields[] = {
      {"lhs_batching_dimensions", getLhsBatchingDimensions()},
      {"rhs_batching_dimensions", getRhsBatchingDimensions()},
      {"lhs_contracting_dimensions", getLhsContractingDimensions()},
      {"rhs_contracting_dimensions", getRhsContractingDimensions()},
      {"lhs_ragged_dimensions", getLhsRaggedDimensions()},
      {"rhs_group_dimensions", getRhsGroupDimensions()}};
  StringRef separator = "";
  printer << "<";
  for (auto [name, list] : fields) {
    if (list.empty())
      continue;
    printer << separator << name << " = [";
    llvm::interleaveComma(list, printer);
    printer << "]";
    separator = ", ";
  }
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

using OptionalLoc = std::optional<Location>;
using Results = SmallVectorImpl<Type>;

static LogicalResult inferLikeOperands(OptionalLoc loc, ValueRange operands,
                                       Results &results) {
  for (Value operand : operands.drop_front())
    if (getElementTypeOrSelf(operand) != getElementTypeOrSelf(operands[0]))
      return emitOptionalError(
          loc, "found operands of types ", operands[0].getType(), " and ",
          operand.getType(), ", expected equal element types");
  FailureOr<RankedTensorType> type =
      ferrule::stablehlo::inferElementwise(loc, TypeRange(operands));
  if (failed(type))
    return failure();
  results.push_back(*type);
  return success();
}

#define INFER_LIKE_OPERANDS(OP)                                                \
  LogicalResult OP::inferReturnTypes(MLIRContext *, OptionalLoc loc,           \
                                     Adaptor adaptor, Results &results) {      \
    return inferLikeOperands(loc, adaptor.getOperands(), results);             \
  }
INFER_LIKE_OPERANDS(AcosOp)
INFER_LIKE_OPERANDS(AcoshOp)
INFER_LIKE_OPERANDS(AsinOp)
INFER_LIKE_OPERANDS(AsinhOp)
INFER_LIKE_OPERANDS(AtanOp)
INFER_LIKE_OPERANDS(AtanhOp)
INFER_LIKE_OPERANDS(CoshOp)
INFER_LIKE_OPERANDS(SinhOp)
INFER_LIKE_OPERANDS(TanOp)
INFER_LIKE_OPERANDS(BesselI1eOp)
INFER_LIKE_OPERANDS(ConjOp)
INFER_LIKE_OPERANDS(DigammaOp)
INFER_LIKE_OPERANDS(ErfOp)
INFER_LIKE_OPERANDS(ErfInvOp)
INFER_LIKE_OPERANDS(ErfcOp)
INFER_LIKE_OPERANDS(LgammaOp)
INFER_LIKE_OPERANDS(SquareOp)
INFER_LIKE_OPERANDS(AsinAcosKernelOp)
INFER_LIKE_OPERANDS(NextAfterOp)
INFER_LIKE_OPERANDS(PolygammaOp)
INFER_LIKE_OPERANDS(ZetaOp)
INFER_LIKE_OPERANDS(MulhiOp)
#undef INFER_LIKE_OPERANDS

#define INFER_PREDICATE(OP)                                                    \
  LogicalResult OP::inferReturnTypes(MLIRContext *context, OptionalLoc,        \
                                     Adaptor adaptor, Results &results) {      \
    results.push_back(ferrule::stablehlo::withElement(                         \
        adaptor.getOperand().getType(), IntegerType::get(context, 1)));        \
    return success();                                                          \
  }
INFER_PREDICATE(IsInfOp)
INFER_PREDICATE(IsNegInfOp)
INFER_PREDICATE(IsPosInfOp)
#undef INFER_PREDICATE

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

LogicalResult TopKOp::inferReturnTypes(MLIRContext *context, OptionalLoc loc,
                                       Adaptor adaptor, Results &results) {
  auto type = cast<RankedTensorType>(adaptor.getOperand().getType());
  int64_t k = adaptor.getK();
  if (type.getRank() == 0)
    return emitOptionalError(loc, "found a scalar, expected rank 1 or more");
  int64_t last = type.getShape().back();
  if (k < 0 || (!ShapedType::isDynamic(last) && k > last))
    return emitOptionalError(loc, "found k = ", k,
                             " for a last dimension of size ", last);
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = k;
  results.push_back(RankedTensorType::get(shape, type.getElementType()));
  results.push_back(
      RankedTensorType::get(shape, IntegerType::get(context, 32)));
  return success();
}

void ScanOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  size_t inputs = getInputs().size();
  for (BlockArgument argument : region.getArguments())
    setName(argument, argument.getArgNumber() < inputs ? "input" : "carry");
}

void ScanOp::print(OpAsmPrinter &printer) {
  printer << "(" << getInputs() << ") inits (" << getInits()
          << ") dimension=" << getDimension() << " ";
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {"dimension", "operandSegmentSizes", "resultSegmentSizes"});
  printer << " ";
  printer.printRegion(getBody());
  printer << " : ";
  printer.printFunctionalType(*this);
}

ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  int64_t dimension = 0;
  FunctionType type;
  if (parser.parseOperandList(operands, AsmParser::Delimiter::Paren))
    return failure();
  int32_t inputs = operands.size();
  if (parser.parseKeyword("inits") ||
      parser.parseOperandList(operands, AsmParser::Delimiter::Paren))
    return failure();
  int32_t inits = operands.size() - inputs;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword("dimension") || parser.parseEqual() ||
      parser.parseInteger(dimension) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion()) || parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), loc,
                             result.operands) ||
      parser.addTypesToList(type.getResults(), result.types))
    return failure();
  int32_t outputs = static_cast<int32_t>(type.getNumResults()) - inits;
  if (outputs < 0)
    return parser.emitError(loc) << "found " << type.getNumResults()
                                 << " results, expected at least " << inits;
  auto &properties = result.getOrAddProperties<Properties>();
  properties.dimension = parser.getBuilder().getI64IntegerAttr(dimension);
  properties.operandSegmentSizes = {inputs, inits};
  properties.resultSegmentSizes = {outputs, inits};
  return success();
}
