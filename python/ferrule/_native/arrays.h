// NumPy, PyTorch and DLPack arrays as buffers of the runtime, and back.
#ifndef FERRULE_PYTHON_ARRAYS_H
#define FERRULE_PYTHON_ARRAYS_H

#include "ferrule/ferrule.hpp"

#include <nanobind/nanobind.h>

namespace ferrule::python {

/// Which library an array belongs to.
enum class Kind { Numpy, Torch, Other };

/// An argument seen as memory. `keep` holds what owns that memory.
struct Argument {
  BufferView view;
  Kind kind = Kind::Numpy;
  nanobind::object object; ///< What the caller passed, for results in place.
  nanobind::object keep;
  Py_buffer buffer = {};
  bool hasBuffer = false;
  bool readOnly = false;

  Argument() = default;
  Argument(const Argument &) = delete;
  Argument(Argument &&other) noexcept;
  ~Argument();
};

/// Views an argument of the function. Scalars and lists become arrays of the
/// expected type; arrays are taken as they are, zero-copy.
Argument viewArgument(nanobind::handle object, const ValueInfo &expected);

/// An array of this kind on the memory of `view`, which `owner` keeps. `like` is
/// an argument of that kind.
nanobind::object makeArray(const BufferView &view, nanobind::capsule owner,
                           Kind kind, nanobind::handle like);

/// The same with memory of a result.
nanobind::object makeArray(const BufferView &view, Memory memory, Kind kind,
                           nanobind::handle like);

} // namespace ferrule::python

#endif // FERRULE_PYTHON_ARRAYS_H
