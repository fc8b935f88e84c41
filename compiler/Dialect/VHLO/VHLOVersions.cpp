// Which versions of the format have which operations.
#include "compiler/Dialect/VHLO/VHLO.h"

using namespace ferrule;
using llvm::StringRef;
using llvm::VersionTuple;

namespace {
/// Operations, separated by spaces, and the minor version of the first 1.x
/// that has them. All others are older than 1.0.
struct Introduction {
  const char *names;
  unsigned minor;
};
} // namespace

static constexpr Introduction introductions[] = {
    {"dynamic_gather_v2 gather_v2 scatter_v2", 1},
    {"tan_v1", 4},
    {"all_gather_v2 all_reduce_v2 all_to_all_v2", 5},
    {"dot_general_v2", 6},
    {"exponential_v2", 9},
    {"cbrt_v2 cosine_v2 exponential_minus_one_v2 log_v2 log_plus_one_v2 "
     "logistic_v2 rsqrt_v2 sine_v2 sqrt_v2 tan_v2 tanh_v2",
     10},
    {"recv_v2 send_v2", 12},
    {"composite_v2", 14},
    {"async_start_v1 async_done_v1", 15},
    {"custom_call_v2", 18},
    {"collective_reduce_v1", 19},
    {"collective_broadcast_v2", 20},
};

static unsigned firstMinorOf(StringRef name) {
  for (const Introduction &row : introductions) {
    llvm::SmallVector<StringRef> names;
    StringRef(row.names).split(names, ' ');
    if (llvm::is_contained(names, name))
      return row.minor;
  }
  return 0;
}

std::string ferrule::vhlo::operationOf(StringRef name, VersionTuple version) {
  for (StringRef suffix : {"_v2", "_v1"}) {
    std::string full = (name + suffix).str();
    if (attributesOf(full) && version >= VersionTuple(1, firstMinorOf(full), 0))
      return "vhlo." + full;
  }
  return "";
}

std::optional<VersionTuple> ferrule::parseArtifactVersion(StringRef text) {
  if (text == "current")
    return VersionTuple(1, 20, 0);
  VersionTuple version;
  if (version.tryParse(text) || version.getBuild())
    return std::nullopt;
  return VersionTuple(version.getMajor(), version.getMinor().value_or(0),
                      version.getSubminor().value_or(0));
}
