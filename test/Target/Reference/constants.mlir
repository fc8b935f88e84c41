// Any 64 bits can be a constant of a kernel.
// RUN: ferrule-compile %s --target=reference -o %t.byre
// RUN: ferrule-run %t.byre --function=integers --input=x=2xi64=1 --print \
// RUN:   | FileCheck %s --check-prefix=INTEGERS
// RUN: ferrule-run %t.byre --function=floats --input=x=2xf64=-0.0 --print \
// RUN:   | FileCheck %s --check-prefix=FLOATS

// INTEGERS: [9223372036854775806, 9223372036854775806]
// INTEGERS: [-9223372036854775807, -9223372036854775807]
func.func @integers(%x: tensor<2xi64> {ferrule.name = "x"})
    -> (tensor<2xi64>, tensor<2xi64>) {
  %most = stablehlo.constant dense<9223372036854775807> : tensor<2xi64>
  %least = stablehlo.constant dense<-9223372036854775808> : tensor<2xi64>
  %0 = stablehlo.xor %x, %most : tensor<2xi64>
  %1 = stablehlo.xor %x, %least : tensor<2xi64>
  return %0, %1 : tensor<2xi64>, tensor<2xi64>
}

// The bits of -0.0 are those of the least integer.
// FLOATS: [-9223372036854775808, -9223372036854775808]
func.func @floats(%x: tensor<2xf64> {ferrule.name = "x"}) -> tensor<2xi64> {
  %zero = stablehlo.constant dense<-0.0> : tensor<f64>
  %all = stablehlo.broadcast_in_dim %zero, dims = []
    : (tensor<f64>) -> tensor<2xf64>
  %tanh = stablehlo.tanh %all : tensor<2xf64>
  %0 = stablehlo.minimum %x, %tanh : tensor<2xf64>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2xf64>) -> tensor<2xi64>
  return %1 : tensor<2xi64>
}
