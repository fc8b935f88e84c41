// while, if and case -> scf; values that only pass through.
#include "compiler/Conversion/StableHLOToLinalg/Patterns.h"

using namespace mlir;

namespace ferrule::lowering {

static SmallVector<Value> castAll(OpBuilder &b, Location loc, ValueRange values,
                                  TypeRange types) {
  SmallVector<Value> result;
  for (auto [value, type] : llvm::zip(values, types))
    result.push_back(castTo(b, loc, value, type));
  return result;
}

namespace {

/// stablehlo.return -> the terminator of the scf op around it.
struct ReturnLowering : OpConversionPattern<stablehlo::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::ReturnOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Operation *parent = op->getParentOp();
    Location loc = op.getLoc();
    if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      bool isCondition = op->getParentRegion() == &loop.getBefore();
      if (isCondition) {
        Value proceed =
            extractScalar(rewriter, loc, adaptor.getOperands().front());
        SmallVector<Value> values = castAll(
            rewriter, loc, loop.getBeforeArguments(), loop.getResultTypes());
        rewriter.replaceOpWithNewOp<scf::ConditionOp>(op, proceed, values);
        return success();
      }
    } else if (!isa<scf::IfOp>(parent)) {
      return rewriter.notifyMatchFailure(op, "not in structured control flow");
    }
    TypeRange types = parent->getResultTypes();
    if (auto loop = dyn_cast<scf::WhileOp>(parent))
      types = loop.getInits().getTypes();
    rewriter.replaceOpWithNewOp<scf::YieldOp>(
        op, castAll(rewriter, loc, adaptor.getOperands(), types));
    return success();
  }
};

struct WhileLowering : OpConversionPattern<stablehlo::WhileOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::WhileOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return rewriter.notifyMatchFailure(op, "carried type has no lowering");
    Location loc = op.getLoc();
    SmallVector<Value> inits =
        castAll(rewriter, loc, adaptor.getOperands(), types);
    auto loop = scf::WhileOp::create(rewriter, loc, types, inits);
    for (auto [from, to] :
         {std::pair<Region *, Region *>(&op.getCond(), &loop.getBefore()),
          {&op.getBody(), &loop.getAfter()}}) {
      rewriter.inlineRegionBefore(*from, *to, to->end());
      if (failed(rewriter.convertRegionTypes(to, *getTypeConverter())))
        return failure();
    }
    rewriter.replaceOp(op, loop.getResults());
    return success();
  }
};

struct IfLowering : OpConversionPattern<stablehlo::IfOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::IfOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return rewriter.notifyMatchFailure(op, "result type has no lowering");
    Location loc = op.getLoc();
    Value condition = extractScalar(rewriter, loc, adaptor.getPred());
    auto choice = scf::IfOp::create(rewriter, loc, types, condition,
                                    /*addThenBlock=*/false,
                                    /*addElseBlock=*/false);
    rewriter.inlineRegionBefore(op.getTrueBranch(), choice.getThenRegion(),
                                choice.getThenRegion().end());
    rewriter.inlineRegionBefore(op.getFalseBranch(), choice.getElseRegion(),
                                choice.getElseRegion().end());
    rewriter.replaceOp(op, choice.getResults());
    return success();
  }
};

/// case -> a chain of scf.if; the last branch is for every other index.
struct CaseLowering : OpConversionPattern<stablehlo::CaseOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::CaseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return rewriter.notifyMatchFailure(op, "result type has no lowering");
    Location loc = op.getLoc();
    MutableArrayRef<Region> branches = op.getBranches();
    Value index = extractScalar(rewriter, loc, adaptor.getIndex());
    scf::IfOp outermost;
    for (size_t i = 0; i + 1 < branches.size() || i == 0; ++i) {
      bool only = branches.size() == 1;
      Value matches =
          arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, index,
                                getConstant(rewriter, loc, index.getType(), i));
      if (only)
        matches = arith::ConstantIntOp::create(rewriter, loc, 1, 1);
      auto choice = scf::IfOp::create(rewriter, loc, types, matches,
                                      /*addThenBlock=*/false,
                                      /*addElseBlock=*/false);
      if (outermost)
        scf::YieldOp::create(rewriter, loc, choice.getResults());
      else
        outermost = choice;
      Region &onTrue = choice.getThenRegion();
      Region &onFalse = choice.getElseRegion();
      if (only) {
        rewriter.cloneRegionBefore(branches[i], onTrue, onTrue.end());
        rewriter.inlineRegionBefore(branches[i], onFalse, onFalse.end());
        break;
      }
      rewriter.inlineRegionBefore(branches[i], onTrue, onTrue.end());
      if (i + 2 == branches.size())
        rewriter.inlineRegionBefore(branches[i + 1], onFalse, onFalse.end());
      else
        rewriter.createBlock(&onFalse);
    }
    rewriter.replaceOp(op, outermost.getResults());
    return success();
  }
};

struct BarrierLowering : OpConversionPattern<stablehlo::OptimizationBarrierOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::OptimizationBarrierOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getOperands());
    return success();
  }
};

/// Tokens order effects; the order of ops does so already.
template <typename OpT> struct TokenLowering : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = RankedTensorType::get({}, rewriter.getI1Type());
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, DenseElementsAttr::get(type, false));
    return success();
  }
};

/// get_tuple_element(tuple(...)) -> the value.
struct GetTupleElementLowering
    : OpConversionPattern<stablehlo::GetTupleElementOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(stablehlo::GetTupleElementOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto tuple = op.getOperand().getDefiningOp<stablehlo::TupleOp>();
    if (!tuple)
      return rewriter.notifyMatchFailure(op, "the tuple is not made here");
    rewriter.replaceOp(
        op, rewriter.getRemappedValue(tuple->getOperand(op.getIndex())));
    return success();
  }
};

} // namespace

void addControlFlowPatterns(Converter &converter, Patterns &patterns) {
  patterns
      .add<ReturnLowering, WhileLowering, IfLowering, CaseLowering,
           BarrierLowering, TokenLowering<stablehlo::AfterAllOp>,
           TokenLowering<stablehlo::CreateTokenOp>, GetTupleElementLowering>(
          converter, patterns.getContext());
}

} // namespace ferrule::lowering
