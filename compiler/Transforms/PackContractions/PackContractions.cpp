// Stores constant weights of contractions in panels.
#include "compiler/Transforms/PackContractions/PackContractions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ferrule {
#define GEN_PASS_DEF_PACKCONTRACTIONS
#include "compiler/Transforms/PackContractions/PackContractions.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;

namespace {

/// Marks a packed contraction, whose result is seen in panels.
constexpr llvm::StringLiteral kPacked = "ferrule.packed";
/// Narrower results gain nothing from panels.
constexpr int64_t kLeastColumns = 16;
constexpr int64_t kLeastPanel = 8;

/// Whether the value depends on constants only.
bool isConstant(Value value, unsigned depth = 0) {
  Operation *op = value.getDefiningOp();
  if (!op || depth > 16)
    return false;
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  if (isa<tensor::EmptyOp>(op))
    return cast<RankedTensorType>(value.getType()).hasStaticShape();
  return isPure(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return isConstant(operand, depth + 1);
         });
}

/// The loops of a contraction that can be packed: one column loop and one
/// reduction, which alone index the weight.
struct Shape {
  OpOperand *weight;
  OpOperand *activation;
  unsigned column;
  unsigned reduction;
  /// Positions of the two in the weight's type and of the column in the
  /// result's.
  unsigned weightColumn;
  unsigned weightReduction;
  unsigned resultColumn;
};

bool hasProductBody(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  Operation *add = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp>(add) || body->getOperations().size() != 3)
    return false;
  return isa<arith::MulFOp>(body->front());
}

std::optional<unsigned> findDim(AffineMap map, unsigned loop) {
  return map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
}

std::optional<Shape> matchWeight(linalg::LinalgOp op, unsigned number) {
  Shape shape;
  shape.weight = op.getDpsInputOperand(number);
  shape.activation = op.getDpsInputOperand(1 - number);
  AffineMap weight = op.getMatchingIndexingMap(shape.weight);
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  AffineMap activation = op.getMatchingIndexingMap(shape.activation);
  auto type = dyn_cast<RankedTensorType>(shape.weight->get().getType());
  if (!type || !type.hasStaticShape() || type.getRank() != 2 ||
      !isConstant(shape.weight->get()))
    return std::nullopt;
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (reductions.size() != 1)
    return std::nullopt;
  shape.reduction = reductions.front();
  std::optional<unsigned> k = findDim(weight, shape.reduction);
  if (!k)
    return std::nullopt;
  shape.weightReduction = *k;
  shape.weightColumn = 1 - *k;
  shape.column =
      cast<AffineDimExpr>(weight.getResult(shape.weightColumn)).getPosition();
  std::optional<unsigned> column = findDim(out, shape.column);
  // Columns must be what is contiguous in the result.
  if (!column || *column + 1 != out.getNumResults() ||
      activation.isFunctionOfDim(shape.column) ||
      type.getDimSize(shape.weightColumn) < kLeastColumns)
    return std::nullopt;
  shape.resultColumn = *column;
  return shape;
}

std::optional<Shape> matchShape(linalg::LinalgOp op) {
  if (op->hasAttr(kPacked) || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics() ||
      !hasProductBody(op))
    return std::nullopt;
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return std::nullopt;
  if (std::optional<Shape> shape = matchWeight(op, 1))
    return shape;
  return matchWeight(op, 0);
}

/// The weight as [panels][K][panel].
Value packWeight(PatternRewriter &rewriter, Location loc, const Shape &shape,
                 int64_t panel) {
  Value weight = shape.weight->get();
  auto type = cast<RankedTensorType>(weight.getType());
  Type element = type.getElementType();
  int64_t columns = type.getDimSize(shape.weightColumn);
  int64_t panels = llvm::divideCeil(columns, panel);
  std::optional<Value> padding;
  if (columns % panel)
    padding =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(element));
  Value empty = tensor::EmptyOp::create(
      rewriter, loc,
      ArrayRef<int64_t>{panels, type.getDimSize(shape.weightReduction), panel},
      element);
  SmallVector<int64_t> order = {shape.weightColumn, shape.weightReduction};
  return linalg::PackOp::create(
             rewriter, loc, weight, empty,
             ArrayRef<int64_t>{shape.weightColumn},
             ArrayRef<OpFoldResult>{rewriter.getIndexAttr(panel)}, padding,
             order)
      ->getResult(0);
}

