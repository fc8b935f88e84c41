// Compiles a program that holds its expectations, runs it and compares.
#ifndef FERRULE_COMPILER_DRIVER_CHECK_CHECKPROGRAM_H
#define FERRULE_COMPILER_DRIVER_CHECK_CHECKPROGRAM_H

#include "compiler/Driver/Driver.h"

namespace ferrule {

struct CheckCounts {
  unsigned passed = 0, failed = 0;
};

/// Checks the program `source`, which starts at `line` (from 1) of `path`.
/// Counts functions; a program that does not compile is one that failed.
/// Writes errors and the first mismatch of each check to `os`.
CheckCounts checkProgram(llvm::StringRef source, llvm::StringRef path,
                         unsigned line, const CompileOptions &options,
                         llvm::raw_ostream &os);

} // namespace ferrule

#endif // FERRULE_COMPILER_DRIVER_CHECK_CHECKPROGRAM_H
