// Runs constant computation of a model while compiling it.
#ifndef FERRULE_COMPILER_DRIVER_HOSTEVALUATOR_H
#define FERRULE_COMPILER_DRIVER_HOSTEVALUATOR_H

#include "compiler/Driver/Driver.h"
#include "compiler/Transforms/EvaluateConstants/EvaluateConstants.h"

namespace ferrule {

/// An evaluator that compiles for the host at the fixed baseline, whatever the
/// options' target is, and runs the program in this process. So the values are
/// the same on every build host, for any number of threads.
ConstantEvaluator hostEvaluator(const CompileOptions &options);

} // namespace ferrule

#endif // FERRULE_COMPILER_DRIVER_HOSTEVALUATOR_H
