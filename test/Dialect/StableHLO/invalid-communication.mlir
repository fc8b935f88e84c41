// RUN: ferrule-opt %s -split-input-file -verify-diagnostics

func.func @all_gather_c1(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{C1: found dimension 2 for 'tensor<4x8xf32>'}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @all_gather_c2(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{C2: found process 0 twice in replica_groups}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @all_gather_c4(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{C4: found no process 1 in replica_groups of 2 processes}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 3]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @all_gather_c5(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{C5: found use_global_device_ids without a channel handle, expected one above 0}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @all_gather_c6(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{C6: found result 'tensor<4x24xf32>' for 'tensor<4x8xf32>', expected 'tensor<4x16xf32>'}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x24xf32>
  return
}

// -----

func.func @all_to_all_c2(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{C2: found size 6 for split_count 4}}
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<4x6xf32>) -> tensor<16x2xf32>
  return
}

// -----

func.func @all_to_all_c8(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{C8: found groups of 2 processes for split_count 4}}
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<16x2xf32>
  return
}

// -----

func.func @all_to_all_c9(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{C9: found result 'tensor<16x8xf32>' for 'tensor<4x8xf32>', expected 'tensor<16x2xf32>'}}
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @collective_permute_c2(%x: tensor<4xf32>) {
  // expected-error@+1 {{C2: found source 0 twice in source_target_pairs}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c3(%x: tensor<4xf32>) {
  // expected-error@+1 {{C3: found target 1 twice in source_target_pairs}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}
