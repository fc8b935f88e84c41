// Who may write a buffer, who passes it on, and who frees it.
#include "compiler/Transforms/BufferizeProgram/ProgramBufferizer.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::byre;

/// Splat constants of more bytes are filled at run time instead of stored.
static constexpr int64_t kLargestStoredSplat = 4096;

SplatElementsAttr ferrule::getSplat(Value tensor) {
  SplatElementsAttr splat;
  matchPattern(tensor, m_Constant(&splat));
  return splat;
}

/// Whether `byre.fill` can write elements of this type.
static bool canFill(Type element) {
  return element.isInteger(1) || element.isInteger(8) ||
         element.isInteger(16) || element.isInteger(32) ||
         element.isInteger(64) || element.isF16() || element.isBF16() ||
         element.isF32() || element.isF64();
}

static void fill(OpBuilder &builder, Location loc, Value buffer,
                 SplatElementsAttr splat) {
  auto value = cast<TypedAttr>(splat.getSplatValue<Attribute>());
  FillOp::create(builder, loc, arith::ConstantOp::create(builder, loc, value),
                 buffer);
}

Root *ProgramBufferizer::addRoot(Value buffer, Block *owner) {
  roots.push_back({buffer, owner, buffer.getParentBlock(), {}, {}, false});
  Root *root = &roots.back();
  if (owner)
    owned[owner].push_back(root);
  return root;
}

void ProgramBufferizer::alias(Value tensor, Place place) {
  places[tensor] = place;
  place.root->tensors.push_back(tensor);
}

void ProgramBufferizer::bind(ValueRange oldValues, ValueRange newValues,
                             Block *owner) {
  for (auto [oldValue, newValue] : llvm::zip_equal(oldValues, newValues)) {
    if (isa<TensorType>(oldValue.getType()))
      alias(oldValue, {newValue, addRoot(newValue, owner), true});
    else
      scalars.map(oldValue, newValue);
  }
}

FailureOr<Place> ProgramBufferizer::allocate(Value tensor, Block *owner,
                                             OpBuilder &builder, Location loc) {
  FailureOr<SmallVector<Value>> sizes = dynamicSizes(tensor, builder, loc);
  if (failed(sizes))
    return failure();
  auto type = cast<MemRefType>(convertType(tensor.getType()));
  Value buffer = AllocOp::create(builder, loc, type, *sizes);
  return Place{buffer, addRoot(buffer, owner), true};
}

FailureOr<Value> ProgramBufferizer::read(OpOperand &use, OpBuilder &builder) {
  Value tensor = use.get();
  if (auto found = places.find(tensor); found != places.end())
    return found->second.buffer;
  Operation *user = use.getOwner();
  Location loc = user->getLoc();
  SplatElementsAttr splat = getSplat(tensor);
  auto type = dyn_cast<MemRefType>(convertType(tensor.getType()));
  if (isEmptyTensor(tensor) ||
      (splat && canFill(type.getElementType()) &&
       getBufferBytes(type).value_or(0) > kLargestStoredSplat)) {
    FailureOr<Place> place = allocate(tensor, user->getBlock(), builder, loc);
    if (failed(place))
      return failure();
    if (splat)
      fill(builder, loc, place->buffer, splat);
    return place->buffer;
  }
  ElementsAttr value;
  if (matchPattern(tensor, m_Constant(&value))) {
    OpBuilder atEntry = OpBuilder::atBlockBegin(&entry);
    Value buffer = ConstantOp::create(atEntry, tensor.getLoc(),
                                      cast<MemRefType>(type), value);
    alias(tensor, {buffer, addRoot(buffer, nullptr), true});
    return buffer;
  }
  return user->emitOpError("operand #") << use.getOperandNumber() << " of type "
                                        << tensor.getType() << " has no buffer";
}

