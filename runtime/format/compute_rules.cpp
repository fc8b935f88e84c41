#include "runtime/format/compute_rules.h"

using namespace ferrule::format;

using O = Opcode;
using S = ScalarType;

static bool between(Opcode opcode, Opcode first, Opcode last) {
  return opcode >= first && opcode <= last;
}

unsigned ferrule::format::operandCount(Opcode opcode) {
  switch (opcode) {
  case O::Move:
  case O::AbsI:
  case O::CountLeadingZeros:
  case O::CountTrailingZeros:
  case O::PopCount:
  case O::Neg:
  case O::Abs:
  case O::Sin:
  case O::Cos:
  case O::Tan:
  case O::Tanh:
    return 1;
  case O::Select:
  case O::Fma:
    return 3;
  default:
    break;
  }
  if (between(opcode, O::SignExtend8, O::IntToBool) ||
      between(opcode, O::Floor, O::Log2) ||
      between(opcode, O::SignedToFloat, O::Bitcast))
    return 1;
  return 2;
}

static bool isFloat(ScalarType type) {
  return type == S::F64 || type == S::F32;
}
static bool isInteger(ScalarType type) {
  return type == S::I64 || type == S::I1;
}

bool ferrule::format::typesFit(Opcode opcode, ScalarType result, ScalarType a,
                               ScalarType b, ScalarType c) {
  unsigned count = operandCount(opcode);
  if (opcode == O::Select)
    return a == b && a == result && c == S::I1;
  // All operands of the other opcodes have one type.
  if ((count > 1 && a != b) || (count > 2 && a != c))
    return false;
  if (opcode == O::Move)
    return a == result;
  if (between(opcode, O::Add, O::Mul))
    return a == result && a != S::I1;
  if (between(opcode, O::And, O::Xor))
    return a == result && isInteger(a);
  if (between(opcode, O::DivS, O::PopCount) ||
      between(opcode, O::SignExtend8, O::ZeroExtend32))
    return a == S::I64 && result == S::I64;
  if (between(opcode, O::Eq, O::GeU))
    return isInteger(a) && result == S::I1;
  if (opcode == O::BoolToInt || opcode == O::BoolToIntSigned)
    return a == S::I1 && result == S::I64;
  if (opcode == O::IntToBool)
    return a == S::I64 && result == S::I1;
  if (between(opcode, O::Div, O::Fma))
    return a == result && isFloat(a);
  if (between(opcode, O::OEq, O::Uno))
    return isFloat(a) && result == S::I1;
  if (opcode == O::SignedToFloat || opcode == O::UnsignedToFloat)
    return a == S::I64 && isFloat(result);
  if (opcode == O::FloatToSigned || opcode == O::FloatToUnsigned)
    return isFloat(a) && result == S::I64;
  if (opcode == O::FloatToFloat)
    return isFloat(a) && isFloat(result);
  if (opcode == O::Bitcast)
    return (a == S::I64) != (result == S::I64) && a != S::I1 && result != S::I1;
  return false;
}
