// Sums of products as register tiles of vectors.
//
// A tile holds `rows` x `columns` vectors of sums. In the innermost reduction
// loop each column's vector is loaded once and each row's factor is broadcast
// once; the tile stays in registers from the first to the last product.
#include "compiler/Target/CPU/Contraction/LoopNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace ferrule::cpu;

namespace {

/// What a contraction's body computes: sum + ext(a) * ext(b).
struct Product {
  Operation *multiply;
  Operation *add;
};

Value skipExtension(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op))
    return op->getOperand(0);
  return value;
}

std::optional<Product> matchProduct(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return std::nullopt;
  Block *body = op.getBlock();
  Operation *add = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return std::nullopt;
  Value sum = body->getArgument(2);
  Value other = add->getOperand(0) == sum   ? add->getOperand(1)
                : add->getOperand(1) == sum ? add->getOperand(0)
                                            : Value();
  Operation *multiply = other ? other.getDefiningOp() : nullptr;
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(multiply) ||
      body->getOperations().size() > 5)
    return std::nullopt;
  Value a = skipExtension(multiply->getOperand(0));
  Value b = skipExtension(multiply->getOperand(1));
  Value left = body->getArgument(0);
  Value right = body->getArgument(1);
  if (!(a == left && b == right) && !(a == right && b == left))
    return std::nullopt;
  return Product{multiply, add};
}

/// The roles of a contraction's loops and operands.
struct Roles {
  unsigned lane;
  /// Read as vectors; the other input is broadcast unless it has lanes too.
  OpOperand *vectors;
  OpOperand *factors;
  bool factorsHaveLanes;
  /// The loop whose steps share a vector, and the one whose steps share a
  /// factor.
  std::optional<unsigned> row;
  std::optional<unsigned> column;
  SmallVector<unsigned> outer;
  SmallVector<unsigned> reductions;
};

std::optional<Roles> matchRoles(linalg::LinalgOp op) {
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap initMap = op.getMatchingIndexingMap(init);
  if (!initMap.isProjectedPermutation() || initMap.getNumResults() == 0 ||
      op.getNumReductionLoops() == 0)
    return std::nullopt;
  Roles roles;
  roles.lane = cast<AffineDimExpr>(initMap.getResults().back()).getPosition();
  if (getLaneAccess(op, *init, roles.lane) != LaneAccess::Contiguous)
    return std::nullopt;
  OpOperand *left = op.getDpsInputOperand(0);
  OpOperand *right = op.getDpsInputOperand(1);
  if (getLaneAccess(op, *right, roles.lane) != LaneAccess::Contiguous)
    std::swap(left, right);
  roles.factors = left;
  roles.vectors = right;
  LaneAccess factorAccess = getLaneAccess(op, *left, roles.lane);
  if (getLaneAccess(op, *right, roles.lane) != LaneAccess::Contiguous ||
      factorAccess == LaneAccess::Other)
    return std::nullopt;
  roles.factorsHaveLanes = factorAccess == LaneAccess::Contiguous;
  AffineMap vectorMap = op.getMatchingIndexingMap(right);
  AffineMap factorMap = op.getMatchingIndexingMap(left);
  auto iterators = op.getIteratorTypesArray();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (unsigned loop = 0; loop < iterators.size(); ++loop) {
    if (loop == roles.lane)
      continue;
    if (iterators[loop] == utils::IteratorType::reduction) {
      roles.reductions.push_back(loop);
      continue;
    }
    bool inVectors = vectorMap.isFunctionOfDim(loop);
    bool inFactors = factorMap.isFunctionOfDim(loop);
    // The last loop of each kind is the nearest in memory.
    if (inFactors && !inVectors && ranges[loop] != 1)
      roles.row = loop;
    else if (inVectors && !inFactors && ranges[loop] != 1)
      roles.column = loop;
  }
  for (unsigned loop = 0; loop < iterators.size(); ++loop)
    if (loop != roles.lane && loop != roles.row &&
        iterators[loop] == utils::IteratorType::parallel &&
        loop != roles.column)
      roles.outer.push_back(loop);
  return roles;
}

/// The sizes of one register tile.
struct Tile {
  int64_t rows = 1;
  /// Steps of the column loop and vectors along the lane loop.
  int64_t columns = 1;
  int64_t vectors = 1;
  int64_t lanes = 1;
};

class ContractionLowering {
public:
  ContractionLowering(OpBuilder &builder, linalg::LinalgOp op, Roles roles,
                      Product product, unsigned vectorBits)
      : nest(builder, op), builder(builder), loc(op.getLoc()), op(op),
        roles(std::move(roles)), product(product),
        indices(op.getNumLoops()) {
    Type type = getElementTypeOrSelf(op.getDpsInitOperand(0)->get().getType());
    lanes = vectorBits / type.getIntOrFloatBitWidth();
    registers = vectorBits == 512 ? 32 : 16;
    ranges = op.getStaticLoopRanges();
  }

