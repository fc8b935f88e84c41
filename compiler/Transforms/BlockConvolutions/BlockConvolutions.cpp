#include "compiler/Transforms/BlockConvolutions/BlockConvolutions.h"
#include "compiler/Transforms/FuseElementwise/FuseElementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace ferrule {
#define GEN_PASS_DEF_BLOCKCONVOLUTIONS
#include "compiler/Transforms/BlockConvolutions/BlockConvolutions.h.inc"
} // namespace ferrule

namespace {

/// A tensor with its channels in blocks: dimension `channel` of the plain
/// tensor became dimension min(channel, 1) of block counts and a new innermost
/// dimension.
struct BlockedValue {
  Value value;
  int64_t channel;
};

/// Channels of `source` from `offset` on, `stride` apart.
struct ChannelCut {
  Value source;
  int64_t offset, stride;
};

/// Where the channels of an operand go: outer permutation of the plain
/// dimensions for `linalg.pack`.
SmallVector<int64_t> outerPermutation(int64_t rank, int64_t channel) {
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (channel > 1) {
    order.erase(order.begin() + channel);
    order.insert(order.begin() + 1, channel);
  }
  return order;
}

/// The position of the result of `map` that is exactly loop `loop`; -1 when
/// no result depends on it, nothing when one does in another way.
std::optional<int64_t> findLoop(AffineMap map, unsigned loop) {
  int64_t found = -1;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || found >= 0)
      return std::nullopt;
    found = i;
  }
  return found;
}

/// True when the body turns zeros into finite numbers.
bool keepsZerosFinite(linalg::LinalgOp op) {
  bool finite = true;
  op.getBlock()->walk([&](Operation *inner) {
    if (isa<math::LogOp, math::Log2Op, math::Log10Op, math::RsqrtOp,
            math::PowFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp>(inner))
      finite = false;
    if (auto div = dyn_cast<arith::DivFOp>(inner)) {
      // 1 + exp(x) and constants are no zero.
      Operation *denominator = div.getRhs().getDefiningOp();
      if (!denominator || !isa<arith::ConstantOp, arith::AddFOp>(denominator))
        finite = false;
    }
  });
  return finite;
}

class Blocker {
public:
  Blocker(func::FuncOp func, int64_t block)
      : func(func), block(block), builder(func.getContext()) {}

  void run();

private:
  bool blockConvolution(linalg::LinalgOp op);
  bool blockFollower(linalg::LinalgOp op);
  bool blockPad(tensor::PadOp op);
  bool blockConcat(tensor::ConcatOp op);
  bool blockSlice(tensor::ExtractSliceOp op);

  /// Rewrites `op` with the given loops split into (loop, loop-in-block).
  /// `weight` is packed with both blocked loops innermost. `plain` operands
  /// keep their layout.
  void split(linalg::LinalgOp op, ArrayRef<unsigned> loops, OpOperand *weight);
  Value pack(Value value, ArrayRef<int64_t> positions, ArrayRef<int64_t> outer);
  Value blockedOrPacked(Value value, int64_t channel);
  Value record(Value plain, Value blocked, int64_t channel);

  func::FuncOp func;
  int64_t block;
  OpBuilder builder;
  llvm::DenseMap<Value, BlockedValue> blockedValues;
  /// Slices of unpacked values that cut nothing but the channels.
  llvm::DenseMap<Value, ChannelCut> channelCuts;
};

} // namespace

Value Blocker::pack(Value value, ArrayRef<int64_t> positions,
                    ArrayRef<int64_t> outer) {
  Location loc = value.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> tiles(positions.size(),
                                  builder.getIndexAttr(block));
  Value destination = linalg::PackOp::createDestinationTensor(
      builder, loc, value, tiles, positions, outer);
  std::optional<Value> padding;
  for (int64_t position : positions)
    if (type.getDimSize(position) % block != 0)
      padding = arith::ConstantOp::create(
          builder, loc, builder.getZeroAttr(type.getElementType()));
  return linalg::PackOp::create(builder, loc, value, destination, positions,
                                tiles, padding, outer)
      .getResult();
}

