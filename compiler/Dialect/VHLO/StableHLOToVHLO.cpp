// From today's operations to versioned ones: names get a version, attributes
// are taken apart and all are written out.
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Dialect/VHLO/VHLO.h"
#include "compiler/Dialect/VHLO/Wrappers.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::stablehlo;
using llvm::VersionTuple;

namespace {

DenseElementsAttr makeTensor(MLIRContext *context, ArrayRef<int64_t> values) {
  return DenseIntElementsAttr::get(
      RankedTensorType::get(static_cast<int64_t>(values.size()),
                            IntegerType::get(context, 64)),
      values);
}

/// What the format has in place of an attribute, with all inside of it.
Attribute normalize(Attribute attribute) {
  MLIRContext *context = attribute.getContext();
  if (auto symbol = dyn_cast<FlatSymbolRefAttr>(attribute))
    return symbol.getAttr();
  if (auto array = dyn_cast<ArrayAttr>(attribute))
    return ArrayAttr::get(context,
                          llvm::map_to_vector(array.getValue(), normalize));
  if (auto dictionary = dyn_cast<DictionaryAttr>(attribute)) {
    SmallVector<NamedAttribute> entries(dictionary.getValue());
    for (NamedAttribute &entry : entries)
      entry.setValue(normalize(entry.getValue()));
    return DictionaryAttr::get(context, entries);
  }
  if (auto list = dyn_cast<DenseArrayAttr>(attribute)) {
    auto type = RankedTensorType::get(list.getSize(), list.getElementType());
    if (auto truths = dyn_cast<DenseBoolArrayAttr>(attribute))
      return DenseElementsAttr::get(type, truths.asArrayRef());
    return DenseElementsAttr::getFromRawBuffer(type, list.getRawData());
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob()) {
      bool isSplat = false;
      if (DenseElementsAttr::isValidRawBuffer(resource.getType(),
                                              blob->getData(), isSplat))
        return DenseElementsAttr::getFromRawBuffer(resource.getType(),
                                                   blob->getData());
    }
  return attribute;
}

/// One operation on its way.
class Converter {
public:
  Converter(Operation *op, VersionTuple version)
      : op(op), context(op->getContext()), builder(context), version(version),
        attrs(op->getAttrs()) {}

  LogicalResult convert();

private:
  void set(StringRef name, Attribute value) { attrs.set(name, value); }
  void setInts(StringRef name, ArrayRef<int64_t> values) {
    set(name, makeTensor(context, values));
  }
  void setInt(StringRef name, int64_t value) {
    set(name, builder.getI64IntegerAttr(value));
  }
  void setDefault(StringRef name, Attribute value) {
    if (!attrs.get(name))
      set(name, value);
  }
  void takeApart();
  void takeApartConv(ConvDimensionNumbersAttr dims);
  void takeApartAlgorithm();
  void takeApartChannel();
  void fillWindow();
  void fillDefaults();
  void fillCall();
  LogicalResult checkOmitted(StringRef name, Attribute value);
  LogicalResult checkOperands(StringRef target);
  LogicalResult checkType(Type type);
  LogicalResult wrapTypes(TypeRange types, SmallVectorImpl<Type> &wrapped);
  LogicalResult wrapAttribute(StringAttr name, Attribute &value);
  InFlightDiagnostic refuse() {
    return op->emitError() << "'" << op->getName()
                           << "' cannot be in a portable artifact of version "
                           << version.getAsString() << ": ";
  }

