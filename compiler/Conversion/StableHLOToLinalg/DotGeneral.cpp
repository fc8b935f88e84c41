// dot_general and dot: a generic with a multiply-add body.
#include "compiler/Conversion/StableHLOToLinalg/MultiplyAdd.h"

using namespace mlir;

namespace ferrule::lowering {

Type accumulatorType(Type element) {
  auto floatType = dyn_cast<FloatType>(element);
  if (floatType && floatType.getWidth() < 32)
    return Float32Type::get(element.getContext());
  // Sums of narrow integers wrap as bytes do; their upper bits go at the end.
  if (isNarrowInteger(element))
    return IntegerType::get(element.getContext(), 8,
                            cast<IntegerType>(element).getSignedness());
  return element;
}

static Value multiplyAdd(OpBuilder &b, Location loc, ValueRange args, Type lhs,
                  Type rhs, Type accumulator) {
  Value x = emitConvert(b, loc, args[0], lhs, accumulator);
  Value y = emitConvert(b, loc, args[1], rhs, accumulator);
  if (isa<ComplexType>(accumulator))
    return complex::AddOp::create(b, loc, args[2],
                                  complex::MulOp::create(b, loc, x, y));
  if (isa<FloatType>(accumulator))
    return arith::AddFOp::create(b, loc, args[2],
                                 arith::MulFOp::create(b, loc, x, y));
  if (accumulator.isInteger(1))
    return arith::OrIOp::create(b, loc, args[2],
                                arith::AndIOp::create(b, loc, x, y));
  return arith::AddIOp::create(b, loc, args[2],
                               arith::MulIOp::create(b, loc, x, y));
}

Value convertElements(OpBuilder &b, Location loc, Value tensor, Type from,
                      Type to) {
  if (from == to)
    return tensor;
  Value out =
      emptyTensor(b, loc, sizesOf(b, loc, tensor), getStoredElement(to));
  auto map = b.getMultiDimIdentityMap(rankOf(tensor));
  return parallelGeneric(b, loc, tensor, map, out,
                         [&](OpBuilder &nested, ValueRange args) {
                           return SmallVector<Value>{
                               emitConvert(nested, loc, args[0], from, to)};
                         })
      .getResult(0);
}

Value multiplyAddGeneric(OpBuilder &b, Location loc, Value lhs, Value rhs,
                         const Sizes &sizes, ArrayRef<AffineMap> maps,
                         ArrayRef<utils::IteratorType> loops,
                         const ProductTypes &types) {
  Type accumulator = accumulatorType(types.result);
  Type stored = getStoredElement(accumulator);
  Value zero = getConstant(b, loc, stored, 0);
  Value init = filledTensor(b, loc, sizes, zero);
  auto generic = linalg::GenericOp::create(
      b, loc, init.getType(), ValueRange{lhs, rhs}, init, maps, loops,
      [&](OpBuilder &body, Location, ValueRange args) {
        linalg::YieldOp::create(body, loc,
                                multiplyAdd(body, loc, args, types.lhs,
                                            types.rhs, accumulator));
      });
  return convertElements(b, loc, generic.getResult(0), accumulator,
                         types.result);
}

namespace {

struct Dot {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
};

/// Loops: batching, free of lhs, free of rhs (the result's dimensions), then
/// contracting.
struct DotBuilder {
  OpBuilder &b;
  Location loc;
  Value lhs, rhs;
  const Dot &dot;

  Value build(const ProductTypes &types) {
    SmallVector<AffineExpr> x(rankOf(lhs)), y(rankOf(rhs));
    Sizes sizes;
    int64_t next = 0;
    auto loop = [&] { return b.getAffineDimExpr(next++); };
    for (auto [l, r] : llvm::zip(dot.lhsBatch, dot.rhsBatch)) {
      x[l] = y[r] = loop();
      OpFoldResult size = tensor::getMixedSize(b, loc, lhs, l);
      if (!tensorType(rhs).isDynamicDim(r))
        size = tensor::getMixedSize(b, loc, rhs, r);
      sizes.push_back(size);
    }
    for (auto [i, expr] : llvm::enumerate(x))
      if (!expr && !llvm::is_contained(dot.lhsContract, i)) {
        expr = loop();
        sizes.push_back(tensor::getMixedSize(b, loc, lhs, i));
      }
    for (auto [i, expr] : llvm::enumerate(y))
      if (!expr && !llvm::is_contained(dot.rhsContract, i)) {
        expr = loop();
        sizes.push_back(tensor::getMixedSize(b, loc, rhs, i));
      }
    int64_t rank = next;
    for (auto [l, r] : llvm::zip(dot.lhsContract, dot.rhsContract))
      x[l] = y[r] = loop();
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    loops.append(next - rank, utils::IteratorType::reduction);
    MLIRContext *context = b.getContext();
    SmallVector<AffineMap> maps = {
        AffineMap::get(next, 0, x, context), AffineMap::get(next, 0, y, context),
        firstLoops(context, next, rank)};
    return multiplyAddGeneric(b, loc, lhs, rhs, sizes, maps, loops, types);
  }
};

template <typename OpT> struct DotLowering : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;

