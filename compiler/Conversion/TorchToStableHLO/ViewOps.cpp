// Operators that rearrange elements: views, joins, copies, conversions.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Padding.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

static void viewOp(OpLowering &x) {
  Value self = x.tensor("self");
  Sizes sizes = x.sizes(x.has("size") ? "size" : "shape");
  // The declared sizes are facts, also where the program computes them.
  for (auto [size, known] : llvm::zip(sizes, x.resultType().getShape()))
    if (ShapedType::isStatic(known))
      size = known;
  x.give(reshape(x.b, self, sizes));
}

static void permuteOp(OpLowering &x) {
  Value self = x.tensor("self");
  x.give(transpose(x.b, self, x.dims("dims", rankOf(self))));
}

static void transposeOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t rank = rankOf(self);
  x.give(swapDims(x.b, self, x.dim("dim0", rank), x.dim("dim1", rank)));
}

static void matrixTransposeOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t rank = rankOf(self);
  x.give(rank < 2 ? self : swapDims(x.b, self, rank - 2, rank - 1));
}

static void expandOp(OpLowering &x) {
  Value self = x.tensor("self");
  Sizes sizes = x.sizes("size");
  int64_t lead = sizes.size() - rankOf(self);
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (size.is(-1) && int64_t(dim) >= lead)
      size = sizeOf(x.b, self, dim - lead);
  x.give(broadcastTo(x.b, self, sizes));
}

static void expandAsOp(OpLowering &x) {
  x.give(broadcastTo(x.b, x.tensor("self"), sizesOf(x.b, x.tensor("other"))));
}

static void viewAsOp(OpLowering &x) {
  x.give(reshape(x.b, x.tensor("self"), sizesOf(x.b, x.tensor("other"))));
}

static void unsqueezeOp(OpLowering &x) {
  Value self = x.tensor("self");
  x.give(unsqueeze(x.b, self, {x.dim("dim", rankOf(self) + 1)}));
}

static void squeezeOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t rank = rankOf(self);
  SmallVector<int64_t> dims, removed;
  // An empty list means no dimension here, where a missing one means all.
  bool isList = x.op->getName().getStringRef().ends_with(".dims");
  if (rank && !(isList && x.sizes("dim").empty()))
    dims = x.dims("dim", rank);
  // A `?` is not 1: PyTorch has decided when it traced.
  for (int64_t dim : dims)
    if (typeOf(self).getDimSize(dim) == 1)
      removed.push_back(dim);
  x.give(squeeze(x.b, self, removed));
}

static void flattenOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t rank = rankOf(self);
  x.give(flatten(x.b, self, x.dim("start_dim", rank, 0),
                 x.dim("end_dim", rank, -1)));
}

static void unflattenOp(OpLowering &x) {
  Value self = x.tensor("self");
  x.give(unflatten(x.b, self, x.dim("dim", rankOf(self)), x.sizes("sizes")));
}

static void sliceOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t dim = x.dim("dim", rankOf(self));
  x.give(pythonSlice(x.b, self, dim, x.sizeOrNone("start"), x.sizeOrNone("end"),
                     x.size("step", 1)));
}

static void narrowOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t dim = x.dim("dim", rankOf(self));
  Size start = wrapIndex(x.b, x.size("start"), sizeOf(x.b, self, dim));
  x.give(slice(x.b, self, dim, start, add(x.b, start, x.size("length"))));
}

static void selectOp(OpLowering &x) {
  Value self = x.tensor("self");
  x.give(selectIndex(x.b, self, x.dim("dim", rankOf(self)), x.size("index")));
}

static void catOp(OpLowering &x) {
  SmallVector<Value> parts;
  Type element = x.resultElement();
  int64_t rank = x.resultType().getRank();
  for (Value part : x.tensors("tensors")) {
    // An old rule: an empty vector joins anything.
    if (rankOf(part) == 1 && rank != 1 && typeOf(part).getDimSize(0) == 0)
      continue;
    parts.push_back(convert(x.b, part, element));
  }
  if (parts.empty())
    return x.fail("joins no tensors");
  x.give(concat(x.b, parts, x.dim("dim", rank)));
}

