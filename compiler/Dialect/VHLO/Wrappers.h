// Types and attributes as artifacts hold them. The bytecode writer encodes a
// type or an attribute in the way of its dialect, so those that belong to vhlo
// operations stand behind a wrapper of the vhlo dialect; what remains builtin,
// like locations, does not share it.
#ifndef FERRULE_COMPILER_DIALECT_VHLO_WRAPPERS_H
#define FERRULE_COMPILER_DIALECT_VHLO_WRAPPERS_H

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Types.h"
#include "llvm/Support/VersionTuple.h"

namespace ferrule::vhlo {

namespace detail {
struct WrappedTypeStorage;
struct WrappedAttrStorage;
} // namespace detail

class WrappedType : public mlir::Type::TypeBase<WrappedType, mlir::Type,
                                                detail::WrappedTypeStorage> {
public:
  using Base::Base;
  static constexpr llvm::StringLiteral name = "vhlo.type";
  static WrappedType get(mlir::Type type);
  mlir::Type getType() const;
};

class WrappedAttr
    : public mlir::Attribute::AttrBase<WrappedAttr, mlir::Attribute,
                                       detail::WrappedAttrStorage> {
public:
  using Base::Base;
  static constexpr llvm::StringLiteral name = "vhlo.attribute";
  static WrappedAttr get(mlir::Attribute attribute);
  mlir::Attribute getAttribute() const;
};

/// Write what is behind a wrapper with the codes of the format. They fail for
/// what has none. An integer behind two wrappers is a calling convention.
mlir::LogicalResult encode(mlir::Attribute attribute,
                           mlir::DialectBytecodeWriter &writer);
mlir::LogicalResult encode(mlir::Type type,
                           mlir::DialectBytecodeWriter &writer);

/// The first version that can hold a type or an attribute, with what they are
/// made of; nothing when none can.
std::optional<llvm::VersionTuple> firstVersionOf(mlir::Type type);
std::optional<llvm::VersionTuple> firstVersionOf(mlir::Attribute attribute);

} // namespace ferrule::vhlo

#endif // FERRULE_COMPILER_DIALECT_VHLO_WRAPPERS_H
