#include "compiler/Frontend/ONNX/GraphImporter.h"
#include "compiler/Frontend/ONNX/OldOpsets.h"
#include "compiler/Frontend/ONNX/InputRules.h"
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;

// The operator sets of ONNX's own domain whose semantics the ops here follow.
static constexpr int64_t oldestOpset = 1, newestOpset = 28;
// Function calls and subgraphs deeper than this are taken for recursion.
static constexpr int maxCallDepth = 64;

GraphImporter::GraphImporter(const Model &model, Storage &storage,
                             ModuleOp module, const ONNXImportOptions &options)
    : model(model), storage(storage), module(module), options(options),
      builder(module.getLoc(), module.getContext()) {}

static StringRef domainName(StringRef domain) {
  return domain.empty() ? StringRef("ai.onnx") : domain;
}

Location GraphImporter::locationOf(const Node &node) {
  StringRef name = node.name;
  if (name.empty() && !node.outputs.empty())
    name = node.outputs.front();
  if (name.empty())
    name = node.opType;
  return NameLoc::get(StringAttr::get(module.getContext(), name));
}

InFlightDiagnostic GraphImporter::nodeError(const Node &node) {
  InFlightDiagnostic diag = emitError(locationOf(node));
  diag << "ONNX op '" << node.opType << "' (node '"
       << cast<NameLoc>(locationOf(node)).getName().getValue() << "', domain '"
       << domainName(node.domain) << "', opset ";
  if (auto opset = opsetOf(node.domain))
    diag << *opset;
  else
    diag << "not declared";
  diag << "): ";
  return diag;
}

std::optional<int64_t> GraphImporter::opsetOf(StringRef domain) const {
  const OpsetImports &opsets =
      frames.empty() ? model.opsets : *frames.back().opsets;
  auto found = opsets.find(domain.str());
  if (found != opsets.end())
    return found->second;
  // Domains of vendors are often used without being declared.
  if (!domain.empty())
    return 1;
  return std::nullopt;
}

const Function *GraphImporter::findFunction(const Node &node) const {
  for (const Function &function : model.functions)
    if (function.name == node.opType && function.domain == node.domain &&
        function.overload == node.overload)
      return &function;
  return nullptr;
}

void GraphImporter::collectUnsupported(ArrayRef<Node> nodes,
                                       const OpsetImports &opsets, int depth) {
  for (const Node &node : nodes) {
    for (const NodeAttribute &attribute : node.attributes)
      for (const auto &graph : attribute.graphs)
        if (depth < maxCallDepth)
          collectUnsupported(graph->nodes, opsets, depth + 1);
    if (findFunction(node) || Registry::get().find(node.domain, node.opType))
      continue;
    auto version = opsets.find(node.domain.str());
    unsupported.push_back(llvm::formatv(
        "'{0}' (domain '{1}', opset {2}, node '{3}')", node.opType,
        domainName(node.domain), version == opsets.end() ? 1 : version->second,
        cast<NameLoc>(locationOf(node)).getName().getValue()));
  }
}

LogicalResult GraphImporter::checkSupport() {
  auto opset = model.opsets.find("");
  if (opset != model.opsets.end() &&
      (opset->second < oldestOpset || opset->second > newestOpset))
    return emitError(module.getLoc()) << "found opset " << opset->second
                                      << " of domain 'ai.onnx', expected "
                                      << oldestOpset << " to " << newestOpset;
  collectUnsupported(model.graph.nodes, model.opsets, 0);
  for (const Function &function : model.functions)
    collectUnsupported(function.nodes, function.opsets, 0);
  if (unsupported.empty())
    return success();
  // One line an op name is enough; the first node stands for the others.
  llvm::StringMap<unsigned> counts;
  std::vector<std::string> lines;
  for (const std::string &entry : unsupported) {
    std::string op = entry.substr(0, entry.find(", node"));
    if (counts[op]++ == 0)
      lines.push_back(entry);
  }
  InFlightDiagnostic diag = emitError(module.getLoc());
  diag << "found " << lines.size() << " ONNX op"
       << (lines.size() == 1 ? "" : "s") << " that "
       << (lines.size() == 1 ? "is" : "are") << " not supported: ";
  llvm::interleaveComma(lines, diag);
  return diag;
}

