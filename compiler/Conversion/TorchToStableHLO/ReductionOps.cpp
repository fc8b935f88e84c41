// Reductions and scans.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Frontend/Support/Scan.h"
#include <cmath>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

using Reduce = Value (*)(HloBuilder &, Value, Dims, bool);

/// In the result's element type, over `dim` (all dimensions when missing).
template <Reduce function> static void reduceOp(OpLowering &x) {
  Value self = x.tensor("self", x.resultElement());
  x.give(function(x.b, self, x.dims("dim", rankOf(self)), x.flag("keepdim")));
}

/// On what is not zero.
template <Reduce function> static void booleanOp(OpLowering &x) {
  Value self = x.tensor("self", x.b.getI1Type());
  x.give(function(x.b, self, x.dims("dim", rankOf(self)), x.flag("keepdim")));
}

template <bool greatest> static void extremumDimOp(OpLowering &x) {
  Value self = x.tensor("self");
  int64_t dim = x.dim("dim", rankOf(self));
  bool keepDim = x.flag("keepdim");
  Value value = greatest ? reduceMax(x.b, self, {dim}, keepDim)
                         : reduceMin(x.b, self, {dim}, keepDim);
  Value index;
  if (!x.op->getResult(1).use_empty())
    index = argExtremum(x.b, self, dim, greatest, keepDim);
  x.give({value, index});
}

template <bool greatest> static void argOp(OpLowering &x) {
  Value self = x.tensor("self");
  bool keepDim = x.flag("keepdim");
  if (x.has("dim"))
    return x.give(
        argExtremum(x.b, self, x.dim("dim", rankOf(self)), greatest, keepDim));
  Value flat = reshape(x.b, self, {-1});
  Value index = argExtremum(x.b, flat, 0, greatest, false);
  if (keepDim)
    index = reshape(x.b, index, Sizes(rankOf(self), Size(1)));
  x.give(index);
}

static void aminmaxOp(OpLowering &x) {
  Value self = x.tensor("self");
  auto dims = x.dims("dim", rankOf(self));
  bool keepDim = x.flag("keepdim");
  x.give({reduceMin(x.b, self, dims, keepDim),
          reduceMax(x.b, self, dims, keepDim)});
}

/// Variance or deviation; `correction`, or `unbiased` in older overloads.
template <bool root>
static Value spread(OpLowering &x, Value self, ArrayRef<int64_t> dims) {
  double correction =
      x.has("unbiased") ? x.flag("unbiased") : x.number("correction", 1);
  Value result = reduceVariance(x.b, self, dims, correction, x.flag("keepdim"));
  return root ? sqrt(x.b, result) : result;
}

template <bool root> static void varianceOp(OpLowering &x) {
  Value self = x.tensor("self");
  if (!isa<mlir::ComplexType>(elementOf(self)))
    self = convert(x.b, self, computeType(x.resultElement()));
  x.give(spread<root>(x, self, x.dims("dim", rankOf(self))));
}

template <bool root> static void varianceMeanOp(OpLowering &x) {
  // Of complex numbers the variance is real and the mean is not.
  Value self = x.tensor("self", computeType(x.resultElement(1)));
  auto dims = x.dims("dim", rankOf(self));
  x.give({spread<root>(x, self, dims),
          reduceMean(x.b, self, dims, x.flag("keepdim"))});
}

static void normOp(OpLowering &x) {
  Value self = x.tensor("self");
  if (!isa<mlir::ComplexType>(elementOf(self)))
    self = convert(x.b, self, computeType(x.resultElement()));
  double p = x.has("ord") ? x.number("ord") : x.number("p", 2);
  x.give(
      reduceNorm(x.b, self, p, x.dims("dim", rankOf(self)), x.flag("keepdim")));
}

static void countNonzeroOp(OpLowering &x) {
  Value self = x.tensor("self", x.b.getI1Type());
  Value counts = convert(x.b, self, x.b.getI64Type());
  x.give(reduceSum(x.b, counts, x.dims("dim", rankOf(self)), false));
}

static Value zeroNaN(HloBuilder &b, Value value) {
  if (!isa<mlir::FloatType>(elementOf(value)))
    return value;
  return select(b, isNaN(b, value), fullLike(b, value, 0), value);
}

static void nansumOp(OpLowering &x) {
  Value self = zeroNaN(x.b, x.tensor("self", x.resultElement()));
  x.give(reduceSum(x.b, self, x.dims("dim", rankOf(self)), x.flag("keepdim")));
}

