#include "compiler/Target/Reference/EmitScalarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringMap.h"

using mlir::dyn_cast;
using mlir::isa;
using namespace ferrule;
using namespace ferrule::reference;
using format::reference::Op;

static const llvm::StringMap<Op> &table() {
  static const llvm::StringMap<Op> ops = {
      {"arith.addi", Op::AddI},
      {"arith.subi", Op::SubI},
      {"arith.muli", Op::MulI},
      {"arith.divsi", Op::DivS},
      {"arith.divui", Op::DivU},
      {"arith.ceildivsi", Op::CeilDivS},
      {"arith.ceildivui", Op::CeilDivU},
      {"arith.floordivsi", Op::FloorDivS},
      {"arith.remsi", Op::RemS},
      {"arith.remui", Op::RemU},
      {"arith.andi", Op::And},
      {"arith.ori", Op::Or},
      {"arith.xori", Op::Xor},
      {"arith.shli", Op::Shl},
      {"arith.shrsi", Op::ShrS},
      {"arith.shrui", Op::ShrU},
      {"arith.minsi", Op::MinS},
      {"arith.minui", Op::MinU},
      {"arith.maxsi", Op::MaxS},
      {"arith.maxui", Op::MaxU},
      {"arith.trunci", Op::Wrap},
      {"arith.index_cast", Op::Wrap},
      {"arith.extui", Op::ExtendU},
      {"arith.index_castui", Op::ExtendU},
      {"arith.addf", Op::AddF},
      {"arith.subf", Op::SubF},
      {"arith.mulf", Op::MulF},
      {"arith.divf", Op::DivF},
      {"arith.remf", Op::RemF},
      {"arith.negf", Op::NegF},
      {"arith.minimumf", Op::Minimum},
      {"arith.maximumf", Op::Maximum},
      {"arith.minnumf", Op::MinNum},
      {"arith.maxnumf", Op::MaxNum},
      {"arith.extf", Op::Round},
      {"arith.truncf", Op::Round},
      {"arith.sitofp", Op::SignedToFloat},
      {"arith.uitofp", Op::UnsignedToFloat},
      {"arith.fptosi", Op::FloatToSigned},
      {"arith.fptoui", Op::FloatToUnsigned},
      {"arith.bitcast", Op::Bitcast},
      {"math.absi", Op::AbsI},
      {"math.ctlz", Op::LeadingZeros},
      {"math.cttz", Op::TrailingZeros},
      {"math.ctpop", Op::PopCount},
      {"math.ipowi", Op::PowI},
      {"math.absf", Op::AbsF},
      {"math.copysign", Op::CopySign},
      {"math.fma", Op::Fma},
      {"math.sqrt", Op::Sqrt},
      {"math.rsqrt", Op::Rsqrt},
      {"math.cbrt", Op::Cbrt},
      {"math.exp", Op::Exp},
      {"math.exp2", Op::Exp2},
      {"math.expm1", Op::ExpM1},
      {"math.log", Op::Log},
      {"math.log2", Op::Log2},
      {"math.log10", Op::Log10},
      {"math.log1p", Op::Log1P},
      {"math.sin", Op::Sin},
      {"math.cos", Op::Cos},
      {"math.tan", Op::Tan},
      {"math.asin", Op::Asin},
      {"math.acos", Op::Acos},
      {"math.atan", Op::Atan},
      {"math.sinh", Op::Sinh},
      {"math.cosh", Op::Cosh},
      {"math.tanh", Op::Tanh},
      {"math.asinh", Op::Asinh},
      {"math.acosh", Op::Acosh},
      {"math.atanh", Op::Atanh},
      {"math.erf", Op::Erf},
      {"math.erfc", Op::Erfc},
      {"math.floor", Op::Floor},
      {"math.ceil", Op::Ceil},
      {"math.trunc", Op::Trunc},
      {"math.round", Op::RoundAway},
      {"math.roundeven", Op::RoundEven},
      {"math.powf", Op::Pow},
      {"math.fpowi", Op::PowFI},
      {"math.atan2", Op::Atan2},
  };
  return ops;
}

std::optional<ScalarOp> reference::findScalarOp(mlir::Operation *op) {
  if (auto compare = dyn_cast<mlir::arith::CmpIOp>(op))
    return ScalarOp{Op::CompareI, true,
                    static_cast<uint32_t>(compare.getPredicate())};
  if (auto compare = dyn_cast<mlir::arith::CmpFOp>(op))
    return ScalarOp{Op::CompareF, true,
                    static_cast<uint32_t>(compare.getPredicate())};
  llvm::StringRef name = op->getName().getStringRef();
  if (name == "math.isnan")
    return ScalarOp{Op::IsNan, true, {}};
  if (name == "math.isinf")
    return ScalarOp{Op::IsInf, true, {}};
  if (name == "math.isfinite")
    return ScalarOp{Op::IsFinite, true, {}};
  auto found = table().find(name);
  if (found == table().end())
    return std::nullopt;
  return ScalarOp{found->second, false, {}};
}
