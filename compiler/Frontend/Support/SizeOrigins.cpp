#include "compiler/Frontend/Support/SizeOrigins.h"
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

// Walks are cut here; a longer chain only loses precision.
static constexpr int maxDepth = 64;

static SizeOrigin walkDim(Value value, int64_t dim, int depth);
static SizeOrigin walkScalar(Value scalar, int depth);

static SizeOrigin number(int64_t n) { return SizeOrigin{{}, -1, n}; }

/// The origin of element `index` of a one-dimensional tensor of sizes.
static SizeOrigin walkElement(Value shape, int64_t index, int depth) {
  DenseIntElementsAttr constant;
  if (matchPattern(shape, m_Constant(&constant)))
    return number(constant.getValues<APInt>()[index].getSExtValue());
  Operation *op = shape.getDefiningOp();
  if (auto concat = dyn_cast_or_null<stablehlo::ConcatenateOp>(op)) {
    for (Value piece : concat->getOperands()) {
      int64_t length = cast<RankedTensorType>(piece.getType()).getDimSize(0);
      if (ShapedType::isDynamic(length))
        break;
      if (index < length)
        return walkElement(piece, index, depth + 1);
      index -= length;
    }
  }
  if (auto reshape = dyn_cast_or_null<stablehlo::ReshapeOp>(op))
    if (cast<RankedTensorType>(reshape->getOperand(0).getType())
            .getNumElements() == 1)
      return walkScalar(reshape->getOperand(0), depth + 1);
  if (isa_and_nonnull<stablehlo::ConvertOp>(op))
    return walkElement(op->getOperand(0), index, depth + 1);
  // Unknown: equal to nothing else.
  return SizeOrigin{Value(), index, -1};
}

static SizeOrigin walkScalar(Value scalar, int depth) {
  DenseIntElementsAttr constant;
  if (matchPattern(scalar, m_Constant(&constant)) &&
      constant.getNumElements() == 1)
    return number((*constant.value_begin<APInt>()).getSExtValue());
  Operation *op = scalar.getDefiningOp();
  if (op && depth < maxDepth) {
    if (isa<stablehlo::ConvertOp>(op))
      return walkScalar(op->getOperand(0), depth + 1);
    if (auto size = dyn_cast<stablehlo::GetDimensionSizeOp>(op))
      return walkDim(size->getOperand(0), size.getDimension(), depth + 1);
    if (isa<stablehlo::ReshapeOp>(op)) {
      auto type = cast<RankedTensorType>(op->getOperand(0).getType());
      if (type.hasStaticShape() && type.getNumElements() == 1)
        return walkScalar(op->getOperand(0), depth + 1);
    }
    if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) {
      auto type = cast<RankedTensorType>(slice->getOperand(0).getType());
      if (type.getRank() == 1) {
        SizeOrigin element = walkElement(slice->getOperand(0),
                                         slice.getStartIndices()[0], depth + 1);
        if (element.value || element.dim == -1)
          return element;
      }
    }
  }
  return SizeOrigin{scalar, -1, 0};
}

/// The sizes that the user gave names: two arguments with the same name in
/// `ferrule.dims` have the same size, so the first one stands for all.
static SizeOrigin walkArgument(BlockArgument arg, int64_t dim) {
  SizeOrigin self{arg, dim, 0};
  // A region that is being built has no parent yet.
  auto function = dyn_cast_or_null<func::FuncOp>(arg.getOwner()->getParentOp());
  if (!function)
    return self;
  auto nameOf = [&](unsigned index, int64_t d) -> StringRef {
    auto dims = function.getArgAttrOfType<ArrayAttr>(index, "ferrule.dims");
    if (!dims || d >= int64_t(dims.size()))
      return "";
    auto name = dyn_cast<StringAttr>(dims[d]);
    return name ? name.getValue() : "";
  };
  StringRef name = nameOf(arg.getArgNumber(), dim);
  if (name.empty())
    return self;
  for (unsigned index = 0; index <= arg.getArgNumber(); ++index) {
    auto type =
        dyn_cast<RankedTensorType>(function.getArgument(index).getType());
    for (int64_t d = 0; type && d < type.getRank(); ++d)
      if (nameOf(index, d) == name)
        return SizeOrigin{function.getArgument(index), d, 0};
  }
  return self;
}