static void stackOp(OpLowering &x) {
  SmallVector<Value> parts;
  for (Value part : x.tensors("tensors"))
    parts.push_back(convert(x.b, part, x.resultElement()));
  if (parts.empty())
    return x.fail("joins no tensors");
  x.give(stack(x.b, parts, x.dim("dim", x.resultType().getRank())));
}

/// Consecutive pieces of the given lengths along a dimension.
static void giveSplit(OpLowering &x, Value self, int64_t dim,
                      ArrayRef<Size> lengths) {
  SmallVector<Value> parts;
  Size start = 0;
  for (Size length : lengths) {
    Size end = add(x.b, start, length);
    parts.push_back(slice(x.b, self, dim, start, end));
    start = end;
  }
  x.giveList(parts);
}

static void splitWithSizesOp(OpLowering &x) {
  Value self = x.tensor("self");
  giveSplit(x, self, x.dim("dim", rankOf(self)),
            x.sizes(x.has("split_sizes") ? "split_sizes" : "split_size"));
}

/// How many results the program takes out of a list.
static int64_t countUses(Operation *op) {
  int64_t count = -1;
  for (Operation *user : op->getUsers())
    if (auto unpack = dyn_cast<PrimListUnpackOp>(user))
      count = unpack->getNumResults();
  return count;
}

static void splitOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t dim = x.dim("dim", rankOf(self));
  Size size = sizeOf(x.b, self, dim), each = x.size("split_size");
  int64_t count = countUses(x.op);
  if (size.isStatic() && each.isStatic())
    count = each.is(0)
                ? 1
                : (size.getStatic() + each.getStatic() - 1) / each.getStatic();
  if (count < 0)
    return x.fail("splits an unknown size into an unknown number of parts");
  Sizes lengths;
  for (int64_t i = 0; i + 1 < count; ++i)
    lengths.push_back(each);
  lengths.push_back(sub(x.b, size, mul(x.b, each, count - 1)));
  giveSplit(x, self, dim, lengths);
}

static void chunkOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t dim = x.dim("dim", rankOf(self));
  Size size = sizeOf(x.b, self, dim);
  int64_t chunks = std::max<int64_t>(x.integer("chunks"), 1);
  Size each = ceilDiv(x.b, size, chunks);
  int64_t count = countUses(x.op);
  if (size.isStatic())
    count = each.is(0)
                ? chunks
                : (size.getStatic() + each.getStatic() - 1) / each.getStatic();
  if (count < 0)
    count = chunks;
  Sizes lengths;
  for (int64_t i = 0; i + 1 < count; ++i)
    lengths.push_back(each);
  lengths.push_back(sub(x.b, size, mul(x.b, each, count - 1)));
  giveSplit(x, self, dim, lengths);
}

static void unbindOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t dim = x.dim("dim", rankOf(self));
  int64_t count = typeOf(self).getDimSize(dim);
  if (ShapedType::isDynamic(count))
    count = countUses(x.op);
  if (count < 0)
    return x.fail("unbinds a dimension of unknown size");
  SmallVector<Value> parts;
  for (int64_t i = 0; i < count; ++i)
    parts.push_back(selectIndex(x.b, self, dim, i));
  x.giveList(parts);
}

static void getItemOp(OpLowering &x) {
  SmallVector<Value> elements = x.tensors("list");
  int64_t index = x.integer("idx");
  index = wrapDim(index, elements.size());
  if (index < 0 || index >= int64_t(elements.size()))
    return x.fail("takes element " + Twine(index) + " of a list of " +
                  Twine(elements.size()));
  x.give(elements[index]);
}

static void repeatOp(OpLowering &x) {
  x.give(tile(x.b, x.tensor("self"),
              x.sizes(x.has("repeats") ? "repeats" : "dims")));
}

static void repeatInterleaveOp(OpLowering &x) {
  Value self = x.tensor("self");
  if (!x.has("dim"))
    self = reshape(x.b, self, {-1});
  x.give(repeatInterleave(x.b, self, x.dim("dim", rankOf(self)),
                          x.size("repeats")));
}

