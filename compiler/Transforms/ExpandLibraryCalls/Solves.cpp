// Triangular factors of square matrices and solutions with them.
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Factorization.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Transforms/ExpandLibraryCalls/LibraryCall.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::library;

/// The triangle that is not computed keeps what stands in the operand.
static void potrf(LibraryCall &call) {
  HloBuilder &b = call.b;
  bool upper = call.option("uplo", "LU") == 'U';
  if (call.failed())
    return;
  Value a = call.matrices(0);
  auto [factor, info] = factorCholesky(b, a, upper);
  Value rest = triangle(b, a, /*upper=*/!upper, upper ? -1 : 1);
  call.give({add(b, factor, rest), info});
}

static void trsm(LibraryCall &call) {
  HloBuilder &b = call.b;
  bool left = call.option("side", "LR") == 'L';
  bool lower = call.option("uplo", "LU") == 'L';
  bool unit = call.option("diag", "NU") == 'U';
  int64_t code = call.option("trans_x", "NTC");
  if (call.failed())
    return;
  Value a = call.operand(0), right = call.operand(1);
  using stablehlo::Transpose;
  Transpose transpose = code == 'N'   ? Transpose::NO_TRANSPOSE
                        : code == 'T' ? Transpose::TRANSPOSE
                                      : Transpose::ADJOINT;
  call.giveWhole({stablehlo::TriangularSolveOp::create(
      b, right.getType(), a, right, b.getBoolAttr(left), b.getBoolAttr(lower),
      b.getBoolAttr(unit),
      stablehlo::TransposeAttr::get(b.getContext(), transpose))});
}

static void getrf(LibraryCall &call) {
  LUFactors lu = factorLU(call.b, call.matrices(0));
  call.give({lu.matrix, lu.pivots, lu.info});
}

/// The diagonals that the routine overwrites have no use for anybody.
static void gtsv(LibraryCall &call) {
  auto [x, info] = solveTridiagonal(call.b, call.vectors(0), call.vectors(1),
                                    call.vectors(2), call.matrices(3));
  call.give({Value(), Value(), Value(), x, info});
}

static const Entry entries[] = {
    {"potrf_ffi", potrf, 1, 2},
    {"trsm_ffi", trsm, 2, 1},
    {"getrf_ffi", getrf, 1, 3},
    {"gtsv_ffi", gtsv, 4, 5},
};

void library::addSolves(Table &table) { addEntries(table, entries); }
