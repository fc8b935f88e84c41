#include "runtime/executor/request.h"
#include "runtime/executor/strided_copy.h"

#include "runtime/executor/interpreter.h"
#include "runtime/executor/plan.h"

#include <algorithm>
#include <cstring>

using namespace ferrule;
using namespace ferrule::runtime;

static std::string text(int64_t number) { return std::to_string(number); }

/// Bytes of a value while the program works on it.
static uint64_t workingBytes(const HostBuffer &buffer) {
  if (format::isPacked(buffer.element))
    return *format::elementCount(buffer.dims);
  return *format::byteSize(buffer.element, buffer.dims);
}

static bool contiguous(const HostBuffer &buffer) {
  int64_t expected = 1;
  if (buffer.strides.empty())
    return true;
  for (size_t i = buffer.dims.size(); i-- > 0;) {
    if (buffer.dims[i] == 0)
      return true;
    if (buffer.dims[i] != 1 && buffer.strides[i] != expected)
      return false;
    expected *= buffer.dims[i];
  }
  return true;
}

static bool usedInPlace(const HostBuffer &buffer) {
  return contiguous(buffer) && !format::isPacked(buffer.element);
}

Request::Request(std::shared_ptr<const Session> session,
                 const DecodedFunction &function)
    : owner(std::move(session)), entry(function), inputs(function.inputCount()),
      results(function.outputCount()),
      frames(owner->program().functions().size()),
      staticArena(owner->allocator()), arena(owner->allocator()) {
  for (Input &input : inputs)
    input.copy = Block(owner->allocator());
  for (uint32_t i = 0; i < function.outputCount(); ++i)
    outputs.emplace_back().own = Block(owner->allocator());
  plan = Plan::make(*owner, entry);
}

Request::~Request() = default;

Frame &Request::frame(uint32_t function) {
  std::unique_ptr<Frame> &slot = frames[function];
  if (!slot)
    slot = std::make_unique<Frame>(owner->program().functions()[function]);
  return *slot;
}

Status Request::checkType(const char *role, const format::Value &value,
                          const HostBuffer &buffer) const {
  auto expected = format::dimsOf(value.dims());
  bool same = buffer.element == value.element_type() &&
              buffer.dims.size() == expected.size();
  for (size_t i = 0; same && i < expected.size(); ++i)
    same = expected[i] < 0 || expected[i] == buffer.dims[i];
  auto bytes = format::byteSize(buffer.element, buffer.dims);
  std::string name = std::string(role) + " '" + value.name()->str() + "'";
  if (!same || !bytes)
    return invalidArgument(
        name + " is " + format::typeText(buffer.element, buffer.dims) +
        ", expected " + format::typeText(value.element_type(), expected));
  if (!buffer.data && *bytes != 0)
    return invalidArgument(name + " has no memory");
  if (!buffer.strides.empty() && buffer.strides.size() != buffer.dims.size())
    return invalidArgument(name + " has " + text(buffer.strides.size()) +
                           " strides, expected " + text(buffer.dims.size()));
  if (!contiguous(buffer) && format::bitWidth(buffer.element) % 8 != 0)
    return invalidArgument(name + " has packed elements and must be "
                                  "contiguous");
  return {};
}

Status Request::setInput(uint32_t index, HostBuffer buffer) {
  if (index >= inputs.size())
    return invalidArgument("input " + text(index) + " does not exist, '" +
                           entry.name + "' has " + text(inputs.size()));
  FERRULE_RETURN_IF_ERROR(checkType("input", inputValue(index), buffer));
  inputs[index].isContiguous = usedInPlace(buffer);
  inputs[index].bound = std::move(buffer);
  return {};
}

Status Request::setOutput(uint32_t index, HostBuffer buffer) {
  if (index >= outputs.size())
    return invalidArgument("output " + text(index) + " does not exist, '" +
                           entry.name + "' has " + text(outputs.size()));
  const format::Value &value = outputValue(index);
  if (value.alias_input() >= 0)
    return invalidArgument("output '" + value.name()->str() +
                           "' is written in place of an input and takes no "
                           "memory of its own");
  FERRULE_RETURN_IF_ERROR(checkType("output", value, buffer));
  outputs[index].isContiguous = usedInPlace(buffer);
  outputs[index].bound = std::move(buffer);
  return {};
}

