// What the function that imports one op sees: the node, its inputs and
// attributes, a builder, and a place for its outputs.
#ifndef FERRULE_COMPILER_FRONTEND_ONNX_NODECONTEXT_H
#define FERRULE_COMPILER_FRONTEND_ONNX_NODECONTEXT_H

#include "compiler/Frontend/ONNX/Constants.h"
#include "compiler/Frontend/ONNX/Model.h"
#include "compiler/Frontend/Support/Shapes.h"
#include "mlir/IR/Diagnostics.h"

namespace ferrule::onnx {

class GraphImporter;

/// What a name stands for: a tensor, a sequence whose length is known while
/// importing, or an empty optional.
struct Datum {
  mlir::Value tensor;
  std::shared_ptr<std::vector<Datum>> sequence;
  bool isEmptyOptional = false;

  Datum() = default;
  Datum(mlir::Value tensor) : tensor(tensor) {}
};

class NodeContext {
public:
  NodeContext(GraphImporter &importer, const Node &node, int64_t opset,
              frontend::HloBuilder &b)
      : b(b), importer(importer), node(node), opset(opset),
        outputs(node.outputs.size()) {}

  StringRef type() const { return node.opType; }

  // Inputs. An optional input that is absent has no name or is left off.
  size_t numInputs() const { return node.inputs.size(); }
  bool has(size_t i) const {
    return i < node.inputs.size() && !node.inputs[i].empty();
  }
  /// The tensor of input `i`, null when it is absent.
  mlir::Value input(size_t i);
  Datum datum(size_t i);
  /// Makes input `i` another tensor for the function that imports the op.
  void replaceInput(size_t i, mlir::Value value) { replaced[i] = value; }
  /// All inputs, which must be present tensors.
  llvm::SmallVector<mlir::Value> inputs();

  // Outputs.
  size_t numOutputs() const { return node.outputs.size(); }
  bool wants(size_t i) const {
    return i < node.outputs.size() && !node.outputs[i].empty();
  }
  void set(size_t i, Datum value) {
    if (i < outputs.size())
      outputs[i] = std::move(value);
  }
  mlir::LogicalResult result(mlir::Value value) {
    set(0, value);
    return mlir::success();
  }

  // Attributes. References to the attributes of an enclosing function are
  // followed; null when the attribute is not given.
  const NodeAttribute *attribute(StringRef name) const;
  bool hasAttr(StringRef name) const { return attribute(name); }
  int64_t intAttr(StringRef name, int64_t otherwise) const;
  float floatAttr(StringRef name, float otherwise) const;
  StringRef stringAttr(StringRef name, StringRef otherwise) const;
  llvm::SmallVector<int64_t> intsAttr(StringRef name) const;
  std::optional<llvm::SmallVector<int64_t>> optionalInts(StringRef name) const;
  /// A tensor attribute as a constant, null after an error.
  mlir::Value tensorAttr(StringRef name);
  const Graph *graphAttr(StringRef name) const;

  /// A list of integers that an opset moved from an attribute to input `i`:
  /// the input's constant, else the attribute, else nothing. When the input is
  /// there and not constant, sets `isDynamic`.
  std::optional<llvm::SmallVector<int64_t>>
  constantList(size_t i, StringRef attr, bool *isDynamic = nullptr);

  /// An axis attribute counted from the start; fails when out of range.
  mlir::FailureOr<int64_t> axis(int64_t axis, int64_t rank);

  /// The element type of an ONNX type number, e.g. of Cast's `to`; null after
  /// an error.
  mlir::Type elementType(int64_t number);

  /// An error that names the op, node and operator set.
  mlir::InFlightDiagnostic error();

  frontend::HloBuilder &b;
  GraphImporter &importer;
  const Node &node;
  const int64_t opset;
  std::vector<Datum> outputs;

private:
  llvm::SmallDenseMap<size_t, mlir::Value, 2> replaced;
};

/// Imports one node: reads its inputs and sets its outputs.
using OpFunction = mlir::LogicalResult (*)(NodeContext &);

/// The table of supported ops. Each family registers its own.
class Registry {
public:
  static const Registry &get();
  OpFunction find(StringRef domain, StringRef opType) const;
  std::vector<std::string> names() const;

  void add(StringRef opType, OpFunction fn) { ops[opType] = fn; }
  void add(StringRef domain, StringRef opType, OpFunction fn) {
    ops[(domain + "." + opType).str()] = fn;
  }

private:
  Registry();
  llvm::StringMap<OpFunction> ops;
};

constexpr const char *microsoft = "com.microsoft";

void registerElementwiseOps(Registry &);
void registerActivationOps(Registry &);
void registerCompareOps(Registry &);
void registerShapeOps(Registry &);
void registerReshapeOps(Registry &);
void registerSliceOps(Registry &);
void registerIndexOps(Registry &);
void registerReduceOps(Registry &);
void registerConvOps(Registry &);
void registerPoolOps(Registry &);
void registerMatMulOps(Registry &);
void registerNormalizationOps(Registry &);
void registerControlFlowOps(Registry &);
void registerRecurrentOps(Registry &);
void registerQuantizeOps(Registry &);
void registerResizeOps(Registry &);
void registerSequenceOps(Registry &);
void registerGenerateOps(Registry &);
void registerAttentionOps(Registry &);
void registerLossOps(Registry &);
void registerSamplingOps(Registry &);
void registerSelectionOps(Registry &);
void registerSignalOps(Registry &);
void registerRegionOps(Registry &);
void registerFoldOps(Registry &);
void registerLinearAttentionOps(Registry &);
void registerLinearAlgebraOps(Registry &);
void registerRandomOps(Registry &);
void registerTrainingOps(Registry &);
void registerMicrosoftAttentionOps(Registry &);
void registerMicrosoftFusedOps(Registry &);
void registerMicrosoftQuantizeOps(Registry &);
void registerLearningOps(Registry &);
void registerTreeOps(Registry &);

} // namespace ferrule::onnx

#endif // FERRULE_COMPILER_FRONTEND_ONNX_NODECONTEXT_H
