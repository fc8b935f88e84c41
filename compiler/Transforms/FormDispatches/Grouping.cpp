#include "compiler/Transforms/FormDispatches/FormDispatches.h"
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"
#include "compiler/Transforms/FuseElementwise/FuseElementwise.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ferrule;

bool ferrule::isClonedIntoKernels(Operation *op) {
  if (isa<tensor::EmptyOp>(op))
    return true;
  Attribute value;
  if (matchPattern(op, m_Constant(&value))) {
    auto dense = dyn_cast<DenseElementsAttr>(value);
    if (!dense)
      return !isa<ElementsAttr>(value);
    return dense.isSplat() || dense.getNumElements() <= 64;
  }
  return false;
}

/// A slice that is one run of memory: full after the first dimension longer
/// than one, unit strides.
static bool isContiguousSlice(tensor::ExtractSliceOp op) {
  bool inner = false;
  for (auto [d, size, stride] :
       llvm::enumerate(op.getMixedSizes(), op.getMixedStrides())) {
    if (getConstantIntValue(stride) != 1)
      return false;
    std::optional<int64_t> constant = getConstantIntValue(size);
    bool full = constant && !op.getSourceType().isDynamicDim(d) &&
                *constant == op.getSourceType().getDimSize(d);
    if (!full) {
      if (auto dim = size.dyn_cast<Value>())
        if (auto dimOp = dim.getDefiningOp<tensor::DimOp>())
          full = dimOp.getSource() == op.getSource() &&
                 dimOp.getConstantIndex() == static_cast<int64_t>(d);
    }
    if (inner && !full)
      return false;
    if (!(constant && *constant == 1))
      inner = true;
  }
  return true;
}

bool ferrule::isComputeOp(Operation *op) {
  if (isa<linalg::LinalgOp, linalg::PackOp, linalg::UnPackOp, tensor::PadOp,
          tensor::InsertSliceOp, tensor::ConcatOp, tensor::GenerateOp,
          tensor::SplatOp, tensor::GatherOp, tensor::ScatterOp>(op))
    return true;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return !isContiguousSlice(slice);
  // Softmax and the other structured operations of linalg that are no
  // LinalgOp, and all operations of the ferrule dialect.
  return isa<linalg::LinalgDialect>(op->getDialect()) ||
         op->getName().getDialectNamespace() == "ferrule";
}

/// Number of leading loops that are parallel.
static unsigned leadingParallel(linalg::LinalgOp op) {
  unsigned n = 0;
  for (utils::IteratorType type : op.getIteratorTypesArray()) {
    if (type != utils::IteratorType::parallel)
      break;
    ++n;
  }
  return n;
}

/// Length of the longest prefix of `map` that is d0, d1, ...
static unsigned identityPrefix(AffineMap map) {
  unsigned n = 0;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || dim.getPosition() != n)
      break;
    ++n;
  }
  return n;
}

static bool readsOutside(linalg::LinalgOp op) {
  bool found = false;
  op.getBlock()->walk([&](tensor::ExtractOp) { found = true; });
  return found;
}

/// The row rank that `op` can have by itself: loops before the first
/// reduction over which all its results are indexed point by point.
static unsigned ownRowRank(linalg::LinalgOp op) {
  unsigned rank = leadingParallel(op);
  for (OpOperand &init : op.getDpsInitsMutable())
    rank = std::min(rank, identityPrefix(op.getMatchingIndexingMap(&init)));
  return rank;
}

/// The row rank that remains when `op` joins `group`; 0 when it cannot.
static unsigned sharedRowRank(const DispatchGroup &group, linalg::LinalgOp op) {
  unsigned rank = std::min(group.rowRank, ownRowRank(op));
  bool connected = false;
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (!producer || !group.ops.contains(producer))
      continue;
    if (!isa<RankedTensorType>(operand.get().getType()))
      return 0;
    connected = true;
    rank = std::min(rank, identityPrefix(op.getMatchingIndexingMap(&operand)));
  }
  return connected ? rank : 0;
}

/// A full row of an intermediate lies in scratch memory, so its size must be
/// known and small.
static bool rowFitsScratch(Value value, unsigned rowRank) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t elements = 1;
  for (int64_t size : type.getShape().drop_front(rowRank)) {
    if (ShapedType::isDynamic(size))
      return false;
    elements *= size;
  }
  return elements <= 64 * 1024;
}

