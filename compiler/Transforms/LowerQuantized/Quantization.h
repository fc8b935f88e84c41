// The arithmetic between numbers and the integers that stand for them.
#ifndef FERRULE_TRANSFORMS_LOWERQUANTIZED_QUANTIZATION_H
#define FERRULE_TRANSFORMS_LOWERQUANTIZED_QUANTIZATION_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Transforms/DialectConversion.h"

namespace ferrule::quantized {

/// Scales and zero points, one of each or one an index of `axis`.
struct Parameters {
  llvm::SmallVector<double> scales;
  llvm::SmallVector<int64_t> zeroPoints;
  /// -1: one scale for all.
  int64_t axis = -1;

  explicit Parameters(mlir::quant::QuantizedType type);
  bool hasZeroPoint() const;
};

/// The quantized elements of a tensor's type, null when it has others.
mlir::quant::QuantizedType getQuantized(mlir::Type type);

/// iN or uiN.
mlir::IntegerType getStorage(mlir::quant::QuantizedType type);

/// The largest |storage - zero point|.
int64_t getLargestDistance(mlir::quant::QuantizedType type);

/// storage - zero point as integers of `width` bits.
mlir::Value buildDistance(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value storage, mlir::quant::QuantizedType type,
                          unsigned width);
/// The numbers in the expressed type.
mlir::Value buildDequantize(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value storage,
                            mlir::quant::QuantizedType type);
/// The storage of numbers; they may be of another float type than the
/// expressed one, in which they are scaled then.
mlir::Value buildQuantize(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value numbers,
                          mlir::quant::QuantizedType type);
/// x times the scales, broadcast along `parameters.axis`.
mlir::Value buildScale(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                       const Parameters &parameters);
/// Storage of one type as that of another.
mlir::Value buildRequantize(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value storage,
                            mlir::quant::QuantizedType from,
                            mlir::quant::QuantizedType to);

void addContractionPatterns(const mlir::TypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
void addMovementPatterns(const mlir::TypeConverter &converter,
                         mlir::RewritePatternSet &patterns);

} // namespace ferrule::quantized

#endif // FERRULE_TRANSFORMS_LOWERQUANTIZED_QUANTIZATION_H
