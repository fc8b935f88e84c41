#include "runtime/api/dlpack.h"
#include "runtime/api/handles.h"

using namespace ferrule;
using namespace ferrule::runtime;
using namespace ferrule::runtime::api;
using format::ElementType;

// Codes 7 to 16 are DLPack's small floats.
static ElementType elementOf(DLDataType type) {
  struct Row {
    uint8_t code, bits;
    ElementType element;
  };
  static constexpr Row rows[] = {
      {0, 2, ElementType::I2},         {0, 4, ElementType::I4},
      {0, 8, ElementType::I8},         {0, 16, ElementType::I16},
      {0, 32, ElementType::I32},       {0, 64, ElementType::I64},
      {1, 2, ElementType::U2},         {1, 4, ElementType::U4},
      {1, 8, ElementType::U8},         {1, 16, ElementType::U16},
      {1, 32, ElementType::U32},       {1, 64, ElementType::U64},
      {2, 16, ElementType::F16},       {2, 32, ElementType::F32},
      {2, 64, ElementType::F64},       {4, 16, ElementType::BF16},
      {5, 64, ElementType::C64},       {5, 128, ElementType::C128},
      {6, 8, ElementType::I1},         {7, 8, ElementType::F8E3M4},
      {8, 8, ElementType::F8E4M3},     {9, 8, ElementType::F8E4M3B11FNUZ},
      {10, 8, ElementType::F8E4M3FN},  {11, 8, ElementType::F8E4M3FNUZ},
      {12, 8, ElementType::F8E5M2},    {13, 8, ElementType::F8E5M2FNUZ},
      {14, 8, ElementType::F8E8M0FNU},
  };
  if (type.lanes == 1)
    for (const Row &row : rows)
      if (row.code == type.code && row.bits == type.bits)
        return row.element;
  return ElementType::None;
}

static Status fromDlpack(const DLManagedTensor *tensor, HostBuffer &result) {
  if (!tensor)
    return invalidArgument("the DLPack tensor is NULL");
  const DLTensor &t = tensor->dl_tensor;
  // 1: CPU, 3: host memory pinned for CUDA.
  if (t.device.device_type != 1 && t.device.device_type != 3)
    return unsupported("the DLPack tensor lies on device type " +
                       std::to_string(t.device.device_type) +
                       ", expected the CPU");
  result.element = elementOf(t.dtype);
  if (result.element == ElementType::None)
    return unsupported("DLPack type code " + std::to_string(t.dtype.code) +
                       " of " + std::to_string(t.dtype.bits) +
                       " bits has no element type here");
  result.data = static_cast<char *>(t.data) + t.byte_offset;
  result.dims.assign(t.shape, t.shape + t.ndim);
  if (t.strides)
    result.strides.assign(t.strides, t.strides + t.ndim);
  return {};
}

ferrule_status ferrule_request_set_input_dlpack(ferrule_request *request,
                                                uint32_t index,
                                                const DLManagedTensor *tensor) {
  HostBuffer buffer;
  if (Status status = fromDlpack(tensor, buffer); !status.ok())
    return report(status);
  return report(request->request.setInput(index, std::move(buffer)));
}

ferrule_status
ferrule_request_set_output_dlpack(ferrule_request *request, uint32_t index,
                                  const DLManagedTensor *tensor) {
  HostBuffer buffer;
  if (Status status = fromDlpack(tensor, buffer); !status.ok())
    return report(status);
  return report(request->request.setOutput(index, std::move(buffer)));
}
