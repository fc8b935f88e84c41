// How many threads this process should use.
#ifndef FERRULE_BASE_CPU_COUNT_H
#define FERRULE_BASE_CPU_COUNT_H

namespace ferrule::runtime {

/// FERRULE_NUM_THREADS if it is a positive number; else the processors that
/// the affinity mask and the cgroup's quota leave to this process, at least 1.
unsigned defaultThreadCount();

} // namespace ferrule::runtime

#endif // FERRULE_BASE_CPU_COUNT_H
