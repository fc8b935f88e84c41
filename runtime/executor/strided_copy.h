// Copies of elements between layouts.
#ifndef FERRULE_EXECUTOR_STRIDED_COPY_H
#define FERRULE_EXECUTOR_STRIDED_COPY_H

#include "runtime/format/element_type.h"

#include <cstdint>
#include <vector>

namespace ferrule::runtime {

/// Elements that share bytes, lowest bits first, to one byte each; integers
/// with a sign are extended by it. The other way what does not fit goes, and
/// both may be the same memory.
void expandPacked(char *target, const char *source, int64_t count,
                  format::ElementType element);
void packElements(char *target, const char *source, int64_t count,
                  format::ElementType element);

/// Steps, in elements, of a row-major array.
std::vector<int64_t> contiguousStrides(const std::vector<int64_t> &dims);

/// Copies between strided and contiguous layouts of elements of whole bytes.
/// Strides count elements;
/// empty ones are contiguous.
void copyStrided(char *target, const std::vector<int64_t> &targetStrides,
                 const char *source, const std::vector<int64_t> &sourceStrides,
                 const std::vector<int64_t> &dims, uint64_t elementBytes);

} // namespace ferrule::runtime

#endif // FERRULE_EXECUTOR_STRIDED_COPY_H
