// What the specification asks of quantized tensors, operation by operation.
// Messages begin with the code of the violated constraint, or with QT for
// those of the types themselves.
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOVerifiers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
namespace ferrule::stablehlo {

using PerAxis = quant::UniformQuantizedPerAxisType;

static quant::QuantizedType quantizedOf(Type type) {
  return dyn_cast<quant::QuantizedType>(getElementTypeOrSelf(type));
}
static PerAxis perAxisOf(Type type) {
  return dyn_cast<PerAxis>(getElementTypeOrSelf(type));
}

/// Zero points that the storage holds, an axis that the tensor has, and as
/// many scales as it is long.
static LogicalResult checkType(Operation *op, Type type) {
  auto quantized = quantizedOf(type);
  if (!quantized)
    return success();
  SmallVector<int64_t> zeros;
  if (auto tensor = dyn_cast<quant::UniformQuantizedType>(quantized))
    zeros.push_back(tensor.getZeroPoint());
  auto axis = dyn_cast<PerAxis>(quantized);
  if (axis)
    llvm::append_range(zeros, axis.getZeroPoints());
  for (int64_t zero : zeros)
    if (zero < quantized.getStorageTypeMin() ||
        zero > quantized.getStorageTypeMax())
      return op->emitOpError()
             << "QT7: found zero point " << zero << " in " << type
             << ", expected one from " << quantized.getStorageTypeMin()
             << " to " << quantized.getStorageTypeMax();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!axis || !tensor)
    return success();
  int64_t dim = axis.getQuantizedDimension();
  if (dim < 0 || dim >= tensor.getRank())
    return op->emitOpError()
           << "QT12: found quantization dimension " << dim << " in " << type
           << ", expected one below " << tensor.getRank();
  int64_t count = axis.getScales().size();
  if (!tensor.isDynamicDim(dim) && tensor.getDimSize(dim) != count)
    return op->emitOpError()
           << "QT13: found " << count << " scales for dimension " << dim
           << " in " << type << ", expected " << tensor.getDimSize(dim);
  return success();
}

/// Whether scales may run along an axis of the operation's tensors.
static bool takesScalesAlongAxis(Operation *op) {
  return isa<AddOp, AsyncDoneOp, AsyncStartOp, BitcastConvertOp,
             BroadcastInDimOp, CaseOp, CompositeOp, ConstantOp, ConvolutionOp,
             CustomCallOp, DotGeneralOp, DotOp, DynamicBroadcastInDimOp,
             DynamicConvOp, DynamicReshapeOp, GetDimensionSizeOp,
             GetTupleElementOp, IfOp, InfeedOp, OptimizationBarrierOp,
             OutfeedOp, RecvOp, ReshapeOp, ReturnOp, SendOp, TransposeOp,
             TupleOp, UniformDequantizeOp, UniformQuantizeOp, WhileOp>(op);
}

static LogicalResult refuseScalesAlongAxis(Operation *op) {
  if (takesScalesAlongAxis(op))
    return success();
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes()))
    if (perAxisOf(type))
      return op->emitOpError() << "I" << i + 1 << ": found " << type
                               << ", expected one scale for the whole tensor";
  for (Type type : op->getResultTypes())
    if (perAxisOf(type))
      return op->emitOpError() << "found result " << type
                               << ", expected one scale for the whole tensor";
  return success();
}

/// Types that differ in nothing but scales and zero points.
static LogicalResult checkBaseline(Operation *op, StringRef code, Type first,
                                   TypeRange others) {
  Type element = getElementTypeOrSelf(first);
  for (Type other : others)
    if (!areCompatibleElements(element, getElementTypeOrSelf(other)))
      return op->emitOpError()
             << code << ": found " << first << " and " << other
             << ", expected elements that differ in scales and zero points "
                "at most";
  return success();
}

/// The same elements, scales and zero points included.
static LogicalResult checkEqual(Operation *op, StringRef code, Type first,
                                TypeRange others) {
  for (Type other : others)
    if (getElementTypeOrSelf(first) != getElementTypeOrSelf(other))
      return op->emitOpError() << code << ": found " << first << " and "
                               << other << ", expected equal element types";
  return success();
}

