// Buffers of static size that loops and branches pass around get fixed places.
#include "compiler/Transforms/PlanMemory/PlanMemory.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::byre;

/// The alloc in `block` that the value is all of: the result or a view of it.
static AllocOp findWholeAlloc(Value value, Block *block) {
  while (auto view = value.getDefiningOp<ViewOp>()) {
    if (!view.startsAtSource() || failed(getBufferBytes(view.getType())) ||
        failed(getBufferBytes(view.getSource().getType())) ||
        *getBufferBytes(view.getType()) !=
            *getBufferBytes(view.getSource().getType()))
      return {};
    value = view.getSource();
  }
  auto alloc = value.getDefiningOp<AllocOp>();
  bool plain = alloc && alloc->getBlock() == block && !alloc.getOffset() &&
               !alloc.getOutput() && alloc.getType().hasStaticShape();
  return plain ? alloc : AllocOp();
}

/// Uses the memory of `buffer` for `alloc`.
static void replaceAlloc(AllocOp alloc, Value buffer) {
  OpBuilder builder(alloc);
  if (buffer.getType() != alloc.getType())
    buffer = ViewOp::create(builder, alloc.getLoc(), alloc.getType(), buffer, 0,
                            Value(), ValueRange());
  alloc.getResult().replaceAllUsesWith(buffer);
  alloc.erase();
}

/// if -> (r) { a = alloc; yield a } else { b = alloc; yield b }; r
/// -> c = alloc; if { c } else { c }; c
static void hoistBranchResults(Operation *op) {
  for (OpResult result : op->getResults()) {
    auto type = dyn_cast<MemRefType>(result.getType());
    if (!type || !type.hasStaticShape())
      continue;
    SmallVector<AllocOp> allocs;
    for (Region &region : op->getRegions()) {
      Value yielded =
          region.front().getTerminator()->getOperand(result.getResultNumber());
      if (AllocOp alloc = findWholeAlloc(yielded, &region.front()))
        allocs.push_back(alloc);
    }
    if (allocs.size() != op->getNumRegions())
      continue;
    OpBuilder builder(op);
    Value buffer = AllocOp::create(builder, op->getLoc(), type, ValueRange());
    for (AllocOp alloc : allocs)
      replaceAlloc(alloc, buffer);
    // The yields stay; canonicalization removes results without uses.
    result.replaceAllUsesWith(buffer);
  }
}

namespace {
/// A buffer that a loop carries: what it starts with, its name in the body,
/// what the body passes to the next turn, and its name after the loop.
struct Carried {
  Value init;
  BlockArgument argument;
  OpOperand *yielded;
  Value result;
};
} // namespace

/// The carried memrefs of a `for`, and of a `while` those that its condition
/// hands on as they are.
static SmallVector<Carried> findCarried(Operation *op) {
  SmallVector<Carried> result;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
      result.push_back({loop.getInitArgs()[i], argument,
                        &loop.getYieldedValuesMutable().value()[i],
                        loop.getResult(i)});
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    OperandRange passed = loop.getConditionOp().getArgs();
    for (auto [i, argument] : llvm::enumerate(loop.getBeforeArguments())) {
      auto position = llvm::find(passed, argument);
      if (position == passed.end())
        continue;
      unsigned p = std::distance(passed.begin(), position);
      result.push_back({loop.getInits()[i], loop.getAfterArguments()[p],
                        &loop.getYieldOp()->getOpOperand(i),
                        loop.getResult(p)});
    }
  }
  llvm::erase_if(result, [](Carried &carried) {
    return !isa<MemRefType>(carried.init.getType()) ||
           carried.init.getType() != carried.result.getType();
  });
  return result;
}

/// The free of a value in `block`, or null.
static FreeOp findFree(Value value, Block *block) {
  for (Operation *user : value.getUsers())
    if (auto free = dyn_cast<FreeOp>(user))
      if (free->getBlock() == block)
        return free;
  return {};
}

/// Gives a loop more carried values; each turn passes on what `yielded` says.
/// Returns the loop that replaces it and, through `arguments`, their names in
/// the body.
static Operation *addCarried(Operation *op, ArrayRef<Value> inits,
                             ArrayRef<Value> yielded,
                             SmallVectorImpl<Value> &arguments) {
  OpBuilder builder(op);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addOperands(inits);
  state.addTypes(op->getResultTypes());
  state.addTypes(ValueRange(inits).getTypes());
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *loop = builder.create(state);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), loop->getRegions()))
    to.takeBody(from);
  for (Value init : inits) {
    Value argument;
    for (Region &region : loop->getRegions()) {
      argument = region.addArgument(init.getType(), init.getLoc());
      // The condition of a `while` hands its arguments to the body.
      if (auto condition =
              dyn_cast<scf::ConditionOp>(region.front().getTerminator()))
        condition.getArgsMutable().append(argument);
    }
    arguments.push_back(argument);
  }
  Operation *terminator = loop->getRegions().back().front().getTerminator();
  terminator->insertOperands(terminator->getNumOperands(), yielded);
  op->replaceAllUsesWith(loop->getResults().take_front(op->getNumResults()));
  op->erase();
  return loop;
}

/// for (a = x) { update a; yield a } -> r becomes for { update x }; x.
static void keepUpdatedInPlace(ArrayRef<Carried> carried) {
  for (Carried c : carried) {
    if (c.yielded->get() != c.argument)
      continue;
    c.argument.replaceAllUsesWith(c.init);
    c.result.replaceAllUsesWith(c.init);
    // A `while` names the value in its condition too; the init is in scope
    // there, and the canonicalizer drops what is no longer used.
  }
}

