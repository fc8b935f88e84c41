// What the expansion of a library call sees: one call, its operands as stacks
// of matrices, its options, and the builder.
#ifndef FERRULE_TRANSFORMS_EXPANDLIBRARYCALLS_LIBRARYCALL_H
#define FERRULE_TRANSFORMS_EXPANDLIBRARYCALLS_LIBRARYCALL_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Frontend/Support/Shapes.h"
#include "llvm/ADT/StringMap.h"

namespace ferrule::library {

using frontend::HloBuilder;
using frontend::Size;
using frontend::Sizes;
using mlir::Value;

class LibraryCall {
public:
  LibraryCall(HloBuilder &b, stablehlo::CustomCallOp op) : b(b), op(op) {}

  HloBuilder &b;
  stablehlo::CustomCallOp op;

  /// Operands and results that the routine itself has: without the shapes that
  /// polymorphic exports append.
  unsigned operandCount();
  Value operand(unsigned index) { return op.getInputs()[index]; }
  /// An operand [..., m, n] as [B, m, n], or [..., n] as [B, n].
  Value matrices(unsigned index);
  Value vectors(unsigned index);

  /// An entry of the configuration: a character such as 'L', or a number.
  /// Reports what is missing.
  int64_t option(llvm::StringRef name);
  /// The same where only some values have a meaning.
  int64_t option(llvm::StringRef name, llvm::StringRef allowed);

  /// The results, batches still as one dimension; null for one that nobody
  /// may read.
  void give(mlir::ValueRange results);
  /// Results of the declared shapes already.
  void giveWhole(mlir::ValueRange results);
  /// [B] zeros: the routine has succeeded.
  Value success(Value stack);

  /// Reports an error at the call, once.
  void fail(const llvm::Twine &message);
  bool failed() const { return hasFailed; }

private:
  mlir::DictionaryAttr options();
  bool hasFailed = false;
};

using Expansion = void (*)(LibraryCall &);
struct Entry {
  llvm::StringLiteral name;
  Expansion expand;
  unsigned operands, results;
};
/// LAPACK's routines by their names without the type's letter; other calls by
/// their whole names.
using Table = llvm::StringMap<const Entry *>;
inline void addEntries(Table &table, llvm::ArrayRef<Entry> entries) {
  for (const Entry &entry : entries)
    table[entry.name] = &entry;
}

/// One for each file of this folder.
void addSolves(Table &table);
void addOrthogonalFactors(Table &table);
void addSpectra(Table &table);
void addOtherCalls(Table &table);

} // namespace ferrule::library

#endif // FERRULE_TRANSFORMS_EXPANDLIBRARYCALLS_LIBRARYCALL_H