static LogicalResult checkAdd(AddOp op) {
  Type lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  Type result = op.getType();
  auto l = quantizedOf(lhs), r = quantizedOf(rhs), s = quantizedOf(result);
  auto fail = [&](StringRef code) {
    return op.emitOpError() << code << ": found " << lhs << " + " << rhs
                            << " = " << result << ", expected ";
  };
  if (!l || !r || !s)
    return fail("C2") << "all or none of them quantized";
  if (l.getStorageType() != r.getStorageType() ||
      l.getStorageType() != s.getStorageType() ||
      l.isSigned() != r.isSigned() || l.isSigned() != s.isSigned())
    return fail("C3") << "one storage type";
  if (l.getExpressedType() != r.getExpressedType() ||
      l.getExpressedType() != s.getExpressedType())
    return fail("C4") << "one expressed type";
  PerAxis la = perAxisOf(lhs), ra = perAxisOf(rhs), sa = perAxisOf(result);
  if ((la || ra) != bool(sa))
    return fail("C5") << "a result with scales along an axis where an operand "
                         "has them";
  if (la && la.getQuantizedDimension() != sa.getQuantizedDimension())
    return fail("C6") << "scales along dimension " << sa.getQuantizedDimension()
                      << " of lhs";
  if (ra && ra.getQuantizedDimension() != sa.getQuantizedDimension())
    return fail("C7") << "scales along dimension " << sa.getQuantizedDimension()
                      << " of rhs";
  return success();
}

/// What products and convolutions have in common; `first` numbers the
/// constraint that says which of them are quantized.
static LogicalResult checkFactors(Operation *op, int first, int ofQuantized) {
  Type lhs = op->getOperand(0).getType(), rhs = op->getOperand(1).getType();
  Type result = op->getResult(0).getType();
  auto l = quantizedOf(lhs), r = quantizedOf(rhs), s = quantizedOf(result);
  auto fail = [&](int code) {
    return op->emitOpError() << "C" << code << ": found " << lhs << " x " << rhs
                             << " -> " << result << ", expected ";
  };
  if (perAxisOf(lhs))
    return op->emitOpError() << "I1: found " << lhs
                             << ", expected one scale for the whole tensor";
  if (bool(l) != bool(s) || !r)
    return fail(first) << "rhs quantized, and lhs and the result or neither";
  if (!l) {
    if (getElementTypeOrSelf(lhs) != r.getExpressedType() ||
        getElementTypeOrSelf(result) != r.getExpressedType())
      return fail(ofQuantized + 3) << "floats of rhs's expressed type";
    return success();
  }
  if (l.getStorageType() != r.getStorageType() || l.isSigned() != r.isSigned())
    return fail(ofQuantized) << "operands of one storage type";
  if (l.getExpressedType() != r.getExpressedType() ||
      l.getExpressedType() != s.getExpressedType())
    return fail(ofQuantized + 1) << "one expressed type";
  if (!perAxisOf(rhs) && perAxisOf(result))
    return fail(ofQuantized + 2)
           << "one scale for the result where rhs has one";
  return success();
}

static LogicalResult checkDot(Operation *op, ArrayRef<int64_t> contracting) {
  if (failed(checkFactors(op, 14, 17)))
    return failure();
  Type rhs = op->getOperand(1).getType();
  PerAxis axis = perAxisOf(rhs);
  SmallVector<int64_t> zeros;
  if (axis)
    llvm::append_range(zeros, axis.getZeroPoints());
  else
    zeros.push_back(
        cast<quant::UniformQuantizedType>(quantizedOf(rhs)).getZeroPoint());
  if (!llvm::all_of(zeros, [](int64_t zero) { return zero == 0; }))
    return op->emitOpError()
           << "C15: found " << rhs << ", expected zero points of 0";
  if (axis && llvm::is_contained(contracting, axis.getQuantizedDimension()))
    return op->emitOpError()
           << "C16: found " << rhs << ", expected no scales along dimension "
           << axis.getQuantizedDimension() << ", which is contracted";
  return success();
}

static LogicalResult checkConvolution(Operation *op,
                                      ConvDimensionNumbersAttr dims) {
  if (failed(checkFactors(op, 28, 31)))
    return failure();
  auto check = [&](Type type, StringRef code, int64_t expected) {
    PerAxis axis = perAxisOf(type);
    if (!axis || axis.getQuantizedDimension() == expected)
      return success();
    return LogicalResult(op->emitOpError()
                         << code << ": found " << type
                         << ", expected scales along output features, "
                            "dimension "
                         << expected);
  };
  if (failed(check(op->getOperand(1).getType(), "C29",
                   dims.getKernelOutputFeatureDimension())))
    return failure();
  return check(op->getResult(0).getType(), "C30",
               dims.getOutputFeatureDimension());
}