Value Blocker::blockedOrPacked(Value value, int64_t channel) {
  auto known = blockedValues.find(value);
  if (known != blockedValues.end() && known->second.channel == channel)
    return known->second.value;
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  return pack(value, channel, outerPermutation(rank, channel));
}

/// Makes `blocked` the blocked form of what `plain` was, and an unpacked form
/// for everything that still reads it.
Value Blocker::record(Value plain, Value blocked, int64_t channel) {
  Location loc = plain.getLoc();
  auto type = cast<RankedTensorType>(plain.getType());
  SmallVector<int64_t> outer = outerPermutation(type.getRank(), channel);
  SmallVector<OpFoldResult> tiles{builder.getIndexAttr(block)};
  SmallVector<OpFoldResult> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (!type.isDynamicDim(d)) {
      sizes.push_back(builder.getIndexAttr(type.getDimSize(d)));
      continue;
    }
    int64_t position = llvm::find(outer, d) - outer.begin();
    sizes.push_back(tensor::getMixedSize(builder, loc, blocked, position));
  }
  Value destination =
      tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  Value unpacked =
      linalg::UnPackOp::create(builder, loc, blocked, destination,
                               ArrayRef<int64_t>{channel}, tiles, outer)
          .getResult();
  if (unpacked.getType() != type)
    unpacked = tensor::CastOp::create(builder, loc, type, unpacked);
  plain.replaceAllUsesWith(unpacked);
  blockedValues[unpacked] = {blocked, channel};
  return unpacked;
}

void Blocker::split(linalg::LinalgOp op, ArrayRef<unsigned> loops,
                    OpOperand *weight) {
  MLIRContext *context = func.getContext();
  Location loc = op.getLoc();
  builder.setInsertionPoint(op);
  unsigned oldLoops = op.getNumLoops(), newLoops = oldLoops + loops.size();
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  int64_t resultChannel = -1;
  auto inner = [&](unsigned i) {
    return getAffineDimExpr(oldLoops + i, context);
  };
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<AffineExpr> exprs(map.getResults());
    Value value = operand.get();
    if (&operand == weight) {
      // [O][I]... with [16 i][16 o] innermost.
      int64_t o = *findLoop(map, loops[0]);
      SmallVector<int64_t> positions{o}, outer{o};
      SmallVector<AffineExpr> tail{inner(0)};
      if (loops.size() > 1) {
        int64_t c = *findLoop(map, loops[1]);
        positions.insert(positions.begin(), c);
        outer.push_back(c);
        tail.insert(tail.begin(), inner(1));
      }
      for (unsigned d = 0; d < exprs.size(); ++d)
        if (!llvm::is_contained(outer, static_cast<int64_t>(d)))
          outer.push_back(d);
      value = pack(value, positions, outer);
      SmallVector<AffineExpr> permuted;
      for (int64_t d : outer)
        permuted.push_back(exprs[d]);
      llvm::append_range(permuted, tail);
      exprs = permuted;
    } else {
      for (auto [i, loop] : llvm::enumerate(loops)) {
        int64_t channel = *findLoop(map, loop);
        if (channel < 0)
          continue;
        SmallVector<int64_t> outer = outerPermutation(exprs.size(), channel);
        if (op.isDpsInit(&operand)) {
          resultChannel = channel;
          SmallVector<OpFoldResult> tiles{builder.getIndexAttr(block)};
          // A destination is a fresh tensor or a fill of one.
          auto fill = value.getDefiningOp<linalg::FillOp>();
          Value plain = fill ? fill.getOutputs()[0] : value;
          value = linalg::PackOp::createDestinationTensor(
              builder, loc, plain, tiles, ArrayRef<int64_t>{channel}, outer);
          if (fill)
            value =
                linalg::FillOp::create(builder, loc, fill.getInputs()[0], value)
                    .getResult(0);
        } else {
          value = blockedOrPacked(value, channel);
        }
        SmallVector<AffineExpr> permuted;
        for (int64_t d : outer)
          permuted.push_back(exprs[d]);
        permuted.push_back(inner(i));
        exprs = permuted;
        break;
      }
    }
    operands.push_back(value);
    maps.push_back(AffineMap::get(newLoops, 0, exprs, context));
  }
  // Loops in the order of the result, then the reductions, the block of input
  // channels innermost.
  SmallVector<unsigned> order;
  for (AffineExpr expr : maps.back().getResults())
    order.push_back(cast<AffineDimExpr>(expr).getPosition());
  for (unsigned loop = 0; loop < newLoops; ++loop)
    if (!llvm::is_contained(order, loop))
      order.push_back(loop);
  SmallVector<AffineExpr> renamed(newLoops);
  for (auto [position, loop] : llvm::enumerate(order))
    renamed[loop] = getAffineDimExpr(position, context);
  SmallVector<utils::IteratorType> oldTypes = op.getIteratorTypesArray();
  SmallVector<utils::IteratorType> types;
  for (unsigned loop : order)
    types.push_back(loop < oldLoops ? oldTypes[loop]
                                    : oldTypes[loops[loop - oldLoops]]);
  for (AffineMap &map : maps)
    map = map.replaceDimsAndSymbols(renamed, {}, newLoops, 0);

  auto generic = linalg::GenericOp::create(
      builder, loc, TypeRange{operands.back().getType()},
      ValueRange(operands).drop_back(), ValueRange(operands).take_back(), maps,
      types);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&generic.getRegion(), mapping);
  record(op->getResult(0), generic.getResult(0), resultChannel);
  op->erase();
}

