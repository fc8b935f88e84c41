// RUN: ferrule-opt %s -split-input-file -verify-diagnostics

func.func @send_c1(%x: tensor<4xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{C1: found channel type 3 with is_host_transfer = true, expected 2}}
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @recv_c4(%t: !stablehlo.token) {
  // expected-error@+1 {{C4: found last result 'tensor<4xf32>', expected a token}}
  %0 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> tensor<4xf32>
  return
}

// -----

func.func @infeed_c2(%t: !stablehlo.token) {
  // expected-error@+1 {{C2: found result 'tensor<?xf32>' before the last, expected a tensor of known sizes}}
  %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<?xf32>, !stablehlo.token)
  return
}

// -----

func.func @async_start_c2(%x: tensor<4xf32>) {
  // expected-error@+1 {{C2: found a body returning 'tensor<4xf32>' for result '!stablehlo.future<tensor<5xf32>>'}}
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    stablehlo.return %a : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<5xf32>>
  return
}

// -----

func.func @recv_c1(%t: !stablehlo.token) {
  // expected-error@+1 {{C1: found channel type 2 with is_host_transfer = false, expected 1}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = false}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// -----

func.func @recv_c2(%t: !stablehlo.token) {
  // expected-error@+1 {{C2: found no results, expected at least one}}
  "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> ()
  return
}

// -----

func.func @infeed_c3(%t: !stablehlo.token) {
  // expected-error@+1 {{C3: found last result 'tensor<4xf32>', expected a token}}
  %0 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> tensor<4xf32>
  return
}

// -----

func.func @async_start_c1(%x: tensor<4xf32>) {
  // expected-error@+1 {{C1: found arguments of types 'tensor<5xf32>' of the body, expected those of the operands, 'tensor<4xf32>'}}
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<5xf32>):
    stablehlo.return %a : tensor<5xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<5xf32>>
  return
}
