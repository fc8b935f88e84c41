#include "runtime/command/benchmark.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

using namespace ferrule;

std::string ferrule::command::benchmark(Request &request, double seconds) {
  using Clock = std::chrono::steady_clock;
  auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  auto start = Clock::now();
  for (int i = 0; i < 3 || (i < 100 && since(start) < seconds / 5); ++i)
    request.run();
  std::vector<double> times;
  start = Clock::now();
  while (times.size() < 5 ||
         (since(start) < seconds && times.size() < 100000)) {
    auto one = Clock::now();
    request.run();
    times.push_back(since(one) * 1e3);
  }
  std::sort(times.begin(), times.end());
  double sum = 0;
  for (double time : times)
    sum += time;
  char line[160];
  std::snprintf(line, sizeof(line),
                "%zu runs: median %.4f ms, mean %.4f, min %.4f, 90%% %.4f",
                times.size(), times[times.size() / 2],
                sum / static_cast<double>(times.size()), times.front(),
                times[times.size() * 9 / 10]);
  return line;
}
