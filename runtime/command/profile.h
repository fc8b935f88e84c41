// Records dispatches and writes them for chrome://tracing and Perfetto.
#ifndef FERRULE_COMMAND_PROFILE_H
#define FERRULE_COMMAND_PROFILE_H

#include "ferrule/ferrule.hpp"

#include <string>
#include <vector>

namespace ferrule::command {

class Profile {
public:
  /// Options that record runs here. The profile must outlive them.
  ferrule_run_options options();
  void clear() { events.clear(); }
  void writeTrace(const std::string &path) const;
  /// A table of kernels by time.
  std::string summary() const;

private:
  struct Event {
    std::string name, layer;
    uint64_t start, duration;
    uint32_t workgroups, threads;
  };
  std::vector<Event> events;
};

} // namespace ferrule::command

#endif // FERRULE_COMMAND_PROFILE_H