static void flipOp(OpLowering &x) {
  Value self = x.tensor("self");
  if (x.integers("dims").empty())
    return x.give(self);
  x.give(reverse(x.b, self, x.dims("dims", rankOf(self))));
}

static void rollOp(OpLowering &x) {
  Value self = x.tensor("self");
  Sizes shifts = x.sizes("shifts");
  SmallVector<int64_t> dims = x.integers("dims");
  Sizes shape = sizesOf(x.b, self);
  bool flat = dims.empty();
  if (flat) {
    self = reshape(x.b, self, {-1});
    dims = {0};
  }
  for (auto [shift, at] : llvm::zip(shifts, dims)) {
    int64_t dim = wrapDim(at, rankOf(self));
    Size size = sizeOf(x.b, self, dim);
    if (size.is(0))
      continue;
    // The last `amount` rows come first.
    Size amount = shift;
    if (size.isStatic() && shift.isStatic()) {
      int64_t n = size.getStatic();
      amount = ((shift.getStatic() % n) + n) % n;
    } else {
      Size bound = maximum(x.b, size, 1);
      amount = sub(x.b, shift, mul(x.b, floorDiv(x.b, shift, bound), bound));
    }
    Size cut = sub(x.b, size, amount);
    Value front = slice(x.b, self, dim, cut, size);
    Value back = slice(x.b, self, dim, 0, cut);
    SmallVector<int64_t> shapeNow(typeOf(self).getShape());
    self = concat(x.b, {front, back}, dim);
    self =
        refineType(x.b, self, RankedTensorType::get(shapeNow, elementOf(self)));
  }
  x.give(flat ? reshape(x.b, self, shape) : self);
}

static void movedimOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t rank = rankOf(self);
  SmallVector<int64_t> from = x.dims("source", rank);
  SmallVector<int64_t> to = x.dims("destination", rank);
  SmallVector<int64_t> permutation(rank, -1), rest;
  for (auto [f, t] : llvm::zip(from, to))
    permutation[t] = f;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(from, dim))
      rest.push_back(dim);
  auto *next = rest.begin();
  for (int64_t &dim : permutation)
    if (dim < 0)
      dim = *next++;
  x.give(transpose(x.b, self, permutation));
}

/// Windows of `size` rows every `step` rows, as a new last dimension.
static void unfoldOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t dim = x.dim("dimension", rankOf(self));
  int64_t size = x.integer("size"), step = x.integer("step", 1);
  if (rankOf(self) == 0)
    return x.give(unsqueeze(x.b, self, {0}));
  Size rows = sizeOf(x.b, self, dim);
  Size count = add(x.b, floorDiv(x.b, sub(x.b, rows, size), step), 1);
  Type i64 = x.b.getI64Type();
  Sizes grid = {count, size};
  Value index = add(x.b, mul(x.b, iota(x.b, grid, 0, i64), double(step)),
                    iota(x.b, grid, 1, i64));
  x.give(moveDim(x.b, take(x.b, self, index, dim), dim + 1, -1));
}

static void diagonalOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t rank = rankOf(self), offset = x.integer("offset");
  int64_t first = x.dim("dim1", rank, 0), second = x.dim("dim2", rank, 1);
  // The two dimensions last, then positions (i, i + offset).
  SmallVector<int64_t> order;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != first && dim != second)
      order.push_back(dim);
  llvm::append_values(order, first, second);
  Value moved = transpose(x.b, self, order);
  Size rows = sizeOf(x.b, moved, rank - 2);
  Size columns = sizeOf(x.b, moved, rank - 1);
  int64_t down = std::max<int64_t>(-offset, 0);
  int64_t right = std::max<int64_t>(offset, 0);
  Size count = maximum(
      x.b, minimum(x.b, sub(x.b, rows, down), sub(x.b, columns, right)), 0);
  Value places = iota(x.b, {count}, 0, x.b.getI64Type());
  SmallVector<Value> indices(rank - 2);
  indices.push_back(down ? add(x.b, places, double(down)) : places);
  indices.push_back(right ? add(x.b, places, double(right)) : places);
  x.give(advancedIndex(x.b, moved, indices));
}

template <bool upper> static void triangleOp(OpLowering &x) {
  x.give(triangle(x.b, x.tensor("self"), upper, x.size("diagonal")));
}

