// Helpers for writing a ferrule op as loops over memrefs.
#ifndef FERRULE_DIALECT_FERRULE_IR_FERRULELOOPS_H
#define FERRULE_DIALECT_FERRULE_IR_FERRULELOOPS_H

#include "compiler/Dialect/Ferrule/IR/Ferrule.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ferrule::ext {

/// Writes index arithmetic and loops shortly. Everything is `index`.
struct LoopBuilder : mlir::ImplicitLocOpBuilder {
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;
  using Value = mlir::Value;

  Value index(int64_t value);
  Value add(Value a, Value b);
  Value add(Value a, int64_t b) { return add(a, index(b)); }
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value min(Value a, Value b);
  Value less(Value a, Value b);
  Value lessEqual(Value a, Value b);
  Value dim(Value memref, int64_t d);
  Value load(Value memref, mlir::ValueRange at);
  void store(Value value, Value memref, mlir::ValueRange at);

  /// for (i = from; i < to; i += step) body(i)
  void loop(Value from, Value to, Value step,
            llvm::function_ref<void(Value)> body);
  void loop(Value from, Value to, llvm::function_ref<void(Value)> body) {
    loop(from, to, index(1), body);
  }
  /// The same with values carried from iteration to iteration.
  llvm::SmallVector<Value>
  loop(Value from, Value to, mlir::ValueRange inits,
       llvm::function_ref<llvm::SmallVector<Value>(Value, mlir::ValueRange)>
           body);
  /// Loops over all positions of the given dimensions of a memref; `at` has
  /// the memref's rank, with null values at the other dimensions.
  void loopOver(Value memref, llvm::ArrayRef<int64_t> dims,
                llvm::function_ref<void(llvm::SmallVector<Value> at)> body);
  /// while (condition(values)) values = body(values); returns the last ones.
  llvm::SmallVector<Value>
  whileLoop(mlir::ValueRange inits,
            llvm::function_ref<Value(mlir::ValueRange)> condition,
            llvm::function_ref<llvm::SmallVector<Value>(mlir::ValueRange)> body);
  /// first && second(), where the second is computed only if the first holds.
  Value both(Value first, llvm::function_ref<Value()> second);
  /// if (condition) body()
  void when(Value condition, llvm::function_ref<void()> body);

  /// Copies a region's block here for the given arguments and returns what it
  /// yields.
  llvm::SmallVector<Value> inlineBlock(mlir::Region &region,
                                       mlir::ValueRange arguments);
};

/// The dimensions of `op`'s first operand that are not part of a row.
llvm::SmallVector<int64_t> getBatchDims(RowOpInterface op);

} // namespace ferrule::ext

#endif // FERRULE_DIALECT_FERRULE_IR_FERRULELOOPS_H
