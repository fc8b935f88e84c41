// Python functions as providers of the runtime.
#ifndef FERRULE_PYTHON_PROVIDERS_H
#define FERRULE_PYTHON_PROVIDERS_H

#include <nanobind/nanobind.h>

#include <string>

namespace ferrule::python {

/// Lets calls of `name` in all programs go to function(*inputs, **attributes),
/// which returns an array, or a sequence of one for each result.
void registerCustomCall(const std::string &name, nanobind::callable function);

} // namespace ferrule::python

#endif // FERRULE_PYTHON_PROVIDERS_H