static void nanmeanOp(OpLowering &x) {
  Type element = computeType(x.resultElement());
  Value self = x.tensor("self", element);
  auto dims = x.dims("dim", rankOf(self));
  bool keepDim = x.flag("keepdim");
  Value numbers = convert(x.b, logicalNot(x.b, isNaN(x.b, self)), element);
  x.give(div(x.b, reduceSum(x.b, zeroNaN(x.b, self), dims, keepDim),
             reduceSum(x.b, numbers, dims, keepDim)));
}

using Cumulate = Value (*)(HloBuilder &, Value, int64_t, bool, bool);
template <Cumulate function> static void cumulateOp(OpLowering &x) {
  Value self = x.tensor("self", x.resultElement());
  x.give(function(x.b, self, x.dim("dim", rankOf(self)), false, false));
}

static void logCumulateOp(OpLowering &x) {
  Value self = x.tensor("self", computeType(x.resultElement()));
  x.give(cumulativeLogSumExp(x.b, self, x.dim("dim", rankOf(self))));
}

template <bool greatest> static void cumulativeExtremumOp(OpLowering &x) {
  Value self = x.tensor("self");
  auto [values, places] =
      cumulativeExtremum(x.b, self, x.dim("dim", rankOf(self)), greatest);
  x.give({values, places});
}

static const LoweringEntry entries[] = {
    {"aten.sum", reduceOp<reduceSum>},
    {"aten.sum.dim_IntList", reduceOp<reduceSum>},
    {"aten.mean", reduceOp<reduceMean>},
    {"aten.mean.dim", reduceOp<reduceMean>},
    {"aten.prod", reduceOp<reduceProd>},
    {"aten.prod.dim_int", reduceOp<reduceProd>},
    {"aten.amax", reduceOp<reduceMax>},
    {"aten.amin", reduceOp<reduceMin>},
    {"aten.max", reduceOp<reduceMax>},
    {"aten.min", reduceOp<reduceMin>},
    {"aten.logsumexp", reduceOp<reduceLogSumExp>},
    {"aten.any", booleanOp<reduceAny>},
    {"aten.any.dim", booleanOp<reduceAny>},
    {"aten.any.dims", booleanOp<reduceAny>},
    {"aten.all", booleanOp<reduceAll>},
    {"aten.all.dim", booleanOp<reduceAll>},
    {"aten.all.dims", booleanOp<reduceAll>},
    {"aten.max.dim", extremumDimOp<true>},
    {"aten.min.dim", extremumDimOp<false>},
    {"aten.argmax", argOp<true>},
    {"aten.argmin", argOp<false>},
    {"aten.aminmax", aminmaxOp},
    {"aten.var", varianceOp<false>},
    {"aten.var.dim", varianceOp<false>},
    {"aten.var.correction", varianceOp<false>},
    {"aten.std", varianceOp<true>},
    {"aten.std.dim", varianceOp<true>},
    {"aten.std.correction", varianceOp<true>},
    {"aten.var_mean", varianceMeanOp<false>},
    {"aten.var_mean.dim", varianceMeanOp<false>},
    {"aten.var_mean.correction", varianceMeanOp<false>},
    {"aten.std_mean", varianceMeanOp<true>},
    {"aten.std_mean.dim", varianceMeanOp<true>},
    {"aten.std_mean.correction", varianceMeanOp<true>},
    {"aten.linalg_vector_norm", normOp},
    {"aten.norm.Scalar", normOp},
    {"aten.norm.ScalarOpt_dim", normOp},
    {"aten.norm.ScalarOpt_dtype", normOp},
    {"aten.norm.ScalarOpt_dim_dtype", normOp},
    {"aten.count_nonzero", countNonzeroOp},
    {"aten.count_nonzero.dim_IntList", countNonzeroOp},
    {"aten.nansum", nansumOp},
    {"aten.nanmean", nanmeanOp},
    {"aten.cumsum", cumulateOp<cumulativeSum>},
    {"aten.cumprod", cumulateOp<cumulativeProduct>},
    {"aten.logcumsumexp", logCumulateOp},
    {"aten._logcumsumexp", logCumulateOp},
    {"aten.cummax", cumulativeExtremumOp<true>},
    {"aten.cummin", cumulativeExtremumOp<false>},
};

void torch::addReductionLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
