#include "compiler/Transforms/ExpandLibraryCalls/ExpandLibraryCalls.h"
#include "compiler/Transforms/ExpandLibraryCalls/LibraryCall.h"

namespace ferrule {
#define GEN_PASS_DEF_EXPANDLIBRARYCALLS
#include "compiler/Transforms/ExpandLibraryCalls/ExpandLibraryCalls.h.inc"
} // namespace ferrule

using namespace mlir;
using namespace ferrule;
using namespace ferrule::library;

static Table makeTable() {
  Table table;
  addSolves(table);
  addOrthogonalFactors(table);
  addSpectra(table);
  addOtherCalls(table);
  return table;
}

/// The element type that a routine's letter stands for; null for no letter.
static Type elementOfLetter(char letter, Builder &b) {
  switch (letter) {
  case 's':
    return b.getF32Type();
  case 'd':
    return b.getF64Type();
  case 'c':
    return ComplexType::get(b.getF32Type());
  case 'z':
    return ComplexType::get(b.getF64Type());
  default:
    return {};
  }
}

/// LAPACK reads and writes matrices column by column. Layouts of another order
/// would name another computation.
static bool isColumnMajor(std::optional<ArrayAttr> layouts, TypeRange types) {
  if (!layouts)
    return false;
  int64_t matrixRank = 0;
  for (Type type : types)
    matrixRank = std::max(matrixRank, cast<ShapedType>(type).getRank());
  for (auto [type, layout] : llvm::zip(types, *layouts)) {
    auto order = dyn_cast<DenseIntElementsAttr>(layout);
    int64_t rank = cast<ShapedType>(type).getRank();
    if (!order || order.getNumElements() != rank)
      return false;
    if (rank < 2 || rank < matrixRank)
      continue;
    auto places = llvm::to_vector(order.getValues<APInt>());
    if (places[0].getSExtValue() != rank - 2 ||
        places[1].getSExtValue() != rank - 1)
      return false;
  }
  return true;
}

/// Checks what all routines of LAPACK have in common.
static void checkMatrices(LibraryCall &call, Type element) {
  auto isRanked = [](Type type) { return isa<RankedTensorType>(type); };
  if (!llvm::all_of(call.op->getOperandTypes(), isRanked) ||
      !llvm::all_of(call.op->getResultTypes(), isRanked))
    return call.fail("has an operand or result that is no ranked tensor");
  auto first = cast<RankedTensorType>(call.operand(0).getType());
  if (first.getElementType() != element)
    return call.fail("has elements " +
                     llvm::formatv("{0}", first.getElementType()).str() +
                     ", expected " + llvm::formatv("{0}", element).str());
  // Operands that are all vectors have the same meaning in any order.
  auto haveMatrices = [](TypeRange all) {
    return llvm::any_of(
        all, [](Type type) { return cast<ShapedType>(type).getRank() > 1; });
  };
  if (haveMatrices(call.op->getOperandTypes()) &&
      (!isColumnMajor(call.op.getOperandLayouts(),
                      call.op->getOperandTypes()) ||
       !isColumnMajor(call.op.getResultLayouts(), call.op->getResultTypes())))
    call.fail("has matrices in row-major order or no layouts, expected "
              "column-major ones");
}

/// Expands the call when the table has it; what it does not have stays.
static LogicalResult expandCall(const Table &table,
                                stablehlo::CustomCallOp op) {
  StringRef name = op.getCallTargetName(), routine = name;
  Builder builder(op.getContext());
  Type element;
  if (routine.consume_front("lapack_") && !routine.empty()) {
    element = elementOfLetter(routine.front(), builder);
    routine = routine.drop_front();
  }
  auto found = table.find(routine);
  bool isLapack = routine != name;
  if (found == table.end() && !isLapack)
    return success();
  HloBuilder b(op.getLoc(), OpBuilder(op));
  LibraryCall call(b, op);
  if (found == table.end() || (isLapack && !element)) {
    call.fail("is a routine that Ferrule does not know");
    return failure();
  }
  const Entry &entry = *found->second;
  if (call.operandCount() != entry.operands ||
      op->getNumResults() != entry.results)
    call.fail("has " + Twine(call.operandCount()) + " operands and " +
              Twine(op->getNumResults()) + " results, expected " +
              Twine(entry.operands) + " and " + Twine(entry.results));
  else if (isLapack)
    checkMatrices(call, element);
  if (!call.failed())
    entry.expand(call);
  if (call.failed())
    return failure();
  op.erase();
  return success();
}

namespace {

struct ExpandLibraryCalls
    : ferrule::impl::ExpandLibraryCallsBase<ExpandLibraryCalls> {
  void runOnOperation() override {
    Table table = makeTable();
    WalkResult result = getOperation()->walk([&](stablehlo::CustomCallOp op) {
      return failed(expandCall(table, op)) ? WalkResult::interrupt()
                                           : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
