// Launches kernels and turns what they report into errors and profile events.
#ifndef FERRULE_EXECUTOR_LAUNCH_H
#define FERRULE_EXECUTOR_LAUNCH_H

#include "runtime/executor/request.h"

namespace ferrule::runtime {

/// Nanoseconds of the monotonic clock.
uint64_t monotonicTime();

/// An error with the step's source location, or the function's name.
Status errorAt(const Program &program, const DecodedFunction &function,
               const Step &step, Code code, const std::string &message);

/// Runs all workgroups of a Dispatch step.
Status launchKernel(const Session &session, const DecodedFunction &function,
                    const Step &step, const FerruleKernelArguments &arguments,
                    uint32_t workgroups, Scratch &scratch,
                    const RunOptions &options);

} // namespace ferrule::runtime

#endif // FERRULE_EXECUTOR_LAUNCH_H
