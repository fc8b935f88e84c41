// Verifiers and tiling of the two halves of a Winograd convolution.
#include "compiler/Dialect/Ferrule/IR/FerruleLoops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace ferrule::ext;

/// Dimensions of `v`, the tiles in the Winograd domain.
enum { kImage, kElement, kRow, kColumn, kBlock, kLane };
/// Elements of a tile of 4x4.
static constexpr int64_t kElements = 16;

static ShapedType typeOf(Value value) {
  return cast<ShapedType>(value.getType());
}

static LogicalResult verifyShape(Operation *op, StringRef name, Value value,
                                 ArrayRef<int64_t> shape) {
  ShapedType type = typeOf(value);
  if (!type.hasRank() || type.getShape() != shape ||
      !type.getElementType().isF32()) {
    InFlightDiagnostic error =
        op->emitOpError("expects ") << name << " to be f32 of ";
    llvm::interleave(shape, error, "x");
    return error << ", found " << type;
  }
  return success();
}

/// The shape of tiles, which must be static.
static FailureOr<ArrayRef<int64_t>> tileShape(Operation *op, Value tiles) {
  ShapedType type = typeOf(tiles);
  if (!type.hasStaticShape() || type.getRank() != 6 ||
      type.getDimSize(kElement) != kElements)
    return op->emitOpError("expects tiles of a static shape [n][16][r][s][c][l]"
                           ", found ")
           << type;
  return type.getShape();
}

LogicalResult WinogradInputOp::verify() {
  if (getInputs().size() != 1 || getOutputs().size() != 1)
    return emitOpError("expects one input and one out, found ")
           << getInputs().size() << " and " << getOutputs().size();
  FailureOr<ArrayRef<int64_t>> v = tileShape(*this, getOutputs()[0]);
  if (failed(v))
    return failure();
  return verifyShape(*this, "its image", getInputs()[0],
                     {(*v)[kImage], (*v)[kBlock], 2 * (*v)[kRow] + 2,
                      2 * (*v)[kColumn] + 2, (*v)[kLane]});
}

LogicalResult WinogradOutputOp::verify() {
  size_t outs = getOutputs().size();
  if (getInputs().size() != 2 || outs < 1 || outs > 2)
    return emitOpError("expects two inputs and one or two outs, found ")
           << getInputs().size() << " and " << outs;
  FailureOr<ArrayRef<int64_t>> v = tileShape(*this, getInputs()[0]);
  if (failed(v))
    return failure();
  ShapedType u = typeOf(getInputs()[1]);
  if (u.getRank() != 5)
    return emitOpError("expects weights of rank 5, found ") << u;
  int64_t blocks = u.getDimSize(1), lanes = u.getDimSize(4);
  if (failed(verifyShape(*this, "its weights", getInputs()[1],
                         {kElements, blocks, (*v)[kBlock], (*v)[kLane],
                          lanes})) ||
      failed(verifyShape(*this, "its image", getOutputs()[0],
                         {(*v)[kImage], blocks, 2 * (*v)[kRow],
                          2 * (*v)[kColumn], lanes})))
    return failure();
  if (outs == 1)
    return success();
  return verifyShape(*this, "its working space", getOutputs()[1],
                     {(*v)[kImage], blocks, kElements, (*v)[kRow],
                      (*v)[kColumn], lanes});
}

int64_t WinogradOutputOp::chooseBand(ShapedType v, ShapedType u) {
  // What a worker holds of both domains should stay in a cache of its own.
  constexpr int64_t kCache = 512 << 10;
  constexpr int64_t kFewestBands = 8;
  int64_t rows = v.getDimSize(kRow);
  int64_t lanes = v.getDimSize(kBlock) * v.getDimSize(kLane) +
                  u.getDimSize(1) * u.getDimSize(4);
  int64_t rowBytes = kElements * v.getDimSize(kColumn) * lanes * 4;
  for (int64_t band = rows / kFewestBands; band > 0; --band)
    if (rows % band == 0 && band * rowBytes <= kCache)
      return band;
  return 0;
}

