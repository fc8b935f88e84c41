// Inputs as ferrule-run's command line gives them.
#ifndef FERRULE_COMMAND_INPUT_SPEC_H
#define FERRULE_COMMAND_INPUT_SPEC_H

#include "runtime/command/npy.h"

#include <string>
#include <vector>

namespace ferrule::command {

/// Makes one array an input of the function from texts of the forms
///   x=@file.npy    x=3x4xf32=1.5    x=3x4xf32=1,2,...    x=3x4xf32=random
///   x=random (static sizes)         @file.npy (inputs in their order)
/// Inputs that no text names are random when `fillRandom` says so, else an
/// error, as are unknown names and values that do not fit.
std::vector<Array> makeInputs(const FunctionInfo &function,
                              const std::vector<std::string> &texts,
                              bool fillRandom);

/// Seeded by `seed`: floats in [-1, 1), integers 0 to 9, booleans.
Array randomArray(ferrule_element_type type, const std::vector<int64_t> &dims,
                  uint64_t seed);

} // namespace ferrule::command

#endif // FERRULE_COMMAND_INPUT_SPEC_H
