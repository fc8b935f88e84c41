#include "compiler/Dialect/StableHLO/IR/StableHLOAssembly.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOVerifiers.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "compiler/Dialect/StableHLO/IR/StableHLOOps.cpp.inc"

namespace ferrule::stablehlo {

namespace {

using Properties = OpaqueProperties;
using EmitError = function_ref<InFlightDiagnostic()>;

/// An operation with one more invariant, which all share: what it asks of
/// quantized tensors. All else is the operation's own.
class CheckedOperation : public OperationName::Impl {
public:
  explicit CheckedOperation(std::unique_ptr<OperationName::Impl> own)
      : Impl(own->getName(), own->getDialect(), own->getTypeID(),
             std::move(own->getInterfaceMap())),
        own(std::move(own)) {}

  LogicalResult verifyInvariants(Operation *op) final {
    return failure(failed(verifyQuantization(op)) ||
                   failed(own->verifyInvariants(op)));
  }

  LogicalResult foldHook(Operation *op, ArrayRef<Attribute> operands,
                         SmallVectorImpl<OpFoldResult> &results) final {
    return own->foldHook(op, operands, results);
  }
  void getCanonicalizationPatterns(RewritePatternSet &patterns,
                                   MLIRContext *context) final {
    own->getCanonicalizationPatterns(patterns, context);
  }
  bool hasTrait(TypeID trait) final { return own->hasTrait(trait); }
  OperationName::ParseAssemblyFn getParseAssemblyFn() final {
    return own->getParseAssemblyFn();
  }
  void populateDefaultAttrs(const OperationName &name,
                            NamedAttrList &attrs) final {
    own->populateDefaultAttrs(name, attrs);
  }
  void printAssembly(Operation *op, OpAsmPrinter &printer,
                     StringRef dialect) final {
    own->printAssembly(op, printer, dialect);
  }
  LogicalResult verifyRegionInvariants(Operation *op) final {
    return own->verifyRegionInvariants(op);
  }
  std::optional<Attribute> getInherentAttr(Operation *op,
                                           StringRef attribute) final {
    return own->getInherentAttr(op, attribute);
  }
  void setInherentAttr(Operation *op, StringAttr attribute,
                       Attribute value) final {
    own->setInherentAttr(op, attribute, value);
  }
  void populateInherentAttrs(Operation *op, NamedAttrList &attrs) final {
    own->populateInherentAttrs(op, attrs);
  }
  LogicalResult verifyInherentAttrs(OperationName name, NamedAttrList &attrs,
                                    EmitError emitError) final {
    return own->verifyInherentAttrs(name, attrs, emitError);
  }
  int getOpPropertyByteSize() final { return own->getOpPropertyByteSize(); }
  void initProperties(OperationName name, Properties storage,
                      Properties init) final {
    own->initProperties(name, storage, init);
  }
  void deleteProperties(Properties properties) final {
    own->deleteProperties(properties);
  }
  void populateDefaultProperties(OperationName name,
                                 Properties properties) final {
    own->populateDefaultProperties(name, properties);
  }
  LogicalResult setPropertiesFromAttr(OperationName name, Properties properties,
                                      Attribute attribute,
                                      EmitError emitError) final {
    return own->setPropertiesFromAttr(name, properties, attribute, emitError);
  }
  Attribute getPropertiesAsAttr(Operation *op) final {
    return own->getPropertiesAsAttr(op);
  }
  void copyProperties(Properties to, Properties from) final {
    own->copyProperties(to, from);
  }
  bool compareProperties(Properties left, Properties right) final {
    return own->compareProperties(left, right);
  }
  llvm::hash_code hashProperties(Properties properties) final {
    return own->hashProperties(properties);
  }

private:
  std::unique_ptr<OperationName::Impl> own;
};

template <typename... Ops> void registerChecked(Dialect *dialect) {
  (RegisteredOperationName::insert(
       std::make_unique<CheckedOperation>(
           std::make_unique<RegisteredOperationName::Model<Ops>>(dialect)),
       Ops::getAttributeNames()),
   ...);
}

} // namespace

void StableHLODialect::registerOperations() {
  registerChecked<
#define GET_OP_LIST
#include "compiler/Dialect/StableHLO/IR/StableHLOOps.cpp.inc"
      >(this);
}

} // namespace ferrule::stablehlo