namespace {

/// A part of an op's iterations: images, blocks of channels, rows of tiles.
struct Part {
  Part(ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes)
      : offsets(offsets), sizes(sizes) {}

  ArrayRef<OpFoldResult> offsets, sizes;
};

OpFoldResult apply(OpBuilder &b, Location loc, AffineExpr expr,
                   OpFoldResult value) {
  return affine::makeComposedFoldedAffineApply(b, loc, expr, {value});
}

/// The slice of an operand that starts at `offsets`; an absent size is whole.
Value slice(OpBuilder &b, Location loc, Value operand,
            ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes) {
  ShapedType type = typeOf(operand);
  SmallVector<OpFoldResult> from(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> extent, ones(type.getRank(), b.getIndexAttr(1));
  for (int64_t size : type.getShape())
    extent.push_back(b.getIndexAttr(size));
  for (auto [d, size] : llvm::enumerate(sizes))
    if (size) {
      from[d] = offsets[d];
      extent[d] = size;
    }
  return tensor::ExtractSliceOp::create(b, loc, operand, from, extent, ones);
}

/// The rows of an image that `part` reads (`halo` 2) or writes (0).
Value sliceImage(OpBuilder &b, Location loc, Value image, const Part &part,
                 OpFoldResult block, OpFoldResult blocks, int64_t halo) {
  AffineExpr row = b.getAffineDimExpr(0);
  return slice(
      b, loc, image,
      {part.offsets[0], block, apply(b, loc, row * 2, part.offsets[2])},
      {part.sizes[0], blocks, apply(b, loc, row * 2 + halo, part.sizes[2])});
}

Value sliceTiles(OpBuilder &b, Location loc, Value tiles, const Part &part,
                 OpFoldResult block, OpFoldResult blocks) {
  OpFoldResult none;
  return slice(b, loc, tiles,
               {part.offsets[0], none, part.offsets[2], none, block},
               {part.sizes[0], none, part.sizes[2], none, blocks});
}

TilingResult makeTile(OpBuilder &b, Operation *op, ArrayRef<Value> operands,
                      unsigned inputs) {
  SmallVector<Type> types;
  SmallVector<Operation *> slices;
  for (Value operand : ArrayRef<Value>(operands).drop_front(inputs))
    types.push_back(operand.getType());
  for (Value operand : operands)
    if (Operation *made = operand.getDefiningOp<tensor::ExtractSliceOp>())
      slices.push_back(made);
  Operation *tiled = mlir::clone(b, op, types, operands);
  return TilingResult{{tiled}, SmallVector<Value>(tiled->getResults()), slices};
}

SmallVector<Range> domain(OpBuilder &b, ArrayRef<int64_t> sizes) {
  SmallVector<Range> ranges;
  for (int64_t size : sizes)
    ranges.push_back(
        {b.getIndexAttr(0), b.getIndexAttr(size), b.getIndexAttr(1)});
  return ranges;
}

/// Sizes of parts are known: they say how much memory a part needs.
bool isStatic(ArrayRef<OpFoldResult> sizes) {
  return llvm::all_of(sizes, [](OpFoldResult size) {
    return getConstantIntValue(size).has_value();
  });
}

} // namespace

SmallVector<utils::IteratorType> WinogradInputOp::getLoopIteratorTypes() {
  return SmallVector<utils::IteratorType>(3, utils::IteratorType::parallel);
}
SmallVector<utils::IteratorType> WinogradOutputOp::getLoopIteratorTypes() {
  return SmallVector<utils::IteratorType>(3, utils::IteratorType::parallel);
}

SmallVector<Range> WinogradInputOp::getIterationDomain(OpBuilder &b) {
  ShapedType v = typeOf(getOutputs()[0]);
  return domain(b, {v.getDimSize(kImage), v.getDimSize(kBlock),
                    v.getDimSize(kRow)});
}
SmallVector<Range> WinogradOutputOp::getIterationDomain(OpBuilder &b) {
  ShapedType v = typeOf(getInputs()[0]);
  return domain(b, {v.getDimSize(kImage), typeOf(getInputs()[1]).getDimSize(1),
                    v.getDimSize(kRow)});
}

FailureOr<TilingResult>
WinogradInputOp::getTiledImplementation(OpBuilder &b,
                                        ArrayRef<OpFoldResult> offsets,
                                        ArrayRef<OpFoldResult> sizes) {
  if (!isStatic(sizes))
    return failure();
  Part part(offsets, sizes);
  SmallVector<Value> operands = {
      sliceImage(b, getLoc(), getInputs()[0], part, offsets[1], sizes[1], 2),
      sliceTiles(b, getLoc(), getOutputs()[0], part, offsets[1], sizes[1])};
  return makeTile(b, *this, operands, 1);
}

FailureOr<TilingResult>
WinogradOutputOp::getTiledImplementation(OpBuilder &b,
                                         ArrayRef<OpFoldResult> offsets,
                                         ArrayRef<OpFoldResult> sizes) {
  if (!isStatic(sizes) || getOutputs().size() != 1)
    return failure();
  Part part(offsets, sizes);
  OpFoldResult none;
  SmallVector<Value> operands = {
      sliceTiles(b, getLoc(), getInputs()[0], part, none, none),
      slice(b, getLoc(), getInputs()[1], {none, offsets[1]}, {none, sizes[1]}),
      sliceImage(b, getLoc(), getOutputs()[0], part, offsets[1], sizes[1], 0)};
  return makeTile(b, *this, operands, 2);
}

LogicalResult WinogradInputOp::getResultTilePosition(
    OpBuilder &b, unsigned, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  ShapedType v = typeOf(getOutputs()[0]);
  OpFoldResult zero = b.getIndexAttr(0);
  resultOffsets = {offsets[0], zero, offsets[2], zero, offsets[1], zero};
  resultSizes = {sizes[0],
                 b.getIndexAttr(kElements),
                 sizes[2],
                 b.getIndexAttr(v.getDimSize(kColumn)),
                 sizes[1],
                 b.getIndexAttr(v.getDimSize(kLane))};
  return success();
}

LogicalResult WinogradOutputOp::getResultTilePosition(
    OpBuilder &b, unsigned, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  ShapedType y = typeOf(getOutputs()[0]);
  OpFoldResult zero = b.getIndexAttr(0);
  AffineExpr row = b.getAffineDimExpr(0);
  resultOffsets = {offsets[0], offsets[1],
                   apply(b, getLoc(), row * 2, offsets[2]), zero, zero};
  resultSizes = {sizes[0], sizes[1], apply(b, getLoc(), row * 2, sizes[2]),
                 b.getIndexAttr(y.getDimSize(3)),
                 b.getIndexAttr(y.getDimSize(4))};
  return success();
}

FailureOr<TilingResult>
WinogradInputOp::generateResultTileValue(OpBuilder &b, unsigned,
                                         ArrayRef<OpFoldResult> offsets,
                                         ArrayRef<OpFoldResult> sizes) {
  return getTiledImplementation(
      b, {offsets[kImage], offsets[kBlock], offsets[kRow]},
      {sizes[kImage], sizes[kBlock], sizes[kRow]});
}

/// Tiles of the image must start at even rows and be of even height; whoever
/// chooses sizes for the readers of this op does so.
FailureOr<TilingResult>
WinogradOutputOp::generateResultTileValue(OpBuilder &b, unsigned number,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes) {
  std::optional<int64_t> height = getConstantIntValue(sizes[2]);
  if (number != 0 || !height || *height % 2 != 0)
    return failure();
  AffineExpr row = b.getAffineDimExpr(0);
  return getTiledImplementation(
      b,
      {offsets[0], offsets[1],
       apply(b, getLoc(), row.floorDiv(2), offsets[2])},
      {sizes[0], sizes[1], b.getIndexAttr(*height / 2)});
}
