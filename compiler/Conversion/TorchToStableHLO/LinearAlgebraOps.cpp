// Factorizations of matrices and what is solved with them. Determinants,
// inverses and solutions are decomposed into these by the importer.
#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Frontend/Support/Complex.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Factorization.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

/// The batch dimensions of `like` before the last dimensions of a stack.
static Value unstack(HloBuilder &b, Value stacked, Value like,
                     int64_t likeMatrix = 2) {
  Sizes sizes = sizesOf(b, like);
  sizes.resize(sizes.size() - likeMatrix, Size(0));
  llvm::append_range(sizes, ArrayRef(sizesOf(b, stacked)).drop_front());
  return reshape(b, stacked, sizes);
}

static void luFactorOp(OpLowering &x) {
  Value a = x.tensor("A");
  LUFactors lu = factorLU(x.b, asStack(x.b, a));
  x.give({unstack(x.b, lu.matrix, a), unstack(x.b, lu.pivots, a),
          unstack(x.b, lu.info, a)});
}

/// [..., k] as [B, k].
static Value asRows(HloBuilder &b, Value x) {
  Sizes sizes = sizesOf(b, x);
  return reshape(b, x, {product(b, ArrayRef(sizes).drop_back()), sizes.back()});
}

/// P with A = P L U, and the two triangles.
static void luUnpackOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value a = x.tensor("LU_data");
  Sizes sizes = sizesOf(b, a);
  int64_t rank = rankOf(a);
  Size rows = sizes[rank - 2], columns = sizes[rank - 1];
  Size least = frontend::minimum(b, rows, columns);
  Type element = elementOf(a);
  // What is not asked for has no elements.
  Value none = full(b, {0}, element, 0);
  Value p = none, l = none, u = none;
  if (x.flag("unpack_pivots", true)) {
    Value order = permutationOf(b, asRows(b, x.tensor("LU_pivots")), rows);
    Sizes square = {sizeOf(b, order, 0), rows, rows};
    Value row = iota(b, square, 1, b.getI64Type());
    Value source = broadcastInDim(b, order, square, {0, 2});
    p = convert(b, compare(b, Direction::EQ, row, source), element);
    p = unstack(b, p, a);
  }
  if (x.flag("unpack_data", true)) {
    Value left = slice(b, a, rank - 1, 0, least);
    Sizes shape = sizesOf(b, left);
    Value diagonal =
        compare(b, Direction::EQ, iota(b, shape, rank - 2, b.getI64Type()),
                iota(b, shape, rank - 1, b.getI64Type()));
    l = select(b, diagonal, fullLike(b, left, 1),
               triangle(b, left, /*upper=*/false, -1));
    u = triangle(b, slice(b, a, rank - 2, 0, least), /*upper=*/true, 0);
  }
  x.give({p, l, u});
}

static void geqrfOp(OpLowering &x) {
  Value a = x.tensor("self");
  Reflectors qr = factorQR(x.b, asStack(x.b, a));
  x.give({unstack(x.b, qr.matrix, a), unstack(x.b, qr.factors, a)});
}

/// The first columns of Q.
static void householderProductOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value a = x.tensor("input"), stack = asStack(b, a);
  Sizes sizes = sizesOf(b, stack);
  Value eye = compare(b, Direction::EQ, iota(b, sizes, 1, b.getI64Type()),
                      iota(b, sizes, 2, b.getI64Type()));
  Reflectors qr = {stack, asRows(b, x.tensor("tau"))};
  Value q = applyReflectors(b, qr, convert(b, eye, elementOf(a)), false);
  x.give(unstack(b, q, a));
}

static void ormqrOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value target = x.tensor("input3");
  Reflectors qr = {asStack(b, x.tensor("self")), asRows(b, x.tensor("input2"))};
  Value c = asStack(b, target);
  bool left = x.flag("left", true), adjoint = x.flag("transpose");
  if (left)
    return x.give(unstack(b, applyReflectors(b, qr, c, adjoint), target));
  // C Q = (Q^H C^H)^H
  Value flipped = frontend::adjoint(b, c);
  Value result = applyReflectors(b, qr, flipped, !adjoint);
  x.give(unstack(b, frontend::adjoint(b, result), target));
}

/// The factor, and 1 + the number of the first minor that is not positive
/// definite, else 0.
static void choleskyOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value a = x.tensor(x.has("A") ? "A" : "self");
  bool upper = x.flag("upper");
  auto [factor, info] = factorCholesky(b, asStack(b, a), upper);
  factor = unstack(b, factor, a);
  if (x.op->getNumResults() == 1)
    return x.give(factor);
  x.give({factor, unstack(b, info, a)});
}

static void solveTriangularOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value a = x.tensor("self"), rhs = x.tensor("B");
  bool left = x.flag("left", true);
  int64_t rank = std::max(rankOf(a), rankOf(rhs));
  // Batch dimensions are broadcast.
  auto batchOf = [&](Value value) {
    Value padded = padRank(b, value, rank);
    Sizes sizes = sizesOf(b, padded);
    sizes.resize(rank - 2, Size(0));
    return full(b, sizes, b.getI1Type(), 0);
  };
  auto batches = broadcastTogether(b, {batchOf(a), batchOf(rhs)});
  auto spread = [&](Value value) {
    Sizes sizes = sizesOf(b, batches[0]);
    llvm::append_range(sizes, ArrayRef(sizesOf(b, value)).take_back(2));
    return broadcastTo(b, value, sizes);
  };
  a = spread(a);
  rhs = spread(rhs);
  auto none = stablehlo::TransposeAttr::get(b.getContext(),
                                            stablehlo::Transpose::NO_TRANSPOSE);
  x.give(stablehlo::TriangularSolveOp::create(
      b, rhs.getType(), a, rhs, b.getBoolAttr(left),
      b.getBoolAttr(!x.flag("upper")), b.getBoolAttr(x.flag("unitriangular")),
      none));
}

static void eighOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value a = x.tensor("A");
  // One triangle counts.
  bool upper = StringRef(x.text("UPLO", "L")).upper() == "U";
  Eigen eigen = eigenSymmetric(b, hermitian(b, asStack(b, a), upper));
  Value vectors = x.flag("compute_v", true) ? unstack(b, eigen.vectors, a)
                                            : full(b, {0}, elementOf(a), 0);
  x.give({unstack(b, eigen.values, a), vectors});
}

static void svdOp(OpLowering &x) {
  HloBuilder &b = x.b;
  Value a = x.tensor("A");
  SingularValues svd =
      singularValues(b, asStack(b, a), x.flag("full_matrices"));
  Value s = unstack(b, svd.s, a);
  if (!x.flag("compute_uv", true)) {
    Value none = full(b, {0}, elementOf(a), 0);
    return x.give({none, s, none});
  }
  x.give({unstack(b, svd.u, a), s, unstack(b, frontend::adjoint(b, svd.v), a)});
}

static const LoweringEntry entries[] = {
    {"aten.linalg_lu_factor_ex", luFactorOp},
    {"aten.lu_unpack", luUnpackOp},
    {"aten.geqrf", geqrfOp},
    {"aten.linalg_householder_product", householderProductOp},
    {"aten.ormqr", ormqrOp},
    {"aten.cholesky", choleskyOp},
    {"aten.linalg_cholesky_ex", choleskyOp},
    {"aten.linalg_solve_triangular", solveTriangularOp},
    {"aten._linalg_eigh", eighOp},
    {"aten._linalg_svd", svdOp},
};

void torch::addLinearAlgebraLowerings(LoweringTable &table) {
  addLowerings(table, entries);
}
