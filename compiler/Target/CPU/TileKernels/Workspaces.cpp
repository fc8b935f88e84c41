// Temporaries of kernels that do not fit in a worker's scratch.
#include "compiler/Target/CPU/TileKernels/TileKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::cpu;

namespace {

/// What a worker's scratch may hold of one temporary: it should stay in the
/// second-level cache.
constexpr int64_t kScratchLimit = 512 << 10;

std::optional<int64_t> findBound(OpFoldResult size) {
  if (std::optional<int64_t> known = getConstantIntValue(size))
    return known;
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, cast<Value>(size), /*stopCondition=*/nullptr,
      /*closedUB=*/true);
  if (failed(bound))
    return std::nullopt;
  return *bound;
}

bool fitsScratch(tensor::EmptyOp empty) {
  Type element = empty.getType().getElementType();
  int64_t bytes = 16;
  if (element.isIntOrFloat())
    bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  for (OpFoldResult size : empty.getMixedSizes()) {
    std::optional<int64_t> bound = findBound(size);
    if (!bound)
      return false;
    bytes *= std::max<int64_t>(*bound, 0);
  }
  return bytes <= kScratchLimit;
}

/// The number of the current workgroup among those of the loop.
Value numberWorkgroup(OpBuilder &builder, Location loc, scf::ForallOp loop) {
  Value number;
  for (auto [iv, size, step] :
       llvm::zip_equal(loop.getInductionVars(), loop.getMixedUpperBound(),
                       loop.getMixedStep())) {
    Value stride = getValueOrCreateConstantIndexOp(builder, loc, step);
    Value bound = getValueOrCreateConstantIndexOp(builder, loc, size);
    Value position = arith::DivUIOp::create(builder, loc, iv, stride);
    if (number) {
      Value count = arith::CeilDivUIOp::create(builder, loc, bound, stride);
      number = arith::MulIOp::create(builder, loc, number, count);
      number = arith::AddIOp::create(builder, loc, number, position);
    } else {
      number = position;
    }
  }
  return number;
}

Value createOut(OpBuilder &builder, LaunchCopier &copier, Location loc,
                const Workspace &workspace, RankedTensorType type) {
  SmallVector<Value> dynamic;
  unsigned first = 0;
  if (workspace.loop) {
    FailureOr<Value> count = copier.count(workspace.loop);
    if (failed(count))
      return {};
    dynamic.push_back(*count);
    first = 1;
  }
  for (auto [dim, size] : llvm::enumerate(workspace.sizes)) {
    if (!type.isDynamicDim(first + dim))
      continue;
    FailureOr<Value> copied = copier.copy(size);
    if (failed(copied))
      return {};
    dynamic.push_back(*copied);
  }
  return tensor::EmptyOp::create(builder, loc, type, dynamic);
}

} // namespace

FailureOr<SmallVector<Workspace>> cpu::addWorkspaces(func::FuncOp kernel) {
  SmallVector<tensor::EmptyOp> temporaries;
  kernel.walk([&](tensor::EmptyOp empty) {
    if (!empty->use_empty() && !fitsScratch(empty))
      temporaries.push_back(empty);
  });
  SmallVector<Workspace> workspaces;
  Block &body = kernel.getBody().front();
  unsigned position = llvm::count_if(body.getArgumentTypes(),
                                     llvm::IsaPred<RankedTensorType>);
  OpBuilder builder(kernel.getContext());
  for (tensor::EmptyOp empty : temporaries) {
    Workspace workspace;
    workspace.elementType = empty.getType().getElementType();
    workspace.loop = empty->getParentOfType<scf::ForallOp>();
    SmallVector<int64_t> shape;
    if (workspace.loop)
      shape.push_back(ShapedType::kDynamic);
    for (OpFoldResult size : empty.getMixedSizes()) {
      if (std::optional<int64_t> bound = findBound(size))
        size = builder.getIndexAttr(*bound);
      workspace.sizes.push_back(size);
      shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    }
    auto type = RankedTensorType::get(shape, workspace.elementType);
    (void)kernel.insertArgument(position, type, {}, empty.getLoc());
    (void)kernel.insertResult(kernel.getNumResults(), type, {});
    BlockArgument argument = body.getArgument(position++);
    builder.setInsertionPoint(empty);
    SmallVector<OpFoldResult> offsets;
    SmallVector<OpFoldResult> sizes;
    if (workspace.loop) {
      offsets.push_back(
          numberWorkgroup(builder, empty.getLoc(), workspace.loop));
      sizes.push_back(builder.getIndexAttr(1));
    }
    offsets.append(workspace.sizes.size(), builder.getIndexAttr(0));
    llvm::append_range(sizes, empty.getMixedSizes());
    SmallVector<OpFoldResult> strides(shape.size(), builder.getIndexAttr(1));
    Value part = tensor::ExtractSliceOp::create(
        builder, empty.getLoc(), empty.getType(), argument, offsets, sizes,
        strides);
    empty.replaceAllUsesWith(part);
    empty.erase();
    // The contents are nobody's; the contract wants one result an out.
    Operation *returned = body.getTerminator();
    returned->insertOperands(returned->getNumOperands(), argument);
    workspaces.push_back(std::move(workspace));
  }
  if (workspaces.empty())
    return workspaces;
  kernel->setAttr(kWorkspacesAttr,
                  builder.getI64IntegerAttr(workspaces.size()));
  return workspaces;
}

FailureOr<byre::DispatchOp>
cpu::passWorkspaces(byre::DispatchOp dispatch, func::FuncOp kernel,
                    ArrayRef<Workspace> workspaces) {
  if (workspaces.empty())
    return dispatch;
  IRRewriter builder(dispatch);
  LaunchCopier copier(builder, dispatch, kernel);
  SmallVector<Value> outs(dispatch.getOuts());
  unsigned first = kernel.getNumArguments() - dispatch.getScalars().size() -
                   workspaces.size();
  for (auto [i, workspace] : llvm::enumerate(workspaces)) {
    auto type = cast<RankedTensorType>(kernel.getArgument(first + i).getType());
    Value out =
        createOut(builder, copier, dispatch.getLoc(), workspace, type);
    if (!out)
      return dispatch.emitOpError("expected a temporary of the kernel whose "
                                  "size follows from its arguments, found ")
             << type;
    outs.push_back(out);
  }
  auto larger = byre::DispatchOp::create(
      builder, dispatch.getLoc(), dispatch.getKernelAttr(),
      dispatch.getInputs(), outs, dispatch.getScalars());
  larger->setDiscardableAttrs(dispatch->getDiscardableAttrDictionary());
  if (dispatch.getWorkgroups())
    larger.getWorkgroupsMutable().assign(dispatch.getWorkgroups());
  builder.replaceOp(dispatch,
                    larger.getResults().drop_back(workspaces.size()));
  return larger;
}
