// Reductions along contiguous rows as vector code.
#include "compiler/Target/CPU/Contraction/VectorBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ferrule::cpu;

namespace {

/// Vectors of partial results that a row is spread over: enough to hide the
/// latency of an addition.
constexpr int64_t kPartial = 4;

/// How one result is reduced.
struct Reduction {
  OpOperand *init;
  /// Combines the value so far with that of a point.
  Operation *combiner;
  vector::CombiningKind kind;
  TypedAttr neutral;
};

std::optional<vector::CombiningKind> getKind(Operation *combiner) {
  using Kind = vector::CombiningKind;
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(combiner)
      .Case<arith::AddFOp, arith::AddIOp>([](Operation *) { return Kind::ADD; })
      .Case<arith::MulFOp, arith::MulIOp>([](Operation *) { return Kind::MUL; })
      .Case([](arith::MaximumFOp) { return Kind::MAXIMUMF; })
      .Case([](arith::MinimumFOp) { return Kind::MINIMUMF; })
      .Case([](arith::MaxSIOp) { return Kind::MAXSI; })
      .Case([](arith::MinSIOp) { return Kind::MINSI; })
      .Case([](arith::MaxUIOp) { return Kind::MAXUI; })
      .Case([](arith::MinUIOp) { return Kind::MINUI; })
      .Case([](arith::AndIOp) { return Kind::AND; })
      .Case([](arith::OrIOp) { return Kind::OR; })
      .Case([](arith::XOrIOp) { return Kind::XOR; })
      .Default(std::nullopt);
}

/// Results that reductions do not move, each combined once a point.
std::optional<Reduction> matchReduction(linalg::LinalgOp op, OpOperand &init) {
  BlockArgument before = op.getMatchingBlockArgument(&init);
  unsigned number = init.getOperandNumber() - op.getNumDpsInputs();
  Operation *combiner =
      op.getBlock()->getTerminator()->getOperand(number).getDefiningOp();
  if (!combiner || !before.hasOneUse() || *before.user_begin() != combiner ||
      !combiner->hasOneUse())
    return std::nullopt;
  std::optional<vector::CombiningKind> kind = getKind(combiner);
  std::optional<TypedAttr> neutral = arith::getNeutralElement(combiner);
  if (!kind || !neutral || before.getType().isInteger(1))
    return std::nullopt;
  return Reduction{&init, combiner, *kind, *neutral};
}

/// What is known about an op that reduces rows.
struct Rows {
  SmallVector<unsigned> parallel, reductions;
  /// The reduction that is contiguous.
  unsigned lane;
  SmallVector<Reduction> results;
  /// Results that are written point by point beside the reduction.
  SmallVector<OpOperand *> written;
};

bool isContiguousRow(linalg::LinalgOp op, unsigned lane) {
  bool moves = false;
  for (OpOperand &operand : op->getOpOperands()) {
    LaneAccess access = getLaneAccess(op, operand, lane);
    if (access == LaneAccess::Other)
      return false;
    moves |= access == LaneAccess::Contiguous;
  }
  return moves;
}

std::optional<Rows> matchRows(linalg::LinalgOp op, int64_t width) {
  Rows rows;
  std::optional<unsigned> lane;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (kind == utils::IteratorType::parallel) {
      rows.parallel.push_back(loop);
      continue;
    }
    rows.reductions.push_back(loop);
    if (isContiguousRow(op, loop))
      lane = loop;
  }
  if (!lane)
    return std::nullopt;
  int64_t size = op.getStaticLoopRanges()[*lane];
  if (!ShapedType::isDynamic(size) && size < width)
    return std::nullopt;
  rows.lane = *lane;
  // The contiguous loop is the innermost.
  llvm::erase(rows.reductions, *lane);
  rows.reductions.push_back(*lane);
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    bool moves = llvm::any_of(rows.reductions, [&](unsigned loop) {
      return map.isFunctionOfDim(loop);
    });
    if (moves) {
      // Written once at each point: of all the loops.
      if (!map.isPermutation() || op.payloadUsesValueFromOperand(&init) ||
          getLaneAccess(op, init, *lane) != LaneAccess::Contiguous)
        return std::nullopt;
      rows.written.push_back(&init);
      continue;
    }
    std::optional<Reduction> reduction = matchReduction(op, init);
    if (!reduction)
      return std::nullopt;
    rows.results.push_back(*reduction);
  }
  if (rows.results.empty())
    return std::nullopt;
  return rows;
}

class ReductionLowering : VectorBody {
public:
  ReductionLowering(OpBuilder &builder, linalg::LinalgOp op, const Rows &rows,
                    int64_t width)
      : VectorBody(builder, op, rows.lane), rows(rows), width(width) {}

  void build() { buildParallel(0); }

private:
  void buildParallel(unsigned depth) {
    if (depth == rows.parallel.size())
      return buildRows();
    unsigned loop = rows.parallel[depth];
    loopOver(loop, nest.index(0), nest.getSizes()[loop], 1,
             [&] { buildParallel(depth + 1); });
  }

