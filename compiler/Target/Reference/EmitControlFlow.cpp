// Structured control flow becomes jumps; scalar ops become instructions.
#include "compiler/Target/Reference/EmitScalarOps.h"
#include "compiler/Target/Reference/Emitter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::reference;

LogicalResult Emitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(emit(&op)))
      return failure();
  return success();
}

LogicalResult Emitter::emitRegion(Region &region, ArrayRef<uint32_t> results) {
  if (region.empty())
    return success();
  if (failed(emitBlock(region.front())))
    return failure();
  move(flatten(region.front().getTerminator()->getOperands()), results);
  return success();
}

LogicalResult Emitter::emitFor(scf::ForOp op) {
  Registers carried;
  for (auto [i, argument] : llvm::enumerate(op.getRegionIterArgs())) {
    Registers registers = newRegisters(argument.getType());
    move(values[op.getInitArgs()[i]], registers);
    llvm::append_range(carried, registers);
    values[argument] = registers;
    values[op.getResult(i)] = registers;
  }
  uint32_t counter = newRegister();
  add(Op::Move, Element::I64, counter, scalar(op.getLowerBound()));
  values[op.getInductionVar()] = {counter};
  Element type = elementOf(op.getInductionVar().getType());
  uint32_t test = here();
  uint32_t done =
      compute(Op::CompareI, type, counter, scalar(op.getUpperBound()),
              static_cast<uint32_t>(arith::CmpIPredicate::sge));
  uint32_t exit = here();
  add(Op::JumpIf, Element::I1, 0, done);
  if (failed(emitBlock(*op.getBody())))
    return failure();
  move(flatten(op.getBody()->getTerminator()->getOperands()), carried);
  add(Op::AddI, type, counter, counter, scalar(op.getStep()));
  add(Op::Jump, Element::None, test);
  land(exit);
  return success();
}

LogicalResult Emitter::emitIf(scf::IfOp op) {
  Registers results;
  for (Value result : op.getResults()) {
    values[result] = newRegisters(result.getType());
    llvm::append_range(results, values[result]);
  }
  uint32_t toThen = here();
  add(Op::JumpIf, Element::I1, 0, scalar(op.getCondition()));
  if (failed(emitRegion(op.getElseRegion(), results)))
    return failure();
  uint32_t toEnd = here();
  add(Op::Jump, Element::None, 0);
  land(toThen);
  if (failed(emitRegion(op.getThenRegion(), results)))
    return failure();
  land(toEnd);
  return success();
}

LogicalResult Emitter::emitWhile(scf::WhileOp op) {
  Registers before, after;
  for (auto [argument, init] :
       llvm::zip_equal(op.getBeforeArguments(), op.getInits())) {
    values[argument] = newRegisters(argument.getType());
    move(values[init], values[argument]);
    llvm::append_range(before, values[argument]);
  }
  for (auto [argument, result] :
       llvm::zip_equal(op.getAfterArguments(), op.getResults())) {
    Registers registers = newRegisters(argument.getType());
    values[argument] = registers;
    values[result] = registers;
    llvm::append_range(after, registers);
  }
  uint32_t start = here();
  if (failed(emitBlock(*op.getBeforeBody())))
    return failure();
  scf::ConditionOp condition = op.getConditionOp();
  move(flatten(condition.getArgs()), after);
  uint32_t toBody = here();
  add(Op::JumpIf, Element::I1, 0, scalar(condition.getCondition()));
  uint32_t toEnd = here();
  add(Op::Jump, Element::None, 0);
  land(toBody);
  if (failed(emitRegion(op.getAfter(), before)))
    return failure();
  add(Op::Jump, Element::None, start);
  land(toEnd);
  return success();
}

