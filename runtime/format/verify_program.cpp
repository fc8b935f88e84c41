#include "runtime/format/dim_expression.h"
#include "runtime/format/element_type.h"
#include "runtime/format/program_file.h"

#include <set>
#include <string>
#include <vector>

using namespace ferrule;
using namespace ferrule::runtime;
using format::SectionKind;

namespace {
class ProgramVerifier {
public:
  ProgramVerifier(const format::Program &program,
                  const format::ContainerReader &container)
      : program(program), container(container) {}

  Status verify() {
    FERRULE_RETURN_IF_ERROR(locations());
    FERRULE_RETURN_IF_ERROR(kernels());
    FERRULE_RETURN_IF_ERROR(images());
    FERRULE_RETURN_IF_ERROR(constants());
    FERRULE_RETURN_IF_ERROR(devices());
    FERRULE_RETURN_IF_ERROR(functions());
    return {};
  }

private:
  template <typename Vector> static uint32_t sizeOf(const Vector *vector) {
    return vector ? vector->size() : 0;
  }
  static Status bad(const std::string &message) {
    return badFile("damaged program: " + message);
  }

  Status locations() {
    for (uint32_t i = 0; i < sizeOf(program.locations()); ++i) {
      const auto *location = program.locations()->Get(i);
      if (location->kind() > format::LocationKind::MAX)
        return unsupported("location " + std::to_string(i) +
                           " has an unknown kind");
      for (uint32_t k = 0; k < sizeOf(location->children()); ++k)
        if (location->children()->Get(k) >= i)
          return bad("location " + std::to_string(i) +
                     " refers to a later one");
    }
    return {};
  }

  Status checkLocation(uint32_t location) {
    if (location == 0 || location < sizeOf(program.locations()))
      return {};
    return bad("location " + std::to_string(location) + " does not exist");
  }

  Status kernels() {
    for (uint32_t i = 0; i < sizeOf(program.kernels()); ++i) {
      const auto *kernel = program.kernels()->Get(i);
      for (uint32_t k = 0; k < sizeOf(kernel->assertions()); ++k)
        FERRULE_RETURN_IF_ERROR(
            checkLocation(kernel->assertions()->Get(k)->location()));
    }
    return {};
  }

  Status images() {
    for (uint32_t i = 0; i < sizeOf(program.images()); ++i) {
      const auto *image = program.images()->Get(i);
      std::string name = "image " + std::to_string(i);
      if (image->section() >= container.sections().size() ||
          container.sections()[image->section()].kind != SectionKind::Image)
        return bad(name + " has no image section");
      if (!format::isAligned(image->kernels()))
        return bad(name + " has entries that are not aligned");
      if (image->kernels()->size() != sizeOf(program.kernels()))
        return bad(name + " has " + std::to_string(image->kernels()->size()) +
                   " entries for " + std::to_string(sizeOf(program.kernels())) +
                   " kernels");
    }
    return {};
  }

  Status constants() {
    for (uint32_t i = 0; i < sizeOf(program.constants()); ++i) {
      const auto *constant = program.constants()->Get(i);
      std::string name = "constant " + std::to_string(i);
      if (constant->element_type() > format::ElementType::MAX)
        return unsupported(name + " has an unknown element type");
      if (constant->section() >= container.sections().size() ||
          container.sections()[constant->section()].kind !=
              SectionKind::Weights)
        return bad(name + " has no weights section");
      uint64_t size = container.sections()[constant->section()].size;
      if (constant->offset() > size ||
          constant->length() > size - constant->offset())
        return bad(name + " exceeds its section");
      if (constant->offset() % format::kConstantAlignment != 0)
        return bad(name + " is not aligned to 64 bytes");
      if (!format::isAligned(constant->dims()))
        return bad(name + " has dims that are not aligned");
      auto dims = format::dimsOf(constant->dims());
      auto bytes = format::byteSize(constant->element_type(), dims);
      if (!bytes || *bytes != constant->length() ||
          format::bitWidth(constant->element_type()) == 0)
        return bad(name + " has " + std::to_string(constant->length()) +
                   " bytes, its type is " +
                   format::typeText(constant->element_type(), dims));
    }
    return {};
  }

  Status devices() {
    for (uint32_t i = 0; i < sizeOf(program.devices()); ++i)
      if (!program.devices()->Get(i))
        return bad("device " + std::to_string(i) + " has no name");
    return {};
  }

  Status functions() {
    uint32_t count = program.functions()->size();
    std::vector<std::vector<uint32_t>> calls(count);
    std::set<std::string> names;
    for (uint32_t i = 0; i < count; ++i) {
      const auto *function = program.functions()->Get(i);
      std::string name = function->name()->str();
      if (!names.insert(name).second)
        return bad("two functions are called '" + name + "'");
      FERRULE_RETURN_IF_ERROR(verifyFunction(program, i));
      for (const auto *block : *function->blocks())
        for (const auto *instruction : *block->instructions()) {
          FERRULE_RETURN_IF_ERROR(checkLocation(instruction->location()));
          if (const auto *call = instruction->operation_as_CallFunction())
            calls[i].push_back(call->function());
        }
    }
    return noCycle(calls);
  }

  // Depth-first with an explicit stack: the file decides how deep calls go.
  Status noCycle(const std::vector<std::vector<uint32_t>> &calls) {
    enum State : uint8_t { New, Open, Done };
    std::vector<State> states(calls.size(), New);
    std::vector<std::pair<uint32_t, size_t>> stack;
    for (uint32_t root = 0; root < calls.size(); ++root) {
      if (states[root] != New)
        continue;
      states[root] = Open;
      stack.push_back({root, 0});
      while (!stack.empty()) {
        auto &[function, next] = stack.back();
        if (next == calls[function].size()) {
          states[function] = Done;
          stack.pop_back();
          continue;
        }
        uint32_t callee = calls[function][next++];
        if (states[callee] == Open)
          return bad("function '" +
                     program.functions()->Get(callee)->name()->str() +
                     "' calls itself");
        if (states[callee] == New) {
          states[callee] = Open;
          stack.push_back({callee, 0});
          if (stack.size() > 64)
            return bad("calls are nested too deeply");
        }
      }
    }
    return {};
  }

  const format::Program &program;
  const format::ContainerReader &container;
};
} // namespace

Status
ferrule::runtime::verifyProgram(const format::Program &program,
                                const format::ContainerReader &container) {
  return ProgramVerifier(program, container).verify();
}
