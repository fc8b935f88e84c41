// One function of the file as a function of the byre stage.
#ifndef FERRULE_COMPILER_EXPORT_FUNCTIONREADER_H
#define FERRULE_COMPILER_EXPORT_FUNCTIONREADER_H

#include "compiler/Export/ProgramReader.h"

namespace ferrule {

class FunctionReader {
public:
  FunctionReader(const format::Function &source, const format::Program &program,
                 const ReaderTables &tables, mlir::OpBuilder &builder)
      : source(source), program(program), tables(tables), builder(builder) {}

  mlir::LogicalResult read();

private:
  using Registers = flatbuffers::Vector<uint32_t>;
  using Instructions =
      flatbuffers::Vector<flatbuffers::Offset<format::Instruction>>;

  template <typename Vector> static uint32_t sizeOf(const Vector *vector) {
    return vector ? vector->size() : 0;
  }

  // FunctionReader.cpp
  mlir::FailureOr<mlir::FunctionType>
  readSignature(llvm::SmallVectorImpl<mlir::DictionaryAttr> &argumentAttrs,
                llvm::SmallVectorImpl<mlir::DictionaryAttr> &resultAttrs);
  mlir::LogicalResult readBody(mlir::Location loc);
  mlir::LogicalResult readConstant(const format::ScalarConstant &constant,
                                   mlir::Location loc);

  // InstructionReader.cpp. readInstruction may advance `index` past
  // instructions that one operation stands for.
  mlir::LogicalResult readInstruction(const Instructions &all, uint32_t &index);
  mlir::LogicalResult read(const format::Dispatch &op, mlir::Location loc);
  mlir::LogicalResult read(const format::CallProvider &op, mlir::Location loc);
  mlir::LogicalResult read(const format::CallFunction &op, mlir::Location loc);
  mlir::LogicalResult read(const format::Alloc &op, mlir::Location loc);
  mlir::LogicalResult read(const format::View &op, mlir::Location loc);
  mlir::LogicalResult read(const format::Load &op, mlir::Location loc);
  mlir::LogicalResult read(const format::Store &op, mlir::Location loc);
  mlir::LogicalResult read(const format::Return &op, mlir::Location loc);
  mlir::LogicalResult readBranch(const format::Branch &op,
                                 llvm::SmallVectorImpl<mlir::Value> &operands);

  // ComputeReader.cpp
  mlir::LogicalResult read(const format::Compute &op, mlir::Location loc);
  mlir::FailureOr<mlir::Value> readCast(const format::Compute &op,
                                        mlir::Value value, mlir::Type type,
                                        mlir::Location loc);
  mlir::Value readCompare(format::Opcode opcode, mlir::Value a, mlir::Value b,
                          mlir::Location loc);
  mlir::LogicalResult readBitcastToInteger(const format::Compute &op,
                                           const format::Compute *next,
                                           mlir::Location loc, bool &usedNext);

  // Registers.
  mlir::FailureOr<mlir::MemRefType>
  bufferType(const flatbuffers::Vector<int64_t> *dims,
             format::ElementType element);
  mlir::Type scalarType(uint32_t number) const;
  mlir::LogicalResult setBuffer(uint32_t number, mlir::Value value);
  mlir::LogicalResult setScalar(uint32_t number, mlir::Value value);
  mlir::FailureOr<mlir::Value> buffer(uint32_t number);
  mlir::FailureOr<mlir::Value> scalar(uint32_t number);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  readBuffers(const Registers *numbers);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  readScalars(const Registers *numbers);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  readIndices(const Registers *numbers, mlir::Location loc);
  mlir::Value toIndex(mlir::Value value, mlir::Location loc);
  /// A register's value as an element of a buffer, and the reverse.
  mlir::Value toElement(mlir::Value value, mlir::Type element,
                        mlir::Location loc);
  mlir::Value fromElement(mlir::Value value, mlir::Type type,
                          mlir::Location loc);
  mlir::InFlightDiagnostic error(const llvm::Twine &message);

  const format::Function &source;
  const format::Program &program;
  const ReaderTables &tables;
  mlir::OpBuilder &builder;
  mlir::func::FuncOp function;
  llvm::SmallVector<mlir::MemRefType> bufferTypes;
  llvm::SmallVector<mlir::Value> buffers, scalars;
  llvm::SmallVector<mlir::Block *> blocks;
};

} // namespace ferrule

#endif // FERRULE_COMPILER_EXPORT_FUNCTIONREADER_H