namespace {
/// A dimension made by sliding a window: floor((size - lost) / stride) + 1
/// rows, where size is that of dimension `dim` of `input`.
struct Sliding {
  Value input;
  int64_t dim, lost, stride;
};
} // namespace

static std::optional<Sliding> slidingOver(Value input, int64_t dim,
                                          const stablehlo::WindowDimension &w) {
  if (w.baseDilation != 1)
    return std::nullopt;
  int64_t reach = (w.size - 1) * w.windowDilation + 1;
  return Sliding{input, dim, reach - w.paddingLow - w.paddingHigh, w.stride};
}

/// How a dimension follows from a window, or none.
static std::optional<Sliding> slidingOf(Value value, int64_t dim) {
  Operation *op = value.getDefiningOp();
  if (auto conv = dyn_cast_or_null<stablehlo::ConvolutionOp>(op)) {
    auto dims = conv.getDimensionNumbers();
    ArrayRef<int64_t> spatial = dims.getOutputSpatialDimensions();
    const int64_t *found = llvm::find(spatial, dim);
    if (found == spatial.end())
      return std::nullopt;
    int64_t place = found - spatial.begin();
    return slidingOver(op->getOperand(0),
                       dims.getInputSpatialDimensions()[place],
                       conv.getWindow()[place]);
  }
  if (auto windows = dyn_cast_or_null<stablehlo::ReduceWindowOp>(op))
    return slidingOver(op->getOperand(0), dim, windows.getWindow()[dim]);
  return std::nullopt;
}

