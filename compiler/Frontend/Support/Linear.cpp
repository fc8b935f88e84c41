#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

Value frontend::contract(HloBuilder &b, Value x, Value y,
                         ArrayRef<int64_t> xBatch, ArrayRef<int64_t> yBatch,
                         ArrayRef<int64_t> xContract,
                         ArrayRef<int64_t> yContract, Type element) {
  SmallVector<int64_t> shape;
  RankedTensorType left = typeOf(x), right = typeOf(y);
  for (auto [l, r] : llvm::zip(xBatch, yBatch))
    shape.push_back(left.isDynamicDim(l) ? right.getDimSize(r)
                                         : left.getDimSize(l));
  auto addFree = [&](RankedTensorType type, ArrayRef<int64_t> batch,
                     ArrayRef<int64_t> contracted) {
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (!llvm::is_contained(batch, dim) &&
          !llvm::is_contained(contracted, dim))
        shape.push_back(type.getDimSize(dim));
  };
  addFree(left, xBatch, xContract);
  addFree(right, yBatch, yContract);
  auto type =
      RankedTensorType::get(shape, element ? element : left.getElementType());
  return stablehlo::DotGeneralOp::create(
      b, type, x, y,
      stablehlo::DotDimensionNumbersAttr::get(b.getContext(), xBatch, yBatch,
                                              xContract, yContract));
}

/// Batch dimensions of both operands broadcast against each other.
static void broadcastBatch(HloBuilder &b, Value &x, Value &y) {
  int64_t rank = std::max(rankOf(x), rankOf(y));
  x = padRank(b, x, rank);
  y = padRank(b, y, rank);
  // Only the leading sizes take part; the matrices keep their own.
  Sizes xSizes = sizesOf(b, x), ySizes = sizesOf(b, y);
  for (int64_t dim = 0; dim < rank - 2; ++dim) {
    Size l = xSizes[dim], r = ySizes[dim], size = l;
    if (l.is(1) || (r.isStatic() && !r.is(1)))
      size = r;
    else if (!l.isStatic() && !r.isStatic() && !b.unknownSizesAgree)
      size = orElse(b, l, 1, r);
    xSizes[dim] = ySizes[dim] = size;
  }
  x = broadcastTo(b, x, xSizes);
  y = broadcastTo(b, y, ySizes);
}

Value frontend::matmul(HloBuilder &b, Value x, Value y, Type element) {
  int64_t xRank = rankOf(x), yRank = rankOf(y);
  // The right operand has no batch: one big product, no broadcast.
  if (yRank <= 2) {
    int64_t contracted = yRank == 2 ? 0 : yRank - 1;
    return contract(b, x, y, {}, {}, {xRank - 1}, {contracted}, element);
  }
  // A vector on the left is one row, taken away again afterwards.
  if (xRank == 1)
    return squeeze(b, matmul(b, unsqueeze(b, x, {0}), y, element), {yRank - 2});
  broadcastBatch(b, x, y);
  int64_t rank = rankOf(x);
  auto batch = llvm::to_vector(llvm::seq<int64_t>(0, rank - 2));
  return contract(b, x, y, batch, batch, {rank - 1}, {rank - 2}, element);
}

Value frontend::linear(HloBuilder &b, Value x, Value weight, Value bias) {
  Value product =
      contract(b, x, weight, {}, {}, {rankOf(x) - 1}, {rankOf(weight) - 1});
  return bias ? add(b, product, bias) : product;
}

Value frontend::gemm(HloBuilder &b, Value x, Value y, Value c, double alpha,
                     double beta, bool transposeX, bool transposeY) {
  Value result =
      contract(b, x, y, {}, {}, {transposeX ? 0 : 1}, {transposeY ? 1 : 0});
  if (alpha != 1)
    result = mul(b, result, alpha);
  if (!c || beta == 0)
    return result;
  return add(b, result, beta == 1 ? c : mul(b, c, beta));
}

Value frontend::triangle(HloBuilder &b, Value x, bool upper, Size offset) {
  int64_t rank = rankOf(x);
  Sizes sizes = sizesOf(b, x);
  Sizes matrix = {sizes[rank - 2], sizes[rank - 1]};
  Value row = iota(b, matrix, 0, b.getI64Type());
  Value column = iota(b, matrix, 1, b.getI64Type());
  Value diagonal = add(b, row, offset.materialize(b));
  Value keep =
      compare(b, upper ? Direction::GE : Direction::LE, column, diagonal);
  Value kept = rank == 2 ? keep : broadcastTo(b, keep, sizes);
  return select(b, kept, x, fullLike(b, x, 0));
}
