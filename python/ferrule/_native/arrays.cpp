#include "python/ferrule/_native/arrays.h"

#include "runtime/api/dlpack.h"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>

namespace nb = nanobind;
using namespace ferrule;
using namespace ferrule::python;

namespace {

/// How an element type is called by the libraries, and its DLPack code.
struct Row {
  ferrule_element_type type;
  const char *torch;
  const char *numpy; ///< NumPy's, or ml_dtypes' when not `native`.
  bool native;
  uint8_t code;
};
constexpr uint8_t kNoCode = 255; ///< DLPack has it in no form that is ours.
constexpr Row kRows[] = {
    {FERRULE_I1, "bool", "bool", true, 6},
    {FERRULE_I8, "int8", "int8", true, 0},
    {FERRULE_I16, "int16", "int16", true, 0},
    {FERRULE_I32, "int32", "int32", true, 0},
    {FERRULE_I64, "int64", "int64", true, 0},
    {FERRULE_U8, "uint8", "uint8", true, 1},
    {FERRULE_U16, "uint16", "uint16", true, 1},
    {FERRULE_U32, "uint32", "uint32", true, 1},
    {FERRULE_U64, "uint64", "uint64", true, 1},
    {FERRULE_F16, "float16", "float16", true, 2},
    {FERRULE_F32, "float32", "float32", true, 2},
    {FERRULE_F64, "float64", "float64", true, 2},
    {FERRULE_C64, "complex64", "complex64", true, 5},
    {FERRULE_C128, "complex128", "complex128", true, 5},
    {FERRULE_BF16, "bfloat16", "bfloat16", false, 4},
    {FERRULE_F8E3M4, nullptr, "float8_e3m4", false, 7},
    {FERRULE_F8E4M3, nullptr, "float8_e4m3", false, 8},
    {FERRULE_F8E4M3B11FNUZ, nullptr, "float8_e4m3b11fnuz", false, 9},
    {FERRULE_F8E4M3FN, "float8_e4m3fn", "float8_e4m3fn", false, 10},
    {FERRULE_F8E4M3FNUZ, "float8_e4m3fnuz", "float8_e4m3fnuz", false, 11},
    {FERRULE_F8E5M2, "float8_e5m2", "float8_e5m2", false, 12},
    {FERRULE_F8E5M2FNUZ, "float8_e5m2fnuz", "float8_e5m2fnuz", false, 13},
    {FERRULE_F8E8M0FNU, "float8_e8m0fnu", "float8_e8m0fnu", false, 14},
    {FERRULE_F6E2M3FN, nullptr, "float6_e2m3fn", false, kNoCode},
    {FERRULE_F6E3M2FN, nullptr, "float6_e3m2fn", false, kNoCode},
    {FERRULE_F4E2M1FN, nullptr, "float4_e2m1fn", false, kNoCode},
    {FERRULE_I4, nullptr, "int4", false, kNoCode},
    {FERRULE_U4, nullptr, "uint4", false, kNoCode},
    {FERRULE_I2, nullptr, "int2", false, kNoCode},
    {FERRULE_U2, nullptr, "uint2", false, kNoCode},
};

const Row *rowOf(ferrule_element_type type) {
  for (const Row &row : kRows)
    if (row.type == type)
      return &row;
  return nullptr;
}

// Module objects live as long as the interpreter; they are never released,
// because that would happen after its end.
nb::handle module(const char *name) {
  static std::unordered_map<std::string_view, PyObject *> modules;
  PyObject *&found = modules[name];
  if (!found)
    found = nb::module_::import_(name).release().ptr();
  return found;
}

/// torch.Tensor when torch is imported already, else null.
nb::handle tensorClass() {
  static PyObject *tensor = nullptr;
  if (!tensor) {
    PyObject *imported =
        PyDict_GetItemString(PyImport_GetModuleDict(), "torch");
    if (imported && PyObject_HasAttrString(imported, "Tensor"))
      tensor = nb::getattr(imported, "Tensor").release().ptr();
  }
  return tensor;
}

[[noreturn]] void fail(const ValueInfo &expected, const std::string &what) {
  throw Error(FERRULE_INVALID_ARGUMENT, "input '" + expected.name + "' " +
                                            what + ", expected " +
                                            expected.text());
}

/// The element type of a format of the buffer protocol.
ferrule_element_type typeOfFormat(const char *format, Py_ssize_t bytes) {
  std::string_view text = format ? format : "B";
  if (!text.empty() && (text[0] == '<' || text[0] == '=' || text[0] == '@'))
    text.remove_prefix(1);
  const char *prefix = nullptr;
  if (text == "?")
    return FERRULE_I1;
  if (text.size() == 1 && std::strchr("bhilq", text[0]))
    prefix = "int";
  else if (text.size() == 1 && std::strchr("BHILQ", text[0]))
    prefix = "uint";
  else if (text.size() == 1 && std::strchr("efd", text[0]))
    prefix = "float";
  else if (text == "Zf" || text == "Zd")
    prefix = "complex";
  if (!prefix)
    return FERRULE_NONE;
  std::string name = prefix + std::to_string(bytes * 8);
  for (const Row &row : kRows)
    if (row.native && name == row.numpy)
      return row.type;
  return FERRULE_NONE;
}

/// ml_dtypes keeps elements of less than a byte in a byte each, the runtime
/// packs them, the first in the lowest bits.
void packBytes(Argument &argument, nb::object array,
               ferrule_element_type type) {
  unsigned bits = ferrule_element_type_bits(type);
  nb::object bytes =
      module("numpy").attr("ascontiguousarray")(array.attr("view")("uint8"));
  for (nb::handle size : array.attr("shape"))
    argument.view.dims.push_back(nb::cast<int64_t>(size));
  Py_buffer buffer;
  if (PyObject_GetBuffer(bytes.ptr(), &buffer, PyBUF_C_CONTIGUOUS) != 0)
    throw nb::python_error();
  size_t count = static_cast<size_t>(buffer.len), perByte = 8 / bits;
  std::string packed((count + perByte - 1) / perByte, 0);
  for (size_t i = 0; i < count; ++i) {
    unsigned value = static_cast<const uint8_t *>(buffer.buf)[i];
    value &= (1u << bits) - 1;
    packed[i / perByte] |= static_cast<char>(value << i % perByte * bits);
  }
  PyBuffer_Release(&buffer);
  nb::bytes owner(packed.data(), packed.size());
  argument.view.data = const_cast<void *>(owner.data());
  argument.view.type = type;
  argument.readOnly = true;
  argument.keep = std::move(owner);
}

/// The array of ml_dtypes with the elements of packed memory.
nb::object unpackBytes(const BufferView &view, const Row &row) {
  unsigned bits = ferrule_element_type_bits(view.type), perByte = 8 / bits;
  bool isSigned = view.type == FERRULE_I4 || view.type == FERRULE_I2;
  size_t count = 1;
  for (int64_t size : view.dims)
    count *= static_cast<size_t>(size);
  std::string bytes(count, 0);
  for (size_t i = 0; i < count; ++i) {
    unsigned value = static_cast<const uint8_t *>(view.data)[i / perByte];
    value = value >> i % perByte * bits & ((1u << bits) - 1);
    if (isSigned && value >> (bits - 1))
      value |= ~0u << bits;
    bytes[i] = static_cast<char>(value);
  }
  nb::object flat = module("numpy").attr("frombuffer")(
      nb::bytes(bytes.data(), bytes.size()), "uint8");
  nb::list shape;
  for (int64_t size : view.dims)
    shape.append(size);
  return flat.attr("copy")()
      .attr("view")(nb::getattr(module("ml_dtypes"), row.numpy))
      .attr("reshape")(nb::tuple(shape));
}

void viewNumpy(Argument &argument, nb::object array,
               const ValueInfo &expected) {
  if (PyObject_GetBuffer(array.ptr(), &argument.buffer,
                         PyBUF_STRIDES | PyBUF_FORMAT) == 0) {
    argument.hasBuffer = true;
    const Py_buffer &buffer = argument.buffer;
    argument.view.type = typeOfFormat(buffer.format, buffer.itemsize);
    if (argument.view.type == FERRULE_NONE)
      fail(expected, "is an array of " +
                         std::string(nb::repr(array.attr("dtype")).c_str()));
    argument.view.data = buffer.buf;
    argument.readOnly = buffer.readonly;
    argument.view.dims.assign(buffer.shape, buffer.shape + buffer.ndim);
    for (int i = 0; i < buffer.ndim; ++i) {
      if (buffer.strides[i] % buffer.itemsize != 0)
        fail(expected, "is an array whose strides are no whole elements");
      argument.view.strides.push_back(buffer.strides[i] / buffer.itemsize);
    }
    argument.keep = std::move(array);
    return;
  }
  // Types of ml_dtypes have no buffer format: the same memory as integers.
  PyErr_Clear();
  std::string name = nb::str(array.attr("dtype").attr("name")).c_str();
  for (const Row &row : kRows)
    if (!row.native && name == row.numpy) {
      if (ferrule_element_type_bits(row.type) < 8)
        return packBytes(argument, array, row.type);
      bool wide = ferrule_element_type_bits(row.type) == 16;
      viewNumpy(argument, array.attr("view")(wide ? "uint16" : "uint8"),
                expected);
      argument.view.type = row.type;
      return;
    }
  fail(expected, "is an array of type " + name);
}

ferrule_element_type typeOfTorch(nb::handle dtype) {
  static std::unordered_map<PyObject *, ferrule_element_type> types;
  if (types.empty())
    for (const Row &row : kRows)
      if (row.torch && nb::hasattr(module("torch"), row.torch))
        types[nb::getattr(module("torch"), row.torch).ptr()] = row.type;
  auto found = types.find(dtype.ptr());
  return found == types.end() ? FERRULE_NONE : found->second;
}

void viewTorch(Argument &argument, nb::object tensor,
               const ValueInfo &expected) {
  argument.kind = Kind::Torch;
  if (!nb::cast<bool>(tensor.attr("is_cpu")))
    fail(expected,
         "lies on " + std::string(nb::repr(tensor.attr("device")).c_str()));
  argument.view.type = typeOfTorch(tensor.attr("dtype"));
  if (argument.view.type == FERRULE_NONE)
    fail(expected, "is a tensor of type " +
                       std::string(nb::repr(tensor.attr("dtype")).c_str()));
  if (argument.view.type == FERRULE_C64 || argument.view.type == FERRULE_C128)
    tensor = tensor.attr("resolve_conj")();
  for (nb::handle size : tensor.attr("shape"))
    argument.view.dims.push_back(nb::cast<int64_t>(size));
  for (nb::handle stride : tensor.attr("stride")())
    argument.view.strides.push_back(nb::cast<int64_t>(stride));
  argument.view.data =
      reinterpret_cast<void *>(nb::cast<uintptr_t>(tensor.attr("data_ptr")()));
  argument.keep = std::move(tensor);
}

void viewDlpack(Argument &argument, nb::object object,
                const ValueInfo &expected) {
  argument.kind = Kind::Other;
  nb::object capsule = object.attr("__dlpack__")();
  auto *managed = static_cast<DLManagedTensor *>(
      PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (!managed)
    throw nb::python_error();
  const DLTensor &tensor = managed->dl_tensor;
  if (tensor.device.device_type != 1 && tensor.device.device_type != 3)
    fail(expected, "does not lie in host memory");
  for (const Row &row : kRows)
    if (row.code == tensor.dtype.code && tensor.dtype.lanes == 1 &&
        ferrule_element_type_bits(row.type) == tensor.dtype.bits)
      argument.view.type = row.type;
  if (argument.view.type == FERRULE_NONE)
    fail(expected, "has an element type that is not supported");
  argument.view.data = static_cast<char *>(tensor.data) + tensor.byte_offset;
  argument.view.dims.assign(tensor.shape, tensor.shape + tensor.ndim);
  if (tensor.strides)
    argument.view.strides.assign(tensor.strides, tensor.strides + tensor.ndim);
  argument.readOnly = true;
  argument.keep = std::move(capsule);
}

/// A number, list or other object as an array of the expected type.
nb::object asNumpy(nb::handle object, const ValueInfo &expected) {
  const Row *row = rowOf(expected.type);
  if (!row)
    fail(expected, "cannot be made from Python numbers");
  nb::object dtype =
      nb::getattr(row->native ? module("numpy") : module("ml_dtypes"),
                  expected.type == FERRULE_I1 ? "bool_" : row->numpy);
  return module("numpy").attr("asarray")(object, dtype);
}

} // namespace

Argument::Argument(Argument &&other) noexcept
    : view(std::move(other.view)), kind(other.kind),
      object(std::move(other.object)), keep(std::move(other.keep)),
      buffer(other.buffer), hasBuffer(other.hasBuffer),
      readOnly(other.readOnly) {
  other.hasBuffer = false;
}

Argument::~Argument() {
  if (hasBuffer)
    PyBuffer_Release(&buffer);
}

Argument ferrule::python::viewArgument(nb::handle object,
                                       const ValueInfo &expected) {
  Argument argument;
  argument.object = nb::borrow(object);
  nb::handle tensor = tensorClass();
  nb::handle numpy = module("numpy");
  static PyObject *ndarray = nb::getattr(numpy, "ndarray").release().ptr();
  static PyObject *generic = nb::getattr(numpy, "generic").release().ptr();
  if (PyObject_TypeCheck(object.ptr(),
                         reinterpret_cast<PyTypeObject *>(ndarray)))
    viewNumpy(argument, nb::borrow(object), expected);
  else if (tensor.ptr() && nb::isinstance(object, tensor))
    viewTorch(argument, nb::borrow(object), expected);
  else if (PyObject_TypeCheck(object.ptr(),
                              reinterpret_cast<PyTypeObject *>(generic)))
    viewNumpy(argument, numpy.attr("asarray")(object), expected);
  else if (nb::hasattr(object, "__dlpack__"))
    viewDlpack(argument, nb::borrow(object), expected);
  else
    viewNumpy(argument, asNumpy(object, expected), expected);
  // A result in place must be visible to the caller: only arrays can do that.
  return argument;
}

namespace {

nb::capsule ownerOf(Memory memory) {
  return nb::capsule(memory.release(), [](void *owned) noexcept {
    ferrule_memory_free(static_cast<ferrule_memory *>(owned));
  });
}

template <typename Framework>
nb::object wrap(const BufferView &view, const nb::capsule &owner,
                nb::dlpack::dtype type, const std::vector<size_t> &shape) {
  nb::ndarray<Framework> array(view.data, shape.size(), shape.data(), owner,
                               nullptr, type, nb::device::cpu::value);
  return nb::cast(array);
}

/// Memory as bytes, then seen as the library's own small float type.
template <typename Framework>
nb::object wrapBytes(const BufferView &view, const nb::capsule &owner,
                     nb::object dtype) {
  nb::object bytes = wrap<Framework>(view, owner, nb::dtype<uint8_t>(),
                                     {size_t(view.bytes())});
  nb::list shape;
  for (int64_t dim : view.dims)
    shape.append(dim);
  return bytes.attr("view")(dtype).attr("reshape")(nb::tuple(shape));
}

} // namespace

nb::object ferrule::python::makeArray(const BufferView &view, Memory memory,
                                      Kind kind, nb::handle like) {
  return makeArray(view, ownerOf(std::move(memory)), kind, like);
}

nb::object ferrule::python::makeArray(const BufferView &view, nb::capsule owner,
                                      Kind kind, nb::handle like) {
  const Row *row = rowOf(view.type);
  if (!row)
    throw Error(FERRULE_UNSUPPORTED, std::string("results of type ") +
                                         ferrule_element_type_name(view.type) +
                                         " have no Python array type");
  std::vector<size_t> shape(view.dims.begin(), view.dims.end());
  unsigned bits = ferrule_element_type_bits(view.type);
  if (bits < 8)
    return unpackBytes(view, *row);
  nb::dlpack::dtype type = {row->code, static_cast<uint8_t>(bits), 1};
  if (kind == Kind::Torch && row->torch) {
    if (row->code <= 6)
      return wrap<nb::pytorch>(view, owner, type, shape);
    return wrapBytes<nb::pytorch>(view, owner,
                                  nb::getattr(module("torch"), row->torch));
  }
  nb::object array =
      row->native
          ? wrap<nb::numpy>(view, owner, type, shape)
          : wrapBytes<nb::numpy>(view, owner,
                                 module("numpy").attr("dtype")(nb::getattr(
                                     module("ml_dtypes"), row->numpy)));
  if (kind == Kind::Other && nb::hasattr(like, "__array_namespace__"))
    return like.attr("__array_namespace__")().attr("asarray")(array);
  return array;
}