/// The operand's dimension that result dimension `dim` of `op` copies, or none.
static std::optional<std::pair<Value, int64_t>> copiedDim(Operation *op,
                                                          int64_t dim) {
  using Source = std::optional<std::pair<Value, int64_t>>;
  auto operand = [&](unsigned i) { return op->getOperand(i); };
  auto rank = [](Value v) {
    return cast<RankedTensorType>(v.getType()).getRank();
  };
  return llvm::TypeSwitch<Operation *, Source>(op)
      .Case([&](stablehlo::TransposeOp transpose) -> Source {
        return {{operand(0), transpose.getPermutation()[dim]}};
      })
      .Case([&](stablehlo::DotGeneralOp dot) -> Source {
        auto dims = dot.getDotDimensionNumbers();
        ArrayRef<int64_t> batch = dims.getLhsBatchingDimensions();
        if (dim < int64_t(batch.size()))
          return {{operand(0), batch[dim]}};
        int64_t position = batch.size();
        for (int side : {0, 1})
          for (int64_t d = 0; d < rank(operand(side)); ++d) {
            ArrayRef<int64_t> b =
                side ? dims.getRhsBatchingDimensions() : batch;
            ArrayRef<int64_t> c = side ? dims.getRhsContractingDimensions()
                                       : dims.getLhsContractingDimensions();
            if (llvm::is_contained(b, d) || llvm::is_contained(c, d))
              continue;
            if (position++ == dim)
              return {{operand(side), d}};
          }
        return std::nullopt;
      })
      .Case([&](stablehlo::ReduceOp reduce) -> Source {
        int64_t position = 0;
        for (int64_t d = 0; d < rank(operand(0)); ++d)
          if (!llvm::is_contained(reduce.getDimensions(), d) &&
              position++ == dim)
            return {{operand(0), d}};
        return std::nullopt;
      })
      .Case([&](stablehlo::ConcatenateOp concat) -> Source {
        if (int64_t(concat.getDimension()) == dim)
          return std::nullopt;
        return {{operand(0), dim}};
      })
      .Case([&](stablehlo::GatherOp gather) -> Source {
        auto dims = gather.getDimensionNumbers();
        if (llvm::is_contained(dims.getOffsetDims(), dim))
          return std::nullopt;
        int64_t position = 0;
        for (int64_t d = 0; d < dim; ++d)
          position += !llvm::is_contained(dims.getOffsetDims(), d);
        if (position >= dims.getIndexVectorDim())
          ++position;
        return {{operand(1), position}};
      })
      .Case([&](stablehlo::ConvolutionOp conv) -> Source {
        auto dims = conv.getDimensionNumbers();
        if (dims.getOutputBatchDimension() == dim &&
            conv.getBatchGroupCount() == 1)
          return {{operand(0), dims.getInputBatchDimension()}};
        auto sliding = slidingOf(op->getResult(0), dim);
        if (sliding && sliding->stride == 1 && sliding->lost == 1)
          return {{sliding->input, sliding->dim}};
        return std::nullopt;
      })
      .Case([&](stablehlo::ReduceWindowOp windows) -> Source {
        auto sliding = slidingOf(op->getResult(0), dim);
        if (sliding && sliding->stride == 1 && sliding->lost == 1)
          return {{sliding->input, sliding->dim}};
        return std::nullopt;
      })
      .Case([&](stablehlo::PadOp pad) -> Source {
        if (pad.getEdgePaddingLow()[dim] || pad.getEdgePaddingHigh()[dim] ||
            pad.getInteriorPadding()[dim])
          return std::nullopt;
        return {{operand(0), dim}};
      })
      .Case<stablehlo::SelectOp>(
          [&](Operation *) -> Source { return {{operand(1), dim}}; })
      .Case<stablehlo::ClampOp>(
          [&](Operation *) -> Source { return {{operand(1), dim}}; })
      .Case<stablehlo::SortOp, stablehlo::ReverseOp, stablehlo::ConvertOp,
            stablehlo::CompareOp, stablehlo::ScatterOp,
            stablehlo::DynamicUpdateSliceOp>(
          [&](Operation *) -> Source { return {{operand(0), dim}}; })
      .Default([&](Operation *) -> Source {
        // Elementwise ops: operands and results of one shape.
        if ((op->hasTrait<OpTrait::Elementwise>() ||
             op->hasTrait<OpTrait::SameOperandsAndResultShape>() ||
             op->hasTrait<OpTrait::SameOperandsAndResultType>()) &&
            op->getNumOperands())
          return {{operand(0), dim}};
        return std::nullopt;
      });
}

/// A loop's result has the initial value's size where each iteration keeps
/// it.
static std::optional<SizeOrigin>
walkLoop(stablehlo::WhileOp loop, OpResult result, int64_t dim, int depth) {
  unsigned index = result.getResultNumber();
  Block &body = loop.getBody().front();
  if (body.empty() || !isa<stablehlo::ReturnOp>(body.back()))
    return std::nullopt;
  SizeOrigin kept = walkDim(body.back().getOperand(index), dim, depth + 1);
  if (kept.value != body.getArgument(index) || kept.dim != dim)
    return std::nullopt;
  return walkDim(loop->getOperand(index), dim, depth + 1);
}

