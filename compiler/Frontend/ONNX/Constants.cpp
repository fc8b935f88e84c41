#include "compiler/Frontend/ONNX/Constants.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ferrule::onnx;

Type ferrule::onnx::elementType(DataType type, MLIRContext *context) {
  Builder b(context);
  auto unsignedInt = [&](unsigned width) {
    return IntegerType::get(context, width, IntegerType::Unsigned);
  };
  switch (type) {
  case DataType::Float:
    return b.getF32Type();
  case DataType::Double:
    return b.getF64Type();
  case DataType::Float16:
    return b.getF16Type();
  case DataType::BFloat16:
    return b.getBF16Type();
  case DataType::UInt2:
    return unsignedInt(2);
  case DataType::UInt4:
    return unsignedInt(4);
  case DataType::UInt8:
    return unsignedInt(8);
  case DataType::UInt16:
    return unsignedInt(16);
  case DataType::UInt32:
    return unsignedInt(32);
  case DataType::UInt64:
    return unsignedInt(64);
  case DataType::Bool:
    return b.getI1Type();
  case DataType::Int2:
    return b.getIntegerType(2);
  case DataType::Int4:
    return b.getIntegerType(4);
  case DataType::Int8:
    return b.getIntegerType(8);
  case DataType::Int16:
    return b.getIntegerType(16);
  case DataType::Int32:
    return b.getIntegerType(32);
  case DataType::Int64:
    return b.getIntegerType(64);
  case DataType::Complex64:
    return ComplexType::get(b.getF32Type());
  case DataType::Complex128:
    return ComplexType::get(b.getF64Type());
  case DataType::Float8E4M3FN:
    return Float8E4M3FNType::get(context);
  case DataType::Float8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case DataType::Float8E5M2:
    return Float8E5M2Type::get(context);
  case DataType::Float8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  case DataType::Float8E8M0:
    return Float8E8M0FNUType::get(context);
  case DataType::Float4E2M1:
    return Float4E2M1FNType::get(context);
  case DataType::Float6E2M3:
    return Float6E2M3FNType::get(context);
  case DataType::Float6E3M2:
    return Float6E3M2FNType::get(context);
  case DataType::Undefined:
  case DataType::String:
    return {};
  }
  return {};
}

StringRef ferrule::onnx::dataTypeName(DataType type) {
  static constexpr const char *names[] = {
      "undefined",      "float",        "uint8",          "int8",
      "uint16",         "int16",        "int32",          "int64",
      "string",         "bool",         "float16",        "double",
      "uint32",         "uint64",       "complex64",      "complex128",
      "bfloat16",       "float8e4m3fn", "float8e4m3fnuz", "float8e5m2",
      "float8e5m2fnuz", "uint4",        "int4",           "float4e2m1",
      "float8e8m0",     "uint2",        "int2",           "float6e2m3",
      "float6e3m2"};
  auto index = static_cast<size_t>(type);
  return index < std::size(names) ? names[index] : "unknown";
}

/// Bytes of one element as stored; complex numbers are two floats.
static unsigned bitWidth(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  return type.getIntOrFloatBitWidth();
}

bool Storage::externalBytes(const Tensor &tensor, Bytes &bytes,
                            std::string &error) {
  StringRef location, offsetText = "0", lengthText;
  for (auto &[key, value] : tensor.externalData) {
    if (key == "location")
      location = value;
    else if (key == "offset")
      offsetText = value;
    else if (key == "length")
      lengthText = value;
  }
  uint64_t offset = 0, length = 0;
  if (location.empty() || offsetText.getAsInteger(10, offset) ||
      (!lengthText.empty() && lengthText.getAsInteger(10, length))) {
    error = "external_data needs a 'location' and whole numbers as 'offset' "
            "and 'length'";
    return false;
  }
  // A model must not read arbitrary files of its user.
  if (llvm::sys::path::is_absolute(location) ||
      llvm::is_contained(llvm::make_range(llvm::sys::path::begin(location),
                                          llvm::sys::path::end(location)),
                         "..")) {
    error = llvm::formatv("external_data location '{0}' leaves the model's "
                          "folder",
                          location);
    return false;
  }
  std::shared_ptr<llvm::MemoryBuffer> &file = files[location];
  if (!file) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, location);
    auto opened = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!opened) {
      error = llvm::formatv("cannot open external data file '{0}': {1}", path,
                            opened.getError().message());
      return false;
    }
    file = std::move(*opened);
  }
  uint64_t size = file->getBufferSize();
  if (offset > size || (!lengthText.empty() && length > size - offset)) {
    error = llvm::formatv("external data file '{0}' has {1} bytes, but bytes "
                          "{2} to {3} are asked for",
                          location, size, offset, offset + length);
    return false;
  }
  bytes.data = ArrayRef<char>(file->getBufferStart() + offset,
                              lengthText.empty() ? size - offset : length);
  bytes.owner = file;
  return true;
}

