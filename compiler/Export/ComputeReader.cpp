// Scalar instructions as operations. Registers of I64 are i64 values; helpers
// that turn them into other types have no instruction of their own.
#include "compiler/Export/FunctionReader.h"
#include "compiler/Export/ScalarOps.h"
#include "runtime/format/compute_rules.h"

using namespace mlir;
using namespace ferrule;
using O = ferrule::format::Opcode;

Value FunctionReader::toElement(Value value, Type element, Location loc) {
  Type type = value.getType();
  if (type == element)
    return value;
  if (element.isIndex())
    return toIndex(value, loc);
  if (isa<FloatType>(element))
    return arith::TruncFOp::create(builder, loc, element, value);
  return byre::NarrowOp::create(builder, loc, element, value);
}

Value FunctionReader::fromElement(Value value, Type type, Location loc) {
  Type element = value.getType();
  if (type == element)
    return value;
  if (element.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, value);
  if (isa<FloatType>(element))
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::ExtSIOp::create(builder, loc, type, value);
}

Value FunctionReader::readCompare(O opcode, Value a, Value b, Location loc) {
  if (opcode <= O::GeU) {
    // The writer reverses signed orders of i1, where true is -1.
    if (a.getType().isInteger(1) && opcode >= O::LtS && opcode <= O::GeS)
      std::swap(a, b);
    for (uint64_t i = 0; i <= arith::getMaxEnumValForCmpIPredicate(); ++i) {
      auto predicate = static_cast<arith::CmpIPredicate>(i);
      if (convertPredicate(predicate) == opcode)
        return arith::CmpIOp::create(builder, loc, predicate, a, b);
    }
    return {};
  }
  for (uint64_t i = 0; i <= arith::getMaxEnumValForCmpFPredicate(); ++i) {
    auto predicate = static_cast<arith::CmpFPredicate>(i);
    if (convertPredicate(predicate) == opcode)
      return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  return {};
}

FailureOr<Value> FunctionReader::readCast(const format::Compute &op,
                                          Value value, Type type,
                                          Location loc) {
  auto signExtend = [&](unsigned bits) -> Value {
    Value low = arith::TruncIOp::create(builder, loc,
                                        builder.getIntegerType(bits), value);
    return arith::ExtSIOp::create(builder, loc, type, low);
  };
  auto zeroExtend = [&](unsigned bits) -> Value {
    Value low = byre::NarrowOp::create(builder, loc,
                                       builder.getIntegerType(bits), value);
    return arith::ExtUIOp::create(builder, loc, type, low);
  };
  switch (op.opcode()) {
  case O::SignExtend8:
    return signExtend(8);
  case O::SignExtend16:
    return signExtend(16);
  case O::SignExtend32:
    return signExtend(32);
  case O::ZeroExtend8:
    return zeroExtend(8);
  case O::ZeroExtend16:
    return zeroExtend(16);
  case O::ZeroExtend32:
    return zeroExtend(32);
  case O::BoolToInt:
    return Value(arith::ExtUIOp::create(builder, loc, type, value));
  case O::BoolToIntSigned:
    return Value(arith::ExtSIOp::create(builder, loc, type, value));
  case O::IntToBool:
    return Value(arith::TruncIOp::create(builder, loc, type, value));
  case O::SignedToFloat:
    return Value(arith::SIToFPOp::create(builder, loc, type, value));
  case O::UnsignedToFloat:
    return Value(arith::UIToFPOp::create(builder, loc, type, value));
  case O::FloatToSigned:
    return Value(arith::FPToSIOp::create(builder, loc, type, value));
  case O::FloatToUnsigned:
    return Value(arith::FPToUIOp::create(builder, loc, type, value));
  case O::FloatToFloat:
    if (type.isF64())
      return Value(arith::ExtFOp::create(builder, loc, type, value));
    return Value(arith::TruncFOp::create(builder, loc, type, value));
  case O::Bitcast:
    if (type.isF32())
      value = byre::NarrowOp::create(builder, loc, builder.getI32Type(), value);
    return Value(arith::BitcastOp::create(builder, loc, type, value));
  default:
    return failure();
  }
}

LogicalResult FunctionReader::readBitcastToInteger(const format::Compute &op,
                                                   const format::Compute *next,
                                                   Location loc,
                                                   bool &usedNext) {
  // The writer makes a bitcast to i32 of two instructions.
  usedNext =
      next && next->opcode() == O::SignExtend32 && next->a() == op.result();
  if (!usedNext)
    return error("has a bitcast to an integer without its extension, which IR "
                 "has no form for");
  FailureOr<Value> value = scalar(op.a());
  if (failed(value))
    return failure();
  Value bits =
      arith::BitcastOp::create(builder, loc, builder.getI32Type(), *value);
  return setScalar(
      next->result(),
      arith::ExtSIOp::create(builder, loc, builder.getI64Type(), bits));
}

LogicalResult FunctionReader::read(const format::Compute &op, Location loc) {
  Type type = scalarType(op.result());
  FailureOr<Value> a = scalar(op.a());
  if (failed(a))
    return failure();
  FailureOr<Value> cast = readCast(op, *a, type, loc);
  if (succeeded(cast))
    return setScalar(op.result(), *cast);

  if (op.opcode() == O::Select) {
    FailureOr<Value> b = scalar(op.b()), c = scalar(op.c());
    if (failed(b) || failed(c))
      return failure();
    return setScalar(op.result(),
                     arith::SelectOp::create(builder, loc, *c, *a, *b));
  }
  bool compares = (op.opcode() >= O::Eq && op.opcode() <= O::GeU) ||
                  (op.opcode() >= O::OEq && op.opcode() <= O::Uno);
  if (compares) {
    FailureOr<Value> b = scalar(op.b());
    if (failed(b))
      return failure();
    return setScalar(op.result(), readCompare(op.opcode(), *a, *b, loc));
  }
  const ScalarOp *known = findScalarOp(op.opcode(), isa<FloatType>(type));
  if (!known)
    return error(Twine("has opcode ") + format::EnumNameOpcode(op.opcode()) +
                 ", which IR has no form for");
  OperationName name(known->name, builder.getContext());
  SmallVector<Value> operands = {*a};
  unsigned count = format::operandCount(op.opcode());
  for (uint32_t number : {op.b(), op.c()}) {
    if (operands.size() == count)
      break;
    FailureOr<Value> operand = scalar(number);
    if (failed(operand))
      return failure();
    operands.push_back(*operand);
  }
  OperationState state(loc, name, operands, type);
  return setScalar(op.result(), builder.create(state)->getResult(0));
}
