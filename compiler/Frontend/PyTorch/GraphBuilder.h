// Builds a program of the torch dialect for a caller that walks a framework's
// graph. Values and types are numbers, so that the Python importer can hold
// them; no MLIR header is needed here.
#ifndef FERRULE_COMPILER_FRONTEND_PYTORCH_GRAPHBUILDER_H
#define FERRULE_COMPILER_FRONTEND_PYTORCH_GRAPHBUILDER_H

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ferrule {
class ModuleHandle;

namespace torch {

/// Names of the operators that the compiler takes as they are
/// ("aten.add.Tensor"), sorted. Importers decompose others where they can.
std::vector<std::string> getLoweredOperators();

/// A tensor constant in somebody else's memory, which has to stay until the
/// program is destroyed.
struct LiteralData {
  std::string_view name;        // key of the resource: a parameter's name
  std::string_view elementType; // "f32", "si64", "i1" ...
  std::vector<int64_t> shape;
  const void *data = nullptr; // row-major; bools are one byte each
  size_t bytes = 0;
};

/// Functions that can fail return false (or -1) and leave the reason in
/// error().
class GraphBuilder {
public:
  using Value = int64_t;
  using Values = std::vector<Value>;
  using TypeId = int64_t;
  using TypeIds = std::vector<TypeId>;

  GraphBuilder();
  ~GraphBuilder();

  const std::string &error() const;

  /// The type of that text, e.g. "!torch.vtensor<[2,?],f32>".
  TypeId getType(std::string_view text);
  std::string getTypeText(Value value) const;

  /// Source line of the user's program and name of the layer for the ops that
  /// follow; empty where not known.
  void setLocation(std::string_view file, unsigned line, unsigned column,
                   std::string_view layer);

  // Functions. Arguments and results are set between begin and end.
  bool beginFunction(std::string_view name, const TypeIds &arguments,
                     Values &values);
  void setArgument(unsigned index, std::string_view name,
                   const std::vector<std::string> &dims);
  bool endFunction(const Values &results);
  void setResult(unsigned index, std::string_view name,
                 const std::vector<std::string> &dims);

  // Constants: equal ones are made once a function.
  Value constantInt(int64_t value);
  Value constantFloat(double value);
  Value constantBool(bool value);
  Value constantString(std::string_view value);
  Value constantDevice(std::string_view value);
  Value constantNone();
  Value literal(const LiteralData &literal);

  /// An op by its name, "torch.aten.mm"; unknown names of that shape become
  /// torch.operator.
  bool op(std::string_view name, const Values &operands,
          const TypeIds &results, Values &values);
  bool hasOp(std::string_view name) const;
  void runtimeAssert(Value condition, std::string_view message);

  // Symbolic sizes.
  Value symbolicInt(std::string_view name, int64_t min, int64_t max);
  bool bindShape(Value tensor, const Values &symbols,
                 std::string_view affineMap);
  void setSymbolRange(std::string_view name, int64_t min, int64_t max);

  // Control flow. The regions' contents are built between the calls.
  bool beginIf(Value condition, const TypeIds &results);
  bool beginElse(const Values &thenResults);
  bool endIf(const Values &elseResults, Values &values);
  bool beginLoop(Value maxTripCount, Value condition, const Values &carried,
                 Values &arguments);
  bool endLoop(Value condition, const Values &carried, Values &values);

  void setMetadata(std::string_view key, std::string_view value);

  /// Verifies and hands over the program; null on failure. Nothing else may be
  /// called afterwards but error().
  std::unique_ptr<ModuleHandle> finish();

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace torch
} // namespace ferrule

#endif // FERRULE_COMPILER_FRONTEND_PYTORCH_GRAPHBUILDER_H
