// Attention.
#include "compiler/Frontend/ONNX/NodeContext.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;

void ferrule::onnx::registerAttentionOps(Registry &r) {}
