// Contractions of register tiles -> fused multiply-adds.
#include "compiler/Target/CPU/Contraction/VectorizeContractions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include <map>

using namespace mlir;

namespace {

unsigned dimOf(AffineExpr expr) {
  return cast<AffineDimExpr>(expr).getPosition();
}

/// One vector.contract, unrolled over every dimension but the lanes.
///
/// The dimensions of the broadcast operand are outermost, so that one
/// broadcast is live at a time: with the other order LLVM keeps all of them
/// live and spills.
class Unroller {
public:
  Unroller(vector::ContractionOp op, PatternRewriter &rewriter)
      : op(op), rewriter(rewriter), loc(op.getLoc()),
        maps(op.getIndexingMapsArray()), operands{op.getLhs(), op.getRhs()} {}

  LogicalResult analyse();
  void unroll();

private:
  using Position = std::vector<int64_t>;

  Value element(unsigned operand, const Position &position);
  Value accumulator(const Position &position);
  Position positionIn(AffineMap map, bool dropLast);
  int64_t count(ArrayRef<unsigned> dims);
  void setIndex(ArrayRef<unsigned> dims, int64_t linear);

  vector::ContractionOp op;
  PatternRewriter &rewriter;
  Location loc;
  SmallVector<AffineMap, 4> maps;
  Value operands[2];
  unsigned lane = 0;
  bool hasLane[2] = {false, false};
  SmallVector<int64_t> extent, index;
  SmallVector<unsigned> parallel, reduction;
  std::map<Position, Value> loaded[2], accumulators;
};

LogicalResult Unroller::analyse() {
  auto type = dyn_cast<VectorType>(op.getAccType());
  if (!type || op.getKind() != vector::CombiningKind::ADD ||
      !isa<FloatType>(type.getElementType()))
    return rewriter.notifyMatchFailure(op, "no sum of floats into a vector");
  for (Value operand : operands)
    if (cast<VectorType>(operand.getType()).getElementType() !=
        type.getElementType())
      return rewriter.notifyMatchFailure(op, "mixed element types");
  lane = dimOf(maps[2].getResults().back());
  unsigned dims = maps[0].getNumDims();
  extent.assign(dims, 1);
  index.assign(dims, 0);
  for (unsigned o = 0; o < 2; ++o) {
    auto vector = cast<VectorType>(operands[o].getType());
    for (auto [i, expr] : llvm::enumerate(maps[o].getResults())) {
      extent[dimOf(expr)] = vector.getDimSize(i);
      if (dimOf(expr) != lane)
        continue;
      if (i + 1 != maps[o].getNumResults())
        return rewriter.notifyMatchFailure(op, "lanes are not innermost");
      hasLane[o] = true;
    }
  }
  if (!hasLane[0] && !hasLane[1])
    return rewriter.notifyMatchFailure(op, "no operand has the lanes");
  auto types = op.getIteratorTypesArray();
  for (unsigned d = 0; d < dims; ++d)
    if (d != lane)
      (types[d] == vector::IteratorType::parallel ? parallel : reduction)
          .push_back(d);
  unsigned broadcast = hasLane[0] ? 1 : 0;
  std::stable_partition(parallel.begin(), parallel.end(), [&](unsigned d) {
    return (hasLane[0] && hasLane[1]) || maps[broadcast].isFunctionOfDim(d);
  });
  return success();
}

int64_t Unroller::count(ArrayRef<unsigned> dims) {
  int64_t n = 1;
  for (unsigned d : dims)
    n *= extent[d];
  return n;
}

void Unroller::setIndex(ArrayRef<unsigned> dims, int64_t linear) {
  for (unsigned d : llvm::reverse(dims)) {
    index[d] = linear % extent[d];
    linear /= extent[d];
  }
}

Unroller::Position Unroller::positionIn(AffineMap map, bool dropLast) {
  Position position;
  for (AffineExpr expr : map.getResults().drop_back(dropLast ? 1 : 0))
    position.push_back(index[dimOf(expr)]);
  return position;
}

/// One element or one register of an operand: read from memory right where it
/// is used when the operand is a transfer_read, else taken out of the vector.
Value Unroller::element(unsigned o, const Position &position) {
  auto vector = cast<VectorType>(operands[o].getType());
  auto read = operands[o].getDefiningOp<vector::TransferReadOp>();
  if (!read || !isa<MemRefType>(read.getBase().getType()) || read.getMask() ||
      read.hasOutOfBoundsDim())
    return vector::ExtractOp::create(rewriter, loc, operands[o], position);
  AffineMap map = read.getPermutationMap();
  if (hasLane[o]) {
    auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
    if (!last || last.getPosition() + 1 != map.getNumDims())
      return vector::ExtractOp::create(rewriter, loc, operands[o], position);
  }
  SmallVector<Value> indices(read.getIndices());
  for (auto [i, offset] : llvm::enumerate(position)) {
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(i));
    if (!dim || offset == 0)
      continue;
    Value &target = indices[dim.getPosition()];
    Value constant = arith::ConstantIndexOp::create(rewriter, loc, offset);
    target = arith::AddIOp::create(rewriter, loc, target, constant);
  }
  if (!hasLane[o])
    return memref::LoadOp::create(rewriter, loc, read.getBase(), indices);
  auto registerType =
      VectorType::get({vector.getShape().back()}, vector.getElementType());
  return vector::LoadOp::create(rewriter, loc, registerType, read.getBase(),
                                indices);
}

Value Unroller::accumulator(const Position &position) {
  if (position.empty())
    return op.getAcc();
  return vector::ExtractOp::create(rewriter, loc, op.getAcc(), position);
}

void Unroller::unroll() {
  auto type = cast<VectorType>(op.getAccType());
  auto registerType =
      VectorType::get({type.getShape().back()}, type.getElementType());
  for (int64_t k = 0, ks = count(reduction); k < ks; ++k) {
    setIndex(reduction, k);
    loaded[0].clear();
    loaded[1].clear();
    for (int64_t p = 0, ps = count(parallel); p < ps; ++p) {
      setIndex(parallel, p);
      Value values[2];
      for (unsigned o = 0; o < 2; ++o) {
        Position position = positionIn(maps[o], hasLane[o]);
        Value &known = loaded[o][position];
        if (!known) {
          known = element(o, position);
          if (!hasLane[o])
            known = vector::BroadcastOp::create(rewriter, loc, registerType,
                                                known);
        }
        values[o] = known;
      }
      Position position = positionIn(maps[2], /*dropLast=*/true);
      Value &sum = accumulators[position];
      if (!sum)
        sum = accumulator(position);
      sum = vector::FMAOp::create(rewriter, loc, values[0], values[1], sum);
    }
  }
  Value result;
  if (type.getRank() == 1) {
    result = accumulators.begin()->second;
  } else {
    result =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    for (auto &[position, value] : accumulators)
      result =
          vector::InsertOp::create(rewriter, loc, value, result, position);
  }
  rewriter.replaceOp(op, result);
}

/// vector.contract -> loads, broadcasts and vector.fma
struct ContractToFMA : OpRewritePattern<vector::ContractionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::ContractionOp op,
                                PatternRewriter &rewriter) const override {
    Unroller unroller(op, rewriter);
    if (failed(unroller.analyse()))
      return failure();
    unroller.unroll();
    return success();
  }
};

} // namespace

void ferrule::cpu::populateContractToFMAPatterns(RewritePatternSet &patterns) {
  patterns.add<ContractToFMA>(patterns.getContext());
}
