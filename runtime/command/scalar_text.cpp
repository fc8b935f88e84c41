#include "runtime/command/scalar_text.h"

#include "runtime/executor/compute.h"
#include "runtime/format/element_type.h"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace ferrule;
using namespace ferrule::command;
using format::ElementType;
using format::ScalarType;

// Elements are read and written as the program's own scalar instructions do.
static ScalarType scalarType(ferrule_element_type type) {
  auto scalar = format::scalarTypeFor(static_cast<ElementType>(type));
  if (!scalar)
    throw Error(FERRULE_UNSUPPORTED, std::string("elements of type ") +
                                         ferrule_element_type_name(type) +
                                         " have no text");
  return *scalar;
}

void ferrule::command::storeNumber(ferrule_element_type type, void *data,
                                   uint64_t index, double number) {
  if (type == FERRULE_C64 || type == FERRULE_C128) {
    auto part = type == FERRULE_C64 ? FERRULE_F32 : FERRULE_F64;
    storeNumber(part, data, 2 * index, number);
    return storeNumber(part, data, 2 * index + 1, 0);
  }
  int64_t slot;
  switch (scalarType(type)) {
  case ScalarType::F64:
    slot = std::bit_cast<int64_t>(number);
    break;
  case ScalarType::F32:
    slot = std::bit_cast<uint32_t>(static_cast<float>(number));
    break;
  case ScalarType::I1:
    slot = number != 0;
    break;
  default:
    slot = static_cast<int64_t>(number);
    break;
  }
  runtime::storeElement(static_cast<ElementType>(type),
                        static_cast<char *>(data), static_cast<int64_t>(index),
                        slot);
}

void ferrule::command::storeText(ferrule_element_type type, void *data,
                                 uint64_t index, const std::string &text) {
  char *end = nullptr;
  bool complex = type == FERRULE_C64 || type == FERRULE_C128;
  if (type == FERRULE_I1 && (text == "true" || text == "false"))
    return storeNumber(type, data, index, text == "true");
  if (!complex && scalarType(type) == ScalarType::I64) {
    int64_t value =
        text.starts_with('-')
            ? std::strtoll(text.c_str(), &end, 0)
            : static_cast<int64_t>(std::strtoull(text.c_str(), &end, 0));
    if (end != text.c_str() && *end == 0)
      return runtime::storeElement(static_cast<ElementType>(type),
                                   static_cast<char *>(data),
                                   static_cast<int64_t>(index), value);
  }
  double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != 0)
    throw Error(FERRULE_INVALID_ARGUMENT, "'" + text + "' is no number");
  storeNumber(type, data, index, number);
}

std::string ferrule::command::numberText(ferrule_element_type type,
                                         const void *data, uint64_t index) {
  if (type == FERRULE_C64 || type == FERRULE_C128) {
    auto part = type == FERRULE_C64 ? FERRULE_F32 : FERRULE_F64;
    return "(" + numberText(part, data, 2 * index) + ", " +
           numberText(part, data, 2 * index + 1) + ")";
  }
  ScalarType scalar = scalarType(type);
  int64_t slot = runtime::loadElement(static_cast<ElementType>(type),
                                      static_cast<const char *>(data),
                                      static_cast<int64_t>(index));
  char text[40];
  switch (scalar) {
  case ScalarType::I1:
    return slot ? "true" : "false";
  case ScalarType::F64:
    std::snprintf(text, sizeof(text), "%.17g", std::bit_cast<double>(slot));
    return text;
  case ScalarType::F32:
    std::snprintf(text, sizeof(text), "%.9g",
                  std::bit_cast<float>(static_cast<uint32_t>(slot)));
    return text;
  default:
    return type == FERRULE_U64 ? std::to_string(static_cast<uint64_t>(slot))
                               : std::to_string(slot);
  }
}

static void append(const BufferView &buffer, size_t dim, uint64_t &index,
                   std::string &text) {
  if (dim == buffer.dims.size()) {
    text += numberText(buffer.type, buffer.data, index++);
    return;
  }
  uint64_t inner = 1;
  for (size_t i = dim + 1; i < buffer.dims.size(); ++i)
    inner *= static_cast<uint64_t>(buffer.dims[i]);
  int64_t size = buffer.dims[dim];
  bool shorten = buffer.elements() > 1000 && size > 6;
  text += "[";
  for (int64_t i = 0; i < size; ++i) {
    if (i != 0)
      text += ", ";
    if (shorten && i == 3) {
      text += "..., ";
      index += inner * static_cast<uint64_t>(size - 6);
      i = size - 3;
    }
    append(buffer, dim + 1, index, text);
  }
  text += "]";
}

std::string ferrule::command::arrayText(const BufferView &buffer) {
  std::string text;
  uint64_t index = 0;
  append(buffer, 0, index, text);
  return text;
}
