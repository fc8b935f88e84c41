// Random numbers. The generator is Threefry-2x32 with 20 rounds, keyed by the
// caller and counted by the element's index, so that every run of a program
// draws the same numbers, on any number of threads; they are not the numbers
// that the frameworks' own generators draw.
#ifndef FERRULE_FRONTEND_SUPPORT_RANDOM_H
#define FERRULE_FRONTEND_SUPPORT_RANDOM_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

/// Two keys make a stream of numbers.
struct RandomKey {
  uint32_t first = 0, second = 0;
};

/// Random words (ui32), two independent ones for each element.
std::pair<mlir::Value, mlir::Value>
randomBits(HloBuilder &b, llvm::ArrayRef<Size> sizes, RandomKey key);
/// Uniform in [0, 1), f32 with 24 bits.
mlir::Value randomUniform(HloBuilder &b, llvm::ArrayRef<Size> sizes,
                          RandomKey key);
/// Normal with mean 0 and variance 1, f32.
mlir::Value randomNormal(HloBuilder &b, llvm::ArrayRef<Size> sizes,
                         RandomKey key);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_RANDOM_H
