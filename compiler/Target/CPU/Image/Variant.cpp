// CPUs by name.
#include "compiler/Target/CPU/Image/Image.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace llvm;
using namespace ferrule;
using namespace ferrule::cpu;

/// Features of the machine that generated code relies on.
static constexpr StringLiteral kKnownFeatures[] = {
    "avx",      "avx2",     "fma",        "f16c",      "bmi",      "bmi2",
    "lzcnt",    "popcnt",   "sse4.2",     "avx512f",   "avx512bw", "avx512cd",
    "avx512dq", "avx512vl", "avx512vnni", "avx512bf16"};

/// An x86-64 CPU with AVX2 and FMA, as LLVM or the host describes it.
static FailureOr<Variant> resolveX86(StringRef name, bool isHost) {
  Variant variant;
  variant.triple = "x86_64-unknown-linux-gnu";
  variant.cpu = name.str();
  SmallVector<StringRef> features;
  X86::getFeaturesForCPU(variant.cpu, features);
  if (features.empty())
    return failure();
  StringMap<bool> host;
  if (isHost)
    host = sys::getHostCPUFeatures();
  StringSet<> has;
  for (StringRef feature : features)
    // A virtual machine may hide what its CPU has.
    if (!isHost || host.lookup(feature))
      has.insert(feature);
    else if (llvm::is_contained(kKnownFeatures, feature))
      variant.features += "-" + feature.str() + ",";
  // LLVM's lists leave out what another feature implies.
  if (has.contains("avx2"))
    has.insert("avx");
  if (has.contains("avx512vl") || has.contains("avx512bw"))
    has.insert("avx512f");
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

/// A 64-bit Arm CPU. All have NEON, which is what kernels need.
static FailureOr<Variant> resolveAArch64(StringRef name) {
  Variant variant;
  variant.triple = "aarch64-unknown-linux-gnu";
  variant.required = {"aarch64"};
  if (name == "aarch64") {
    variant.cpu = "generic";
    return variant;
  }
  std::optional<AArch64::CpuInfo> cpu = AArch64::parseCpu(name);
  if (!cpu)
    return failure();
  variant.cpu = name.str();
  // What a newer CPU adds, as far as kernels may use it.
  static constexpr std::pair<StringLiteral, AArch64::ArchExtKind> kFeatures[] =
      {{"fullfp16", AArch64::AEK_FP16}, {"dotprod", AArch64::AEK_DOTPROD},
       {"lse", AArch64::AEK_LSE},       {"rdm", AArch64::AEK_RDM},
       {"sve", AArch64::AEK_SVE},       {"bf16", AArch64::AEK_BF16},
       {"i8mm", AArch64::AEK_I8MM}};
  AArch64::ExtensionBitset extensions = cpu->getImpliedExtensions();
  for (const auto &[feature, kind] : kFeatures)
    if (extensions.test(kind))
      variant.required.push_back(feature.str());
  return variant;
}

FailureOr<Variant> cpu::resolveVariant(StringRef name) {
  bool isHost = name == "host";
  std::string cpu = isHost ? sys::getHostCPUName().str() : name.str();
  if (isHost && Triple(sys::getDefaultTargetTriple()).isAArch64())
    return resolveAArch64(AArch64::parseCpu(cpu) ? StringRef(cpu) : "aarch64");
  FailureOr<Variant> variant = resolveX86(cpu, isHost);
  return failed(variant) && !isHost ? resolveAArch64(cpu) : variant;
}
