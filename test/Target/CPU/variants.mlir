// The most demanding image comes first, whatever the order of the names.
// RUN: ferrule-compile %s --target-cpu=aarch64,x86-64-v3,neoverse-n1,x86-64-v4 \
// RUN:   -o %t.byre
// RUN: ferrule-translate %t.byre | FileCheck %s
// RUN: not ferrule-compile %s --target-cpu=x86-64-v3,x86-64-v3 -o %t.byre 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TWICE
// RUN: not ferrule-compile %s --target-cpu=z80 -o %t.byre 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN

// AVX-512 makes kernels use vectors of 512 bits for which it must be there.
// CHECK: cpu "x86-64-v4" features {{.*}}"avx2"{{.*}}"avx512f"
// CHECK: cpu "x86-64-v3" features {{.*}}"avx2"
// CHECK: cpu "neoverse-n1" features ["aarch64", "fullfp16", "dotprod"
// CHECK: cpu "aarch64" features ["aarch64"]
// TWICE: error: {{.*}}target CPU 'x86-64-v3' is named twice
// UNKNOWN: error: {{.*}}unknown target CPU 'z80', expected host, x86-64-v3
func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.exponential %a : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
