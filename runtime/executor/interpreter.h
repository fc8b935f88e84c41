// Runs the steps of functions on the registers of frames. The verifier has
// checked what is static; everything that depends on values is checked here.
#ifndef FERRULE_EXECUTOR_INTERPRETER_H
#define FERRULE_EXECUTOR_INTERPRETER_H

#include "runtime/executor/request.h"

namespace ferrule::runtime {

class Interpreter {
public:
  Interpreter(Request &request, const RunOptions &options)
      : request(request), session(*request.owner),
        program(request.owner->program()), options(options) {}

  /// Runs the request's function from its bound inputs to its results.
  Status run();

private:
  Status execute(Frame &frame, const Step *&last);
  Status dispatch(Frame &frame, const Step &step);
  Status callProvider(Frame &frame, const Step &step);
  Status callFunction(Frame &frame, const Step &step);
  Status alloc(Frame &frame, const Step &step);
  Status view(Frame &frame, const Step &step);
  Status free(Frame &frame, const Step &step);
  Status load(Frame &frame, const Step &step);
  Status store(Frame &frame, const Step &step);
  Status computeScalar(Frame &frame, const Step &step);
  Status element(Frame &frame, const Step &step, int64_t &index);
  Status copy(Frame &frame, const Step &step);
  Status fill(Frame &frame, const Step &step);
  Status loadConstant(Frame &frame, const Step &step);
  Status move(Frame &frame, uint32_t pool);

  Status bindInputs(Frame &frame);
  Status finish(Frame &frame, const Step &step);
  Status finishCall(Frame &caller, const Step &step, Frame &callee,
                    const Step &last);
  Status outputMemory(Frame &frame, uint32_t index, uint64_t bytes,
                      std::span<const int64_t> dims, char *&memory);

  /// Gives a register the value of another one, perhaps of another frame.
  Status assign(Frame &target, uint32_t targetRegister, const Frame &source,
                uint32_t sourceRegister);
  Status setSizes(Frame &frame, uint32_t buffer, const uint32_t *registers);
  Status needSet(const Frame &frame, uint32_t buffer, const Step &step) const;
  Status error(const Frame &frame, const Step &step, Code code,
               const std::string &message) const;
  static Status noMemory(uint64_t bytes);

  bool isEntry(const Frame &frame) const {
    return frame.function == &request.entry;
  }

  Request &request;
  const Session &session;
  const Program &program;
  const RunOptions &options;
};

} // namespace ferrule::runtime

#endif // FERRULE_EXECUTOR_INTERPRETER_H