static void sliceScatterOp(OpLowering &x) {
  Value self = x.tensor("self");
  Value source = x.tensor("src", elementOf(self));
  x.give(sliceScatter(x.b, self, source, x.dim("dim", rankOf(self)),
                      x.sizeOrNone("start"), x.sizeOrNone("end"),
                      x.size("step", 1)));
}

static void selectScatterOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t dim = x.dim("dim", rankOf(self));
  Size index = wrapIndex(x.b, x.size("index"), sizeOf(x.b, self, dim));
  Value source = x.tensor("src", elementOf(self));
  if (index.isStatic())
    return x.give(sliceScatter(x.b, self, unsqueeze(x.b, source, {dim}), dim,
                               index, add(x.b, index, 1)));
  // Loops write their results row by row: in place after bufferization.
  x.give(putIndex(x.b, self, source, dim, index));
}

/// A view of given strides: a gather from the flat elements.
static void asStridedOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value self = x.tensor("self");
  Type i64 = b.getI64Type();
  Sizes sizes = x.sizes("size"), strides = x.sizes("stride");
  Value places = full(b, sizes, i64, 0);
  for (auto [dim, stride] : llvm::enumerate(strides))
    places =
        add(b, places, mul(b, iota(b, sizes, dim, i64), stride.materialize(b)));
  places = add(b, places, x.size("storage_offset", 0).materialize(b));
  x.give(take(b, reshape(b, self, {-1}), places, 0));
}

static void padOp(OpLowering &x) {
  Value self = x.tensor("self");
  Sizes pads = x.sizes(x.has("pad") ? "pad" : "padding");
  StringRef name = x.op->getName().getStringRef();
  StringRef text = x.text("mode", "constant");
  PadMode mode = PadMode::Constant;
  if (name.contains("reflection") || text == "reflect")
    mode = PadMode::Reflect;
  else if (name.contains("replication") || text == "replicate")
    mode = PadMode::Edge;
  else if (text == "circular")
    mode = PadMode::Wrap;
  int64_t rank = rankOf(self);
  if (int64_t(pads.size()) > 2 * rank)
    return x.fail("pads more dimensions than the tensor has");
  Sizes low(rank, Size(0)), high(rank, Size(0));
  // Pairs, the last dimension first.
  for (size_t i = 0; i + 1 < pads.size(); i += 2) {
    low[rank - 1 - i / 2] = pads[i];
    high[rank - 1 - i / 2] = pads[i + 1];
  }
  Type element = elementOf(self);
  Value value = x.has("value") ? x.scalar("value", element)
                               : frontend::scalar(x.b, element, 0);
  x.give(pad(x.b, self, mode, value, low, high));
}

/// [..., C * r * r, H, W] -> [..., C, H * r, W * r].
static void pixelShuffleOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t r = x.integer("upscale_factor"), rank = rankOf(self);
  int64_t lead = rank - 3;
  Size channels = floorDiv(x.b, sizeOf(x.b, self, lead), r * r);
  Value split = unflatten(x.b, self, lead, {channels, r, r});
  // [..., C, r1, r2, H, W] -> [..., C, H, r1, W, r2].
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, lead + 1));
  llvm::append_values(order, lead + 3, lead + 1, lead + 4, lead + 2);
  Value moved = transpose(x.b, split, order);
  moved = flatten(x.b, moved, lead + 3, lead + 4);
  x.give(flatten(x.b, moved, lead + 1, lead + 2));
}

static void pixelUnshuffleOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t r = x.integer("downscale_factor"), rank = rankOf(self);
  int64_t lead = rank - 3;
  Value split = unflatten(x.b, self, lead + 2, {-1, r});
  split = unflatten(x.b, split, lead + 1, {-1, r});
  // [..., C, H, r1, W, r2] -> [..., C, r1, r2, H, W].
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, lead + 1));
  llvm::append_values(order, lead + 2, lead + 4, lead + 1, lead + 3);
  x.give(flatten(x.b, transpose(x.b, split, order), lead, lead + 2));
}

