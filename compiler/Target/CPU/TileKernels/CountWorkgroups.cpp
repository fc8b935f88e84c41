// The number of workgroups of a launch, as arithmetic in the entry function.
#include "compiler/Target/CPU/TileKernels/TileKernels.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ferrule;

namespace {

/// Copies index arithmetic of a kernel to a launch of it.
class Copier {
public:
  Copier(OpBuilder &builder, byre::DispatchOp dispatch, func::FuncOp kernel)
      : builder(builder), loc(dispatch.getLoc()) {
    unsigned index = 0;
    for (ValueRange operands : {ValueRange(dispatch.getInputs()),
                                ValueRange(dispatch.getOuts()),
                                ValueRange(dispatch.getScalars())})
      for (Value operand : operands)
        map.map(kernel.getArgument(index++), operand);
  }

  FailureOr<Value> copy(OpFoldResult value) {
    if (auto attribute = dyn_cast<Attribute>(value))
      return arith::ConstantIndexOp::create(
                 builder, loc, cast<IntegerAttr>(attribute).getInt())
          .getResult();
    return copyValue(cast<Value>(value));
  }

private:
  FailureOr<Value> copyValue(Value value) {
    if (Value known = map.lookupOrNull(value))
      return known;
    Operation *op = value.getDefiningOp();
    if (!op || op->getNumRegions() || !isPure(op))
      return failure();
    if (auto dim = dyn_cast<tensor::DimOp>(op)) {
      std::optional<int64_t> index = dim.getConstantIndex();
      FailureOr<Value> size =
          index ? copySize(dim.getSource(), *index)
                : FailureOr<Value>(failure());
      if (succeeded(size))
        map.map(value, *size);
      return size;
    }
    for (Value operand : op->getOperands())
      if (failed(copyValue(operand)))
        return failure();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(map.lookup(operand));
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
      auto results = affine::expandAffineMap(builder, loc, apply.getAffineMap(),
                                             operands);
      if (!results)
        return failure();
      map.map(value, results->front());
    } else if (auto min = dyn_cast<affine::AffineMinOp>(op)) {
      auto results =
          affine::expandAffineMap(builder, loc, min.getMap(), operands);
      if (!results)
        return failure();
      Value least = results->front();
      for (Value other : llvm::drop_begin(*results))
        least = arith::MinSIOp::create(builder, loc, least, other);
      map.map(value, least);
    } else {
      builder.clone(*op, map);
    }
    return map.lookup(value);
  }

  /// A size of a view is computed from the sizes of what it views.
  FailureOr<Value> copySize(Value source, int64_t index) {
    auto type = cast<RankedTensorType>(source.getType());
    if (!type.isDynamicDim(index))
      return copy(builder.getIndexAttr(type.getDimSize(index)));
    if (Value known = map.lookupOrNull(source))
      return tensor::DimOp::create(builder, loc, known, index).getResult();
    Operation *op = source.getDefiningOp();
    return TypeSwitch<Operation *, FailureOr<Value>>(op)
        .Case([&](tensor::CastOp cast) {
          return copySize(cast.getSource(), index);
        })
        .Case([&](tensor::ExpandShapeOp expand) {
          return copy(expand.getMixedOutputShape()[index]);
        })
        .Case([&](tensor::EmptyOp empty) {
          return copy(empty.getMixedSizes()[index]);
        })
        .Case([&](tensor::CollapseShapeOp collapse) {
          return copyProduct(collapse, index);
        })
        .Case([&](tensor::ExtractSliceOp slice) -> FailureOr<Value> {
          if (slice.getDroppedDims().any())
            return failure();
          return copy(slice.getMixedSizes()[index]);
        })
        .Case([&](DestinationStyleOpInterface dps) {
          OpOperand *init = dps.getTiedOpOperand(cast<OpResult>(source));
          return copySize(init->get(), index);
        })
        .Default([](Operation *) { return failure(); });
  }

  FailureOr<Value> copyProduct(tensor::CollapseShapeOp collapse,
                               int64_t index) {
    Value product;
    for (int64_t part : collapse.getReassociationIndices()[index]) {
      FailureOr<Value> size = copySize(collapse.getSrc(), part);
      if (failed(size))
        return failure();
      product = product ? arith::MulIOp::create(builder, loc, product, *size)
                              .getResult()
                        : *size;
    }
    return product;
  }

  OpBuilder &builder;
  Location loc;
  IRMapping map;
};

} // namespace

FailureOr<Value> cpu::countWorkgroups(OpBuilder &builder,
                                      byre::DispatchOp dispatch,
                                      func::FuncOp kernel) {
  Location loc = dispatch.getLoc();
  Copier copier(builder, dispatch, kernel);
  Value total;
  for (scf::ForallOp loop : kernel.getBody().front().getOps<scf::ForallOp>()) {
    Value count;
    for (auto [size, step] :
         llvm::zip_equal(loop.getMixedUpperBound(), loop.getMixedStep())) {
      FailureOr<Value> bound = copier.copy(size);
      FailureOr<Value> stride = copier.copy(step);
      if (failed(bound) || failed(stride))
        return loop.emitOpError("expected bounds that follow from the "
                                "kernel's arguments");
      Value tiles =
          builder.createOrFold<arith::CeilDivUIOp>(loc, *bound, *stride);
      count = count ? builder.createOrFold<arith::MulIOp>(loc, count, tiles)
                    : tiles;
    }
    total = total ? builder.createOrFold<arith::AddIOp>(loc, total, count)
                  : count;
  }
  if (!total)
    total = arith::ConstantIndexOp::create(builder, loc, 1);
  return total;
}
