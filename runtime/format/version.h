// The version of the .byre format that this build writes. README.md says when
// each number changes.
#ifndef FERRULE_FORMAT_VERSION_H
#define FERRULE_FORMAT_VERSION_H

#include <cstdint>

namespace ferrule::format {

inline constexpr uint32_t kMajorVersion = 1;
inline constexpr uint32_t kMinorVersion = 0;

} // namespace ferrule::format

#endif // FERRULE_FORMAT_VERSION_H