/// Elements given one by one (int32_data and the like) in stored form.
static std::shared_ptr<std::vector<char>> packElements(const Tensor &tensor,
                                                       Type type) {
  auto packed = std::make_shared<std::vector<char>>();
  auto append = [&](const void *data, size_t size) {
    auto *begin = static_cast<const char *>(data);
    packed->insert(packed->end(), begin, begin + size);
  };
  for (float value : tensor.floats)
    append(&value, sizeof(value));
  for (double value : tensor.doubles)
    append(&value, sizeof(value));
  unsigned size = std::max(1u, bitWidth(type) / 8);
  for (int64_t value : tensor.ints)
    append(&value, size);
  return packed;
}

/// Sub-byte elements, packed with the low bits first, as an attribute.
static ElementsAttr unpackSubByte(RankedTensorType type, ArrayRef<char> bytes) {
  unsigned width = bitWidth(type.getElementType());
  SmallVector<APInt> values;
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    auto byte = static_cast<uint8_t>(bytes[i * width / 8]);
    uint64_t bits = (byte >> (i * width % 8)) & ((1u << width) - 1);
    values.push_back(APInt(width, bits));
  }
  if (auto floatType = dyn_cast<FloatType>(type.getElementType())) {
    SmallVector<APFloat> floats;
    for (const APInt &value : values)
      floats.push_back(APFloat(floatType.getFloatSemantics(), value));
    return DenseElementsAttr::get(type, floats);
  }
  return DenseElementsAttr::get(type, values);
}

/// The largest alignment, up to 64, that an address has.
static size_t alignmentOf(const void *data) {
  auto address = reinterpret_cast<uintptr_t>(data);
  size_t alignment = 1;
  while (alignment < 64 && address % (alignment * 2) == 0)
    alignment *= 2;
  return alignment;
}

ElementsAttr Storage::convert(const Tensor &tensor, MLIRContext *context,
                              std::string &error) {
  Type element = elementType(tensor.type, context);
  if (!element) {
    error = llvm::formatv("element type {0} is not supported",
                          dataTypeName(tensor.type));
    return {};
  }
  int64_t count = 1;
  for (int64_t dim : tensor.dims) {
    if (dim < 0 || __builtin_mul_overflow(count, dim, &count)) {
      error = "dims hold a negative or too large number";
      return {};
    }
  }
  auto type = RankedTensorType::get(tensor.dims, element);
  Bytes bytes{ArrayRef<char>(tensor.raw.data(), tensor.raw.size()), model};
  if (tensor.external) {
    if (!externalBytes(tensor, bytes, error))
      return {};
  } else if (!tensor.hasRaw) {
    auto packed = packElements(tensor, element);
    bytes = {ArrayRef<char>(packed->data(), packed->size()), packed};
  }
  unsigned width = bitWidth(element);
  bool subByte = width < 8 && width > 1;
  uint64_t expected =
      subByte ? (static_cast<uint64_t>(count) * width + 7) / 8
              : static_cast<uint64_t>(count) * std::max(1u, width / 8);
  if (width == 6)
    expected = count;
  if (bytes.data.size() != expected) {
    error = llvm::formatv("found {0} bytes of data, expected {1} for {2}",
                          bytes.data.size(), expected, type);
    return {};
  }
  if (count == 0)
    return DenseElementsAttr::get(type, ArrayRef<mlir::Attribute>());
  if (width == 1) {
    SmallVector<bool> values;
    for (char byte : bytes.data)
      values.push_back(byte != 0);
    return DenseElementsAttr::get(type, values);
  }
  if (subByte && width != 6)
    return unpackSubByte(type, bytes.data);
  if (count <= 64)
    return DenseElementsAttr::getFromRawBuffer(type, bytes.data);
  auto owner = bytes.owner;
  AsmResourceBlob blob(
      bytes.data, alignmentOf(bytes.data.data()),
      [owner](void *, size_t, size_t) {},
      /*dataIsMutable=*/false);
  StringRef name = tensor.name.empty() ? StringRef("weight") : tensor.name;
  return DenseResourceElementsAttr::get(type, name, std::move(blob));
}

