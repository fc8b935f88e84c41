// RUN: ferrule-opt %s --tile-kernels --lower-kernels --build-images \
// RUN:   --mlir-elide-elementsattrs-if-larger=8 \
// RUN:   --mlir-elide-resource-strings-if-larger=8 | FileCheck %s

// CHECK: byre.image @cpu_x86_64_v3 target "cpu" cpu "x86-64-v3"
// CHECK-SAME: "avx2"
// CHECK-SAME: #byre.entry<"double" at
// CHECK-NOT: func.func private @double
func.func private @double(%x: tensor<1024x64xf32>, %out: tensor<1024x64xf32>)
    -> tensor<1024x64xf32> attributes {byre.kernel} {
  %e = tensor.empty() : tensor<1024x64xf32>
  %r = linalg.add ins(%x, %x : tensor<1024x64xf32>, tensor<1024x64xf32>)
      outs(%e : tensor<1024x64xf32>) -> tensor<1024x64xf32>
  return %r : tensor<1024x64xf32>
}
