// The operators of PyTorch's registry as data: names and signatures.
#ifndef FERRULE_COMPILER_DIALECT_TORCH_IR_SCHEMAS_H
#define FERRULE_COMPILER_DIALECT_TORCH_IR_SCHEMAS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <vector>

namespace ferrule::torch {

/// What the schema says of one argument or result.
struct SchemaValue {
  enum class Kind {
    Tensor,
    Int,
    Float,
    Bool,
    String,
    Number,
    Device,
    Generator,
    Any, // Everything else, type variables included.
  };
  llvm::StringRef name;
  /// The default as written in Python ("1", "None", "[]", "mean"); null when
  /// the argument has to be given.
  std::optional<llvm::StringRef> defaultText;
  Kind kind = Kind::Any;
  bool optional = false;        // T?
  bool list = false;            // T[] or T[2]
  bool optionalElement = false; // T?[]
  bool keywordOnly = false;
  bool aliases = false; // (a) or (a!)
  bool mutated = false; // (a!)
};

/// One operator overload.
struct Schema {
  /// "torch.aten.add.Tensor"
  std::string opName;
  /// As in PyTorch: "aten::add.Tensor(Tensor self, ...) -> Tensor".
  llvm::StringRef text;
  std::vector<SchemaValue> arguments;
  std::vector<SchemaValue> results;
  /// Uses a generator of random numbers.
  bool random = false;
  bool mutates() const;
  bool aliases() const;
  std::optional<unsigned> findArgument(llvm::StringRef name) const;
};

/// All operators, sorted by op name. Made once in a process.
llvm::ArrayRef<Schema> getSchemas();

/// The schema of the op of that name ("torch.aten.mm"), or null.
const Schema *lookupSchema(llvm::StringRef opName);

/// Reads a schema; std::nullopt when the text is not one.
std::optional<Schema> parseSchema(llvm::StringRef text);

/// The dialect's name for PyTorch's ("aten::add.Tensor").
std::string getOpName(llvm::StringRef qualifiedName);

} // namespace ferrule::torch

#endif // FERRULE_COMPILER_DIALECT_TORCH_IR_SCHEMAS_H
