// Scalar arithmetic. Integers narrower than 64 bits are kept sign-extended.
#include "compiler/Export/ElementTypes.h"
#include "compiler/Export/FunctionWriter.h"
#include "compiler/Export/ScalarOps.h"

using namespace mlir;
using namespace ferrule;
using O = ferrule::format::Opcode;
using S = ferrule::format::ScalarType;

uint32_t FunctionWriter::compute(Operation *op, O opcode, S type, uint32_t a,
                                 uint32_t b, uint32_t c) {
  format::ComputeT instruction;
  instruction.opcode = opcode;
  instruction.result = addScalar(type);
  instruction.a = a;
  instruction.b = b;
  instruction.c = c;
  uint32_t number = instruction.result;
  append(op, instruction);
  return number;
}

uint32_t FunctionWriter::extend(Operation *op, Type type, uint32_t value,
                                bool isSigned) {
  if (type.isInteger(8))
    return compute(op, isSigned ? O::SignExtend8 : O::ZeroExtend8, S::I64,
                   value);
  if (type.isInteger(16))
    return compute(op, isSigned ? O::SignExtend16 : O::ZeroExtend16, S::I64,
                   value);
  if (type.isInteger(32))
    return compute(op, isSigned ? O::SignExtend32 : O::ZeroExtend32, S::I64,
                   value);
  return value;
}

/// Operations on i1, where -1 and 1 are the same bit.
LogicalResult FunctionWriter::writeBooleanOp(Operation &op) {
  std::optional<O> opcode =
      llvm::StringSwitch<std::optional<O>>(op.getName().getStringRef())
          .Cases({"arith.addi", "arith.subi", "arith.xori"}, O::Xor)
          .Cases({"arith.muli", "arith.andi", "arith.minui", "arith.maxsi"},
                 O::And)
          .Cases({"arith.ori", "arith.maxui", "arith.minsi"}, O::Or)
          .Default(std::nullopt);
  if (!opcode)
    return op.emitOpError("has no instruction for i1");
  registers[op.getResult(0)] = compute(
      &op, *opcode, S::I1, scalar(op.getOperand(0)), scalar(op.getOperand(1)));
  return success();
}

LogicalResult FunctionWriter::writeCompare(arith::CmpIOp op) {
  O opcode = *convertPredicate(op.getPredicate());
  uint32_t a = scalar(op.getLhs()), b = scalar(op.getRhs());
  // As a signed number a true i1 is -1, so signed orders are reversed. Other
  // widths are sign-extended, which keeps unsigned orders too.
  if (op.getLhs().getType().isInteger(1) && opcode >= O::LtS &&
      opcode <= O::GeS)
    std::swap(a, b);
  registers[op.getResult()] = compute(op, opcode, S::I1, a, b);
  return success();
}

LogicalResult FunctionWriter::writeCompare(arith::CmpFOp op) {
  std::optional<O> opcode = convertPredicate(op.getPredicate());
  if (!opcode) {
    bool always = op.getPredicate() == arith::CmpFPredicate::AlwaysTrue;
    registers[op.getResult()] = addConstant(S::I1, always);
    return success();
  }
  registers[op.getResult()] =
      compute(op, *opcode, S::I1, scalar(op.getLhs()), scalar(op.getRhs()));
  return success();
}

LogicalResult FunctionWriter::writeIntegerCast(Operation &op, bool isSigned) {
  Type from = op.getOperand(0).getType(), to = op.getResult(0).getType();
  uint32_t value = scalar(op.getOperand(0));
  auto width = [](Type type) {
    return type.isIndex() ? 64u : type.getIntOrFloatBitWidth();
  };
  if (width(to) == 1 && width(from) != 1)
    value = compute(&op, O::IntToBool, S::I1, value);
  else if (width(to) < width(from))
    value = extend(&op, to, value, true);
  else if (width(from) == 1 && width(to) != 1)
    value = compute(&op, isSigned ? O::BoolToIntSigned : O::BoolToInt, S::I64,
                    value);
  else if (!isSigned && width(to) > width(from))
    value = extend(&op, from, value, false);
  registers[op.getResult(0)] = value;
  return success();
}

