// Folds, verifiers, names and assembly of the structural ops.
#include "compiler/Dialect/Torch/IR/Torch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace ferrule::torch;

#define GET_OP_CLASSES
#include "compiler/Dialect/Torch/IR/TorchOps.cpp.inc"

//===-- Constants ---------------------------------------------------------===//

OpFoldResult ConstantIntOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantFloatOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantBoolOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantStrOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantNumberOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantDeviceOp::fold(FoldAdaptor) { return getValueAttr(); }
OpFoldResult ConstantNoneOp::fold(FoldAdaptor) {
  return UnitAttr::get(getContext());
}

void ConstantIntOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), "int" + std::to_string(int64_t(getValue())));
}
void ConstantFloatOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  SmallString<32> text("float");
  llvm::raw_svector_ostream(text)
      << llvm::format("%e", getValue().convertToDouble());
  // "1.5e+00" would be written %float1.5e2B00.
  llvm::erase(text, '+');
  set(getResult(), text);
}
void ConstantBoolOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), getValue() ? "true" : "false");
}
void ConstantStrOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), "str");
}
void ConstantNoneOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), "none");
}
void ConstantNumberOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), "number");
}
void ConstantDeviceOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), getValue());
}

//===-- Tensor literals ---------------------------------------------------===//

void ValueTensorLiteralOp::build(OpBuilder &builder, OperationState &state,
                                 ElementsAttr value) {
  ShapedType type = value.getShapedType();
  build(builder, state,
        ValueTensorType::get(builder.getContext(), type.getShape(),
                             type.getElementType()),
        value);
}

OpFoldResult ValueTensorLiteralOp::fold(FoldAdaptor) { return getValueAttr(); }

void ValueTensorLiteralOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), "literal");
}
void NonValueTensorLiteralOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getResult(), "literal");
}

static LogicalResult verifyLiteral(Operation *op, ElementsAttr value,
                                   BaseTensorType type) {
  ShapedType shaped = value.getShapedType();
  if (type.hasDtype() && toBuiltinElementType(type.getDtype()) !=
                             toBuiltinElementType(shaped.getElementType()))
    return op->emitOpError("L1: the constant has element type ")
           << shaped.getElementType() << ", but the result is " << type;
  if (type.hasSizes() &&
      failed(verifyCompatibleShape(type.getSizes(), shaped.getShape())))
    return op->emitOpError("L1: the constant is ")
           << shaped << ", but the result is " << type;
  return success();
}

LogicalResult ValueTensorLiteralOp::verify() {
  return verifyLiteral(*this, getValue(), cast<BaseTensorType>(getType()));
}
LogicalResult NonValueTensorLiteralOp::verify() {
  return verifyLiteral(*this, getValue(), cast<BaseTensorType>(getType()));
}

//===-- Casts and copies --------------------------------------------------===//

OpFoldResult TensorStaticInfoCastOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  return {};
}

OpFoldResult DerefineOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  return {};
}

/// `%value : result type`; the operand's type is the result's with or without
/// value semantics.
template <typename OperandT>
static ParseResult parseCopy(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand operand;
  Type type;
  if (parser.parseOperand(operand) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  auto tensor = dyn_cast<BaseTensorType>(type);
  if (!tensor)
    return parser.emitError(parser.getNameLoc(), "expected a torch tensor "
                                                 "type, but found ")
           << type;
  Type operandType =
      OperandT::get(parser.getContext(), tensor.getOptionalSizes(),
                    tensor.getOptionalDtype(), tensor.getEncoding());
  result.addTypes(type);
  return parser.resolveOperand(operand, operandType, result.operands);
}

static void printCopy(Operation *op, OpAsmPrinter &printer) {
  printer << ' ' << op->getOperand(0);
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : " << op->getResult(0).getType();
}

ParseResult CopyToNonValueTensorOp::parse(OpAsmParser &parser,
                                          OperationState &result) {
  return parseCopy<ValueTensorType>(parser, result);
}
void CopyToNonValueTensorOp::print(OpAsmPrinter &printer) {
  printCopy(*this, printer);
}
ParseResult CopyToValueTensorOp::parse(OpAsmParser &parser,
                                       OperationState &result) {
  return parseCopy<NonValueTensorType>(parser, result);
}
void CopyToValueTensorOp::print(OpAsmPrinter &printer) {
  printCopy(*this, printer);
}

//===-- Symbolic sizes ----------------------------------------------------===//

LogicalResult BindSymbolicShapeOp::verify() {
  AffineMap map = getShapeExpressions();
  if (map.getNumDims() != 0 || map.getNumSymbols() != getShapeSymbols().size())
    return emitOpError("B1: the map takes ")
           << map.getNumDims() << " dims and " << map.getNumSymbols()
           << " symbols, but the op has " << getShapeSymbols().size()
           << " symbols";
  auto type = cast<BaseTensorType>(getOperand().getType());
  if (type.hasSizes() && map.getNumResults() != type.getSizes().size())
    return emitOpError("B1: the map gives ")
           << map.getNumResults() << " sizes, but the tensor has "
           << type.getSizes().size();
  return success();
}
