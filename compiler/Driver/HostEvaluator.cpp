#include "compiler/Driver/HostEvaluator.h"
#include "compiler/Target/CPU/CPU.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "runtime/include/ferrule/ferrule.h"

using namespace mlir;
using namespace ferrule;

namespace {

/// Bytes of a constant as the runtime keeps them: booleans a byte each.
struct ConstantBytes {
  ArrayRef<char> bytes;
  SmallVector<char, 0> own;
};

FailureOr<ConstantBytes> bytesOf(ElementsAttr value) {
  ConstantBytes result;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return failure();
    result.bytes = blob->getData();
    return result;
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return failure();
  if (dense.getElementType().isInteger(1)) {
    for (bool bit : dense.getValues<bool>())
      result.own.push_back(bit);
  } else if (dense.isSplat()) {
    for (int64_t i = 0; i < dense.getNumElements(); ++i)
      result.own.append(dense.getRawData().begin(), dense.getRawData().end());
  } else {
    result.bytes = dense.getRawData();
    return result;
  }
  result.bytes = result.own;
  return result;
}

/// The runtime's value as an attribute. Large ones keep the runtime's memory.
ElementsAttr toAttribute(RankedTensorType type, const ferrule_buffer &buffer,
                         ferrule_memory *memory) {
  auto *data = static_cast<const char *>(buffer.data);
  int64_t elements = type.getNumElements();
  Type element = type.getElementType();
  if (elements <= 64) {
    ElementsAttr attribute;
    if (element.isInteger(1)) {
      SmallVector<bool> bits;
      for (int64_t i = 0; i < elements; ++i)
        bits.push_back(data[i] != 0);
      attribute = DenseElementsAttr::get(type, bits);
    } else {
      size_t size = elements * ferrule_element_type_bits(buffer.element_type) / 8;
      attribute = DenseElementsAttr::getFromRawBuffer(
          type, ArrayRef<char>(data, size));
    }
    ferrule_memory_free(memory);
    return attribute;
  }
  size_t size = elements * ferrule_element_type_bits(buffer.element_type) / 8;
  AsmResourceBlob blob(
      ArrayRef<char>(data, size), /*dataAlignment=*/64,
      [memory](void *, size_t, size_t) { ferrule_memory_free(memory); },
      /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, "evaluated", std::move(blob));
}

/// Owns what a run of the evaluated program needs.
struct Run {
  ferrule_program *program = nullptr;
  ferrule_session *session = nullptr;
  ferrule_request *request = nullptr;
  ~Run() {
    ferrule_request_free(request);
    ferrule_session_free(session);
    ferrule_program_free(program);
  }
};

FailureOr<SmallVector<ElementsAttr>> runConstants(HoistedConstants &hoisted,
                                                  const CompileOptions &options,
                                                  TypeRange types) {
  Location loc = hoisted.module->getLoc();
  auto runtimeError = [&]() -> LogicalResult {
    return emitError(loc) << "constants could not be evaluated: "
                          << ferrule_error_message();
  };
  FailureOr<std::string> bytes =
      compileToBytes(*hoisted.module, options);
  if (failed(bytes))
    return failure();
  Run run;
  uint32_t function = 0;
  ferrule_session_options sessionOptions = {};
  sessionOptions.struct_size = sizeof sessionOptions;
  sessionOptions.threads = options.threads;
  if (ferrule_program_load_memory(bytes->data(), bytes->size(), nullptr,
                                  &run.program) ||
      ferrule_program_find_function(run.program, "constants", &function) ||
      ferrule_session_create(run.program, &sessionOptions, &run.session) ||
      ferrule_request_create(run.session, function, &run.request))
    return runtimeError();
  SmallVector<ConstantBytes, 0> inputs;
  inputs.reserve(hoisted.arguments.size());
  for (auto [i, value] : llvm::enumerate(hoisted.arguments)) {
    FailureOr<ConstantBytes> input = bytesOf(value);
    if (failed(input))
      return emitError(loc) << "a constant has no data: " << value.getType();
    inputs.push_back(std::move(*input));
    if (!inputs.back().own.empty())
      inputs.back().bytes = inputs.back().own;
    ferrule_value_info info = {};
    info.struct_size = sizeof info;
    if (ferrule_program_input_info(run.program, function, i, &info))
      return runtimeError();
    ferrule_buffer buffer = {};
    buffer.struct_size = sizeof buffer;
    buffer.data = const_cast<char *>(inputs.back().bytes.data());
    buffer.element_type = info.element_type;
    ArrayRef<int64_t> shape = value.getShapedType().getShape();
    buffer.rank = shape.size();
    buffer.dims = shape.data();
    if (ferrule_request_set_input(run.request, i, &buffer))
      return runtimeError();
  }
  if (ferrule_request_run(run.request, nullptr))
    return runtimeError();
  SmallVector<ElementsAttr> values;
  for (auto [i, type] : llvm::enumerate(types)) {
    ferrule_buffer buffer = {};
    buffer.struct_size = sizeof buffer;
    ferrule_memory *memory = nullptr;
    if (ferrule_request_take_output(run.request, i, &buffer, &memory))
      return runtimeError();
    values.push_back(
        toAttribute(cast<RankedTensorType>(type), buffer, memory));
  }
  return values;
}

} // namespace

ConstantEvaluator ferrule::hostEvaluator(const CompileOptions &options) {
  CompileOptions host;
  host.targetCPUs = {cpu::kBaseline.str()};
  host.threads = options.threads;
  host.kernelCache = options.kernelCache;
  if (!options.dumpFolder.empty())
    host.dumpFolder = options.dumpFolder + "/constants";
  // Constants of constants would recurse without end.
  host.evaluateConstants = false;
  return [host](HoistedConstants &hoisted) {
    SmallVector<Type> types;
    for (Value result : hoisted.results)
      types.push_back(result.getType());
    return runConstants(hoisted, host, types);
  };
}