void Request::clearOutput(uint32_t index) {
  if (index < outputs.size())
    outputs[index].bound = {};
}

Block Request::takeOutput(uint32_t index) {
  if (index >= outputs.size() ||
      results[index].data != outputs[index].own.data())
    return {};
  results[index] = {};
  Block taken = std::move(outputs[index].own);
  outputs[index].own = Block(owner->allocator());
  return taken;
}

Status Request::checkRange(uint32_t symbol, int64_t size,
                           const std::string &place) const {
  // Symbols that only dims mention may have any size.
  const auto *declared = owner->program().source().symbols();
  if (!declared || symbol >= declared->size())
    return {};
  const format::Symbol &range = *declared->Get(symbol);
  if (size >= range.minimum() &&
      (range.maximum() < 0 || size <= range.maximum()))
    return {};
  return invalidArgument(
      place + " is " + text(size) + ", '" + range.name()->str() + "' may be " +
      text(range.minimum()) + " to " +
      (range.maximum() < 0 ? "any size" : text(range.maximum())));
}

Status Request::checkSymbols() {
  const auto &names = owner->program().symbols();
  symbolSizes.assign(names.size(), std::nullopt);
  std::vector<std::string> definedBy(names.size());
  auto place = [&](uint32_t input, size_t dim) {
    return "dim " + text(dim) + " of input '" +
           inputValue(input).name()->str() + "'";
  };
  for (uint32_t i = 0; i < inputs.size(); ++i)
    for (size_t d = 0; d < entry.dims[i].size(); ++d) {
      auto symbol =
          entry.dims[i][d] ? entry.dims[i][d]->asSymbol() : std::nullopt;
      if (!symbol)
        continue;
      int64_t size = inputs[i].bound.dims[d];
      if (symbolSizes[*symbol] && *symbolSizes[*symbol] != size)
        return invalidArgument(place(i, d) + " is " + text(size) + ", but '" +
                               names[*symbol] + "' is " +
                               text(*symbolSizes[*symbol]) + " in " +
                               definedBy[*symbol]);
      FERRULE_RETURN_IF_ERROR(checkRange(*symbol, size, place(i, d)));
      symbolSizes[*symbol] = size;
      definedBy[*symbol] = place(i, d);
    }
  for (uint32_t i = 0; i < inputs.size(); ++i)
    for (size_t d = 0; d < entry.dims[i].size(); ++d) {
      if (!entry.dims[i][d])
        continue;
      auto expected = entry.dims[i][d]->evaluate(symbolSizes);
      if (expected && *expected != inputs[i].bound.dims[d])
        return invalidArgument(place(i, d) + " is " +
                               text(inputs[i].bound.dims[d]) + ", expected " +
                               inputValue(i)
                                   .dim_expressions()
                                   ->Get(static_cast<uint32_t>(d))
                                   ->str() +
                               " = " + text(*expected));
    }
  return {};
}

Status Request::prepareInputs() {
  for (uint32_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].bound.element == format::ElementType::None)
      return invalidArgument("input '" + inputValue(i).name()->str() +
                             "' is not bound");
  FERRULE_RETURN_IF_ERROR(checkSymbols());
  for (Input &input : inputs) {
    if (input.isContiguous)
      continue;
    const HostBuffer &bound = input.bound;
    if (!input.copy.reserve(workingBytes(bound)))
      return {Code::OutOfMemory, "no memory for a contiguous copy of an input"};
    if (format::isPacked(bound.element)) {
      expandPacked(input.copy.data(), static_cast<const char *>(bound.data),
                   static_cast<int64_t>(workingBytes(bound)), bound.element);
      continue;
    }
    copyStrided(input.copy.data(), {}, static_cast<const char *>(bound.data),
                bound.strides, bound.dims, format::bitWidth(bound.element) / 8);
  }
  return {};
}

char *Request::inputMemory(uint32_t index) const {
  // An empty buffer may come without memory, but registers must be set.
  static char nothing[kBufferAlignment];
  const Input &input = inputs[index];
  char *data = input.isContiguous ? static_cast<char *>(input.bound.data)
                                  : input.copy.data();
  return data ? data : nothing;
}

