// How much of a contraction one workgroup computes.
#include "compiler/Target/CPU/Contraction/ContractionTiles.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::cpu;

namespace {

/// Multiply-adds of a workgroup: tens of microseconds on one core, so that
/// handing it out costs nothing, and small enough that threads end together.
constexpr int64_t kMostWork = 4'000'000;
constexpr int64_t kLeastWork = 125'000;
/// Workgroups of a contraction that is large enough to have them.
constexpr int64_t kWorkgroups = 16;
/// What a dynamic size counts as, and the most register tiles of a dynamic
/// loop in one workgroup.
constexpr int64_t kDynamicGuess = 128;
constexpr int64_t kDynamicTiles = 8;

} // namespace

FailureOr<SmallVector<int64_t>>
cpu::chooseWorkgroupTiles(linalg::LinalgOp op) {
  // The wider registers decide for all variants, so that workgroups, and with
  // them the program, are the same for each.
  FailureOr<ContractionTiles> tiles =
      chooseContractionTiles(op, RegisterFile{512});
  if (failed(tiles))
    return failure();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  int64_t total = 1, work = 1;
  SmallVector<int64_t> sizes(tiles->parallel);
  for (unsigned loop = 0; loop < ranges.size(); ++loop) {
    int64_t range =
        ShapedType::isDynamic(ranges[loop]) ? kDynamicGuess : ranges[loop];
    total *= std::max<int64_t>(range, 1);
    if (types[loop] == utils::IteratorType::reduction)
      work *= std::max<int64_t>(range, 1);
  }
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<unsigned> order;
  for (AffineExpr expr : out.getResults())
    order.push_back(cast<AffineDimExpr>(expr).getPosition());
  // The lanes are never split.
  unsigned lane = order.pop_back_val();
  sizes[lane] = ranges[lane];
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (types[loop] == utils::IteratorType::parallel)
      work *= sizes[loop];

  int64_t target = std::clamp(total / kWorkgroups, kLeastWork, kMostWork);
  // Rows first, so that a panel of weights is read once for all of them; then
  // the loops outside, the innermost first.
  auto grow = [&](unsigned loop) {
    int64_t step = sizes[loop];
    int64_t room = std::max<int64_t>(1, target / std::max<int64_t>(work, 1));
    int64_t most;
    if (ShapedType::isDynamic(ranges[loop])) {
      most = kDynamicTiles;
    } else {
      most = llvm::divideCeil(ranges[loop], step);
      // Even parts instead of a small last one.
      int64_t parts = llvm::divideCeil(most, std::min(room, most));
      room = llvm::divideCeil(most, parts);
    }
    int64_t count = std::clamp<int64_t>(room, 1, most);
    work *= count;
    sizes[loop] = step * count;
    if (!ShapedType::isDynamic(ranges[loop]))
      sizes[loop] = std::min(sizes[loop], ranges[loop]);
  };
  SmallVector<unsigned> growth;
  if (tiles->rowLoop >= 0)
    growth.push_back(tiles->rowLoop);
  for (unsigned loop : llvm::reverse(order))
    if (static_cast<int64_t>(loop) != tiles->rowLoop)
      growth.push_back(loop);
  for (unsigned loop : growth)
    grow(loop);
  // A loop that is whole is not tiled.
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (sizes[loop] == ranges[loop])
      sizes[loop] = 0;
  return sizes;
}
