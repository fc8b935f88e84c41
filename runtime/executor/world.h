// The processes of one program that run together, each on a thread of its own:
// replicas times partitions. They meet to exchange values. Who waits for
// somebody that cannot come any more gets an error, never a hang.
#ifndef FERRULE_EXECUTOR_WORLD_H
#define FERRULE_EXECUTOR_WORLD_H

#include "runtime/base/status.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace ferrule::runtime {

/// What a process brings to a meeting. Lives until the process leaves it.
struct Contribution {
  const void *data = nullptr;
  std::span<const int64_t> dims;
};

class World {
public:
  World(uint32_t replicas, uint32_t partitions)
      : replicaCount(replicas), partitionCount(partitions),
        processes(size_t(replicas) * partitions), running(processes.size()) {}

  uint32_t replicas() const { return replicaCount; }
  uint32_t partitions() const { return partitionCount; }
  uint32_t size() const { return static_cast<uint32_t>(processes.size()); }

  /// Waits until all `members` (process numbers in order, the caller at
  /// `position`) are at the same `site` of the program, then calls `take` with
  /// what they brought. Returns when all have taken. `what` is for errors.
  Status meet(int64_t site, std::span<const uint32_t> members,
              uint32_t position, const Contribution &contribution,
              const char *what,
              const std::function<Status(std::span<const Contribution>)> &take);

  /// Says that a process has ended. Those that wait for it fail.
  void leave(uint32_t process, const Status &status);

  /// The failure that is not the consequence of another one.
  Status firstFailure() const { return failure; }

  /// "replica 1, partition 0".
  std::string nameOf(uint32_t process) const;

private:
  /// Members are part of the key: groups of one site are strangers.
  using Key = std::pair<int64_t, std::vector<uint32_t>>;
  struct Meeting {
    std::vector<Contribution> brought;
    std::vector<bool> present;
    uint32_t arrived = 0, taken = 0;
  };
  struct Process {
    const Key *waitsAt = nullptr;
    const char *what = "";
    bool ended = false;
  };

  void failIfStuck();
  std::string describe(uint32_t process) const;

  const uint32_t replicaCount, partitionCount;
  std::mutex mutex;
  std::condition_variable changed;
  std::map<Key, Meeting> meetings;
  std::vector<Process> processes;
  /// Processes that neither wait nor have ended.
  size_t running;
  Status failure;
};

/// One process, as its run sees it. No world: the only process there is.
struct ProcessPlace {
  World *world = nullptr;
  uint32_t replica = 0, partition = 0;
};

} // namespace ferrule::runtime

#endif // FERRULE_EXECUTOR_WORLD_H
