// Empty stand-ins for parts of LLVM that the static lld names but that this
// module never uses, so that they are not linked in.
#include "llvm/Plugins/PassPlugin.h"

// lld's link-time optimisation asks every extension that LLVM was built with to
// register its passes, Polly too, which exists as a shared library only.
llvm::PassPluginLibraryInfo getPollyPluginInfo();

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "none", [](llvm::PassBuilder &) {}};
}

// It also initialises every target of LLVM: 100 MB of code generators. The real
// functions of the targets that Ferrule generates code for stay: the stand-ins
// for those get a name that nobody calls.
#define LLVMInitializeX86TargetInfo unusedX86TargetInfo
#define LLVMInitializeX86Target unusedX86Target
#define LLVMInitializeX86TargetMC unusedX86TargetMC
#define LLVMInitializeX86AsmPrinter unusedX86AsmPrinter
#define LLVMInitializeX86AsmParser unusedX86AsmParser
#define LLVMInitializeAArch64TargetInfo unusedAArch64TargetInfo
#define LLVMInitializeAArch64Target unusedAArch64Target
#define LLVMInitializeAArch64TargetMC unusedAArch64TargetMC
#define LLVMInitializeAArch64AsmPrinter unusedAArch64AsmPrinter
#define LLVMInitializeAArch64AsmParser unusedAArch64AsmParser

#define LLVM_TARGET(NAME)                                                      \
  extern "C" void LLVMInitialize##NAME##TargetInfo();                          \
  extern "C" void LLVMInitialize##NAME##TargetInfo() {}                        \
  extern "C" void LLVMInitialize##NAME##Target();                              \
  extern "C" void LLVMInitialize##NAME##Target() {}                            \
  extern "C" void LLVMInitialize##NAME##TargetMC();                            \
  extern "C" void LLVMInitialize##NAME##TargetMC() {}
#include "llvm/Config/Targets.def"

#define LLVM_ASM_PRINTER(NAME)                                                 \
  extern "C" void LLVMInitialize##NAME##AsmPrinter();                          \
  extern "C" void LLVMInitialize##NAME##AsmPrinter() {}
#include "llvm/Config/AsmPrinters.def"

#define LLVM_ASM_PARSER(NAME)                                                  \
  extern "C" void LLVMInitialize##NAME##AsmParser();                           \
  extern "C" void LLVMInitialize##NAME##AsmParser() {}
#include "llvm/Config/AsmParsers.def"
