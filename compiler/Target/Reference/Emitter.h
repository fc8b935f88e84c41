// Writes the byte code of one kernel, op by op.
#ifndef FERRULE_COMPILER_TARGET_REFERENCE_EMITTER_H
#define FERRULE_COMPILER_TARGET_REFERENCE_EMITTER_H

#include "compiler/Target/Reference/Reference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "runtime/format/program_generated.h"
#include <unordered_map>

namespace ferrule::reference {

class Emitter {
public:
  explicit Emitter(mlir::func::FuncOp kernel) : kernel(kernel) {}
  mlir::FailureOr<KernelCode> run();

private:
  using Op = format::reference::Op;
  using Element = format::ElementType;
  /// A value's registers. A scalar has one, a complex number its parts, a
  /// buffer a handle, the first element's index, sizes and strides.
  using Registers = llvm::SmallVector<uint32_t, 4>;

  // ---- Registers and instructions (Emitter.cpp).
  uint32_t newRegister() { return code.registers++; }
  uint32_t constant(int64_t bits);
  void add(Op op, Element type, uint32_t result, uint32_t a = 0, uint32_t b = 0,
           uint32_t c = 0, Element other = Element::None);
  /// A new register with the result.
  uint32_t compute(Op op, Element type, uint32_t a, uint32_t b = 0,
                   uint32_t c = 0, Element other = Element::None);
  /// Integer arithmetic that disappears where an operand says the result.
  uint32_t plus(uint32_t a, uint32_t b);
  uint32_t times(uint32_t a, uint32_t b);
  uint32_t here() { return static_cast<uint32_t>(code.instructions.size()); }
  /// Makes the jump at `place` go to here.
  void land(uint32_t place) { code.instructions[place].result = here(); }
  /// values[i] into targets[i], all at once.
  void move(llvm::ArrayRef<uint32_t> values, llvm::ArrayRef<uint32_t> targets);
  Registers newRegisters(mlir::Type type);
  Registers flatten(mlir::ValueRange values);
  uint32_t scalar(mlir::Value value) { return values[value].front(); }
  uint32_t size(mlir::OpFoldResult value);
  Element elementOf(mlir::Type type);
  uint32_t constantOf(mlir::Attribute value, Element type);

  // ---- Control flow (EmitControlFlow.cpp).
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emit(mlir::Operation *op);
  mlir::LogicalResult emitFor(mlir::scf::ForOp op);
  mlir::LogicalResult emitIf(mlir::scf::IfOp op);
  mlir::LogicalResult emitWhile(mlir::scf::WhileOp op);
  mlir::LogicalResult emitSwitch(mlir::scf::IndexSwitchOp op);
  mlir::LogicalResult emitRegion(mlir::Region &region,
                                 llvm::ArrayRef<uint32_t> results);
  mlir::LogicalResult emitScalar(mlir::Operation *op);
  bool emitWide(mlir::Operation *op);

  // ---- Memory (EmitMemory.cpp).
  mlir::LogicalResult emitMemory(mlir::Operation *op);
  void bindArgument(mlir::BlockArgument argument, uint32_t number);
  uint32_t address(mlir::Value buffer, mlir::ValueRange indices);
  void loadElement(mlir::Type element, uint32_t handle, uint32_t index,
                   Registers &result);
  void storeElement(mlir::Type element, uint32_t handle, uint32_t index,
                    llvm::ArrayRef<uint32_t> value);
  void setStrides(Registers &buffer, unsigned rank);
  Registers allocate(mlir::MemRefType type, mlir::ValueRange sizes);
  void emitCopy(mlir::Value source, mlir::Value target);
  void emitGlobal(mlir::memref::GetGlobalOp op);
  void emitView(mlir::Operation *op, mlir::Value source,
                llvm::ArrayRef<mlir::OpFoldResult> offsets,
                llvm::ArrayRef<mlir::OpFoldResult> sizes,
                llvm::ArrayRef<mlir::OpFoldResult> strides);
  void emitExpand(mlir::memref::ExpandShapeOp op);
  void emitCollapse(mlir::memref::CollapseShapeOp op);
  void emitReshape(mlir::memref::ReshapeOp op);
  static unsigned partsOf(mlir::Type element) {
    return mlir::isa<mlir::ComplexType>(element) ? 2 : 1;
  }

  mlir::func::FuncOp kernel;
  KernelCode code;
  llvm::DenseMap<mlir::Value, Registers> values;
  /// No DenseMap: any 64 bits may be a constant, -0.0 and INT64_MAX too.
  std::unordered_map<int64_t, uint32_t> constants;
  /// Constants are set before everything else.
  std::vector<format::reference::Instruction> prologue;
  bool unknownType = false;
};

} // namespace ferrule::reference

#endif // FERRULE_COMPILER_TARGET_REFERENCE_EMITTER_H