  /// Everything that is combined into one element of each result.
  void buildRows() {
    // Partial results of each reduction, and the one of single points.
    SmallVector<Value> partial;
    for (const Reduction &result : rows.results) {
      Value neutral = arith::ConstantOp::create(builder, loc, result.neutral);
      partial.append(kPartial, widen(neutral, width));
      partial.push_back(nest.load(*result.init, indices));
    }
    partial = buildReductions(0, partial);
    for (auto [number, result] : llvm::enumerate(rows.results)) {
      MutableArrayRef<Value> own = MutableArrayRef<Value>(partial).slice(
          number * (kPartial + 1), kPartial + 1);
      for (int64_t half = kPartial / 2; half; half /= 2)
        for (int64_t i = 0; i < half; ++i)
          own[i] = combine(result, own[i], own[i + half], width);
      Value row = reduce(result, own.front());
      nest.store(combine(result, own.back(), row, 1), *result.init, indices);
    }
  }

  SmallVector<Value> buildReductions(unsigned depth, ValueRange carried) {
    unsigned loop = rows.reductions[depth];
    if (loop == lane)
      return buildLane(carried);
    return nest.loop(nest.index(0), nest.getSizes()[loop], 1, carried,
                     [&](Value iv, ValueRange inner) {
                       indices[loop] = iv;
                       return buildReductions(depth + 1, inner);
                     });
  }

  /// Several vectors a step, then one, then single points.
  SmallVector<Value> buildLane(ValueRange carried) {
    SmallVector<Value> values(carried);
    Value from = nest.index(0);
    std::optional<int64_t> known = getConstantIntValue(nest.getSizes()[lane]);
    for (int64_t vectors : {kPartial, int64_t(1), int64_t(0)}) {
      int64_t step = vectors ? vectors * width : 1;
      Value to = vectors ? wholePart(lane, step) : nest.getSizes()[lane];
      if (!known || *known / step * step != getConstantIntValue(from))
        values =
            nest.loop(from, to, step, values, [&](Value iv, ValueRange inner) {
              return buildStep(iv, inner, vectors);
            });
      from = to;
    }
    return values;
  }

  SmallVector<Value> buildStep(Value iv, ValueRange carried, int64_t vectors) {
    SmallVector<Value> values(carried);
    if (vectors == 0) {
      indices[lane] = iv;
      buildPoints(values, kPartial, 1);
    }
    for (int64_t i = 0; i < vectors; ++i) {
      indices[lane] = nest.add(iv, i * width);
      buildPoints(values, i, width);
    }
    return values;
  }

  /// Combines `count` points into the partial results numbered `slot`.
  void buildPoints(MutableArrayRef<Value> values, int64_t slot, int64_t count) {
    IRMapping map;
    for (OpOperand *operand : op.getDpsInputOperands())
      if (BlockArgument argument = op.getMatchingBlockArgument(operand);
          !argument.use_empty())
        map.map(argument, read(*operand, count));
    for (auto [number, result] : llvm::enumerate(rows.results))
      map.map(op.getMatchingBlockArgument(result.init),
              values[number * (kPartial + 1) + slot]);
    cloneBody(map, count);
    Operation *yield = op.getBlock()->getTerminator();
    for (auto [number, result] : llvm::enumerate(rows.results))
      values[number * (kPartial + 1) + slot] =
          map.lookup(result.combiner->getResult(0));
    for (OpOperand *init : rows.written) {
      Value value =
          yield->getOperand(init->getOperandNumber() - op.getNumDpsInputs());
      nest.store(widen(map.lookupOrDefault(value), count), *init, indices);
    }
  }

  Value combine(const Reduction &result, Value a, Value b, int64_t count) {
    IRMapping map;
    BlockArgument before = op.getMatchingBlockArgument(result.init);
    for (Value operand : result.combiner->getOperands())
      map.map(operand, operand == before ? a : b);
    Operation *copy = builder.clone(*result.combiner, map);
    copy->getResult(0).setType(a.getType());
    return copy->getResult(0);
  }

  Value reduce(const Reduction &result, Value value) {
    auto flags = arith::FastMathFlags::none;
    if (auto fast = dyn_cast<arith::ArithFastMathInterface>(result.combiner))
      flags = fast.getFastMathFlagsAttr().getValue();
    return vector::ReductionOp::create(builder, loc, result.kind, value, flags);
  }

  const Rows &rows;
  int64_t width;
};

} // namespace

LogicalResult ferrule::cpu::lowerReduction(OpBuilder &builder,
                                           linalg::LinalgOp op,
                                           unsigned vectorBits) {
  if (op.getNumReductionLoops() == 0 || !op.hasPureBufferSemantics() ||
      !llvm::all_of(op->getOperandTypes(), hasVectorElements) ||
      !hasVectorForm(op))
    return failure();
  int64_t width = countLanes(op, vectorBits);
  std::optional<Rows> rows = matchRows(op, width);
  if (!rows)
    return failure();
  ReductionLowering(builder, op, *rows, width).build();
  return success();
}