  static Dot readDims(stablehlo::DotGeneralOp op) {
    auto dims = op.getDotDimensionNumbers();
    return {llvm::to_vector(dims.getLhsBatchingDimensions()),
            llvm::to_vector(dims.getRhsBatchingDimensions()),
            llvm::to_vector(dims.getLhsContractingDimensions()),
            llvm::to_vector(dims.getRhsContractingDimensions())};
  }
  static Dot readDims(stablehlo::DotOp op) {
    return {{}, {}, {rankOf(op.getLhs()) - 1}, {0}};
  }

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type =
        resultType(this->getTypeConverter(), op.getResult());
    if (!type)
      return rewriter.notifyMatchFailure(op, "quantized product");
    Dot dot = readDims(op);
    Location loc = op.getLoc();
    DotBuilder builder{rewriter, loc, adaptor.getLhs(), adaptor.getRhs(), dot};
    Value result = builder.build(
        {getElementTypeOrSelf(op.getLhs().getType()),
         getElementTypeOrSelf(op.getRhs().getType()),
         getElementTypeOrSelf(op.getResult().getType())});
    rewriter.replaceOp(op, castTo(rewriter, loc, result, type));
    return success();
  }
};

/// Loops of an Einstein summation: one a letter, those of the result first.
struct EinsumLoops {
  SmallVector<char> letters;

  AffineMap map(StringRef subscripts, MLIRContext *context) {
    SmallVector<AffineExpr> exprs;
    for (char letter : subscripts)
      exprs.push_back(
          getAffineDimExpr(llvm::find(letters, letter) - letters.begin(),
                           context));
    return AffineMap::get(letters.size(), 0, exprs, context);
  }
  void add(StringRef subscripts) {
    for (char letter : subscripts)
      if (!llvm::is_contained(letters, letter))
        letters.push_back(letter);
  }
};

struct EinsumLowering : OpConversionPattern<stablehlo::EinsumOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::EinsumOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto [inputs, result] = op.getEinsumConfig().split("->");
    auto [lhs, rhs] = inputs.split(',');
    if (op.getEinsumConfig().contains('.') || rhs.empty())
      return rewriter.notifyMatchFailure(op, "ellipsis or missing operand");
    EinsumLoops loops;
    loops.add(result);
    size_t kept = loops.letters.size();
    loops.add(lhs);
    loops.add(rhs);
    Sizes sizes;
    for (char letter : result) {
      bool inLhs = lhs.contains(letter);
      sizes.push_back(tensor::getMixedSize(
          rewriter, loc, inLhs ? adaptor.getLhs() : adaptor.getRhs(),
          (inLhs ? lhs : rhs).find(letter)));
    }
    SmallVector<utils::IteratorType> iterators(kept,
                                               utils::IteratorType::parallel);
    iterators.append(loops.letters.size() - kept,
                     utils::IteratorType::reduction);
    MLIRContext *context = op.getContext();
    Value value = multiplyAddGeneric(
        rewriter, loc, adaptor.getLhs(), adaptor.getRhs(), sizes,
        {loops.map(lhs, context), loops.map(rhs, context),
         loops.map(result, context)},
        iterators,
        {getElementTypeOrSelf(op.getLhs().getType()),
         getElementTypeOrSelf(op.getRhs().getType()),
         getElementTypeOrSelf(op.getResult().getType())});
    rewriter.replaceOp(
        op, castTo(rewriter, loc, value,
                   resultType(getTypeConverter(), op.getResult())));
    return success();
  }
};

} // namespace

void addDotPatterns(Converter &converter, Patterns &patterns) {
  patterns.add<DotLowering<stablehlo::DotGeneralOp>,
               DotLowering<stablehlo::DotOp>, EinsumLowering>(
      converter, patterns.getContext());
}

} // namespace ferrule::lowering