/// The tensor with its last dimension split into panels.
Value splitDestination(PatternRewriter &rewriter, Location loc, Value init,
                       int64_t panels, int64_t panel) {
  auto type = cast<RankedTensorType>(init.getType());
  unsigned rank = type.getRank();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, init);
  sizes.back() = rewriter.getIndexAttr(panels);
  sizes.push_back(rewriter.getIndexAttr(panel));
  // A fill of the destination is made again in the new shape.
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
    return linalg::FillOp::create(rewriter, loc, fill.value(), empty)
        .getResult(0);
  }
  if (init.getDefiningOp<tensor::EmptyOp>())
    return tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  SmallVector<ReassociationIndices> groups;
  for (unsigned dim = 0; dim + 1 < rank; ++dim)
    groups.push_back({static_cast<int64_t>(dim)});
  groups.push_back({rank - 1, rank});
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = panels;
  shape.push_back(panel);
  return tensor::ExpandShapeOp::create(
      rewriter, loc, RankedTensorType::get(shape, type.getElementType()), init,
      groups, sizes);
}

/// contraction with a constant weight -> generic on panels
struct PackContraction : OpInterfaceRewritePattern<linalg::LinalgOp> {
  PackContraction(MLIRContext *context, int64_t panel)
      : OpInterfaceRewritePattern(context), panel(panel) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Shape> shape = matchShape(op);
    if (!shape)
      return rewriter.notifyMatchFailure(op, "no product with a constant "
                                             "matrix");
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    int64_t columns = cast<RankedTensorType>(shape->weight->get().getType())
                          .getDimSize(shape->weightColumn);
    OpOperand *init = op.getDpsInitOperand(0);
    // Columns that fill no panel of the usual width may fill narrower ones;
    // what fills none is padded, and the columns that are too many are cut off.
    int64_t panel = this->panel;
    while (columns % panel && panel > kLeastPanel)
      panel /= 2;
    if (columns % panel) {
      if (!init->get().getDefiningOp<linalg::FillOp>())
        return rewriter.notifyMatchFailure(
            op, "its columns fill no panels, and it adds to a tensor");
      panel = columns < this->panel ? kLeastColumns : this->panel;
    }
    int64_t panels = llvm::divideCeil(columns, panel);
    Location loc = op.getLoc();
    Value packed = packWeight(rewriter, loc, *shape, panel);
    Value destination =
        splitDestination(rewriter, loc, init->get(), panels, panel);

    // The column loop counts panels; the lanes are a loop of their own.
    unsigned loops = op.getNumLoops();
    AffineExpr lane = rewriter.getAffineDimExpr(loops);
    AffineExpr column = rewriter.getAffineDimExpr(shape->column);
    AffineExpr reduction = rewriter.getAffineDimExpr(shape->reduction);
    AffineMap activationMap = op.getMatchingIndexingMap(shape->activation);
    SmallVector<AffineExpr> results(
        op.getMatchingIndexingMap(init).getResults());
    results.push_back(lane);
    auto make = [&](ArrayRef<AffineExpr> exprs) {
      return AffineMap::get(loops + 1, 0, exprs, rewriter.getContext());
    };
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    iterators.push_back(utils::IteratorType::parallel);
    SmallVector<AffineMap> maps = {make(activationMap.getResults()),
                                   make({column, reduction, lane}),
                                   make(results)};
    moveReductionLast(iterators, maps);
    auto generic = linalg::GenericOp::create(
        rewriter, loc, destination.getType(),
        ValueRange{shape->activation->get(), packed}, destination, maps,
        iterators, [](OpBuilder &b, Location nested, ValueRange arguments) {
          Value product =
              arith::MulFOp::create(b, nested, arguments[0], arguments[1]);
          Value sum = arith::AddFOp::create(b, nested, arguments[2], product);
          linalg::YieldOp::create(b, nested, sum);
        });
    generic->setAttr(kPacked, rewriter.getUnitAttr());
    rewriter.replaceOp(op,
                       restoreShape(rewriter, loc, generic.getResult(0), type));
    return success();
  }

  /// The reduction stays the innermost loop, as people expect to read it.
  static void moveReductionLast(SmallVectorImpl<utils::IteratorType> &iterators,
                                SmallVectorImpl<AffineMap> &maps) {
    unsigned count = iterators.size();
    SmallVector<unsigned> order;
    for (auto kind :
         {utils::IteratorType::parallel, utils::IteratorType::reduction})
      for (unsigned loop = 0; loop < count; ++loop)
        if (iterators[loop] == kind)
          order.push_back(loop);
    MLIRContext *context = maps.front().getContext();
    SmallVector<AffineExpr> moved(count);
    SmallVector<utils::IteratorType> kinds;
    for (auto [to, from] : llvm::enumerate(order)) {
      moved[from] = getAffineDimExpr(to, context);
      kinds.push_back(iterators[from]);
    }
    for (AffineMap &map : maps)
      map = map.replaceDimsAndSymbols(moved, {}, count, 0);
    iterators.assign(kinds.begin(), kinds.end());
  }

  /// The result as it was, its panels joined.
  static Value restoreShape(PatternRewriter &rewriter, Location loc,
                            Value value, RankedTensorType type) {
    unsigned rank = type.getRank();
    SmallVector<ReassociationIndices> groups;
    for (unsigned dim = 0; dim + 1 < rank; ++dim)
      groups.push_back({static_cast<int64_t>(dim)});
    groups.push_back({rank - 1, rank});
    Value joined =
        tensor::CollapseShapeOp::create(rewriter, loc, value, groups);
    if (cast<RankedTensorType>(joined.getType()).getShape().back() !=
        type.getShape().back()) {
      SmallVector<OpFoldResult> zeros(rank, rewriter.getIndexAttr(0));
      SmallVector<OpFoldResult> ones(rank, rewriter.getIndexAttr(1));
      SmallVector<OpFoldResult> sizes =
          tensor::getMixedSizes(rewriter, loc, joined);
      sizes.back() = rewriter.getIndexAttr(type.getShape().back());
      joined = tensor::ExtractSliceOp::create(rewriter, loc, joined, zeros,
                                              sizes, ones);
    }
    if (joined.getType() != type)
      joined = tensor::CastOp::create(rewriter, loc, type, joined);
    return joined;
  }

  int64_t panel;
};

