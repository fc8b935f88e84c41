// How large the tiles of a kernel are.
#include "compiler/Target/CPU/TileKernels/TileSizes.h"
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"
#include "compiler/Target/CPU/Contraction/ContractionTiles.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace ferrule;

namespace {

/// The work of one workgroup, in simple operations: some microseconds, far
/// more than it costs to hand a workgroup to a thread.
constexpr int64_t kWorkgroupWork = 16384;
/// What a dynamic size counts as.
constexpr int64_t kDynamicGuess = 128;
/// Columns of a tile come in whole cache lines.
constexpr int64_t kColumnStep = 64;
/// And rows of a result in the squares that are transposed in registers.
constexpr int64_t kSquare = 16;

/// For each loop of an op, the loop of the last op that it follows, or -1.
using LoopMap = SmallVector<int64_t>;

/// Walks from the last op to what it reads and finds the loops that must stay
/// whole, and the work behind one point of the last op's loops.
class Group {
public:
  explicit Group(linalg::LinalgOp last) : whole(last.getNumLoops()) {
    LoopMap identity;
    for (unsigned loop = 0; loop < last.getNumLoops(); ++loop)
      identity.push_back(loop);
    visit(last, identity);
  }

  bool isWhole(unsigned loop) const { return whole[loop]; }
  /// Work of a tile, given the size of each tiled loop's tile.
  int64_t workOf(ArrayRef<int64_t> tiles) const {
    int64_t sum = 0;
    for (const Part &part : parts) {
      int64_t points = part.cost;
      for (auto [size, loop] : llvm::zip_equal(part.sizes, part.loops))
        points *= loop < 0 || whole[loop] ? size : std::min(size, tiles[loop]);
      sum += points;
    }
    return std::max<int64_t>(sum, 1);
  }

private:
  struct Part {
    int64_t cost;
    SmallVector<int64_t> sizes;
    LoopMap loops;
  };

  static int64_t costOf(linalg::LinalgOp op) {
    int64_t cost = 0;
    op.getBlock()->walk([&](Operation *inner) {
      if (isa<math::MathDialect>(inner->getDialect()))
        cost += 8;
      else if (inner->getNumRegions() || isa<tensor::ExtractOp>(inner))
        cost += 4;
      else
        cost += 1;
    });
    // Vectorized simple work goes many elements a cycle.
    return std::max<int64_t>(1, cost / 2);
  }

  void visit(linalg::LinalgOp op, const LoopMap &loops) {
    Part part{costOf(op), op.getStaticLoopRanges(), loops};
    for (int64_t &size : part.sizes)
      if (ShapedType::isDynamic(size))
        size = kDynamicGuess;
    parts.push_back(std::move(part));
    for (OpOperand &operand : op->getOpOperands()) {
      auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
      if (producer && !op.isScalar(&operand))
        visitProducer(op, operand, producer, loops);
    }
  }

  void visitProducer(linalg::LinalgOp op, OpOperand &operand,
                     linalg::LinalgOp producer, const LoopMap &loops) {
    AffineMap read = op.getMatchingIndexingMap(&operand);
    AffineMap written =
        producer.getIndexingMapMatchingResult(cast<OpResult>(operand.get()));
    LoopMap followed(producer.getNumLoops(), -1);
    llvm::SmallBitVector covered(whole.size());
    for (auto [from, to] :
         llvm::zip_equal(read.getResults(), written.getResults())) {
      auto fromDim = dyn_cast<AffineDimExpr>(from);
      auto toDim = dyn_cast<AffineDimExpr>(to);
      if (!fromDim || !toDim)
        continue;
      int64_t loop = loops[fromDim.getPosition()];
      followed[toDim.getPosition()] = loop;
      if (loop >= 0)
        covered.set(loop);
    }
    // What does not follow a loop is computed once for each of its tiles.
    bool heavy = producer.getNumReductionLoops() || costOf(producer) > 2;
    if (heavy)
      for (unsigned loop = 0; loop < whole.size(); ++loop)
        if (!covered.test(loop))
          whole[loop] = true;
    if (depth > 32)
      return;
    ++depth;
    visit(producer, followed);
    --depth;
  }

  SmallVector<bool> whole;
  SmallVector<Part> parts;
  unsigned depth = 0;
};

int64_t splitEvenly(int64_t size, int64_t tile, int64_t step) {
  int64_t count = llvm::divideCeil(size, tile);
  return llvm::alignTo(llvm::divideCeil(size, count), step);
}

/// The loops along which an operand is contiguous.
llvm::SmallBitVector findContiguousLoops(linalg::LinalgOp op) {
  llvm::SmallBitVector loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (map.getNumResults() < 2)
      continue;
    if (auto dim = dyn_cast<AffineDimExpr>(map.getResults().back()))
      loops.set(dim.getPosition());
  }
  return loops;
}

/// The contraction whose result `last` updates point by point, or `last`; an
/// op of another kind that begins such a chain.
Operation *findFirst(linalg::LinalgOp last) {
  Operation *first = last;
  while (auto op = dyn_cast_or_null<linalg::LinalgOp>(first)) {
    if (op.getNumReductionLoops() != 0)
      break;
    first = nullptr;
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *producer = operand.get().getDefiningOp();
      if (isa_and_nonnull<linalg::LinalgOp, ext::WinogradOutputOp>(producer) &&
          !isa<linalg::FillOp>(producer) &&
          op.getMatchingIndexingMap(&operand).isIdentity())
        first = producer;
    }
  }
  return first;
}

