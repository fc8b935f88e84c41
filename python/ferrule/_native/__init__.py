"""Extension modules: `_compiler` (MLIR, LLVM and lld inside) and `_runtime`."""
