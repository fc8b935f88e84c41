// One kernel from loops on buffers to the LLVM dialect, with its entry.
#include "compiler/Target/CPU/Image/Image.h"
#include "compiler/Target/CPU/LowerKernels/LowerKernels.h"
#include "compiler/Target/CPU/Math/ExpandMath.h"
#include "compiler/Target/Target.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ferrule;

namespace {

/// Rewrites the body's memref arguments to a pointer and the sizes that are
/// not static, and writes the entry that unpacks them.
class EntryBuilder {
public:
  EntryBuilder(ModuleOp module, func::FuncOp body)
      : builder(module.getContext()), loc(body.getLoc()), body(body),
        converter(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())),
        i32(builder.getI32Type()), i64(builder.getI64Type()) {}

  void build() {
    std::string name = body.getName().str();
    SmallVector<Type> types(body.getArgumentTypes());
    body.setName(name + ".body");
    rewriteBody();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(body);
    auto type = LLVM::LLVMFunctionType::get(i32, {pointer, pointer, i32, i32});
    entry = LLVM::LLVMFuncOp::create(builder, loc, name, type);
    Block *block = entry.addEntryBlock(builder);
    builder.setInsertionPointToStart(block);
    SmallVector<Value> operands = unpackArguments(types);
    auto call = func::CallOp::create(builder, loc, body, operands);
    LLVM::ReturnOp::create(builder, loc, call.getResult(0));
  }

private:
  void rewriteBody() {
    Block &block = body.getBody().front();
    body.setPrivate();
    for (unsigned i = cpu::kScratch; i < block.getNumArguments(); ++i) {
      BlockArgument argument = block.getArgument(i);
      auto type = dyn_cast<MemRefType>(argument.getType());
      if (!type)
        continue;
      // Dynamic sizes follow the pointer.
      SmallVector<Value> sizes;
      for (int64_t size : type.getShape())
        if (ShapedType::isDynamic(size))
          sizes.push_back(block.insertArgument(
              i + 1 + sizes.size(), builder.getIndexType(), loc));
      rebuildMemref(argument, type, sizes);
      i += sizes.size();
    }
    body.setFunctionType(
        builder.getFunctionType(block.getArgumentTypes(), {i32}));
    lowerAssertions(block);
    for (BlockArgument argument : block.getArguments())
      if (argument.getType() == pointer) {
        body.setArgAttr(argument.getArgNumber(),
                        LLVM::LLVMDialect::getNoAliasAttrName(),
                        builder.getUnitAttr());
        body.setArgAttr(argument.getArgNumber(),
                        LLVM::LLVMDialect::getNoUndefAttrName(),
                        builder.getUnitAttr());
      }
  }

  /// The body returns the number of an assertion that failed, or 0. What comes
  /// after a failed assertion is still computed; the caller drops it.
  void lowerAssertions(Block &block) {
    SmallVector<cf::AssertOp> assertions;
    body.walk([&](cf::AssertOp op) { assertions.push_back(op); });
    builder.setInsertionPointToStart(&block);
    Value code = arith::ConstantOp::create(builder, loc,
                                           builder.getI32IntegerAttr(0));
    Value flag;
    if (!assertions.empty()) {
      flag = memref::AllocaOp::create(builder, loc, MemRefType::get({}, i32));
      memref::StoreOp::create(builder, loc, code, flag);
    }
    for (auto [i, op] : llvm::enumerate(assertions)) {
      builder.setInsertionPoint(op);
      Value number = arith::ConstantOp::create(
          builder, loc, builder.getI32IntegerAttr(i + 1));
      Value before = memref::LoadOp::create(builder, loc, flag);
      Value after = arith::SelectOp::create(builder, loc, op.getArg(), before,
                                            number);
      memref::StoreOp::create(builder, loc, after, flag);
      op.erase();
    }
    Operation *returned = block.getTerminator();
    builder.setInsertionPoint(returned);
    if (flag)
      code = memref::LoadOp::create(builder, loc, flag);
    returned->setOperands({code});
  }

  void rebuildMemref(BlockArgument argument, MemRefType type,
                     ArrayRef<Value> sizes) {
    builder.setInsertionPointToStart(argument.getOwner());
    auto placeholder = UnrealizedConversionCastOp::create(
        builder, loc, type, ValueRange{argument});
    argument.replaceAllUsesExcept(placeholder.getResult(0), placeholder);
    argument.setType(pointer);
    Type structType = converter.convertType(type);
    builder.setInsertionPoint(placeholder);
    auto descriptor = MemRefDescriptor::poison(builder, loc, structType);
    descriptor.setAllocatedPtr(builder, loc, argument);
    descriptor.setAlignedPtr(builder, loc, argument);
    descriptor.setConstantOffset(builder, loc, 0);
    unsigned next = sizes.size();
    Value stride = LLVM::ConstantOp::create(builder, loc, i64, 1);
    for (unsigned dim = type.getRank(); dim-- > 0;) {
      Value size =
          type.isDynamicDim(dim)
              ? UnrealizedConversionCastOp::create(builder, loc, i64,
                                                   sizes[--next])
                    .getResult(0)
              : LLVM::ConstantOp::create(builder, loc, i64,
                                         type.getDimSize(dim))
                    .getResult();
      descriptor.setSize(builder, loc, dim, size);
      descriptor.setStride(builder, loc, dim, stride);
      if (dim)
        stride = LLVM::MulOp::create(builder, loc, stride, size);
    }
    placeholder->setOperand(0, descriptor);
  }

