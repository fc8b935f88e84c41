// How large the register tiles of a contraction are.
#include "compiler/Target/CPU/Contraction/ContractionTiles.h"
#include "compiler/Transforms/FuseElementwise/FuseElementwise.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::cpu;

namespace {

/// The loops of a contraction by their part in it.
struct LoopKinds {
  unsigned lane;
  /// Parallel loops that the broadcast operand moves along, and that only the
  /// lane operand (the weights) moves along; in the order of the result.
  SmallVector<unsigned> rows, blocks;
  bool depthwise = false;
};

FailureOr<LoopKinds> classify(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return failure();
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type ||
        !(type.getElementType().isF32() || type.getElementType().isF64()))
      return failure();
  }
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (out.getNumResults() == 0 || !out.isProjectedPermutation())
    return failure();
  LoopKinds loops;
  loops.lane = cast<AffineDimExpr>(out.getResults().back()).getPosition();
  AffineMap maps[2];
  bool hasLane[2];
  for (unsigned i = 0; i < 2; ++i) {
    maps[i] = op.getMatchingIndexingMap(op.getDpsInputOperand(i));
    hasLane[i] = maps[i].isFunctionOfDim(loops.lane);
    if (hasLane[i] && maps[i].getResults().back() !=
                          getAffineDimExpr(loops.lane, op->getContext()))
      return failure();
  }
  if (!hasLane[0] && !hasLane[1])
    return failure();
  loops.depthwise = hasLane[0] && hasLane[1];
  // The operand that is broadcast along the lanes; of a depthwise convolution
  // the activation, which has the larger map.
  unsigned broadcast =
      loops.depthwise
          ? (maps[0].getNumResults() >= maps[1].getNumResults() ? 0 : 1)
          : (hasLane[0] ? 1 : 0);
  for (AffineExpr expr : out.getResults().drop_back()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    (maps[broadcast].isFunctionOfDim(loop) ? loops.rows : loops.blocks)
        .push_back(loop);
  }
  return loops;
}

/// The largest size that divides `range`, from a list in order of preference;
/// the first one when none does.
int64_t preferDivisor(int64_t range, ArrayRef<int64_t> sizes) {
  if (!ShapedType::isDynamic(range)) {
    for (int64_t size : sizes)
      if (range % size == 0)
        return size;
    if (range < sizes.front())
      return range;
  }
  return sizes.front();
}

} // namespace

FailureOr<ContractionTiles>
cpu::chooseContractionTiles(linalg::LinalgOp op, const RegisterFile &file) {
  if (!isContractionLike(op) && !linalg::isaConvolutionOpInterface(op))
    return failure();
  FailureOr<LoopKinds> loops = classify(op);
  if (failed(loops))
    return failure();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t width = file.vectorBits / type.getElementTypeBitWidth();
  int64_t lanes = ranges[loops->lane];
  if (ShapedType::isDynamic(lanes) || lanes % 8 != 0)
    return failure();
  bool wide = file.count() >= 32;

  ContractionTiles tiles;
  tiles.parallel.assign(op.getNumLoops(), 0);
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel)
      tiles.parallel[loop] = 1;
  // A row is two registers with AVX-512 and with AVX2, or one where lanes are
  // few; vectors of odd width are split by no one, so it is a power of two.
  int64_t row = lanes % (2 * width) == 0 ? 2 * width
                : lanes % width == 0     ? width
                                         : 8;
  tiles.parallel[loops->lane] = row;
  int64_t registers = std::max<int64_t>(1, row / width);
  int64_t budget = wide ? 24 : 12;

  if (loops->depthwise) {
    if (!loops->rows.empty())
      tiles.parallel[loops->rows.back()] =
          preferDivisor(ranges[loops->rows.back()], {7, 8, 6, 4});
  } else {
    // Two blocks of one register hide the loads of the weights.
    int64_t blocks = 1;
    if (!loops->blocks.empty() && registers == 1) {
      unsigned loop = loops->blocks.back();
      if (!ShapedType::isDynamic(ranges[loop]) && ranges[loop] % 2 == 0) {
        blocks = 2;
        tiles.parallel[loop] = blocks;
      }
    }
    if (!loops->rows.empty()) {
      unsigned loop = loops->rows.back();
      int64_t most = budget / (registers * blocks);
      SmallVector<int64_t> sizes;
      bool image = op.getNumLoops() > 5;
      if (image && most >= 16)
        sizes = {14, 16, 12, 10, 8, 7, 6};
      else if (image && most >= 12)
        sizes = {7, 8, 12, 10, 6, 9};
      else if (image)
        sizes = {most, most - 1, most - 2, 4};
      else
        sizes = {most};
      llvm::erase_if(sizes, [&](int64_t s) { return s > most || s < 1; });
      int64_t size = preferDivisor(ranges[loop], sizes);
      if (!image && !ShapedType::isDynamic(ranges[loop]))
        size = std::min(ranges[loop], most);
      tiles.parallel[loop] = size;
      tiles.rowLoop = loop;
    }
  }
  return tiles;
}
