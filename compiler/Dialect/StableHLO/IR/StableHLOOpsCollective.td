// Communication between processes.
#ifndef FERRULE_STABLEHLO_OPS_COLLECTIVE
#define FERRULE_STABLEHLO_OPS_COLLECTIVE

include "StableHLOAttrs.td"

def StableHLO_AllGatherOp
    : StableHLO_Op<"all_gather"> {
  let summary = "concatenates the values of a group's processes";
  let arguments = (ins Variadic<StableHLO_Tensor>:$operands,
      I64Attr:$all_gather_dim, StableHLO_ReplicaGroups:$replica_groups,
      OptionalAttr<StableHLO_ChannelHandle>:$channel_handle,
      UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<StableHLO_Tensor>);
  let hasVerifier = 1;
}

def StableHLO_AllReduceOp : StableHLO_Op<"all_reduce", [StableHLO_Body]> {
  let summary = "reduces over a group's processes";
  let arguments = (ins Variadic<StableHLO_Tensor>:$operands,
      StableHLO_ReplicaGroups:$replica_groups,
      OptionalAttr<StableHLO_ChannelHandle>:$channel_handle,
      UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<StableHLO_Tensor>);
  let regions = (region SizedRegion<1>:$computation);
  let hasRegionVerifier = 1;
}

def StableHLO_AllToAllOp : StableHLO_Op<"all_to_all"> {
  let summary = "splits, exchanges and concatenates";
  let arguments = (ins Variadic<StableHLO_Tensor>:$operands,
      I64Attr:$split_dimension, I64Attr:$concat_dimension,
      I64Attr:$split_count, StableHLO_ReplicaGroups:$replica_groups,
      OptionalAttr<StableHLO_ChannelHandle>:$channel_handle);
  let results = (outs Variadic<StableHLO_Tensor>);
  let hasVerifier = 1;
}

def StableHLO_ReduceScatterOp
    : StableHLO_Op<"reduce_scatter", [StableHLO_Body]> {
  let summary = "reduces over a group's processes and splits the result";
  let arguments = (ins StableHLO_Tensor:$operand, I64Attr:$scatter_dimension,
      StableHLO_ReplicaGroups:$replica_groups,
      OptionalAttr<StableHLO_ChannelHandle>:$channel_handle,
      UnitAttr:$use_global_device_ids);
  let results = (outs StableHLO_Tensor:$result);
  let regions = (region SizedRegion<1>:$computation);
  let hasRegionVerifier = 1;
}

def StableHLO_CollectiveBroadcastOp
    : StableHLO_Op<"collective_broadcast"> {
  let summary = "one process's value to its group";
  let arguments = (ins Variadic<StableHLO_Tensor>:$operands,
      StableHLO_ReplicaGroups:$replica_groups,
      OptionalAttr<StableHLO_ChannelHandle>:$channel_handle,
      UnitAttr:$has_dynamic_root);
  let results = (outs Variadic<StableHLO_Tensor>);
  let hasVerifier = 1;
}

def StableHLO_CollectivePermuteOp : StableHLO_Op<"collective_permute"> {
  let summary = "values along pairs of processes";
  let arguments = (ins StableHLO_Tensor:$operand,
      I64ElementsAttr:$source_target_pairs,
      OptionalAttr<StableHLO_ChannelHandle>:$channel_handle);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
}

def StableHLO_CollectiveReduceOp
    : StableHLO_Op<"collective_reduce", [StableHLO_Body]> {
  let summary = "reduces over a group's processes to one of them";
  let arguments = (ins Variadic<StableHLO_Tensor>:$operands,
      StableHLO_ReplicaGroups:$replica_groups,
      OptionalAttr<StableHLO_ChannelHandle>:$channel_handle,
      UnitAttr:$use_global_device_ids, UnitAttr:$has_dynamic_root);
  let results = (outs Variadic<StableHLO_Tensor>);
  let regions = (region SizedRegion<1>:$computation);
  let hasRegionVerifier = 1;
}

def StableHLO_CrossReplicaSumOp : StableHLO_Op<"cross-replica-sum"> {
  let summary = "sum over replicas (legacy)";
  let arguments = (ins StableHLO_Tensor:$operand,
      StableHLO_ReplicaGroups:$replica_groups);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
}

def StableHLO_SendOp : StableHLO_Op<"send"> {
  let summary = "sends values over a channel";
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs,
      StableHLO_TokenType:$token, StableHLO_ChannelHandle:$channel_handle,
      DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
      OptionalAttr<I64ElementsAttr>:$source_target_pairs);
  let results = (outs StableHLO_TokenType:$result);
  let hasVerifier = 1;
}

def StableHLO_RecvOp : StableHLO_Op<"recv"> {
  let summary = "receives values from a channel";
  let arguments = (ins StableHLO_TokenType:$token,
      StableHLO_ChannelHandle:$channel_handle,
      DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
      OptionalAttr<I64ElementsAttr>:$source_target_pairs);
  let results = (outs Variadic<StableHLO_TensorOrToken>);
  let hasVerifier = 1;
}

def StableHLO_ReplicaIdOp
    : StableHLO_Op<"replica_id", [Pure, StableHLO_InferType]> {
  let summary = "number of this process's replica";
  let results = (outs StableHLO_TensorOf<[UI32]>:$result);
  let assemblyFormat = [{
    attr-dict `:` type($result)
  }];
}

def StableHLO_PartitionIdOp
    : StableHLO_Op<"partition_id", [Pure, StableHLO_InferType]> {
  let summary = "number of this process's partition";
  let results = (outs StableHLO_TensorOf<[UI32]>:$result);
  let assemblyFormat = [{
    attr-dict `:` type($result)
  }];
}

#endif // FERRULE_STABLEHLO_OPS_COLLECTIVE
