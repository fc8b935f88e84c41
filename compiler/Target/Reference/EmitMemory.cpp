// Buffers: what a memref is in registers, and the ops on it.
#include "compiler/Target/Reference/Emitter.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::reference;

/// The registers of a buffer: handle, first element, sizes, strides.
static uint32_t &sizeAt(SmallVectorImpl<uint32_t> &buffer, unsigned dim) {
  return buffer[2 + dim];
}
static uint32_t &strideAt(SmallVectorImpl<uint32_t> &buffer, unsigned dim) {
  unsigned rank = (buffer.size() - 2) / 2;
  return buffer[2 + rank + dim];
}

void Emitter::setStrides(Registers &buffer, unsigned rank) {
  uint32_t stride = constant(1);
  for (unsigned dim = rank; dim-- > 0;) {
    strideAt(buffer, dim) = stride;
    if (dim)
      stride = times(stride, sizeAt(buffer, dim));
  }
}

void Emitter::bindArgument(BlockArgument argument, uint32_t number) {
  auto type = cast<MemRefType>(argument.getType());
  Registers buffer(2 + 2 * type.getRank());
  buffer[0] = constant(number);
  buffer[1] = constant(0);
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    sizeAt(buffer, dim) =
        ShapedType::isDynamic(size)
            ? compute(Op::BufferSize, Element::I64, number, dim)
            : constant(size);
  setStrides(buffer, type.getRank());
  values[argument] = buffer;
}

uint32_t Emitter::address(Value buffer, ValueRange indices) {
  Registers registers = values[buffer];
  uint32_t result = registers[1];
  for (auto [dim, index] : llvm::enumerate(indices))
    result = plus(result, times(scalar(index), strideAt(registers, dim)));
  return result;
}

void Emitter::loadElement(Type element, uint32_t handle, uint32_t index,
                          Registers &result) {
  unsigned parts = partsOf(element);
  if (parts == 2) {
    element = cast<ComplexType>(element).getElementType();
    index = times(index, constant(2));
  }
  for (unsigned i = 0; i < parts; ++i)
    result.push_back(compute(Op::Load, elementOf(element), handle,
                             plus(index, constant(i))));
}

void Emitter::storeElement(Type element, uint32_t handle, uint32_t index,
                           ArrayRef<uint32_t> value) {
  if (value.size() == 2) {
    element = cast<ComplexType>(element).getElementType();
    index = times(index, constant(2));
  }
  for (auto [i, part] : llvm::enumerate(value))
    add(Op::Store, elementOf(element), part, handle, plus(index, constant(i)));
}

Emitter::Registers Emitter::allocate(MemRefType type, ValueRange sizes) {
  Registers buffer(2 + 2 * type.getRank());
  uint32_t count = constant(1);
  for (auto [dim, known] : llvm::enumerate(type.getShape())) {
    uint32_t size = 0;
    if (ShapedType::isDynamic(known)) {
      size = scalar(sizes.front());
      sizes = sizes.drop_front();
    } else {
      size = constant(known);
    }
    sizeAt(buffer, dim) = size;
    count = times(count, size);
  }
  Type element = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element)) {
    element = complex.getElementType();
    count = times(count, constant(2));
  }
  buffer[0] = compute(Op::Alloc, elementOf(element), count);
  buffer[1] = constant(0);
  setStrides(buffer, type.getRank());
  return buffer;
}

