#include "runtime/devices/cpu/cpu_features.h"

#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

using namespace ferrule::runtime;

#if defined(__x86_64__)

namespace {

enum Register : uint8_t { EAX, EBX, ECX, EDX };
// Which registers the operating system must save for the feature.
enum State : uint8_t { None, Avx, Avx512, Amx };

struct Row {
  std::string_view name;
  uint32_t leaf, subleaf;
  Register reg;
  uint8_t bit;
  State state;
};

constexpr uint32_t kExtended = 0x80000001;

constexpr Row kRows[] = {
    {"x87", 1, 0, EDX, 0, None},
    {"cx8", 1, 0, EDX, 8, None},
    {"cmov", 1, 0, EDX, 15, None},
    {"mmx", 1, 0, EDX, 23, None},
    {"fxsr", 1, 0, EDX, 24, None},
    {"sse", 1, 0, EDX, 25, None},
    {"sse2", 1, 0, EDX, 26, None},
    {"sse3", 1, 0, ECX, 0, None},
    {"pclmul", 1, 0, ECX, 1, None},
    {"ssse3", 1, 0, ECX, 9, None},
    {"fma", 1, 0, ECX, 12, Avx},
    {"cx16", 1, 0, ECX, 13, None},
    {"sse4.1", 1, 0, ECX, 19, None},
    {"sse4.2", 1, 0, ECX, 20, None},
    {"crc32", 1, 0, ECX, 20, None},
    {"movbe", 1, 0, ECX, 22, None},
    {"popcnt", 1, 0, ECX, 23, None},
    {"aes", 1, 0, ECX, 25, None},
    {"xsave", 1, 0, ECX, 26, None},
    {"avx", 1, 0, ECX, 28, Avx},
    {"f16c", 1, 0, ECX, 29, Avx},
    {"rdrnd", 1, 0, ECX, 30, None},
    {"fsgsbase", 7, 0, EBX, 0, None},
    {"bmi", 7, 0, EBX, 3, None},
    {"avx2", 7, 0, EBX, 5, Avx},
    {"bmi2", 7, 0, EBX, 8, None},
    {"invpcid", 7, 0, EBX, 10, None},
    {"rtm", 7, 0, EBX, 11, None},
    {"avx512f", 7, 0, EBX, 16, Avx512},
    {"evex512", 7, 0, EBX, 16, Avx512},
    {"avx512dq", 7, 0, EBX, 17, Avx512},
    {"rdseed", 7, 0, EBX, 18, None},
    {"adx", 7, 0, EBX, 19, None},
    {"avx512ifma", 7, 0, EBX, 21, Avx512},
    {"clflushopt", 7, 0, EBX, 23, None},
    {"clwb", 7, 0, EBX, 24, None},
    {"avx512cd", 7, 0, EBX, 28, Avx512},
    {"sha", 7, 0, EBX, 29, None},
    {"avx512bw", 7, 0, EBX, 30, Avx512},
    {"avx512vl", 7, 0, EBX, 31, Avx512},
    {"prefetchwt1", 7, 0, ECX, 0, None},
    {"avx512vbmi", 7, 0, ECX, 1, Avx512},
    {"pku", 7, 0, ECX, 4, None},
    {"waitpkg", 7, 0, ECX, 5, None},
    {"avx512vbmi2", 7, 0, ECX, 6, Avx512},
    {"shstk", 7, 0, ECX, 7, None},
    {"gfni", 7, 0, ECX, 8, None},
    {"vaes", 7, 0, ECX, 9, Avx},
    {"vpclmulqdq", 7, 0, ECX, 10, Avx},
    {"avx512vnni", 7, 0, ECX, 11, Avx512},
    {"avx512bitalg", 7, 0, ECX, 12, Avx512},
    {"avx512vpopcntdq", 7, 0, ECX, 14, Avx512},
    {"rdpid", 7, 0, ECX, 22, None},
    {"cldemote", 7, 0, ECX, 25, None},
    {"movdiri", 7, 0, ECX, 27, None},
    {"movdir64b", 7, 0, ECX, 28, None},
    {"enqcmd", 7, 0, ECX, 29, None},
    {"uintr", 7, 0, EDX, 5, None},
    {"avx512vp2intersect", 7, 0, EDX, 8, Avx512},
    {"serialize", 7, 0, EDX, 14, None},
    {"tsxldtrk", 7, 0, EDX, 16, None},
    {"pconfig", 7, 0, EDX, 18, None},
    {"amx-bf16", 7, 0, EDX, 22, Amx},
    {"avx512fp16", 7, 0, EDX, 23, Avx512},
    {"amx-tile", 7, 0, EDX, 24, Amx},
    {"amx-int8", 7, 0, EDX, 25, Amx},
    {"avxvnni", 7, 1, EAX, 4, Avx},
    {"avx512bf16", 7, 1, EAX, 5, Avx512},
    {"cmpccxadd", 7, 1, EAX, 7, None},
    {"amx-fp16", 7, 1, EAX, 21, Amx},
    {"hreset", 7, 1, EAX, 22, None},
    {"avxifma", 7, 1, EAX, 23, Avx},
    {"avxvnniint8", 7, 1, EDX, 4, Avx},
    {"avxneconvert", 7, 1, EDX, 5, Avx},
    {"amx-complex", 7, 1, EDX, 8, Amx},
    {"avxvnniint16", 7, 1, EDX, 10, Avx},
    {"prefetchi", 7, 1, EDX, 14, None},
    {"xsaveopt", 0xd, 1, EAX, 0, None},
    {"xsavec", 0xd, 1, EAX, 1, None},
    {"xsaves", 0xd, 1, EAX, 3, None},
    {"sahf", kExtended, 0, ECX, 0, None},
    {"lzcnt", kExtended, 0, ECX, 5, None},
    {"sse4a", kExtended, 0, ECX, 6, None},
    {"prfchw", kExtended, 0, ECX, 8, None},
    {"xop", kExtended, 0, ECX, 11, Avx},
    {"lwp", kExtended, 0, ECX, 15, None},
    {"fma4", kExtended, 0, ECX, 16, Avx},
    {"tbm", kExtended, 0, ECX, 21, None},
    {"mwaitx", kExtended, 0, ECX, 29, None},
    {"64bit", kExtended, 0, EDX, 29, None},
    {"clzero", 0x80000008, 0, EBX, 0, None},
    {"rdpru", 0x80000008, 0, EBX, 4, None},
    {"wbnoinvd", 0x80000008, 0, EBX, 9, None},
    {"ptwrite", 0x14, 0, EBX, 4, None},
    {"kl", 0x19, 0, EBX, 0, None},
    {"widekl", 0x19, 0, EBX, 2, None},
};

bool bitOf(uint32_t leaf, uint32_t subleaf, Register reg, unsigned bit) {
  uint32_t registers[4];
  uint32_t base = leaf & 0x80000000;
  if (__get_cpuid_max(base, nullptr) < leaf)
    return false;
  if (subleaf != 0 && leaf == 7) {
    __cpuid_count(7, 0, registers[0], registers[1], registers[2], registers[3]);
    if (registers[0] < subleaf)
      return false;
  }
  __cpuid_count(leaf, subleaf, registers[0], registers[1], registers[2],
                registers[3]);
  return registers[reg] >> bit & 1;
}

// The register states that the operating system saves, or none.
uint64_t savedStates() {
  if (!bitOf(1, 0, ECX, 27))
    return 0;
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t(high) << 32 | low;
}

bool stateSaved(State state) {
  static const uint64_t saved = savedStates();
  uint64_t needed = state == Avx      ? 0x6
                    : state == Avx512 ? 0xe6
                    : state == Amx    ? 0x60000
                                      : 0;
  if ((saved & needed) != needed)
    return false;
  if (state != Amx)
    return true;
  // Linux gives the tile registers on request: ARCH_REQ_XCOMP_PERM, TILEDATA.
  static const bool granted = ::syscall(SYS_arch_prctl, 0x1023, 18) == 0;
  return granted;
}

} // namespace

