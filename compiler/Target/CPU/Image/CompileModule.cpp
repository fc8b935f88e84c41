// From the LLVM dialect to object code.
#include "compiler/Target/CPU/Image/Image.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::cpu;

namespace {

std::unique_ptr<llvm::TargetMachine> createMachine(const Variant &variant,
                                                   std::string &error) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
  });
  llvm::Triple triple(variant.triple);
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  llvm::TargetOptions options;
  // Products and sums are rounded one by one, as programs have them; where
  // one rounding is wanted, the code says so.
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  options.FunctionSections = true;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, variant.cpu, variant.features, options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
}

void setAttributes(llvm::Module &module, const Variant &variant) {
  std::string bits = std::to_string(variant.vectorBits);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("prefer-vector-width", bits);
    function.addFnAttr("min-legal-vector-width", bits);
    function.addFnAttr("target-cpu", variant.cpu);
    if (!variant.features.empty())
      function.addFnAttr("target-features", variant.features);
    // Images hold no data that guards the stack and no unwinder reads them.
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.addFnAttr("no-trapping-math", "true");
    if (function.getName().ends_with(".body")) {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.addFnAttr(llvm::Attribute::NoInline);
    } else {
      function.setVisibility(llvm::GlobalValue::DefaultVisibility);
    }
  }
}

void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              bool vectorized) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.LoopInterleaving = true;
  tuning.SLPVectorization = false;
  llvm::PassBuilder passes(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager manager;
  if (vectorized)
    // The full pipeline costs ten times as much on unrolled bodies and gains
    // nothing there.
    cantFail(passes.parsePassPipeline(
        manager, "function(instcombine<no-verify-fixpoint>,early-cse)"));
  else
    // What loops over elements need to become vectors, and no more: the whole
    // O2 pipeline takes twice the time for the same code.
    cantFail(passes.parsePassPipeline(
        manager,
        "function(sroa,early-cse<memssa>,simplifycfg,"
        "instcombine<no-verify-fixpoint>,"
        "loop-mssa(loop-rotate,licm,simple-loop-unswitch<nontrivial>),"
        "simplifycfg,instcombine<no-verify-fixpoint>,"
        "loop(indvars,loop-deletion),gvn,loop-mssa(licm),"
        "loop-vectorize<no-interleave-forced-only;no-vectorize-forced-only>,"
        "loop-load-elim,instcombine<no-verify-fixpoint>,simplifycfg,"
        "loop-mssa(licm),early-cse,adce)"));
  manager.run(module, modules);
}

/// Emits object code without machine LICM, which would hoist constant vectors
/// of an epilogue over the whole kernel and spill its sums.
bool emitObject(llvm::Module &module, llvm::TargetMachine &machine,
                ObjectCode &object) {
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager manager;
  auto *config =
      static_cast<llvm::TargetPassConfig *>(machine.createPassConfig(manager));
  config->disablePass(&llvm::EarlyMachineLICMID);
  config->disablePass(&llvm::MachineLICMID);
  (void)config;
  return !machine.addPassesToEmitFile(manager, stream, nullptr,
                                      llvm::CodeGenFileType::ObjectFile) &&
         manager.run(module);
}

ObjectCode compile(llvm::Module &module, llvm::TargetMachine &machine,
                   const Variant &variant, bool vectorized) {
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple());
  setAttributes(module, variant);
  optimize(module, machine, vectorized);
  ObjectCode object;
  emitObject(module, machine, object);
  return object;
}

} // namespace

FailureOr<ObjectCode>
cpu::compileModule(ModuleOp module, const Variant &variant, bool vectorized) {
  std::string error;
  auto machine = createMachine(variant, error);
  if (!machine)
    return module.emitError("expected a target for ")
           << variant.cpu << ": " << error;
  llvm::LLVMContext context;
  auto translated = translateModuleToLLVMIR(module, context);
  if (!translated)
    return module.emitError("expected a kernel that translates to LLVM IR");
  ObjectCode object = compile(*translated, *machine, variant, vectorized);
  if (object.empty())
    return module.emitError("expected object code, found none");
  return object;
}

