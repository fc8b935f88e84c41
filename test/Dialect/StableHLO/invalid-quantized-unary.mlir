// RUN: ferrule-opt %s --split-input-file --verify-diagnostics

func.func @cbrt_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.cbrt %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @ceil_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.ceil %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @cosine_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.cosine %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @exponential_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.exponential %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @exponential_minus_one_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.exponential_minus_one %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @floor_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.floor %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @log_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.log %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @log_plus_one_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.log_plus_one %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @logistic_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.logistic %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @negate_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.negate %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @round_nearest_afz_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.round_nearest_afz %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @round_nearest_even_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.round_nearest_even %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @rsqrt_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.rsqrt %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @sign_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.sign %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @sine_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.sine %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @sqrt_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.sqrt %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @tan_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.tan %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @tanh_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.tanh %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @abs_c2(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C2: found}}
  %0 = stablehlo.abs %a0 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f64, 0.5>>
  return
}

// -----

func.func @reduce_precision_c1(%a0: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  // expected-error@+1 {{C1: found}}
  %0 = stablehlo.reduce_precision %a0, format = e5m2 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i16:f32, 0.5>>
  return
}
