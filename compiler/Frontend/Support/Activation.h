// Activation functions; all keep shape and element type.
#ifndef FERRULE_FRONTEND_SUPPORT_ACTIVATION_H
#define FERRULE_FRONTEND_SUPPORT_ACTIVATION_H

#include "compiler/Frontend/Support/Shapes.h"

namespace ferrule::frontend {

mlir::Value relu(HloBuilder &b, mlir::Value x);
/// x above 0, slope * x below.
mlir::Value leakyRelu(HloBuilder &b, mlir::Value x, double slope);
/// The same with one slope per element or channel, already broadcastable.
mlir::Value prelu(HloBuilder &b, mlir::Value x, mlir::Value slope);
/// The Gaussian error function.
mlir::Value erf(HloBuilder &b, mlir::Value x);
/// x * Phi(x), exactly or by the tanh approximation.
mlir::Value gelu(HloBuilder &b, mlir::Value x, bool tanhApproximation);
/// x * sigmoid(beta * x).
mlir::Value silu(HloBuilder &b, mlir::Value x, double beta = 1);
/// max(0, min(1, slope * x + offset)).
mlir::Value hardSigmoid(HloBuilder &b, mlir::Value x, double slope,
                        double offset);
/// x * hardSigmoid(x, 1/6, 1/2).
mlir::Value hardSwish(HloBuilder &b, mlir::Value x);
/// scale * x above 0, scale * alpha * (exp(inputScale * x) - 1) below.
mlir::Value elu(HloBuilder &b, mlir::Value x, double alpha, double scale = 1,
                double inputScale = 1);
/// max(0, x) + min(0, alpha * (exp(x / alpha) - 1)).
mlir::Value celu(HloBuilder &b, mlir::Value x, double alpha);
/// elu with the constants that keep mean 0 and variance 1.
mlir::Value selu(HloBuilder &b, mlir::Value x);
/// log(1 + exp(beta * x)) / beta; x itself where beta * x > threshold.
mlir::Value softplus(HloBuilder &b, mlir::Value x, double beta = 1,
                     double threshold = 20);
mlir::Value logSigmoid(HloBuilder &b, mlir::Value x);
/// x / (1 + |x|).
mlir::Value softsign(HloBuilder &b, mlir::Value x);
/// x * tanh(softplus(x)).
mlir::Value mish(HloBuilder &b, mlir::Value x);
/// x - sign(x) * lambda (+ bias in ONNX's Shrink) beyond lambda, else 0.
mlir::Value softShrink(HloBuilder &b, mlir::Value x, double lambda,
                       double bias);
/// x where |x| > lambda, else 0.
mlir::Value hardShrink(HloBuilder &b, mlir::Value x, double lambda);
/// x where x > threshold, else `otherwise`.
mlir::Value thresholded(HloBuilder &b, mlir::Value x, double threshold,
                        double otherwise);

} // namespace ferrule::frontend

#endif // FERRULE_FRONTEND_SUPPORT_ACTIVATION_H
