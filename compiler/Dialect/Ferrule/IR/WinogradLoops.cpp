// The transforms of Winograd's F(2x2, 3x3) as straight-line vector code, lanes
// being channels (Lavin and Gray, "Fast algorithms for convolutional neural
// networks", 2015), around a product of matrices for each element of a tile.
#include "compiler/Dialect/Ferrule/IR/FerruleLoops.h"
#include "compiler/Dialect/Ferrule/IR/Winograd.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ferrule::ext;

namespace {

using Four = std::array<Value, 4>;

struct Transform {
  Transform(RewriterBase &rewriter, Location loc, int64_t lanes)
      : b(loc, rewriter), lanes(lanes),
        type(VectorType::get(lanes, rewriter.getF32Type())) {}

  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value load(Value memref, ArrayRef<Value> at) {
    return vector::LoadOp::create(b, type, memref, at);
  }
  void store(Value value, Value memref, ArrayRef<Value> at) {
    vector::StoreOp::create(b, value, memref, at);
  }

  /// B^T of a column of four.
  Four toTile(const Four &d) {
    return {sub(d[0], d[2]), add(d[1], d[2]), sub(d[2], d[1]),
            sub(d[1], d[3])};
  }
  /// A^T of a column of four.
  std::array<Value, 2> toImage(const Four &m) {
    Value sum = add(m[1], m[2]), difference = sub(m[1], m[2]);
    return {add(m[0], sum), sub(difference, m[3])};
  }

  /// Loops over the given dimensions of tiles, and the parts of a block that
  /// are one vector long.
  void forEachTile(Value tiles, ArrayRef<int64_t> dims,
                   function_ref<void(ArrayRef<Value>, Value)> body) {
    int64_t block = cast<MemRefType>(tiles.getType()).getShape().back();
    b.loopOver(tiles, dims, [&](SmallVector<Value> at) {
      for (int64_t lane = 0; lane < block; lane += lanes)
        body(at, b.index(lane));
    });
  }

