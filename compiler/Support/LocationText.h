// Locations as people read them.
#ifndef FERRULE_COMPILER_SUPPORT_LOCATIONTEXT_H
#define FERRULE_COMPILER_SUPPORT_LOCATIONTEXT_H

#include "mlir/IR/Location.h"
#include <string>

namespace ferrule {

/// "model.py:12" or "model.mlir:3:7"; a layer's name where no line is known;
/// the file's name where nothing else is. Empty for an unknown location.
std::string locationText(mlir::Location loc);

/// True when the location has a line in a file.
bool hasSourceLine(mlir::Location loc);

} // namespace ferrule

#endif // FERRULE_COMPILER_SUPPORT_LOCATIONTEXT_H
