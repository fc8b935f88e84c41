// What a lowering function sees: one operator, its operands by the names of
// PyTorch's schema, and the builder.
#ifndef FERRULE_CONVERSION_TORCHTOSTABLEHLO_OPLOWERING_H
#define FERRULE_CONVERSION_TORCHTOSTABLEHLO_OPLOWERING_H

#include "compiler/Dialect/Torch/IR/Torch.h"
#include "compiler/Frontend/Support/Shapes.h"
#include "llvm/ADT/StringMap.h"

namespace ferrule::torch {

using frontend::HloBuilder;
using frontend::Size;
using frontend::Sizes;
using mlir::Value;

/// The values that stand for those of the torch dialect.
struct ValueMap {
  /// Tensors, and int, float and bool as tensors of rank 0.
  llvm::DenseMap<Value, Value> values;
  /// Lists that an operator made.
  llvm::DenseMap<Value, llvm::SmallVector<Value>> lists;
};

/// One operator in the course of its lowering. Accessors take the argument's
/// name in the schema. A malformed argument is reported once, at the operator,
/// and a harmless value is returned in its place.
class OpLowering {
public:
  OpLowering(HloBuilder &b, mlir::Operation *op, ValueMap &map)
      : b(b), op(op), map(map) {}

  HloBuilder &b;
  mlir::Operation *op;

  /// Whether the schema has the argument and it is not None.
  bool has(llvm::StringRef name) const;

  /// A tensor argument; null when it is None.
  Value tensor(llvm::StringRef name);
  /// The same, converted to an element type.
  Value tensor(llvm::StringRef name, mlir::Type element);
  /// A list of tensors; null for a None among them.
  llvm::SmallVector<Value> tensors(llvm::StringRef name);

  /// Constants.
  int64_t integer(llvm::StringRef name, int64_t missing = 0);
  double number(llvm::StringRef name, double missing = 0);
  bool flag(llvm::StringRef name, bool missing = false);
  llvm::StringRef text(llvm::StringRef name, llvm::StringRef missing = "");
  llvm::SmallVector<int64_t> integers(llvm::StringRef name);
  llvm::SmallVector<double> numbers(llvm::StringRef name);
  llvm::SmallVector<bool> flags(llvm::StringRef name);

  /// A dimension, or several, counted from the start of a tensor of `rank`
  /// dimensions. A missing or empty list means all dimensions.
  int64_t dim(llvm::StringRef name, int64_t rank, int64_t missing = 0);
  llvm::SmallVector<int64_t> dims(llvm::StringRef name, int64_t rank);

  /// Integers that may be known at run time only.
  Size size(llvm::StringRef name, int64_t missing = 0);
  std::optional<Size> sizeOrNone(llvm::StringRef name);
  Sizes sizes(llvm::StringRef name);

  /// A number (int, float or bool, constant or not) as a scalar tensor.
  Value scalar(llvm::StringRef name, mlir::Type element);
  /// The same, 1 when missing, with a test whether it is the constant 1.
  bool isOne(llvm::StringRef name);
  /// The element type a number counts as in promotion: i64, f64 or i1.
  mlir::Type scalarKind(llvm::StringRef name);

  /// The type that the operator's result declares, as builtin tensor.
  mlir::RankedTensorType resultType(unsigned index = 0);
  mlir::Type resultElement(unsigned index = 0);

  /// Gives the results; a null one is allowed when nobody uses it.
  void give(mlir::ValueRange results);
  void give(Value result) { give(mlir::ValueRange(result)); }
  /// Gives the only result, a list.
  void giveList(mlir::ValueRange elements);

  /// Reports that the operator cannot be lowered and why.
  void fail(const llvm::Twine &reason);
  bool failed() const { return hasFailed; }
  bool gave() const { return hasResults; }

  /// The value that stands for an operand or any other torch value; builds
  /// constants where needed.
  Value mapped(Value torchValue);
  Size sizeOf(Value torchInt);

private:
  Value operand(llvm::StringRef name) const;

  ValueMap &map;
  bool hasFailed = false;
  bool hasResults = false;
};

/// A lowering: reads arguments, builds ops, gives results.
using Lowering = void (*)(OpLowering &);

/// All lowerings by the operator's name without "torch.".
using LoweringTable = llvm::StringMap<Lowering>;
const LoweringTable &getLoweringTable();

/// A family's list of operators.
struct LoweringEntry {
  llvm::StringLiteral name;
  Lowering lower;
};

/// PyTorch's promotion. Each operand counts with its element type and by kind:
/// a tensor with dimensions outranks one without, which outranks a number;
/// the lower kinds only matter when they are of a higher category (bool,
/// integer, float, complex).
struct Promoted {
  mlir::Type element;
  enum Kind { Number, Scalar, Tensor } kind = Tensor;
};
mlir::Type promote(llvm::ArrayRef<Promoted> operands);
mlir::Type promoteTypes(mlir::Type x, mlir::Type y);
/// The type of two tensors together.
mlir::Type promoteTensors(Value x, Value y);
Promoted promotedOf(Value tensor);

/// `input` with the part `p` of its elements zero, the others larger by 1/(1-p).
Value dropAtRandom(OpLowering &x, Value input, double p);

// Families; each adds its operators to the table.
void addActivationLowerings(LoweringTable &table);
void addAttentionLowerings(LoweringTable &table);
void addBinaryLowerings(LoweringTable &table);
void addComplexLowerings(LoweringTable &table);
void addConvolutionLowerings(LoweringTable &table);
void addCreationLowerings(LoweringTable &table);
void addIndexLowerings(LoweringTable &table);
void addLinearAlgebraLowerings(LoweringTable &table);
void addLinearLowerings(LoweringTable &table);
void addNormalizationLowerings(LoweringTable &table);
void addPoolingLowerings(LoweringTable &table);
void addQuantizedLowerings(LoweringTable &table);
void addRandomLowerings(LoweringTable &table);
void addReductionLowerings(LoweringTable &table);
void addResizeLowerings(LoweringTable &table);
void addScalarLowerings(LoweringTable &table);
void addScatterLowerings(LoweringTable &table);
void addSortLowerings(LoweringTable &table);
void addUnaryLowerings(LoweringTable &table);
void addViewLowerings(LoweringTable &table);
void addWindowLowerings(LoweringTable &table);

inline void addLowerings(LoweringTable &table,
                         llvm::ArrayRef<LoweringEntry> entries) {
  for (const LoweringEntry &entry : entries)
    table[entry.name] = entry.lower;
}

} // namespace ferrule::torch

#endif // FERRULE_CONVERSION_TORCHTOSTABLEHLO_OPLOWERING_H
