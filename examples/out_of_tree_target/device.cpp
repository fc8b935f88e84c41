#include "device.h"

#include <initializer_list>

const char *acme::matmul(void *context, const ferrule_provider_call *call) {
  if (call->buffer_count != 3 || call->first_output != 2)
    return "acme.matmul: expected two inputs and one output";
  const ferrule_buffer &left = call->buffers[0];
  const ferrule_buffer &right = call->buffers[1];
  const ferrule_buffer &out = call->buffers[2];
  for (const ferrule_buffer *buffer : {&left, &right, &out})
    if (buffer->rank != 2 || buffer->element_type != FERRULE_F32)
      return "acme.matmul: expected matrices of f32";
  int64_t rows = left.dims[0], depth = left.dims[1], columns = right.dims[1];
  if (right.dims[0] != depth || out.dims[0] != rows || out.dims[1] != columns)
    return "acme.matmul: the sizes of the matrices do not match";

  auto *a = static_cast<const float *>(left.data);
  auto *b = static_cast<const float *>(right.data);
  auto *c = static_cast<float *>(out.data);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < depth; ++k)
        sum += static_cast<double>(a[i * depth + k]) * b[k * columns + j];
      c[i * columns + j] = static_cast<float>(sum);
    }
  ++static_cast<Device *>(context)->products;
  return nullptr;
}