LogicalResult Emitter::emitSwitch(scf::IndexSwitchOp op) {
  Registers results;
  for (Value result : op.getResults()) {
    values[result] = newRegisters(result.getType());
    llvm::append_range(results, values[result]);
  }
  SmallVector<uint32_t> toEnd;
  for (auto [value, region] :
       llvm::zip_equal(op.getCases(), op.getCaseRegions())) {
    uint32_t other = compute(Op::CompareI, Element::I64, scalar(op.getArg()),
                             constant(value),
                             static_cast<uint32_t>(arith::CmpIPredicate::ne));
    uint32_t next = here();
    add(Op::JumpIf, Element::I1, 0, other);
    if (failed(emitRegion(region, results)))
      return failure();
    toEnd.push_back(here());
    add(Op::Jump, Element::None, 0);
    land(next);
  }
  if (failed(emitRegion(op.getDefaultRegion(), results)))
    return failure();
  for (uint32_t place : toEnd)
    land(place);
  return success();
}

/// Ops whose result is twice as wide as their operands.
bool Emitter::emitWide(Operation *op) {
  bool isSigned = isa<arith::MulSIExtendedOp>(op);
  if (!isSigned && !isa<arith::MulUIExtendedOp, arith::AddUIExtendedOp>(op))
    return false;
  Element type = elementOf(op->getOperand(0).getType());
  uint32_t a = scalar(op->getOperand(0)), b = scalar(op->getOperand(1));
  bool adds = isa<arith::AddUIExtendedOp>(op);
  values[op->getResult(0)] = {compute(adds ? Op::AddI : Op::MulI, type, a, b)};
  values[op->getResult(1)] = {compute(adds       ? Op::AddCarry
                                      : isSigned ? Op::MulHighS
                                                 : Op::MulHighU,
                                      type, a, b)};
  return true;
}

LogicalResult Emitter::emitScalar(Operation *op) {
  if (emitWide(op))
    return success();
  std::optional<ScalarOp> known = findScalarOp(op);
  if (!known || op->getNumResults() != 1)
    return op->emitOpError("has no form in the reference target's byte code");
  Element operand = elementOf(op->getOperand(0).getType());
  Element type =
      known->typeOfOperand ? operand : elementOf(op->getResult(0).getType());
  uint32_t operands[3] = {0, 0, 0};
  for (auto [i, value] : llvm::enumerate(op->getOperands()))
    operands[i] = scalar(value);
  if (known->predicate)
    operands[2] = *known->predicate;
  values[op->getResult(0)] = {
      compute(known->op, type, operands[0], operands[1], operands[2], operand)};
  return success();
}

LogicalResult Emitter::emit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitFor(loop);
  if (auto choice = dyn_cast<scf::IfOp>(op))
    return emitIf(choice);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return emitWhile(loop);
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
    return emitSwitch(choice);
  if (auto number = dyn_cast<arith::ConstantOp>(op)) {
    values[number] = {
        constantOf(number.getValue(), elementOf(number.getType()))};
    return success();
  }
  if (auto number = dyn_cast<complex::ConstantOp>(op)) {
    Registers parts;
    for (Attribute part : number.getValue())
      parts.push_back(constantOf(part, Element::F64));
    values[number] = parts;
    return success();
  }
  if (isa<complex::CreateOp>(op)) {
    values[op->getResult(0)] = flatten(op->getOperands());
    return success();
  }
  if (isa<complex::ReOp, complex::ImOp>(op)) {
    values[op->getResult(0)] = {
        values[op->getOperand(0)][isa<complex::ImOp>(op)]};
    return success();
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    Registers chosen;
    for (auto [a, b] : llvm::zip_equal(values[select.getTrueValue()],
                                       values[select.getFalseValue()]))
      chosen.push_back(compute(Op::Select, Element::I64,
                               scalar(select.getCondition()), a, b));
    values[select] = chosen;
    return success();
  }
  if (auto extend = dyn_cast<arith::ExtSIOp>(op)) {
    uint32_t value = scalar(extend.getIn());
    // The one of an i1 is -1.
    values[extend] = {
        extend.getIn().getType().isInteger(1)
            ? compute(Op::SubI, elementOf(extend.getType()), constant(0), value)
            : value};
    return success();
  }
  if (auto check = dyn_cast<cf::AssertOp>(op)) {
    code.messages.push_back(check.getMsgAttr());
    add(Op::Assert, Element::I1, code.messages.size(), scalar(check.getArg()));
    return success();
  }
  if (isa<memref::MemRefDialect>(op->getDialect()))
    return emitMemory(op);
  return emitScalar(op);
}