LogicalResult FunctionWriter::writeCast(Operation &op) {
  Type from = op.getOperand(0).getType(), to = op.getResult(0).getType();
  uint32_t value = scalar(op.getOperand(0));
  S type = *convertScalarType(to);
  uint32_t result;
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
    bool isSigned = isa<arith::SIToFPOp>(op);
    if (from.isInteger(1))
      value = compute(&op, isSigned ? O::BoolToIntSigned : O::BoolToInt, S::I64,
                      value);
    else if (!isSigned)
      value = extend(&op, from, value, false);
    result = compute(&op, isSigned ? O::SignedToFloat : O::UnsignedToFloat,
                     type, value);
  } else if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
    O opcode = isa<arith::FPToSIOp>(op) ? O::FloatToSigned : O::FloatToUnsigned;
    result = compute(&op, opcode, S::I64, value);
    result = to.isInteger(1) ? compute(&op, O::IntToBool, S::I1, result)
                             : extend(&op, to, result, true);
  } else if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    // f16 and bf16 live in an F32 register; storing rounds them.
    result = *convertScalarType(from) == type
                 ? value
                 : compute(&op, O::FloatToFloat, type, value);
  } else {
    bool wide = (from.isInteger(64) && to.isF64()) ||
                (from.isF64() && to.isInteger(64));
    bool narrow = (from.isInteger(32) && to.isF32()) ||
                  (from.isF32() && to.isInteger(32));
    if (!wide && !narrow)
      return op.emitOpError("has no instruction for ") << from << " to " << to;
    result = compute(&op, O::Bitcast, type, value);
    if (to.isInteger(32))
      result = extend(&op, to, result, true);
  }
  registers[op.getResult(0)] = result;
  return success();
}

/// Whether the op computes with f16 or bf16, whose rounding registers lack.
static bool computesInHalf(Operation &op) {
  auto isHalf = [](Type type) { return type.isF16() || type.isBF16(); };
  if (isa<arith::ExtFOp, arith::SelectOp, arith::CmpFOp>(op))
    return false;
  if (isa<arith::TruncFOp>(op))
    return isHalf(op.getResult(0).getType()) &&
           !llvm::all_of(op.getUsers(),
                         llvm::IsaPred<memref::StoreOp, byre::FillOp>);
  return llvm::any_of(op.getOperandTypes(), isHalf) ||
         llvm::any_of(op.getResultTypes(), isHalf);
}

LogicalResult FunctionWriter::writeScalarOp(Operation &op) {
  bool scalars = op.getNumResults() == 1 && op.getNumRegions() == 0;
  for (TypeRange types :
       {TypeRange(op.getOperandTypes()), TypeRange(op.getResultTypes())})
    for (Type type : types)
      scalars &= convertScalarType(type).has_value();
  if (!scalars)
    return op.emitOpError("has no form in a program");
  if (isa<arith::ConstantOp>(op) && registers.contains(op.getResult(0)))
    return success();
  if (computesInHalf(op))
    return op.emitOpError("has no instruction for f16 and bf16: expected such "
                          "arithmetic inside kernels");
  if (isa<byre::NarrowOp>(op)) {
    registers[op.getResult(0)] = scalar(op.getOperand(0));
    return success();
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return writeCompare(compare);
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return writeCompare(compare);
  if (isa<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(op))
    return writeIntegerCast(op, true);
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
    return writeIntegerCast(op, false);
  if (isa<arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp,
          arith::ExtFOp, arith::TruncFOp, arith::BitcastOp>(op))
    return writeCast(op);
  Type type = op.getResult(0).getType();
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    registers[select.getResult()] = compute(
        &op, O::Select, *convertScalarType(type), scalar(select.getTrueValue()),
        scalar(select.getFalseValue()), scalar(select.getCondition()));
    return success();
  }
  if (type.isInteger(1))
    return writeBooleanOp(op);
  const ScalarOp *known = findScalarOp(op.getName().getStringRef());
  bool wide = type.isIndex() || type.isInteger(64);
  if (!known || (known->wideOnly && !wide))
    return op.emitOpError("has no instruction");
  uint32_t operands[3] = {0, 0, 0};
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    operands[i] = scalar(operand);
    if (known->isUnsigned)
      operands[i] = extend(&op, operand.getType(), operands[i], false);
  }
  uint32_t value = compute(&op, known->opcode, *convertScalarType(type),
                           operands[0], operands[1], operands[2]);
  registers[op.getResult(0)] =
      known->wraps ? extend(&op, type, value, true) : value;
  return success();
}