/// Pointwise ops that alone read a packed result are seen in panels too.
bool followsPacked(OpOperand *operand) {
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
  if (!consumer || !collapse || !collapse->hasOneUse() ||
      consumer.getNumReductionLoops() ||
      !consumer.getMatchingIndexingMap(operand).isIdentity())
    return false;
  Operation *source = collapse.getSrc().getDefiningOp();
  return source && source->hasAttr(kPacked);
}

struct PackContractions
    : ferrule::impl::PackContractionsBase<PackContractions> {
  using PackContractionsBase::PackContractionsBase;
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet packing(context);
    populatePackContractionsPatterns(packing, panel);
    if (failed(applyPatternsGreedily(getOperation(), std::move(packing))))
      return signalPassFailure();
    // One op at a time, so that each rewritten op is marked for the next.
    while (moveReshape())
      ;
    getOperation().walk([](linalg::LinalgOp op) { op->removeAttr(kPacked); });
    // Sizes of what was replaced follow from the arguments.
    RewritePatternSet cleanups(context);
    memref::populateResolveRankedShapedTypeResultDimsPatterns(cleanups);
    tensor::populateFoldTensorEmptyPatterns(cleanups);
    if (failed(applyPatternsGreedily(getOperation(), std::move(cleanups))))
      signalPassFailure();
  }

  bool moveReshape() {
    tensor::CollapseShapeOp found;
    getOperation().walk([&](tensor::CollapseShapeOp collapse) {
      if (collapse->hasOneUse() && followsPacked(&*collapse->use_begin())) {
        found = collapse;
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (!found)
      return false;
    auto consumer = cast<linalg::GenericOp>(*found->user_begin());
    Block *block = consumer->getBlock();
    Operation *before = consumer->getPrevNode();
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldReshapeOpsByExpansionPatterns(
        patterns, [&](OpOperand *operand) {
          return operand->getOwner() == consumer && followsPacked(operand);
        });
    bool changed = false;
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    (void)applyOpPatternsGreedily({consumer.getOperation()},
                                  std::move(patterns), config, &changed);
    if (!changed)
      return false;
    // The expanded op is the generic that now reads the packed result.
    for (Operation *op = before ? before->getNextNode() : &block->front(); op;
         op = op->getNextNode())
      if (auto generic = dyn_cast<linalg::GenericOp>(op))
        if (llvm::is_contained(generic.getOperands(), found.getSrc())) {
          generic->setAttr(kPacked, UnitAttr::get(&getContext()));
          return true;
        }
    return false;
  }
};

} // namespace

void ferrule::populatePackContractionsPatterns(RewritePatternSet &patterns,
                                               int64_t panel) {
  patterns.add<PackContraction>(patterns.getContext(), panel);
}
