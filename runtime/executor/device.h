// What a device must offer to run programs. devices/null is the skeleton to
// copy.
#ifndef FERRULE_EXECUTOR_DEVICE_H
#define FERRULE_EXECUTOR_DEVICE_H

#include "ferrule/kernel_abi.h"
#include "runtime/base/status.h"
#include "runtime/base/thread_pool.h"
#include "runtime/executor/memory.h"
#include "runtime/format/program_file.h"

#include <memory>
#include <span>
#include <string_view>

namespace ferrule::runtime {

/// The static type of a register, with the sizes it shares with all frames.
struct RegisterType {
  format::ElementType element;
  uint32_t bits;
  uint32_t rank;
  uint32_t sizes; ///< Index of the first size in a frame's size pool.
  bool isStatic;
  std::span<const int64_t> dims; ///< In the file.
};

/// The part of a launch that belongs to the request.
struct LaunchContext {
  uint32_t threads; ///< At most so many work on it.
  Scratch *scratch; ///< Of the calling thread.
  /// The function's registers, and which of them the buffers are: types for
  /// devices that ask.
  const RegisterType *registers = nullptr;
  const uint32_t *bufferNumbers = nullptr;
  const RegisterType &bufferType(uint32_t i) const {
    return registers[bufferNumbers[i]];
  }
  /// Set by the device: how many threads worked.
  uint32_t threadsUsed = 1;
};

/// The kernels of one program, loaded for one device; shared by all requests.
class DeviceProgram {
public:
  virtual ~DeviceProgram() = default;

  /// Runs workgroups 0 .. workgroups - 1 and returns when they are done.
  /// `assertion` becomes what a kernel returned: 0, or the 1-based number of
  /// the failed assertion.
  virtual Status launch(uint32_t kernel,
                        const FerruleKernelArguments &arguments,
                        uint32_t workgroups, LaunchContext &context,
                        int32_t &assertion) = 0;
};

class Device {
public:
  virtual ~Device() = default;

  /// The name that Program.devices and Image.target use.
  virtual std::string_view name() const = 0;

  /// Picks an image that this machine can run and makes it ready.
  virtual Status load(std::shared_ptr<const ProgramFile> file,
                      std::unique_ptr<DeviceProgram> &result) = 0;

  /// Where the buffers of its programs should lie, reached by the host too;
  /// null: anywhere in the host's memory.
  virtual const Allocator *memory() const { return nullptr; }
};

/// The device of that name, or null. Devices live as long as the process.
Device *findDevice(std::string_view name);

/// False when there is a device of that name.
bool registerDevice(std::unique_ptr<Device> device);

} // namespace ferrule::runtime

#endif // FERRULE_EXECUTOR_DEVICE_H
