// Containers and control flow: folds, assembly, branches.
#include "compiler/Dialect/Torch/IR/Torch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace ferrule::torch;

/// Unpacking what was just packed gives the operands.
template <typename ConstructOp>
static LogicalResult foldUnpack(Operation *op,
                                SmallVectorImpl<OpFoldResult> &results) {
  auto construct = op->getOperand(0).getDefiningOp<ConstructOp>();
  if (!construct || construct.getElements().size() != op->getNumResults())
    return failure();
  for (auto [element, result] :
       llvm::zip_equal(construct.getElements(), op->getResults()))
    if (element.getType() != result.getType())
      return failure();
  llvm::append_range(results, construct.getElements());
  return success();
}

LogicalResult PrimListUnpackOp::fold(FoldAdaptor,
                                     SmallVectorImpl<OpFoldResult> &results) {
  return foldUnpack<PrimListConstructOp>(*this, results);
}

LogicalResult PrimTupleUnpackOp::fold(FoldAdaptor,
                                      SmallVectorImpl<OpFoldResult> &results) {
  return foldUnpack<PrimTupleConstructOp>(*this, results);
}

//===-- prim.If -----------------------------------------------------------===//

ParseResult PrimIfOp::parse(OpAsmParser &parser, OperationState &result) {
  Region *thenRegion = result.addRegion();
  Region *elseRegion = result.addRegion();
  OpAsmParser::UnresolvedOperand condition;
  if (parser.parseOperand(condition) ||
      parser.resolveOperand(condition, BoolType::get(parser.getContext()),
                            result.operands) ||
      parser.parseArrow() || parser.parseLParen())
    return failure();
  if (failed(parser.parseOptionalRParen()) &&
      (parser.parseTypeList(result.types) || parser.parseRParen()))
    return failure();
  return failure(parser.parseRegion(*thenRegion) ||
                 parser.parseKeyword("else") ||
                 parser.parseRegion(*elseRegion) ||
                 parser.parseOptionalAttrDict(result.attributes));
}

void PrimIfOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getCondition() << " -> (" << getResultTypes() << ") ";
  printer.printRegion(getThenRegion(), /*printEntryBlockArgs=*/false);
  printer << " else ";
  printer.printRegion(getElseRegion(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs());
}

void PrimIfOp::getSuccessorRegions(RegionBranchPoint point,
                                   SmallVectorImpl<RegionSuccessor> &regions) {
  if (!point.isParent()) {
    regions.emplace_back(getOperation(), getResults());
    return;
  }
  regions.emplace_back(&getThenRegion());
  regions.emplace_back(&getElseRegion());
}

void PrimIfOp::getEntrySuccessorRegions(
    ArrayRef<Attribute> operands, SmallVectorImpl<RegionSuccessor> &regions) {
  auto condition = dyn_cast_or_null<BoolAttr>(operands[0]);
  if (!condition || condition.getValue())
    regions.emplace_back(&getThenRegion());
  if (!condition || !condition.getValue())
    regions.emplace_back(&getElseRegion());
}

void PrimIfOp::getRegionInvocationBounds(
    ArrayRef<Attribute> operands, SmallVectorImpl<InvocationBounds> &bounds) {
  bounds.assign(2, InvocationBounds(0, 1));
  if (auto condition = dyn_cast_or_null<BoolAttr>(operands[0]))
    bounds[condition.getValue() ? 1 : 0] = InvocationBounds(0, 0);
}

//===-- prim.Loop ---------------------------------------------------------===//

OperandRange PrimLoopOp::getEntrySuccessorOperands(RegionSuccessor) {
  return getIterArgsInit();
}

void PrimLoopOp::getSuccessorRegions(
    RegionBranchPoint, SmallVectorImpl<RegionSuccessor> &regions) {
  regions.emplace_back(&getRegion(),
                       getRegion().front().getArguments().drop_front());
  regions.emplace_back(getOperation(), getResults());
}

MutableOperandRange
PrimLoopConditionOp::getMutableSuccessorOperands(RegionSuccessor) {
  return getIterArgsMutable();
}
