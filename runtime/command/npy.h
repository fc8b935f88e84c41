// NumPy's .npy files.
#ifndef FERRULE_COMMAND_NPY_H
#define FERRULE_COMMAND_NPY_H

#include "ferrule/ferrule.hpp"

#include <string>
#include <vector>

namespace ferrule::command {

/// An array with its memory. The type is FERRULE_NONE for elements that NumPy
/// does not know (written as "V2" and so on); then only their size counts.
struct Array {
  ferrule_element_type type = FERRULE_NONE;
  unsigned elementBytes = 0;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides; ///< Empty, or those of Fortran order.
  std::vector<char> data;

  BufferView view() { return {data.data(), type, dims, strides}; }
};

/// Throws ferrule::Error naming the file and what is wrong with it.
Array readNpy(const std::string &path);
Array parseNpy(const std::string &bytes, const std::string &name);

/// Contiguous buffers only. Types that NumPy does not know become opaque ones
/// of the same size; packed types are refused.
void writeNpy(const std::string &path, const BufferView &buffer);
std::string formatNpy(const BufferView &buffer);

} // namespace ferrule::command

#endif // FERRULE_COMMAND_NPY_H
