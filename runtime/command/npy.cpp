#include "runtime/command/npy.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

using namespace ferrule;
using namespace ferrule::command;

namespace {

struct Row {
  const char *text; ///< Kind and bytes, without byte order.
  ferrule_element_type type;
};
constexpr Row kRows[] = {
    {"b1", FERRULE_I1},  {"i1", FERRULE_I8},    {"i2", FERRULE_I16},
    {"i4", FERRULE_I32}, {"i8", FERRULE_I64},   {"u1", FERRULE_U8},
    {"u2", FERRULE_U16}, {"u4", FERRULE_U32},   {"u8", FERRULE_U64},
    {"f2", FERRULE_F16}, {"f4", FERRULE_F32},   {"f8", FERRULE_F64},
    {"c8", FERRULE_C64}, {"c16", FERRULE_C128},
};

[[noreturn]] void bad(const std::string &name, const std::string &what) {
  throw Error(FERRULE_INVALID_ARGUMENT, name + ": not a .npy file: " + what);
}

/// The text after 'key': in the header's dictionary.
std::string field(const std::string &header, const std::string &key,
                  const std::string &name) {
  size_t at = header.find("'" + key + "'");
  size_t colon = header.find(':', at);
  if (at == std::string::npos || colon == std::string::npos)
    bad(name, "its header has no '" + key + "'");
  size_t start = header.find_first_not_of(' ', colon + 1);
  size_t end = start == std::string::npos ? start
               : header[start] == '('     ? header.find(')', start)
               : header[start] == '\''    ? header.find('\'', start + 1)
                                          : header.find_first_of(",}", start);
  if (end == std::string::npos)
    bad(name, "its header is malformed");
  return header.substr(start, end - start);
}

std::vector<int64_t> parseShape(const std::string &text,
                                const std::string &name) {
  std::vector<int64_t> dims;
  std::istringstream stream(text.substr(1));
  std::string part;
  while (std::getline(stream, part, ',')) {
    size_t start = part.find_first_not_of(' ');
    if (start == std::string::npos)
      continue;
    char *end = nullptr;
    errno = 0;
    long long dim = std::strtoll(part.c_str() + start, &end, 10);
    if (errno != 0 || dim < 0 || end == part.c_str() + start)
      bad(name, "its shape is malformed");
    dims.push_back(dim);
  }
  return dims;
}

// Complex numbers are two numbers of half the size.
void swapBytes(Array &array) {
  size_t width = array.elementBytes;
  if (array.type == FERRULE_C64 || array.type == FERRULE_C128)
    width /= 2;
  for (size_t i = 0; width > 1 && i + width <= array.data.size(); i += width)
    std::reverse(array.data.data() + i, array.data.data() + i + width);
}

} // namespace

Array ferrule::command::parseNpy(const std::string &bytes,
                                 const std::string &name) {
  if (bytes.size() < 12 || bytes.compare(0, 6, "\x93NUMPY") != 0)
    bad(name, "it lacks the identifier");
  bool longForm = bytes[6] >= 2;
  size_t headerAt = longForm ? 12 : 10;
  uint32_t headerSize = 0;
  std::memcpy(&headerSize, bytes.data() + 8, longForm ? 4 : 2);
  if (headerSize > bytes.size() - headerAt)
    bad(name, "its header exceeds it");
  std::string header = bytes.substr(headerAt, headerSize);

  Array array;
  std::string type = field(header, "descr", name);
  if (type.size() < 4 || type[0] != '\'')
    bad(name, "structured types are not supported");
  char order = type[1];
  std::string kind = type.substr(2);
  if (kind.size() > 6 ||
      kind.find_first_not_of("0123456789", 1) != std::string::npos)
    bad(name, "its type '" + kind + "' is not supported");
  array.elementBytes = static_cast<unsigned>(std::stoul(kind.substr(1)));
  for (const Row &row : kRows)
    if (kind == row.text)
      array.type = row.type;
  if (array.type == FERRULE_NONE && kind[0] != 'V')
    bad(name, "its type '" + kind + "' is not supported");
  array.dims = parseShape(field(header, "shape", name), name);

  uint64_t size = array.elementBytes;
  for (int64_t dim : array.dims)
    if (__builtin_mul_overflow(size, static_cast<uint64_t>(dim), &size))
      bad(name, "its shape is too large");
  const size_t dataAt = headerAt + headerSize;
  if (size != bytes.size() - dataAt)
    bad(name, std::to_string(bytes.size() - dataAt) + " bytes of data, " +
                  std::to_string(size) + " expected by its header");
  array.data.assign(bytes.begin() + static_cast<ptrdiff_t>(dataAt),
                    bytes.end());
  if (order == '>')
    swapBytes(array);
  if (field(header, "fortran_order", name) == "True" && array.dims.size() > 1) {
    int64_t stride = 1;
    for (int64_t dim : array.dims) {
      array.strides.push_back(stride);
      stride *= dim;
    }
  }
  return array;
}

Array ferrule::command::readNpy(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error(FERRULE_NOT_FOUND,
                "cannot read '" + path + "': " + std::strerror(errno));
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return parseNpy(bytes.str(), path);
}

std::string ferrule::command::formatNpy(const BufferView &buffer) {
  unsigned bits = ferrule_element_type_bits(buffer.type);
  if (bits % 8 != 0 || bits == 0)
    throw Error(FERRULE_UNSUPPORTED,
                std::string("cannot write ") +
                    ferrule_element_type_name(buffer.type) +
                    " to a .npy file: its elements are packed");
  std::string type = "V" + std::to_string(bits / 8);
  for (const Row &row : kRows)
    if (row.type == buffer.type)
      type = row.text;
  std::string shape;
  for (int64_t dim : buffer.dims)
    shape += std::to_string(dim) + (buffer.dims.size() == 1 ? "," : ", ");
  if (buffer.dims.size() > 1)
    shape.resize(shape.size() - 2);
  std::string header = std::string("{'descr': '") + (bits == 8 ? "|" : "<") +
                       type + "', 'fortran_order': False, 'shape': (" + shape +
                       "), }";
  // The data starts at a multiple of 64, after a line end.
  while ((10 + header.size() + 1) % 64 != 0)
    header += ' ';
  header += '\n';
  auto size = static_cast<uint16_t>(header.size());
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes.append(reinterpret_cast<const char *>(&size), 2);
  bytes += header;
  if (buffer.bytes() != 0)
    bytes.append(static_cast<const char *>(buffer.data), buffer.bytes());
  return bytes;
}

void ferrule::command::writeNpy(const std::string &path,
                                const BufferView &buffer) {
  std::string bytes = formatNpy(buffer);
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file)
    throw Error(FERRULE_INVALID_ARGUMENT,
                "cannot write '" + path + "': " + std::strerror(errno));
}
