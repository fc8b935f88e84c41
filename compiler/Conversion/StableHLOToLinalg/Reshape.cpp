// reshape and dynamic_reshape as collapse_shape and expand_shape (views) of
// the smallest groups of dimensions whose sizes are known to agree.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "compiler/Conversion/StableHLOToLinalg/ShapeTracing.h"

using namespace mlir;

namespace ferrule::lowering {

namespace {

/// Neighbouring dimensions of source and target with equal products.
struct Group {
  ReassociationIndices source, target;
};

/// Divides source and target into groups: from the front, then from the back;
/// what is left between is one group, equal because the totals are.
class Grouping {
public:
  Grouping(ArrayRef<SizeProduct> source, ArrayRef<SizeProduct> target)
      : source(source), target(target) {}

  SmallVector<Group> compute() {
    int64_t s0 = 0, t0 = 0, s1 = source.size(), t1 = target.size();
    SmallVector<Group> front, back;
    while (std::optional<Group> group = match(s0, s1, t0, t1, false))
      front.push_back(*group);
    while (std::optional<Group> group = match(s0, s1, t0, t1, true))
      back.push_back(*group);
    Group middle;
    llvm::append_range(middle.source, llvm::seq<int64_t>(s0, s1));
    llvm::append_range(middle.target, llvm::seq<int64_t>(t0, t1));
    std::reverse(back.begin(), back.end());
    place(middle, front, back);
    front.append(back);
    return front;
  }

private:
  /// The smallest group at one end of what is left, which it takes away.
  std::optional<Group> match(int64_t &s0, int64_t &s1, int64_t &t0,
                             int64_t &t1, bool fromBack) {
    for (int64_t total = 2; total <= (s1 - s0) + (t1 - t0); ++total)
      for (int64_t ns = 1; ns < total; ++ns) {
        int64_t nt = total - ns;
        if (ns > s1 - s0 || nt > t1 - t0)
          continue;
        int64_t s = fromBack ? s1 - ns : s0, t = fromBack ? t1 - nt : t0;
        if (!(product(source, s, ns) == product(target, t, nt)))
          continue;
        (fromBack ? s1 : s0) += fromBack ? -ns : ns;
        (fromBack ? t1 : t0) += fromBack ? -nt : nt;
        Group group;
        llvm::append_range(group.source, llvm::seq<int64_t>(s, s + ns));
        llvm::append_range(group.target, llvm::seq<int64_t>(t, t + nt));
        return group;
      }
    return std::nullopt;
  }

  static SizeProduct product(ArrayRef<SizeProduct> sizes, int64_t from,
                             int64_t count) {
    SizeProduct result;
    for (const SizeProduct &size : sizes.slice(from, count))
      result.multiply(size);
    return result;
  }

  /// A middle with dimensions on one side only holds ones: it joins a
  /// neighbour.
  static void place(Group &middle, SmallVector<Group> &front,
                    SmallVector<Group> &back) {
    if (middle.source.empty() && middle.target.empty())
      return;
    bool complete = !middle.source.empty() && !middle.target.empty();
    if (complete || (front.empty() && back.empty())) {
      front.push_back(middle);
      return;
    }
    if (!front.empty()) {
      front.back().source.append(middle.source);
      front.back().target.append(middle.target);
      return;
    }
    Group &next = back.front();
    next.source.insert(next.source.begin(), middle.source.begin(),
                       middle.source.end());
    next.target.insert(next.target.begin(), middle.target.begin(),
                       middle.target.end());
  }

