#include "compiler/Transforms/FormDispatches/FormDispatches.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace ferrule;

namespace {

/// Hash of everything but names and locations.
llvm::hash_code hashKernel(func::FuncOp kernel) {
  llvm::hash_code hash = llvm::hash_value(
      kernel.getFunctionType().getAsOpaquePointer());
  kernel.getBody().walk([&](Operation *op) {
    hash = llvm::hash_combine(
        hash, OperationEquivalence::computeHash(
                  op, OperationEquivalence::ignoreHashValue,
                  OperationEquivalence::ignoreHashValue,
                  OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

bool equalKernels(func::FuncOp a, func::FuncOp b) {
  return a.getFunctionType() == b.getFunctionType() &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(),
             OperationEquivalence::IgnoreLocations);
}

} // namespace

void ferrule::mergeEqualKernels(ModuleOp module) {
  llvm::MapVector<size_t, SmallVector<func::FuncOp>> buckets;
  llvm::DenseMap<StringAttr, func::FuncOp> replacement;
  for (auto kernel : module.getOps<func::FuncOp>()) {
    if (!kernel->hasAttr("byre.kernel") || kernel.isExternal())
      continue;
    SmallVector<func::FuncOp> &bucket = buckets[hashKernel(kernel)];
    auto *equal = llvm::find_if(bucket, [&](func::FuncOp other) {
      return equalKernels(kernel, other);
    });
    if (equal == bucket.end())
      bucket.push_back(kernel);
    else
      replacement[kernel.getSymNameAttr()] = *equal;
  }
  if (replacement.empty())
    return;
  module.walk([&](byre::DispatchOp dispatch) {
    auto it = replacement.find(dispatch.getKernelAttr().getLeafReference());
    if (it != replacement.end())
      dispatch.setKernelAttr(FlatSymbolRefAttr::get(it->second));
  });
  for (auto &[name, other] : replacement)
    SymbolTable::lookupSymbolIn(module, name)->erase();
}