bool ProgramBufferizer::isLastUse(const Root &root, OpOperand &use) {
  Operation *op = use.getOwner();
  if (!root.owner || root.moved || op->getBlock() != root.owner)
    return false;
  // Loops, branches and terminators pass their operands one after the other,
  // so earlier operands were copied before this one is passed.
  bool passes =
      isa<LoopLikeOpInterface>(op) || op->hasTrait<OpTrait::IsTerminator>();
  for (Value tensor : root.tensors) {
    for (OpOperand &other : tensor.getUses()) {
      if (&other == &use || isa<tensor::DimOp>(other.getOwner()))
        continue;
      Operation *ancestor =
          root.owner->findAncestorOpInBlock(*other.getOwner());
      if (!ancestor || ancestor->isBeforeInBlock(op))
        continue;
      bool copied = passes && other.getOwner() == op &&
                    other.getOperandNumber() < use.getOperandNumber();
      if (!copied)
        return false;
    }
  }
  return true;
}

FailureOr<Place> ProgramBufferizer::write(OpOperand &use, OpBuilder &builder) {
  Value tensor = use.get();
  auto found = places.find(tensor);
  if (found != places.end() && isLastUse(*found->second.root, use))
    return found->second;
  Operation *user = use.getOwner();
  Location loc = user->getLoc();
  SplatElementsAttr splat = getSplat(tensor);
  bool filled =
      splat && canFill(cast<ShapedType>(tensor.getType()).getElementType());
  Value source;
  if (!filled && !isEmptyTensor(tensor)) {
    FailureOr<Value> buffer = read(use, builder);
    if (failed(buffer))
      return failure();
    source = *buffer;
  }
  FailureOr<Place> place = allocate(tensor, user->getBlock(), builder, loc);
  if (failed(place))
    return failure();
  if (filled)
    fill(builder, loc, place->buffer, splat);
  else if (source)
    CopyOp::create(builder, loc, source, place->buffer);
  return place;
}

FailureOr<Value> ProgramBufferizer::pass(OpOperand &use, OpBuilder &builder) {
  FailureOr<Place> place = write(use, builder);
  if (failed(place))
    return failure();
  if (place->whole) {
    place->root->moved = true;
    return place->buffer;
  }
  Location loc = use.getOwner()->getLoc();
  FailureOr<Place> copy =
      allocate(use.get(), use.getOwner()->getBlock(), builder, loc);
  if (failed(copy))
    return failure();
  CopyOp::create(builder, loc, place->buffer, copy->buffer);
  copy->root->moved = true;
  return copy->buffer;
}

LogicalResult ProgramBufferizer::passOperands(MutableArrayRef<OpOperand> uses,
                                              OpBuilder &builder,
                                              SmallVectorImpl<Value> &values) {
  for (OpOperand &use : uses) {
    if (!isa<TensorType>(use.get().getType())) {
      values.push_back(scalars.lookup(use.get()));
      continue;
    }
    FailureOr<Value> passed = pass(use, builder);
    if (failed(passed))
      return failure();
    values.push_back(*passed);
  }
  return success();
}

/// The last operation of the root's block that uses one of its buffers, itself
/// or in a region.
static Operation *findLastUse(const Root &root) {
  Operation *last = nullptr;
  auto visit = [&](Value buffer) {
    for (Operation *user : buffer.getUsers()) {
      Operation *ancestor = root.block->findAncestorOpInBlock(*user);
      if (ancestor && (!last || last->isBeforeInBlock(ancestor)))
        last = ancestor;
    }
  };
  visit(root.buffer);
  llvm::for_each(root.views, visit);
  return last;
}

void ProgramBufferizer::freeOwned(Block *old, Block *block) {
  for (Root *root : owned[old]) {
    if (root->moved || root->owner != old)
      continue;
    Operation *last = findLastUse(*root);
    OpBuilder builder(block, block->begin());
    Operation *definition = root->buffer.getDefiningOp();
    if (last)
      builder.setInsertionPointAfter(last);
    else if (definition && definition->getBlock() == block)
      builder.setInsertionPointAfter(definition);
    FreeOp::create(builder, last ? last->getLoc() : root->buffer.getLoc(),
                   root->buffer);
  }
}
