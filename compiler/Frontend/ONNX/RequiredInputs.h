// How many inputs each ONNX op must have.
#ifndef FERRULE_COMPILER_FRONTEND_ONNX_REQUIREDINPUTS_H
#define FERRULE_COMPILER_FRONTEND_ONNX_REQUIREDINPUTS_H

#include "llvm/ADT/StringRef.h"

namespace ferrule::onnx {

/// The number of leading inputs that every version of the op requires. An op
/// that is not in ONNX's own domain may have any number.
size_t requiredInputs(llvm::StringRef domain, llvm::StringRef opType);

} // namespace ferrule::onnx

#endif // FERRULE_COMPILER_FRONTEND_ONNX_REQUIREDINPUTS_H
