// Runs the byte code of one kernel.
#ifndef FERRULE_DEVICES_REFERENCE_MACHINE_H
#define FERRULE_DEVICES_REFERENCE_MACHINE_H

#include "ferrule/kernel_abi.h"
#include "runtime/executor/device.h"
#include "runtime/format/reference_code.h"

#include <span>
#include <vector>

namespace ferrule::runtime::reference {

struct KernelCode {
  uint32_t registers = 0;
  std::vector<format::reference::Instruction> instructions;
};

/// Reads the kernel at `offset` of an image. Checks registers, types and
/// targets, so that running it can only fail.
Status readCode(std::span<const char> image, uint64_t offset, uint32_t buffers,
                uint32_t scalars, KernelCode &code);

/// Runs a kernel from start to end. `assertion` becomes the number of the
/// assertion that failed, or 0.
Status runCode(const KernelCode &code, const FerruleKernelArguments &arguments,
               const LaunchContext &context, int32_t &assertion);

} // namespace ferrule::runtime::reference

#endif // FERRULE_DEVICES_REFERENCE_MACHINE_H
