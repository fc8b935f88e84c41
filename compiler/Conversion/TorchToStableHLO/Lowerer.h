// The walk over the functions of a module.
#ifndef FERRULE_CONVERSION_TORCHTOSTABLEHLO_LOWERER_H
#define FERRULE_CONVERSION_TORCHTOSTABLEHLO_LOWERER_H

#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ferrule::torch {

/// The builtin type of a torch type: a tensor for tensors and numbers. Null
/// for lists, None and tensors of unknown rank or element type.
mlir::RankedTensorType toBuiltinType(mlir::Type type);

/// Lowers one function in place.
class Lowerer {
public:
  explicit Lowerer(mlir::func::FuncOp function)
      : function(function),
        b(function.getLoc(), mlir::OpBuilder(function.getContext())) {
    b.unknownSizesAgree = true;
  }

  mlir::LogicalResult run();

private:
  mlir::LogicalResult lowerSignature(mlir::Block &entry);
  /// Lowers the ops of a block but its terminator.
  mlir::LogicalResult lowerOps(mlir::Block &block);
  mlir::LogicalResult lowerOp(mlir::Operation *op);
  mlir::LogicalResult lowerReturn(mlir::func::ReturnOp op);
  mlir::LogicalResult lowerLiteral(ValueTensorLiteralOp op);
  mlir::LogicalResult lowerCall(mlir::func::CallOp op);
  mlir::LogicalResult lowerIf(PrimIfOp op);
  mlir::LogicalResult lowerLoop(PrimLoopOp op);
  mlir::LogicalResult lowerSymbol(SymbolicIntOp op);
  mlir::LogicalResult lowerUnpack(PrimListUnpackOp op);

  /// The value for a torch value, with the type that the torch type says.
  mlir::FailureOr<Value> mappedAs(Value value, mlir::RankedTensorType type,
                                  mlir::Operation *user);

  mlir::func::FuncOp function;
  HloBuilder b;
  ValueMap map;
};

/// Reports every op below `root` that has no lowering.
mlir::LogicalResult checkLowerings(mlir::Operation *root);

} // namespace ferrule::torch

#endif // FERRULE_CONVERSION_TORCHTOSTABLEHLO_LOWERER_H