/// The destinations must be fresh, the result one, and no index be read.
static bool canSplit(linalg::LinalgOp op, ArrayRef<unsigned> loops) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.hasIndexSemantics())
    return false;
  bool extracts = false;
  op.getBlock()->walk([&](tensor::ExtractOp) { extracts = true; });
  if (extracts)
    return false;
  OpOperand *init = op.getDpsInitOperand(0);
  Value destination = init->get();
  if (auto fill = destination.getDefiningOp<linalg::FillOp>())
    destination = fill.getOutputs()[0];
  if (!destination.getDefiningOp<tensor::EmptyOp>())
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (unsigned loop : loops) {
      std::optional<int64_t> position = findLoop(map, loop);
      if (!position)
        return false;
      if (*position >= 0 && !isa<RankedTensorType>(operand.get().getType()))
        return false;
    }
  }
  return op.getMatchingIndexingMap(init).isProjectedPermutation() &&
         *findLoop(op.getMatchingIndexingMap(init), loops[0]) >= 0;
}

bool Blocker::blockConvolution(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !linalg::isaConvolutionOpInterface(op))
    return false;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!type.getElementType().isF32())
    return false;
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (failed(dims))
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> loops;
  OpOperand *weight = op.getDpsInputOperand(1);
  bool depthwise = dims->depth.size() == 1 && dims->outputChannel.empty() &&
                   dims->inputChannel.empty();
  if (depthwise) {
    loops = {dims->depth[0]};
    weight = nullptr;
  } else if (dims->depth.empty() && dims->outputChannel.size() == 1 &&
             dims->inputChannel.size() == 1) {
    loops = {dims->outputChannel[0]};
    int64_t channels = ranges[dims->inputChannel[0]];
    if (channels >= block)
      loops.push_back(dims->inputChannel[0]);
  } else {
    return false; // Grouped otherwise.
  }
  for (unsigned loop : loops)
    if (ShapedType::isDynamic(ranges[loop]))
      return false;
  // Fewer channels than half a block are mostly padding.
  if (ranges[loops[0]] < block / 2 || !canSplit(op, loops))
    return false;
  split(op, loops, weight);
  return true;
}

