// The byte code of the reference target: what compiler/Target/Reference writes
// and runtime/devices/reference runs.
//
// An image is a CodeHeader and then kernels; KernelEntry.offset is where a
// kernel's KernelHeader starts, followed by its instructions. Registers are
// 64-bit slots: integers sign-extended from their width (i1: 0 or 1), floats of
// every format by the bits of their value as a double. An operation rounds its
// result to its type. Memory is named by handles: the kernel's buffers 0 ..
// count - 1, then what it allocates, so that every access is checked.
#ifndef FERRULE_FORMAT_REFERENCE_CODE_H
#define FERRULE_FORMAT_REFERENCE_CODE_H

#include <cstdint>

namespace ferrule::format::reference {

inline constexpr char kMagic[4] = {'F', 'R', 'E', 'F'};
inline constexpr uint32_t kVersion = 1;

struct CodeHeader {
  char magic[4];
  uint32_t version;
};

struct KernelHeader {
  uint32_t registers;
  uint32_t instructions;
};

// Name, then its operands: r a result register, s a source register, n a
// number, h a target in the code, - nothing. In the order result, a, b, c.
#define FERRULE_REFERENCE_OPS(X)                                               \
  X(Const, "rnn-") /* a | b << 32 */                                           \
  X(Move, "rs--")                                                              \
  X(BufferSize, "rnn-") /* buffer a, dim b */                                  \
  X(Scalar, "rn--")                                                            \
  X(Load, "rss-")  /* handle a, element b */                                   \
  X(Store, "sss-") /* the value, handle a, element b */                        \
  X(Alloc, "rs--") /* a elements */                                            \
  X(Free, "-s--")                                                              \
  X(Jump, "h---")                                                              \
  X(JumpIf, "hs--")                                                            \
  X(Assert, "ns--") /* fails with code n unless a */                           \
  X(Return, "----")                                                            \
  X(Select, "rsss") /* a ? b : c */                                            \
  X(AddI, "rss-")                                                              \
  X(SubI, "rss-")                                                              \
  X(MulI, "rss-")                                                              \
  X(MulHighS, "rss-")                                                          \
  X(MulHighU, "rss-")                                                          \
  X(AddCarry, "rss-") /* whether a + b needs a further bit */                  \
  X(DivS, "rss-")                                                              \
  X(DivU, "rss-")                                                              \
  X(CeilDivS, "rss-")                                                          \
  X(CeilDivU, "rss-")                                                          \
  X(FloorDivS, "rss-")                                                         \
  X(RemS, "rss-")                                                              \
  X(RemU, "rss-")                                                              \
  X(And, "rss-")                                                               \
  X(Or, "rss-")                                                                \
  X(Xor, "rss-")                                                               \
  X(Shl, "rss-")                                                               \
  X(ShrS, "rss-")                                                              \
  X(ShrU, "rss-")                                                              \
  X(MinS, "rss-")                                                              \
  X(MinU, "rss-")                                                              \
  X(MaxS, "rss-")                                                              \
  X(MaxU, "rss-")                                                              \
  X(AbsI, "rs--")                                                              \
  X(LeadingZeros, "rs--")                                                      \
  X(TrailingZeros, "rs--")                                                     \
  X(PopCount, "rs--")                                                          \
  X(PowI, "rss-")                                                              \
  X(CompareI, "rssn") /* predicate c of arith.cmpi */                          \
  X(Wrap, "rs--")     /* to the width of the type */                           \
  X(ExtendU, "rs--")  /* from the other type */                                \
  X(AddF, "rss-")                                                              \
  X(SubF, "rss-")                                                              \
  X(MulF, "rss-")                                                              \
  X(DivF, "rss-")                                                              \
  X(RemF, "rss-")                                                              \
  X(NegF, "rs--")                                                              \
  X(AbsF, "rs--")                                                              \
  X(Minimum, "rss-") /* NaN wins */                                            \
  X(Maximum, "rss-")                                                           \
  X(MinNum, "rss-") /* NaN loses */                                            \
  X(MaxNum, "rss-")                                                            \
  X(CopySign, "rss-")                                                          \
  X(Fma, "rsss")                                                               \
  X(CompareF, "rssn") /* predicate c of arith.cmpf */                          \
  X(Round, "rs--")    /* to the type */                                        \
  X(SignedToFloat, "rs--")                                                     \
  X(UnsignedToFloat, "rs--") /* from the other type */                         \
  X(FloatToSigned, "rs--")                                                     \
  X(FloatToUnsigned, "rs--")                                                   \
  X(Bitcast, "rs--") /* from the other type */                                 \
  X(Sqrt, "rs--")                                                              \
  X(Rsqrt, "rs--")                                                             \
  X(Cbrt, "rs--")                                                              \
  X(Exp, "rs--")                                                               \
  X(Exp2, "rs--")                                                              \
  X(ExpM1, "rs--")                                                             \
  X(Log, "rs--")                                                               \
  X(Log2, "rs--")                                                              \
  X(Log10, "rs--")                                                             \
  X(Log1P, "rs--")                                                             \
  X(Sin, "rs--")                                                               \
  X(Cos, "rs--")                                                               \
  X(Tan, "rs--")                                                               \
  X(Asin, "rs--")                                                              \
  X(Acos, "rs--")                                                              \
  X(Atan, "rs--")                                                              \
  X(Sinh, "rs--")                                                              \
  X(Cosh, "rs--")                                                              \
  X(Tanh, "rs--")                                                              \
  X(Asinh, "rs--")                                                             \
  X(Acosh, "rs--")                                                             \
  X(Atanh, "rs--")                                                             \
  X(Erf, "rs--")                                                               \
  X(Erfc, "rs--")                                                              \
  X(Floor, "rs--")                                                             \
  X(Ceil, "rs--")                                                              \
  X(Trunc, "rs--")                                                             \
  X(RoundAway, "rs--")                                                         \
  X(RoundEven, "rs--")                                                         \
  X(IsNan, "rs--")                                                             \
  X(IsInf, "rs--")                                                             \
  X(IsFinite, "rs--")                                                          \
  X(Pow, "rss-")                                                               \
  X(Atan2, "rss-")                                                             \
  X(PowFI, "rss-") /* to an integer power */

enum class Op : uint8_t {
#define FERRULE_REFERENCE_OP(name, operands) name,
  FERRULE_REFERENCE_OPS(FERRULE_REFERENCE_OP)
#undef FERRULE_REFERENCE_OP
      Count
};

/// Types are format::ElementType: of the result, or of what is stored or
/// compared; `other` where an operand has one of its own.
struct Instruction {
  Op op;
  uint8_t type;
  uint8_t other;
  uint8_t reserved;
  uint32_t result, a, b, c;
};
static_assert(sizeof(Instruction) == 20);

} // namespace ferrule::format::reference

#endif // FERRULE_FORMAT_REFERENCE_CODE_H