static SizeOrigin walkDim(Value value, int64_t dim, int depth) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.isDynamicDim(dim))
    return number(type.getDimSize(dim));
  SizeOrigin self{value, dim, 0};
  if (auto arg = dyn_cast<BlockArgument>(value))
    return walkArgument(arg, dim);
  if (depth >= maxDepth)
    return self;
  Operation *op = value.getDefiningOp();
  if (auto loop = dyn_cast<stablehlo::WhileOp>(op))
    return walkLoop(loop, cast<OpResult>(value), dim, depth).value_or(self);
  SizeOrigin element;
  if (auto broadcast = dyn_cast<stablehlo::DynamicBroadcastInDimOp>(op)) {
    ArrayRef<int64_t> dims = broadcast.getBroadcastDimensions();
    auto known = broadcast.getKnownNonexpandingDimensions();
    const int64_t *found = llvm::find(dims, dim);
    if (known && found != dims.end() &&
        llvm::is_contained(*known, found - dims.begin()))
      return walkDim(op->getOperand(0), found - dims.begin(), depth + 1);
    element = walkElement(op->getOperand(1), dim, depth + 1);
  } else if (isa<stablehlo::DynamicReshapeOp>(op)) {
    element = walkElement(op->getOperand(1), dim, depth + 1);
  } else if (isa<stablehlo::DynamicIotaOp>(op)) {
    element = walkElement(op->getOperand(0), dim, depth + 1);
  } else if (isa<stablehlo::RealDynamicSliceOp>(op)) {
    // From 0 with stride 1, the size is the limit.
    SizeOrigin start = walkElement(op->getOperand(1), dim, depth + 1);
    SizeOrigin stride = walkElement(op->getOperand(3), dim, depth + 1);
    auto is = [](const SizeOrigin &o, int64_t n) {
      return !o.value && o.dim == -1 && o.number == n;
    };
    if (!is(start, 0) || !is(stride, 1))
      return self;
    element = walkElement(op->getOperand(2), dim, depth + 1);
  } else if (auto source = copiedDim(op, dim)) {
    return walkDim(source->first, source->second, depth + 1);
  } else {
    return self;
  }
  // An element that leads nowhere: the dimension itself is the origin.
  return !element.value && element.dim != -1 ? self : element;
}

SizeOrigin frontend::originOf(Value value, int64_t dim) {
  return walkDim(value, dim, 0);
}

SizeOrigin frontend::originOfScalar(Value scalar) {
  return walkScalar(scalar, 0);
}

/// Whether two scalars are computed by the same ops from the same origins.
static bool sameComputation(Value x, Value y, int depth) {
  if (x == y)
    return true;
  Operation *a = x.getDefiningOp(), *c = y.getDefiningOp();
  if (!a || !c || depth > 8 || a->getName() != c->getName() ||
      a->getNumOperands() != c->getNumOperands() || a->getNumRegions() ||
      a->getNumOperands() == 0 || !isMemoryEffectFree(a) ||
      a->getRawDictionaryAttrs() != c->getRawDictionaryAttrs() ||
      a->getPropertiesAsAttribute() != c->getPropertiesAsAttribute())
    return false;
  for (auto [p, q] : llvm::zip(a->getOperands(), c->getOperands())) {
    auto type = dyn_cast<RankedTensorType>(p.getType());
    if (!type || type != q.getType() || type.getRank() != 0)
      return false;
    SizeOrigin from = walkScalar(p, 0), to = walkScalar(q, 0);
    if (from.value == to.value && from.dim == to.dim &&
        from.number == to.number)
      continue;
    if (from.dim != -1 || to.dim != -1 || !from.value || !to.value ||
        !sameComputation(from.value, to.value, depth + 1))
      return false;
  }
  return true;
}

bool frontend::sameOrigin(const SizeOrigin &x, const SizeOrigin &y) {
  if (!x.value || !y.value)
    return !x.value && !y.value && x.number == y.number;
  if (x.value == y.value && x.dim == y.dim)
    return true;
  if (x.dim == -1 || y.dim == -1)
    return x.dim == y.dim && sameComputation(x.value, y.value, 0);
  // Windows that lose as many rows and step as far over equal sizes.
  auto first = slidingOf(x.value, x.dim), second = slidingOf(y.value, y.dim);
  return first && second && first->lost == second->lost &&
         first->stride == second->stride &&
         sameOrigin(originOf(first->input, first->dim),
                    originOf(second->input, second->dim));
}
