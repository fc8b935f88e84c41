// RUN: ferrule-opt %s -split-input-file -verify-diagnostics

func.func @collective_broadcast_c2(%x: tensor<4xf32>) {
  // expected-error@+1 {{C2: found process -1 in replica_groups, expected 0 or more}}
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_reduce_c5(%x: tensor<4xf32>) {
  // expected-error@+1 {{C5: found 1 arguments of the body, expected 2}}
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @cross_replica_sum_c1(%x: tensor<4xf32>) {
  // expected-error@+1 {{C1: found process 0 twice in replica_groups}}
  %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}