  Operation *op;
  MLIRContext *context;
  Builder builder;
  VersionTuple version;
  NamedAttrList attrs;
};

void Converter::takeApartConv(ConvDimensionNumbersAttr dims) {
  setInt("input_batch_dimension", dims.getInputBatchDimension());
  setInt("input_feature_dimension", dims.getInputFeatureDimension());
  setInts("input_spatial_dimensions", dims.getInputSpatialDimensions());
  setInt("kernel_input_feature_dimension",
         dims.getKernelInputFeatureDimension());
  setInt("kernel_output_feature_dimension",
         dims.getKernelOutputFeatureDimension());
  setInts("kernel_spatial_dimensions", dims.getKernelSpatialDimensions());
  setInt("output_batch_dimension", dims.getOutputBatchDimension());
  setInt("output_feature_dimension", dims.getOutputFeatureDimension());
  setInts("output_spatial_dimensions", dims.getOutputSpatialDimensions());
}

/// Seven attributes, each the type `none` when there is no algorithm.
void Converter::takeApartAlgorithm() {
  auto algorithm = dyn_cast_or_null<DotAlgorithmAttr>(attrs.erase("algorithm"));
  if (!algorithm) {
    for (StringRef name :
         {"lhs_precision_type", "rhs_precision_type", "accumulation_type",
          "lhs_component_count", "rhs_component_count",
          "num_primitive_operations", "allow_imprecise_accumulation"})
      set(name, TypeAttr::get(builder.getNoneType()));
    return;
  }
  set("lhs_precision_type", TypeAttr::get(algorithm.getLhsPrecisionType()));
  set("rhs_precision_type", TypeAttr::get(algorithm.getRhsPrecisionType()));
  set("accumulation_type", TypeAttr::get(algorithm.getAccumulationType()));
  setInt("lhs_component_count", algorithm.getLhsComponentCount());
  setInt("rhs_component_count", algorithm.getRhsComponentCount());
  setInt("num_primitive_operations", algorithm.getNumPrimitiveOperations());
  set("allow_imprecise_accumulation",
      builder.getBoolAttr(algorithm.getAllowImpreciseAccumulation()));
}

void Converter::takeApartChannel() {
  auto channel =
      dyn_cast_or_null<ChannelHandleAttr>(attrs.erase("channel_handle"));
  setInt("channel_id", channel ? channel.getHandle() : 0);
  if (isa<SendOp, RecvOp>(op))
    setInt("channel_type", channel ? channel.getType() : 0);
  for (StringRef name : {"use_global_device_ids", "has_dynamic_root"})
    set(name, builder.getBoolAttr(static_cast<bool>(attrs.get(name))));
}

void Converter::takeApart() {
  Attribute numbers = attrs.erase("dimension_numbers");
  if (auto dims = dyn_cast_or_null<ConvDimensionNumbersAttr>(numbers))
    takeApartConv(dims);
  if (auto dims = dyn_cast_or_null<GatherDimensionNumbersAttr>(numbers)) {
    setInts("offset_dims", dims.getOffsetDims());
    setInts("collapsed_slice_dims", dims.getCollapsedSliceDims());
    setInts("operand_batching_dims", dims.getOperandBatchingDims());
    setInts("start_indices_batching_dims", dims.getStartIndicesBatchingDims());
    setInts("start_index_map", dims.getStartIndexMap());
    setInt("index_vector_dim", dims.getIndexVectorDim());
  }
  if (auto dims = dyn_cast_or_null<ScatterDimensionNumbersAttr>(
          attrs.erase("scatter_dimension_numbers"))) {
    setInts("update_window_dims", dims.getUpdateWindowDims());
    setInts("inserted_window_dims", dims.getInsertedWindowDims());
    setInts("input_batching_dims", dims.getInputBatchingDims());
    setInts("scatter_indices_batching_dims",
            dims.getScatterIndicesBatchingDims());
    setInts("scatter_dims_to_operand_dims", dims.getScatterDimsToOperandDims());
    setInt("index_vector_dim", dims.getIndexVectorDim());
  }
  if (auto dims = dyn_cast_or_null<DotDimensionNumbersAttr>(
          attrs.erase("dot_dimension_numbers"))) {
    setInts("lhs_batching_dimensions", dims.getLhsBatchingDimensions());
    setInts("rhs_batching_dimensions", dims.getRhsBatchingDimensions());
    setInts("lhs_contracting_dimensions", dims.getLhsContractingDimensions());
    setInts("rhs_contracting_dimensions", dims.getRhsContractingDimensions());
    takeApartAlgorithm();
  }
  bool hasChannel = isa<SendOp, RecvOp>(op);
  hasChannel |= !isa<CrossReplicaSumOp>(op) && attrs.get("replica_groups");
  if (hasChannel || isa<CollectivePermuteOp>(op))
    takeApartChannel();
}

/// Strides, dilations and padding of windows: ones and zeros.
void Converter::fillWindow() {
  int64_t rank = -1;
  if (auto spatial = dyn_cast_or_null<DenseElementsAttr>(
          attrs.get("kernel_spatial_dimensions")))
    rank = spatial.getNumElements();
  else if (isa<ReduceWindowOp, SelectAndScatterOp>(op))
    rank = cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
  if (rank < 0)
    return;
  Attribute ones = makeTensor(context, SmallVector<int64_t>(rank, 1));
  for (StringRef name :
       {"window_strides", "lhs_dilation", "rhs_dilation", "base_dilations",
        "window_dilations", "window_dimensions"})
    setDefault(name, ones);
  SmallVector<Attribute> zeros(2 * rank, builder.getI64IntegerAttr(0));
  SmallVector<bool> no(rank, false);
  setDefault(
      "padding",
      DenseElementsAttr::get(
          RankedTensorType::get({rank, 2}, builder.getI64Type()), zeros));
  setDefault("window_reversal",
             DenseElementsAttr::get(
                 RankedTensorType::get({rank}, builder.getI1Type()), no));
}

void Converter::fillCall() {
  Attribute none = builder.getArrayAttr({});
  setDefault("has_side_effect", builder.getBoolAttr(false));
  setDefault("backend_config", builder.getStringAttr(""));
  auto api = dyn_cast_or_null<IntegerAttr>(attrs.get("api_version"));
  set("api_version",
      vhlo::WrappedAttr::get(api ? api : builder.getI32IntegerAttr(1)));
  for (StringRef name :
       {"called_computations", "operand_layouts", "result_layouts",
        "output_operand_aliases", "result_tilings"})
    setDefault(name, none);
}

void Converter::fillDefaults() {
  Attribute none = builder.getArrayAttr({}), empty = builder.getStringAttr("");
  Attribute no = builder.getBoolAttr(false);
  fillWindow();
  if (isa<CustomCallOp>(op))
    fillCall();
  if (isa<CompositeOp>(op)) {
    setDefault("composite_attributes", builder.getDictionaryAttr({}));
    setDefault("version", builder.getI32IntegerAttr(0));
  }
  if (isa<SortOp>(op))
    setDefault("dimension", builder.getI64IntegerAttr(-1));
  if (isa<func::FuncOp>(op)) {
    setDefault("sym_visibility", empty);
    setDefault("arg_attrs", none);
    setDefault("res_attrs", none);
  }
  if (isa<CompareOp>(op))
    setDefault("compare_type",
               ComparisonTypeAttr::get(context, ComparisonType::NOTYPE));
  setDefault("result_accuracy", ResultAccuracyAttr::get(
                                    context, APFloat(0.0), APFloat(0.0), 0,
                                    ResultAccuracyModeAttr::get(
                                        context, ResultAccuracyMode::DEFAULT)));
  auto pairs = RankedTensorType::get({0, 2}, builder.getI64Type());
  setDefault("source_target_pairs",
             DenseElementsAttr::get(pairs, ArrayRef<Attribute>()));
  for (StringRef name : {"lower", "indices_are_sorted", "unique_indices",
                         "is_stable", "is_host_transfer"})
    setDefault(name, no);
  for (StringRef name : {"infeed_config", "outfeed_config"})
    setDefault(name, empty);
  for (StringRef name : {"layout", "precision_config"})
    setDefault(name, none);
  for (StringRef name :
       {"known_expanding_dimensions", "known_nonexpanding_dimensions"})
    setDefault(name, makeTensor(context, {}));
}

/// Whether an attribute that the target version lacks says nothing.
LogicalResult Converter::checkOmitted(StringRef name, Attribute value) {
  auto array = dyn_cast<ArrayAttr>(value);
  auto dense = dyn_cast<DenseElementsAttr>(value);
  auto truth = dyn_cast<BoolAttr>(value);
  auto type = dyn_cast<TypeAttr>(value);
  auto accuracy = dyn_cast<ResultAccuracyAttr>(value);
  if ((array && array.empty()) || (dense && dense.empty()) ||
      (truth && !truth.getValue()) ||
      (type && isa<NoneType>(type.getValue())) ||
      (accuracy &&
       accuracy.getMode().getValue() == ResultAccuracyMode::DEFAULT))
    return success();
  return refuse() << "found " << name << " = " << value
                  << ", which that version does not have";
}

/// The first versions of some operations had one operand, or no regions.
LogicalResult Converter::checkOperands(StringRef target) {
  bool single =
      llvm::StringSwitch<bool>(target)
          .Cases({"vhlo.all_gather_v1", "vhlo.all_reduce_v1",
                  "vhlo.all_to_all_v1", "vhlo.collective_broadcast_v1"},
                 true)
          .Default(false);
  if (single && op->getNumOperands() != 1)
    return refuse() << "found " << op->getNumOperands()
                    << " operands, expected 1";
  if (target == "vhlo.composite_v1" && op->getNumRegions() > 0)
    return refuse() << "found regions, expected none";
  if (isa<CustomCallOp>(op) && version < VersionTuple(1, 3, 0) &&
      isa<DictionaryAttr>(attrs.get("backend_config")))
    return refuse() << "found a dictionary as backend_config, expected text";
  return success();
}

LogicalResult Converter::checkType(Type type) {
  std::optional<VersionTuple> first = vhlo::firstVersionOf(type);
  if (!first)
    return refuse() << "found type " << type << ", which has no form there";
  if (*first > version)
    return refuse() << "found type " << type << ", which version "
                    << first->getAsString() << " has first";
  return success();
}

LogicalResult Converter::wrapTypes(TypeRange types,
                                   SmallVectorImpl<Type> &wrapped) {
  for (Type type : types) {
    if (failed(checkType(type)))
      return failure();
    wrapped.push_back(vhlo::WrappedType::get(type));
  }
  return success();
}

LogicalResult Converter::wrapAttribute(StringAttr name, Attribute &value) {
  std::optional<VersionTuple> first = vhlo::firstVersionOf(value);
  if (!first)
    return refuse() << "found attribute " << name.getValue() << " = " << value
                    << ", which has no form there";
  if (*first > version)
    return refuse() << "found attribute " << name.getValue() << " = " << value
                    << ", which version " << first->getAsString()
                    << " has first";
  value = vhlo::WrappedAttr::get(value);
  return success();
}

LogicalResult Converter::convert() {
  StringRef name = op->getName().stripDialect();
  bool isKnown = isa<StableHLODialect>(op->getDialect()) ||
                 isa<func::FuncOp, func::CallOp, func::ReturnOp>(op);
  std::string target = isKnown ? vhlo::operationOf(name, version) : "";
  if (target.empty())
    return refuse() << (isKnown ? "that version does not have it"
                                : "expected operations of stablehlo and func");
  NamedAttrList given = attrs;
  takeApart();
  for (NamedAttribute entry : SmallVector<NamedAttribute>(attrs.getAttrs()))
    attrs.set(entry.getName(), normalize(entry.getValue()));
  fillDefaults();
  if (failed(checkOperands(target)))
    return failure();
  SmallVector<NamedAttribute> properties, others;
  const SmallVector<StringRef> &wanted = *vhlo::attributesOf(target);
  std::string latest = vhlo::operationOf(name, VersionTuple(1, 20, 0));
  const SmallVector<StringRef> &current = *vhlo::attributesOf(latest);
  for (NamedAttribute entry : attrs) {
    bool isProperty = llvm::is_contained(wanted, entry.getName().getValue());
    bool isOmitted =
        !isProperty && llvm::is_contained(current, entry.getName().getValue());
    if (isOmitted && failed(checkOmitted(entry.getName(), entry.getValue())))
      return failure();
    // Defaults of other operations stay out.
    if (isOmitted || (!isProperty && !given.get(entry.getName())))
      continue;
    Attribute value = entry.getValue();
    if (failed(wrapAttribute(entry.getName(), value)))
      return failure();
    (isProperty ? properties : others).emplace_back(entry.getName(), value);
  }
  SmallVector<Type> results;
  if (failed(wrapTypes(op->getResultTypes(), results)))
    return failure();
  OperationState state(op->getLoc(), target, op->getOperands(), results,
                       others);
  for (Region &region : op->getRegions()) {
    for (BlockArgument argument : region.getArguments()) {
      if (failed(checkType(argument.getType())))
        return failure();
      argument.setType(vhlo::WrappedType::get(argument.getType()));
    }
    state.addRegion()->takeBody(region);
  }
  OpBuilder creator(op);
  Operation *converted = creator.create(state);
  if (!wanted.empty())
    *converted->getPropertiesStorage().as<Attribute *>() =
        DictionaryAttr::get(context, properties);
  op->replaceAllUsesWith(converted);
  op->erase();
  return success();
}

} // namespace