/// A pooling, which reads and writes each channel alone. Its window is an
/// operand too, so it looks like a convolution.
static bool isPooling(linalg::LinalgOp op) {
  if (!linalg::isaConvolutionOpInterface(op))
    return false;
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  return succeeded(dims) && dims->depth.empty() &&
         dims->outputChannel.empty() && dims->inputChannel.empty();
}

bool Blocker::blockFollower(linalg::LinalgOp op) {
  if (isa<linalg::FillOp>(op.getOperation()) || op->getNumResults() != 1 ||
      (ferrule::isContractionLike(op) && !isPooling(op)))
    return false;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto known = blockedValues.find(operand->get());
    if (known == blockedValues.end())
      continue;
    AffineMap map = op.getMatchingIndexingMap(operand);
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(known->second.channel));
    if (!dim)
      continue;
    unsigned loop = dim.getPosition();
    if (op.getIteratorTypesArray()[loop] != utils::IteratorType::parallel ||
        !canSplit(op, loop))
      continue;
    int64_t channels = op.getStaticLoopRanges()[loop];
    if (ShapedType::isDynamic(channels) ||
        (channels % block != 0 && !keepsZerosFinite(op)))
      continue;
    split(op, loop, nullptr);
    return true;
  }
  return false;
}

bool Blocker::blockPad(tensor::PadOp op) {
  auto known = blockedValues.find(op.getSource());
  Value padding = op.getConstantPaddingValue();
  if (known == blockedValues.end() || !padding)
    return false;
  int64_t channel = known->second.channel;
  SmallVector<OpFoldResult> low = op.getMixedLowPad(),
                            high = op.getMixedHighPad();
  if (getConstantIntValue(low[channel]) != 0 ||
      getConstantIntValue(high[channel]) != 0)
    return false;
  builder.setInsertionPoint(op);
  int64_t rank = op.getType().getRank();
  SmallVector<OpFoldResult> newLow, newHigh;
  for (int64_t d : outerPermutation(rank, channel)) {
    newLow.push_back(low[d]);
    newHigh.push_back(high[d]);
  }
  newLow.push_back(builder.getIndexAttr(0));
  newHigh.push_back(builder.getIndexAttr(0));
  auto pad =
      tensor::PadOp::create(builder, op.getLoc(), Type(), known->second.value,
                            newLow, newHigh, padding);
  record(op.getResult(), pad.getResult(), channel);
  op->erase();
  return true;
}

bool Blocker::blockConcat(tensor::ConcatOp op) {
  int64_t channel = -1;
  for (Value input : op.getInputs()) {
    auto known = blockedValues.find(input);
    if (known == blockedValues.end() ||
        (channel >= 0 && known->second.channel != channel))
      return false;
    channel = known->second.channel;
    auto type = cast<RankedTensorType>(input.getType());
    if (static_cast<int64_t>(op.getDim()) == channel &&
        type.getDimSize(channel) % block != 0)
      return false;
  }
  builder.setInsertionPoint(op);
  SmallVector<Value> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(blockedValues.lookup(input).value);
  SmallVector<int64_t> outer =
      outerPermutation(op.getResultType().getRank(), channel);
  int64_t dim =
      llvm::find(outer, static_cast<int64_t>(op.getDim())) - outer.begin();
  auto concat = tensor::ConcatOp::create(builder, op.getLoc(), dim, inputs);
  record(op.getResult(), concat.getResult(), channel);
  op->erase();
  return true;
}

