// CPUs by name.
#include "compiler/Target/CPU/Image/Image.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace llvm;
using namespace ferrule;
using namespace ferrule::cpu;

/// Features of the machine that generated code relies on.
static constexpr StringLiteral kKnownFeatures[] = {
    "avx",      "avx2",     "fma",      "f16c",     "bmi",
    "bmi2",     "lzcnt",    "popcnt",   "sse4.2",   "avx512f",
    "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512vnni",
    "avx512bf16"};

FailureOr<Variant> cpu::resolveVariant(StringRef name) {
  Variant variant;
  variant.cpu = name == "host" ? sys::getHostCPUName().str() : name.str();
  SmallVector<StringRef> features;
  X86::getFeaturesForCPU(variant.cpu, features);
  if (features.empty())
    return failure();
  StringMap<bool> host;
  if (name == "host")
    host = sys::getHostCPUFeatures();
  StringSet<> has;
  for (StringRef feature : features)
    // A virtual machine may hide what its CPU has.
    if (name != "host" || host.lookup(feature))
      has.insert(feature);
    else if (llvm::is_contained(kKnownFeatures, feature))
      variant.features += "-" + feature.str() + ",";
  if (!has.contains("avx2") || !has.contains("fma"))
    return failure();
  for (StringRef feature : kKnownFeatures)
    if (has.contains(feature))
      variant.required.push_back(feature.str());
  if (has.contains("avx512f") && has.contains("avx512vl")) {
    variant.vectorBits = 512;
    variant.features += "-prefer-256-bit,";
  }
  if (!variant.features.empty())
    variant.features.pop_back();
  return variant;
}
