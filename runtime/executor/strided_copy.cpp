#include "runtime/executor/strided_copy.h"

#include <cstring>

using namespace ferrule::runtime;

namespace {
struct Dim {
  int64_t size, target, source;
};
} // namespace

std::vector<int64_t>
ferrule::runtime::contiguousStrides(const std::vector<int64_t> &dims) {
  std::vector<int64_t> strides(dims.size());
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= dims[i];
  }
  return strides;
}

void ferrule::runtime::expandPacked(char *target, const char *source,
                                    int64_t count,
                                    format::ElementType element) {
  unsigned bits = format::bitWidth(element), perByte = 8 / bits;
  unsigned mask = (1u << bits) - 1;
  // Subtracting what the sign bit is worth twice extends it.
  unsigned sign = format::isSignedInteger(element) ? 1u << (bits - 1) : 0;
  for (int64_t i = 0; i < count; ++i) {
    auto byte = static_cast<unsigned char>(source[i / perByte]);
    unsigned value = (byte >> (i % perByte * bits)) & mask;
    target[i] = static_cast<char>((value ^ sign) - sign);
  }
}

void ferrule::runtime::packElements(char *target, const char *source,
                                    int64_t count,
                                    format::ElementType element) {
  unsigned bits = format::bitWidth(element), perByte = 8 / bits;
  unsigned mask = (1u << bits) - 1;
  for (int64_t i = 0; i < count; i += perByte) {
    unsigned byte = 0;
    for (unsigned part = 0; part < perByte && i + part < count; ++part) {
      auto value = static_cast<unsigned char>(source[i + part]);
      byte |= (value & mask) << (part * bits);
    }
    target[i / perByte] = static_cast<char>(byte);
  }
}

void ferrule::runtime::copyStrided(char *target,
                                   const std::vector<int64_t> &targetStrides,
                                   const char *source,
                                   const std::vector<int64_t> &sourceStrides,
                                   const std::vector<int64_t> &dims,
                                   uint64_t elementBytes) {
  auto to = targetStrides.empty() ? contiguousStrides(dims) : targetStrides;
  auto from = sourceStrides.empty() ? contiguousStrides(dims) : sourceStrides;
  auto width = static_cast<int64_t>(elementBytes);
  // Neighbours that are contiguous on both sides become one dim; the element
  // itself is the innermost.
  std::vector<Dim> nest = {{width, 1, 1}};
  for (size_t i = dims.size(); i-- > 0;) {
    if (dims[i] == 0)
      return;
    if (dims[i] == 1)
      continue;
    Dim next = {dims[i], to[i] * width, from[i] * width};
    Dim &inner = nest.back();
    if (next.target == inner.size * inner.target &&
        next.source == inner.size * inner.source)
      inner.size *= next.size;
    else
      nest.push_back(next);
  }
  std::vector<int64_t> index(nest.size(), 0);
  auto bytes = static_cast<size_t>(nest[0].size);
  while (true) {
    std::memcpy(target, source, bytes);
    size_t level = 1;
    for (; level < nest.size(); ++level) {
      target += nest[level].target, source += nest[level].source;
      if (++index[level] < nest[level].size)
        break;
      target -= nest[level].target * nest[level].size;
      source -= nest[level].source * nest[level].size;
      index[level] = 0;
    }
    if (level == nest.size())
      return;
  }
}
