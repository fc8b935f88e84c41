// Options of a compilation by name, as the command line and the C API give
// them.
#ifndef FERRULE_COMPILER_DRIVER_OPTIONS_H
#define FERRULE_COMPILER_DRIVER_OPTIONS_H

#include "compiler/Driver/Driver.h"

namespace ferrule {

/// Sets the option that ferrule-compile calls `--name` to what `text` says.
/// Options that may be given several times add up. False with `error` set for
/// unknown names and malformed texts.
bool setOption(CompileOptions &options, llvm::StringRef name,
               llvm::StringRef text, std::string &error);

} // namespace ferrule

#endif // FERRULE_COMPILER_DRIVER_OPTIONS_H