Status Request::wrongOutput(uint32_t index,
                            std::span<const int64_t> dims) const {
  const HostBuffer &bound = outputs[index].bound;
  return invalidArgument("output '" + outputValue(index).name()->str() +
                         "' is " + format::typeText(bound.element, dims) +
                         ", the bound memory is " +
                         format::typeText(bound.element, bound.dims));
}

Status Request::outputMemory(uint32_t index, uint64_t bytes,
                             std::span<const int64_t> dims, char *&memory) {
  Output &output = outputs[index];
  const HostBuffer &bound = output.bound;
  if (bound.element != format::ElementType::None) {
    // The memory may be made under another shape and reshaped on return.
    if (bytes != workingBytes(bound))
      return wrongOutput(index, dims);
    if (output.isContiguous && bound.data) {
      memory = static_cast<char *>(bound.data);
      return {};
    }
  }
  if (output.own.data() && output.own.capacity() < bytes) {
    // A register may still refer to the smaller one.
    retired.push_back(std::move(output.own));
    output.own = Block(owner->allocator());
  }
  if (!output.own.reserve(bytes))
    return {Code::OutOfMemory, "no memory for an output of " +
                                   text(static_cast<int64_t>(bytes)) +
                                   " bytes"};
  memory = output.own.data();
  return {};
}

// Strided memory that was bound gets what was computed in contiguous memory.
Status Request::finishOutputs() {
  for (uint32_t i = 0; i < outputs.size(); ++i) {
    int32_t alias = outputValue(i).alias_input();
    HostBuffer *bound = alias >= 0 ? &inputs[alias].bound : &outputs[i].bound;
    bool isContiguous =
        alias >= 0 ? inputs[alias].isContiguous : outputs[i].isContiguous;
    if (format::isPacked(results[i].element)) {
      // In place when nobody gave memory for it.
      auto *data = static_cast<char *>(results[i].data);
      auto *target = bound->data ? static_cast<char *>(bound->data) : data;
      packElements(target, data, static_cast<int64_t>(workingBytes(results[i])),
                   results[i].element);
      results[i].data = target;
      continue;
    }
    if (!bound->data || isContiguous)
      continue;
    copyStrided(static_cast<char *>(bound->data), bound->strides,
                static_cast<const char *>(results[i].data), {}, bound->dims,
                format::bitWidth(bound->element) / 8);
    results[i] = *bound;
  }
  return {};
}

Status Request::run(const RunOptions &options) {
  FERRULE_RETURN_IF_ERROR(prepareInputs());
  retired.clear();
  arena.reset();
  if (!staticArena.reserve(entry.arenaWithCalls))
    return {Code::OutOfMemory,
            "no memory for an arena of " +
                text(static_cast<int64_t>(entry.arenaWithCalls)) + " bytes"};
  for (HostBuffer &result : results)
    result = {};
  StandardArithmetic arithmetic;
  if (plan) {
    FERRULE_RETURN_IF_ERROR(runPlan(options));
    return finishOutputs();
  }
  Interpreter interpreter(*this, options);
  FERRULE_RETURN_IF_ERROR(interpreter.run());
  return finishOutputs();
}

Status Request::runPlan(const RunOptions &options) {
  std::vector<char *> &bases = plan->bases();
  size_t next = 0;
  bases[next++] = staticArena.data();
  for (uint32_t i = 0; i < inputs.size(); ++i)
    bases[next++] = inputMemory(i);
  for (uint32_t i = 0; i < outputs.size(); ++i) {
    const format::Value &value = outputValue(i);
    auto dims = format::dimsOf(value.dims());
    char *memory = nullptr;
    if (value.alias_input() >= 0)
      memory = inputMemory(static_cast<uint32_t>(value.alias_input()));
    else
      FERRULE_RETURN_IF_ERROR(
          outputMemory(i, plan->outputs()[i].bytes, dims, memory));
    bases[next++] = memory;
    results[i].data = memory;
    results[i].element = value.element_type();
    results[i].dims.assign(dims.begin(), dims.end());
  }
  return plan->run(*owner, scratch, options);
}