Value GraphImporter::constant(const Tensor &tensor, std::string &error) {
  Value &value = constants[&tensor];
  if (value)
    return value;
  ElementsAttr attr = storage.convert(tensor, module.getContext(), error);
  if (!attr)
    return {};
  // Constants lie at the top, where every region can use them.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&entry.getBody().front());
  value = stablehlo::ConstantOp::create(builder, attr.getType(), attr);
  return value;
}

Datum GraphImporter::lookup(StringRef name) {
  for (Scope &scope : llvm::reverse(scopes)) {
    auto found = scope.values.find(name);
    if (found != scope.values.end())
      return found->second;
    auto initializer = scope.initializers.find(name);
    if (initializer != scope.initializers.end()) {
      std::string error;
      Value value = constant(*initializer->second, error);
      if (!value)
        emitError(builder.getLoc())
            << "initializer '" << name << "': " << error;
      return scope.values[name] = value;
    }
    if (scope.isFunction)
      break;
  }
  return {};
}

const NodeAttribute *GraphImporter::functionAttribute(StringRef name) const {
  return frames.empty() ? nullptr : frames.back().attributes.lookup(name);
}

LogicalResult GraphImporter::bindInitializers(const Graph &graph) {
  for (const Tensor &tensor : graph.initializers)
    scopes.back().initializers[tensor.name] = &tensor;
  for (const SparseTensor &sparse : graph.sparseInitializers) {
    std::string error;
    Value value = importSparse(sparse, error);
    if (!value)
      return emitError(module.getLoc())
             << "sparse initializer '" << sparse.values.name << "': " << error;
    scopes.back().values[sparse.values.name] = value;
  }
  return success();
}

Value GraphImporter::importSparse(const SparseTensor &sparse,
                                  std::string &error) {
  ElementsAttr values =
      storage.convert(sparse.values, module.getContext(), error);
  ElementsAttr indices =
      storage.convert(sparse.indices, module.getContext(), error);
  if (!values || !indices)
    return {};
  auto type = RankedTensorType::get(sparse.dims, values.getElementType());
  auto all = floatsOf(values);
  auto where = intsOf(indices);
  int64_t rank = sparse.dims.size(), count = values.getNumElements();
  bool linear = indices.getShapedType().getRank() == 1;
  if (!all || !where ||
      indices.getNumElements() != (linear ? count : count * rank)) {
    error = "expected float values and int64 indices of one tuple a value";
    return {};
  }
  SmallVector<double> dense(type.getNumElements(), 0);
  for (int64_t i = 0; i < count; ++i) {
    int64_t flat = 0;
    for (int64_t d = 0; d < (linear ? 1 : rank); ++d)
      flat = (linear ? 0 : flat * sparse.dims[d]) +
             (*where)[linear ? i : i * rank + d];
    if (flat < 0 || flat >= type.getNumElements()) {
      error = "found an index outside of the tensor";
      return {};
    }
    dense[flat] = (*all)[i];
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&entry.getBody().front());
  return floatConstant(builder, type, dense);
}

LogicalResult GraphImporter::importNodes(ArrayRef<Node> nodes) {
  for (const Node &node : nodes)
    if (failed(importNode(node)))
      return failure();
  return success();
}

/// Calls the function that imports an op. What the operations that it builds
/// say against their operands becomes an error of the node.
LogicalResult GraphImporter::runImport(NodeContext &op, OpFunction import) {
  std::string problem;
  LogicalResult result = failure();
  Block *block = builder.getInsertionBlock();
  Operation *before = block->empty() ? nullptr : &block->back();
  {
    ScopedDiagnosticHandler handler(
        builder.getContext(), [&](Diagnostic &diagnostic) {
          std::string text = diagnostic.str();
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error ||
              StringRef(text).starts_with("ONNX op"))
            return failure();
          if (problem.empty())
            problem = text;
          return success();
        });
    bool isOld = op.opset < 7 && op.node.domain.empty();
    result = isOld ? adaptOldInputs(op) : success();
    if (succeeded(result))
      result = import(op);
    if (succeeded(result) && problem.empty()) {
      auto first = before ? std::next(before->getIterator()) : block->begin();
      for (Operation &built : llvm::make_range(first, block->end()))
        if (failed(verify(&built)))
          break;
    }
  }
  if (!problem.empty())
    return nodeError(op.node) << problem;
  return result;
}