bool ferrule::runtime::cpuHasFeature(std::string_view name) {
  for (const Row &row : kRows)
    if (row.name == name)
      return bitOf(row.leaf, row.subleaf, row.reg, row.bit) &&
             stateSaved(row.state);
  return false;
}

#elif defined(__aarch64__)

bool ferrule::runtime::cpuHasFeature(std::string_view name) {
  struct Row {
    std::string_view name;
    unsigned long kind, bit;
  };
  static constexpr Row kRows[] = {
      {"neon", AT_HWCAP, HWCAP_ASIMD},
      {"fullfp16", AT_HWCAP, HWCAP_ASIMDHP},
      {"dotprod", AT_HWCAP, HWCAP_ASIMDDP},
      {"lse", AT_HWCAP, HWCAP_ATOMICS},
      {"rdm", AT_HWCAP, HWCAP_ASIMDRDM},
      {"sve", AT_HWCAP, HWCAP_SVE},
      {"bf16", AT_HWCAP2, HWCAP2_BF16},
      {"i8mm", AT_HWCAP2, HWCAP2_I8MM},
  };
  if (name == "aarch64")
    return true;
  for (const Row &row : kRows)
    if (row.name == name)
      return (::getauxval(row.kind) & row.bit) != 0;
  return false;
}

#else

bool ferrule::runtime::cpuHasFeature(std::string_view) { return false; }

#endif
