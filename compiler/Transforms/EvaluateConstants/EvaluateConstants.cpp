#include "compiler/Transforms/EvaluateConstants/EvaluateConstants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace ferrule {
#define GEN_PASS_DEF_HOISTCONSTANTS
#include "compiler/Transforms/EvaluateConstants/EvaluateConstants.h.inc"
} // namespace ferrule

using namespace ferrule;

namespace {

/// Bytes of a value, 0 when it is no tensor of static size.
int64_t byteSize(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return 0;
  Type element = tensor.getElementType();
  unsigned bits = 64;
  if (element.isIntOrFloat())
    bits = std::max(8u, element.getIntOrFloatBitWidth());
  else if (auto complex = dyn_cast<ComplexType>(element))
    bits = 2 * complex.getElementType().getIntOrFloatBitWidth();
  return tensor.getNumElements() * bits / 8;
}

/// Finds what depends on constants only.
class ConstantSlice {
public:
  explicit ConstantSlice(func::FuncOp func) : func(func) {}

  void find();
  std::optional<HoistedConstants> hoist();

private:
  bool isConstantOnly(Operation *op);
  bool isRoot(Operation *op);
  void collect(Value value);

  func::FuncOp func;
  llvm::SetVector<Operation *> constantOnly;
  /// Bytes of the weights that an operation's value is computed from.
  llvm::DenseMap<Operation *, int64_t> sourceBytes;
  llvm::SetVector<Operation *> needed;
};

SmallVector<Value> allOperands(Operation *op) {
  SmallVector<Value> operands(op->getOperands());
  llvm::SetVector<Value> captured;
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, region, captured);
  llvm::append_range(operands, captured);
  return operands;
}

bool isConstant(Operation *op) { return op->hasTrait<OpTrait::ConstantLike>(); }

} // namespace

bool ConstantSlice::isConstantOnly(Operation *op) {
  if (isConstant(op))
    return true;
  if (!isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      op->getNumResults() == 0)
    return false;
  int64_t source = 0, result = 0;
  for (Value operand : allOperands(op)) {
    Operation *def = operand.getDefiningOp();
    if (!def || !constantOnly.contains(def))
      return false;
    source += sourceBytes.lookup(def);
  }
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && !tensor.hasStaticShape())
      return false;
    result += byteSize(type);
  }
  sourceBytes[op] = source;
  // A destination is no value: it counts in what is written into it.
  if (isa<tensor::EmptyOp, linalg::FillOp>(op))
    return true;
  // A value that is much larger than what it comes from is cheaper to compute
  // than to store; packing pads by less than a factor of two, types widen by
  // up to four.
  constexpr int64_t small = 1 << 16;
  return result <= small || result <= 5 * source;
}

void ConstantSlice::find() {
  for (Operation &op : func.getBody().getOps()) {
    if (isConstant(&op))
      sourceBytes[&op] = byteSize(op.getResult(0).getType());
    if (isConstantOnly(&op))
      constantOnly.insert(&op);
  }
}

/// A root is used by something that is not constant, and is neither a constant
/// already nor a mere destination or splat.
bool ConstantSlice::isRoot(Operation *op) {
  if (isConstant(op) ||
      isa<tensor::EmptyOp, linalg::FillOp, tensor::SplatOp>(op))
    return false;
  for (Value result : op->getResults()) {
    auto tensor = dyn_cast<RankedTensorType>(result.getType());
    if (!tensor)
      continue;
    for (Operation *user : result.getUsers()) {
      Operation *ancestor =
          func.getBody().front().findAncestorOpInBlock(*user);
      if (!ancestor || !constantOnly.contains(ancestor))
        return true;
    }
  }
  return false;
}

void ConstantSlice::collect(Value value) {
  Operation *def = value.getDefiningOp();
  if (!def || needed.contains(def))
    return;
  for (Value operand : allOperands(def))
    collect(operand);
  needed.insert(def);
}

std::optional<HoistedConstants> ConstantSlice::hoist() {
  HoistedConstants hoisted;
  for (Operation *op : constantOnly) {
    if (!isRoot(op))
      continue;
    for (Value result : op->getResults())
      if (isa<RankedTensorType>(result.getType()) && !result.use_empty()) {
        hoisted.results.push_back(result);
        collect(result);
      }
  }
  if (hoisted.results.empty())
    return std::nullopt;

  MLIRContext *context = func.getContext();
  Location loc = func.getLoc();
  hoisted.module = ModuleOp::create(loc);
  SmallVector<Type> argumentTypes, resultTypes;
  SmallVector<Operation *> argumentOps;
  for (Operation *op : needed) {
    ElementsAttr value;
    if (!isConstant(op) || !matchPattern(op, m_Constant(&value)))
      continue;
    auto dense = dyn_cast<DenseElementsAttr>(value);
    if (dense && (dense.isSplat() || dense.getNumElements() <= 64))
      continue;
    argumentOps.push_back(op);
    argumentTypes.push_back(op->getResult(0).getType());
    hoisted.arguments.push_back(value);
  }
  for (Value result : hoisted.results)
    resultTypes.push_back(result.getType());
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(hoisted.module->getBody());
  auto constants = func::FuncOp::create(
      builder, loc, "constants",
      FunctionType::get(context, argumentTypes, resultTypes));
  Block *body = constants.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  IRMapping mapping;
  for (auto [op, argument] : llvm::zip(argumentOps, body->getArguments()))
    mapping.map(op->getResult(0), argument);
  for (Operation *op : needed)
    if (!llvm::is_contained(argumentOps, op))
      builder.clone(*op, mapping);
  SmallVector<Value> returned;
  for (Value result : hoisted.results)
    returned.push_back(mapping.lookup(result));
  func::ReturnOp::create(builder, loc, returned);
  return hoisted;
}

std::optional<HoistedConstants> ferrule::hoistConstants(func::FuncOp func) {
  if (func.isExternal())
    return std::nullopt;
  ConstantSlice slice(func);
  slice.find();
  return slice.hoist();
}

LogicalResult ferrule::evaluateConstants(ModuleOp module,
                                         const ConstantEvaluator &evaluate) {
  for (auto func : module.getOps<func::FuncOp>()) {
    std::optional<HoistedConstants> hoisted = hoistConstants(func);
    if (!hoisted)
      continue;
    FailureOr<SmallVector<ElementsAttr>> values = evaluate(*hoisted);
    if (failed(values))
      return failure();
    OpBuilder builder(func.getContext());
    for (auto [result, value] : llvm::zip(hoisted->results, *values)) {
      builder.setInsertionPointAfter(result.getDefiningOp());
      auto constant =
          arith::ConstantOp::create(builder, result.getLoc(), value);
      result.replaceAllUsesWith(constant.getResult());
    }
    // What computed the values is dead now, constants included.
    IRRewriter rewriter(func.getContext());
    (void)runRegionDCE(rewriter, func->getRegions());
  }
  return success();
}

namespace {
struct HoistConstants : ferrule::impl::HoistConstantsBase<HoistConstants> {
  void runOnOperation() override {
    SmallVector<OwningOpRef<ModuleOp>> modules;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (std::optional<HoistedConstants> hoisted = hoistConstants(func))
        modules.push_back(std::move(hoisted->module));
    for (OwningOpRef<ModuleOp> &module : modules)
      getOperation().push_back(module.release());
  }
};
} // namespace
