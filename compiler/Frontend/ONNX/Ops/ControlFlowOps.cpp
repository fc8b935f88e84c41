// Ops with subgraphs.
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "compiler/Frontend/ONNX/GraphImporter.h"
#include "compiler/Frontend/ONNX/Loops.h"
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

// Loops with sequences or changing ranks are unrolled up to this many times.
static constexpr int64_t mostUnrolled = 64;

/// The truth of a condition that is known while importing.
static std::optional<bool> knownCondition(HloBuilder &b, Value condition) {
  if (auto values = onnx::constantInts(condition))
    return !values->empty() && values->front() != 0;
  if (!isSmall(condition))
    return std::nullopt;
  Sizes elements = elementsOf(b, condition);
  if (elements.size() == 1 && elements[0].isStatic())
    return elements[0].getStatic() != 0;
  return std::nullopt;
}

/// A one-element tensor as a scalar i1.
static Value scalarCondition(HloBuilder &b, Value condition) {
  return convert(b, frontend::reshape(b, condition, {}), b.getI1Type());
}

/// Imports a branch into a region of `op`; its results are not returned yet.
/// What goes wrong is kept in `problem` instead of reported.
static FailureOr<std::vector<Datum>> importBranch(NodeContext &op,
                                                  const Graph &graph,
                                                  Region &region,
                                                  std::string &problem) {
  OpBuilder::InsertionGuard guard(op.b);
  ScopedDiagnosticHandler handler(op.b.getContext(), [&](Diagnostic &diag) {
    if (problem.empty())
      problem = diag.str();
    return success();
  });
  region.push_back(new Block());
  op.b.setInsertionPointToStart(&region.front());
  auto results = op.importer.importSubgraph(graph, {});
  if (failed(results))
    return failure();
  for (const Datum &datum : *results)
    if (!datum.tensor)
      return op.error() << "found a branch that gives a sequence or optional, "
                           "expected tensors";
  return results;
}

/// Ends a branch with its results brought to the common types.
static void finishBranch(NodeContext &op, Region &region,
                         ArrayRef<Datum> results, ArrayRef<Type> types) {
  OpBuilder::InsertionGuard guard(op.b);
  op.b.setInsertionPointToEnd(&region.front());
  SmallVector<Value> values;
  for (auto [datum, type] : llvm::zip(results, types))
    values.push_back(
        relaxType(op.b, datum.tensor, cast<RankedTensorType>(type)));
  stablehlo::ReturnOp::create(op.b, values);
}

static Operation *createIf(HloBuilder &b, Value condition, TypeRange types) {
  OperationState state(b.getLoc(), stablehlo::IfOp::getOperationName());
  state.addOperands(condition);
  state.addTypes(types);
  state.addRegion();
  state.addRegion();
  return b.create(state);
}

/// Takes one branch; the program checks that it is the right one.
static LogicalResult assumeBranch(NodeContext &op, Value condition, bool taken,
                                  const Twine &reason) {
  Value holds = taken ? condition : logicalNot(op.b, condition);
  Value truth = tensor::ExtractOp::create(op.b, holds, ValueRange());
  cf::AssertOp::create(op.b, truth, reason.str());
  auto results = op.importer.importSubgraph(
      *op.graphAttr(taken ? "then_branch" : "else_branch"), {});
  if (failed(results))
    return failure();
  for (auto [i, datum] : llvm::enumerate(*results))
    op.set(i, datum);
  return success();
}

/// One of the branches cannot be built for the shapes that are known, so it
/// must not be reached: files hold one branch for each of several input sizes.
static LogicalResult withoutBranch(NodeContext &op, Value condition, bool taken,
                                   StringRef problem) {
  std::string reason =
      ("ONNX op '" + op.node.name + "': its " + (taken ? "else" : "then") +
       "_branch cannot run with these shapes: " + problem)
          .str();
  emitRemark(op.b.getLoc()) << reason;
  return assumeBranch(op, condition, taken, reason);
}

/// Branches of different rank come from squeezes of sizes that may be 1. The
/// branch of lower rank is taken.
static LogicalResult withEqualRank(NodeContext &op, Value condition,
                                   Value onTrue, Value onFalse) {
  if (!isFromSizes(op.input(0)))
    return op.error() << "found branches that give " << onTrue.getType()
                      << " and " << onFalse.getType()
                      << ", expected equal ranks and element types";
  return assumeBranch(op, condition, rankOf(onTrue) < rankOf(onFalse),
                      "a size makes ONNX op '" + op.node.name +
                          "' give a tensor of another rank than the program "
                          "was compiled for");
}

