// From tensors to buffers, in place.
#include "compiler/Dialect/Byre/IR/Byre.h"
#include "compiler/Target/CPU/LowerKernels/LowerKernels.h"
#include "compiler/Target/CPU/TileKernels/TileKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::cpu;

/// Rewrites the signature; the body sees its arguments through to_tensor and
/// its results go to the outs through materialize_in_destination.
static void rewriteSignature(func::FuncOp kernel) {
  Block &body = kernel.getBody().front();
  OpBuilder builder(kernel.getContext());
  Location loc = kernel.getLoc();
  unsigned shaped = llvm::count_if(kernel.getArgumentTypes(),
                                   llvm::IsaPred<RankedTensorType>);
  unsigned firstOut = shaped - kernel.getNumResults();

  builder.setInsertionPointToStart(&body);
  for (BlockArgument argument : body.getArguments().take_front(shaped)) {
    auto type = cast<RankedTensorType>(argument.getType());
    auto memref = MemRefType::get(type.getShape(), type.getElementType());
    argument.setType(memref);
    auto tensor = bufferization::ToTensorOp::create(
        builder, loc, type, argument, /*restrict=*/true,
        /*writable=*/argument.getArgNumber() >= firstOut);
    argument.replaceAllUsesExcept(tensor, tensor);
  }
  auto returned = cast<func::ReturnOp>(body.getTerminator());
  builder.setInsertionPoint(returned);
  // Nobody reads what is left in a workspace.
  unsigned workspaces = 0;
  if (auto count = kernel->getAttrOfType<IntegerAttr>(kWorkspacesAttr))
    workspaces = count.getInt();
  kernel->removeAttr(kWorkspacesAttr);
  for (auto [i, value] :
       llvm::enumerate(returned.getOperands().drop_back(workspaces))) {
    auto materialize = bufferization::MaterializeInDestinationOp::create(
        builder, loc, value, body.getArgument(firstOut + i));
    materialize.setWritable(true);
    materialize.setRestrict(true);
  }
  returned->setOperands({});

  Type index = builder.getIndexType();
  Type scratch = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type());
  body.insertArgument(0u, index, loc);
  body.insertArgument(1u, index, loc);
  body.insertArgument(2u, scratch, loc);
  kernel.setFunctionType(
      FunctionType::get(kernel.getContext(), body.getArgumentTypes(), {}));
  kernel.removeResAttrsAttr();
  kernel.removeArgAttrsAttr();
}

/// Small constants become stores to local memory: an image has no data that
/// needs relocation, and bufferization would make globals of the module.
static LogicalResult expandConstants(func::FuncOp kernel) {
  SmallVector<arith::ConstantOp> constants;
  kernel.walk([&](arith::ConstantOp op) {
    if (isa<RankedTensorType>(op.getType()))
      constants.push_back(op);
  });
  for (arith::ConstantOp op : constants) {
    auto type = cast<RankedTensorType>(op.getType());
    auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue()))
      if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
        dense = DenseElementsAttr::getFromRawBuffer(type, blob->getData());
    if (!dense)
      return op.emitError("expected a constant with known elements in a "
                          "kernel");
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Type element = type.getElementType();
    auto create = [&](Attribute value) -> Value {
      if (isa<ComplexType>(element))
        return complex::ConstantOp::create(builder, loc, element,
                                           cast<ArrayAttr>(value));
      return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(value));
    };
    Value tensor;
    if (dense.isSplat()) {
      Value empty =
          tensor::EmptyOp::create(builder, loc, type.getShape(), element);
      tensor = linalg::FillOp::create(
                   builder, loc, create(dense.getSplatValue<Attribute>()),
                   empty)
                   .getResult(0);
    } else {
      SmallVector<Value> elements;
      for (Attribute value : dense.getValues<Attribute>())
        elements.push_back(create(value));
      tensor = tensor::FromElementsOp::create(builder, loc, type, elements);
    }
    op.replaceAllUsesWith(tensor);
    op.erase();
  }
  return success();
}

LogicalResult cpu::bufferizeKernel(func::FuncOp kernel) {
  if (failed(expandConstants(kernel)))
    return failure();
  rewriteSignature(kernel);
  IRRewriter rewriter(kernel.getContext());
  bufferization::OneShotBufferizationOptions options;
  options.allowUnknownOps = false;
  options.bufferAlignment = 64;
  // Workgroups write disjoint parts of outs and of workspaces.
  options.checkParallelRegions = false;
  bufferization::BufferizationState state;
  if (failed(bufferization::eliminateEmptyTensors(rewriter, kernel)))
    return failure();
  return bufferization::runOneShotBufferize(kernel, options, state);
}

/// An upper bound of a size, in elements.
static FailureOr<int64_t> boundOf(Value size) {
  return ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, size, /*stopCondition=*/nullptr,
      /*closedUB=*/true);
}

/// Bytes that an element takes in memory.
static int64_t bytesOf(Type type) {
  if (type.isIndex())
    return 8;
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * bytesOf(complex.getElementType());
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

LogicalResult cpu::placeAllocations(func::FuncOp kernel) {
  constexpr int64_t kAlignment = 64;
  // Small tiles on the stack become registers.
  constexpr int64_t kStackLimit = 512;
  int64_t used = 0;
  OpBuilder builder(kernel.getContext());
  SmallVector<memref::AllocOp> allocations;
  kernel.walk([&](memref::AllocOp op) { allocations.push_back(op); });
  for (memref::AllocOp op : allocations) {
    MemRefType type = op.getType();
    int64_t bytes = bytesOf(type.getElementType());
    for (int64_t size : type.getShape())
      if (!ShapedType::isDynamic(size))
        bytes *= size;
    for (Value size : op.getDynamicSizes()) {
      FailureOr<int64_t> bound = boundOf(size);
      if (failed(bound))
        return op.emitError("expected a temporary of bounded size in a kernel, "
                            "found ")
               << type;
      bytes *= *bound;
    }
    if (type.hasStaticShape() && bytes <= kStackLimit) {
      builder.setInsertionPointToStart(&kernel.getBody().front());
      auto local = memref::AllocaOp::create(
          builder, op.getLoc(), type, builder.getI64IntegerAttr(kAlignment));
      op.replaceAllUsesWith(local.getResult());
      op.erase();
      continue;
    }
    builder.setInsertionPoint(op);
    Value offset = arith::ConstantIndexOp::create(builder, op.getLoc(), used);
    auto view = memref::ViewOp::create(
        builder, op.getLoc(),
        MemRefType::get(type.getShape(), type.getElementType()),
        kernel.getArgument(kScratch), offset, op.getDynamicSizes());
    op.replaceAllUsesWith(view.getResult());
    for (Operation *user : llvm::make_early_inc_range(view->getUsers()))
      if (isa<memref::DeallocOp>(user))
        user->erase();
    op.erase();
    used += llvm::alignTo(bytes, kAlignment);
  }
  kernel->setAttr(byre::kScratchAttr, builder.getI64IntegerAttr(used));
  return success();
}