/// Equal element types; those with scales along an axis may have another axis.
static LogicalResult checkMoved(Operation *op, Type from, Type to,
                                bool sameScales) {
  PerAxis f = perAxisOf(from), t = perAxisOf(to);
  if (!f || !t)
    return checkEqual(op, "C1", from, to);
  bool same = f.getStorageType() == t.getStorageType() &&
              f.getStorageTypeMin() == t.getStorageTypeMin() &&
              f.getStorageTypeMax() == t.getStorageTypeMax() &&
              f.getExpressedType() == t.getExpressedType() &&
              (!sameScales || (f.getScales() == t.getScales() &&
                               f.getZeroPoints() == t.getZeroPoints()));
  if (same)
    return success();
  return op->emitOpError() << "C1: found " << from << " and " << to
                           << ", expected element types that differ in their "
                              "quantization dimension at most";
}

static LogicalResult checkReshape(Operation *op) {
  auto from = cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = cast<RankedTensorType>(op->getResult(0).getType());
  if (failed(checkMoved(op, from, to, /*sameScales=*/true)))
    return failure();
  PerAxis f = perAxisOf(from), t = perAxisOf(to);
  if (!f)
    return success();
  auto outer = [](RankedTensorType type, PerAxis axis) {
    return multiplySizes(
        type.getShape().take_front(axis.getQuantizedDimension()));
  };
  auto inner = [](RankedTensorType type, PerAxis axis) {
    return multiplySizes(
        type.getShape().drop_front(axis.getQuantizedDimension() + 1));
  };
  if (failed(mergeSizes(outer(from, f), outer(to, t))) ||
      failed(mergeSizes(inner(from, f), inner(to, t))))
    return op->emitOpError()
           << "C3: found " << from << " and " << to
           << ", expected as many elements before and after the dimension "
              "with scales";
  return success();
}

static LogicalResult checkBroadcast(Operation *op, ArrayRef<int64_t> dims) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (failed(checkMoved(op, from, to, /*sameScales=*/false)))
    return failure();
  PerAxis f = perAxisOf(from), t = perAxisOf(to);
  if (!f)
    return success();
  int64_t dim = f.getQuantizedDimension();
  if (dim >= static_cast<int64_t>(dims.size()) ||
      dims[dim] != t.getQuantizedDimension())
    return op->emitOpError()
           << "C6: found scales along dimension " << dim << " of " << from
           << " and " << t.getQuantizedDimension() << " of " << to
           << ", expected those that broadcast_dimensions say";
  // One scale may have become many equal ones.
  bool same =
      llvm::all_of(llvm::seq<size_t>(t.getScales().size()), [&](size_t i) {
        size_t source = f.getScales().size() == 1 ? 0 : i;
        return source < f.getScales().size() &&
               f.getScales()[source] == t.getScales()[i] &&
               f.getZeroPoints()[source] == t.getZeroPoints()[i];
      });
  if (same)
    return success();
  return op->emitOpError() << "C6: found " << from << " and " << to
                           << ", expected equal scales and zero points";
}

static LogicalResult checkTranspose(TransposeOp op) {
  Type from = op.getOperand().getType(), to = op.getType();
  if (failed(checkMoved(op, from, to, /*sameScales=*/true)))
    return failure();
  PerAxis f = perAxisOf(from), t = perAxisOf(to);
  ArrayRef<int64_t> permutation = op.getPermutation();
  if (!f)
    return success();
  int64_t dim = t.getQuantizedDimension();
  if (dim < static_cast<int64_t>(permutation.size()) &&
      permutation[dim] == f.getQuantizedDimension())
    return success();
  return op.emitOpError() << "C4: found scales along dimension "
                          << f.getQuantizedDimension() << " of " << from
                          << " and " << t.getQuantizedDimension() << " of "
                          << to << ", expected those that permutation says";
}

