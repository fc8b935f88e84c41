#include "runtime/devices/null/null_device.h"

using namespace ferrule::runtime;

namespace {

class NullProgram final : public DeviceProgram {
public:
  Status launch(uint32_t kernel, const FerruleKernelArguments &, uint32_t,
                LaunchContext &, int32_t &) override {
    return unsupported("device 'null' cannot launch kernel " +
                       std::to_string(kernel));
  }
};

class NullDevice final : public Device {
public:
  std::string_view name() const override { return "null"; }

  Status load(std::shared_ptr<const ProgramFile>,
              std::unique_ptr<DeviceProgram> &result) override {
    result = std::make_unique<NullProgram>();
    return {};
  }
};

} // namespace

Device *ferrule::runtime::nullDevice() {
  static NullDevice device;
  return &device;
}
