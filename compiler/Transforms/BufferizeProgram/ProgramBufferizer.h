// The state of rewriting one function from tensors to buffers. The old body is
// only read; a new one is built beside it.
#ifndef FERRULE_TRANSFORMS_BUFFERIZEPROGRAM_PROGRAMBUFFERIZER_H
#define FERRULE_TRANSFORMS_BUFFERIZEPROGRAM_PROGRAMBUFFERIZER_H

#include "compiler/Dialect/Byre/IR/Byre.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include <deque>

namespace ferrule {

/// One piece of memory and everything that is a name of it.
struct Root {
  mlir::Value buffer;
  /// The old block that may write it and must free or pass it on; null for
  /// arguments and constants.
  mlir::Block *owner = nullptr;
  /// The new block at whose level it is freed.
  mlir::Block *block = nullptr;
  /// Old tensors that lie in this memory.
  llvm::SmallVector<mlir::Value> tensors;
  /// New buffers that are views of it.
  llvm::SmallVector<mlir::Value> views;
  /// Ownership went elsewhere.
  bool moved = false;
};

/// Where an old tensor lies.
struct Place {
  mlir::Value buffer;
  Root *root = nullptr;
  /// The tensor is all of the root, so passing it passes the root.
  bool whole = true;
};

class ProgramBufferizer {
public:
  explicit ProgramBufferizer(mlir::Block &entry) : entry(entry) {}

  /// tensor<..> to memref<..>; other types stay.
  static mlir::Type convertType(mlir::Type type);

  mlir::LogicalResult bufferizeFunctionBody(mlir::Block &old,
                                            mlir::OpBuilder &builder);

private:
  // ProgramBufferizer.cpp: blocks and operations.
  mlir::LogicalResult bufferizeBlock(mlir::Block &old,
                                     mlir::OpBuilder &builder);
  mlir::LogicalResult bufferizeOp(mlir::Operation &op,
                                  mlir::OpBuilder &builder);
  mlir::LogicalResult bufferizeLaunch(mlir::Operation &op,
                                      mlir::OpBuilder &builder);
  mlir::LogicalResult bufferizeCall(mlir::func::CallOp op,
                                    mlir::OpBuilder &builder);
  mlir::LogicalResult bufferizeReturn(mlir::func::ReturnOp op,
                                      mlir::OpBuilder &builder);
  mlir::LogicalResult cloneScalarOp(mlir::Operation &op,
                                    mlir::OpBuilder &builder);

  // Elements.cpp: scalars in and out of tensors.
  mlir::LogicalResult bufferizeExtract(mlir::tensor::ExtractOp op,
                                       mlir::OpBuilder &builder);
  mlir::LogicalResult bufferizeInsert(mlir::tensor::InsertOp op,
                                      mlir::OpBuilder &builder);
  mlir::LogicalResult bufferizeFromElements(mlir::tensor::FromElementsOp op,
                                            mlir::OpBuilder &builder);
  mlir::LogicalResult bufferizeSplat(mlir::tensor::SplatOp op,
                                     mlir::OpBuilder &builder);
  mlir::LogicalResult bufferizeDim(mlir::tensor::DimOp op,
                                   mlir::OpBuilder &builder);

  // Views.cpp
  mlir::LogicalResult bufferizeView(mlir::Operation &op,
                                    mlir::OpBuilder &builder);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  computeViewSizes(mlir::Operation &op, mlir::OpBuilder &builder);
  mlir::FailureOr<mlir::OpFoldResult>
  computeSliceOffset(mlir::tensor::ExtractSliceOp op, mlir::OpBuilder &builder);

  // ControlFlow.cpp
  mlir::LogicalResult bufferizeIf(mlir::scf::IfOp op, mlir::OpBuilder &builder);
  mlir::LogicalResult bufferizeSwitch(mlir::scf::IndexSwitchOp op,
                                      mlir::OpBuilder &builder);
  mlir::LogicalResult bufferizeFor(mlir::scf::ForOp op,
                                   mlir::OpBuilder &builder);
  mlir::LogicalResult bufferizeWhile(mlir::scf::WhileOp op,
                                     mlir::OpBuilder &builder);
  mlir::LogicalResult bufferizeRegion(mlir::Block &old, mlir::Block &block,
                                      llvm::ArrayRef<Root *> given);
  mlir::LogicalResult bufferizeBranches(mlir::Operation &op,
                                        mlir::Operation &buffered,
                                        mlir::OpBuilder &builder);
  llvm::SmallVector<Root *> findRootsToPass(mlir::Operation &op);

  // Ownership.cpp
  /// The buffer to read `use` from; fails with a diagnostic.
  mlir::FailureOr<mlir::Value> read(mlir::OpOperand &use,
                                    mlir::OpBuilder &builder);
  /// A place that holds the value of `use` and may be overwritten: its own
  /// memory if nothing needs the old value, else a copy.
  mlir::FailureOr<Place> write(mlir::OpOperand &use, mlir::OpBuilder &builder);
  /// As `write`, for a use that passes the buffer to another owner.
  mlir::FailureOr<mlir::Value> pass(mlir::OpOperand &use,
                                    mlir::OpBuilder &builder);
  /// The operands of a terminator or loop: buffers passed on, scalars mapped.
  mlir::LogicalResult passOperands(llvm::MutableArrayRef<mlir::OpOperand> uses,
                                   mlir::OpBuilder &builder,
                                   llvm::SmallVectorImpl<mlir::Value> &values);
  bool isLastUse(const Root &root, mlir::OpOperand &use);
  /// Maps old values to new ones; tensors become names of new roots that `old`
  /// owns (none: borrowed).
  void bind(mlir::ValueRange oldValues, mlir::ValueRange newValues,
            mlir::Block *owner);
  void alias(mlir::Value tensor, Place place);
  Root *addRoot(mlir::Value buffer, mlir::Block *owner);
  /// A new buffer for a tensor, owned by the old block; undefined contents.
  mlir::FailureOr<Place> allocate(mlir::Value tensor, mlir::Block *owner,
                                  mlir::OpBuilder &builder, mlir::Location loc);
  /// Frees what `old` owns and has not passed on, each after its last use.
  void freeOwned(mlir::Block *old, mlir::Block *block);

  // Sizes.cpp
  /// Sizes of the tensor's dynamic dimensions.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  dynamicSizes(mlir::Value tensor, mlir::OpBuilder &builder,
               mlir::Location loc);
  mlir::FailureOr<mlir::OpFoldResult> dim(mlir::Value tensor, int64_t index,
                                          mlir::OpBuilder &builder,
                                          mlir::Location loc);
  mlir::OpFoldResult map(mlir::OpFoldResult value);

  mlir::Block &entry;
  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, Place> places;
  std::deque<Root> roots;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<Root *>> owned;
};

/// Product and sum of index values, folded where static.
mlir::OpFoldResult multiply(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::OpFoldResult a, mlir::OpFoldResult b);
mlir::OpFoldResult add(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::OpFoldResult a, mlir::OpFoldResult b);

/// Whether the tensor has no contents: `tensor.empty` or a view of one.
bool isEmptyTensor(mlir::Value tensor);

/// Whether the op only gives a tensor another shape.
bool isViewOp(mlir::Operation *op);

/// The splat constant that defines the tensor, or a null attribute.
mlir::SplatElementsAttr getSplat(mlir::Value tensor);

} // namespace ferrule

#endif // FERRULE_TRANSFORMS_BUFFERIZEPROGRAM_PROGRAMBUFFERIZER_H
