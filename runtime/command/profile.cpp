#include "runtime/command/profile.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>

using namespace ferrule;
using namespace ferrule::command;

ferrule_run_options Profile::options() {
  auto record = [](void *context, const ferrule_profile_event *event) {
    static_cast<Profile *>(context)->events.push_back(
        {std::string(event->name, event->name_size),
         std::string(event->layer_size ? event->layer : "", event->layer_size),
         event->start_ns, event->duration_ns, event->workgroups,
         event->threads});
  };
  return {sizeof(ferrule_run_options), record, this};
}

static std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", c);
      result += escape;
    } else {
      result += c;
    }
  }
  return result + '"';
}

void Profile::writeTrace(const std::string &path) const {
  std::ofstream file(path);
  file << "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [";
  uint64_t origin = events.empty() ? 0 : events.front().start;
  char number[64];
  for (size_t i = 0; i < events.size(); ++i) {
    const Event &event = events[i];
    std::snprintf(number, sizeof(number), "\"ts\": %.3f, \"dur\": %.3f",
                  static_cast<double>(event.start - origin) / 1000,
                  static_cast<double>(event.duration) / 1000);
    file << (i ? ",\n" : "\n") << "{\"ph\": \"X\", \"pid\": 1, \"tid\": 1, "
         << number << ", \"name\": "
         << quoted(event.layer.empty() ? event.name : event.layer)
         << ", \"args\": {\"kernel\": " << quoted(event.name)
         << ", \"workgroups\": " << event.workgroups
         << ", \"threads\": " << event.threads << "}}";
  }
  file << "\n]}\n";
  file.close();
  if (!file)
    throw Error(FERRULE_INVALID_ARGUMENT,
                "cannot write '" + path + "': " + std::strerror(errno));
}

std::string Profile::summary() const {
  struct Total {
    std::string name;
    uint64_t time = 0, count = 0;
  };
  std::map<std::string, Total> byName;
  uint64_t all = 0;
  for (const Event &event : events) {
    Total &total = byName[event.name];
    total.name = event.name;
    total.time += event.duration;
    ++total.count;
    all += event.duration;
  }
  std::vector<Total> sorted;
  for (auto &[name, total] : byName)
    sorted.push_back(total);
  std::sort(sorted.begin(), sorted.end(), [](const Total &a, const Total &b) {
    return a.time != b.time ? a.time > b.time : a.name < b.name;
  });
  std::string text = "   total ms      %  launches  kernel\n";
  char line[64];
  for (const Total &total : sorted) {
    std::snprintf(line, sizeof(line), "%11.3f  %5.1f  %8llu  ",
                  static_cast<double>(total.time) / 1e6,
                  all ? 100.0 * static_cast<double>(total.time) /
                            static_cast<double>(all)
                      : 0.0,
                  static_cast<unsigned long long>(total.count));
    text += line + total.name + "\n";
  }
  return text;
}
