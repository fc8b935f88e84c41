// RUN: ferrule-opt %s --tile-kernels --lower-kernels=cpus=x86-64-v4,x86-64-v3 \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func private @double(
// CHECK-SAME: %{{.*}}: index, %{{.*}}: index, %{{.*}}: memref<?xi8>,
// CHECK-SAME: memref<1024x64xf32>, %{{.*}}: memref<1024x64xf32>)
// CHECK-SAME: byre.scratch = 0 : i64, byre.variant = "x86-64-v4"
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: memref.store
// CHECK-LABEL: func.func private @"double.x86-64-v3"(
func.func private @double(%x: tensor<1024x64xf32>, %out: tensor<1024x64xf32>)
    -> tensor<1024x64xf32> attributes {byre.kernel} {
  %e = tensor.empty() : tensor<1024x64xf32>
  %r = linalg.add ins(%x, %x : tensor<1024x64xf32>, tensor<1024x64xf32>)
      outs(%e : tensor<1024x64xf32>) -> tensor<1024x64xf32>
  return %r : tensor<1024x64xf32>
}
