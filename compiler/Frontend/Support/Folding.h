// Windows of an image put back to where they came from.
#ifndef FERRULE_FRONTEND_SUPPORT_FOLDING_H
#define FERRULE_FRONTEND_SUPPORT_FOLDING_H

#include "compiler/Frontend/Support/Pooling.h"

namespace ferrule::frontend {

/// The sum of overlapping windows: x [N, C * kernel..., windows] (windows in
/// row-major order) becomes [N, C, image...]. All sizes of the image and of
/// the windows are numbers.
mlir::Value foldWindows(HloBuilder &b, mlir::Value x,
                        llvm::ArrayRef<int64_t> image, PoolingSpec spec);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_FOLDING_H
