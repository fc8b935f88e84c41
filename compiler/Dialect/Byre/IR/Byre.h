// The byre dialect: the program that the runtime executes.
#ifndef FERRULE_COMPILER_DIALECT_BYRE_IR_BYRE_H
#define FERRULE_COMPILER_DIALECT_BYRE_IR_BYRE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "compiler/Dialect/Byre/IR/ByreDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/Dialect/Byre/IR/ByreAttrs.h.inc"

#define GET_OP_CLASSES
#include "compiler/Dialect/Byre/IR/ByreOps.h.inc"

namespace ferrule {

void registerByreDialect(mlir::DialectRegistry &registry);

namespace byre {

/// Marks a function as a kernel (unit attribute).
constexpr llvm::StringLiteral kKernelAttr = "byre.kernel";
/// Bytes of scratch memory that one worker of a kernel needs (i64).
constexpr llvm::StringLiteral kScratchAttr = "byre.scratch";
/// Bytes of the planned arena of an entry function (i64).
constexpr llvm::StringLiteral kArenaAttr = "byre.arena";

/// What a launch computes (WorkAttr).
constexpr llvm::StringLiteral kWorkAttr = "byre.work";

/// Whether the function is a kernel rather than a part of the program.
inline bool isKernel(mlir::Operation *function) {
  return function->hasAttr(kKernelAttr);
}

/// Bytes that a buffer of this static type takes in memory, as the runtime
/// stores it: i1 and 6-bit floats in bytes, 2- and 4-bit elements packed.
/// Fails for element types that have no storage in a program.
llvm::FailureOr<int64_t> getBufferBytes(mlir::MemRefType type);

/// Bits that one element takes in memory, or none if it has no storage there.
std::optional<int64_t> getStoredBits(mlir::Type element);

} // namespace byre
} // namespace ferrule

#endif // FERRULE_COMPILER_DIALECT_BYRE_IR_BYRE_H
