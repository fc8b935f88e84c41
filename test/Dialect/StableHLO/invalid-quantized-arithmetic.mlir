// RUN: ferrule-opt %s --split-input-file --verify-diagnostics

func.func @add_c2(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2xf32>) {
  // expected-error@+1 {{C2: found}}
  %0 = stablehlo.add %a0, %a1 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @add_c3(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{C3: found}}
  %0 = stablehlo.add %a0, %a1 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i16:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @add_c4(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x!quant.uniform<i8:f64, 0.5>>) {
  // expected-error@+1 {{C4: found}}
  %0 = stablehlo.add %a0, %a1 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f64, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @add_c5(%a0: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %a1: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C5: found}}
  %0 = stablehlo.add %a0, %a1 : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @add_c6(%a0: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %a1: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C6: found}}
  %0 = stablehlo.add %a0, %a1 : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @add_c7(%a0: tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{C7: found}}
  %0 = stablehlo.add %a0, %a1 : (tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @atan2_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.atan2 %a0, %a1 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i16:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @divide_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.divide %a0, %a1 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i16:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @maximum_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.maximum %a0, %a1 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i16:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @minimum_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.minimum %a0, %a1 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i16:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @multiply_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.multiply %a0, %a1 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i16:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @power_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.power %a0, %a1 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i16:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @remainder_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.remainder %a0, %a1 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i16:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @subtract_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.subtract %a0, %a1 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i16:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @multiply_i1(%a0: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %a1: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{I1: found}}
  %0 = stablehlo.multiply %a0, %a1 : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @compare_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.compare LT, %a0, %a1 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i16:f32, 0.5>>) -> tensor<2xi1>
  return
}

// -----

func.func @clamp_c3(%a0: tensor<!quant.uniform<i16:f32, 0.5>>, %a1: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C3: found}}
  %0 = stablehlo.clamp %a0, %a1, %a1 : (tensor<!quant.uniform<i16:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// -----

func.func @clamp_c4(%a0: tensor<!quant.uniform<i8:f32, 0.5:3>>, %a1: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C4: found}}
  %0 = stablehlo.clamp %a0, %a1, %a0 : (tensor<!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @select_c2(%a0: tensor<2xi1>, %a1: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %a2: tensor<2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{C2: found}}
  %0 = stablehlo.select %a0, %a1, %a2 : (tensor<2xi1>, tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i16:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}
