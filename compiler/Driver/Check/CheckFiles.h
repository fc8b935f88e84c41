// Checks many files at once, each program in a process of its own.
#ifndef FERRULE_COMPILER_DRIVER_CHECK_CHECKFILES_H
#define FERRULE_COMPILER_DRIVER_CHECK_CHECKFILES_H

#include "compiler/Driver/Check/CheckProgram.h"

namespace ferrule {

struct CheckFilesOptions {
  CompileOptions compile;
  /// Programs at once.
  unsigned jobs = 1;
  /// Programs that take longer are ended and have failed; 0: no limit.
  unsigned secondsPerProgram = 120;
};

/// Checks all programs of the files and of the `.mlir` files within folders;
/// programs of one file are parted by `// -----`. Reports failures in the order
/// of the files, then one line `N passed, N failed`. A program that ends the
/// compiler fails alone. False with `error` set if a path cannot be read.
/// Call it before the process has other threads: it forks.
bool checkFiles(llvm::ArrayRef<std::string> paths,
                const CheckFilesOptions &options, CheckCounts &counts,
                std::string &error, llvm::raw_ostream &os);

} // namespace ferrule

#endif // FERRULE_COMPILER_DRIVER_CHECK_CHECKFILES_H
