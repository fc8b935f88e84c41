// The table of operations: names with versions, and their attributes.
#include "compiler/Dialect/VHLO/VHLO.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace ferrule::vhlo;

namespace {

struct Row {
  /// Operations with the same attributes, separated by spaces.
  const char *names;
  /// Any order; the file has them alphabetically.
  const char *attributes;
};

} // namespace

#define CONV                                                                   \
  "window_strides lhs_dilation rhs_dilation window_reversal "                  \
  "input_batch_dimension input_feature_dimension input_spatial_dimensions "    \
  "kernel_input_feature_dimension kernel_output_feature_dimension "            \
  "kernel_spatial_dimensions output_batch_dimension "                          \
  "output_feature_dimension output_spatial_dimensions feature_group_count "    \
  "batch_group_count precision_config"
#define GATHER                                                                 \
  "offset_dims collapsed_slice_dims start_index_map index_vector_dim "         \
  "indices_are_sorted"
#define SCATTER                                                                \
  "update_window_dims inserted_window_dims scatter_dims_to_operand_dims "      \
  "index_vector_dim indices_are_sorted unique_indices"
#define DOT                                                                    \
  "lhs_batching_dimensions rhs_batching_dimensions "                           \
  "lhs_contracting_dimensions rhs_contracting_dimensions precision_config"
#define CUSTOM_CALL                                                            \
  "call_target_name has_side_effect backend_config api_version "               \
  "called_computations operand_layouts result_layouts output_operand_aliases"

