// RUN: ferrule-opt %s | ferrule-opt | FileCheck %s
// RUN: ferrule-opt %s --mlir-print-op-generic | ferrule-opt | FileCheck %s
// RUN: ferrule-opt %s --emit-bytecode | ferrule-opt | FileCheck %s

// CHECK-LABEL: @groups
func.func @groups(%x: tensor<4x8xf32>, %i: tensor<2xi32>) {
  // CHECK: "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}>
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  // CHECK: "stablehlo.all_gather"(%arg0, %arg1)
  %1:2 = "stablehlo.all_gather"(%x, %i) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>, tensor<2xi32>) -> (tensor<8x8xf32>, tensor<4xi32>)
  // CHECK: "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, 3]]> : tensor<2x2xi64>}>
  %2 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: "stablehlo.all_to_all"(%arg0) <{concat_dimension = 0 : i64, replica_groups = dense<{{.*}}> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}>
  %3 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<16x2xf32>
  // CHECK: "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<{{.*}}> : tensor<2x2xi64>, scatter_dimension = 1 : i64}>
  %4 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  // CHECK: "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<{{.*}}> : tensor<1x3xi64>}>
  %5 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<{{\[\[}}0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>}>
  %6 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: "stablehlo.cross-replica-sum"(%arg0) <{replica_groups = dense<{{.*}}> : tensor<1x2xi64>}>
  %7 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: @channels
func.func @channels(%x: tensor<4xf32>, %t: !stablehlo.token) {
  // CHECK: "stablehlo.send"(%arg0, %arg1) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}>
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK: "stablehlo.recv"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}>
  %1:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  // CHECK: "stablehlo.infeed"(%arg1) <{infeed_config = "a", layout = {{\[\[}}0]]}>
  %2:2 = "stablehlo.infeed"(%t) <{infeed_config = "a", layout = [[0]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  // CHECK: "stablehlo.outfeed"(%arg0, %arg1) <{outfeed_config = "b"}>
  %3 = "stablehlo.outfeed"(%x, %t) <{outfeed_config = "b"}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// CHECK-LABEL: @regions
func.func @regions(%x: tensor<4x6xf32>, %z: tensor<f32>, %s: tensor<2x3xf32>, %p: tensor<i1>, %n: tensor<i32>) {
  // CHECK: "stablehlo.reduce_window"(%arg0, %arg1) <{padding = dense<{{.*}}> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.select_and_scatter"(%arg0, %arg2, %arg1) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}>
  %1 = "stablehlo.select_and_scatter"(%x, %s, %z) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  // CHECK: "stablehlo.map"(%arg0, %arg0) <{dimensions = array<i64: 0, 1>}>
  %2 = "stablehlo.map"(%x, %x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.power %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK: "stablehlo.if"(%arg3)
  %3 = "stablehlo.if"(%p) ({
    %r = stablehlo.constant dense<1.0> : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }, {
    %r = stablehlo.constant dense<2.0> : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  // CHECK: "stablehlo.case"(%arg4)
  %4 = "stablehlo.case"(%n) ({
    %r = stablehlo.constant dense<1.0> : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }, {
    %r = stablehlo.constant dense<2.0> : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}

// CHECK-LABEL: @numbers
func.func @numbers(%x: tensor<2x4x3xf32>, %v: tensor<3xf32>, %i: tensor<2xi32>, %m: tensor<4x6xf32>, %z: tensor<2x4xi1>) {
  // CHECK: "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg1, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}>
  %0 = "stablehlo.batch_norm_inference"(%x, %v, %v, %v, %v) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x4x3xf32>
  // CHECK: "stablehlo.batch_norm_training"
  %1:3 = "stablehlo.batch_norm_training"(%x, %v, %v) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  // CHECK: "stablehlo.batch_norm_grad"
  %2:3 = "stablehlo.batch_norm_grad"(%x, %v, %v, %v, %x) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}> : (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  // CHECK: "stablehlo.torch_index_select"(%arg3, %arg2) <{batch_dims = 0 : i64, dim = 0 : i64}>
  %3 = "stablehlo.torch_index_select"(%m, %i) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<2x6xf32>
  // CHECK: stablehlo.iota dim = 1 : tensor<4x5xi32>
  %4 = stablehlo.iota dim = 1 : tensor<4x5xi32>
  // CHECK: stablehlo.reduce_precision %arg3, format = e5m10 : tensor<4x6xf32>
  %5 = stablehlo.reduce_precision %m, format = e5m10 : tensor<4x6xf32>
  // CHECK: stablehlo.clamp %arg3, %arg3, %arg3 : tensor<4x6xf32>
  %6 = stablehlo.clamp %m, %m, %m : tensor<4x6xf32>
  // CHECK: stablehlo.compare LT, %arg3, %arg3, FLOAT
  %7 = stablehlo.compare LT, %m, %m, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  // CHECK: stablehlo.select %{{.*}}, %arg3, %arg3
  %8 = stablehlo.select %7, %m, %m : tensor<4x6xi1>, tensor<4x6xf32>
  // CHECK: stablehlo.atan2 %arg3, %arg3
  %9 = stablehlo.atan2 %m, %m : tensor<4x6xf32>
  // CHECK: stablehlo.bitcast_convert %arg3
  %10 = stablehlo.bitcast_convert %m : (tensor<4x6xf32>) -> tensor<4x6x2xi16>
  // CHECK: stablehlo.convert %arg3
  %11 = stablehlo.convert %m : (tensor<4x6xf32>) -> tensor<4x6xi8>
  // CHECK: stablehlo.complex %arg3, %arg3
  %12 = stablehlo.complex %m, %m : tensor<4x6xcomplex<f32>>
  // CHECK: stablehlo.and %arg4, %arg4
  %13 = stablehlo.and %z, %z : tensor<2x4xi1>
  // CHECK: stablehlo.shift_left %arg2, %arg2
  %14 = stablehlo.shift_left %i, %i : tensor<2xi32>
  // CHECK: stablehlo.popcnt %arg2
  %15 = stablehlo.popcnt %i : tensor<2xi32>
  // CHECK: stablehlo.cosine %arg3
  %16 = stablehlo.cosine %m : tensor<4x6xf32>
  // CHECK: stablehlo.sign %arg3
  %17 = stablehlo.sign %m : tensor<4x6xf32>
  return
}
