// The patterns by family of ops.
#ifndef FERRULE_CONVERSION_STABLEHLOTOLINALG_PATTERNS_H
#define FERRULE_CONVERSION_STABLEHLOTOLINALG_PATTERNS_H

#include "compiler/Conversion/StableHLOToLinalg/Builders.h"
#include "compiler/Conversion/StableHLOToLinalg/Scalars.h"
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Transforms/DialectConversion.h"

namespace ferrule::lowering {

/// Integers of at most this many elements are computed as scalars.
constexpr int64_t maxScalarElements = 8;

/// The type with signless integers.
inline mlir::RankedTensorType resultType(const mlir::TypeConverter *converter,
                                         mlir::Value result) {
  return converter->convertType<mlir::RankedTensorType>(result.getType());
}

using Converter = const mlir::TypeConverter;
using Patterns = mlir::RewritePatternSet;

/// Ops that become other StableHLO ops before the conversion proper.
void addExpansionPatterns(Patterns &patterns);
void addCollectivePatterns(Patterns &patterns);
/// Diagnoses ops that need several processes or a host that answers.
mlir::LogicalResult checkCollectives(mlir::Operation *root);
/// Diagnoses calls that no provider can take.
mlir::LogicalResult checkCalls(mlir::Operation *root);
mlir::LogicalResult checkProviderCall(stablehlo::CustomCallOp op);

/// Replaces computations whose results have no element by empty tensors.
void removeEmptyComputations(mlir::Operation *root);

void addSmallIntegerPatterns(Converter &converter, Patterns &patterns);
void addElementwisePatterns(Converter &converter, Patterns &patterns);
void addConstantPatterns(Converter &converter, Patterns &patterns);
void addBroadcastPatterns(Converter &converter, Patterns &patterns);
void addReshapePatterns(Converter &converter, Patterns &patterns);
void addDataMovementPatterns(Converter &converter, Patterns &patterns);
void addSlicePatterns(Converter &converter, Patterns &patterns);
void addPadPatterns(Converter &converter, Patterns &patterns);
void addGatherPatterns(Converter &converter, Patterns &patterns);
void addScatterPatterns(Converter &converter, Patterns &patterns);
void addDotPatterns(Converter &converter, Patterns &patterns);
void addConvolutionPatterns(Converter &converter, Patterns &patterns);
void addReducePatterns(Converter &converter, Patterns &patterns);
void addReduceWindowPatterns(Converter &converter, Patterns &patterns);
void addSortPatterns(Converter &converter, Patterns &patterns);
void addControlFlowPatterns(Converter &converter, Patterns &patterns);
void addLinearAlgebraPatterns(Converter &converter, Patterns &patterns);
void addFourierPatterns(Converter &converter, Patterns &patterns);
void addRandomPatterns(Converter &converter, Patterns &patterns);
void addCallPatterns(Converter &converter, Patterns &patterns);
void addProviderCallPatterns(Converter &converter, Patterns &patterns);
void addExchangePatterns(Converter &converter, Patterns &patterns);

} // namespace ferrule::lowering

#endif // FERRULE_CONVERSION_STABLEHLOTOLINALG_PATTERNS_H
