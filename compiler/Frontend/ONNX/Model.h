// The parts of an ONNX file that the importer uses, as plain structures whose
// strings and weights are views into the file's memory.
#ifndef FERRULE_COMPILER_FRONTEND_ONNX_MODEL_H
#define FERRULE_COMPILER_FRONTEND_ONNX_MODEL_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferrule::onnx {

using llvm::StringRef;

/// TensorProto.DataType; the numbers are the file format's.
enum class DataType : int32_t {
  Undefined = 0,
  Float = 1,
  UInt8 = 2,
  Int8 = 3,
  UInt16 = 4,
  Int16 = 5,
  Int32 = 6,
  Int64 = 7,
  String = 8,
  Bool = 9,
  Float16 = 10,
  Double = 11,
  UInt32 = 12,
  UInt64 = 13,
  Complex64 = 14,
  Complex128 = 15,
  BFloat16 = 16,
  Float8E4M3FN = 17,
  Float8E4M3FNUZ = 18,
  Float8E5M2 = 19,
  Float8E5M2FNUZ = 20,
  UInt4 = 21,
  Int4 = 22,
  Float4E2M1 = 23,
  Float8E8M0 = 24,
  UInt2 = 25,
  Int2 = 26,
  Float6E2M3 = 27,
  Float6E3M2 = 28,
};

/// TensorProto. The elements lie in exactly one of the data members; `raw`
/// also holds packed float_data and double_data, which have the same layout.
struct Tensor {
  StringRef name;
  DataType type = DataType::Undefined;
  std::vector<int64_t> dims;
  bool hasRaw = false;
  StringRef raw;
  std::vector<float> floats;
  std::vector<double> doubles;
  std::vector<int64_t> ints;
  std::vector<StringRef> strings;
  bool external = false;
  std::vector<std::pair<StringRef, StringRef>> externalData;
};

struct SparseTensor {
  Tensor values;
  Tensor indices;
  std::vector<int64_t> dims;
};

/// One dimension of a declared shape: a number, a name, or neither.
struct Dimension {
  std::optional<int64_t> value;
  StringRef param;
};

/// TypeProto, for tensors, sequences and optionals of them.
struct TypeInfo {
  enum Kind { None, TensorKind, SequenceKind, OptionalKind, Other };
  Kind kind = None;
  DataType elementType = DataType::Undefined;
  bool hasShape = false;
  std::vector<Dimension> shape;
  std::shared_ptr<TypeInfo> element;
};

struct ValueInfo {
  StringRef name;
  TypeInfo type;
};

struct Graph;

/// AttributeProto. `type` is the format's AttributeType number.
struct NodeAttribute {
  enum Type {
    Undefined = 0,
    Float = 1,
    Int = 2,
    String = 3,
    TensorType = 4,
    GraphType = 5,
    Floats = 6,
    Ints = 7,
    Strings = 8,
    Tensors = 9,
    Graphs = 10,
    SparseTensorType = 11,
    SparseTensors = 12,
    TypeProto = 13,
    TypeProtos = 14,
  };
  StringRef name;
  StringRef refName;
  int type = Undefined;
  float f = 0;
  int64_t i = 0;
  StringRef s;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::vector<StringRef> strings;
  std::shared_ptr<Tensor> tensor;
  std::shared_ptr<SparseTensor> sparse;
  std::vector<std::shared_ptr<Graph>> graphs;
  std::shared_ptr<TypeInfo> typeInfo;
};

struct Node {
  StringRef name;
  StringRef opType;
  StringRef domain;
  StringRef overload;
  std::vector<StringRef> inputs;
  std::vector<StringRef> outputs;
  std::vector<NodeAttribute> attributes;
};

struct Graph {
  StringRef name;
  std::vector<Node> nodes;
  std::vector<Tensor> initializers;
  std::vector<SparseTensor> sparseInitializers;
  std::vector<ValueInfo> inputs;
  std::vector<ValueInfo> outputs;
};

/// The version of each operator set by domain; the default domain is "".
using OpsetImports = std::map<std::string, int64_t>;

struct Function {
  StringRef name;
  StringRef domain;
  StringRef overload;
  std::vector<StringRef> inputs;
  std::vector<StringRef> outputs;
  std::vector<StringRef> attributeNames;
  std::vector<NodeAttribute> defaults;
  std::vector<Node> nodes;
  OpsetImports opsets;
};

struct Model {
  int64_t irVersion = 0;
  StringRef producer;
  OpsetImports opsets;
  Graph graph;
  std::vector<std::pair<StringRef, StringRef>> metadata;
  std::vector<Function> functions;
};

/// Parses the bytes of a ModelProto. On damage returns false and sets `error`
/// to a message that names the field; `bytes` must outlive `model`.
bool readModel(StringRef bytes, Model &model, std::string &error);

/// Parses the bytes of a single TensorProto, as ONNX's test data has them.
bool readTensor(StringRef bytes, Tensor &tensor, std::string &error);

} // namespace ferrule::onnx

#endif // FERRULE_COMPILER_FRONTEND_ONNX_MODEL_H