static LogicalResult importIf(NodeContext &op) {
  HloBuilder &b = op.b;
  const Graph *thenGraph = op.graphAttr("then_branch");
  const Graph *elseGraph = op.graphAttr("else_branch");
  if (!thenGraph || !elseGraph)
    return op.error() << "found no then_branch or no else_branch, expected "
                         "both";
  if (auto known = knownCondition(b, op.input(0))) {
    auto results =
        op.importer.importSubgraph(*known ? *thenGraph : *elseGraph, {});
    if (failed(results))
      return failure();
    for (auto [i, datum] : llvm::enumerate(*results))
      op.set(i, datum);
    return success();
  }
  Value condition = scalarCondition(b, op.input(0));
  // The result types are known only after the branches are there.
  Operation *draft = createIf(b, condition, {});
  std::string problems[2];
  auto onTrue = importBranch(op, *thenGraph, draft->getRegion(0), problems[0]);
  auto onFalse = importBranch(op, *elseGraph, draft->getRegion(1), problems[1]);
  if (failed(onTrue) || failed(onFalse)) {
    if (failed(onTrue) && failed(onFalse))
      return op.error() << "neither branch can be imported: " << problems[0]
                        << "; " << problems[1];
    draft->erase();
    return withoutBranch(op, condition, succeeded(onTrue),
                         problems[succeeded(onTrue)]);
  }
  if (onTrue->size() != onFalse->size())
    return op.error() << "found branches with " << onTrue->size() << " and "
                      << onFalse->size() << " results, expected equally many";
  SmallVector<Type> types;
  for (auto [x, y] : llvm::zip(*onTrue, *onFalse)) {
    types.push_back(joinTypes(x.tensor.getType(), y.tensor.getType()));
    if (types.back())
      continue;
    LogicalResult result = withEqualRank(op, condition, x.tensor, y.tensor);
    draft->erase();
    return result;
  }
  finishBranch(op, draft->getRegion(0), *onTrue, types);
  finishBranch(op, draft->getRegion(1), *onFalse, types);
  Operation *branch = createIf(b, condition, types);
  branch->getRegion(0).takeBody(draft->getRegion(0));
  branch->getRegion(1).takeBody(draft->getRegion(1));
  draft->erase();
  for (auto [i, result] : llvm::enumerate(branch->getResults()))
    op.set(i, result);
  return success();
}

/// Loop with a known trip count, one copy of the body an iteration. Sequences
/// and values of changing rank may be carried.
static LogicalResult unrollLoop(NodeContext &op, const Graph &body,
                                int64_t trips, std::vector<Datum> carried) {
  HloBuilder &b = op.b;
  std::vector<SmallVector<Value>> collected;
  Datum condition = scalar(b, b.getI1Type(), 1);
  for (int64_t i = 0; i < trips; ++i) {
    std::vector<Datum> arguments = {Datum(scalarInt(b, b.getI64Type(), i)),
                                    condition};
    llvm::append_range(arguments, carried);
    auto results = op.importer.importSubgraph(body, arguments);
    if (failed(results))
      return failure();
    auto goesOn = knownCondition(b, (*results)[0].tensor);
    if (!goesOn)
      return op.error() << "found a loop whose values change rank or are "
                           "sequences and whose end is decided at run time, "
                           "expected a known trip count";
    std::copy_n(results->begin() + 1, carried.size(), carried.begin());
    collected.resize(results->size() - 1 - carried.size());
    for (auto [j, list] : llvm::enumerate(collected))
      list.push_back((*results)[1 + carried.size() + j].tensor);
    if (!*goesOn)
      break;
  }
  for (auto [i, datum] : llvm::enumerate(carried))
    op.set(i, datum);
  for (auto [j, list] : llvm::enumerate(collected))
    op.set(carried.size() + j, stack(b, list, 0));
  return success();
}

/// Whether the body must be unrolled, or may become a loop.
static bool carriesSequences(ArrayRef<Datum> carried) {
  return llvm::any_of(carried, [](const Datum &d) { return !d.tensor; });
}