LogicalResult ferrule::vhlo::convertToVHLO(ModuleOp module,
                                           VersionTuple version) {
  SmallVector<Operation *> operations;
  module.walk([&](Operation *op) {
    if (op != module.getOperation())
      operations.push_back(op);
  });
  // Inner operations first: those around them still have their traits.
  for (Operation *op : operations)
    if (failed(Converter(op, version).convert()))
      return failure();
  return success();
}

LogicalResult ferrule::writePortableArtifact(ModuleOp module,
                                             VersionTuple version,
                                             raw_ostream &os) {
  if (version < VersionTuple(1, 0, 0) || version >= VersionTuple(1, 21, 0))
    return module.emitError()
           << "found version " << version.getAsString()
           << ", expected one from 1.0.0 to 1.20.0 for a portable artifact";
  module.getContext()->loadDialect<vhlo::VHLODialect>();
  OwningOpRef<ModuleOp> copy = module.clone();
  if (failed(vhlo::convertToVHLO(*copy, version)))
    return failure();
  // The configuration refers to the name, it does not copy it.
  std::string producer = "StableHLO_v" + version.getAsString();
  BytecodeWriterConfig config(producer);
  config.setDesiredBytecodeVersion(6);
  return writeBytecodeToFile(*copy, os, config);
}
