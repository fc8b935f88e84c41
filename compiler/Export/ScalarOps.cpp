#include "compiler/Export/ScalarOps.h"

using namespace mlir;
using namespace ferrule;
using O = ferrule::format::Opcode;

// Name, opcode, isFloat, wraps, isUnsigned, wideOnly.
static const ScalarOp kOps[] = {
    {"arith.addi", O::Add, false, true},
    {"arith.subi", O::Sub, false, true},
    {"arith.muli", O::Mul, false, true},
    {"arith.divsi", O::DivS, false, true},
    {"arith.divui", O::DivU, false, true, true},
    {"arith.floordivsi", O::FloorDivS, false, true},
    {"arith.ceildivsi", O::CeilDivS, false, true},
    {"arith.ceildivui", O::CeilDivU, false, true, true},
    {"arith.remsi", O::RemS},
    {"arith.remui", O::RemU, false, true, true},
    {"arith.minsi", O::MinS},
    {"arith.minui", O::MinU},
    {"arith.maxsi", O::MaxS},
    {"arith.maxui", O::MaxU},
    {"math.absi", O::AbsI, false, true},
    {"arith.andi", O::And},
    {"arith.ori", O::Or},
    {"arith.xori", O::Xor},
    {"arith.shli", O::Shl, false, true},
    {"arith.shrsi", O::ShrS},
    {"arith.shrui", O::ShrU, false, true, true},
    {"math.ctlz", O::CountLeadingZeros, false, false, false, true},
    {"math.cttz", O::CountTrailingZeros, false, false, false, true},
    {"math.ctpop", O::PopCount, false, false, true},
    {"arith.addf", O::Add, true},
    {"arith.subf", O::Sub, true},
    {"arith.mulf", O::Mul, true},
    {"arith.divf", O::Div, true},
    {"arith.remf", O::Rem, true},
    {"arith.negf", O::Neg, true},
    {"math.absf", O::Abs, true},
    {"arith.minimumf", O::Minimum, true},
    {"arith.maximumf", O::Maximum, true},
    {"arith.minnumf", O::MinNum, true},
    {"arith.maxnumf", O::MaxNum, true},
    {"math.floor", O::Floor, true},
    {"math.ceil", O::Ceil, true},
    {"math.trunc", O::Trunc, true},
    {"math.round", O::Round, true},
    {"math.roundeven", O::RoundEven, true},
    {"math.sqrt", O::Sqrt, true},
    {"math.rsqrt", O::Rsqrt, true},
    {"math.exp", O::Exp, true},
    {"math.exp2", O::Exp2, true},
    {"math.log", O::Log, true},
    {"math.log2", O::Log2, true},
    {"math.powf", O::Pow, true},
    {"math.sin", O::Sin, true},
    {"math.cos", O::Cos, true},
    {"math.tan", O::Tan, true},
    {"math.tanh", O::Tanh, true},
    {"math.fma", O::Fma, true},
};

ArrayRef<ScalarOp> ferrule::getScalarOps() { return kOps; }

const ScalarOp *ferrule::findScalarOp(StringRef name) {
  const auto *found =
      llvm::find_if(kOps, [&](const ScalarOp &op) { return op.name == name; });
  return found == std::end(kOps) ? nullptr : found;
}

const ScalarOp *ferrule::findScalarOp(O opcode, bool isFloat) {
  const auto *found = llvm::find_if(kOps, [&](const ScalarOp &op) {
    return op.opcode == opcode && op.isFloat == isFloat;
  });
  return found == std::end(kOps) ? nullptr : found;
}

std::optional<O> ferrule::convertPredicate(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return O::Eq;
  case arith::CmpIPredicate::ne:
    return O::Ne;
  case arith::CmpIPredicate::slt:
    return O::LtS;
  case arith::CmpIPredicate::sle:
    return O::LeS;
  case arith::CmpIPredicate::sgt:
    return O::GtS;
  case arith::CmpIPredicate::sge:
    return O::GeS;
  case arith::CmpIPredicate::ult:
    return O::LtU;
  case arith::CmpIPredicate::ule:
    return O::LeU;
  case arith::CmpIPredicate::ugt:
    return O::GtU;
  case arith::CmpIPredicate::uge:
    return O::GeU;
  }
  return std::nullopt;
}

std::optional<O> ferrule::convertPredicate(arith::CmpFPredicate predicate) {
  switch (predicate) {
  case arith::CmpFPredicate::OEQ:
    return O::OEq;
  case arith::CmpFPredicate::OGT:
    return O::OGt;
  case arith::CmpFPredicate::OGE:
    return O::OGe;
  case arith::CmpFPredicate::OLT:
    return O::OLt;
  case arith::CmpFPredicate::OLE:
    return O::OLe;
  case arith::CmpFPredicate::ONE:
    return O::ONe;
  case arith::CmpFPredicate::ORD:
    return O::Ord;
  case arith::CmpFPredicate::UEQ:
    return O::UEq;
  case arith::CmpFPredicate::UGT:
    return O::UGt;
  case arith::CmpFPredicate::UGE:
    return O::UGe;
  case arith::CmpFPredicate::ULT:
    return O::ULt;
  case arith::CmpFPredicate::ULE:
    return O::ULe;
  case arith::CmpFPredicate::UNE:
    return O::UNe;
  case arith::CmpFPredicate::UNO:
    return O::Uno;
  default:
    return std::nullopt;
  }
}