ElementsAttr ferrule::onnx::constantAttr(Value value) {
  ElementsAttr attr;
  if (value && matchPattern(value, m_Constant(&attr)))
    return attr;
  return {};
}

/// Reads the elements of a resource of T's as Out's.
template <typename T, typename Out>
static void readResource(ArrayRef<char> data, SmallVector<Out> &out) {
  for (size_t i = 0; i + sizeof(T) <= data.size(); i += sizeof(T)) {
    T value;
    memcpy(&value, data.data() + i, sizeof(T));
    out.push_back(static_cast<Out>(value));
  }
}

std::optional<SmallVector<int64_t>> ferrule::onnx::constantInts(Value value,
                                                                int64_t limit) {
  return intsOf(constantAttr(value), limit);
}

std::optional<SmallVector<double>>
ferrule::onnx::constantFloats(Value value, int64_t limit) {
  return floatsOf(constantAttr(value), limit);
}

std::optional<SmallVector<int64_t>> ferrule::onnx::intsOf(ElementsAttr attr,
                                                          int64_t limit) {
  if (!attr || attr.getNumElements() > limit)
    return std::nullopt;
  auto type = dyn_cast<IntegerType>(attr.getElementType());
  if (!type)
    return std::nullopt;
  bool isUnsigned = type.isUnsigned() || type.getWidth() == 1;
  SmallVector<int64_t> result;
  if (auto dense = dyn_cast<DenseElementsAttr>(attr)) {
    for (const APInt &element : dense.getValues<APInt>())
      result.push_back(isUnsigned ? element.getZExtValue()
                                  : element.getSExtValue());
    return result;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(attr);
  if (!resource)
    return std::nullopt;
  ArrayRef<char> data = resource.getData();
  switch (type.getWidth()) {
  case 8:
    isUnsigned ? readResource<uint8_t>(data, result)
               : readResource<int8_t>(data, result);
    return result;
  case 16:
    isUnsigned ? readResource<uint16_t>(data, result)
               : readResource<int16_t>(data, result);
    return result;
  case 32:
    isUnsigned ? readResource<uint32_t>(data, result)
               : readResource<int32_t>(data, result);
    return result;
  case 64:
    readResource<int64_t>(data, result);
    return result;
  }
  return std::nullopt;
}

std::optional<SmallVector<double>> ferrule::onnx::floatsOf(ElementsAttr attr,
                                                           int64_t limit) {
  if (!attr || attr.getNumElements() > limit ||
      !isa<FloatType>(attr.getElementType()))
    return std::nullopt;
  SmallVector<double> result;
  if (auto dense = dyn_cast<DenseElementsAttr>(attr)) {
    for (APFloat element : dense.getValues<APFloat>())
      result.push_back(element.convertToDouble());
    return result;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(attr);
  if (!resource)
    return std::nullopt;
  if (attr.getElementType().isF32())
    readResource<float>(resource.getData(), result);
  else if (attr.getElementType().isF64())
    readResource<double>(resource.getData(), result);
  else
    return std::nullopt;
  return result;
}