/// A loop for each dim, as emitFor makes it.
void Emitter::emitCopy(Value source, Value target) {
  auto type = cast<MemRefType>(source.getType());
  Registers from = values[source], to = values[target];
  SmallVector<uint32_t> counters, tests, exits;
  uint32_t fromIndex = from[1], toIndex = to[1];
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    uint32_t counter = compute(Op::Move, Element::I64, constant(0));
    counters.push_back(counter);
    tests.push_back(here());
    uint32_t done =
        compute(Op::CompareI, Element::I64, counter, sizeAt(from, dim),
                static_cast<uint32_t>(arith::CmpIPredicate::sge));
    exits.push_back(here());
    add(Op::JumpIf, Element::I1, 0, done);
    fromIndex = plus(fromIndex, times(counter, strideAt(from, dim)));
    toIndex = plus(toIndex, times(counter, strideAt(to, dim)));
  }
  Registers value;
  loadElement(type.getElementType(), from[0], fromIndex, value);
  storeElement(type.getElementType(), to[0], toIndex, value);
  for (unsigned dim = type.getRank(); dim-- > 0;) {
    add(Op::AddI, Element::I64, counters[dim], counters[dim], constant(1));
    add(Op::Jump, Element::None, tests[dim]);
    land(exits[dim]);
  }
}

/// A constant tensor is stored element by element where it is used.
void Emitter::emitGlobal(memref::GetGlobalOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  MemRefType type = op.getType();
  Registers buffer = allocate(type, {});
  values[op] = buffer;
  auto elements =
      dyn_cast_or_null<DenseElementsAttr>(global.getConstantInitValue());
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(
          global.getConstantInitValue()))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      elements = DenseElementsAttr::getFromRawBuffer(resource.getType(),
                                                     blob->getData());
  if (!elements) {
    unknownType = true;
    return;
  }
  Type element = type.getElementType();
  auto registersOf = [&](Attribute value) {
    Registers parts;
    if (auto pair = dyn_cast<ArrayAttr>(value))
      for (Attribute part : pair)
        parts.push_back(constantOf(part, Element::F64));
    else
      parts.push_back(constantOf(value, elementOf(element)));
    return parts;
  };
  if (elements.isSplat() && type.getNumElements() > 1) {
    Registers value = registersOf(elements.getSplatValue<Attribute>());
    uint32_t counter = compute(Op::Move, Element::I64, constant(0));
    uint32_t test = here();
    uint32_t done = compute(Op::CompareI, Element::I64, counter,
                            constant(type.getNumElements()),
                            static_cast<uint32_t>(arith::CmpIPredicate::sge));
    uint32_t exit = here();
    add(Op::JumpIf, Element::I1, 0, done);
    storeElement(element, buffer[0], counter, value);
    add(Op::AddI, Element::I64, counter, counter, constant(1));
    add(Op::Jump, Element::None, test);
    land(exit);
    return;
  }
  for (auto [i, value] : llvm::enumerate(elements.getValues<Attribute>()))
    storeElement(element, buffer[0], constant(i), registersOf(value));
}

void Emitter::emitView(Operation *op, Value source,
                       ArrayRef<OpFoldResult> offsets,
                       ArrayRef<OpFoldResult> sizes,
                       ArrayRef<OpFoldResult> strides) {
  Registers from = values[source];
  auto type = cast<MemRefType>(op->getResult(0).getType());
  llvm::SmallBitVector dropped(sizes.size());
  if (auto slice = dyn_cast<memref::SubViewOp>(op))
    dropped = slice.getDroppedDims();
  Registers view(2 + 2 * type.getRank());
  view[0] = from[0];
  uint32_t first = from[1];
  unsigned dim = 0;
  for (unsigned i = 0; i < sizes.size(); ++i) {
    first = plus(first, times(size(offsets[i]), strideAt(from, i)));
    if (dropped.test(i))
      continue;
    sizeAt(view, dim) = size(sizes[i]);
    strideAt(view, dim) = times(size(strides[i]), strideAt(from, i));
    ++dim;
  }
  view[1] = first;
  values[op->getResult(0)] = view;
}

