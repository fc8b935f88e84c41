/* Kernels for the runtime's tests, linked into an image as the compiler does
 * it. Each workgroup computes 16 elements. */
#include "ferrule/kernel_abi.h"

#define EXPORT __attribute__((visibility("default")))

static int64_t limit(int64_t value, int64_t most) {
  return value < most ? value : most;
}

/* out = a + b */
EXPORT int32_t add(const FerruleKernelArguments *arguments,
                   const FerruleWorker *worker, uint32_t first, uint32_t last) {
  const FerruleKernelBuffer *buffers = arguments->buffers;
  const float *a = buffers[0].data, *b = buffers[1].data;
  float *out = buffers[2].data;
  int64_t end = limit((int64_t)last * 16, buffers[2].sizes[0]);
  for (int64_t i = (int64_t)first * 16; i < end; ++i)
    out[i] = a[i] + b[i];
  return 0;
}

/* out = in * scalar 0, through the worker's scratch */
EXPORT int32_t scale(const FerruleKernelArguments *arguments,
                     const FerruleWorker *worker, uint32_t first,
                     uint32_t last) {
  const FerruleKernelBuffer *buffers = arguments->buffers;
  union {
    int64_t slot;
    float value;
  } factor = {arguments->scalars[0]};
  const float *in = buffers[0].data;
  float *out = buffers[1].data, *scratch = worker->scratch;
  for (uint32_t group = first; group < last; ++group) {
    int64_t start = (int64_t)group * 16;
    int64_t count = limit(buffers[1].sizes[0] - start, 16);
    for (int64_t i = 0; i < count; ++i)
      scratch[i] = in[start + i];
    for (int64_t i = 0; i < count; ++i)
      out[start + i] = scratch[i] * factor.value;
  }
  return 0;
}

/* Fails with assertion 2 when the first element is negative. */
EXPORT int32_t check(const FerruleKernelArguments *arguments,
                     const FerruleWorker *worker, uint32_t first,
                     uint32_t last) {
  return *(const float *)arguments->buffers[0].data < 0 ? 2 : 0;
}

/* A table of pointers needs relative relocations. */
static float twice(float x) { return 2 * x; }
static float square(float x) { return x * x; }
static float (*const functions[])(float) = {twice, square};
float (*volatile const *table)(float) = functions;

/* out = functions[scalar 0](in) */
EXPORT int32_t apply(const FerruleKernelArguments *arguments,
                     const FerruleWorker *worker, uint32_t first,
                     uint32_t last) {
  const float *in = arguments->buffers[0].data;
  float *out = arguments->buffers[1].data;
  int64_t end = limit((int64_t)last * 16, arguments->buffers[1].sizes[0]);
  for (int64_t i = (int64_t)first * 16; i < end; ++i)
    out[i] = table[arguments->scalars[0] & 1](in[i]);
  return 0;
}