static LogicalResult importLoop(NodeContext &op) {
  HloBuilder &b = op.b;
  const Graph *body = op.graphAttr("body");
  if (!body || body->inputs.size() != op.numInputs() ||
      body->outputs.size() + 1 < body->inputs.size())
    return op.error() << "found no body with " << op.numInputs()
                      << " inputs and a result for each carried value";
  std::vector<Datum> carried;
  for (size_t i = 2; i < op.numInputs(); ++i)
    carried.push_back(op.datum(i));
  std::optional<Size> trips;
  if (op.has(0))
    trips = toSize(b, frontend::reshape(b, op.input(0), {}));
  Value condition;
  if (op.has(1)) {
    auto known = knownCondition(b, op.input(1));
    if (known && !*known)
      trips = 0;
    else if (!known)
      condition = scalarCondition(b, op.input(1));
  }
  if (carriesSequences(carried)) {
    if (!trips || !trips->isStatic() || trips->getStatic() > mostUnrolled ||
        condition)
      return op.error() << "found a loop that carries sequences, expected a "
                           "constant trip count of at most "
                        << mostUnrolled;
    return unrollLoop(op, *body, trips->getStatic(), carried);
  }
  if (trips && trips->isStatic() && trips->getStatic() == 1 && !condition)
    return unrollLoop(op, *body, 1, carried);
  SmallVector<Value> initial;
  for (const Datum &datum : carried)
    initial.push_back(datum.tensor);
  bool mayUnroll = trips && trips->isStatic() && !condition &&
                   trips->getStatic() <= mostUnrolled;
  std::optional<ScopedDiagnosticHandler> handler;
  if (mayUnroll)
    handler.emplace(b.getContext(), [&](Diagnostic &) { return success(); });
  auto outcome = emitLoop(
      op, trips, condition, initial,
      [&](Value iteration, ValueRange values) -> FailureOr<LoopStep> {
        std::vector<Datum> arguments = {Datum(iteration),
                                        Datum(scalar(b, b.getI1Type(), 1))};
        for (Value value : values)
          arguments.push_back(value);
        auto results = op.importer.importSubgraph(*body, arguments);
        if (failed(results))
          return failure();
        LoopStep step;
        for (const Datum &datum : *results)
          if (!datum.tensor)
            return op.error() << "found a loop body that gives a sequence, "
                                 "expected tensors";
        auto goesOn = knownCondition(b, (*results)[0].tensor);
        if (!goesOn || !*goesOn)
          step.condition = (*results)[0].tensor;
        for (size_t i = 1; i < results->size(); ++i)
          (i <= carried.size() ? step.carried : step.collected)
              .push_back((*results)[i].tensor);
        return step;
      });
  handler.reset();
  // Shapes that differ between iterations are known once it is unrolled.
  if (failed(outcome))
    return mayUnroll ? unrollLoop(op, *body, trips->getStatic(), carried)
                     : failure();
  size_t next = 0;
  for (Value value : outcome->carried)
    op.set(next++, value);
  for (Value value : outcome->collected)
    op.set(next++, value);
  return success();
}

/// An integer list attribute, or `otherwise` for each of `count` entries.
static SmallVector<int64_t> listOr(NodeContext &op, StringRef name,
                                   size_t count) {
  SmallVector<int64_t> list = op.intsAttr(name);
  list.resize(count, 0);
  return list;
}

static LogicalResult importScan(NodeContext &op) {
  HloBuilder &b = op.b;
  const Graph *body = op.graphAttr("body");
  int64_t scanned = op.intAttr("num_scan_inputs", 0);
  int64_t states = int64_t(op.numInputs()) - scanned;
  if (!body || op.opset < 9 || scanned < 1 || states < 0)
    return op.error() << "found " << op.numInputs() << " inputs of which "
                      << scanned << " are scanned, expected opset 9, a body "
                      << "and one scanned input at least";
  SmallVector<int64_t> axes = listOr(op, "scan_input_axes", scanned);
  SmallVector<int64_t> backward = listOr(op, "scan_input_directions", scanned);
  SmallVector<Value> initial, lists;
  for (int64_t i = 0; i < states; ++i)
    initial.push_back(op.input(i));
  for (int64_t i = 0; i < scanned; ++i) {
    Value list = op.input(states + i);
    auto axis = op.axis(axes[i], rankOf(list));
    if (failed(axis))
      return failure();
    list = moveDim(b, list, *axis, 0);
    lists.push_back(backward[i] ? frontend::reverse(b, list, {0}) : list);
  }
  Size trips = sizeOf(b, lists[0], 0);
  auto outcome = emitLoop(
      op, trips, Value(), initial,
      [&](Value iteration, ValueRange values) -> FailureOr<LoopStep> {
        std::vector<Datum> arguments;
        for (Value value : values)
          arguments.push_back(value);
        for (Value list : lists)
          arguments.push_back(selectIndex(b, list, 0, Size(iteration)));
        auto results = op.importer.importSubgraph(*body, arguments);
        if (failed(results))
          return failure();
        LoopStep step;
        for (auto [i, datum] : llvm::enumerate(*results))
          (int64_t(i) < states ? step.carried : step.collected)
              .push_back(datum.tensor);
        return step;
      });
  if (failed(outcome))
    return failure();
  size_t outputs = outcome->collected.size(), next = 0;
  SmallVector<int64_t> outAxes = listOr(op, "scan_output_axes", outputs);
  SmallVector<int64_t> flipped = listOr(op, "scan_output_directions", outputs);
  for (Value value : outcome->carried)
    op.set(next++, value);
  for (auto [i, value] : llvm::enumerate(outcome->collected)) {
    Value list = flipped[i] ? frontend::reverse(b, value, {0}) : value;
    op.set(next++, moveDim(b, list, 0, wrapDim(outAxes[i], rankOf(list))));
  }
  return success();
}

void ferrule::onnx::registerControlFlowOps(Registry &r) {
  r.add("If", importIf);
  r.add("Loop", importLoop);
  r.add("Scan", importScan);
}
