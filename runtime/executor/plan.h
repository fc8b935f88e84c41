// A function whose sizes are all static, resolved to a flat list: every
// scalar is computed and every address known but for a few bases.
#ifndef FERRULE_EXECUTOR_PLAN_H
#define FERRULE_EXECUTOR_PLAN_H

#include "runtime/executor/request.h"

#include <deque>
#include <memory>
#include <vector>

namespace ferrule::runtime {

class Plan {
public:
  /// Null for functions that branch, call, or depend on values; and for those
  /// that would fail, which the interpreter reports.
  static std::unique_ptr<Plan> make(const Session &session,
                                    const DecodedFunction &function);

  /// The memory of a run: the arena, then inputs, then outputs.
  std::vector<char *> &bases() { return basePointers; }
  /// The size of an output, or the input it replaces.
  struct Output {
    uint64_t bytes = 0;
    bool allocated = false;
  };
  const std::vector<Output> &outputs() const { return outputList; }

  /// Runs with the bases that are set.
  Status run(const Session &session, Scratch &scratch,
             const RunOptions &options);

private:
  friend class PlanBuilder;
  /// Base kConstant: `pointer` is the address itself.
  struct Address {
    uint32_t base;
    uint64_t offset;
    char *pointer;
  };
  enum class Kind : uint8_t { Launch, Copy, Fill };
  struct Action {
    Kind kind;
    uint32_t workgroups;
    const Step *step;
    FerruleKernelArguments arguments;
    uint32_t firstAddress; ///< Of the buffers; Copy: target, source.
    uint64_t bytes;
    int64_t value;
    format::ElementType element;
  };
  char *resolve(const Address &address) const {
    return address.base == kNone ? address.pointer
                                 : basePointers[address.base] + address.offset;
  }

  const DecodedFunction *function = nullptr;
  std::unique_ptr<Frame> frame; ///< Holds sizes and strides.
  std::vector<Action> actions;
  std::vector<Address> addresses;
  std::deque<std::vector<FerruleKernelBuffer>> buffers;
  std::deque<std::vector<int64_t>> scalars;
  std::vector<Output> outputList;
  std::vector<char *> basePointers;
};

/// Sets all elements to the scalar slot's value.
void fillBuffer(format::ElementType element, char *data, uint64_t bytes,
                int64_t slot);

} // namespace ferrule::runtime

#endif // FERRULE_EXECUTOR_PLAN_H
