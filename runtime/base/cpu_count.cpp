#include "runtime/base/cpu_count.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <string>
#include <thread>

using namespace ferrule::runtime;

static unsigned affinityCount() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
    return static_cast<unsigned>(CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

// Quota over period of one cgroup folder, or infinity.
static double quotaOf(const std::string &folder) {
  double none = HUGE_VAL;
  if (std::ifstream file(folder + "/cpu.max"); file) {
    std::string quota;
    double period = 0;
    if (file >> quota >> period && quota != "max" && period > 0)
      return std::strtod(quota.c_str(), nullptr) / period;
    return none;
  }
  std::ifstream quotaFile(folder + "/cpu.cfs_quota_us");
  std::ifstream periodFile(folder + "/cpu.cfs_period_us");
  double quota = 0, period = 0;
  if (quotaFile >> quota && periodFile >> period && quota > 0 && period > 0)
    return quota / period;
  return none;
}

// A limit may sit on any folder between this process's cgroup and the root.
static double cgroupLimit() {
  double limit = HUGE_VAL;
  std::ifstream groups("/proc/self/cgroup");
  std::string line;
  while (std::getline(groups, line)) {
    size_t first = line.find(':');
    size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      continue;
    std::string controllers = line.substr(first + 1, second - first - 1);
    std::string path = line.substr(second + 1);
    std::string root = "/sys/fs/cgroup";
    if (!controllers.empty()) {
      if (("," + controllers + ",").find(",cpu,") == std::string::npos)
        continue;
      root += "/cpu";
    }
    while (true) {
      limit = std::min(limit, quotaOf(root + path));
      size_t slash = path.rfind('/');
      if (path.empty() || slash == std::string::npos)
        break;
      path.resize(slash);
    }
  }
  return limit;
}

unsigned ferrule::runtime::defaultThreadCount() {
  if (const char *text = std::getenv("FERRULE_NUM_THREADS")) {
    char *end = nullptr;
    long count = std::strtol(text, &end, 10);
    if (end != text && *end == 0 && count > 0 && count <= 4096)
      return static_cast<unsigned>(count);
  }
  double limit = cgroupLimit();
  unsigned count = affinityCount();
  if (limit < count)
    count = static_cast<unsigned>(std::max(1.0, std::ceil(limit)));
  return count;
}