static void channelShuffleOp(OpLowering &x) {
  Value self = x.tensor("self");
  Sizes sizes = sizesOf(x.b, self);
  Value split = unflatten(x.b, self, 1, {x.integer("groups"), -1});
  x.give(reshape(x.b, swapDims(x.b, split, 1, 2), sizes));
}

static const LoweringEntry entries[] = {
    {"aten.view", viewOp},
    {"aten.view_copy", viewOp},
    {"aten.reshape", viewOp},
    {"aten._unsafe_view", viewOp},
    {"aten._reshape_alias", viewOp},
    {"aten.view_as", viewAsOp},
    {"aten.reshape_as", viewAsOp},
    {"aten.permute", permuteOp},
    {"aten.permute_copy", permuteOp},
    {"aten.transpose.int", transposeOp},
    {"aten.transpose_copy.int", transposeOp},
    {"aten.swapaxes", transposeOp},
    {"aten.t", matrixTransposeOp},
    {"aten.t_copy", matrixTransposeOp},
    {"aten.mT", matrixTransposeOp},
    {"aten.numpy_T", matrixTransposeOp},
    {"aten.expand", expandOp},
    {"aten.expand_copy", expandOp},
    {"aten.broadcast_to", expandOp},
    {"aten.expand_as", expandAsOp},
    {"aten.unsqueeze", unsqueezeOp},
    {"aten.unsqueeze_copy", unsqueezeOp},
    {"aten.squeeze", squeezeOp},
    {"aten.squeeze.dim", squeezeOp},
    {"aten.squeeze.dims", squeezeOp},
    {"aten.squeeze_copy.dims", squeezeOp},
    {"aten.squeeze_copy.dim", squeezeOp},
    {"aten.flatten.using_ints", flattenOp},
    {"aten.unflatten.int", unflattenOp},
    {"aten.slice.Tensor", sliceOp},
    {"aten.slice_copy.Tensor", sliceOp},
    {"aten.narrow", narrowOp},
    {"aten.narrow_copy", narrowOp},
    {"aten.select.int", selectOp},
    {"aten.select_copy.int", selectOp},
    {"aten.cat", catOp},
    {"aten.concat", catOp},
    {"aten.stack", stackOp},
    {"aten.split.Tensor", splitOp},
    {"aten.split_copy.Tensor", splitOp},
    {"aten.split_with_sizes", splitWithSizesOp},
    {"aten.split_with_sizes_copy", splitWithSizesOp},
    {"aten.split.sizes", splitWithSizesOp},
    {"aten.chunk", chunkOp},
    {"aten.unbind.int", unbindOp},
    {"aten.unbind_copy.int", unbindOp},
    {"aten.__getitem__.t", getItemOp},
    {"aten.repeat", repeatOp},
    {"aten.tile", repeatOp},
    {"aten.repeat_interleave.self_int", repeatInterleaveOp},
    {"aten.flip", flipOp},
    {"aten.roll", rollOp},
    {"aten.movedim.int", movedimOp},
    {"aten.movedim.intlist", movedimOp},
    {"aten.unfold", unfoldOp},
    {"aten.unfold_copy", unfoldOp},
    {"aten.diagonal", diagonalOp},
    {"aten.diagonal_copy", diagonalOp},
    {"aten.triu", triangleOp<true>},
    {"aten.tril", triangleOp<false>},
    {"aten.slice_scatter", sliceScatterOp},
    {"aten.select_scatter", selectScatterOp},
    {"aten.as_strided", asStridedOp},
    {"aten.as_strided_copy", asStridedOp},
    {"aten.constant_pad_nd", padOp},
    {"aten.pad", padOp},
    {"aten.reflection_pad1d", padOp},
    {"aten.reflection_pad2d", padOp},
    {"aten.reflection_pad3d", padOp},
    {"aten.replication_pad1d", padOp},
    {"aten.replication_pad2d", padOp},
    {"aten.replication_pad3d", padOp},
    {"aten.pixel_shuffle", pixelShuffleOp},
    {"aten.pixel_unshuffle", pixelUnshuffleOp},
    {"aten.channel_shuffle", channelShuffleOp},
    {"aten.native_channel_shuffle", channelShuffleOp},
};

void torch::addViewLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