/// Operations on tensors that differ in scales at most, and those that move
/// elements and keep their type.
static LogicalResult checkOthers(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<Atan2Op, CbrtOp, CeilOp, CosineOp, DivOp, ExpOp, Expm1Op, FloorOp,
            Log1pOp, LogOp, LogisticOp, MaxOp, MinOp, MulOp, NegOp, PowOp,
            ReducePrecisionOp, RemOp, RoundNearestEvenOp, RoundOp, RsqrtOp,
            SignOp, SineOp, SqrtOp, SubtractOp, TanOp, TanhOp, CholeskyOp,
            TriangularSolveOp>([](Operation *op) {
        if (failed(checkBaseline(op, "C1", op->getOperand(0).getType(),
                                 op->getOperandTypes())))
          return failure();
        return checkBaseline(op, "C1", op->getOperand(0).getType(),
                             op->getResultTypes());
      })
      .Case<AbsOp>([](AbsOp op) {
        return checkBaseline(op, "C2", op.getOperand().getType(),
                             op->getResultTypes());
      })
      .Case<CompareOp>([](CompareOp op) {
        return checkBaseline(op, "C1", op.getLhs().getType(),
                             op->getOperandTypes());
      })
      .Case<ClampOp>([](ClampOp op) {
        if (failed(checkBaseline(op, "C3", op.getOperand().getType(),
                                 op->getOperandTypes())))
          return failure();
        return checkBaseline(op, "C4", op.getOperand().getType(),
                             op->getResultTypes());
      })
      .Case<SelectOp>([](SelectOp op) {
        return checkBaseline(op, "C2", op.getType(),
                             TypeRange(op->getOperandTypes()).drop_front());
      })
      .Case<ConcatenateOp>([](ConcatenateOp op) {
        Type first = op.getInputs().front().getType();
        if (failed(checkEqual(op, "C1", first, op->getOperandTypes())))
          return failure();
        return checkEqual(op, "C5", first, op.getType());
      })
      .Case<PadOp, DynamicPadOp>([](Operation *op) {
        if (failed(checkEqual(op, "C1", op->getOperand(0).getType(),
                              op->getOperand(1).getType())))
          return failure();
        return checkEqual(op, "C1", op->getOperand(0).getType(),
                          op->getResultTypes());
      })
      .Case<DynamicUpdateSliceOp>([](DynamicUpdateSliceOp op) {
        if (failed(
                checkEqual(op, "C1", op.getOperand().getType(), op.getType())))
          return failure();
        return checkEqual(op, "C2", op.getOperand().getType(),
                          op.getUpdate().getType());
      })
      .Case<BroadcastOp, DynamicSliceOp, RealDynamicSliceOp, ReverseOp,
            SetDimensionSizeOp, SliceOp, TorchIndexSelectOp>([](Operation *op) {
        return checkEqual(op, "C1", op->getOperand(0).getType(),
                          op->getResultTypes());
      })
      .Case<OptimizationBarrierOp>([](Operation *op) -> LogicalResult {
        for (auto [from, to] :
             llvm::zip(op->getOperandTypes(), op->getResultTypes()))
          if (failed(checkEqual(op, "C1", from, to)))
            return failure();
        return success();
      })
      .Case<GatherOp, DynamicGatherOp>([](Operation *op) {
        return checkEqual(op, "C23", op->getOperand(0).getType(),
                          op->getResultTypes());
      })
      .Case<UniformDequantizeOp>([](UniformDequantizeOp op) -> LogicalResult {
        Type expected =
            quantizedOf(op.getOperand().getType()).getExpressedType();
        if (getElementTypeOrSelf(op.getType()) == expected)
          return success();
        return op.emitOpError() << "C2: found result " << op.getType()
                                << ", expected elements " << expected;
      })
      .Case<ConvertOp>([](ConvertOp op) -> LogicalResult {
        return op.emitOpError()
               << "I1: found " << op.getOperand().getType() << " to "
               << op.getType()
               << ", expected uniform_quantize or uniform_dequantize for "
                  "quantized tensors";
      })
      .Default(success());
}

LogicalResult verifyQuantization(Operation *op) {
  auto isQuantized = [](Type type) { return bool(quantizedOf(type)); };
  if (llvm::none_of(op->getOperandTypes(), isQuantized) &&
      llvm::none_of(op->getResultTypes(), isQuantized))
    return success();
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (failed(checkType(op, type)))
        return failure();
  if (failed(refuseScalesAlongAxis(op)))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](AddOp op) { return checkAdd(op); })
      .Case([](DotGeneralOp op) {
        return checkDot(
            op, op.getDotDimensionNumbers().getRhsContractingDimensions());
      })
      .Case([](DotOp op) { return checkDot(op, {0}); })
      .Case<ConvolutionOp, DynamicConvOp>([](auto op) {
        return checkConvolution(op, op.getDimensionNumbers());
      })
      .Case<ReshapeOp, DynamicReshapeOp>(
          [](Operation *op) { return checkReshape(op); })
      .Case<BroadcastInDimOp, DynamicBroadcastInDimOp>([](auto op) {
        return checkBroadcast(op, op.getBroadcastDimensions());
      })
      .Case([](TransposeOp op) { return checkTranspose(op); })
      .Default([](Operation *op) { return checkOthers(op); });
}

} // namespace ferrule::stablehlo
