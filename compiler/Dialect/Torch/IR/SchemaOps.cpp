// Registers PyTorch's operators as ops of the dialect, straight from the table
// of schemas: one class stands for all of them.
#include "compiler/Dialect/Torch/IR/Torch.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;

namespace ferrule::torch {
namespace {

/// Whether a value of `type` may be given where the schema asks for `value`.
/// Generous where PyTorch's own checks are: None, numbers and unions pass.
bool accepts(const SchemaValue &value, Type type) {
  using Kind = SchemaValue::Kind;
  if (value.kind == Kind::Any ||
      isa<AnyType, UnionType, OptionalType>(type))
    return true;
  if (isa<NoneType>(type))
    return value.optional || value.kind == Kind::Generator;
  if (value.list)
    return isa<ListType>(type);
  switch (value.kind) {
  case Kind::Tensor:
    return isa<BaseTensorType>(type);
  case Kind::Int:
    return isa<IntType>(type);
  case Kind::Float:
    return isa<FloatType, IntType, NumberType>(type);
  case Kind::Bool:
    return isa<BoolType>(type);
  case Kind::Number:
    return isa<NumberType, IntType, FloatType, BoolType>(type);
  case Kind::String:
    return isa<StringType>(type);
  case Kind::Device:
    return isa<DeviceType, StringType>(type);
  case Kind::Generator:
    return isa<GeneratorType>(type);
  case Kind::Any:
    return true;
  }
  return false;
}

LogicalResult verifyValues(Operation *op, TypeRange types,
                           ArrayRef<SchemaValue> values, StringRef what) {
  if (types.size() != values.size())
    return op->emitOpError("expected ")
           << values.size() << " " << what << "s, but found " << types.size();
  for (auto [index, type, value] : llvm::enumerate(types, values))
    if (!accepts(value, type))
      return op->emitOpError(what)
             << " #" << index << " ('" << value.name << "') has type " << type
             << ", which the schema '"
             << lookupSchema(op->getName().getStringRef())->text
             << "' does not take";
  return success();
}

ParseResult parseSchemaOp(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  SmallVector<Type> types;
  if (!operands.empty() && parser.parseColonTypeList(types))
    return failure();
  if (parser.resolveOperands(operands, types, loc, result.operands))
    return failure();
  if (succeeded(parser.parseOptionalArrow()))
    return parser.parseTypeList(result.types);
  return success();
}

void printSchemaOp(Operation *op, OpAsmPrinter &printer,
                   StringRef defaultDialect) {
  StringRef name = op->getName().getStringRef();
  // Inside a region of the dialect its prefix is left out.
  if (defaultDialect == op->getName().getDialectNamespace() &&
      name.count('.') == 1)
    name.consume_front("torch.");
  printer.getStream() << name << ' ';
  printer.printOperands(op->getOperands());
  printer.printOptionalAttrDict(op->getAttrs());
  if (op->getNumOperands() != 0)
    printer << " : " << op->getOperandTypes();
  if (op->getNumResults() != 0)
    printer << " -> " << op->getResultTypes();
}

/// The effects of an operator, from its alias annotations: on value tensors
/// nothing is ever written; a mutable tensor is read, and what results from
/// one is fresh memory.
struct SchemaEffects
    : public MemoryEffectOpInterface::FallbackModel<SchemaEffects> {
  void getEffects(
      Operation *op,
      SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
          &effects) const {
    auto isMutable = [](Type type) { return isa<NonValueTensorType>(type); };
    if (llvm::any_of(op->getOperandTypes(), isMutable))
      effects.emplace_back(MemoryEffects::Read::get());
    if (llvm::any_of(op->getResultTypes(), isMutable))
      effects.emplace_back(MemoryEffects::Allocate::get());
  }
};

struct SchemaSpeculatability
    : public ConditionallySpeculatable::FallbackModel<SchemaSpeculatability> {
  Speculation::Speculatability getSpeculatability(Operation *op) const {
    return Speculation::Speculatable;
  }
};

/// One registered operator. Operands are positional, in the schema's order;
/// there are no properties and no regions.
class SchemaOp : public OperationName::Impl {
public:
  SchemaOp(const Schema &schema, Dialect *dialect, TypeID typeID,
           mlir::detail::InterfaceMap interfaces)
      : Impl(schema.opName, dialect, typeID, std::move(interfaces)),
        schema(schema) {}

