// From the versioned operations to those of today: names lose their version,
// exploded attributes come together again, defaults go.
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Dialect/VHLO/VHLO.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::stablehlo;

namespace {

/// Attributes of one operation on their way.
class Attributes {
public:
  explicit Attributes(Operation *op)
      : context(op->getContext()), list(op->getAttrs()) {}

  Attribute take(StringRef name) { return list.erase(name); }
  void set(StringRef name, Attribute value) {
    if (value)
      list.set(name, value);
  }
  SmallVector<int64_t> takeInts(StringRef name) {
    auto value = dyn_cast_or_null<DenseIntElementsAttr>(take(name));
    return value ? llvm::to_vector(value.getValues<int64_t>())
                 : SmallVector<int64_t>();
  }
  int64_t takeInt(StringRef name) {
    auto value = dyn_cast_or_null<IntegerAttr>(take(name));
    return value ? value.getInt() : 0;
  }
  Attribute get(StringRef name) const { return list.get(name); }
  ArrayRef<NamedAttribute> all() { return list; }

  MLIRContext *context;

private:
  NamedAttrList list;
};

bool isEmptyArray(Attribute attr) {
  auto array = dyn_cast_or_null<ArrayAttr>(attr);
  return array && array.empty();
}

/// Tensors of one dimension that are arrays of i64 in stablehlo.
bool isArrayName(StringRef name) {
  static const llvm::StringSet<> names = {"broadcast_dimensions",
                                          "broadcast_sizes",
                                          "dimensions",
                                          "permutation",
                                          "slice_sizes",
                                          "start_indices",
                                          "limit_indices",
                                          "strides",
                                          "edge_padding_low",
                                          "edge_padding_high",
                                          "interior_padding",
                                          "window_dimensions",
                                          "window_strides",
                                          "window_dilations",
                                          "base_dilations",
                                          "lhs_dilation",
                                          "rhs_dilation",
                                          "fft_length",
                                          "known_expanding_dimensions",
                                          "known_nonexpanding_dimensions"};
  return names.contains(name);
}

void convertArrays(Attributes &attrs) {
  SmallVector<NamedAttribute> entries(attrs.all());
  for (NamedAttribute entry : entries) {
    StringRef name = entry.getName();
    auto dense = dyn_cast<DenseElementsAttr>(entry.getValue());
    if (!dense || dense.getType().getRank() != 1)
      continue;
    if (isArrayName(name)) {
      auto values = llvm::to_vector(dense.getValues<int64_t>());
      attrs.take(name);
      if (!values.empty() || !name.starts_with("known_"))
        attrs.set(name, DenseI64ArrayAttr::get(attrs.context, values));
    } else if (name == "window_reversal") {
      auto values = llvm::to_vector(dense.getValues<bool>());
      attrs.set(name, DenseBoolArrayAttr::get(attrs.context, values));
    }
  }
}

void convertConv(Attributes &attrs) {
  int64_t inputBatch = attrs.takeInt("input_batch_dimension");
  int64_t inputFeature = attrs.takeInt("input_feature_dimension");
  auto inputSpatial = attrs.takeInts("input_spatial_dimensions");
  int64_t kernelInput = attrs.takeInt("kernel_input_feature_dimension");
  int64_t kernelOutput = attrs.takeInt("kernel_output_feature_dimension");
  auto kernelSpatial = attrs.takeInts("kernel_spatial_dimensions");
  int64_t outputBatch = attrs.takeInt("output_batch_dimension");
  int64_t outputFeature = attrs.takeInt("output_feature_dimension");
  auto outputSpatial = attrs.takeInts("output_spatial_dimensions");
  attrs.set("dimension_numbers",
            ConvDimensionNumbersAttr::get(
                attrs.context, inputBatch, inputFeature, inputSpatial,
                kernelInput, kernelOutput, kernelSpatial, outputBatch,
                outputFeature, outputSpatial));
}

void convertDot(Attributes &attrs) {
  auto lhsBatch = attrs.takeInts("lhs_batching_dimensions");
  auto rhsBatch = attrs.takeInts("rhs_batching_dimensions");
  auto lhsContract = attrs.takeInts("lhs_contracting_dimensions");
  auto rhsContract = attrs.takeInts("rhs_contracting_dimensions");
  attrs.set("dot_dimension_numbers",
            DotDimensionNumbersAttr::get(attrs.context, lhsBatch, rhsBatch,
                                         lhsContract, rhsContract));
  // Each is the type `none` when there is no algorithm.
  auto type = [&](StringRef name) {
    auto attr = dyn_cast_or_null<TypeAttr>(attrs.take(name));
    return attr && !isa<NoneType>(attr.getValue()) ? attr.getValue() : Type();
  };
  Type lhs = type("lhs_precision_type"), rhs = type("rhs_precision_type");
  Type accumulation = type("accumulation_type");
  int64_t lhsCount = attrs.takeInt("lhs_component_count");
  int64_t rhsCount = attrs.takeInt("rhs_component_count");
  int64_t operations = attrs.takeInt("num_primitive_operations");
  auto imprecise =
      dyn_cast_or_null<BoolAttr>(attrs.take("allow_imprecise_accumulation"));
  if (lhs && rhs && accumulation)
    attrs.set("algorithm",
              DotAlgorithmAttr::get(attrs.context, lhs, rhs, accumulation,
                                    lhsCount, rhsCount, operations,
                                    imprecise && imprecise.getValue()));
}

void convertGather(Attributes &attrs) {
  auto offset = attrs.takeInts("offset_dims");
  auto collapsed = attrs.takeInts("collapsed_slice_dims");
  auto operandBatch = attrs.takeInts("operand_batching_dims");
  auto indicesBatch = attrs.takeInts("start_indices_batching_dims");
  auto map = attrs.takeInts("start_index_map");
  attrs.set("dimension_numbers",
            GatherDimensionNumbersAttr::get(attrs.context, offset, collapsed,
                                            operandBatch, indicesBatch, map,
                                            attrs.takeInt("index_vector_dim")));
}

void convertScatter(Attributes &attrs) {
  auto window = attrs.takeInts("update_window_dims");
  auto inserted = attrs.takeInts("inserted_window_dims");
  auto inputBatch = attrs.takeInts("input_batching_dims");
  auto indicesBatch = attrs.takeInts("scatter_indices_batching_dims");
  auto map = attrs.takeInts("scatter_dims_to_operand_dims");
  attrs.set("scatter_dimension_numbers",
            ScatterDimensionNumbersAttr::get(
                attrs.context, window, inserted, inputBatch, indicesBatch, map,
                attrs.takeInt("index_vector_dim")));
}

/// channel_id and, for send and recv, channel_type; 0 is no channel.
void convertChannel(Attributes &attrs) {
  if (!attrs.get("channel_id"))
    return;
  bool hasType = static_cast<bool>(attrs.get("channel_type"));
  int64_t id = attrs.takeInt("channel_id");
  int64_t type = attrs.takeInt("channel_type");
  if (hasType || id > 0)
    attrs.set("channel_handle",
              ChannelHandleAttr::get(attrs.context, id, type));
  for (StringRef name : {"use_global_device_ids", "has_dynamic_root"})
    if (auto flag = dyn_cast_or_null<BoolAttr>(attrs.take(name));
        flag && flag.getValue())
      attrs.set(name, UnitAttr::get(attrs.context));
  if (auto pairs =
          dyn_cast_or_null<DenseElementsAttr>(attrs.get("source_target_pairs"));
      pairs && hasType && pairs.empty())
    attrs.take("source_target_pairs");
}

Attribute symbolOf(Attribute name) {
  auto text = dyn_cast_or_null<StringAttr>(name);
  return text ? FlatSymbolRefAttr::get(text) : Attribute();
}

void convertCall(Attributes &attrs) {
  auto dropIf = [&](StringRef name, bool isDefault) {
    if (isDefault)
      attrs.take(name);
  };
  SmallVector<Attribute> callees;
  for (Attribute name : cast<ArrayAttr>(attrs.take("called_computations")))
    callees.push_back(symbolOf(name));
  if (!callees.empty())
    attrs.set("called_computations", ArrayAttr::get(attrs.context, callees));
  if (isEmptyArray(attrs.get("operand_layouts")) &&
      isEmptyArray(attrs.get("result_layouts"))) {
    attrs.take("operand_layouts");
    attrs.take("result_layouts");
  }
  for (StringRef name : {"output_operand_aliases", "result_tilings"})
    dropIf(name, isEmptyArray(attrs.get(name)));
  auto config = dyn_cast_or_null<StringAttr>(attrs.get("backend_config"));
  dropIf("backend_config", config && config.empty());
  auto effect = dyn_cast_or_null<BoolAttr>(attrs.get("has_side_effect"));
  dropIf("has_side_effect", effect && !effect.getValue());
  auto version =
      dyn_cast_or_null<CustomCallApiVersionAttr>(attrs.get("api_version"));
  dropIf("api_version",
         version &&
             version.getValue() == CustomCallApiVersion::API_VERSION_ORIGINAL);
}

void convertComposite(Attributes &attrs) {
  attrs.set("decomposition", symbolOf(attrs.take("decomposition")));
  int64_t version = attrs.takeInt("version");
  if (version != 0)
    attrs.set("version", Builder(attrs.context).getI32IntegerAttr(version));
}

/// Defaults that the text leaves out.
void dropDefaults(Attributes &attrs) {
  if (isEmptyArray(attrs.get("precision_config")))
    attrs.take("precision_config");
  if (isEmptyArray(attrs.get("layout")))
    attrs.take("layout");
  if (auto type =
          dyn_cast_or_null<ComparisonTypeAttr>(attrs.get("compare_type"));
      type && type.getValue() == ComparisonType::NOTYPE)
    attrs.take("compare_type");
  if (auto accuracy =
          dyn_cast_or_null<ResultAccuracyAttr>(attrs.get("result_accuracy"));
      accuracy && accuracy.getMode().getValue() == ResultAccuracyMode::DEFAULT)
    attrs.take("result_accuracy");
  if (auto dictionary =
          dyn_cast_or_null<DictionaryAttr>(attrs.get("composite_attributes"));
      dictionary && dictionary.empty())
    attrs.take("composite_attributes");
}

void convertFunction(Attributes &attrs) {
  if (auto visibility =
          dyn_cast_or_null<StringAttr>(attrs.get("sym_visibility"));
      visibility && visibility.empty())
    attrs.take("sym_visibility");
  for (StringRef name : {"arg_attrs", "res_attrs"})
    if (isEmptyArray(attrs.get(name)))
      attrs.take(name);
}

void convertAttributes(StringRef name, Attributes &attrs) {
  convertArrays(attrs);
  if (name == "convolution" || name == "dynamic_conv")
    convertConv(attrs);
  else if (name == "dot_general")
    convertDot(attrs);
  else if (name == "gather" || name == "dynamic_gather")
    convertGather(attrs);
  else if (name == "scatter")
    convertScatter(attrs);
  else if (name == "custom_call")
    convertCall(attrs);
  else if (name == "composite")
    convertComposite(attrs);
  else if (name == "call")
    attrs.set("callee", symbolOf(attrs.take("callee")));
  else if (name == "func")
    convertFunction(attrs);
  convertChannel(attrs);
  dropDefaults(attrs);
  // The padding of the first dynamic_conv repeated its operand.
  if (name == "dynamic_conv")
    attrs.take("padding");
}

/// The name of today: without the version, in the dialect that has it.
std::string currentName(Operation *op, StringRef name) {
  if (name == "func" || name == "call")
    return ("func." + name).str();
  if (name == "return" && op->getParentOp()->getName().getStringRef() ==
                              func::FuncOp::getOperationName())
    return "func.return";
  return ("stablehlo." + name).str();
}

LogicalResult convert(Operation *op, StringRef producer) {
  StringRef full = op->getName().getStringRef();
  StringRef name = full.drop_front(StringRef("vhlo.").size());
  if (!vhlo::attributesOf(full))
    return op->emitError() << "found operation '" << full
                           << "' in a portable artifact of " << producer
                           << ", expected one of version 1.20.0 or older";
  name = name.take_front(name.rfind("_v"));
  Attributes attrs(op);
  convertAttributes(name, attrs);
  OperationState state(op->getLoc(), currentName(op, name), op->getOperands(),
                       op->getResultTypes(), attrs.all());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  OpBuilder builder(op);
  Operation *converted = builder.create(state);
  op->replaceAllUsesWith(converted);
  op->erase();
  return success();
}

LogicalResult convertRegion(Region &region, StringRef producer) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (op.getName().getDialectNamespace() != "vhlo")
        continue;
      Block::iterator next = std::next(op.getIterator());
      if (failed(convert(&op, producer)))
        return failure();
      // The operation's replacement stands before what followed it.
      for (Region &inner : std::prev(next)->getRegions())
        if (failed(convertRegion(inner, producer)))
          return failure();
    }
  return success();
}

} // namespace

LogicalResult ferrule::vhlo::convertToStableHLO(ModuleOp module,
                                                StringRef producer) {
  if (failed(convertRegion(module.getBodyRegion(), producer)))
    return failure();
  return verify(module);
}
