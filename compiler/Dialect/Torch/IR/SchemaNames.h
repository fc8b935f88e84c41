// The op names of PyTorch's operators as constants, so that a misspelt one does
// not compile: names::aten_add_Tensor is "torch.aten.add.Tensor".
#ifndef FERRULE_COMPILER_DIALECT_TORCH_IR_SCHEMANAMES_H
#define FERRULE_COMPILER_DIALECT_TORCH_IR_SCHEMANAMES_H

#include "llvm/ADT/StringRef.h"

namespace ferrule::torch {

/// An op name made from a schema's text at compile time.
class OpNameConstant {
public:
  consteval OpNameConstant(const char *schema) {
    const char prefix[] = "torch.";
    for (unsigned i = 0; i < sizeof(prefix) - 1; ++i)
      text[length++] = prefix[i];
    for (; *schema && *schema != '('; ++schema) {
      if (schema[0] == ':' && schema[1] == ':')
        continue;
      text[length++] = *schema == ':' ? '.' : *schema;
    }
  }
  constexpr operator llvm::StringRef() const { return {text, length}; }
  constexpr llvm::StringRef str() const { return {text, length}; }

private:
  char text[96] = {};
  unsigned length = 0;
};

namespace names {
#define TORCH_OP(NAME, SCHEMA, FLAGS)                                          \
  inline constexpr OpNameConstant NAME(SCHEMA);
#include "compiler/Dialect/Torch/IR/Schemas.inc"
#undef TORCH_OP
} // namespace names

} // namespace ferrule::torch

#endif // FERRULE_COMPILER_DIALECT_TORCH_IR_SCHEMANAMES_H
