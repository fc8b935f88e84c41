#include "runtime/devices/plugin/plugin_device.h"

#include "runtime/executor/memory.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace ferrule;
using namespace ferrule::runtime;

namespace {

/// Keeps alive what ferrule_device_program points to while load() runs.
class ProgramInfo {
public:
  ProgramInfo(const format::Program &program, const ProgramFile &file,
              std::string_view device) {
    for (uint32_t i = 0; program.kernels() && i < program.kernels()->size();
         ++i)
      names.push_back(program.kernels()->Get(i)->name()->c_str());
    for (uint32_t i = 0; program.images() && i < program.images()->size();
         ++i) {
      const format::Image &image = *program.images()->Get(i);
      if (image.target()->string_view() == device)
        add(image, file);
    }
    for (size_t i = 0; i < images.size(); ++i) {
      images[i].features = features[i].data();
      images[i].feature_count = static_cast<uint32_t>(features[i].size());
      images[i].offsets = offsets[i].data();
      images[i].scratch = scratch[i].data();
    }
    info = {sizeof info, static_cast<uint32_t>(names.size()), names.data(),
            static_cast<uint32_t>(images.size()), images.data()};
  }

  ferrule_device_program info = {};

private:
  void add(const format::Image &image, const ProgramFile &file) {
    const auto &section = file.section(image.section());
    ferrule_device_image made = {};
    made.struct_size = sizeof made;
    made.target = image.target()->c_str();
    made.cpu = image.cpu() ? image.cpu()->c_str() : "";
    made.data = section.data;
    made.size = section.size;
    images.push_back(made);
    auto &texts = features.emplace_back();
    for (uint32_t i = 0; image.features() && i < image.features()->size(); ++i)
      texts.push_back(image.features()->Get(i)->c_str());
    auto &places = offsets.emplace_back();
    auto &sizes = scratch.emplace_back();
    for (uint32_t i = 0; i < image.kernels()->size(); ++i) {
      places.push_back(image.kernels()->Get(i)->offset());
      sizes.push_back(image.kernels()->Get(i)->scratch());
    }
  }

  std::vector<const char *> names;
  std::vector<ferrule_device_image> images;
  std::vector<std::vector<const char *>> features;
  std::vector<std::vector<uint64_t>> offsets, scratch;
};

class PluginProgram final : public DeviceProgram {
public:
  PluginProgram(const ferrule_device &device,
                std::shared_ptr<const ProgramFile> file, void *program)
      : device(device), file(std::move(file)), program(program) {}
  ~PluginProgram() override { device.unload(device.context, program); }

  Status launch(uint32_t kernel, const FerruleKernelArguments &arguments,
                uint32_t workgroups, LaunchContext &context,
                int32_t &assertion) override {
    std::vector<ferrule_buffer> buffers(arguments.bufferCount);
    for (uint32_t i = 0; i < arguments.bufferCount; ++i) {
      const RegisterType &type = context.bufferType(i);
      buffers[i] = {sizeof(ferrule_buffer),
                    arguments.buffers[i].data,
                    static_cast<ferrule_element_type>(type.element),
                    type.rank,
                    arguments.buffers[i].sizes,
                    nullptr};
    }
    ferrule_device_launch made = {
        sizeof made,           kernel,          workgroups,
        arguments.bufferCount, buffers.data(),  arguments.scalarCount,
        arguments.scalars,     context.threads, 0};
    const char *message = device.launch(device.context, program, &made);
    assertion = made.assertion;
    return message
               ? failed("device '" + std::string(device.name) + "': " + message)
               : Status();
  }

private:
  const ferrule_device &device;
  std::shared_ptr<const ProgramFile> file;
  void *program;
};

class PluginDevice final : public Device {
public:
  explicit PluginDevice(const ferrule_device &from)
      : deviceName(from.name), device(from) {
    device.name = deviceName.c_str();
  }

  std::string_view name() const override { return deviceName; }

  Status load(std::shared_ptr<const ProgramFile> file,
              std::unique_ptr<DeviceProgram> &result) override {
    ProgramInfo made(file->program(), *file, deviceName);
    std::string place = "device '" + deviceName + "'";
    if (made.info.image_count == 0)
      return unsupported("the program holds no code for " + place);
    void *program = nullptr;
    if (const char *message = device.load(device.context, &made.info, &program))
      return unsupported(place + " cannot load the program: " + message);
    result = std::make_unique<PluginProgram>(device, std::move(file), program);
    return {};
  }

  const Allocator *memory() const override {
    return device.allocate ? &allocator : nullptr;
  }

private:
  std::string deviceName;
  ferrule_device device;
  Allocator allocator = {
      [](void *self, size_t size, size_t alignment) {
        auto &device = static_cast<PluginDevice *>(self)->device;
        return device.allocate(device.context, size, alignment);
      },
      [](void *self, void *memory, size_t size) {
        auto &device = static_cast<PluginDevice *>(self)->device;
        device.release(device.context, memory, size);
      },
      this};
};

} // namespace

std::unique_ptr<Device>
ferrule::runtime::makePluginDevice(const ferrule_device &device) {
  return std::make_unique<PluginDevice>(device);
}

Status ferrule::runtime::registerPluginDevice(const ferrule_device *device) {
  if (!device)
    return invalidArgument("the device is NULL");
  ferrule_device read = {};
  std::memcpy(&read, device, std::min(device->struct_size, sizeof read));
  if (!read.name || !*read.name || !read.load || !read.unload || !read.launch)
    return invalidArgument("a device needs a name, load, unload and launch");
  if (!read.allocate != !read.release)
    return invalidArgument("device '" + std::string(read.name) +
                           "' has one of allocate and release, expected both "
                           "or neither");
  if (registerDevice(makePluginDevice(read)))
    return {};
  return invalidArgument("a device named '" + std::string(read.name) +
                         "' exists already");
}
