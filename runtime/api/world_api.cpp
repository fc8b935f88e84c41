// The part of the C API that runs several processes of a program at once.
#include "runtime/api/handles.h"

#include <set>
#include <thread>

using namespace ferrule;
using namespace ferrule::runtime;
using namespace ferrule::runtime::api;

static Status checkProcesses(ferrule_request *const *requests, uint32_t count,
                             uint32_t replicas, uint32_t partitions) {
  if (!requests && count > 0)
    return invalidArgument("requests is NULL");
  if (count == 0 || count != uint64_t(replicas) * partitions)
    return invalidArgument("found " + std::to_string(count) + " requests for " +
                           std::to_string(replicas) + " replicas of " +
                           std::to_string(partitions) +
                           " partitions, expected " +
                           std::to_string(uint64_t(replicas) * partitions) +
                           (count == 0 ? ", at least 1" : ""));
  std::set<ferrule_request *> seen;
  for (uint32_t i = 0; i < count; ++i) {
    if (!requests[i])
      return invalidArgument("request " + std::to_string(i) + " is NULL");
    if (!seen.insert(requests[i]).second)
      return invalidArgument("request " + std::to_string(i) +
                             " is there twice, expected one a process");
  }
  return {};
}

ferrule_status ferrule_requests_run_together(ferrule_request *const *requests,
                                             uint32_t count, uint32_t replicas,
                                             uint32_t partitions) {
  if (Status status = checkProcesses(requests, count, replicas, partitions);
      !status.ok())
    return report(status);
  World world(replicas, partitions);
  auto run = [&](uint32_t process) {
    RunOptions options;
    options.place = {&world, process / partitions, process % partitions};
    world.leave(process, requests[process]->request.run(options));
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 1; i < count; ++i)
    threads.emplace_back(run, i);
  run(0);
  for (std::thread &thread : threads)
    thread.join();
  return report(world.firstFailure());
}
