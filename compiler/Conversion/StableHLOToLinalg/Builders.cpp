#include "compiler/Conversion/StableHLOToLinalg/Builders.h"
#include "compiler/Conversion/StableHLOToLinalg/Scalars.h"
#include "mlir/Dialect/Affine/Utils.h"

using namespace mlir;

namespace ferrule::lowering {

/// Without signedness; of the same width.
static Type toSignless(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? IntegerType::get(type.getContext(), integer.getWidth())
                 : type;
}

Type getStoredElement(Type element) {
  if (isSmallFloat(element) || isNarrowInteger(element))
    return IntegerType::get(element.getContext(), 8);
  return toSignless(element);
}

Value indexConstant(OpBuilder &b, Location loc, int64_t v) {
  return arith::ConstantIndexOp::create(b, loc, v);
}

Value getConstant(OpBuilder &b, Location loc, Type type, double value) {
  if (isSmallFloat(type)) {
    llvm::APFloat small(value);
    bool lost;
    small.convert(cast<FloatType>(type).getFloatSemantics(),
                  llvm::APFloat::rmNearestTiesToEven, &lost);
    return intConstant(b, loc, b.getI8Type(), small.bitcastToAPInt().zext(8));
  }
  type = toSignless(type);
  if (auto complexType = dyn_cast<ComplexType>(type)) {
    Type part = complexType.getElementType();
    auto parts = b.getArrayAttr(
        {b.getFloatAttr(part, value), b.getFloatAttr(part, 0.0)});
    return complex::ConstantOp::create(b, loc, type, parts);
  }
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  return arith::ConstantOp::create(
      b, loc, b.getIntegerAttr(type, static_cast<int64_t>(value)));
}

Value intConstant(OpBuilder &b, Location loc, Type type, const APInt &value) {
  type = toSignless(type);
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
}

Value castTo(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(b, loc, type, value);
}

Sizes sizesOf(OpBuilder &b, Location loc, Value tensor) {
  return tensor::getMixedSizes(b, loc, tensor);
}

Value toIndex(OpBuilder &b, Location loc, Value value, bool isUnsigned) {
  if (value.getType().isIndex())
    return value;
  if (isUnsigned)
    return b.createOrFold<arith::IndexCastUIOp>(loc, b.getIndexType(), value);
  return b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), value);
}

Value toValue(OpBuilder &b, Location loc, OpFoldResult size) {
  return getValueOrCreateConstantIndexOp(b, loc, size);
}

Value extractIndex(OpBuilder &b, Location loc, Value tensor, int64_t i) {
  Value at = indexConstant(b, loc, i);
  return toIndex(b, loc, tensor::ExtractOp::create(b, loc, tensor, at));
}

Value extractScalar(OpBuilder &b, Location loc, Value tensor) {
  return tensor::ExtractOp::create(b, loc, tensor, ValueRange());
}

Sizes sizesFromShape(OpBuilder &b, Location loc, Value shape,
                     RankedTensorType type) {
  Sizes sizes;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (type.isDynamicDim(i))
      sizes.push_back(extractIndex(b, loc, shape, i));
    else
      sizes.push_back(b.getIndexAttr(type.getDimSize(i)));
  }
  return sizes;
}

OpFoldResult affineIndex(OpBuilder &b, Location loc, AffineExpr expr,
                         ArrayRef<OpFoldResult> operands) {
  AffineMap map = AffineMap::get(operands.size(), 0, expr);
  SmallVector<Attribute> constants;
  for (OpFoldResult operand : operands)
    constants.push_back(dyn_cast<Attribute>(operand));
  SmallVector<Attribute> folded;
  if (llvm::all_of(constants, [](Attribute a) { return bool(a); }) &&
      succeeded(map.constantFold(constants, folded)))
    return folded[0];
  SmallVector<Value> values;
  for (OpFoldResult operand : operands)
    values.push_back(toValue(b, loc, operand));
  // Plain arith, not affine.apply: the entry function's scalars are arith.
  return affine::expandAffineExpr(b, loc, expr, values, {});
}

OpFoldResult addIndices(OpBuilder &b, Location loc, OpFoldResult x,
                        OpFoldResult y) {
  if (isConstantIntValue(x, 0))
    return y;
  if (isConstantIntValue(y, 0))
    return x;
  return affineIndex(b, loc, b.getAffineDimExpr(0) + b.getAffineDimExpr(1),
                     {x, y});
}

