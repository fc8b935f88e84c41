// Short forms of what all patterns build: sizes, destinations, generics.
#ifndef FERRULE_CONVERSION_STABLEHLOTOLINALG_BUILDERS_H
#define FERRULE_CONVERSION_STABLEHLOTOLINALG_BUILDERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace ferrule::lowering {

using Sizes = llvm::SmallVector<mlir::OpFoldResult>;

inline mlir::RankedTensorType tensorType(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}
inline int64_t rankOf(mlir::Value value) { return tensorType(value).getRank(); }

/// How elements lie in memory inside a program: integers signless, those of
/// fewer than eight bits and floats of at most eight as bytes.
mlir::Type getStoredElement(mlir::Type element);

/// Constants of a scalar type. `getConstant` also makes complex ones.
mlir::Value indexConstant(mlir::OpBuilder &b, mlir::Location loc, int64_t v);
mlir::Value getConstant(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Type type, double value);
mlir::Value intConstant(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Type type, const llvm::APInt &value);

/// `value` with a compatible tensor type.
mlir::Value castTo(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                   mlir::Type type);

/// All sizes of a tensor; static ones as attributes.
Sizes sizesOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tensor);

/// The sizes of a result of type `type` whose dynamic ones are elements of
/// the rank-1 integer tensor `shape`.
Sizes sizesFromShape(mlir::OpBuilder &b, mlir::Location loc,
                     mlir::Value shape, mlir::RankedTensorType type);

/// Element `i` of a rank-1 integer tensor as a (signed) index.
mlir::Value extractIndex(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value tensor, int64_t i);
/// The only element of a rank-0 tensor.
mlir::Value extractScalar(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value tensor);
/// An integer scalar as an index.
mlir::Value toIndex(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value,
                    bool isUnsigned = false);
/// A size as a value.
mlir::Value toValue(mlir::OpBuilder &b, mlir::Location loc,
                    mlir::OpFoldResult size);

/// Index arithmetic that folds constants at once.
mlir::OpFoldResult addIndices(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::OpFoldResult x, mlir::OpFoldResult y);
mlir::OpFoldResult subIndices(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::OpFoldResult x, mlir::OpFoldResult y);
mlir::OpFoldResult mulIndices(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::OpFoldResult x, mlir::OpFoldResult y);
/// The affine expression of the operands `d0, d1, ...`.
mlir::OpFoldResult affineIndex(mlir::OpBuilder &b, mlir::Location loc,
                               mlir::AffineExpr expr,
                               llvm::ArrayRef<mlir::OpFoldResult> operands);

/// A destination without contents, or with one value everywhere.
mlir::Value emptyTensor(mlir::OpBuilder &b, mlir::Location loc,
                        llvm::ArrayRef<mlir::OpFoldResult> sizes,
                        mlir::Type element);
mlir::Value filledTensor(mlir::OpBuilder &b, mlir::Location loc,
                         llvm::ArrayRef<mlir::OpFoldResult> sizes,
                         mlir::Value scalar);

/// The map from `loops` loops to the first, or the last, `count` of them.
mlir::AffineMap firstLoops(mlir::MLIRContext *context, int64_t loops,
                           int64_t count);
mlir::AffineMap lastLoops(mlir::MLIRContext *context, int64_t loops,
                          int64_t count);

using BodyFunction =
    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &,
                                                      mlir::ValueRange)>;
/// A generic with identity maps on its outs. `maps` are those of the inputs.
mlir::linalg::GenericOp
parallelGeneric(mlir::OpBuilder &b, mlir::Location loc,
                mlir::ValueRange inputs,
                llvm::ArrayRef<mlir::AffineMap> inputMaps,
                mlir::ValueRange outs, BodyFunction body);

/// Collapses to rank 1 and expands to `sizes`; a view.
mlir::Value reshapeThroughVector(mlir::OpBuilder &b, mlir::Location loc,
                                 mlir::Value tensor, const Sizes &sizes,
                                 mlir::RankedTensorType type);

} // namespace ferrule::lowering

#endif // FERRULE_CONVERSION_STABLEHLOTOLINALG_BUILDERS_H
