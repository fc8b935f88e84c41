#include "compiler/Transforms/WinogradConvolutions/WinogradConvolutions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ferrule {
#define GEN_PASS_DEF_WINOGRADCONVOLUTIONS
#include "compiler/Transforms/WinogradConvolutions/WinogradConvolutions.h.inc"
} // namespace ferrule

using namespace ferrule;

namespace {

constexpr int64_t kWindow = 3;
constexpr int64_t kElements = 16;

/// A convolution that could be computed by Winograd's algorithm.
struct Candidate {
  linalg::GenericOp op;
  /// What it saves, in products, and the bytes that its weights grow by.
  double gain;
  int64_t growth;
};

/// Whether the value is a constant or computed from constants alone.
bool isConstant(Value value, unsigned depth = 0) {
  Operation *op = value.getDefiningOp();
  if (!op || depth > 16)
    return false;
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op))
    return true;
  return isPure(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return isConstant(operand, depth + 1);
         });
}

/// [n][c/16][h+kh][w+kw][c] * [o/16][c/16][kh][kw][c][o] -> [n][o/16][h][w][o]
bool hasBlockedMaps(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (op.getNumLoops() != 9 || maps[0].getNumResults() != 5 ||
      maps[1].getNumResults() != 6 || maps[2].getNumResults() != 5 ||
      !maps[1].isProjectedPermutation() || !maps[2].isProjectedPermutation())
    return false;
  ArrayRef<AffineExpr> x = maps[0].getResults(), w = maps[1].getResults(),
                       y = maps[2].getResults();
  return x[0] == y[0] && x[1] == w[1] && x[2] == y[2] + w[2] &&
         x[3] == y[3] + w[3] && x[4] == w[4] && y[1] == w[0] && y[4] == w[5];
}

bool startsFromZero(linalg::GenericOp op) {
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.value(), m_AnyZeroFloat());
}

/// Costs in products of one vector unit. A byte of weights, read from memory
/// once a run, counts as 16 of them and an addition of a transform, which
/// moves its operands too, as two.
std::optional<Candidate> estimate(linalg::GenericOp op) {
  constexpr double kByte = 16, kAddition = 2;
  constexpr double kTransform = 32, kBack = 24;
  auto x = cast<RankedTensorType>(op.getDpsInputs()[0].getType());
  auto w = cast<RankedTensorType>(op.getDpsInputs()[1].getType());
  auto y = cast<RankedTensorType>(op->getResult(0).getType());
  double tiles = 0.25 * y.getDimSize(0) * y.getDimSize(2) * y.getDimSize(3);
  double from = x.getDimSize(1) * x.getDimSize(4);
  double to = y.getDimSize(1) * y.getDimSize(4);
  double weights = 4 * from * to;
  double direct =
      36 * tiles * from * to + kByte * kWindow * kWindow * weights;
  double winograd = kElements * tiles * from * to +
                    kByte * kElements * weights +
                    kAddition * tiles * (kTransform * from + kBack * to);
  // What the model does not know must not make things slower.
  constexpr double kMargin = 1.15;
  if (direct < kMargin * winograd)
    return std::nullopt;
  int64_t elements = w.getNumElements() / (kWindow * kWindow);
  return Candidate{op, direct - winograd,
                   4 * elements * (kElements - kWindow * kWindow)};
}

std::optional<Candidate> match(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !op.hasPureTensorSemantics() || !hasBlockedMaps(op) ||
      !linalg::isaConvolutionOpInterface(op) || !startsFromZero(op) ||
      !isConstant(op.getDpsInputs()[1]))
    return std::nullopt;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type || !type.hasStaticShape() || !type.getElementType().isF32())
      return std::nullopt;
  }
  auto w = cast<RankedTensorType>(op.getDpsInputs()[1].getType());
  auto y = cast<RankedTensorType>(op->getResult(0).getType());
  if (w.getDimSize(2) != kWindow || w.getDimSize(3) != kWindow ||
      y.getDimSize(2) % 2 != 0 || y.getDimSize(3) % 2 != 0 ||
      y.getNumElements() == 0)
    return std::nullopt;
  return estimate(op);
}

