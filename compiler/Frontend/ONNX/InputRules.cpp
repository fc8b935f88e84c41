#include "compiler/Frontend/ONNX/InputRules.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;

namespace {
/// The type variable of an input (0: none), and a bit for each ONNX element
/// type that it allows (no bits: not a tensor, or any).
struct InputType {
  uint8_t variable;
  uint32_t types;
};

struct InputRule {
  const char *name;
  uint64_t required; // bit i: input i must be there
  unsigned count;    // inputs described; the last one stands for all others
  InputType inputs[20];
};
} // namespace

static const InputRule rules[] = {
#define INPUT_RULE(name, required, count, ...)                                 \
  {name, required, count, {__VA_ARGS__}},
#include "compiler/Frontend/ONNX/InputRules.inc"
#undef INPUT_RULE
};

static const InputRule *findRule(const Node &node) {
  static const llvm::StringMap<const InputRule *> table = [] {
    llvm::StringMap<const InputRule *> result;
    for (const InputRule &rule : rules)
      result[rule.name] = &rule;
    return result;
  }();
  return table.lookup(node.domain.empty()
                          ? node.opType.str()
                          : (node.domain + "." + node.opType).str());
}

/// Whether an op may be given what is no tensor.
static bool takesSequences(const Node &node) {
  StringRef name = node.opType;
  return name.starts_with("Sequence") || name.starts_with("Optional") ||
         name == "ConcatFromSequence" || name == "Identity" || name == "Loop";
}

/// A bit for the ONNX type of an element; no bit when it has none.
static uint32_t typeBit(Type element) {
  for (int32_t number = 1; number <= 28; ++number)
    if (elementType(static_cast<DataType>(number), element.getContext()) ==
        element)
      return 1u << number;
  return 0;
}

static std::string namesOf(uint32_t types) {
  std::string names;
  for (int32_t number = 1; number <= 28; ++number)
    if (types >> number & 1)
      names += ((names.empty() ? "" : ", ") +
                dataTypeName(static_cast<DataType>(number)))
                   .str();
  return names;
}

LogicalResult ferrule::onnx::checkInputs(NodeContext &op) {
  const InputRule *rule = findRule(op.node);
  bool sequences = takesSequences(op.node);
  for (size_t i = 0; rule && rule->required >> i; ++i)
    if ((rule->required >> i & 1) && !op.has(i))
      return op.error() << "input " << i << " is missing";
  // An input that repeats may not be left out in between.
  bool repeats = rule && rule->count > 0 &&
                 (rule->inputs[rule->count - 1].variable ||
                  rule->inputs[rule->count - 1].types);
  for (size_t i = repeats ? rule->count - 1 : op.numInputs();
       i < op.numInputs(); ++i)
    if (!op.has(i))
      return op.error() << "input " << i << " is missing";
  llvm::SmallDenseMap<uint8_t, std::pair<size_t, Type>> variables;
  for (size_t i = 0; i < op.numInputs(); ++i) {
    if (!op.has(i))
      continue;
    Value tensor = op.input(i);
    if (!tensor && !sequences)
      return op.error() << "found a sequence or an empty optional as input "
                        << i << ", expected a tensor";
    if (!tensor || !rule || rule->count == 0)
      continue;
    const InputType &input = rule->inputs[std::min<size_t>(i, rule->count - 1)];
    Type element = frontend::elementOf(tensor);
    if (input.types && !(input.types & typeBit(element)))
      return op.error() << "found input " << i << " of type "
                        << tensor.getType() << ", expected elements of "
                        << namesOf(input.types);
    if (!input.variable || !input.types)
      continue;
    auto [first, isNew] = variables.try_emplace(input.variable, i, element);
    if (!isNew && first->second.second != element)
      return op.error() << "found element types " << first->second.second
                        << " and " << element << " of inputs "
                        << first->second.first << " and " << i
                        << ", expected equal ones";
  }
  return success();
}