void Emitter::emitExpand(memref::ExpandShapeOp op) {
  Registers from = values[op.getSrc()];
  Registers view(2 + 2 * op.getResultType().getRank());
  view[0] = from[0], view[1] = from[1];
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  for (auto [i, group] : llvm::enumerate(op.getReassociationIndices())) {
    uint32_t stride = strideAt(from, i);
    for (int64_t dim : llvm::reverse(group)) {
      sizeAt(view, dim) = size(sizes[dim]);
      strideAt(view, dim) = stride;
      stride = times(stride, sizeAt(view, dim));
    }
  }
  // The unit dims of a scalar belong to no group.
  if (op.getReassociationIndices().empty())
    for (unsigned dim = 0; dim < op.getResultType().getRank(); ++dim)
      sizeAt(view, dim) = strideAt(view, dim) = constant(1);
  values[op] = view;
}

void Emitter::emitCollapse(memref::CollapseShapeOp op) {
  Registers from = values[op.getSrc()];
  Registers view(2 + 2 * op.getResultType().getRank());
  view[0] = from[0], view[1] = from[1];
  for (auto [i, group] : llvm::enumerate(op.getReassociationIndices())) {
    ArrayRef<int64_t> shape = op.getSrcType().getShape();
    uint32_t count = constant(1);
    for (int64_t dim : group)
      count = times(count, sizeAt(from, dim));
    // The innermost dim that is more than one has the stride.
    auto innermost = llvm::find_if(
        llvm::reverse(group), [&](int64_t dim) { return shape[dim] != 1; });
    int64_t dim = innermost == group.rend() ? group.back() : *innermost;
    uint32_t stride = strideAt(from, dim);
    sizeAt(view, i) = count;
    strideAt(view, i) = stride;
  }
  values[op] = view;
}

void Emitter::emitReshape(memref::ReshapeOp op) {
  Registers from = values[op.getSource()];
  Registers shape = values[op.getShape()];
  auto type = cast<MemRefType>(op.getType());
  Registers view(2 + 2 * type.getRank());
  view[0] = from[0], view[1] = from[1];
  Type index = cast<MemRefType>(op.getShape().getType()).getElementType();
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    Registers loaded;
    loadElement(index, shape[0],
                plus(shape[1], times(constant(dim), strideAt(shape, 0))),
                loaded);
    sizeAt(view, dim) = loaded.front();
  }
  setStrides(view, type.getRank());
  values[op] = view;
}

LogicalResult Emitter::emitMemory(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    Registers result;
    loadElement(load.getType(), values[load.getMemRef()][0],
                address(load.getMemRef(), load.getIndices()), result);
    values[load] = result;
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    uint32_t index = address(store.getMemRef(), store.getIndices());
    storeElement(store.getValueToStore().getType(),
                 values[store.getMemRef()][0], index,
                 Registers(values[store.getValueToStore()]));
  } else if (isa<memref::AllocOp, memref::AllocaOp>(op)) {
    values[op->getResult(0)] = allocate(
        cast<MemRefType>(op->getResult(0).getType()), op->getOperands());
  } else if (auto free = dyn_cast<memref::DeallocOp>(op)) {
    add(Op::Free, Element::None, 0, values[free.getMemref()][0]);
  } else if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    emitCopy(copy.getSource(), copy.getTarget());
  } else if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    if (!index)
      return op->emitOpError("expected a known dim in a kernel");
    values[dim] = {sizeAt(values[dim.getSource()], *index)};
  } else if (auto cast = dyn_cast<memref::CastOp>(op)) {
    values[cast] = Registers(values[cast.getSource()]);
  } else if (auto slice = dyn_cast<memref::SubViewOp>(op)) {
    emitView(op, slice.getSource(), slice.getMixedOffsets(),
             slice.getMixedSizes(), slice.getMixedStrides());
  } else if (auto expand = dyn_cast<memref::ExpandShapeOp>(op)) {
    emitExpand(expand);
  } else if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op)) {
    emitCollapse(collapse);
  } else if (auto reshape = dyn_cast<memref::ReshapeOp>(op)) {
    emitReshape(reshape);
  } else if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    emitGlobal(global);
  } else {
    return op->emitOpError("has no form in the reference target's byte code");
  }
  return success();
}
