// Builders of TOSA operations on tensors of known sizes, and the families of
// patterns that use them.
#ifndef FERRULE_CONVERSION_STABLEHLOTOTOSA_BUILDERS_H
#define FERRULE_CONVERSION_STABLEHLOTOTOSA_BUILDERS_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace ferrule::totosa {

using mlir::ArrayRef;
using mlir::ImplicitLocOpBuilder;
using mlir::RankedTensorType;
using mlir::Type;
using mlir::Value;

RankedTensorType typeOf(Value value);
/// Whether TOSA has the elements: i1, i4 to i64 and floats up to 32 bits.
bool hasElements(Type type);
/// Whether all of the operation's tensors have such elements, known sizes and
/// none of size 0.
bool isPlain(mlir::Operation *op);

/// One element of `type`, of rank `rank`; integers or floats from `value`.
Value constant(ImplicitLocOpBuilder &b, Type element, int64_t rank,
               double value);
Value shape(ImplicitLocOpBuilder &b, ArrayRef<int64_t> sizes);
Value reshape(ImplicitLocOpBuilder &b, Value x, ArrayRef<int64_t> sizes);
Value transpose(ImplicitLocOpBuilder &b, Value x, ArrayRef<int64_t> order);
Value cast(ImplicitLocOpBuilder &b, Value x, Type element);
Value slice(ImplicitLocOpBuilder &b, Value x, ArrayRef<int64_t> starts,
            ArrayRef<int64_t> sizes);
/// `value` null: zero. Low and high in turn, none negative.
Value pad(ImplicitLocOpBuilder &b, Value x, ArrayRef<int64_t> amounts,
          Value value = {});
Value tile(ImplicitLocOpBuilder &b, Value x, ArrayRef<int64_t> multiples);
Value multiply(ImplicitLocOpBuilder &b, Value x, Value y, Type type);
/// A scalar gets the rank of `like`, with sizes of 1.
Value alignRank(ImplicitLocOpBuilder &b, Value x, Value like);
/// TOSA computes in 32 bits what is of 8 or 16.
Type computedElement(Type element);

void addElementwisePatterns(mlir::RewritePatternSet &patterns);
void addMovementPatterns(mlir::RewritePatternSet &patterns);
void addReductionPatterns(mlir::RewritePatternSet &patterns);
void addContractionPatterns(mlir::RewritePatternSet &patterns);

} // namespace ferrule::totosa

#endif // FERRULE_CONVERSION_STABLEHLOTOTOSA_BUILDERS_H
