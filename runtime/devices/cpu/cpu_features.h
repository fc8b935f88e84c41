// Which instruction sets this machine and its operating system offer, by
// LLVM's names.
#ifndef FERRULE_DEVICES_CPU_CPU_FEATURES_H
#define FERRULE_DEVICES_CPU_CPU_FEATURES_H

#include <string_view>

namespace ferrule::runtime {

/// False for names that are not known, which is the safe answer.
bool cpuHasFeature(std::string_view name);

} // namespace ferrule::runtime

#endif // FERRULE_DEVICES_CPU_CPU_FEATURES_H
