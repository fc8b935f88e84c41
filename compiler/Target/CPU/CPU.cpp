// The passes of the CPU target.
#include "compiler/Target/CPU/CPU.h"
#include "compiler/Target/CPU/LowerKernels/LowerKernels.h"
#include "compiler/Target/CPU/TileKernels/TileKernels.h"

using namespace mlir;
using namespace ferrule;

void cpu::addKernelPasses(OpPassManager &manager, const CPUOptions &options) {
  manager.addPass(createTileKernels());
  LowerKernelsOptions lowering;
  lowering.cpus.assign(options.cpus.begin(), options.cpus.end());
  manager.addPass(createLowerKernels(lowering));
}
