#include "compiler/Driver/Check/ReadChecks.h"
#include "compiler/Dialect/Check/IR/Check.h"
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferrule;

bool ferrule::isCheck(Operation *op) {
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
    return call.getCallTargetName().starts_with("check.");
  return isa_and_nonnull<check::CheckDialect>(op->getDialect());
}

static std::optional<Agreement> agreementOf(StringRef name) {
  auto kind = [](Agreement::Kind kind) {
    Agreement agreement;
    agreement.kind = kind;
    return agreement;
  };
  Agreement near = kind(Agreement::Within);
  near.tolerance = 1e-4;
  return llvm::StringSwitch<std::optional<Agreement>>(name)
      .Cases({"check.expect_eq", "check.expect_eq_const",
              "check.expect_serialized_eq"},
             kind(Agreement::Equal))
      .Case("check.expect_close", kind(Agreement::Close))
      .Cases({"check.expect_almost_eq", "check.expect_almost_eq_const"},
             kind(Agreement::Within))
      .Case("check.eq", near)
      .Case("check.expect_false", kind(Agreement::Zero))
      .Cases({"check.expect_true", "check.expect_all_true"},
             kind(Agreement::NotZero))
      .Default(std::nullopt);
}

/// An attribute of the operation, or an entry of a call's backend_config.
static Attribute optionOf(Operation *op, StringRef name) {
  if (Attribute value = op->getAttr(name))
    return value;
  auto config = op->getAttrOfType<DictionaryAttr>("backend_config");
  return config ? config.get(name) : Attribute();
}

static LogicalResult readOptions(Operation *op, Agreement &agreement) {
  auto readUnits = [&](StringRef name, uint64_t &units) -> LogicalResult {
    Attribute value = optionOf(op, name);
    auto number = dyn_cast_or_null<IntegerAttr>(value);
    if (value && !number)
      return op->emitOpError()
             << "found " << name << " " << value << ", expected an integer";
    if (number)
      units = number.getValue().getZExtValue();
    return success();
  };
  if (Attribute value = optionOf(op, "tolerance")) {
    auto number = dyn_cast<FloatAttr>(value);
    if (!number)
      return op->emitOpError()
             << "found tolerance " << value << ", expected a float";
    agreement.tolerance = number.getValueAsDouble();
  }
  return failure(
      failed(readUnits("min_ulp_difference", agreement.fewestUnits)) ||
      failed(readUnits("max_ulp_difference", agreement.mostUnits)));
}

/// Puts the two values of a check in their places.
static LogicalResult readCall(stablehlo::CustomCallOp op, Check &check) {
  bool hasResult = check.name == "check.eq";
  if (op.getInputs().size() != 2 || op->getNumResults() != hasResult)
    return op.emitOpError()
           << check.name << " has " << op.getInputs().size() << " operands and "
           << op->getNumResults() << " results, expected 2 and " << hasResult;
  // check.eq alone has the expected value first.
  check.actual = op.getInputs()[hasResult ? 1 : 0];
  check.expected = op.getInputs()[hasResult ? 0 : 1];
  return success();
}

static LogicalResult readProbe(check::ExpectSerializedEqOp op,
                               const llvm::StringMap<Value> &probes,
                               Check &check) {
  auto found = probes.find(op.getProbeId());
  if (found == probes.end())
    return op.emitOpError()
           << "found no probe '" << op.getProbeId()
           << "' in the body of the function, expected one before the check";
  check.actual = found->second;
  check.expected = op.getExpected();
  return success();
}

/// `value` as elements: a number stands for a tensor of rank 0.
static ElementsAttr elementsOf(TypedAttr value) {
  if (auto elements = dyn_cast<ElementsAttr>(value))
    return elements;
  if (!value.getType().isIntOrFloat())
    return {};
  return DenseElementsAttr::get(RankedTensorType::get({}, value.getType()),
                                ArrayRef<Attribute>(value));
}

static LogicalResult
readValues(Operation *op, const llvm::StringMap<Value> &probes, Check &check) {
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
    return readCall(call, check);
  if (auto serialized = dyn_cast<check::ExpectSerializedEqOp>(op))
    return readProbe(serialized, probes, check);
  check.actual = op->getOperand(0);
  if (op->getNumOperands() > 1)
    check.expected = op->getOperand(1);
  if (auto value = op->getAttrOfType<TypedAttr>("value")) {
    check.known = elementsOf(value);
    if (!check.known)
      return op->emitOpError()
             << "found value " << value << ", expected numbers";
  }
  return success();
}

FailureOr<Check> ferrule::readCheck(Operation *op,
                                    const llvm::StringMap<Value> &probes) {
  auto call = dyn_cast<stablehlo::CustomCallOp>(op);
  StringRef name =
      call ? call.getCallTargetName() : op->getName().getStringRef();
  std::optional<Agreement> agreement = agreementOf(name);
  if (!agreement)
    return op->emitOpError()
           << "unknown check '" << name
           << "', expected check.expect_eq, check.expect_close, "
              "check.expect_almost_eq or check.eq";
  Check check{*agreement, name.str(), {}, {}, {}};
  if (failed(readOptions(op, check.agreement)) ||
      failed(readValues(op, probes, check)))
    return failure();
  if (!check.known && check.expected)
    (void)matchPattern(check.expected, m_Constant(&check.known));
  if (!isa<TensorType>(check.actual.getType()))
    return op->emitOpError() << name << " looks at " << check.actual.getType()
                             << ", expected a tensor";
  if (check.expected && getElementTypeOrSelf(check.expected) !=
                            getElementTypeOrSelf(check.actual))
    return op->emitOpError() << name << " compares " << check.actual.getType()
                             << " with " << check.expected.getType();
  return check;
}