/// Images, blocks of channels and rows of tiles of one workgroup: a band of
/// rows where both halves of the convolution go through it, else some blocks,
/// whose weights are then read once.
SmallVector<int64_t> winogradTileSizes(ext::WinogradOutputOp op) {
  constexpr int64_t kBlocks = 2;
  constexpr int64_t kProductBytes = 512 << 10;
  auto v = cast<ShapedType>(op.getInputs()[0].getType());
  auto u = cast<ShapedType>(op.getInputs()[1].getType());
  int64_t rows = v.getDimSize(2), blocks = u.getDimSize(1);
  if (op.getInputs()[0].getDefiningOp<ext::WinogradInputOp>())
    return {1, 0, ext::WinogradOutputOp::chooseBand(v, u)};
  int64_t rowBytes =
      v.getDimSize(1) * v.getDimSize(3) * kBlocks * u.getDimSize(4) * 4;
  int64_t band = std::min(rows, std::max<int64_t>(1, kProductBytes / rowBytes));
  while (rows % band != 0)
    --band;
  return {1, blocks % kBlocks == 0 ? kBlocks : 1, band};
}

SmallVector<OpFoldResult>
winogradTiles(OpBuilder &builder, ext::WinogradOutputOp op, Operation *last) {
  SmallVector<int64_t> sizes = winogradTileSizes(op);
  // Pixels of a reader are two rows and columns of each tile.
  if (last != op)
    sizes = {sizes[0], sizes[1], 2 * sizes[2], 0, 0};
  return getAsIndexOpFoldResult(builder.getContext(), sizes);
}

/// Tiles for a kernel that ends in a contraction and its epilogue.
FailureOr<SmallVector<OpFoldResult>>
contractionTileSizes(linalg::LinalgOp last) {
  auto contraction = dyn_cast_or_null<linalg::LinalgOp>(findFirst(last));
  if (!contraction)
    return failure();
  FailureOr<SmallVector<int64_t>> sizes =
      ferrule::cpu::chooseWorkgroupTiles(contraction);
  if (failed(sizes))
    return failure();
  if (last != contraction) {
    // Loops of the epilogue are the dimensions of the contraction's result.
    SmallVector<int64_t> mapped;
    AffineMap out =
        contraction.getMatchingIndexingMap(contraction.getDpsInitOperand(0));
    for (AffineExpr expr : out.getResults())
      mapped.push_back((*sizes)[cast<AffineDimExpr>(expr).getPosition()]);
    sizes = mapped;
  }
  return getAsIndexOpFoldResult(last->getContext(), *sizes);
}

} // namespace

SmallVector<OpFoldResult> ferrule::cpu::chooseTileSizes(OpBuilder &builder,
                                                        TilingInterface op) {
  SmallVector<utils::IteratorType> iterators = op.getLoopIteratorTypes();
  unsigned count = iterators.size();
  SmallVector<OpFoldResult> sizes(count, builder.getIndexAttr(0));
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op.getOperation());
  auto winograd = dyn_cast_or_null<ext::WinogradOutputOp>(
      linalgOp ? findFirst(linalgOp) : op.getOperation());
  if (winograd)
    return winogradTiles(builder, winograd, op);
  if (!linalgOp) {
    // An op of our own knows its work best; whole lines of the parallel loops
    // are independent.
    for (unsigned loop = 0; loop < count; ++loop)
      if (iterators[loop] == utils::IteratorType::parallel)
        sizes[loop] = builder.getIndexAttr(1);
    return sizes;
  }
  FailureOr<SmallVector<OpFoldResult>> contraction =
      contractionTileSizes(linalgOp);
  if (succeeded(contraction))
    return *contraction;
  Group group(linalgOp);
  llvm::SmallBitVector contiguous = findContiguousLoops(linalgOp);
  SmallVector<int64_t> ranges = linalgOp.getStaticLoopRanges();
  SmallVector<int64_t> tiles(count, 1);
  for (unsigned loop = count; loop-- > 0;) {
    if (iterators[loop] != utils::IteratorType::parallel ||
        group.isWhole(loop) || ranges[loop] == 1)
      continue;
    int64_t step = loop + 1 == count       ? kColumnStep
                   : contiguous.test(loop) ? kSquare
                                           : 1;
    int64_t room = std::max<int64_t>(1, kWorkgroupWork / group.workOf(tiles));
    if (ShapedType::isDynamic(ranges[loop])) {
      tiles[loop] = llvm::alignTo(room, step);
      sizes[loop] = builder.getIndexAttr(tiles[loop]);
    } else if (ranges[loop] <=
               static_cast<int64_t>(llvm::alignTo(room, step))) {
      tiles[loop] = ranges[loop];
    } else {
      tiles[loop] = splitEvenly(ranges[loop], room, step);
      if (tiles[loop] < ranges[loop])
        sizes[loop] = builder.getIndexAttr(tiles[loop]);
    }
  }
  return sizes;
}