  void build() { buildOuter(0); }

private:
  void buildOuter(unsigned depth) {
    if (depth < roles.outer.size()) {
      unsigned loop = roles.outer[depth];
      nest.loop(nest.index(0), nest.getSizes()[loop], 1, [&](Value iv) {
        indices[loop] = iv;
        buildOuter(depth + 1);
      });
      return;
    }
    buildColumns();
  }

  /// Two vectors a row are needed to keep the multipliers busy: along the
  /// lanes, or, where these are one vector long, along the column loop.
  void buildColumns() {
    bool isNarrow = !ShapedType::isDynamic(ranges[roles.lane]) &&
                    ranges[roles.lane] <= lanes;
    int64_t step = isNarrow && roles.column ? 2 : 1;
    if (!roles.column)
      return buildLanes(1);
    buildLadder(*roles.column, step == 2 ? ArrayRef<int64_t>({2, 1})
                                         : ArrayRef<int64_t>({1}),
                [&](int64_t columns) { buildLanes(columns); });
  }

  void buildLanes(int64_t columns) {
    Tile tile;
    tile.columns = columns;
    SmallVector<int64_t> steps;
    if (columns == 1)
      steps.push_back(2 * lanes);
    steps.push_back(lanes);
    if (!ShapedType::isDynamic(ranges[roles.lane]) && lanes > 4)
      steps.push_back(lanes / 2);
    steps.push_back(1);
    buildLadder(roles.lane, steps, [&](int64_t step) {
      Tile part = tile;
      part.lanes = std::min(step, lanes);
      part.vectors = step / part.lanes;
      buildRows(part);
    });
  }

  void buildRows(Tile tile) {
    if (!roles.row) {
      buildTile(tile);
      return;
    }
    SmallVector<int64_t> steps = chooseRows(tile);
    buildLadder(*roles.row, steps, [&](int64_t rows) {
      Tile part = tile;
      part.rows = rows;
      buildTile(part);
    });
  }

  /// Heights of tiles, the largest first.
  SmallVector<int64_t> chooseRows(const Tile &tile) {
    if (tile.lanes == 1)
      return {4, 1};
    int64_t size = ranges[*roles.row];
    // All sums, the column vectors and one factor must fit.
    int64_t most = registers == 32 ? 12 : 6;
    if (tile.columns * tile.vectors == 1)
      most = registers == 32 ? 14 : 12;
    if (!ShapedType::isDynamic(size)) {
      if (size <= most)
        return {size};
      if (size % most != 0)
        for (int64_t rows = most; rows >= std::min<int64_t>(most, 7); --rows)
          if (size % rows == 0 && (size <= 64 || rows + 2 >= most))
            return {rows};
    }
    SmallVector<int64_t> steps = {most};
    for (int64_t rows : {8, 4, 2, 1})
      if (rows < most)
        steps.push_back(rows);
    return steps;
  }

  /// Covers a loop by steps of falling size; each gets a loop of its own, left
  /// out where the size is known to need none.
  void buildLadder(unsigned loop, ArrayRef<int64_t> steps,
                   llvm::function_ref<void(int64_t)> body) {
    Value size = nest.getSizes()[loop];
    std::optional<int64_t> known = getConstantIntValue(size);
    Value from = nest.index(0);
    int64_t covered = 0;
    for (int64_t step : steps) {
      if (known && *known - covered < step)
        continue;
      Value to;
      if (known) {
        covered += (*known - covered) / step * step;
        to = nest.index(covered);
      } else if (step == 1) {
        to = size;
      } else {
        Value rest = arith::SubIOp::create(builder, loc, size, from);
        Value odd = arith::RemUIOp::create(builder, loc, rest,
                                           nest.index(step));
        to = arith::SubIOp::create(builder, loc, size, odd);
      }
      nest.loop(from, to, step, [&](Value iv) {
        indices[loop] = iv;
        body(step);
      });
      from = to;
    }
  }

  /// Calls `visit` for every sum of a tile with its loop indices.
  void forEachSum(const Tile &tile,
                  llvm::function_ref<void(ArrayRef<Value>)> visit) {
    SmallVector<Value> base = indices;
    for (int64_t row = 0; row < tile.rows; ++row) {
      SmallVector<Value> at = base;
      if (roles.row)
        at[*roles.row] = nest.add(base[*roles.row], row);
      for (int64_t column = 0; column < tile.columns; ++column) {
        if (roles.column)
          at[*roles.column] = nest.add(base[*roles.column], column);
        for (int64_t vector = 0; vector < tile.vectors; ++vector) {
          at[roles.lane] = nest.add(base[roles.lane], vector * tile.lanes);
          visit(at);
        }
      }
    }
  }

  Value read(OpOperand &operand, ArrayRef<Value> at, const Tile &tile,
             bool asVector) {
    if (tile.lanes == 1 || !asVector)
      return nest.load(operand, at);
    return nest.loadVector(operand, at, tile.lanes);
  }

