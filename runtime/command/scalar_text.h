// Numbers of any element type as text and back.
#ifndef FERRULE_COMMAND_SCALAR_TEXT_H
#define FERRULE_COMMAND_SCALAR_TEXT_H

#include "ferrule/ferrule.hpp"

#include <string>

namespace ferrule::command {

/// Stores a number in element `index` of contiguous memory. Throws when the
/// type has no numbers (8-bit floats, strings).
void storeNumber(ferrule_element_type type, void *data, uint64_t index,
                 double number);
/// As storeNumber, for text: integers keep all 64 bits.
void storeText(ferrule_element_type type, void *data, uint64_t index,
               const std::string &text);
std::string numberText(ferrule_element_type type, const void *data,
                       uint64_t index);

/// "[[1, 2], [3, 4]]"; long arrays are shortened to their ends.
std::string arrayText(const BufferView &buffer);

} // namespace ferrule::command

#endif // FERRULE_COMMAND_SCALAR_TEXT_H
