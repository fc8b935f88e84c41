// Elementwise ops on buffers as vector code.
#include "compiler/Target/CPU/Contraction/VectorBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ferrule::cpu;

namespace {

/// Loops that vectors lie along.
struct Lanes {
  /// The loop along which the results are contiguous.
  unsigned along;
  /// Another one, along which inputs are contiguous that are not along the
  /// first: square blocks of them are transposed in registers.
  std::optional<unsigned> across;
};

/// The loop, if any, along which an input is contiguous whose other positions
/// the lane moves.
std::optional<unsigned> findAcross(linalg::LinalgOp op, OpOperand &operand,
                                   unsigned lane) {
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (loop != lane &&
        getLaneAccess(op, operand, loop) == LaneAccess::Contiguous &&
        !op.getMatchingIndexingMap(&operand)
             .getResults()
             .back()
             .isFunctionOfDim(lane))
      return loop;
  return std::nullopt;
}

/// The loops for which every operand has a form.
std::optional<Lanes> findLanes(linalg::LinalgOp op) {
  if (op.getNumLoops() == 0 || op.getNumLoops() != op.getNumParallelLoops())
    return std::nullopt;
  OpOperand &out = *op.getDpsInitOperand(0);
  AffineMap map = op.getMatchingIndexingMap(&out);
  auto last = map.getNumResults()
                  ? dyn_cast<AffineDimExpr>(map.getResults().back())
                  : AffineDimExpr(nullptr);
  if (!last)
    return std::nullopt;
  Lanes lanes{last.getPosition(), std::nullopt};
  for (OpOperand &operand : op->getOpOperands()) {
    if (!hasVectorElements(operand.get().getType()))
      return std::nullopt;
    LaneAccess access = getLaneAccess(op, operand, lanes.along);
    if (op.isDpsInit(&operand) && access != LaneAccess::Contiguous)
      return std::nullopt;
    if (access != LaneAccess::Other)
      continue;
    std::optional<unsigned> across = findAcross(op, operand, lanes.along);
    if (!across || (lanes.across && lanes.across != across))
      return std::nullopt;
    lanes.across = across;
  }
  return lanes;
}

/// What was read before, by the operand's number.
using ReadOperands = llvm::SmallDenseMap<unsigned, Value>;

/// Exchanges rows and columns of a square of vectors: at each step, blocks of
/// half the size change places.
void transpose(OpBuilder &builder, Location loc, MutableArrayRef<Value> rows) {
  int64_t size = rows.size();
  for (int64_t half = size / 2; half; half /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < size; ++lane) {
      low.push_back(lane & half ? lane - half + size : lane);
      high.push_back(lane & half ? lane + size : lane + half);
    }
    for (int64_t row = 0; row < size; ++row) {
      if (row & half)
        continue;
      Value a = rows[row], b = rows[row + half];
      rows[row] = vector::ShuffleOp::create(builder, loc, a, b, low);
      rows[row + half] = vector::ShuffleOp::create(builder, loc, a, b, high);
    }
  }
}

class ElementwiseLowering : VectorBody {
public:
  ElementwiseLowering(OpBuilder &builder, linalg::LinalgOp op, Lanes lanes,
                      int64_t width)
      : VectorBody(builder, op, lanes.along), lanes(lanes), width(width) {}

  void build() { buildLoop(0); }

private:
  void buildLoop(unsigned loop) {
    if (loop == lanes.along || loop == lanes.across)
      return buildLoop(loop + 1);
    if (loop == indices.size())
      return lanes.across ? buildBlocks() : buildLane();
    nest.loop(nest.index(0), nest.getSizes()[loop], 1, [&](Value iv) {
      indices[loop] = iv;
      buildLoop(loop + 1);
    });
  }

  bool isWhole(unsigned loop) {
    std::optional<int64_t> known = getConstantIntValue(nest.getSizes()[loop]);
    return known && *known % width == 0;
  }

