#include "compiler/Frontend/ONNX/RequiredInputs.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ferrule;

size_t onnx::requiredInputs(llvm::StringRef domain, llvm::StringRef opType) {
  if (!domain.empty() && domain != "ai.onnx")
    return 0;
  // As the schemas of ONNX say; most ops have one.
  return llvm::StringSwitch<size_t>(opType)
      .Cases({"Constant", "Loop", "Optional", "OptionalHasElement", "Scan",
              "SequenceEmpty"},
             0)
      .Cases({"Add",
              "And",
              "BitShift",
              "BitwiseAnd",
              "BitwiseOr",
              "BitwiseXor",
              "CastLike",
              "CenterCropPad",
              "Compress",
              "Conv",
              "ConvInteger",
              "ConvTranspose",
              "CumProd",
              "CumSum",
              "DequantizeLinear",
              "Div",
              "Equal",
              "Expand",
              "Gather",
              "GatherElements",
              "GatherND",
              "Gemm",
              "Greater",
              "GreaterOrEqual",
              "GridSample",
              "LayerNormalization",
              "Less",
              "LessOrEqual",
              "MatMul",
              "MatMulInteger",
              "Mod",
              "Mul",
              "NegativeLogLikelihoodLoss",
              "Or",
              "PRelu",
              "Pow",
              "QuantizeLinear",
              "RMSNormalization",
              "ReverseSequence",
              "SequenceAt",
              "SequenceInsert",
              "SoftmaxCrossEntropyLoss",
              "Sub",
              "SwiGLU",
              "Tile",
              "Xor"},
             2)
      .Cases({"Attention", "GRU", "GroupNormalization", "InstanceNormalization",
              "LSTM", "OneHot", "RNN", "Range", "RotaryEmbedding", "Scatter",
              "ScatterElements", "ScatterND", "Where"},
             3)
      .Cases({"BatchNormalization"}, 5)
      .Cases({"QLinearConv", "QLinearMatMul"}, 8)
      .Default(1);
}