static constexpr Row rows[] = {
    {"abs_v1 add_v1 after_all_v1 and_v1 async_done_v1 async_start_v1 atan2_v1 "
     "bitcast_convert_v1 case_v1 cbrt_v1 ceil_v1 clamp_v1 complex_v1 "
     "convert_v1 cosine_v1 count_leading_zeros_v1 create_token_v1 divide_v1 "
     "dynamic_pad_v1 dynamic_reshape_v1 dynamic_update_slice_v1 "
     "exponential_v1 exponential_minus_one_v1 floor_v1 if_v1 imag_v1 "
     "is_finite_v1 log_v1 log_plus_one_v1 logistic_v1 maximum_v1 minimum_v1 "
     "multiply_v1 negate_v1 not_v1 optimization_barrier_v1 or_v1 "
     "partition_id_v1 popcnt_v1 power_v1 real_v1 real_dynamic_slice_v1 "
     "remainder_v1 replica_id_v1 reshape_v1 return_v1 round_nearest_afz_v1 "
     "round_nearest_even_v1 rsqrt_v1 select_v1 shift_left_v1 "
     "shift_right_arithmetic_v1 shift_right_logical_v1 sign_v1 sine_v1 "
     "sqrt_v1 subtract_v1 tan_v1 tanh_v1 tuple_v1 uniform_dequantize_v1 "
     "uniform_quantize_v1 while_v1 xor_v1",
     ""},
    {"cbrt_v2 cosine_v2 exponential_v2 exponential_minus_one_v2 log_v2 "
     "log_plus_one_v2 logistic_v2 rsqrt_v2 sine_v2 sqrt_v2 tan_v2 tanh_v2",
     "result_accuracy"},
    {"all_gather_v1 all_gather_v2",
     "all_gather_dim replica_groups channel_id use_global_device_ids"},
    {"all_reduce_v1 all_reduce_v2",
     "replica_groups channel_id use_global_device_ids"},
    {"all_to_all_v1 all_to_all_v2",
     "split_dimension concat_dimension split_count replica_groups channel_id"},
    {"batch_norm_grad_v1 batch_norm_inference_v1 batch_norm_training_v1",
     "epsilon feature_index"},
    {"broadcast_v1", "broadcast_sizes"},
    {"broadcast_in_dim_v1", "broadcast_dimensions"},
    {"call_v1", "callee"},
    {"cholesky_v1", "lower"},
    {"collective_broadcast_v1", "replica_groups channel_id"},
    {"collective_broadcast_v2", "replica_groups channel_id has_dynamic_root"},
    {"collective_permute_v1", "source_target_pairs channel_id"},
    {"collective_reduce_v1",
     "replica_groups channel_id use_global_device_ids has_dynamic_root"},
    {"compare_v1", "comparison_direction compare_type"},
    {"composite_v1 composite_v2",
     "name composite_attributes decomposition version"},
    {"concatenate_v1 get_dimension_size_v1 set_dimension_size_v1", "dimension"},
    {"constant_v1", "value"},
    {"convolution_v1 dynamic_conv_v1", CONV " padding"},
    {"dynamic_conv_v2", CONV},
    {"cross-replica-sum_v1", "replica_groups"},
    {"custom_call_v1", CUSTOM_CALL},
    {"custom_call_v2", CUSTOM_CALL " result_tilings"},
    {"dot_v1", "precision_config"},
    {"dot_general_v1", DOT},
    {"dot_general_v2",
     DOT " lhs_precision_type rhs_precision_type accumulation_type "
         "lhs_component_count rhs_component_count num_primitive_operations "
         "allow_imprecise_accumulation"},
    {"dynamic_broadcast_in_dim_v1",
     "broadcast_dimensions known_expanding_dimensions "
     "known_nonexpanding_dimensions"},
    {"dynamic_gather_v1", GATHER},
    {"dynamic_gather_v2",
     GATHER " operand_batching_dims start_indices_batching_dims"},
    {"dynamic_iota_v1 iota_v1", "iota_dimension"},
    {"dynamic_slice_v1", "slice_sizes"},
    {"einsum_v1 unary_einsum_v1", "einsum_config"},
    {"fft_v1", "fft_type fft_length"},
    {"func_v1", "sym_name function_type sym_visibility arg_attrs res_attrs"},
    {"gather_v1", GATHER " slice_sizes"},
    {"gather_v2",
     GATHER " slice_sizes operand_batching_dims start_indices_batching_dims"},
    {"get_tuple_element_v1", "index"},
    {"infeed_v1", "infeed_config layout"},
    {"map_v1 reduce_v1 reverse_v1", "dimensions"},
    {"outfeed_v1", "outfeed_config"},
    {"pad_v1", "edge_padding_low edge_padding_high interior_padding"},
    {"recv_v1 send_v1", "channel_id channel_type is_host_transfer"},
    {"recv_v2 send_v2",
     "channel_id channel_type is_host_transfer source_target_pairs"},
    {"reduce_precision_v1", "exponent_bits mantissa_bits"},
    {"reduce_scatter_v1",
     "scatter_dimension replica_groups channel_id use_global_device_ids"},
    {"reduce_window_v1", "window_dimensions window_strides base_dilations "
                         "window_dilations padding"},
    {"rng_v1", "rng_distribution"},
    {"rng_bit_generator_v1", "rng_algorithm"},
    {"scatter_v1", SCATTER},
    {"scatter_v2",
     SCATTER " input_batching_dims scatter_indices_batching_dims"},
    {"select_and_scatter_v1", "window_dimensions window_strides padding"},
    {"slice_v1", "start_indices limit_indices strides"},
    {"sort_v1", "dimension is_stable"},
    {"torch_index_select_v1", "dim batch_dims"},
    {"transpose_v1", "permutation"},
    {"triangular_solve_v1", "left_side lower unit_diagonal transpose_a"},
};

#undef CONV
#undef GATHER
#undef SCATTER
#undef DOT
#undef CUSTOM_CALL

using Table = llvm::StringMap<SmallVector<StringRef>>;

static SmallVector<StringRef> words(StringRef text) {
  SmallVector<StringRef> result;
  text.split(result, ' ', -1, /*KeepEmpty=*/false);
  return result;
}

static const Table &table() {
  static const Table result = [] {
    Table table;
    for (const Row &row : rows) {
      SmallVector<StringRef> attributes = words(row.attributes);
      llvm::sort(attributes);
      for (StringRef name : words(row.names))
        table[name] = attributes;
    }
    return table;
  }();
  return result;
}

const SmallVector<StringRef> *ferrule::vhlo::attributesOf(StringRef name) {
  name.consume_front("vhlo.");
  auto found = table().find(name);
  return found == table().end() ? nullptr : &found->second;
}

SmallVector<StringRef> ferrule::vhlo::operationNames() {
  return llvm::to_vector(table().keys());
}
