// Walks the graphs of a model and keeps what each name stands for.
#ifndef FERRULE_COMPILER_FRONTEND_ONNX_GRAPHIMPORTER_H
#define FERRULE_COMPILER_FRONTEND_ONNX_GRAPHIMPORTER_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Frontend/ONNX/NodeContext.h"
#include "compiler/Frontend/ONNX/ONNX.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <deque>

namespace ferrule::onnx {

class GraphImporter {
public:
  GraphImporter(const Model &model, Storage &storage, mlir::ModuleOp module,
                const ONNXImportOptions &options);

  /// Imports the model's graph as the module's entry function.
  mlir::LogicalResult importModel();

  // For ops with subgraphs. A scope holds the names of one graph.
  /// Imports the nodes of a subgraph at the builder's insertion point, its
  /// inputs bound to `arguments`; names of outer graphs are visible. Returns
  /// the values of its outputs.
  mlir::FailureOr<std::vector<Datum>>
  importSubgraph(const Graph &graph, llvm::ArrayRef<Datum> arguments);

  /// What a name stands for here; an empty datum when nothing defines it.
  Datum lookup(StringRef name);

  /// A tensor as a constant at the top of the entry function; null after
  /// setting `error`.
  mlir::Value constant(const Tensor &tensor, std::string &error);

  /// The same for a sparse tensor, filled up with zeros.
  mlir::Value importSparse(const SparseTensor &sparse, std::string &error);

  /// An attribute of the function call being expanded, or null.
  const NodeAttribute *functionAttribute(StringRef name) const;

  mlir::InFlightDiagnostic nodeError(const Node &node);

private:
  struct Scope {
    llvm::StringMap<Datum> values;
    llvm::StringMap<const Tensor *> initializers;
    /// Set for a function's body, which sees no outer names.
    bool isFunction = false;
  };
  /// A function call being expanded: its attributes and operator sets.
  struct Frame {
    llvm::StringMap<const NodeAttribute *> attributes;
    const OpsetImports *opsets;
  };

  // Signature.
  /// An input as the entry function has it: a tensor argument, several of them
  /// for a sequence, or nothing for an empty optional.
  struct InputPlan {
    TypeInfo::Kind kind = TypeInfo::TensorKind;
    size_t leaf = 0;
    std::vector<InputPlan> items;
  };
  mlir::FailureOr<InputPlan> planInput(std::string name, const TypeInfo &type);
  static Datum bindInput(const InputPlan &plan, mlir::func::FuncOp function);
  bool isGiven(StringRef name) const;
  mlir::LogicalResult declareInputs(mlir::func::FuncOp function);
  mlir::FailureOr<mlir::RankedTensorType> inputType(const ValueInfo &info);
  mlir::LogicalResult applyShapeOverride(const ValueInfo &info,
                                         llvm::SmallVector<int64_t> &shape);
  mlir::ArrayAttr dimNames(const ValueInfo &info,
                           llvm::ArrayRef<int64_t> shape);
  std::string symbolFor(StringRef param);
  mlir::LogicalResult finish(mlir::func::FuncOp function);
  llvm::SmallVector<const ValueInfo *> realInputs() const;

  // Nodes.
  mlir::LogicalResult checkSupport();
  void collectUnsupported(llvm::ArrayRef<Node> nodes,
                          const OpsetImports &opsets, int depth);
  mlir::LogicalResult bindInitializers(const Graph &graph);
  mlir::LogicalResult importNodes(llvm::ArrayRef<Node> nodes);
  mlir::LogicalResult importNode(const Node &node);
  mlir::LogicalResult runImport(NodeContext &op, OpFunction import);
  mlir::LogicalResult importCall(const Node &node, const Function &function);
  const Function *findFunction(const Node &node) const;
  std::optional<int64_t> opsetOf(StringRef domain) const;
  mlir::Location locationOf(const Node &node);

  const Model &model;
  Storage &storage;
  mlir::ModuleOp module;
  const ONNXImportOptions &options;
  frontend::HloBuilder builder;
  mlir::func::FuncOp entry;
  std::vector<Scope> scopes;
  std::vector<Frame> frames;
  /// The tensors that the inputs consist of, and what names them.
  std::vector<ValueInfo> leaves;
  std::deque<std::string> leafNames;
  llvm::StringMap<std::string> symbols;
  llvm::StringMap<int64_t> fixedSymbols;
  std::vector<std::string> unsupported;
  llvm::DenseMap<const Tensor *, mlir::Value> constants;
};

} // namespace ferrule::onnx

#endif // FERRULE_COMPILER_FRONTEND_ONNX_GRAPHIMPORTER_H
