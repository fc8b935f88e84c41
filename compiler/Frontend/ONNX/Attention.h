// Scaled dot-product attention, as the ops of ONNX and com.microsoft share it.
#ifndef FERRULE_COMPILER_FRONTEND_ONNX_ATTENTION_H
#define FERRULE_COMPILER_FRONTEND_ONNX_ATTENTION_H

#include "compiler/Frontend/ONNX/NodeContext.h"
#include "compiler/Frontend/Support/Elementwise.h"

namespace ferrule::onnx {

/// [B, S, heads * D] -> [B, heads, S, D].
mlir::Value splitHeads(frontend::HloBuilder &b, mlir::Value x, int64_t heads);
/// [B, heads, S, D] -> [B, S, heads * D].
mlir::Value joinHeads(frontend::HloBuilder &b, mlir::Value x);
/// Truth as something to add to scores: 0 or -inf.
mlir::Value asBias(frontend::HloBuilder &b, mlir::Value mask,
                   mlir::Type element);
/// x + y, or y when x is null.
mlir::Value addOptional(frontend::HloBuilder &b, mlir::Value x, mlir::Value y);

/// Scores and what is added to them.
struct AttentionParts {
  mlir::Value q, k, v; // [B, heads, S, D]
  mlir::Value bias;    // added to the scores, broadcastable; may be null
  double scale = 1;    // of the scores
  double softcap = 0;
  bool guard = false; // rows that are masked everywhere become zero
  /// A score [heads] (or a scalar) that takes a share of each row's weights
  /// but has no value; may be null.
  mlir::Value sink;
  int64_t outputMode = 0;
  mlir::Value scores; // set on return, by outputMode
};

/// The values [B, heads, S, D] that the queries attend to. Key heads may be
/// fewer than query heads.
mlir::Value attend(frontend::HloBuilder &b, AttentionParts &p);

/// j - i - offset as [Sq, Sk], or [B, 1, Sq, Sk] for offsets [B]: how far key
/// j stands after query i.
mlir::Value distances(frontend::HloBuilder &b, frontend::Size queries,
                      frontend::Size keys, mlir::Value offset);
/// The bias of a condition on distances.
mlir::Value boundBias(frontend::HloBuilder &b, mlir::Value distance,
                      frontend::Direction direction, int64_t limit,
                      mlir::Type element);

/// x1 cos - x2 sin, x1 sin + x2 cos on pairs of the first `width` of the last
/// dimension. x [B, S, heads, D]; cos and sin [B, S, width / 2].
mlir::Value rotate(frontend::HloBuilder &b, mlir::Value x, mlir::Value cosine,
                   mlir::Value sine, int64_t width, bool interleaved);

} // namespace ferrule::onnx

#endif // FERRULE_COMPILER_FRONTEND_ONNX_ATTENTION_H