/// True when all results of the group that `position` would move past are
/// only used from there on: the kernel runs where its last operation stands.
static bool canSinkTo(const DispatchGroup &group, Operation *position) {
  Block *block = position->getBlock();
  for (Operation *op : group.ops)
    for (Operation *user : op->getUsers()) {
      Operation *ancestor = block->findAncestorOpInBlock(*user);
      if (!ancestor)
        return false;
      if (ancestor == position || group.ops.contains(ancestor))
        continue;
      if (ancestor->isBeforeInBlock(position))
        return false;
    }
  return true;
}

static bool isPointwise(linalg::LinalgOp op) {
  return op.getNumReductionLoops() == 0 && !readsOutside(op) &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init).isIdentity();
         });
}

/// Adds `op` to the group that begins with a contraction when it is part of
/// the epilogue: reads the last result point by point and nothing else reads
/// that result.
static bool joinEpilogue(DispatchGroup &group, linalg::LinalgOp op) {
  if (!isPointwise(op))
    return false;
  Operation *last = group.ops.back();
  if (last->getNumResults() != 1 || !last->hasOneUse())
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get().getDefiningOp() != last)
      continue;
    if (!op.getMatchingIndexingMap(&operand).isIdentity())
      return false;
  }
  // Operands that come from the group's other members would be recomputed.
  for (Value operand : op->getOperands())
    if (Operation *def = operand.getDefiningOp())
      if (def != last && group.ops.contains(def))
        return false;
  group.ops.insert(op);
  return true;
}

/// True when `op` reads every element of the operand: each dimension by a loop
/// of its own.
static bool readsWhole(linalg::LinalgOp op, OpOperand &operand) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  llvm::SmallBitVector seen(op.getNumLoops());
  for (auto [d, expr] :
       llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
    if (type.getDimSize(d) == 1)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || seen.test(dim.getPosition()))
      return false;
    seen.set(dim.getPosition());
  }
  return true;
}

/// True when `op` reads a part of a member's rows only, and that member or one
/// that it reads is needed outside the group: tiles hold no more of a member
/// than is read there, so its result would have holes.
static bool leavesHoles(const DispatchGroup &group, linalg::LinalgOp op) {
  SmallVector<Operation *> pending;
  for (OpOperand &operand : op->getOpOperands())
    if (Operation *member = operand.get().getDefiningOp())
      if (group.ops.contains(member) && !readsWhole(op, operand))
        pending.push_back(member);
  llvm::SmallPtrSet<Operation *, 8> visited;
  while (!pending.empty()) {
    Operation *member = pending.pop_back_val();
    if (!visited.insert(member).second)
      continue;
    for (Operation *user : member->getUsers())
      if (user != op && !group.ops.contains(user))
        return true;
    for (Value operand : member->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        if (group.ops.contains(producer))
          pending.push_back(producer);
  }
  return false;
}

static bool joinRows(DispatchGroup &group, linalg::LinalgOp op) {
  if (readsOutside(op) || isContractionLike(op) || leavesHoles(group, op))
    return false;
  unsigned rank = sharedRowRank(group, op);
  if (rank == 0)
    return false;
  for (Operation *member : group.ops)
    for (Value result : member->getResults()) {
      auto type = cast<RankedTensorType>(result.getType());
      if (type.getRank() > static_cast<int64_t>(rank) &&
          !rowFitsScratch(result, rank))
        return false;
    }
  group.ops.insert(op);
  group.rowRank = rank;
  return true;
}

/// A fill whose users all take it as their destination, or insert it into
/// another tensor, is copied into them.
static bool isCopiedFill(Operation *op) {
  auto fill = dyn_cast_or_null<linalg::FillOp>(op);
  if (!fill || !fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>())
    return false;
  return llvm::all_of(op->getUses(), [](OpOperand &use) {
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(use.getOwner()))
      return use.get() == insert.getSource();
    auto user = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return user && user.isDpsInit(&use) && isComputeOp(use.getOwner());
  });
}

