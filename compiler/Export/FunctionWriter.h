// One function of the byre stage as a function of the file.
#ifndef FERRULE_COMPILER_EXPORT_FUNCTIONWRITER_H
#define FERRULE_COMPILER_EXPORT_FUNCTIONWRITER_H

#include "compiler/Export/ProgramTables.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace ferrule {

class FunctionWriter {
public:
  FunctionWriter(mlir::func::FuncOp function, ProgramTables &tables)
      : function(function), tables(tables) {}

  mlir::FailureOr<std::unique_ptr<format::FunctionT>> write();

private:
  using Registers = std::vector<uint32_t>;

  // FunctionWriter.cpp
  mlir::LogicalResult writeSignature();
  mlir::LogicalResult writeValue(mlir::Type type,
                                 mlir::DictionaryAttr attributes,
                                 std::string defaultName,
                                 format::ValueT &value);
  mlir::LogicalResult defineArguments();
  void defineConstants();
  mlir::LogicalResult writeBlock(mlir::Block &block);

  // InstructionWriter.cpp
  mlir::LogicalResult writeOp(mlir::Operation &op);
  mlir::LogicalResult writeOp(byre::DispatchOp op);
  mlir::LogicalResult writeOp(byre::CallProviderOp op);
  mlir::LogicalResult writeOp(byre::AllocOp op);
  mlir::LogicalResult writeOp(byre::FreeOp op);
  mlir::LogicalResult writeOp(byre::ViewOp op);
  mlir::LogicalResult writeOp(byre::CopyOp op);
  mlir::LogicalResult writeOp(byre::FillOp op);
  mlir::LogicalResult writeOp(byre::ConstantOp op);
  mlir::LogicalResult writeOp(mlir::memref::DimOp op);
  mlir::LogicalResult writeOp(mlir::memref::LoadOp op);
  mlir::LogicalResult writeOp(mlir::memref::StoreOp op);
  mlir::LogicalResult writeOp(mlir::func::CallOp op);
  mlir::LogicalResult writeOp(mlir::func::ReturnOp op);
  mlir::LogicalResult writeOp(mlir::cf::AssertOp op);
  mlir::LogicalResult writeOp(mlir::cf::BranchOp op);
  mlir::LogicalResult writeOp(mlir::cf::CondBranchOp op);
  std::unique_ptr<format::BranchT> makeBranch(mlir::Block *target,
                                              mlir::ValueRange operands);

  // ScalarWriter.cpp
  mlir::LogicalResult writeScalarOp(mlir::Operation &op);
  mlir::LogicalResult writeCompare(mlir::arith::CmpIOp op);
  mlir::LogicalResult writeCompare(mlir::arith::CmpFOp op);
  mlir::LogicalResult writeIntegerCast(mlir::Operation &op, bool isSigned);
  mlir::LogicalResult writeCast(mlir::Operation &op);
  mlir::LogicalResult writeBooleanOp(mlir::Operation &op);

  // Registers.
  uint32_t buffer(mlir::Value value) const { return registers.at(value); }
  uint32_t scalar(mlir::Value value) const { return registers.at(value); }
  Registers select(mlir::ValueRange values, bool buffers) const;
  /// A register for a new value; fails with a diagnostic for types without.
  mlir::LogicalResult define(mlir::Value value, mlir::Operation *op);
  uint32_t addScalar(format::ScalarType type);
  uint32_t addConstant(format::ScalarType type, int64_t bits);
  /// Appends result = opcode(a, b, c) with a new register.
  uint32_t compute(mlir::Operation *op, format::Opcode opcode,
                   format::ScalarType type, uint32_t a, uint32_t b = 0,
                   uint32_t c = 0);
  /// Keeps an integer of `type` sign-extended, or makes it zero-extended.
  uint32_t extend(mlir::Operation *op, mlir::Type type, uint32_t value,
                  bool isSigned);
  template <typename T> void append(mlir::Operation *op, T instruction) {
    auto entry = std::make_unique<format::InstructionT>();
    entry->operation.Set(std::move(instruction));
    entry->location = tables.locations.intern(op->getLoc());
    block->instructions.push_back(std::move(entry));
  }

  mlir::func::FuncOp function;
  ProgramTables &tables;
  std::unique_ptr<format::FunctionT> result;
  format::BlockT *block = nullptr;
  llvm::DenseMap<mlir::Value, uint32_t> registers;
  llvm::DenseMap<mlir::Block *, uint32_t> blocks;
  llvm::DenseMap<std::pair<unsigned, int64_t>, uint32_t> constants;
};

} // namespace ferrule

#endif // FERRULE_COMPILER_EXPORT_FUNCTIONWRITER_H
