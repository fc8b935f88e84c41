#include "runtime/devices/cpu/cpu_device.h"

#include "runtime/devices/cpu/cpu_features.h"
#include "runtime/devices/cpu/elf_image.h"

#include <algorithm>
#include <atomic>
#include <vector>

using namespace ferrule;
using namespace ferrule::runtime;

namespace {

// A share must be worth the few microseconds that handing it over costs. Large
// loops have several shares a thread, so that threads that the system slows
// down are helped by the others.
constexpr uint64_t kMinShareCycles = 10000;
constexpr uint64_t kGoodShareCycles = 50000;
constexpr uint32_t kMostSharesPerThread = 4;

struct KernelCode {
  FerruleKernelFn function = nullptr;
  uint64_t scratch = 0;
  /// Running mean of the cost of one workgroup, 16 fractional bits; 0:
  /// unknown. Written by any thread: it only steers how far to split.
  std::atomic<uint64_t> cyclesPerGroup{0};
};

/// One loop over workgroups on its way through the pool.
struct Loop {
  KernelCode *code;
  const FerruleKernelArguments *arguments;
  uint32_t workgroups;
  std::atomic<int32_t> assertion{0};
  std::atomic<bool> noMemory{false};

  void run(uint32_t share, uint32_t shares, Scratch &scratch) {
    uint64_t n = workgroups;
    auto first = static_cast<uint32_t>(n * share / shares);
    auto last = static_cast<uint32_t>(n * (share + 1) / shares);
    FerruleWorker worker = {sizeof(FerruleWorker), share, shares, 0, nullptr};
    if (code->scratch != 0) {
      worker.scratch = scratch.reserve(code->scratch);
      if (!worker.scratch) {
        noMemory = true;
        return;
      }
    }
    uint64_t start = share == 0 ? cycleCount() : 0;
    int32_t result = code->function(arguments, &worker, first, last);
    if (share == 0 && last > first)
      learn(cycleCount() - start, last - first);
    // The lowest number wins, so that the report does not depend on timing.
    int32_t seen = assertion;
    while (result != 0 && (seen == 0 || result < seen) &&
           !assertion.compare_exchange_weak(seen, result)) {
    }
  }

  void learn(uint64_t cycles, uint32_t groups) {
    // A thread may lose the processor in the middle; what looks like seconds
    // is no measurement.
    cycles = std::min(cycles, uint64_t(1) << 40);
    uint64_t sample = (cycles << 16) / groups + 1;
    uint64_t old = code->cyclesPerGroup.load(std::memory_order_relaxed);
    code->cyclesPerGroup.store(old == 0 ? sample : old - old / 4 + sample / 4,
                               std::memory_order_relaxed);
  }
};

class CpuProgram final : public DeviceProgram {
public:
  Status open(std::shared_ptr<const ProgramFile> programFile,
              const format::Image &image);

  Status launch(uint32_t kernel, const FerruleKernelArguments &arguments,
                uint32_t workgroups, LaunchContext &context,
                int32_t &assertion) override {
    if (kernel >= kernels.size() || !kernels[kernel].function)
      return badFile("the image has no code for kernel " +
                     std::to_string(kernel));
    KernelCode &code = kernels[kernel];
    Loop loop{&code, &arguments, workgroups};
    uint32_t threads = std::min(context.threads, workgroups);
    uint32_t shares = threads;
    uint64_t cost = code.cyclesPerGroup.load(std::memory_order_relaxed);
    if (threads > 1 && cost != 0) {
      double total = static_cast<double>(cost) * workgroups / 65536;
      threads = static_cast<uint32_t>(
          std::clamp(total / kMinShareCycles, 1.0, double(threads)));
      shares = static_cast<uint32_t>(std::clamp(
          total / kGoodShareCycles, double(threads),
          double(std::min(threads * kMostSharesPerThread, workgroups))));
    }
    if (threads <= 1) {
      loop.run(0, 1, *context.scratch);
    } else {
      auto body = [](void *self, uint32_t share, uint32_t count,
                     Scratch &scratch) {
        static_cast<Loop *>(self)->run(share, count, scratch);
      };
      ThreadPool::instance().run(threads, shares, body, &loop,
                                 *context.scratch);
    }
    context.threadsUsed = threads;
    if (loop.noMemory)
      return {Code::OutOfMemory, "no memory for a kernel's scratch of " +
                                     std::to_string(code.scratch) + " bytes"};
    assertion = loop.assertion;
    return {};
  }

private:
  std::shared_ptr<const ProgramFile> file;
  ElfImage elf;
  std::vector<KernelCode> kernels;
};

Status CpuProgram::open(std::shared_ptr<const ProgramFile> programFile,
                        const format::Image &image) {
  file = std::move(programFile);
  const auto &section = file->section(image.section());
  FERRULE_RETURN_IF_ERROR(
      elf.map(section.data, section.size, file->descriptor(), section.offset));
  kernels = std::vector<KernelCode>(image.kernels()->size());
  for (uint32_t i = 0; i < kernels.size(); ++i) {
    const format::KernelEntry *entry = image.kernels()->Get(i);
    if (entry->offset() == 0)
      continue;
    void *code = elf.code(entry->offset());
    if (!code)
      return badFile("damaged image: kernel " + std::to_string(i) +
                     " does not start in code");
    kernels[i].function = reinterpret_cast<FerruleKernelFn>(code);
    kernels[i].scratch = entry->scratch();
    uint64_t work = file->program().kernels()->Get(i)->work();
    kernels[i].cyclesPerGroup = std::min(work, uint64_t(1) << 40) * 5 / 2 << 16;
  }
  return {};
}

class CpuDevice final : public Device {
public:
  std::string_view name() const override { return "cpu"; }

  Status load(std::shared_ptr<const ProgramFile> file,
              std::unique_ptr<DeviceProgram> &result) override {
    const format::Program &program = file->program();
    auto loaded = std::make_unique<CpuProgram>();
    std::string refused, others;
    bool any = false;
    for (uint32_t i = 0; program.images() && i < program.images()->size();
         ++i) {
      const format::Image &image = *program.images()->Get(i);
      if (image.target()->string_view() != name()) {
        others += " '" + image.target()->str() + "'";
        continue;
      }
      any = true;
      std::string missing = missingFeatures(image);
      if (missing.empty()) {
        FERRULE_RETURN_IF_ERROR(loaded->open(std::move(file), image));
        result = std::move(loaded);
        return {};
      }
      refused += (refused.empty() ? "" : "; ") +
                 (image.cpu() ? image.cpu()->str() : "image") + " needs" +
                 missing;
    }
    if (any)
      return unsupported("this machine cannot run the program: " + refused);
    if (program.kernels() && program.kernels()->size() != 0)
      return unsupported("the program holds no code for device 'cpu', found" +
                         (others.empty() ? " none" : others));
    result = std::move(loaded);
    return {};
  }

private:
  static std::string missingFeatures(const format::Image &image) {
    std::string missing;
    for (uint32_t i = 0; image.features() && i < image.features()->size();
         ++i) {
      std::string_view feature = image.features()->Get(i)->string_view();
      if (feature.starts_with('+'))
        feature.remove_prefix(1);
      if (!cpuHasFeature(feature))
        missing += " " + std::string(feature);
    }
    return missing;
  }
};

} // namespace

Device *ferrule::runtime::cpuDevice() {
  static CpuDevice device;
  return &device;
}
