// A program compiled for the reference target runs, and a file that holds
// another target's code alone says so.
// RUN: ferrule-compile %s --target=reference -o %t.byre
// RUN: ferrule-run %t.byre --input=x=3x2xf32=2 --print | FileCheck %s
// RUN: ferrule-translate %t.byre | FileCheck %s --check-prefix=TEXT
// RUN: not ferrule-compile %s --target=reference --target-option=speed=9 \
// RUN:   -o %t.byre 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not ferrule-compile %s --target=gpu -o %t.byre 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN

// CHECK: output0: 3xf32 = [4, 4, 4]
// TEXT: byre.image @{{.*}} target "reference"
// OPTION: error: {{.*}}unknown option 'speed' of target 'reference', which has none
// UNKNOWN: error: {{.*}}unknown target 'gpu', expected one of cpu, reference
func.func @main(%x: tensor<?x2xf32> {ferrule.dims = ["rows", ""],
                                     ferrule.name = "x"}) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add
    across dimensions = [1] : (tensor<?x2xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
