#include "runtime/command/input_spec.h"

#include "runtime/command/scalar_text.h"
#include "runtime/format/element_type.h"

#include <optional>

using namespace ferrule;
using namespace ferrule::command;

[[noreturn]] static void bad(const std::string &message) {
  throw Error(FERRULE_INVALID_ARGUMENT, message);
}

static std::string typeText(ferrule_element_type type,
                            const std::vector<int64_t> &dims) {
  return format::typeText(static_cast<format::ElementType>(type), dims);
}

static std::string inputList(const FunctionInfo &function) {
  std::string text;
  for (const ValueInfo &input : function.inputs)
    text += (text.empty() ? "" : ", ") + input.name + ": " + input.text();
  return text.empty() ? "none" : text;
}

static Array emptyArray(ferrule_element_type type,
                        const std::vector<int64_t> &dims) {
  Array array;
  array.type = type;
  array.dims = dims;
  array.elementBytes = (ferrule_element_type_bits(type) + 7) / 8;
  auto bytes = format::byteSize(static_cast<format::ElementType>(type), dims);
  if (!bytes || *bytes > uint64_t(1) << 40)
    bad("an array of type " + typeText(type, dims) + " is too large");
  array.data.resize(*bytes);
  return array;
}

// A 64-bit generator whose steps are spread by multiplication, so that
// neighbouring seeds give unrelated sequences.
static uint64_t nextRandom(uint64_t &state) {
  state += 0x9e3779b97f4a7c15;
  uint64_t word = state;
  word = (word ^ word >> 32) * 0xd6e8feb86659fd93;
  word = (word ^ word >> 29) * 0xd6e8feb86659fd93;
  return word ^ word >> 32;
}

Array ferrule::command::randomArray(ferrule_element_type type,
                                    const std::vector<int64_t> &dims,
                                    uint64_t seed) {
  Array array = emptyArray(type, dims);
  auto element = static_cast<format::ElementType>(type);
  bool whole =
      format::isSignedInteger(element) || format::isUnsignedInteger(element);
  uint64_t largest = format::bitWidth(element) < 8 ? 2 : 10;
  uint64_t count = array.view().elements(), state = seed;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t word = nextRandom(state);
    double number = type == FERRULE_I1 ? static_cast<double>(word & 1)
                    : whole ? static_cast<double>(word % largest)
                            : static_cast<double>(word >> 11) * 0x1p-52 - 1;
    storeNumber(type, array.data.data(), i, number);
  }
  return array;
}

namespace {
struct ParsedType {
  ferrule_element_type type;
  std::vector<int64_t> dims;
};
} // namespace

/// "3x4xf32", or none.
static std::optional<ParsedType> parseType(const std::string &text) {
  ParsedType result;
  size_t at = 0;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
    char *end = nullptr;
    result.dims.push_back(std::strtoll(text.c_str() + at, &end, 10));
    at = static_cast<size_t>(end - text.c_str());
    if (at >= text.size() || text[at] != 'x')
      return std::nullopt;
    ++at;
  }
  auto element = format::parseElementType(text.substr(at));
  if (!element)
    return std::nullopt;
  result.type = static_cast<ferrule_element_type>(*element);
  return result;
}

static Array randomFor(const ValueInfo &input, uint64_t seed) {
  for (int64_t dim : input.dims)
    if (dim < 0)
      bad("input '" + input.name + "' is " + input.text() +
          ": give its sizes, as in --input=" + input.name + "=2x3xf32=random");
  return randomArray(input.type, input.dims, seed);
}

static Array fromNumbers(const ParsedType &type, const std::string &numbers,
                         const std::string &name) {
  Array array = emptyArray(type.type, type.dims);
  uint64_t count = array.view().elements();
  std::vector<std::string> parts;
  for (size_t start = 0; start <= numbers.size();) {
    size_t end = std::min(numbers.find(',', start), numbers.size());
    parts.push_back(numbers.substr(start, end - start));
    start = end + 1;
  }
  if (parts.size() != 1 && parts.size() != count)
    bad("input '" + name + "' has " + std::to_string(parts.size()) +
        " numbers, expected 1 or " + std::to_string(count));
  for (uint64_t i = 0; i < count; ++i)
    storeText(type.type, array.data.data(), i,
              parts[parts.size() == 1 ? 0 : i]);
  return array;
}

static Array makeInput(const ValueInfo &input, const std::string &value,
                       uint64_t seed) {
  if (value.starts_with('@')) {
    Array array = readNpy(value.substr(1));
    // NumPy writes the types it does not know by their size alone.
    if (array.type == FERRULE_NONE &&
        array.elementBytes * 8 == ferrule_element_type_bits(input.type))
      array.type = input.type;
    if (array.type == FERRULE_NONE)
      bad(value.substr(1) + ": opaque elements of " +
          std::to_string(array.elementBytes) + " bytes do not fit input '" +
          input.name + "' of type " + input.text());
    return array;
  }
  if (value == "random")
    return randomFor(input, seed);
  size_t equals = value.find('=');
  auto type = parseType(value.substr(0, equals));
  if (!type && equals == std::string::npos) {
    // A bare number fills an input whose sizes are known.
    for (int64_t dim : input.dims)
      if (dim < 0)
        bad("input '" + input.name + "' is " + input.text() +
            ": give its sizes, as in 2x3xf32=" + value);
    return fromNumbers({input.type, input.dims}, value, input.name);
  }
  if (!type)
    bad("input '" + input.name + "': '" + value.substr(0, equals) +
        "' is no type like 3x4xf32");
  std::string numbers =
      equals == std::string::npos ? "0" : value.substr(equals + 1);
  if (numbers == "random")
    return randomArray(type->type, type->dims, seed);
  return fromNumbers(*type, numbers, input.name);
}

std::vector<Array>
ferrule::command::makeInputs(const FunctionInfo &function,
                             const std::vector<std::string> &texts,
                             bool fillRandom) {
  std::vector<std::optional<Array>> arrays(function.inputs.size());
  size_t position = 0;
  for (const std::string &text : texts) {
    size_t index = position, equals = text.find('=');
    std::string value = text;
    if (!text.starts_with('@')) {
      if (equals == std::string::npos)
        bad("--input=" + text + ": expected NAME=VALUE or @FILE.npy");
      std::string name = text.substr(0, equals);
      value = text.substr(equals + 1);
      for (index = 0; index < arrays.size(); ++index)
        if (function.inputs[index].name == name)
          break;
      if (index == arrays.size())
        bad("no input '" + name + "', '" + function.name +
            "' has: " + inputList(function));
    } else {
      ++position;
    }
    if (index >= arrays.size())
      bad("more inputs than '" + function.name +
          "' has: " + inputList(function));
    arrays[index] = makeInput(function.inputs[index], value, index + 1);
  }
  std::vector<Array> result;
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (!arrays[i]) {
      if (!fillRandom)
        bad("input '" + function.inputs[i].name + "' is missing, '" +
            function.name + "' has: " + inputList(function));
      arrays[i] = randomFor(function.inputs[i], i + 1);
    }
    result.push_back(std::move(*arrays[i]));
  }
  return result;
}