  LoopBuilder b;
  int64_t lanes;
  VectorType type;
};

void emitInput(Transform &t, Value image, Value tiles) {
  LoopBuilder &b = t.b;
  // Blocks come outside: a block of the image is read in the order of memory.
  t.forEachTile(tiles, {0, 4, 2, 3}, [&](ArrayRef<Value> at, Value lane) {
    Value row = b.mul(at[2], b.index(2)), column = b.mul(at[3], b.index(2));
    Four half[4];
    for (int64_t j = 0; j < 4; ++j) {
      Four d;
      for (int64_t i = 0; i < 4; ++i)
        d[i] = t.load(image, {at[0], at[4], b.add(row, i), b.add(column, j),
                              lane});
      half[j] = t.toTile(d);
    }
    for (int64_t i = 0; i < 4; ++i) {
      Four v = t.toTile({half[0][i], half[1][i], half[2][i], half[3][i]});
      for (int64_t j = 0; j < 4; ++j)
        t.store(v[j], tiles,
                {at[0], b.index(4 * i + j), at[2], at[3], at[4], lane});
    }
  });
}

void emitOutput(Transform &t, Value products, Value image) {
  LoopBuilder &b = t.b;
  t.forEachTile(products, {0, 1, 3, 4}, [&](ArrayRef<Value> at, Value lane) {
    Value row = b.mul(at[3], b.index(2)), column = b.mul(at[4], b.index(2));
    std::array<Value, 2> half[4];
    for (int64_t j = 0; j < 4; ++j) {
      Four m;
      for (int64_t i = 0; i < 4; ++i)
        m[i] = t.load(products, {at[0], at[1], b.index(4 * i + j), at[3],
                                 at[4], lane});
      half[j] = t.toImage(m);
    }
    for (int64_t i = 0; i < 2; ++i) {
      std::array<Value, 2> y =
          t.toImage({half[0][i], half[1][i], half[2][i], half[3][i]});
      for (int64_t j = 0; j < 2; ++j)
        t.store(y[j], image, {at[0], at[1], b.add(row, i), b.add(column, j),
                              lane});
    }
  });
}

/// The memref with each group of dimensions as one. A cast instead of a
/// collapsed shape: folding that one into loads would split indices again.
Value join(LoopBuilder &b, Value memref, ArrayRef<ReassociationIndices> groups) {
  auto type = cast<MemRefType>(memref.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  SmallVector<OpFoldResult> sizes, steps;
  for (const ReassociationIndices &group : groups) {
    int64_t size = 1;
    for (int64_t dim : group)
      size *= type.getDimSize(dim);
    sizes.push_back(b.getIndexAttr(size));
    steps.push_back(b.getIndexAttr(strides[group.back()]));
  }
  auto whole = memref::ExtractStridedMetadataOp::create(b, memref);
  OpFoldResult start = b.getIndexAttr(offset);
  if (ShapedType::isDynamic(offset))
    start = whole.getOffset();
  return memref::ReinterpretCastOp::create(b, whole.getBaseBuffer(), start,
                                           sizes, steps);
}

/// products[n][o/16][e][t][o] = sum of v[n][e][t][c] * u[e][o/16][c][o], a
/// contraction that the target tiles. t counts tiles, c channels of all blocks.
void emitProducts(LoopBuilder &b, Value v, Value u, Value products) {
  Value left = join(b, v, {{0}, {1}, {2, 3}, {4, 5}});
  Value right = join(b, u, {{0}, {1}, {2, 3}, {4}});
  Value out = join(b, products, {{0}, {1}, {2}, {3, 4}, {5}});
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  linalg::FillOp::create(b, zero, out);
  AffineExpr n, e, o, t, ol, c;
  bindDims(b.getContext(), n, e, o, t, ol, c);
  auto map = [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(6, 0, exprs, b.getContext());
  };
  SmallVector<AffineMap> maps = {map({n, e, t, c}), map({e, o, c, ol}),
                                 map({n, o, e, t, ol})};
  SmallVector<utils::IteratorType> iterators(6, utils::IteratorType::parallel);
  iterators[5] = utils::IteratorType::reduction;
  linalg::GenericOp::create(
      b, ValueRange{left, right}, out, maps, iterators,
      [](OpBuilder &nested, Location loc, ValueRange arguments) {
        Value product = arith::MulFOp::create(nested, loc, arguments[0],
                                              arguments[1]);
        Value sum = arith::AddFOp::create(nested, loc, arguments[2], product);
        linalg::YieldOp::create(nested, loc, sum);
      });
}

/// A vector no longer than the blocks of both sides.
int64_t fitLanes(int64_t lanes, Value tiles) {
  return std::gcd(lanes, cast<MemRefType>(tiles.getType()).getShape().back());
}

} // namespace

LogicalResult ferrule::ext::emitWinograd(RewriterBase &rewriter, Operation *op,
                                         int64_t lanes) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  if (auto input = dyn_cast<WinogradInputOp>(op)) {
    Value tiles = input.getOutputs()[0];
    Transform t(rewriter, op->getLoc(), fitLanes(lanes, tiles));
    emitInput(t, input.getInputs()[0], tiles);
    return success();
  }
  auto output = cast<WinogradOutputOp>(op);
  if (output.getOutputs().size() != 2)
    return op->emitOpError("expects working space before it becomes loops");
  Value products = output.getOutputs()[1];
  Transform t(rewriter, op->getLoc(), fitLanes(lanes, products));
  emitProducts(t.b, output.getInputs()[0], output.getInputs()[1], products);
  emitOutput(t, products, output.getOutputs()[0]);
  return success();
}

LogicalResult WinogradInputOp::emitLoops(RewriterBase &rewriter) {
  return emitWinograd(rewriter, *this, 16);
}
LogicalResult WinogradOutputOp::emitLoops(RewriterBase &rewriter) {
  return emitWinograd(rewriter, *this, 16);
}
