// Resampling of images, separable: one dimension after another.
#ifndef FERRULE_FRONTEND_SUPPORT_RESIZE_H
#define FERRULE_FRONTEND_SUPPORT_RESIZE_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

enum class ResizeMode { Nearest, Linear, Cubic };
/// Where output row i lies in the input:
///   HalfPixel          (i + 0.5) * scale - 0.5
///   PytorchHalfPixel   the same, but 0 when the output has one row
///   AlignCorners       i * (in - 1) / (out - 1)
///   Asymmetric         i * scale
///   HalfPixelSymmetric HalfPixel, centred when sizes were rounded
/// `scale` is in / out unless the caller gives it.
enum class ResizeCoordinates {
  HalfPixel,
  PytorchHalfPixel,
  AlignCorners,
  Asymmetric,
  HalfPixelSymmetric
};
/// How a coordinate becomes a row in nearest mode.
enum class ResizeRounding { Floor, Ceil, PreferFloor, PreferCeil };

struct ResizeSpec {
  ResizeMode mode = ResizeMode::Nearest;
  ResizeCoordinates coordinates = ResizeCoordinates::HalfPixel;
  ResizeRounding rounding = ResizeRounding::Floor;
  double cubicCoefficient = -0.75;
  /// Low-pass filter when the size shrinks; static sizes only.
  bool antialias = false;
  /// Rows outside the input do not count (cubic; weights are renormalised).
  bool excludeOutside = false;
  /// Rows are divided by out / in, as ONNX defines it, instead of multiplied by
  /// in / out, as PyTorch does: in single precision nearest mode shows it.
  bool divides = false;
};

/// Out / in as the user wrote it: nothing, a number, or a float scalar.
struct ResizeScale {
  std::optional<double> number;
  mlir::Value value;

  ResizeScale() = default;
  ResizeScale(std::nullopt_t) {}
  ResizeScale(std::optional<double> number) : number(number) {}
  ResizeScale(double number) : number(number) {}
  ResizeScale(mlir::Value value) : value(value) {}
};

/// Dimension `dim` of the float tensor x resampled to `size` rows.
mlir::Value resizeDim(HloBuilder &b, mlir::Value x, int64_t dim, Size size,
                      ResizeScale scale, const ResizeSpec &spec);
/// The same at given rows of the input, float [size], without a filter.
mlir::Value resampleRows(HloBuilder &b, mlir::Value x, int64_t dim,
                         mlir::Value rows, const ResizeSpec &spec);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_RESIZE_H