// Inline assembly keeps LLVM from turning these into calls of themselves.
static constexpr llvm::StringLiteral kX86Memory = R"(
define ptr @memcpy(ptr %to, ptr %from, i64 %count) {
  %r = call { ptr, ptr, i64 } asm sideeffect "rep movsb", "={di},={si},={cx},0,1,2,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr %to, ptr %from, i64 %count)
  ret ptr %to
}
define ptr @memset(ptr %to, i32 %value, i64 %count) {
  %byte = trunc i32 %value to i8
  %r = call { ptr, i64 } asm sideeffect "rep stosb", "={di},={cx},{al},0,1,~{memory},~{dirflag},~{fpsr},~{flags}"(i8 %byte, ptr %to, i64 %count)
  ret ptr %to
}
define ptr @memmove(ptr %to, ptr %from, i64 %count) {
  %a = ptrtoint ptr %to to i64
  %b = ptrtoint ptr %from to i64
  %distance = sub i64 %a, %b
  %forward = icmp uge i64 %distance, %count
  br i1 %forward, label %up, label %down
up:
  %r = call { ptr, ptr, i64 } asm sideeffect "rep movsb", "={di},={si},={cx},0,1,2,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr %to, ptr %from, i64 %count)
  ret ptr %to
down:
  %last = sub i64 %count, 1
  %lastTo = getelementptr i8, ptr %to, i64 %last
  %lastFrom = getelementptr i8, ptr %from, i64 %last
  %s = call { ptr, ptr, i64 } asm sideeffect "std; rep movsb; cld", "={di},={si},={cx},0,1,2,~{memory},~{dirflag},~{fpsr},~{flags}"(ptr %lastTo, ptr %lastFrom, i64 %count)
  ret ptr %to
}
)";

// A byte at a time: kernels copy next to nothing by these.
static constexpr llvm::StringLiteral kPortableMemory = R"(
define ptr @memcpy(ptr %to, ptr %from, i64 %count) {
  %r = call ptr @memmove(ptr %to, ptr %from, i64 %count)
  ret ptr %to
}
define ptr @memset(ptr %to, i32 %value, i64 %count) {
  %byte = trunc i32 %value to i8
  br label %test
test:
  %i = phi i64 [ 0, %0 ], [ %next, %step ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %step, label %end
step:
  %place = getelementptr i8, ptr %to, i64 %i
  store volatile i8 %byte, ptr %place
  %next = add i64 %i, 1
  br label %test
end:
  ret ptr %to
}
define ptr @memmove(ptr %to, ptr %from, i64 %count) {
  %a = ptrtoint ptr %to to i64
  %b = ptrtoint ptr %from to i64
  %distance = sub i64 %a, %b
  %forward = icmp uge i64 %distance, %count
  br label %test
test:
  %i = phi i64 [ 0, %0 ], [ %next, %step ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %step, label %end
step:
  %next = add i64 %i, 1
  %back = sub i64 %count, %next
  %at = select i1 %forward, i64 %i, i64 %back
  %source = getelementptr i8, ptr %from, i64 %at
  %target = getelementptr i8, ptr %to, i64 %at
  %byte = load volatile i8, ptr %source
  store volatile i8 %byte, ptr %target
  br label %test
end:
  ret ptr %to
}
)";

// LLVM calls it for vectors of bf16 where the CPU has no such type.
static constexpr llvm::StringLiteral kConversions = R"(
define bfloat @__truncsfbf2(float %x) {
  %bits = bitcast float %x to i32
  %high = lshr i32 %bits, 16
  %odd = and i32 %high, 1
  %half = add i32 %odd, 32767
  %sum = add i32 %bits, %half
  %quiet = or i32 %bits, 4194304
  %nan = fcmp uno float %x, 0.0
  %rounded = select i1 %nan, i32 %quiet, i32 %sum
  %top = lshr i32 %rounded, 16
  %short = trunc i32 %top to i16
  %result = bitcast i16 %short to bfloat
  ret bfloat %result
}
; By way of f32, which is rounded to odd so that the second rounding is right.
define half @__truncdfhf2(double %x) {
  %near = fptrunc double %x to float
  %back = fpext float %near to double
  %exact = fcmp ueq double %back, %x
  br i1 %exact, label %round, label %odd
odd:
  %bits = bitcast float %near to i32
  %size = call double @llvm.fabs.f64(double %x)
  %backSize = call double @llvm.fabs.f64(double %back)
  %over = fcmp ogt double %backSize, %size
  %one = zext i1 %over to i32
  %down = sub i32 %bits, %one
  %set = or i32 %down, 1
  %sticky = bitcast i32 %set to float
  br label %round
round:
  %f = phi float [ %near, %0 ], [ %sticky, %odd ]
  %result = fptrunc float %f to half
  ret half %result
}
declare double @llvm.fabs.f64(double)
)";

FailureOr<ObjectCode> cpu::compileHelpers(const Variant &variant,
                                          std::string &error) {
  auto machine = createMachine(variant, error);
  if (!machine)
    return failure();
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  bool isX86 = llvm::Triple(variant.triple).isX86();
  std::string source = (isX86 ? kX86Memory : kPortableMemory).str();
  source += kConversions;
  auto module = llvm::parseAssemblyString(source, diagnostic, context);
  if (!module) {
    error = diagnostic.getMessage().str();
    return failure();
  }
  ObjectCode object = compile(*module, *machine, variant, true);
  // Only kernels are exported; these are found by the linker alone.
  return object;
}
