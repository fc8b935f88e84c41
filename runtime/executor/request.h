// One run at a time of one function: what its inputs and outputs are bound to,
// and the memory in between. Requests of one session run at the same time on
// different threads.
#ifndef FERRULE_EXECUTOR_REQUEST_H
#define FERRULE_EXECUTOR_REQUEST_H

#include "runtime/executor/frame.h"
#include "runtime/executor/memory.h"
#include "runtime/executor/session.h"
#include "runtime/executor/world.h"

#include <memory>
#include <string>
#include <vector>

namespace ferrule::runtime {

/// Memory of the host under a type. Strides count elements; none: contiguous.
struct HostBuffer {
  void *data = nullptr;
  format::ElementType element = format::ElementType::None;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;
};

/// One dispatch or provider call that has ended.
struct ProfileEvent {
  std::string_view name;  ///< The kernel's or provider op's.
  std::string_view layer; ///< The user's name; may be empty.
  uint64_t start;         ///< Nanoseconds of the monotonic clock.
  uint64_t duration;
  uint32_t workgroups = 1;
  uint32_t threads = 1;
  std::string_view operations = {}; ///< Fused in the kernel; may be empty.
  /// What the launch takes at least; -1: not known.
  int64_t flops = -1;
  int64_t bytes = -1;
};

class Plan;

struct RunOptions {
  void (*profile)(void *context, const ProfileEvent &event) = nullptr;
  void *profileContext = nullptr;
  /// Which process of several this run is.
  ProcessPlace place = {};
};

class Request {
public:
  Request(std::shared_ptr<const Session> session,
          const DecodedFunction &function);
  ~Request();

  const DecodedFunction &function() const { return entry; }
  const Session &session() const { return *owner; }

  /// Binds memory that is read when the request runs and must live until then.
  /// Checks type and dims, as far as one input can be checked alone.
  Status setInput(uint32_t index, HostBuffer buffer);
  /// Binds memory that the output is written to. The dims must be those that
  /// the run will give. Without it the request owns the memory.
  Status setOutput(uint32_t index, HostBuffer buffer);
  void clearOutput(uint32_t index);

  Status run(const RunOptions &options);

  /// After a run. Valid until the next run or the end of the request.
  const HostBuffer &output(uint32_t index) const { return results[index]; }

  /// Moves an output's memory out of the request. Empty when the output lies
  /// in memory that was bound or belongs to an input.
  Block takeOutput(uint32_t index);

private:
  friend class Interpreter;

  struct Input {
    HostBuffer bound;
    bool isContiguous = true;
    Block copy; ///< For inputs that are not contiguous, or packed.
  };
  struct Output {
    HostBuffer bound;         ///< data is null when not bound.
    bool isContiguous = true; ///< And not packed: written in place.
    Block own;
  };

  const format::Value &inputValue(uint32_t index) const {
    return *entry.source->inputs()->Get(index);
  }
  const format::Value &outputValue(uint32_t index) const {
    return *entry.source->outputs()->Get(index);
  }
  Status checkType(const char *role, const format::Value &value,
                   const HostBuffer &buffer) const;
  Status checkSymbols();
  Status checkRange(uint32_t symbol, int64_t size,
                    const std::string &place) const;
  Status prepareInputs();
  Status finishOutputs();
  Status runPlan(const RunOptions &options);
  /// Where the program reads an input: bound memory or a contiguous copy.
  char *inputMemory(uint32_t index) const;
  /// Where the program writes an output of this size.
  Status outputMemory(uint32_t index, uint64_t bytes,
                      std::span<const int64_t> dims, char *&memory);
  Status wrongOutput(uint32_t index, std::span<const int64_t> dims) const;
  Frame &frame(uint32_t function);

  std::shared_ptr<const Session> owner;
  const DecodedFunction &entry;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::vector<HostBuffer> results;
  std::unique_ptr<Plan> plan; ///< Of functions whose sizes are static.
  std::vector<std::unique_ptr<Frame>> frames; ///< One a function, on demand.
  Block staticArena;
  Arena arena;
  std::vector<Block> retired; ///< Kept until the run ends.
  Scratch scratch;
  std::vector<std::optional<int64_t>> symbolSizes;
};

} // namespace ferrule::runtime

#endif // FERRULE_EXECUTOR_REQUEST_H