  ArrayRef<SizeProduct> source, target;
};

} // namespace

static int64_t productOf(RankedTensorType type, ArrayRef<int64_t> dims) {
  int64_t product = 1;
  for (int64_t d : dims) {
    if (type.isDynamicDim(d))
      return ShapedType::kDynamic;
    product *= type.getDimSize(d);
  }
  return product;
}

/// The reshape by the given groups: collapse, then expand.
static Value reshapeByGroups(OpBuilder &b, Location loc, Value operand,
                             RankedTensorType type, const Sizes &sizes,
                             ArrayRef<Group> groups) {
  Type element = type.getElementType();
  SmallVector<ReassociationIndices> collapse, expand;
  SmallVector<int64_t> collapsed, wanted;
  for (const Group &group : groups) {
    collapse.push_back(group.source);
    expand.push_back(group.target);
    collapsed.push_back(productOf(tensorType(operand), group.source));
    wanted.push_back(productOf(type, group.target));
  }
  int64_t rank = groups.size();
  Value value = operand;
  if (rankOf(operand) != rank)
    value = tensor::CollapseShapeOp::create(
        b, loc, RankedTensorType::get(collapsed, element), value, collapse);
  value = castTo(b, loc, value, RankedTensorType::get(wanted, element));
  if (type.getRank() == rank)
    return castTo(b, loc, value, type);
  return tensor::ExpandShapeOp::create(b, loc, type, value, expand, sizes);
}

/// Reshapes `operand` (converted; `original` is its StableHLO form) to `type`
/// with the given sizes.
static Value reshape(OpBuilder &b, Location loc, Value operand, Value original,
                     RankedTensorType type, const Sizes &sizes,
                     ArrayRef<SizeProduct> target) {
  SmallVector<SizeProduct> source;
  for (int64_t i = 0; i < rankOf(operand); ++i)
    source.push_back(traceDimension(original, i));
  auto isZero = [](const SizeProduct &size) { return size.constant == 0; };
  bool hasGroups = !source.empty() && !target.empty() &&
                   llvm::none_of(source, isZero) &&
                   llvm::none_of(target, isZero);
  if (!hasGroups)
    return reshapeThroughVector(b, loc, operand, sizes, type);
  return reshapeByGroups(b, loc, operand, type, sizes,
                         Grouping(source, target).compute());
}

namespace {

struct ReshapeLowering : OpConversionPattern<stablehlo::ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;

  /// The one bounded size of a result: what the other sizes leave.
  static LogicalResult completeSize(stablehlo::ReshapeOp op, Value operand,
                                    RankedTensorType type, int64_t dim,
                                    OpFoldResult &size, SizeProduct &traced,
                                    OpBuilder &b) {
    Location loc = op.getLoc();
    int64_t others = 1;
    for (int64_t known : type.getShape())
      others *= ShapedType::isDynamic(known) ? 1 : known;
    if (others == 0)
      return failure();
    SizeProduct all;
    Value count = arith::ConstantIndexOp::create(b, loc, 1);
    for (auto [i, part] : llvm::enumerate(sizesOf(b, loc, operand))) {
      all.multiply(traceDimension(op.getOperand(), i));
      count = arith::MulIOp::create(
          b, loc, count, getValueOrCreateConstantIndexOp(b, loc, part));
    }
    Value divisor = arith::ConstantIndexOp::create(b, loc, others);
    size = arith::DivUIOp::create(b, loc, count, divisor).getResult();
    if (all.constant % others == 0)
      traced = {all.constant / others, all.symbols};
    else
      traced = {1, {{op.getResult(), dim}}};
    return success();
  }

  LogicalResult
  matchAndRewrite(stablehlo::ReshapeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    if (!type || type.getNumDynamicDims() > 1)
      return rewriter.notifyMatchFailure(op, "several result sizes unknown");
    SmallVector<SizeProduct> target;
    for (int64_t size : type.getShape())
      target.push_back({size, {}});
    Sizes sizes = getAsIndexOpFoldResult(op.getContext(), type.getShape());
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (type.isDynamicDim(d) &&
          failed(completeSize(op, adaptor.getOperand(), type, d, sizes[d],
                              target[d], rewriter)))
        return rewriter.notifyMatchFailure(op, "other result sizes are 0");
    rewriter.replaceOp(op, reshape(rewriter, op.getLoc(), adaptor.getOperand(),
                                   op.getOperand(), type, sizes, target));
    return success();
  }
};

struct DynamicReshapeLowering
    : OpConversionPattern<stablehlo::DynamicReshapeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::DynamicReshapeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = resultType(getTypeConverter(), op.getResult());
    Sizes sizes = sizesFromShape(rewriter, op.getLoc(),
                                 adaptor.getOutputShape(), type);
    SmallVector<SizeProduct> target;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      if (type.isDynamicDim(i))
        target.push_back(traceShapeElement(op.getOutputShape(), i));
      else
        target.push_back({type.getDimSize(i), {}});
    }
    rewriter.replaceOp(op, reshape(rewriter, op.getLoc(), adaptor.getOperand(),
                                   op.getOperand(), type, sizes, target));
    return success();
  }
};

} // namespace

void addReshapePatterns(Converter &converter, Patterns &patterns) {
  patterns.add<ReshapeLowering, DynamicReshapeLowering>(converter,
                                                        patterns.getContext());
}

} // namespace ferrule::lowering
