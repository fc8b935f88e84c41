// Calls of XLA's own routines.
#include "compiler/Frontend/Support/Constants.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Transforms/ExpandLibraryCalls/LibraryCall.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::library;

/// The function that orders (value, value, index, index), or null.
static func::FuncOp comparatorOf(LibraryCall &call) {
  auto names = call.op.getCalledComputations();
  func::FuncOp function;
  if (names && names->size() == 1)
    function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call.op, cast<FlatSymbolRefAttr>((*names)[0]));
  if (!function || function.isExternal() ||
      function.getNumArguments() != 2 * (call.operandCount() / 2) ||
      function.getNumResults() != 1 ||
      !llvm::hasSingleElement(function.getBody()))
    return {};
  return function;
}

/// The exact greatest elements, in order.
static void approxTopK(LibraryCall &call) {
  HloBuilder &b = call.b;
  int64_t dim = call.option("reduction_dim"), k = call.option("top_k");
  if (call.failed())
    return;
  Value x = call.operand(0), index = call.operand(1);
  auto type = dyn_cast<RankedTensorType>(x.getType());
  if (!type || dim >= type.getRank())
    return call.fail("reduces dimension " + Twine(dim) +
                     " of its first operand, which has none");
  auto declared = dyn_cast<RankedTensorType>(call.op.getResult(0).getType());
  if (!declared || dim >= declared.getRank())
    return call.fail("has a result of lower rank than its operand");
  // An approximation that is combined later keeps more candidates.
  if (!declared.isDynamicDim(dim))
    k = declared.getDimSize(dim);
  func::FuncOp comparator = comparatorOf(call);
  if (!comparator)
    return call.fail("has no function of one block that compares two values "
                     "with their indices");
  Block &source = comparator.front();
  auto sort = stablehlo::SortOp::create(
      b, ValueRange{x, index}, dim, /*isStable=*/true,
      [&](OpBuilder &body, Location loc, ValueRange args) {
        IRMapping mapping;
        mapping.map(source.getArguments(), args);
        for (Operation &op : source.without_terminator())
          body.clone(op, mapping);
        stablehlo::ReturnOp::create(
            body, loc,
            mapping.lookupOrDefault(source.getTerminator()->getOperand(0)));
      });
  call.giveWhole({slice(b, sort->getResult(0), dim, 0, k),
                  slice(b, sort->getResult(1), dim, 0, k)});
}

/// Memory of any contents.
static void allocateBuffer(LibraryCall &call) {
  auto type = dyn_cast<RankedTensorType>(call.op.getResult(0).getType());
  if (!type || !type.hasStaticShape())
    return call.fail("has a result whose size is not known");
  if (!isa<IntegerType, FloatType, ComplexType>(type.getElementType()))
    return call.fail("has a result whose elements are no numbers");
  call.giveWhole(
      {full(call.b, toSizes(type.getShape()), type.getElementType(), 0)});
}

static const Entry entries[] = {
    {"ApproxTopK", approxTopK, 4, 2},
    {"AllocateBuffer", allocateBuffer, 0, 1},
};

void library::addOtherCalls(Table &table) { addEntries(table, entries); }