/// Sums over a dimension of the window by the rows of G.
Value transformAlong(OpBuilder &b, Location loc, Value weights,
                     AffineMap from, AffineMap to, ArrayRef<int64_t> shape,
                     unsigned loops, unsigned reduced, unsigned element) {
  static constexpr float kG[] = {1,   0,    0,   0.5, 0.5, 0.5,
                                 0.5, -0.5, 0.5, 0,   0,   1};
  Type f32 = b.getF32Type();
  auto type = RankedTensorType::get({4, kWindow}, f32);
  Value g = arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(type, ArrayRef<float>(kG)));
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
  Value empty = tensor::EmptyOp::create(b, loc, shape, f32);
  Value filled = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  SmallVector<AffineMap> maps = {
      AffineMap::get(
          loops, 0,
          {b.getAffineDimExpr(element), b.getAffineDimExpr(reduced)},
          b.getContext()),
      from, to};
  SmallVector<utils::IteratorType> iterators(loops,
                                             utils::IteratorType::parallel);
  iterators[reduced] = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
             b, loc, filled.getType(), ValueRange{g, weights}, filled, maps,
             iterators,
             [](OpBuilder &nested, Location l, ValueRange arguments) {
               Value product = arith::MulFOp::create(nested, l, arguments[0],
                                                     arguments[1]);
               Value sum =
                   arith::AddFOp::create(nested, l, arguments[2], product);
               linalg::YieldOp::create(nested, l, sum);
             })
      .getResult(0);
}

/// G g G^T of every window: [o/16][c/16][3][3][c][o] -> [16][o/16][c/16][c][o].
Value transformWeights(OpBuilder &b, Location loc, Value weights) {
  auto type = cast<RankedTensorType>(weights.getType());
  int64_t o = type.getDimSize(0), c = type.getDimSize(1);
  int64_t ci = type.getDimSize(4), oi = type.getDimSize(5);
  AffineExpr od, cd, kh, kw, cl, ol, e;
  bindDims(b.getContext(), od, cd, kh, kw, cl, ol, e);
  auto map = [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(7, 0, exprs, b.getContext());
  };
  Value rows = transformAlong(
      b, loc, weights, map({od, cd, kh, kw, cl, ol}),
      map({e, od, cd, kw, cl, ol}), {4, o, c, kWindow, ci, oi}, 7, 2, 6);
  // In the second step dimension 2 is the row's element, 6 the column's.
  Value both = transformAlong(
      b, loc, rows, map({kh, od, cd, kw, cl, ol}), map({kh, e, od, cd, cl, ol}),
      {4, 4, o, c, ci, oi}, 7, 3, 6);
  SmallVector<ReassociationIndices> groups = {{0, 1}, {2}, {3}, {4}, {5}};
  return tensor::CollapseShapeOp::create(b, loc, both, groups);
}

void rewrite(linalg::GenericOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value image = op.getDpsInputs()[0];
  auto x = cast<RankedTensorType>(image.getType());
  auto y = cast<RankedTensorType>(op->getResult(0).getType());
  Value weights = transformWeights(b, loc, op.getDpsInputs()[1]);
  Value tiles = tensor::EmptyOp::create(
      b, loc,
      ArrayRef<int64_t>{y.getDimSize(0), kElements, y.getDimSize(2) / 2,
                        y.getDimSize(3) / 2, x.getDimSize(1), x.getDimSize(4)},
      x.getElementType());
  auto input = ext::WinogradInputOp::create(b, loc, tiles.getType(), image,
                                            tiles);
  Value result =
      tensor::EmptyOp::create(b, loc, y.getShape(), y.getElementType());
  auto output = ext::WinogradOutputOp::create(
      b, loc, result.getType(), ValueRange{input.getResult(0), weights},
      result);
  op->getResult(0).replaceAllUsesWith(output.getResult(0));
  op->erase();
}

/// Bytes of the constants of a function.
int64_t weightBytes(func::FuncOp func) {
  int64_t bytes = 0;
  func.walk([&](Operation *op) {
    ElementsAttr value;
    if (!op->hasTrait<OpTrait::ConstantLike>() ||
        !matchPattern(op, m_Constant(&value)) || isa<SplatElementsAttr>(value))
      return;
    Type element = value.getElementType();
    int64_t bits =
        element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
    bytes += value.getNumElements() * std::max<int64_t>(bits, 8) / 8;
  });
  return bytes;
}

struct WinogradConvolutions
    : ferrule::impl::WinogradConvolutionsBase<WinogradConvolutions> {
  using WinogradConvolutionsBase::WinogradConvolutionsBase;
  void runOnOperation() override {
    ferrule::winogradConvolutions(getOperation(), growth);
  }
};

} // namespace

void ferrule::winogradConvolutions(func::FuncOp func, int64_t growth) {
  SmallVector<Candidate> candidates;
  func.walk([&](linalg::GenericOp op) {
    if (std::optional<Candidate> candidate = match(op))
      candidates.push_back(*candidate);
  });
  if (candidates.empty())
    return;
  int64_t room = weightBytes(func) * growth / 100;
  // Equal gains keep the order of the program.
  llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
    return a.gain * b.growth > b.gain * a.growth;
  });
  for (const Candidate &candidate : candidates)
    if (candidate.growth <= room) {
      room -= candidate.growth;
      rewrite(candidate.op);
    }
}
