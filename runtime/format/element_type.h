// What is known about the element types of program.fbs.
#ifndef FERRULE_FORMAT_ELEMENT_TYPE_H
#define FERRULE_FORMAT_ELEMENT_TYPE_H

#include "runtime/format/program_generated.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ferrule::format {

/// Bits of one stored element; 0 for None, String and Token.
unsigned bitWidth(ElementType type);

/// "f32", "i8", "ui8", "bf16", "i1", "c64" ...
std::string_view elementTypeName(ElementType type);
std::optional<ElementType> parseElementType(std::string_view name);

bool isFloat(ElementType type);
bool isSignedInteger(ElementType type);
bool isUnsignedInteger(ElementType type);

/// The signed type of the same width for unsigned integers, else the type
/// itself: registers hold signless integers.
ElementType signless(ElementType type);

/// Whether several elements share a byte in the memory of inputs and outputs.
/// Programs work on one byte an element: runs expand and pack at their border.
bool isPacked(ElementType type);

/// Whether a register of one type may hold an input or output of the other.
bool holds(ElementType registerType, ElementType value);

/// The scalar register that Load and Store use for the type; none for complex,
/// 8-bit and smaller floats, strings and tokens.
std::optional<ScalarType> scalarTypeFor(ElementType type);

/// A dims field that may be absent.
inline std::span<const int64_t>
dimsOf(const flatbuffers::Vector<int64_t> *dims) {
  if (!dims)
    return {};
  return {dims->data(), dims->size()};
}

/// FlatBuffers' own verifier checks where vectors end, not how they are
/// aligned.
template <typename Vector> bool isAligned(const Vector *vector) {
  return !vector || reinterpret_cast<uintptr_t>(vector->Data()) % 8 == 0;
}

/// Number of elements, or none when a size is negative or the product exceeds
/// 2^62.
std::optional<uint64_t> elementCount(std::span<const int64_t> dims);

/// Bytes of a contiguous buffer, or none as above.
std::optional<uint64_t> byteSize(ElementType type,
                                 std::span<const int64_t> dims);

/// "2x?x3xf32", for messages.
std::string typeText(ElementType type, std::span<const int64_t> dims);

} // namespace ferrule::format

#endif // FERRULE_FORMAT_ELEMENT_TYPE_H
