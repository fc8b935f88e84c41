// Builds small .byre files for tests.
#ifndef FERRULE_TESTING_TEST_PROGRAM_H
#define FERRULE_TESTING_TEST_PROGRAM_H

#include "runtime/format/container.h"
#include "runtime/format/program_generated.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace ferrule::testing {

enum TestKernel : uint32_t { Add, Scale, Check, Apply };

/// One function under construction, and its program.
class TestFunction {
public:
  explicit TestFunction(const std::string &name);

  uint32_t buffer(format::ElementType type, std::vector<int64_t> dims);
  uint32_t scalar(format::ScalarType type);
  /// A register that starts with this value.
  uint32_t constant(int64_t value,
                    format::ScalarType type = format::ScalarType::I64);
  uint32_t constantFloat(float value);

  uint32_t input(const std::string &name, format::ElementType type,
                 std::vector<int64_t> dims,
                 std::vector<std::string> expressions = {});
  void output(const std::string &name, format::ElementType type,
              std::vector<int64_t> dims, int aliasInput = -1);

  /// Starts a block and returns its number; the first is there already.
  uint32_t block();

  // Instructions, appended to the last block.
  template <typename T> T &emit(T operation) {
    auto instruction = std::make_unique<format::InstructionT>();
    instruction->operation.Set(std::move(operation));
    auto *stored = static_cast<T *>(instruction->operation.value);
    function.blocks.back()->instructions.push_back(std::move(instruction));
    return *stored;
  }
  void dispatch(uint32_t kernel, uint32_t workgroups,
                std::vector<uint32_t> buffers,
                std::vector<uint32_t> scalars = {});
  void alloc(uint32_t result, format::Place place, uint64_t offset = 0,
             std::vector<uint32_t> sizes = {});
  void compute(format::Opcode opcode, uint32_t result, uint32_t a,
               uint32_t b = 0, uint32_t c = 0);
  void branch(uint32_t target, std::vector<uint32_t> buffers = {},
              std::vector<uint32_t> scalars = {});
  void condBranch(uint32_t condition, uint32_t then, uint32_t otherwise);
  void ret(std::vector<uint32_t> buffers, std::vector<uint32_t> scalars = {});

  format::FunctionT function;
};

/// The program of these functions with the kernels of kernels.c.
format::ProgramT testProgram(std::initializer_list<const TestFunction *> all);

/// The finished file. Weights go to one section.
std::string serialize(const format::ProgramT &program,
                      const std::string &weights = {});

} // namespace ferrule::testing

#endif // FERRULE_TESTING_TEST_PROGRAM_H