/// Whether the value is passed on by a loop that keeps its buffers in slots.
static bool staysInSlots(const Carried &carried, ArrayRef<Carried> candidates,
                         Block *body, Block *outside) {
  AllocOp init = carried.init.getDefiningOp<AllocOp>();
  if (!init || init->getBlock() != outside || init.getOutput() ||
      !init.getType().hasStaticShape() || !findFree(carried.result, outside))
    return false;
  auto isCandidate = [&](Value argument) {
    return llvm::any_of(candidates, [&](const Carried &other) {
      return other.argument == argument;
    });
  };
  auto isYielded = [&](Value argument) {
    return llvm::any_of(candidates, [&](const Carried &other) {
      return other.yielded->get() == argument;
    });
  };
  Value next = carried.yielded->get();
  auto alloc = next.getDefiningOp<AllocOp>();
  bool fresh = alloc && alloc->getBlock() == body && !alloc.getOutput();
  return (fresh || isCandidate(next)) &&
         (findFree(carried.argument, body) || isYielded(carried.argument));
}

/// for (a = x) { b = alloc; ...; free a; yield b } -> r; free r becomes
/// y = alloc; for (a = x, b = y) { ...; yield b, a } -> r; free x; free y
static void giveSwappedSlots(Operation *op, SmallVector<Carried> carried) {
  Block *body = &op->getRegions().back().front();
  Block *outside = op->getBlock();
  llvm::erase_if(
      carried, [](const Carried &c) { return c.yielded->get() == c.argument; });
  for (size_t before = 0; before != carried.size();) {
    before = carried.size();
    SmallVector<Carried> candidates = carried;
    llvm::erase_if(carried, [&](const Carried &c) {
      return !staysInSlots(c, candidates, body, outside);
    });
  }
  if (carried.empty())
    return;

  // Each buffer that a turn allocates takes the place of one of its type that
  // the turn frees; there are as many of one kind as of the other.
  SmallVector<AllocOp> fresh;
  SmallVector<Value> spares, retired;
  SmallVector<FreeOp> frees;
  for (const Carried &c : carried)
    if (FreeOp free = findFree(c.argument, body))
      frees.push_back(free);
  OpBuilder builder(op);
  for (const Carried &c : carried) {
    auto alloc = c.yielded->get().getDefiningOp<AllocOp>();
    if (!alloc)
      continue;
    auto *pair = llvm::find_if(frees, [&](FreeOp free) {
      return free.getBuffer().getType() == alloc.getType();
    });
    fresh.push_back(alloc);
    spares.push_back(AllocOp::create(builder, alloc.getLoc(), alloc.getType(),
                                     ValueRange()));
    retired.push_back(pair->getBuffer());
    pair->erase();
    frees.erase(pair);
  }
  // All slots live until the last result does.
  Operation *last = nullptr;
  for (const Carried &c : carried) {
    FreeOp free = findFree(c.result, outside);
    if (!last || last->isBeforeInBlock(free))
      last = free;
  }
  builder.setInsertionPointAfter(last);
  SmallVector<Value> slots = spares;
  for (const Carried &c : carried) {
    slots.push_back(c.init);
    findFree(c.result, outside).erase();
  }
  for (Value slot : slots)
    FreeOp::create(builder, op->getLoc(), slot);
  SmallVector<Value> arguments;
  addCarried(op, spares, retired, arguments);
  for (auto [alloc, argument] : llvm::zip_equal(fresh, arguments))
    replaceAlloc(alloc, argument);
}

/// a = alloc; ...; o = alloc output; copy a to o; free a -> a = alloc output
static void becomeOutput(CopyOp copy) {
  auto output = copy.getTarget().getDefiningOp<AllocOp>();
  Block *block = copy->getBlock();
  if (!output || !output.getOutput() || output->getBlock() != block)
    return;
  AllocOp alloc = findWholeAlloc(copy.getSource(), block);
  FreeOp free = alloc ? findFree(alloc.getResult(), block) : FreeOp();
  if (!free || copy.getSource().getType() != output.getType())
    return;
  // Neither of the two may be used between: nothing may write the old value
  // after it was copied, nor the output before.
  if (free->getPrevNode() != copy)
    return;
  for (Operation *user : output.getResult().getUsers()) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    if (ancestor && ancestor->isBeforeInBlock(copy))
      return;
  }
  alloc.setOutputAttr(output.getOutputAttr());
  free.erase();
  output.getResult().replaceAllUsesWith(copy.getSource());
  copy.erase();
  output.erase();
}

void ferrule::hoistCarriedBuffers(func::FuncOp function) {
  SmallVector<Operation *> structured;
  function.walk([&](Operation *op) {
    if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ForOp, scf::WhileOp>(op))
      structured.push_back(op);
  });
  for (Operation *op : structured) {
    if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
      hoistBranchResults(op);
      continue;
    }
    SmallVector<Carried> carried = findCarried(op);
    keepUpdatedInPlace(carried);
    giveSwappedSlots(op, findCarried(op));
  }
  SmallVector<CopyOp> copies(function.getOps<CopyOp>());
  llvm::for_each(copies, becomeOutput);
  // What hoisting left without a use.
  SmallVector<AllocOp> unused;
  function.walk([&](AllocOp alloc) {
    if (!alloc.getOutput() &&
        llvm::all_of(alloc.getResult().getUsers(), llvm::IsaPred<FreeOp>))
      unused.push_back(alloc);
  });
  for (AllocOp alloc : unused) {
    for (Operation *user :
         llvm::make_early_inc_range(alloc.getResult().getUsers()))
      user->erase();
    alloc.erase();
  }
}
