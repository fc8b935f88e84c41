// Factorizations by Householder's reflectors.
#include "compiler/Frontend/Support/Complex.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Factorization.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "compiler/Transforms/ExpandLibraryCalls/LibraryCall.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::library;

static void geqrf(LibraryCall &call) {
  Reflectors qr = factorQR(call.b, call.matrices(0));
  call.give({qr.matrix, qr.factors});
}

static bool isZero(Value x) {
  while (Operation *op = x.getDefiningOp()) {
    if (isa<stablehlo::BroadcastInDimOp, stablehlo::DynamicBroadcastInDimOp,
            stablehlo::ReshapeOp, stablehlo::ConvertOp>(op)) {
      x = op->getOperand(0);
      continue;
    }
    DenseIntElementsAttr value;
    return matchPattern(op, m_Constant(&value)) && value.isSplat() &&
           value.getSplatValue<APInt>().isZero();
  }
  return false;
}

/// Columns may be fixed to the front by the second operand; nobody does.
static void geqp3(LibraryCall &call) {
  if (!isZero(call.operand(1)))
    return call.fail("has columns that are fixed in advance, expected a "
                     "second operand of zeros");
  auto [qr, places] = factorPivotedQR(call.b, call.matrices(0));
  call.give({qr.matrix, places, qr.factors});
}

/// The first columns of Q.
static void orgqr(LibraryCall &call) {
  HloBuilder &b = call.b;
  Reflectors qr = {call.matrices(0), call.vectors(1)};
  Value eye = identityMatrices(b, sizesOf(b, qr.matrix), elementOf(qr.matrix));
  call.give({applyReflectors(b, qr, eye, false)});
}

static void ormqr(LibraryCall &call) {
  HloBuilder &b = call.b;
  bool left = call.option("left"), transpose = call.option("transpose");
  if (call.failed())
    return;
  Reflectors qr = {call.matrices(0), call.vectors(1)};
  Value c = call.matrices(2);
  if (left)
    return call.give({applyReflectors(b, qr, c, transpose)});
  // C Q = (Q^H C^H)^H
  call.give({adjoint(b, applyReflectors(b, qr, adjoint(b, c), !transpose))});
}

static void gehrd(LibraryCall &call) {
  HloBuilder &b = call.b;
  int64_t low = call.option("low"), high = call.option("high");
  if (call.failed())
    return;
  Value a = call.matrices(0);
  if (low != 1 || high != typeOf(a).getDimSize(2))
    return call.fail("reduces rows " + Twine(low) + " to " + Twine(high) +
                     ", expected all rows");
  Reflectors form = factorHessenberg(b, a);
  call.give({form.matrix, form.factors, call.success(a)});
}

/// The reduction from the upper triangle goes from the last column to the
/// first: that of the matrix with rows and columns reversed.
static void sytrd(LibraryCall &call) {
  HloBuilder &b = call.b;
  bool upper = call.option("uplo", "LU") == 'U';
  if (call.failed())
    return;
  Value a = call.matrices(0);
  Value whole = hermitian(b, a, upper);
  if (upper)
    whole = reverse(b, whole, {1, 2});
  Reflectors form = factorHessenberg(b, whole);
  Value matrix = form.matrix, factors = form.factors;
  if (upper) {
    matrix = reverse(b, matrix, {1, 2});
    factors = reverse(b, factors, {1});
  }
  Size less = sub(b, sizeOf(b, a, 1), 1);
  Value beside = upper ? slice(b, matrix, 2, 1, sizeOf(b, a, 2))
                       : slice(b, matrix, 1, 1, sizeOf(b, a, 1));
  beside = slice(b, beside, upper ? 1 : 2, 0, less);
  Value rest = triangle(b, a, !upper, upper ? -1 : 1);
  Value result = add(b, triangle(b, matrix, upper, 0), rest);
  call.give({result, realPart(b, diagonalOf(b, matrix)),
             realPart(b, diagonalOf(b, beside)), factors, call.success(a)});
}

static const Entry entries[] = {
    {"geqrf_ffi", geqrf, 1, 2}, {"geqp3_ffi", geqp3, 2, 3},
    {"orgqr_ffi", orgqr, 2, 1}, {"ungqr_ffi", orgqr, 2, 1},
    {"ormqr_ffi", ormqr, 3, 1}, {"unmqr_ffi", ormqr, 3, 1},
    {"gehrd_ffi", gehrd, 1, 3}, {"sytrd_ffi", sytrd, 1, 5},
    {"hetrd_ffi", sytrd, 1, 5},
};

void library::addOrthogonalFactors(Table &table) { addEntries(table, entries); }
