#include "compiler/Conversion/StableHLOToLinalg/ShapeTracing.h"
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"

using namespace mlir;

namespace ferrule::lowering {

bool SizeProduct::operator==(const SizeProduct &other) const {
  return constant == other.constant && symbols == other.symbols;
}

void SizeProduct::multiply(const SizeProduct &other) {
  constant *= other.constant;
  symbols.append(other.symbols.begin(), other.symbols.end());
  llvm::sort(symbols, [](const Symbol &x, const Symbol &y) {
    return std::make_pair(x.first.getAsOpaquePointer(), x.second) <
           std::make_pair(y.first.getAsOpaquePointer(), y.second);
  });
}

/// Elementwise ops have the sizes of their operands, which name them better:
/// %b = add %a, ... has dim(%b, i) = dim(%a, i).
static Value sourceOfSize(Value tensor, int64_t d) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (!cast<RankedTensorType>(tensor.getType()).isDynamicDim(d))
      break;
    if (isa<tensor::CastOp>(op)) {
      tensor = op->getOperand(0);
      continue;
    }
    bool elementwise = op->hasTrait<OpTrait::Elementwise>() &&
                       isa<stablehlo::StableHLODialect>(op->getDialect());
    if (!elementwise || op->getNumOperands() == 0)
      break;
    tensor = op->getOperand(0);
  }
  return tensor;
}

SizeProduct traceDimension(Value tensor, int64_t d) {
  SizeProduct size;
  tensor = sourceOfSize(tensor, d);
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.isDynamicDim(d))
    size.symbols.push_back({tensor, d});
  else
    size.constant = type.getDimSize(d);
  return size;
}

static SizeProduct opaque(Value value, int64_t element) {
  SizeProduct size;
  // Element numbers are shifted so that they differ from dimensions.
  size.symbols.push_back({value, -1 - element});
  return size;
}

/// Which operand of a concatenate holds element `i`, and where.
static std::pair<Value, int64_t> lookUp(stablehlo::ConcatenateOp op,
                                        int64_t i) {
  for (Value input : op.getInputs()) {
    auto type = cast<RankedTensorType>(input.getType());
    if (type.isDynamicDim(0))
      break;
    if (i < type.getDimSize(0))
      return {input, i};
    i -= type.getDimSize(0);
  }
  return {Value(), 0};
}

SizeProduct traceShapeElement(Value shape, int64_t i) {
  Operation *op = shape.getDefiningOp();
  if (!op)
    return opaque(shape, i);
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
    auto elements = dyn_cast<DenseIntElementsAttr>(constant.getValue());
    if (!elements)
      return opaque(shape, i);
    SizeProduct size;
    size.constant = (*(elements.value_begin<APInt>() + i)).getSExtValue();
    return size;
  }
  if (auto concatenate = dyn_cast<stablehlo::ConcatenateOp>(op)) {
    auto [input, at] = lookUp(concatenate, i);
    return input ? traceShapeElement(input, at) : opaque(shape, i);
  }
  if (isa<stablehlo::ReshapeOp, stablehlo::ConvertOp>(op))
    return traceShapeElement(op->getOperand(0), i);
  if (auto dim = dyn_cast<stablehlo::GetDimensionSizeOp>(op))
    return traceDimension(dim.getOperand(), dim.getDimension());
  if (isa<stablehlo::MulOp>(op)) {
    SizeProduct size = traceShapeElement(op->getOperand(0), i);
    size.multiply(traceShapeElement(op->getOperand(1), i));
    return size;
  }
  return opaque(shape, i);
}

} // namespace ferrule::lowering