OpFoldResult subIndices(OpBuilder &b, Location loc, OpFoldResult x,
                        OpFoldResult y) {
  if (isConstantIntValue(y, 0))
    return x;
  auto cx = getConstantIntValue(x), cy = getConstantIntValue(y);
  if (cx && cy)
    return b.getIndexAttr(*cx - *cy);
  return arith::SubIOp::create(b, loc, toValue(b, loc, x), toValue(b, loc, y))
      .getResult();
}

OpFoldResult mulIndices(OpBuilder &b, Location loc, OpFoldResult x,
                        OpFoldResult y) {
  if (isConstantIntValue(x, 1))
    return y;
  if (isConstantIntValue(y, 1))
    return x;
  auto cx = getConstantIntValue(x), cy = getConstantIntValue(y);
  if (cx && cy)
    return b.getIndexAttr(*cx * *cy);
  return arith::MulIOp::create(b, loc, toValue(b, loc, x), toValue(b, loc, y))
      .getResult();
}

Value emptyTensor(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes,
                  Type element) {
  return tensor::EmptyOp::create(b, loc, sizes, element);
}

Value filledTensor(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes,
                   Value scalar) {
  Value empty = emptyTensor(b, loc, sizes, scalar.getType());
  return linalg::FillOp::create(b, loc, scalar, empty).getResult(0);
}

/// AffineMap's own functions give a null map for no results.
static AffineMap someLoops(MLIRContext *context, int64_t loops, int64_t from,
                           int64_t to) {
  SmallVector<AffineExpr> exprs;
  for (int64_t i = from; i < to; ++i)
    exprs.push_back(getAffineDimExpr(i, context));
  return AffineMap::get(loops, 0, exprs, context);
}

AffineMap firstLoops(MLIRContext *context, int64_t loops, int64_t count) {
  return someLoops(context, loops, 0, count);
}

AffineMap lastLoops(MLIRContext *context, int64_t loops, int64_t count) {
  return someLoops(context, loops, loops - count, loops);
}

linalg::GenericOp parallelGeneric(OpBuilder &b, Location loc,
                                  ValueRange inputs,
                                  ArrayRef<AffineMap> inputMaps,
                                  ValueRange outs, BodyFunction body) {
  int64_t rank = rankOf(outs.front());
  SmallVector<AffineMap> maps(inputMaps);
  maps.append(outs.size(), b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      b, loc, outs.getTypes(), inputs, outs, maps, loops,
      [&](OpBuilder &nested, Location nestedLoc, ValueRange args) {
        SmallVector<Value> results = body(nested, args);
        linalg::YieldOp::create(nested, nestedLoc, results);
      });
}

Value reshapeThroughVector(OpBuilder &b, Location loc, Value tensor,
                           const Sizes &sizes, RankedTensorType type) {
  int64_t rank = rankOf(tensor);
  Value vector = tensor;
  if (rank > 1) {
    ReassociationIndices all = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    vector = tensor::CollapseShapeOp::create(
        b, loc, tensor, SmallVector<ReassociationIndices>{all});
  } else if (rank == 0) {
    auto one = RankedTensorType::get({1}, type.getElementType());
    vector = tensor::ExpandShapeOp::create(b, loc, one, tensor,
                                           SmallVector<ReassociationIndices>());
  }
  if (type.getRank() == 1)
    return castTo(b, loc, vector, type);
  if (type.getRank() == 0) {
    auto one = RankedTensorType::get({1}, type.getElementType());
    return tensor::CollapseShapeOp::create(
        b, loc, type, castTo(b, loc, vector, one),
        SmallVector<ReassociationIndices>());
  }
  // A static target needs a static vector.
  if (type.hasStaticShape())
    vector = castTo(b, loc, vector,
                    RankedTensorType::get({type.getNumElements()},
                                          type.getElementType()));
  else if (!tensorType(vector).isDynamicDim(0))
    vector = castTo(b, loc, vector,
                    RankedTensorType::get({ShapedType::kDynamic},
                                          type.getElementType()));
  ReassociationIndices all =
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  return tensor::ExpandShapeOp::create(
      b, loc, type, vector, SmallVector<ReassociationIndices>{all}, sizes);
}

} // namespace ferrule::lowering