  LogicalResult foldHook(Operation *, ArrayRef<Attribute>,
                         SmallVectorImpl<OpFoldResult> &) final {
    return failure();
  }
  void getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) final {}
  bool hasTrait(TypeID trait) final {
    return trait == TypeID::get<OpTrait::ZeroRegions>() ||
           trait == TypeID::get<OpTrait::ZeroSuccessors>() ||
           (schema.results.size() == 1 &&
            trait == TypeID::get<OpTrait::OneResult>());
  }
  OperationName::ParseAssemblyFn getParseAssemblyFn() final {
    return parseSchemaOp;
  }
  void populateDefaultAttrs(const OperationName &, NamedAttrList &) final {}
  void printAssembly(Operation *op, OpAsmPrinter &printer,
                     StringRef defaultDialect) final {
    printSchemaOp(op, printer, defaultDialect);
  }
  LogicalResult verifyInvariants(Operation *op) final {
    if (op->getNumRegions() != 0 || op->getNumSuccessors() != 0)
      return op->emitOpError("has no regions and no successors");
    if (failed(verifyValues(op, op->getOperandTypes(), schema.arguments,
                            "operand")))
      return failure();
    return verifyValues(op, op->getResultTypes(), schema.results, "result");
  }
  LogicalResult verifyRegionInvariants(Operation *) final { return success(); }

  std::optional<Attribute> getInherentAttr(Operation *, StringRef) final {
    return std::nullopt;
  }
  void setInherentAttr(Operation *op, StringAttr name, Attribute value) final {
    op->setDiscardableAttr(name, value);
  }
  void populateInherentAttrs(Operation *, NamedAttrList &) final {}
  LogicalResult
  verifyInherentAttrs(OperationName, NamedAttrList &,
                      function_ref<InFlightDiagnostic()>) final {
    return success();
  }
  int getOpPropertyByteSize() final { return 0; }
  void initProperties(OperationName, OpaqueProperties,
                      OpaqueProperties) final {}
  void deleteProperties(OpaqueProperties) final {}
  void populateDefaultProperties(OperationName, OpaqueProperties) final {}
  LogicalResult
  setPropertiesFromAttr(OperationName, OpaqueProperties, Attribute,
                        function_ref<InFlightDiagnostic()> emitError) final {
    emitError() << "this operation has no properties";
    return failure();
  }
  Attribute getPropertiesAsAttr(Operation *) final { return {}; }
  void copyProperties(OpaqueProperties, OpaqueProperties) final {}
  bool compareProperties(OpaqueProperties, OpaqueProperties) final {
    return true;
  }
  llvm::hash_code hashProperties(OpaqueProperties) final {
    return llvm::hash_value(0);
  }

private:
  const Schema &schema;
};

/// Identities for the ops: one a schema, the same in every context.
TypeID getSchemaTypeID(size_t index) {
  static TypeIDAllocator allocator;
  static const std::vector<TypeID> ids = [] {
    std::vector<TypeID> all;
    for (size_t i = 0; i < getSchemas().size(); ++i)
      all.push_back(allocator.allocate());
    return all;
  }();
  return ids[index];
}

} // namespace

void TorchDialect::registerSchemaOps() {
  for (auto [index, schema] : llvm::enumerate(getSchemas())) {
    mlir::detail::InterfaceMap interfaces;
    if (!schema.mutates() && !schema.random) {
      interfaces.insertModels<SchemaEffects, SchemaSpeculatability>();
    }
    RegisteredOperationName::insert(
        std::make_unique<SchemaOp>(schema, this, getSchemaTypeID(index),
                                   std::move(interfaces)),
        /*attrNames=*/{});
  }
}

Value getArgument(Operation *op, StringRef name) {
  const Schema *schema = lookupSchema(op->getName().getStringRef());
  if (!schema)
    return {};
  std::optional<unsigned> index = schema->findArgument(name);
  return index && *index < op->getNumOperands() ? op->getOperand(*index)
                                                : Value();
}

} // namespace ferrule::torch
