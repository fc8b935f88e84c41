#include "runtime/executor/world.h"

using namespace ferrule;
using namespace ferrule::runtime;

std::string World::nameOf(uint32_t process) const {
  return "replica " + std::to_string(process / partitionCount) +
         ", partition " + std::to_string(process % partitionCount);
}

/// Where a process is while another waits for it.
std::string World::describe(uint32_t process) const {
  const Process &other = processes[process];
  if (other.ended)
    return nameOf(process) + " has ended";
  if (other.waitsAt)
    return nameOf(process) + " waits at another " + other.what;
  return nameOf(process) + " is elsewhere";
}

/// Fails the run when everybody who has not ended waits for somebody: nobody
/// will ever come.
void World::failIfStuck() {
  if (running > 0 || !failure.ok())
    return;
  for (uint32_t i = 0; i < size(); ++i) {
    const Process &process = processes[i];
    if (!process.waitsAt)
      continue;
    const Meeting &meeting = meetings.at(*process.waitsAt);
    for (size_t k = 0; k < meeting.present.size(); ++k) {
      if (meeting.present[k])
        continue;
      failure = failed(nameOf(i) + " waits for ever at " + process.what + ": " +
                       describe(process.waitsAt->second[k]));
      changed.notify_all();
      return;
    }
  }
}

Status
World::meet(int64_t site, std::span<const uint32_t> members, uint32_t position,
            const Contribution &contribution, const char *what,
            const std::function<Status(std::span<const Contribution>)> &take) {
  std::unique_lock lock(mutex);
  if (!failure.ok())
    return failure;
  uint32_t self = members[position];
  auto [place, isNew] = meetings.try_emplace(
      Key(site, std::vector(members.begin(), members.end())));
  Meeting &meeting = place->second;
  if (isNew) {
    meeting.brought.resize(members.size());
    meeting.present.resize(members.size());
  }
  meeting.brought[position] = contribution;
  meeting.present[position] = true;
  if (++meeting.arrived == members.size()) {
    // All go on from here; none waits any more.
    for (uint32_t member : members)
      if (processes[member].waitsAt) {
        processes[member].waitsAt = nullptr;
        ++running;
      }
    changed.notify_all();
  } else {
    Process &process = processes[self];
    process.waitsAt = &place->first;
    process.what = what;
    --running;
    failIfStuck();
    changed.wait(lock, [&] {
      return meeting.arrived == members.size() || !failure.ok();
    });
    if (meeting.arrived != members.size())
      return failure;
  }
  lock.unlock();
  Status status = take(meeting.brought);
  lock.lock();
  // What was brought must stay until everybody has it.
  if (++meeting.taken == members.size()) {
    meetings.erase(place);
    changed.notify_all();
    return status;
  }
  // A meeting of the same members that is not full yet is the next one.
  Key key = place->first;
  changed.wait(lock, [&] {
    auto found = meetings.find(key);
    return found == meetings.end() || found->second.taken == 0;
  });
  return status;
}

void World::leave(uint32_t process, const Status &status) {
  std::lock_guard lock(mutex);
  processes[process].ended = true;
  if (!processes[process].waitsAt)
    --running;
  processes[process].waitsAt = nullptr;
  if (!status.ok() && failure.ok()) {
    failure = status.in(nameOf(process));
    changed.notify_all();
  }
  failIfStuck();
}
