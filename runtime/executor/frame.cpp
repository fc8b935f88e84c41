#include "runtime/executor/frame.h"

#include <algorithm>

using namespace ferrule;
using namespace ferrule::runtime;

Frame::Frame(const DecodedFunction &decoded) : function(&decoded) {
  size_t count = decoded.buffers.size();
  buffers.resize(count);
  bytes.resize(count);
  writable.resize(count);
  sizePool.resize(decoded.sizePool);
  stridePool.resize(decoded.sizePool);
  for (uint32_t i = 0; i < count; ++i) {
    const RegisterType &type = decoded.buffers[i];
    buffers[i] = {nullptr, sizePool.data() + type.sizes,
                  stridePool.data() + type.sizes};
    std::copy(type.dims.begin(), type.dims.end(), sizes(i));
    // A static type of impossible size is found when the register is set.
    if (type.isStatic && !sized(i))
      bytes[i] = ~uint64_t(0);
  }
  const auto *registers = decoded.source->scalar_registers();
  scalars.resize(registers ? registers->size() : 0);
  argumentBuffers.resize(decoded.mostArguments);
  argumentScalars.resize(decoded.mostArguments);
  outputs.resize(decoded.outputCount());
}

void Frame::start() {
  for (FerruleKernelBuffer &buffer : buffers)
    buffer.data = nullptr;
  std::fill(scalars.begin(), scalars.end(), 0);
  std::fill(outputs.begin(), outputs.end(), nullptr);
  if (const auto *constants = function->source->scalar_constants())
    for (const format::ScalarConstant *constant : *constants)
      scalars[constant->scalar()] = constant->value();
}

bool Frame::sized(uint32_t buffer) {
  const RegisterType &type = function->buffers[buffer];
  auto size = format::byteSize(type.element, dims(buffer));
  if (!size)
    return false;
  bytes[buffer] = *size;
  int64_t stride = 1;
  for (uint32_t i = type.rank; i-- > 0;) {
    stridePool[type.sizes + i] = stride;
    stride *= std::max<int64_t>(sizePool[type.sizes + i], 1);
  }
  return true;
}
