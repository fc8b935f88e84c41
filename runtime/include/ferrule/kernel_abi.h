/* The contract between generated kernels and the runtime that launches them.
 *
 * A kernel computes workgroups first..last-1 of one parallel loop. Workgroups
 * are independent: any split over threads gives the same bits. */
#ifndef FERRULE_KERNEL_ABI_H
#define FERRULE_KERNEL_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One buffer argument. Sizes and strides count elements and have one entry a
 * dimension; the innermost stride is 1 unless the kernel declares otherwise.
 * data points at element [0, ..., 0]. Buffers of the program's own arenas and
 * weights are aligned to 64 bytes, views and the caller's memory to their
 * element, so kernels count on no more than that. */
typedef struct FerruleKernelBuffer {
  void *data;
  const int64_t *sizes;
  const int64_t *strides;
} FerruleKernelBuffer;

/* All arguments of a launch. Scalars are 64-bit slots: i64 and index as is,
 * i1 as 0 or 1, f64 by bits, f32 by bits in the low half. */
typedef struct FerruleKernelArguments {
  uint32_t structSize;
  uint32_t bufferCount;
  const FerruleKernelBuffer *buffers;
  const int64_t *scalars;
  uint32_t scalarCount;
  uint32_t reserved;
} FerruleKernelArguments;

/* Who runs this range: number index of count ranges into which the loop was
 * split, never two of one number at a time. scratch has the size that the kernel declares and is
 * aligned to 64 bytes; its contents are undefined at entry. */
typedef struct FerruleWorker {
  uint32_t structSize;
  uint32_t index;
  uint32_t count;
  uint32_t reserved;
  void *scratch;
} FerruleWorker;

/* Returns 0, or the 1-based number of the failed assertion in the kernel's
 * list of messages. */
typedef int32_t (*FerruleKernelFn)(const FerruleKernelArguments *arguments,
                                   const FerruleWorker *worker, uint32_t first,
                                   uint32_t last);

#ifdef __cplusplus
}
#endif

#endif /* FERRULE_KERNEL_ABI_H */