  void buildLane() {
    Value whole = wholePart(lanes.along, width);
    loopOver(lanes.along, nest.index(0), whole, width,
             [&] { buildBody(width); });
    if (!isWhole(lanes.along))
      loopOver(lanes.along, whole, nest.getSizes()[lanes.along], 1,
               [&] { buildBody(1); });
  }

  /// Squares of both loops, then what is left of each, point by point.
  void buildBlocks() {
    unsigned along = lanes.along, across = *lanes.across;
    Value zero = nest.index(0);
    Value columns = wholePart(along, width), rows = wholePart(across, width);
    loopOver(across, zero, rows, width, [&] {
      loopOver(along, zero, columns, width, [&] { buildBlock(); });
      if (!isWhole(along)) {
        Value first = indices[across];
        loopOver(across, first, nest.add(first, width), 1, [&] {
          loopOver(along, columns, nest.getSizes()[along], 1,
                   [&] { buildBody(1); });
        });
      }
    });
    if (!isWhole(across))
      loopOver(across, rows, nest.getSizes()[across], 1, [&] {
        loopOver(along, zero, nest.getSizes()[along], 1, [&] { buildBody(1); });
      });
  }

  void buildBlock() {
    Value &column = indices[lanes.along], &row = indices[*lanes.across];
    Value firstColumn = column, firstRow = row;
    llvm::SmallDenseMap<unsigned, SmallVector<Value>> squares;
    for (OpOperand &operand : op->getOpOperands()) {
      if (op.getMatchingBlockArgument(&operand).use_empty() ||
          getLaneAccess(op, operand, lanes.along) != LaneAccess::Other)
        continue;
      SmallVector<Value> &square = squares[operand.getOperandNumber()];
      for (int64_t step = 0; step < width; ++step) {
        column = nest.add(firstColumn, step);
        square.push_back(nest.loadVector(operand, indices, width));
      }
      transpose(builder, loc, square);
    }
    column = firstColumn;
    for (int64_t step = 0; step < width; ++step) {
      row = nest.add(firstRow, step);
      ReadOperands transposed;
      for (auto &[number, square] : squares)
        transposed[number] = square[step];
      buildBody(width, transposed);
    }
    row = firstRow;
  }

  /// Computes `count` points; `transposed` has the operands that were read
  /// before.
  void buildBody(int64_t count,
                 const ReadOperands &transposed = ReadOperands()) {
    IRMapping map;
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      if (argument.use_empty())
        continue;
      Value value = transposed.lookup(operand.getOperandNumber());
      map.map(argument, value ? value : read(operand, count));
    }
    cloneBody(map, count);
    for (auto [init, yielded] :
         llvm::zip_equal(op.getDpsInitsMutable(),
                         op.getBlock()->getTerminator()->getOperands()))
      nest.store(widen(map.lookupOrDefault(yielded), count), init, indices);
  }

  Lanes lanes;
  int64_t width;
};

LogicalResult lower(OpBuilder &builder, linalg::LinalgOp op, Lanes lanes,
                    unsigned vectorBits) {
  if (!hasVectorForm(op))
    return failure();
  ElementwiseLowering(builder, op, lanes, countLanes(op, vectorBits)).build();
  return success();
}

} // namespace

LogicalResult ferrule::cpu::lowerElementwise(OpBuilder &builder,
                                             linalg::LinalgOp op,
                                             unsigned vectorBits) {
  std::optional<Lanes> lanes = findLanes(op);
  return lanes ? lower(builder, op, *lanes, vectorBits) : failure();
}

LogicalResult ferrule::cpu::lowerTransposed(OpBuilder &builder,
                                            linalg::LinalgOp op,
                                            unsigned vectorBits) {
  std::optional<Lanes> lanes = findLanes(op);
  if (!lanes || !lanes->across)
    return failure();
  // Fewer points than a square has make no squares.
  constexpr int64_t kLeast = 16;
  for (unsigned loop : {lanes->along, *lanes->across}) {
    int64_t size = op.getStaticLoopRanges()[loop];
    if (!ShapedType::isDynamic(size) && size < kLeast)
      return failure();
  }
  return lower(builder, op, *lanes, vectorBits);
}
