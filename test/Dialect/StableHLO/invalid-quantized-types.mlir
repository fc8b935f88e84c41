// RUN: ferrule-opt %s --split-input-file --verify-diagnostics

func.func @abs_qt7(%a0: tensor<2x!quant.uniform<i8<-10:10>:f32, 0.5:20>>) {
  // expected-error@+1 {{QT7: found zero point 20}}
  %0 = stablehlo.abs %a0 : (tensor<2x!quant.uniform<i8<-10:10>:f32, 0.5:20>>) -> tensor<2x!quant.uniform<i8<-10:10>:f32, 0.5:20>>
  return
}

// -----

func.func @uniform_dequantize_qt12(%a0: tensor<2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  // expected-error@+1 {{QT12: found quantization dimension 1}}
  %0 = stablehlo.uniform_dequantize %a0 : (tensor<2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2xf32>
  return
}

// -----

func.func @uniform_dequantize_qt13(%a0: tensor<3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{QT13: found 2 scales for dimension 0}}
  %0 = stablehlo.uniform_dequantize %a0 : (tensor<3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<3xf32>
  return
}

// -----

func.func @uniform_dequantize_i5(%a0: tensor<2x!quant.uniform<i5:f32, 0.5>>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = stablehlo.uniform_dequantize %a0 : (tensor<2x!quant.uniform<i5:f32, 0.5>>) -> tensor<2xf32>
  return
}

// -----

func.func @quantize_c2(%a0: tensor<2xf64>) {
  // expected-error@+1 {{C2: found}}
  %0 = stablehlo.uniform_quantize %a0 : (tensor<2xf64>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @quantize_of_quantized_c2(%a0: tensor<2x!quant.uniform<i8:f64, 0.5>>) {
  // expected-error@+1 {{C2: found}}
  %0 = stablehlo.uniform_quantize %a0 : (tensor<2x!quant.uniform<i8:f64, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @dequantize_c2(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C2: found result}}
  %0 = stablehlo.uniform_dequantize %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2xf64>
  return
}

// -----

func.func @convert_i1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{I1: found}}
  %0 = stablehlo.convert %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2xf32>
  return
}

// -----

func.func @slice_qt13(%a0: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{QT13: found 2 scales}}
  %0 = stablehlo.slice %a0 [0:1] : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<1x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @reverse_i1(%a0: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{I1: found}}
  %0 = stablehlo.reverse %a0, dims = [0] : tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

// Types, operands and attributes are in order before quantization is looked at.
func.func @missing_operand(%x: tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>) {
  // expected-error @below {{expected 2 operands, but found 1}}
  %0 = "stablehlo.dot"(%x) : (tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.1>>
  return
}

// -----

func.func @short_permutation(%x: tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>) {
  // expected-error @below {{C4: found scales along dimension 0}}
  %0 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1>}> : (tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.1, 0.2}>>
  return
}
