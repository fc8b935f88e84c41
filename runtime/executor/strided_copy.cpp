#include "runtime/executor/request.h"

#include <cstring>

using namespace ferrule::runtime;

namespace {
struct Dim {
  int64_t size, target, source;
};
} // namespace

static std::vector<int64_t> contiguous(const std::vector<int64_t> &dims) {
  std::vector<int64_t> strides(dims.size());
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= dims[i];
  }
  return strides;
}

void ferrule::runtime::copyStrided(char *target,
                                   const std::vector<int64_t> &targetStrides,
                                   const char *source,
                                   const std::vector<int64_t> &sourceStrides,
                                   const std::vector<int64_t> &dims,
                                   uint64_t elementBytes) {
  auto to = targetStrides.empty() ? contiguous(dims) : targetStrides;
  auto from = sourceStrides.empty() ? contiguous(dims) : sourceStrides;
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
