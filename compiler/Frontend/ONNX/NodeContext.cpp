#include "compiler/Frontend/ONNX/NodeContext.h"
#include "compiler/Frontend/ONNX/GraphImporter.h"

using namespace mlir;
using namespace ferrule::onnx;

Datum NodeContext::datum(size_t i) {
  if (Value value = replaced.lookup(i))
    return value;
  return has(i) ? importer.lookup(node.inputs[i]) : Datum();
}

Value NodeContext::input(size_t i) { return datum(i).tensor; }

SmallVector<Value> NodeContext::inputs() {
  SmallVector<Value> values;
  for (size_t i = 0; i < numInputs(); ++i)
    values.push_back(input(i));
  return values;
}

const NodeAttribute *NodeContext::attribute(StringRef name) const {
  for (const NodeAttribute &attribute : node.attributes)
    if (attribute.name == name)
      return attribute.refName.empty()
                 ? &attribute
                 : importer.functionAttribute(attribute.refName);
  return nullptr;
}

int64_t NodeContext::intAttr(StringRef name, int64_t otherwise) const {
  const NodeAttribute *attr = attribute(name);
  return attr ? attr->i : otherwise;
}

float NodeContext::floatAttr(StringRef name, float otherwise) const {
  const NodeAttribute *attr = attribute(name);
  return attr ? attr->f : otherwise;
}

StringRef NodeContext::stringAttr(StringRef name, StringRef otherwise) const {
  const NodeAttribute *attr = attribute(name);
  return attr ? attr->s : otherwise;
}

std::optional<SmallVector<int64_t>>
NodeContext::optionalInts(StringRef name) const {
  const NodeAttribute *attr = attribute(name);
  if (!attr)
    return std::nullopt;
  return SmallVector<int64_t>(attr->ints.begin(), attr->ints.end());
}

SmallVector<int64_t> NodeContext::intsAttr(StringRef name) const {
  return optionalInts(name).value_or(SmallVector<int64_t>());
}

Value NodeContext::tensorAttr(StringRef name) {
  const NodeAttribute *attr = attribute(name);
  if (!attr || !attr->tensor) {
    error() << "found no tensor attribute '" << name << "', expected one";
    return {};
  }
  std::string problem;
  Value value = importer.constant(*attr->tensor, problem);
  if (!value)
    error() << "attribute '" << name << "': " << problem;
  return value;
}

const Graph *NodeContext::graphAttr(StringRef name) const {
  const NodeAttribute *attr = attribute(name);
  return attr && !attr->graphs.empty() ? attr->graphs.front().get() : nullptr;
}

std::optional<SmallVector<int64_t>>
NodeContext::constantList(size_t i, StringRef attr, bool *isDynamic) {
  if (Value value = input(i)) {
    auto ints = ferrule::onnx::constantInts(value);
    if (!ints && isDynamic)
      *isDynamic = true;
    return ints;
  }
  return attr.empty() ? std::nullopt : optionalInts(attr);
}

FailureOr<int64_t> NodeContext::axis(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank)
    return error() << "found axis " << axis << ", expected one in [" << -rank
                   << ", " << rank << ")";
  return axis < 0 ? axis + rank : axis;
}

Type NodeContext::elementType(int64_t number) {
  auto dataType = static_cast<DataType>(number);
  Type type = ferrule::onnx::elementType(dataType, b.getContext());
  if (!type)
    error() << "found element type " << dataTypeName(dataType)
            << ", which is not supported";
  return type;
}

InFlightDiagnostic NodeContext::error() { return importer.nodeError(node); }

const Registry &Registry::get() {
  static const Registry registry;
  return registry;
}

OpFunction Registry::find(StringRef domain, StringRef opType) const {
  return domain.empty() ? ops.lookup(opType)
                        : ops.lookup((domain + "." + opType).str());
}

std::vector<std::string> Registry::names() const {
  std::vector<std::string> result;
  for (const auto &entry : ops)
    result.push_back(entry.getKey().str());
  llvm::sort(result);
  return result;
}

Registry::Registry() {
  registerElementwiseOps(*this);
  registerActivationOps(*this);
  registerCompareOps(*this);
  registerShapeOps(*this);
  registerReshapeOps(*this);
  registerSliceOps(*this);
  registerIndexOps(*this);
  registerReduceOps(*this);
  registerConvOps(*this);
  registerPoolOps(*this);
  registerMatMulOps(*this);
  registerNormalizationOps(*this);
  registerControlFlowOps(*this);
  registerRecurrentOps(*this);
  registerQuantizeOps(*this);
  registerResizeOps(*this);
  registerSequenceOps(*this);
  registerGenerateOps(*this);
  registerAttentionOps(*this);
  registerLossOps(*this);
  registerSamplingOps(*this);
  registerSelectionOps(*this);
  registerSignalOps(*this);
  registerRegionOps(*this);
  registerFoldOps(*this);
  registerLinearAttentionOps(*this);
  registerLinearAlgebraOps(*this);
  registerRandomOps(*this);
  registerTrainingOps(*this);
  registerMicrosoftAttentionOps(*this);
  registerMicrosoftFusedOps(*this);
  registerMicrosoftQuantizeOps(*this);
  registerLearningOps(*this);
  registerTreeOps(*this);
}
