// Eigenvalues and singular values.
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Factorization.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Transforms/ExpandLibraryCalls/LibraryCall.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::library;

static void syevd(LibraryCall &call) {
  HloBuilder &b = call.b;
  bool upper = call.option("uplo", "LU") == 'U';
  bool vectors = call.option("mode", "VN") == 'V';
  if (call.failed())
    return;
  Value a = call.matrices(0);
  Eigen eigen = eigenSymmetric(b, hermitian(b, a, upper));
  call.give({vectors ? eigen.vectors : a, eigen.values, call.success(a)});
}

/// Where no vectors are asked for, nobody may read them.
static void gesdd(LibraryCall &call) {
  HloBuilder &b = call.b;
  int64_t mode = call.option("mode", "ASN");
  if (call.failed())
    return;
  Value a = call.matrices(0);
  SingularValues svd = singularValues(b, a, /*full=*/mode == 'A');
  bool vectors = mode != 'N';
  call.give({Value(), svd.s, vectors ? svd.u : Value(),
             vectors ? adjoint(b, svd.v) : Value(), call.success(a)});
}

static const Entry entries[] = {
    {"syevd_ffi", syevd, 1, 3},
    {"heevd_ffi", syevd, 1, 3},
    {"gesdd_ffi", gesdd, 1, 5},
    {"gesvd_ffi", gesdd, 1, 5},
};

void library::addSpectra(Table &table) { addEntries(table, entries); }
