// Measures how long runs of a request take.
#ifndef FERRULE_COMMAND_BENCHMARK_H
#define FERRULE_COMMAND_BENCHMARK_H

#include "ferrule/ferrule.hpp"

#include <string>

namespace ferrule::command {

/// Runs for about `seconds` after a warm-up and describes the times in one
/// line.
std::string benchmark(Request &request, double seconds);

} // namespace ferrule::command

#endif // FERRULE_COMMAND_BENCHMARK_H
