// The dialect: operations of the table whose properties are their attributes
// one after another, and wrappers.
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Dialect/VHLO/VHLO.h"
#include "compiler/Dialect/VHLO/Wrappers.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/DialectImplementation.h"

MLIR_DEFINE_EXPLICIT_TYPE_ID(ferrule::vhlo::VHLODialect)

using namespace mlir;
using namespace ferrule::vhlo;

namespace ferrule::vhlo::detail {
struct WrappedTypeStorage : public TypeStorage {
  using KeyTy = Type;
  explicit WrappedTypeStorage(Type type) : type(type) {}
  bool operator==(Type key) const { return key == type; }
  static WrappedTypeStorage *construct(TypeStorageAllocator &allocator,
                                       Type key) {
    return new (allocator.allocate<WrappedTypeStorage>())
        WrappedTypeStorage(key);
  }
  Type type;
};

struct WrappedAttrStorage : public AttributeStorage {
  using KeyTy = Attribute;
  explicit WrappedAttrStorage(Attribute attribute) : attribute(attribute) {}
  bool operator==(Attribute key) const { return key == attribute; }
  static WrappedAttrStorage *construct(AttributeStorageAllocator &allocator,
                                       Attribute key) {
    return new (allocator.allocate<WrappedAttrStorage>())
        WrappedAttrStorage(key);
  }
  Attribute attribute;
};
} // namespace ferrule::vhlo::detail

WrappedType WrappedType::get(Type type) {
  return Base::get(type.getContext(), type);
}
Type WrappedType::getType() const { return getImpl()->type; }

WrappedAttr WrappedAttr::get(Attribute attribute) {
  return Base::get(attribute.getContext(), attribute);
}
Attribute WrappedAttr::getAttribute() const { return getImpl()->attribute; }

namespace {

/// An operation of the table. It has no traits; its one property is a
/// dictionary of wrapped attributes.
class OperationModel : public OperationName::Impl {
public:
  OperationModel(StringRef name, Dialect *dialect, TypeID id)
      : Impl(name, dialect, id, mlir::detail::InterfaceMap()) {}

  LogicalResult foldHook(Operation *, ArrayRef<Attribute>,
                         SmallVectorImpl<OpFoldResult> &) final {
    return failure();
  }
  void getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) final {}
  bool hasTrait(TypeID) final { return false; }
  OperationName::ParseAssemblyFn getParseAssemblyFn() final {
    return [](OpAsmParser &parser, OperationState &) -> ParseResult {
      return parser.emitError(parser.getNameLoc(),
                              "vhlo operations have no text of their own");
    };
  }
  void populateDefaultAttrs(const OperationName &, NamedAttrList &) final {}
  void printAssembly(Operation *op, OpAsmPrinter &printer, StringRef) final {
    printer.printGenericOp(op);
  }
  LogicalResult verifyInvariants(Operation *) final { return success(); }
  LogicalResult verifyRegionInvariants(Operation *) final { return success(); }

  std::optional<Attribute> getInherentAttr(Operation *, StringRef) final {
    return std::nullopt;
  }
  void setInherentAttr(Operation *, StringAttr, Attribute) final {}
  void populateInherentAttrs(Operation *, NamedAttrList &) final {}
  LogicalResult verifyInherentAttrs(OperationName, NamedAttrList &,
                                    function_ref<InFlightDiagnostic()>) final {
    return success();
  }
  int getOpPropertyByteSize() final {
    // Files have no properties of operations without attributes.
    return attributesOf(getName().getValue())->empty() ? 0 : sizeof(Attribute);
  }
  void initProperties(OperationName, OpaqueProperties storage,
                      OpaqueProperties init) final {
    new (storage.as<Attribute *>()) Attribute();
    if (init)
      *storage.as<Attribute *>() = *init.as<Attribute *>();
  }
  void deleteProperties(OpaqueProperties) final {}
  void populateDefaultProperties(OperationName, OpaqueProperties) final {}
  LogicalResult
  setPropertiesFromAttr(OperationName, OpaqueProperties storage,
                        Attribute value,
                        function_ref<InFlightDiagnostic()>) final {
    *storage.as<Attribute *>() = value;
    return success();
  }
  Attribute getPropertiesAsAttr(Operation *op) final {
    if (getOpPropertyByteSize() == 0)
      return {};
    return *op->getPropertiesStorage().as<Attribute *>();
  }
  void copyProperties(OpaqueProperties to, OpaqueProperties from) final {
    *to.as<Attribute *>() = *from.as<Attribute *>();
  }
  bool compareProperties(OpaqueProperties a, OpaqueProperties b) final {
    return *a.as<Attribute *>() == *b.as<Attribute *>();
  }
  llvm::hash_code hashProperties(OpaqueProperties properties) final {
    return hash_value(*properties.as<Attribute *>());
  }
};

/// Reading leaves the attributes beside the others of the operation; writing
/// takes them from the property.
struct Properties : public BytecodeOpInterface::FallbackModel<Properties> {
  static LogicalResult readProperties(DialectBytecodeReader &reader,
                                      OperationState &state) {
    for (StringRef name : *attributesOf(state.name.getStringRef())) {
      Attribute attribute;
      if (failed(reader.readAttribute(attribute)))
        return failure();
      state.addAttribute(name, attribute);
    }
    return success();
  }
  static void writeProperties(Operation *op, DialectBytecodeWriter &writer) {
    auto properties = cast<DictionaryAttr>(op->getPropertiesAsAttribute());
    for (StringRef name : *attributesOf(op->getName().getStringRef()))
      writer.writeAttribute(properties.get(name));
  }
};

} // namespace

VHLODialect::VHLODialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<VHLODialect>()) {
  context->getOrLoadDialect<ferrule::stablehlo::StableHLODialect>();
  addTypes<WrappedType>();
  addAttributes<WrappedAttr>();
  for (StringRef name : operationNames()) {
    std::string full = ("vhlo." + name).str();
    RegisteredOperationName::insert(
        std::make_unique<OperationModel>(full, this, typeIDs.allocate()), {});
    RegisteredOperationName::lookup(full, context)
        ->attachInterface<Properties>();
  }
  addBytecodeInterface(*this);
}

void VHLODialect::printType(Type type, DialectAsmPrinter &printer) const {
  printer << "type<" << cast<WrappedType>(type).getType() << ">";
}

void VHLODialect::printAttribute(Attribute attribute,
                                 DialectAsmPrinter &printer) const {
  printer << "attribute<" << cast<WrappedAttr>(attribute).getAttribute() << ">";
}

void ferrule::registerVHLODialect(DialectRegistry &registry) {
  registry.insert<VHLODialect>();
}