  Value loadAt(Value base, int64_t offset, Type type) {
    Value address = LLVM::GEPOp::create(
        builder, loc, pointer, builder.getI8Type(), base,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
    return LLVM::LoadOp::create(builder, loc, type, address);
  }

  Value toIndex(Value value) {
    return UnrealizedConversionCastOp::create(builder, loc,
                                              builder.getIndexType(), value)
        .getResult(0);
  }

  /// Offsets are those of the structures in kernel_abi.h.
  SmallVector<Value> unpackArguments(ArrayRef<Type> types) {
    Block &block = entry.getBody().front();
    Value arguments = block.getArgument(0);
    Value worker = block.getArgument(1);
    SmallVector<Value> operands;
    for (unsigned i : {2u, 3u})
      operands.push_back(toIndex(
          LLVM::ZExtOp::create(builder, loc, i64, block.getArgument(i))));
    Value buffers = loadAt(arguments, 8, pointer);
    Value scalars = loadAt(arguments, 16, pointer);
    operands.push_back(loadAt(worker, 16, pointer));
    operands.push_back(toIndex(LLVM::ConstantOp::create(builder, loc, i64, 0)));
    int64_t buffer = 0;
    int64_t scalar = 0;
    for (Type type : types.drop_front(cpu::kFirstBuffer)) {
      auto memref = dyn_cast<MemRefType>(type);
      if (!memref) {
        operands.push_back(loadScalar(scalars, 8 * scalar++, type));
        continue;
      }
      operands.push_back(loadAt(buffers, 24 * buffer, pointer));
      if (!memref.hasStaticShape()) {
        Value sizes = loadAt(buffers, 24 * buffer + 8, pointer);
        for (auto [dim, size] : llvm::enumerate(memref.getShape()))
          if (ShapedType::isDynamic(size))
            operands.push_back(toIndex(loadAt(sizes, 8 * dim, i64)));
      }
      ++buffer;
    }
    return operands;
  }

  Value loadScalar(Value scalars, int64_t offset, Type type) {
    if (type.isIndex())
      return toIndex(loadAt(scalars, offset, i64));
    if (!type.isInteger(1))
      return loadAt(scalars, offset, type);
    Value slot = loadAt(scalars, offset, i64);
    return LLVM::TruncOp::create(builder, loc, type, slot);
  }

  OpBuilder builder;
  Location loc;
  func::FuncOp body;
  LLVM::LLVMFuncOp entry;
  LLVMTypeConverter converter;
  Type pointer;
  Type i32;
  Type i64;
};

} // namespace

void cpu::registerImageInterfaces(DialectRegistry &registry) {
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertComplexToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

/// From loops and vectors on buffers to the LLVM dialect.
static void addLoweringPasses(OpPassManager &manager) {
  VectorTransferToSCFOptions transfers;
  transfers.enableFullUnroll();
  manager.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass(transfers));
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertComplexToLLVMPass());
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
}

void cpu::loadLoweringDialects(MLIRContext *context) {
  DialectRegistry registry;
  registerImageInterfaces(registry);
  registry.insert<LLVM::LLVMDialect, math::MathDialect, vector::VectorDialect,
                  cf::ControlFlowDialect, affine::AffineDialect>();
  OpPassManager manager(ModuleOp::getOperationName());
  addLoweringPasses(manager);
  manager.getDependentDialects(registry);
  context->appendDialectRegistry(registry);
  for (StringRef name : registry.getDialectNames())
    context->getOrLoadDialect(name);
}

LogicalResult cpu::lowerToLLVM(ModuleOp module, func::FuncOp kernel) {
  kernel->removeAttr(byre::kKernelAttr);
  kernel->removeAttr(byre::kScratchAttr);
  kernel->removeAttr(kVariantAttr);
  kernel->removeAttr(kVectorizedAttr);
  kernel->removeAttr(kTargetAttr);
  if (failed(expandMath(kernel)))
    return failure();
  EntryBuilder(module, kernel).build();

  PassManager manager(module.getContext(), module.getOperationName());
  manager.enableVerifier(false);
  addLoweringPasses(manager);
  return manager.run(module);
}