/// Cuts the blocked form in all dimensions but the channels, which are cut from
/// what is unpacked. A cut after the unpacking would not only copy more: MLIR
/// folds it into linalg.unpack without a look at the other dimensions.
bool Blocker::blockSlice(tensor::ExtractSliceOp op) {
  ChannelCut before = channelCuts.lookup(op.getSource());
  Value source = before.source ? before.source : op.getSource();
  auto known = blockedValues.find(source);
  if (known == blockedValues.end())
    return false;
  auto [blocked, channel] = known->second;
  builder.setInsertionPoint(op);
  int64_t rank = op.getSourceType().getRank();
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets(),
                            sizes = op.getMixedSizes(),
                            strides = op.getMixedStrides();
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> restOffsets(rank, zero), rest(sizes),
      restStrides(rank, one);
  restOffsets[channel] = std::exchange(offsets[channel], zero);
  restStrides[channel] = std::exchange(strides[channel], one);
  sizes[channel] = builder.getIndexAttr(
      cast<RankedTensorType>(source.getType()).getDimSize(channel));
  std::optional<int64_t> first = getConstantIntValue(restOffsets[channel]);
  std::optional<int64_t> step = getConstantIntValue(restStrides[channel]);
  if (before.source) {
    if (!first || !step)
      return false;
    *first = before.offset + *first * before.stride;
    *step *= before.stride;
    restOffsets[channel] = builder.getIndexAttr(*first);
    restStrides[channel] = builder.getIndexAttr(*step);
  }

  SmallVector<OpFoldResult> newOffsets, newSizes, newStrides;
  for (int64_t d : outerPermutation(rank, channel)) {
    newOffsets.push_back(offsets[d]);
    newSizes.push_back(sizes[d]);
    newStrides.push_back(strides[d]);
  }
  int64_t blocks = std::min<int64_t>(channel, 1);
  newSizes[blocks] =
      tensor::getMixedSize(builder, op.getLoc(), blocked, blocks);
  newOffsets.push_back(zero);
  newSizes.push_back(builder.getIndexAttr(block));
  newStrides.push_back(one);
  Value cut = tensor::ExtractSliceOp::create(builder, op.getLoc(), blocked,
                                             newOffsets, newSizes, newStrides);
  auto plain = tensor::ExtractSliceOp::create(builder, op.getLoc(), source,
                                              offsets, sizes, strides);
  Value result = plain;
  bool cutsChannels = plain.getType() != op.getType();
  if (cutsChannels)
    result =
        tensor::ExtractSliceOp::create(builder, op.getLoc(), op.getType(),
                                       plain, restOffsets, rest, restStrides);
  op.replaceAllUsesWith(result);
  bool keepsRank = op.getType().getRank() == rank;
  op->erase();
  builder.setInsertionPointAfterValue(plain);
  Value unpacked = record(plain, cut, channel);
  plain->erase();
  if (cutsChannels && keepsRank && first && step)
    channelCuts[result] = {unpacked, *first, *step};
  return true;
}

void Blocker::run() {
  SmallVector<Operation *> ops;
  func.walk([&](Operation *op) {
    if (isa<linalg::LinalgOp, tensor::PadOp, tensor::ConcatOp,
            tensor::ExtractSliceOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      blockPad(pad);
    else if (auto concat = dyn_cast<tensor::ConcatOp>(op))
      blockConcat(concat);
    else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      blockSlice(slice);
    else if (auto linalgOp = cast<linalg::LinalgOp>(op);
             !blockConvolution(linalgOp))
      blockFollower(linalgOp);
  }
  IRRewriter rewriter(func.getContext());
  (void)runRegionDCE(rewriter, func->getRegions());
}

void ferrule::blockConvolutions(func::FuncOp func, int64_t block) {
  Blocker(func, block).run();
}

namespace {
struct BlockConvolutions
    : ferrule::impl::BlockConvolutionsBase<BlockConvolutions> {
  using BlockConvolutionsBase::BlockConvolutionsBase;
  void runOnOperation() override {
    ferrule::blockConvolutions(getOperation(), block);
  }
};
} // namespace
