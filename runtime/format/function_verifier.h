// Checks one function of a program; the private half of verify_function.cpp
// and verify_instructions.cpp.
#ifndef FERRULE_FORMAT_FUNCTION_VERIFIER_H
#define FERRULE_FORMAT_FUNCTION_VERIFIER_H

#include "runtime/format/element_type.h"
#include "runtime/format/program_file.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ferrule::format {

using runtime::Status;
using Registers = const flatbuffers::Vector<uint32_t> *;

class FunctionVerifier {
public:
  FunctionVerifier(const Program &program, const Function &function)
      : program(program), function(function) {
    if (program.symbols())
      for (const Symbol *symbol : *program.symbols())
        symbols.push_back(symbol->name()->str());
  }

  Status verify();

private:
  template <typename Vector> static uint32_t sizeOf(const Vector *vector) {
    return vector ? vector->size() : 0;
  }
  Status bad(const std::string &message) const {
    return runtime::badFile("damaged program: function '" +
                            function.name()->str() + "': " + where + message);
  }

  Status registers();
  Status values();
  Status value(const Value &value, bool output);
  Status block(uint32_t index);
  Status instruction(const Instruction &instruction);

  Status check(const Dispatch &op);
  Status check(const CallProvider &op);
  Status check(const CallFunction &op);
  Status check(const Alloc &op);
  Status check(const View &op);
  Status check(const Dim &op);
  Status check(const LoadConstant &op);
  Status check(const Compute &op);
  Status check(const Branch &op);
  Status check(const Return &op);
  Status element(uint32_t buffer, uint32_t scalar, Registers indices);

  // Register checks. A list may be absent, which is the empty list.
  Status buffer(uint32_t number) const {
    if (number < sizeOf(function.buffer_registers()))
      return {};
    return bad("buffer register " + std::to_string(number) + " does not exist");
  }
  Status scalar(uint32_t number) const {
    if (number < sizeOf(function.scalar_registers()))
      return {};
    return bad("scalar register " + std::to_string(number) + " does not exist");
  }
  Status scalar(uint32_t number, ScalarType type) const {
    FERRULE_RETURN_IF_ERROR(scalar(number));
    if (scalarType(number) == type)
      return {};
    return bad("scalar register " + std::to_string(number) + " is " +
               EnumNameScalarType(scalarType(number)) + ", expected " +
               EnumNameScalarType(type));
  }
  Status buffers(Registers list) const {
    for (uint32_t i = 0; i < sizeOf(list); ++i)
      FERRULE_RETURN_IF_ERROR(buffer(list->Get(i)));
    return {};
  }
  Status scalars(Registers list) const {
    for (uint32_t i = 0; i < sizeOf(list); ++i)
      FERRULE_RETURN_IF_ERROR(scalar(list->Get(i)));
    return {};
  }
  Status integers(Registers list) const {
    for (uint32_t i = 0; i < sizeOf(list); ++i)
      FERRULE_RETURN_IF_ERROR(scalar(list->Get(i), ScalarType::I64));
    return {};
  }
  Status count(const char *what, uint32_t found, uint32_t expected) const {
    if (found == expected)
      return {};
    return bad(std::to_string(found) + " " + what + ", expected " +
               std::to_string(expected));
  }

  ScalarType scalarType(uint32_t number) const {
    return static_cast<ScalarType>(function.scalar_registers()->Get(number));
  }
  const BufferType &type(uint32_t number) const {
    return *function.buffer_registers()->Get(number);
  }
  /// One size register for each dynamic dim of the result.
  Status sizes(uint32_t result, Registers list) const {
    FERRULE_RETURN_IF_ERROR(integers(list));
    auto dims = dimsOf(type(result).dims());
    return count(
        "sizes", sizeOf(list),
        static_cast<uint32_t>(std::count(dims.begin(), dims.end(), -1)));
  }
  /// Whether a buffer of one type may be used where the other is expected, as
  /// far as types tell; dynamic sizes are compared when the program runs.
  Status compatible(ElementType found, std::span<const int64_t> foundDims,
                    ElementType expected,
                    std::span<const int64_t> expectedDims) const {
    return compatible(signless(found) == signless(expected), found, foundDims,
                      expected, expectedDims);
  }
  Status compatible(bool same, ElementType found,
                    std::span<const int64_t> foundDims, ElementType expected,
                    std::span<const int64_t> expectedDims) const {
    same = same && foundDims.size() == expectedDims.size();
    for (size_t i = 0; same && i < foundDims.size(); ++i)
      same = foundDims[i] == expectedDims[i] || foundDims[i] < 0 ||
             expectedDims[i] < 0;
    if (same)
      return {};
    return bad("buffer of type " + typeText(found, foundDims) + ", expected " +
               typeText(expected, expectedDims));
  }
  Status compatible(uint32_t found, uint32_t expected) const {
    return compatible(type(found).element_type(), dimsOf(type(found).dims()),
                      type(expected).element_type(),
                      dimsOf(type(expected).dims()));
  }
  Status compatible(uint32_t found, const Value &expected) const {
    // The callee that it belongs to may not have been looked at yet.
    if (!isAligned(expected.dims()))
      return bad("dims are not aligned");
    return compatible(holds(type(found).element_type(), expected.element_type()),
                      type(found).element_type(), dimsOf(type(found).dims()),
                      expected.element_type(), dimsOf(expected.dims()));
  }

  const Program &program;
  const Function &function;
  std::vector<std::string> symbols;
  std::string where; ///< "block 1, instruction 4: " while in one.
};

} // namespace ferrule::format

#endif // FERRULE_FORMAT_FUNCTION_VERIFIER_H
