// The registers of one running function.
#ifndef FERRULE_EXECUTOR_FRAME_H
#define FERRULE_EXECUTOR_FRAME_H

#include "ferrule/kernel_abi.h"
#include "runtime/executor/program.h"

#include <vector>

namespace ferrule::runtime {

struct Frame {
  explicit Frame(const DecodedFunction &function);

  /// Forgets all buffers and sets the scalars to their initial values.
  void start();

  /// Computes strides and bytes after sizes changed. False when the sizes are
  /// negative or too large.
  bool sized(uint32_t buffer);

  std::span<const int64_t> dims(uint32_t buffer) const {
    return {sizePool.data() + function->buffers[buffer].sizes,
            function->buffers[buffer].rank};
  }
  int64_t *sizes(uint32_t buffer) {
    return sizePool.data() + function->buffers[buffer].sizes;
  }

  const DecodedFunction *function;
  std::vector<FerruleKernelBuffer> buffers; ///< data is null while unset.
  std::vector<uint64_t> bytes;
  std::vector<uint8_t> writable;
  std::vector<int64_t> sizePool, stridePool;
  std::vector<int64_t> scalars;

  // Arguments of the current dispatch, or values in flight in a branch.
  std::vector<FerruleKernelBuffer> argumentBuffers;
  std::vector<int64_t> argumentScalars;

  /// Memory of each output, for Place::Output; null until allocated.
  std::vector<char *> outputs;
  char *arena = nullptr;
  uint64_t arenaSize = 0;
};

} // namespace ferrule::runtime

#endif // FERRULE_EXECUTOR_FRAME_H