/// An insertion of what the group computes last: its kernel then writes into
/// the larger tensor itself (a padded input, a part of a concatenation). So do
/// the slabs of a padding, which are fills inserted one after another.
static bool joinInsertion(DispatchGroup &group, tensor::InsertSliceOp op) {
  if (!canSinkTo(group, op))
    return false;
  Operation *last = group.ops.back();
  if (isCopiedFill(op.getSource().getDefiningOp())) {
    bool slabs = llvm::all_of(group.ops, [](Operation *member) {
      auto insert = dyn_cast<tensor::InsertSliceOp>(member);
      return insert && isCopiedFill(insert.getSource().getDefiningOp());
    });
    if (!slabs || op.getDest() != last->getResult(0) || !last->hasOneUse())
      return false;
    group.ops.insert(op);
    return true;
  }
  auto producer = dyn_cast<linalg::LinalgOp>(last);
  if (!producer || op.getSource().getDefiningOp() != last ||
      !last->hasOneUse() || last->getNumResults() != 1 ||
      op.getSourceType().getRank() != op.getDestType().getRank() ||
      !op.hasUnitStride())
    return false;
  // Only what starts from a fresh destination can start in the slice.
  Value init = producer.getDpsInits()[0];
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.getOutputs()[0];
  if (!init.getDefiningOp<tensor::EmptyOp>())
    return false;
  group.ops.insert(op);
  group.closed = true;
  return true;
}

/// The second half of a Winograd convolution joins the first where bands of
/// rows can go from the image to the image in a worker's cache.
static bool joinWinograd(DispatchGroup &group, ext::WinogradOutputOp op) {
  Operation *input = group.ops.back();
  if (group.ops.size() != 1 || !isa<ext::WinogradInputOp>(input) ||
      !input->hasOneUse() || op.getInputs()[0].getDefiningOp() != input ||
      !canSinkTo(group, op) ||
      !ext::WinogradOutputOp::chooseBand(
          cast<ShapedType>(op.getInputs()[0].getType()),
          cast<ShapedType>(op.getInputs()[1].getType())))
    return false;
  group.ops.insert(op);
  group.hasContraction = true;
  group.closed = false;
  return true;
}

static bool join(DispatchGroup &group, Operation *op) {
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return joinInsertion(group, insert);
  if (auto output = dyn_cast<ext::WinogradOutputOp>(op))
    return joinWinograd(group, output);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (group.closed || !linalgOp || !linalgOp.hasPureTensorSemantics() ||
      !canSinkTo(group, op))
    return false;
  // An update in place of something the group produces or reads is left to
  // the buffers' pass.
  for (Value init : linalgOp.getDpsInits())
    if (Operation *def = init.getDefiningOp())
      if (group.ops.contains(def))
        return false;
  return group.hasContraction ? joinEpilogue(group, linalgOp)
                              : joinRows(group, linalgOp);
}

static DispatchGroup startGroup(Operation *op) {
  DispatchGroup group;
  group.ops.insert(op);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics()) {
    group.hasContraction = isa<ext::WinogradOutputOp>(op);
    group.closed = !group.hasContraction;
    return group;
  }
  group.hasContraction = isContractionLike(linalgOp);
  group.rowRank = ownRowRank(linalgOp);
  // A fill that stands alone, or a gather with its own index arithmetic, may
  // still be followed by pointwise work over the same rows.
  if (!group.hasContraction && group.rowRank == 0)
    group.closed = true;
  return group;
}

/// The operands through which `op` may join the group of their producer.
static SmallVector<Value> joinable(Operation *op) {
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  if (!insert)
    return SmallVector<Value>(op->getOperands());
  if (isCopiedFill(insert.getSource().getDefiningOp()))
    return {insert.getDest()};
  return {insert.getSource()};
}

SmallVector<DispatchGroup> ferrule::groupDispatches(Block &block) {
  SmallVector<DispatchGroup> groups;
  for (Operation &op : block) {
    if (!isComputeOp(&op) || isCopiedFill(&op))
      continue;
    // The latest producer first: it is the one whose result is still warm.
    DispatchGroup *joined = nullptr;
    for (DispatchGroup &group : llvm::reverse(groups)) {
      bool produces = llvm::any_of(joinable(&op), [&](Value operand) {
        Operation *def = operand.getDefiningOp();
        return def && group.ops.contains(def);
      });
      if (produces && join(group, &op)) {
        joined = &group;
        break;
      }
      if (produces)
        break;
    }
    if (!joined)
      groups.push_back(startGroup(&op));
  }
  return groups;
}
