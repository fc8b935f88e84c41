// cholesky and triangular_solve -> ferrule ops.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"
#include "compiler/Dialect/Ferrule/IR/Ferrule.h"

using namespace mlir;

namespace ferrule::lowering {

namespace {

struct CholeskyLowering : OpConversionPattern<stablehlo::CholeskyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::CholeskyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value a = adaptor.getA();
    Value out = emptyTensor(rewriter, loc, sizesOf(rewriter, loc, a),
                            tensorType(a).getElementType());
    auto factor = ext::CholeskyOp::create(rewriter, loc, out.getType(), a, out,
                                          /*upper=*/!op.getLower());
    rewriter.replaceOp(
        op, castTo(rewriter, loc, factor.getResult(0),
                   resultType(getTypeConverter(), op.getResult())));
    return success();
  }
};

struct TriangularSolveLowering
    : OpConversionPattern<stablehlo::TriangularSolveOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::TriangularSolveOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value right = adaptor.getB();
    Value out = emptyTensor(rewriter, loc, sizesOf(rewriter, loc, right),
                            tensorType(right).getElementType());
    using Transpose = stablehlo::Transpose;
    bool adjoint = op.getTransposeA() == Transpose::ADJOINT;
    bool transpose = adjoint || op.getTransposeA() == Transpose::TRANSPOSE;
    auto solve = ext::TriangularSolveOp::create(
        rewriter, loc, TypeRange{out.getType()},
        ValueRange{adaptor.getA(), right}, ValueRange{out},
        /*right=*/!op.getLeftSide(), /*upper=*/!op.getLower(),
        op.getUnitDiagonal(), transpose, /*conjugate=*/adjoint);
    rewriter.replaceOp(
        op, castTo(rewriter, loc, solve.getResult(0),
                   resultType(getTypeConverter(), op.getResult())));
    return success();
  }
};

} // namespace

void addLinearAlgebraPatterns(Converter &converter, Patterns &patterns) {
  patterns.add<CholeskyLowering, TriangularSolveLowering>(
      converter, patterns.getContext());
}

} // namespace ferrule::lowering
