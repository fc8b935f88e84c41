#include "runtime/devices/reference/reference_device.h"

#include "runtime/devices/reference/machine.h"

#include <cstring>

using namespace ferrule;
using namespace ferrule::runtime;
using namespace ferrule::format::reference;

namespace {

class ReferenceProgram final : public DeviceProgram {
public:
  Status open(const ProgramFile &file, const format::Image &image);

  Status launch(uint32_t kernel, const FerruleKernelArguments &arguments,
                uint32_t, LaunchContext &, int32_t &assertion) override;

private:
  std::vector<reference::KernelCode> kernels;
};

Status ReferenceProgram::open(const ProgramFile &file,
                              const format::Image &image) {
  const auto &section = file.section(image.section());
  std::span<const char> bytes(section.data, section.size);
  CodeHeader header;
  if (bytes.size() < sizeof header)
    return badFile("damaged byte code: no header");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0)
    return badFile("damaged byte code: an unknown header");
  if (header.version != kVersion)
    return unsupported("byte code of version " +
                       std::to_string(header.version) +
                       ", this runtime knows " + std::to_string(kVersion));
  kernels.resize(image.kernels()->size());
  for (uint32_t i = 0; i < kernels.size(); ++i) {
    uint64_t offset = image.kernels()->Get(i)->offset();
    if (offset == 0)
      continue;
    const format::Kernel &kernel = *file.program().kernels()->Get(i);
    Status status = reference::readCode(bytes, offset, kernel.buffers(),
                                        kernel.scalars(), kernels[i]);
    FERRULE_RETURN_IF_ERROR(status.in("kernel '" + kernel.name()->str() + "'"));
  }
  return {};
}

Status ReferenceProgram::launch(uint32_t kernel,
                                const FerruleKernelArguments &arguments,
                                uint32_t, LaunchContext &context,
                                int32_t &assertion) {
  if (kernel >= kernels.size() || kernels[kernel].instructions.empty())
    return badFile("the image has no code for kernel " +
                   std::to_string(kernel));
  return reference::runCode(kernels[kernel], arguments, context, assertion);
}

class ReferenceDevice final : public Device {
public:
  std::string_view name() const override { return "reference"; }

  Status load(std::shared_ptr<const ProgramFile> file,
              std::unique_ptr<DeviceProgram> &result) override {
    const format::Program &program = file->program();
    for (uint32_t i = 0; program.images() && i < program.images()->size();
         ++i) {
      const format::Image &image = *program.images()->Get(i);
      if (image.target()->string_view() != name())
        continue;
      auto loaded = std::make_unique<ReferenceProgram>();
      FERRULE_RETURN_IF_ERROR(loaded->open(*file, image));
      result = std::move(loaded);
      return {};
    }
    return unsupported("the program holds no code for device 'reference'");
  }
};

} // namespace

Device *ferrule::runtime::referenceDevice() {
  static ReferenceDevice device;
  return &device;
}
