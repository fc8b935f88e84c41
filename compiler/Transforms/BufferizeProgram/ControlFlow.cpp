// Branches and loops: tensors that go in and out of regions.
#include "compiler/Transforms/BufferizeProgram/ProgramBufferizer.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::byre;

/// Rewrites the body of a region into `block`, which has its arguments bound.
/// `given` are roots that the region owns from now on.
LogicalResult ProgramBufferizer::bufferizeRegion(Block &old, Block &block,
                                                 ArrayRef<Root *> given) {
  for (Root *root : given) {
    root->owner = &old;
    root->block = &block;
    root->moved = false;
    owned[&old].push_back(root);
  }
  OpBuilder builder = OpBuilder::atBlockEnd(&block);
  Operation *terminator = old.getTerminator();
  SmallVector<Value> values;
  if (failed(bufferizeBlock(old, builder)) ||
      failed(passOperands(terminator->getOpOperands(), builder, values)))
    return failure();
  builder.create(OperationState(terminator->getLoc(), terminator->getName(),
                                values, TypeRange()));
  freeOwned(&old, &block);
  return success();
}

/// Buffers of the block around a branch that the branch may take: nothing uses
/// them later and one of the regions writes them or passes them on.
SmallVector<Root *> ProgramBufferizer::findRootsToPass(Operation &op) {
  SmallVector<Root *> result;
  Block *block = op.getBlock();
  for (Root *root : owned[block]) {
    if (root->moved || root->owner != block)
      continue;
    bool wanted = false, usedLater = false;
    for (Value tensor : root->tensors) {
      for (OpOperand &use : tensor.getUses()) {
        Operation *user = use.getOwner();
        Operation *ancestor = block->findAncestorOpInBlock(*user);
        if (!ancestor || isa<tensor::DimOp>(user))
          continue;
        usedLater |= op.isBeforeInBlock(ancestor);
        auto launch = dyn_cast<DestinationStyleOpInterface>(user);
        wanted |= user->getParentOp() == &op &&
                  ((launch && launch.isDpsInit(&use)) ||
                   isa<scf::YieldOp, scf::ForOp, scf::WhileOp>(user));
      }
    }
    if (wanted && !usedLater)
      result.push_back(root);
  }
  return result;
}

LogicalResult ProgramBufferizer::bufferizeBranches(Operation &op,
                                                   Operation &buffered,
                                                   OpBuilder &builder) {
  // A region that is not there could not free what it is given.
  bool complete = llvm::none_of(op.getRegions(),
                                [](Region &region) { return region.empty(); });
  SmallVector<Root *> given;
  if (complete)
    given = findRootsToPass(op);
  for (auto [old, region] :
       llvm::zip_equal(op.getRegions(), buffered.getRegions())) {
    if (old.empty())
      continue;
    if (region.empty())
      region.emplaceBlock();
    if (failed(bufferizeRegion(old.front(), region.front(), given)))
      return failure();
  }
  for (Root *root : given)
    root->moved = true;
  bind(op.getResults(), buffered.getResults(), op.getBlock());
  return success();
}

LogicalResult ProgramBufferizer::bufferizeIf(scf::IfOp op, OpBuilder &builder) {
  SmallVector<Type> types =
      llvm::map_to_vector(op.getResultTypes(), convertType);
  OperationState state(op.getLoc(), op->getName(),
                       scalars.lookup(op.getCondition()), types,
                       op->getDiscardableAttrDictionary().getValue());
  state.addRegion();
  state.addRegion();
  return bufferizeBranches(*op, *builder.create(state), builder);
}

LogicalResult ProgramBufferizer::bufferizeSwitch(scf::IndexSwitchOp op,
                                                 OpBuilder &builder) {
  SmallVector<Type> types =
      llvm::map_to_vector(op.getResultTypes(), convertType);
  auto buffered = scf::IndexSwitchOp::create(builder, op.getLoc(), types,
                                             scalars.lookup(op.getArg()),
                                             op.getCases(), op.getNumCases());
  return bufferizeBranches(*op, *buffered, builder);
}

LogicalResult ProgramBufferizer::bufferizeFor(scf::ForOp op,
                                              OpBuilder &builder) {
  SmallVector<Value> inits;
  if (failed(passOperands(op.getInitArgsMutable(), builder, inits)))
    return failure();
  OperationState state(op.getLoc(), op->getName());
  state.addOperands({scalars.lookup(op.getLowerBound()),
                     scalars.lookup(op.getUpperBound()),
                     scalars.lookup(op.getStep())});
  state.addOperands(inits);
  state.addTypes(ValueRange(inits).getTypes());
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  state.addRegion();
  Operation *buffered = builder.create(state);

  Block *old = op.getBody();
  Block &block = buffered->getRegion(0).emplaceBlock();
  for (BlockArgument argument : old->getArguments())
    block.addArgument(convertType(argument.getType()), argument.getLoc());
  bind(old->getArguments(), block.getArguments(), old);
  if (failed(bufferizeRegion(*old, block, {})))
    return failure();
  bind(op.getResults(), buffered->getResults(), op->getBlock());
  return success();
}

LogicalResult ProgramBufferizer::bufferizeWhile(scf::WhileOp op,
                                                OpBuilder &builder) {
  SmallVector<Value> inits;
  if (failed(passOperands(op->getOpOperands(), builder, inits)))
    return failure();
  OperationState state(op.getLoc(), op->getName());
  state.addOperands(inits);
  state.addTypes(llvm::map_to_vector(op.getResultTypes(), convertType));
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  state.addRegion();
  state.addRegion();
  Operation *buffered = builder.create(state);

  for (auto [oldRegion, region] :
       llvm::zip_equal(op->getRegions(), buffered->getRegions())) {
    Block &old = oldRegion.front();
    Block &block = region.emplaceBlock();
    for (BlockArgument argument : old.getArguments())
      block.addArgument(convertType(argument.getType()), argument.getLoc());
    bind(old.getArguments(), block.getArguments(), &old);
    if (failed(bufferizeRegion(old, block, {})))
      return failure();
  }
  bind(op.getResults(), buffered->getResults(), op->getBlock());
  return success();
}
