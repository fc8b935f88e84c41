// Registers, constants and single instructions.
#include "compiler/Target/Reference/Emitter.h"
#include "compiler/Export/ElementTypes.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::reference;
using format::reference::Instruction;

Emitter::Element Emitter::elementOf(Type type) {
  if (auto element = convertElementType(type))
    return *element;
  unknownType = true;
  return Element::I64;
}

void Emitter::add(Op op, Element type, uint32_t result, uint32_t a, uint32_t b,
                  uint32_t c, Element other) {
  code.instructions.push_back({op, static_cast<uint8_t>(type),
                               static_cast<uint8_t>(other), 0, result, a, b,
                               c});
}

uint32_t Emitter::compute(Op op, Element type, uint32_t a, uint32_t b,
                          uint32_t c, Element other) {
  uint32_t result = newRegister();
  add(op, type, result, a, b, c, other);
  return result;
}

uint32_t Emitter::constant(int64_t bits) {
  auto [known, isNew] = constants.try_emplace(bits, 0);
  if (isNew) {
    known->second = newRegister();
    prologue.push_back({Op::Const, static_cast<uint8_t>(Element::I64), 0, 0,
                        known->second, static_cast<uint32_t>(bits),
                        static_cast<uint32_t>(bits >> 32), 0});
  }
  return known->second;
}

uint32_t Emitter::constantOf(Attribute value, Element type) {
  if (auto number = dyn_cast<FloatAttr>(value)) {
    bool ignored;
    llvm::APFloat wide = number.getValue();
    wide.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &ignored);
    return constant(llvm::bit_cast<int64_t>(wide.convertToDouble()));
  }
  if (auto flag = dyn_cast<BoolAttr>(value))
    return constant(flag.getValue());
  llvm::APInt bits = cast<IntegerAttr>(value).getValue();
  return constant(type == Element::I1 ? bits.getBoolValue()
                                      : bits.getSExtValue());
}

uint32_t Emitter::plus(uint32_t a, uint32_t b) {
  uint32_t zero = constant(0);
  if (a == zero)
    return b;
  return b == zero ? a : compute(Op::AddI, Element::I64, a, b);
}

uint32_t Emitter::times(uint32_t a, uint32_t b) {
  uint32_t one = constant(1);
  if (a == one)
    return b;
  return b == one ? a : compute(Op::MulI, Element::I64, a, b);
}

uint32_t Emitter::size(OpFoldResult value) {
  if (auto known = getConstantIntValue(value))
    return constant(*known);
  return scalar(cast<Value>(value));
}

void Emitter::move(ArrayRef<uint32_t> from, ArrayRef<uint32_t> targets) {
  SmallVector<uint32_t> sources(from);
  // A source that is an earlier target is read before it is overwritten.
  for (uint32_t &source : sources)
    if (llvm::is_contained(targets, source))
      source = compute(Op::Move, Element::I64, source);
  for (auto [source, target] : llvm::zip_equal(sources, targets))
    add(Op::Move, Element::I64, target, source);
}

Emitter::Registers Emitter::newRegisters(Type type) {
  unsigned count = partsOf(type);
  if (auto buffer = dyn_cast<MemRefType>(type))
    count = 2 + 2 * buffer.getRank();
  Registers result;
  while (result.size() < count)
    result.push_back(newRegister());
  return result;
}

Emitter::Registers Emitter::flatten(ValueRange operands) {
  Registers all;
  for (Value value : operands)
    llvm::append_range(all, values[value]);
  return all;
}

FailureOr<KernelCode> Emitter::run() {
  uint32_t buffers = 0, scalars = 0;
  for (BlockArgument argument : kernel.getArguments()) {
    if (isa<MemRefType>(argument.getType())) {
      bindArgument(argument, buffers++);
      continue;
    }
    uint32_t result = newRegister();
    add(Op::Scalar, elementOf(argument.getType()), result, scalars++);
    values[argument] = {result};
  }
  if (failed(emitBlock(kernel.getBody().front())))
    return failure();
  if (unknownType)
    return kernel.emitOpError("computes with a type that the reference "
                              "target does not have");
  add(Op::Return, Element::None, 0);
  // Jumps count from the start of the code.
  for (Instruction &instruction : code.instructions)
    if (instruction.op == Op::Jump || instruction.op == Op::JumpIf)
      instruction.result += prologue.size();
  code.instructions.insert(code.instructions.begin(), prologue.begin(),
                           prologue.end());
  return std::move(code);
}

FailureOr<KernelCode> reference::emitKernel(func::FuncOp kernel) {
  if (!llvm::hasSingleElement(kernel.getBody()))
    return kernel.emitOpError("expected a kernel of one block");
  return Emitter(kernel).run();
}