LogicalResult GraphImporter::importNode(const Node &node) {
  builder.setLoc(locationOf(node));
  for (StringRef name : node.inputs) {
    if (name.empty())
      continue;
    Datum datum = lookup(name);
    if (!datum.tensor && !datum.sequence && !datum.isEmptyOptional)
      return nodeError(node) << "input '" << name
                             << "' is not defined by an earlier node, an "
                                "initializer or a graph input";
  }
  if (const Function *function = findFunction(node))
    return importCall(node, *function);
  OpFunction import = Registry::get().find(node.domain, node.opType);
  auto opset = opsetOf(node.domain);
  if (!import || !opset)
    return nodeError(node)
           << (import ? "the model imports no operator set of this domain"
                      : "the op is not supported");
  NodeContext context(*this, node, *opset, builder);
  if (failed(checkInputs(context)) || failed(runImport(context, import)))
    return failure();
  builder.setLoc(locationOf(node));
  for (auto [name, value] : llvm::zip(node.outputs, context.outputs)) {
    if (name.empty())
      continue;
    if (!value.tensor && !value.sequence && !value.isEmptyOptional)
      return nodeError(node) << "output '" << name << "' is not supported";
    scopes.back().values[name] = value;
  }
  return success();
}

LogicalResult GraphImporter::importCall(const Node &node,
                                        const Function &function) {
  if (frames.size() >= maxCallDepth)
    return nodeError(node) << "found more than " << maxCallDepth
                           << " nested function calls";
  Frame frame;
  frame.opsets = &function.opsets;
  for (const NodeAttribute &attribute : function.defaults)
    frame.attributes[attribute.name] = &attribute;
  for (const NodeAttribute &attribute : node.attributes) {
    const NodeAttribute *value = attribute.refName.empty()
                                     ? &attribute
                                     : functionAttribute(attribute.refName);
    if (value)
      frame.attributes[attribute.name] = value;
  }
  Scope scope;
  scope.isFunction = true;
  for (auto [i, name] : llvm::enumerate(function.inputs))
    if (i < node.inputs.size() && !node.inputs[i].empty())
      scope.values[name] = lookup(node.inputs[i]);
  frames.push_back(std::move(frame));
  scopes.push_back(std::move(scope));
  LogicalResult result = importNodes(function.nodes);
  std::vector<Datum> outputs;
  for (StringRef name : function.outputs)
    outputs.push_back(lookup(name));
  scopes.pop_back();
  frames.pop_back();
  if (failed(result))
    return failure();
  for (auto [name, value] : llvm::zip(node.outputs, outputs))
    if (!name.empty())
      scopes.back().values[name] = value;
  return success();
}

FailureOr<std::vector<Datum>>
GraphImporter::importSubgraph(const Graph &graph, ArrayRef<Datum> arguments) {
  if (scopes.size() >= 2 * maxCallDepth)
    return emitError(builder.getLoc()) << "found subgraphs nested more than "
                                       << 2 * maxCallDepth << " deep";
  Scope scope;
  for (auto [info, argument] : llvm::zip(graph.inputs, arguments))
    scope.values[info.name] = argument;
  scopes.push_back(std::move(scope));
  Location loc = builder.getLoc();
  LogicalResult result = bindInitializers(graph);
  if (succeeded(result))
    result = importNodes(graph.nodes);
  builder.setLoc(loc);
  std::vector<Datum> outputs;
  for (const ValueInfo &info : graph.outputs) {
    outputs.push_back(lookup(info.name));
    Datum &datum = outputs.back();
    if (succeeded(result) && !datum.tensor && !datum.sequence &&
        !datum.isEmptyOptional)
      result = emitError(loc)
               << "output '" << info.name << "' of the subgraph is not defined";
  }
  scopes.pop_back();
  if (failed(result))
    return failure();
  return outputs;
}

LogicalResult GraphImporter::importModel() {
  if (failed(checkSupport()))
    return failure();
  MLIRContext *context = module.getContext();
  builder.setInsertionPointToEnd(module.getBody());
  entry = func::FuncOp::create(builder, options.functionName,
                               FunctionType::get(context, {}, {}));
  builder.setInsertionPointToStart(entry.addEntryBlock());
  scopes.emplace_back();
  if (failed(declareInputs(entry)) || failed(bindInitializers(model.graph)) ||
      failed(importNodes(model.graph.nodes)))
    return failure();
  return finish(entry);
}
