// Reading images between their pixels.
#ifndef FERRULE_FRONTEND_SUPPORT_SAMPLING_H
#define FERRULE_FRONTEND_SUPPORT_SAMPLING_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

enum class SamplingMode { Nearest, Linear, Cubic };
/// What is read outside of the image.
enum class SamplingPadding { Zeros, Border, Reflection };

struct SamplingSpec {
  SamplingMode mode = SamplingMode::Linear;
  SamplingPadding padding = SamplingPadding::Zeros;
  /// Whether -1 and 1 are the centres of the corner pixels, not their edges.
  bool alignCorners = false;
};

/// image [N, C, spatial...] read at positions counted in pixels: one tensor
/// [N, P] for each spatial dimension. The result is [N, C, P].
mlir::Value samplePixels(HloBuilder &b, mlir::Value image,
                         llvm::ArrayRef<mlir::Value> positions,
                         const SamplingSpec &spec);

/// image [N, C, spatial...] read at grid [N, out..., D], whose last dimension
/// holds coordinates in [-1, 1], the last spatial dimension's first. The
/// result is [N, C, out...].
mlir::Value gridSample(HloBuilder &b, mlir::Value image, mlir::Value grid,
                       const SamplingSpec &spec);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_SAMPLING_H
