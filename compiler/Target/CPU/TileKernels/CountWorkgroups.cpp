// The number of workgroups of a launch, as arithmetic in the entry function.
#include "compiler/Target/CPU/TileKernels/TileKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::cpu;

LaunchCopier::LaunchCopier(OpBuilder &builder, byre::DispatchOp dispatch,
                           func::FuncOp kernel)
    : builder(builder), loc(dispatch.getLoc()) {
  unsigned index = 0;
  auto mapAll = [&](ValueRange operands) {
    for (Value operand : operands)
      map.map(kernel.getArgument(index++), operand);
  };
  mapAll(dispatch.getInputs());
  mapAll(dispatch.getOuts());
  // Workspaces come between the outs and the scalars.
  index = kernel.getNumArguments() - dispatch.getScalars().size();
  mapAll(dispatch.getScalars());
}

FailureOr<Value> LaunchCopier::copy(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return arith::ConstantIndexOp::create(
               builder, loc, cast<IntegerAttr>(attribute).getInt())
        .getResult();
  return copyValue(cast<Value>(value));
}

FailureOr<Value> LaunchCopier::copyValue(Value value) {
  if (Value known = map.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() || !isPure(op))
    return failure();
  FailureOr<Value> copied;
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    copied = index ? copySize(dim.getSource(), *index)
                   : FailureOr<Value>(failure());
  } else {
    for (Value operand : op->getOperands())
      if (failed(copyValue(operand)))
        return failure();
    copied = copyOp(op);
    if (succeeded(copied) && !*copied)
      copied = map.lookup(value);
  }
  if (succeeded(copied))
    map.map(value, *copied);
  return copied;
}

/// Copies an op whose operands are mapped. Affine ops become plain arithmetic;
/// for the others the result is null and the mapping holds it.
FailureOr<Value> LaunchCopier::copyOp(Operation *op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(map.lookup(operand));
  auto expand = [&](AffineMap affine) {
    return affine::expandAffineMap(builder, loc, affine, operands);
  };
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    auto results = expand(apply.getAffineMap());
    if (!results)
      return failure();
    return results->front();
  }
  bool isMin = isa<affine::AffineMinOp>(op);
  if (!isMin && !isa<affine::AffineMaxOp>(op)) {
    builder.clone(*op, map);
    return Value();
  }
  auto results = expand(isMin ? cast<affine::AffineMinOp>(op).getMap()
                              : cast<affine::AffineMaxOp>(op).getMap());
  if (!results)
    return failure();
  Value bound = results->front();
  for (Value other : llvm::drop_begin(*results))
    bound = isMin ? arith::MinSIOp::create(builder, loc, bound, other)
                        .getResult()
                  : arith::MaxSIOp::create(builder, loc, bound, other)
                        .getResult();
  return bound;
}

/// A size of a view is computed from the sizes of what it views.
FailureOr<Value> LaunchCopier::copySize(Value source, int64_t index) {
  auto type = cast<RankedTensorType>(source.getType());
  if (!type.isDynamicDim(index))
    return copy(builder.getIndexAttr(type.getDimSize(index)));
  if (Value known = map.lookupOrNull(source))
    return tensor::DimOp::create(builder, loc, known, index).getResult();
  Operation *op = source.getDefiningOp();
  if (!op)
    return failure();
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
        // The result has the dimensions that are not dropped, in their order.
        llvm::SmallBitVector dropped = slice.getDroppedDims();
        SmallVector<OpFoldResult> kept;
        for (auto [dim, size] : llvm::enumerate(slice.getMixedSizes()))
          if (!dropped.test(dim))
            kept.push_back(size);
        return copy(kept[index]);
      })
      .Case([&](scf::ForallOp loop) {
        return copySize(
            loop.getOutputs()[cast<OpResult>(source).getResultNumber()], index);
      })
      .Case([&](DestinationStyleOpInterface dps) {
        OpOperand *init = dps.getTiedOpOperand(cast<OpResult>(source));
        return copySize(init->get(), index);
      })
      .Default([](Operation *) { return failure(); });
}

FailureOr<Value> LaunchCopier::copyProduct(tensor::CollapseShapeOp collapse,
                                           int64_t index) {
  Value product;
  for (int64_t part : collapse.getReassociationIndices()[index]) {
    FailureOr<Value> size = copySize(collapse.getSrc(), part);
    if (failed(size))
      return failure();
    product = product
                  ? builder.createOrFold<arith::MulIOp>(loc, product, *size)
                  : *size;
  }
  return product;
}

FailureOr<Value> LaunchCopier::count(scf::ForallOp loop) {
  Value count;
  for (auto [size, step] :
       llvm::zip_equal(loop.getMixedUpperBound(), loop.getMixedStep())) {
    FailureOr<Value> bound = copy(size);
    FailureOr<Value> stride = copy(step);
    if (failed(bound) || failed(stride))
      return loop.emitOpError("expected bounds that follow from the kernel's "
                              "arguments");
    Value tiles =
        builder.createOrFold<arith::CeilDivUIOp>(loc, *bound, *stride);
    count = count ? builder.createOrFold<arith::MulIOp>(loc, count, tiles)
                  : tiles;
  }
  return count;
}

FailureOr<Value> cpu::countWorkgroups(OpBuilder &builder,
                                      byre::DispatchOp dispatch,
                                      func::FuncOp kernel) {
  Location loc = dispatch.getLoc();
  LaunchCopier copier(builder, dispatch, kernel);
  Value total;
  for (scf::ForallOp loop : kernel.getBody().front().getOps<scf::ForallOp>()) {
    FailureOr<Value> count = copier.count(loop);
    if (failed(count))
      return failure();
    total = total ? builder.createOrFold<arith::AddIOp>(loc, total, *count)
                  : *count;
  }
  if (!total)
    total = arith::ConstantIndexOp::create(builder, loc, 1);
  return total;
}