  void buildTile(const Tile &tile) {
    OpOperand &init = *op.getDpsInitOperand(0);
    SmallVector<Value> sums;
    forEachSum(tile, [&](ArrayRef<Value> at) {
      sums.push_back(read(init, at, tile, true));
    });
    sums = buildReduction(0, tile, sums);
    unsigned next = 0;
    forEachSum(tile,
               [&](ArrayRef<Value> at) { nest.store(sums[next++], init, at); });
  }

  SmallVector<Value> buildReduction(unsigned depth, const Tile &tile,
                                    ValueRange sums) {
    unsigned loop = roles.reductions[depth];
    Value size = nest.getSizes()[loop];
    bool innermost = depth + 1 == roles.reductions.size();
    int64_t unroll = innermost ? chooseUnroll(loop, tile) : 1;
    return nest.loop(
        nest.index(0), size, unroll, sums, [&](Value iv, ValueRange carried) {
          if (!innermost) {
            indices[loop] = iv;
            return buildReduction(depth + 1, tile, carried);
          }
          SmallVector<Value> values(carried);
          for (int64_t step = 0; step < unroll; ++step) {
            indices[loop] = nest.add(iv, step);
            values = multiplyAdd(tile, values);
          }
          return values;
        });
  }

  /// More products an iteration for small tiles, which have little to do
  /// otherwise.
  int64_t chooseUnroll(unsigned loop, const Tile &tile) {
    int64_t size = ranges[loop];
    if (ShapedType::isDynamic(size))
      return 1;
    int64_t sums = tile.rows * tile.columns * tile.vectors;
    for (int64_t unroll : {8, 4, 2})
      if (size % unroll == 0 && sums * unroll <= 48)
        return unroll;
    return 1;
  }

  Value extend(Value value, Type element) {
    Type type = value.getType();
    if (getElementTypeOrSelf(type) == element)
      return value;
    Type wide = element;
    if (auto vector = dyn_cast<VectorType>(type))
      wide = vector.clone(element);
    for (Value operand : product.multiply->getOperands())
      if (Operation *op = operand.getDefiningOp())
        if (op->getOperand(0).getType() == getElementTypeOrSelf(type)) {
          if (isa<arith::ExtFOp>(op))
            return arith::ExtFOp::create(builder, loc, wide, value);
          if (isa<arith::ExtUIOp>(op))
            return arith::ExtUIOp::create(builder, loc, wide, value);
        }
    return arith::ExtSIOp::create(builder, loc, wide, value);
  }

  /// One product for every sum. Rows are outermost, so that one broadcast
  /// factor is live at a time.
  SmallVector<Value> multiplyAdd(const Tile &tile, ArrayRef<Value> sums) {
    SmallVector<Value> results;
    Type element = product.multiply->getResult(0).getType();
    SmallVector<Value> base = indices;
    SmallVector<Value> vectors;
    Value factor;
    int64_t count = tile.columns * tile.vectors;
    unsigned next = 0;
    forEachSum(tile, [&](ArrayRef<Value> at) {
      unsigned column = next % count;
      if (next < count)
        vectors.push_back(
            extend(read(*roles.vectors, at, tile, true), element));
      // Without a loop of its own a column shares the row's factor.
      if (column == 0 || roles.factorsHaveLanes)
        factor = readFactor(at, tile, element);
      results.push_back(fuse(factor, vectors[column], sums[next]));
      ++next;
    });
    return results;
  }

  Value readFactor(ArrayRef<Value> at, const Tile &tile, Type element) {
    Value factor = extend(
        read(*roles.factors, at, tile, roles.factorsHaveLanes), element);
    if (tile.lanes == 1 || roles.factorsHaveLanes)
      return factor;
    return vector::BroadcastOp::create(
        builder, loc, VectorType::get(tile.lanes, element), factor);
  }

  Value fuse(Value a, Value b, Value sum) {
    if (isa<arith::MulIOp>(product.multiply)) {
      Value value = arith::MulIOp::create(builder, loc, a, b);
      return arith::AddIOp::create(builder, loc, value, sum);
    }
    if (isa<VectorType>(sum.getType()))
      return vector::FMAOp::create(builder, loc, a, b, sum);
    return math::FmaOp::create(builder, loc, a, b, sum);
  }

  LoopNest nest;
  OpBuilder &builder;
  Location loc;
  linalg::LinalgOp op;
  Roles roles;
  Product product;
  SmallVector<Value> indices;
  SmallVector<int64_t> ranges;
  int64_t lanes;
  int64_t registers;
};

} // namespace

bool ferrule::cpu::isVectorContraction(linalg::LinalgOp op) {
  return matchProduct(op) && matchRoles(op);
}

LogicalResult ferrule::cpu::lowerContraction(OpBuilder &builder,
                                             linalg::LinalgOp op,
                                             unsigned vectorBits) {
  std::optional<Product> product = matchProduct(op);
  if (!product)
    return failure();
  std::optional<Roles> roles = matchRoles(op);
  Type type = product->add->getResult(0).getType();
  if (!roles || !type.isIntOrFloat() || type.getIntOrFloatBitWidth() < 32)
    return failure();
  ContractionLowering(builder, op, *roles, *product, vectorBits).build();
  return success();
}
