// Convenience builders, folds and small methods of the operations.
#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
namespace ferrule::stablehlo {

/// The inferred type. Where the operands allow none, inference has said so at
/// the operation's location; the operation then stands with the type of its
/// operand and is refused by its verifier.
static Type need(FailureOr<RankedTensorType> type, Value operand) {
  return succeeded(type) ? Type(*type) : operand.getType();
}

/// `[[low, high], ...]` as the attribute, null when there is none.
static DenseIntElementsAttr paddingAttr(OpBuilder &builder,
                                        ArrayRef<int64_t> padding) {
  if (padding.empty())
    return {};
  auto type = RankedTensorType::get(
      {static_cast<int64_t>(padding.size() / 2), 2}, builder.getI64Type());
  return DenseIntElementsAttr::get(type, padding);
}

static DenseI64ArrayAttr optionalArray(OpBuilder &builder,
                                       ArrayRef<int64_t> values) {
  return values.empty() ? DenseI64ArrayAttr()
                        : builder.getDenseI64ArrayAttr(values);
}

/// Adds a region of one block with arguments of `types`.
static void addRegion(OpBuilder &builder, OperationState &state,
                      TypeRange types, BodyBuilder fill) {
  OpBuilder::InsertionGuard guard(builder);
  Region *region = state.addRegion();
  SmallVector<Location> locs(types.size(), state.location);
  Block *block = builder.createBlock(region, {}, types, locs);
  fill(builder, state.location, block->getArguments());
}

static SmallVector<Type> scalarsOf(TypeRange types) {
  return llvm::map_to_vector(types, [](Type type) -> Type {
    return RankedTensorType::get({}, getElementTypeOrSelf(type));
  });
}

static SmallVector<Type> twice(ArrayRef<Type> types) {
  SmallVector<Type> result(types);
  result.append(types.begin(), types.end());
  return result;
}

void ConvertOp::build(OpBuilder &builder, OperationState &state, Value operand,
                      Type elementType) {
  build(builder, state,
        withElement(operand.getType(), getElementTypeOrSelf(elementType)),
        operand);
}

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  return getOperand().getType() == getType() ? getOperand() : OpFoldResult();
}

/// What a comparison means for elements of a type when nothing is said.
static ComparisonType usualComparison(Type element) {
  if (isPredElement(element) || element.isUnsignedInteger())
    return ComparisonType::UNSIGNED;
  if (isa<IntegerType>(element))
    return ComparisonType::SIGNED;
  return ComparisonType::FLOAT;
}

void CompareOp::build(OpBuilder &builder, OperationState &state, Value lhs,
                      Value rhs, ComparisonDirection direction) {
  ComparisonType type = usualComparison(getElementTypeOrSelf(lhs.getType()));
  build(builder, state, lhs, rhs, direction,
        ComparisonTypeAttr::get(builder.getContext(), type));
}

ComparisonType CompareOp::getEffectiveType() {
  ComparisonType type = getCompareType().value_or(ComparisonType::NOTYPE);
  return type == ComparisonType::NOTYPE
             ? usualComparison(getLhs().getType().getElementType())
             : type;
}

void ConstantOp::build(OpBuilder &, OperationState &state, Attribute value) {
  auto elements = cast<ElementsAttr>(value);
  state.getOrAddProperties<Properties>().value = elements;
  state.addTypes(elements.getType());
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(),
          isa<IntegerType>(getType().getElementType()) ? "c" : "cst");
}

void ReshapeOp::build(OpBuilder &builder, OperationState &state, Value operand,
                      ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(operand.getType());
  build(builder, state, RankedTensorType::get(shape, type.getElementType()),
        operand);
}

void DynamicBroadcastInDimOp::build(OpBuilder &builder, OperationState &state,
                                    Type type, Value operand,
                                    Value outputDimensions,
                                    ArrayRef<int64_t> broadcastDimensions) {
  build(builder, state, type, operand, outputDimensions,
        builder.getDenseI64ArrayAttr(broadcastDimensions), {}, {});
}

void DotGeneralOp::build(OpBuilder &builder, OperationState &state, Type type,
                         Value lhs, Value rhs, DotDimensionNumbersAttr dims) {
  build(builder, state, type, lhs, rhs, dims, ArrayAttr(), DotAlgorithmAttr());
}

void DotGeneralOp::build(OpBuilder &builder, OperationState &state, Value lhs,
                         Value rhs, DotDimensionNumbersAttr dims,
                         Type elementType) {
  build(builder, state,
        need(inferDotGeneral(state.location, lhs.getType(), rhs.getType(), dims,
                             elementType),
             lhs),
        lhs, rhs, dims);
}

/// Sizes of the kernel's spatial dimensions.
static SmallVector<int64_t> kernelSizes(Value kernel,
                                        ConvDimensionNumbersAttr dims) {
  auto type = cast<RankedTensorType>(kernel.getType());
  return llvm::map_to_vector(dims.getKernelSpatialDimensions(),
                             [&](int64_t dim) { return type.getDimSize(dim); });
}

void ConvolutionOp::build(OpBuilder &builder, OperationState &state, Value lhs,
                          Value rhs, ConvDimensionNumbersAttr dims,
                          ArrayRef<int64_t> strides, ArrayRef<int64_t> padding,
                          ArrayRef<int64_t> lhsDilation,
                          ArrayRef<int64_t> rhsDilation,
                          int64_t featureGroupCount, int64_t batchGroupCount,
                          Type elementType) {
  auto window = makeWindow(state.location, kernelSizes(rhs, dims), strides,
                           padding, lhsDilation, rhsDilation, {});
  FailureOr<RankedTensorType> type = failure();
  if (succeeded(window))
    type = inferConvolution(state.location, lhs.getType(), rhs.getType(), dims,
                            *window, featureGroupCount, batchGroupCount,
                            elementType);
  build(builder, state, need(type, lhs), lhs, rhs,
        optionalArray(builder, strides), paddingAttr(builder, padding),
        optionalArray(builder, lhsDilation),
        optionalArray(builder, rhsDilation), DenseBoolArrayAttr(), dims,
        builder.getI64IntegerAttr(featureGroupCount),
        builder.getI64IntegerAttr(batchGroupCount), ArrayAttr());
}

SmallVector<WindowDimension> ConvolutionOp::getWindow() {
  auto window =
      makeWindow(std::nullopt, kernelSizes(getRhs(), getDimensionNumbers()),
                 getWindowStrides(), getPadding(), getLhsDilation(),
                 getRhsDilation(), getWindowReversal());
  return succeeded(window) ? *window : SmallVector<WindowDimension>();
}

void ReduceOp::build(OpBuilder &builder, OperationState &state,
                     ValueRange inputs, ValueRange initValues,
                     ArrayRef<int64_t> dimensions, BodyBuilder body) {
  SmallVector<Type> types;
  if (failed(inferReduce(state.location, TypeRange(inputs),
                         TypeRange(initValues), dimensions, types)))
    types.assign(inputs.getTypes().begin(), inputs.getTypes().end());
  state.addOperands(inputs);
  state.addOperands(initValues);
  state.getOrAddProperties<Properties>().dimensions =
      builder.getDenseI64ArrayAttr(dimensions);
  state.addTypes(types);
  addRegion(builder, state, twice(scalarsOf(types)), body);
}

void ReduceWindowOp::build(OpBuilder &builder, OperationState &state,
                           ValueRange inputs, ValueRange initValues,
                           ArrayRef<int64_t> windowDimensions,
                           ArrayRef<int64_t> windowStrides,
                           ArrayRef<int64_t> baseDilations,
                           ArrayRef<int64_t> windowDilations,
                           ArrayRef<int64_t> padding, BodyBuilder body) {
  auto window = makeWindow(state.location, windowDimensions, windowStrides,
                           padding, baseDilations, windowDilations, {});
  SmallVector<Type> types;
  if (failed(window) ||
      failed(inferReduceWindow(state.location, TypeRange(inputs),
                               TypeRange(initValues), *window, types)))
    types.assign(inputs.getTypes().begin(), inputs.getTypes().end());
  state.addOperands(inputs);
  state.addOperands(initValues);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.window_dimensions = builder.getDenseI64ArrayAttr(windowDimensions);
  properties.window_strides = optionalArray(builder, windowStrides);
  properties.base_dilations = optionalArray(builder, baseDilations);
  properties.window_dilations = optionalArray(builder, windowDilations);
  properties.padding = paddingAttr(builder, padding);
  state.addTypes(types);
  addRegion(builder, state, twice(scalarsOf(types)), body);
}

SmallVector<WindowDimension> ReduceWindowOp::getWindow() {
  auto window =
      makeWindow(std::nullopt, getWindowDimensions(), getWindowStrides(),
                 getPadding(), getBaseDilations(), getWindowDilations());
  return succeeded(window) ? *window : SmallVector<WindowDimension>();
}

void SortOp::build(OpBuilder &builder, OperationState &state, ValueRange inputs,
                   int64_t dimension, bool isStable, BodyBuilder comparator) {
  state.addOperands(inputs);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.dimension = builder.getI64IntegerAttr(dimension);
  properties.is_stable = builder.getBoolAttr(isStable);
  state.addTypes(inputs.getTypes());
  SmallVector<Type> arguments;
  for (Type type : scalarsOf(inputs.getTypes()))
    arguments.append(2, type);
  addRegion(builder, state, arguments, comparator);
}

void ScatterOp::build(OpBuilder &builder, OperationState &state,
                      ValueRange inputs, Value scatterIndices,
                      ValueRange updates, ScatterDimensionNumbersAttr dims,
                      bool indicesAreSorted, bool uniqueIndices,
                      BodyBuilder body) {
  state.addOperands(inputs);
  state.addOperands(scatterIndices);
  state.addOperands(updates);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.scatter_dimension_numbers = dims;
  properties.indices_are_sorted = builder.getBoolAttr(indicesAreSorted);
  properties.unique_indices = builder.getBoolAttr(uniqueIndices);
  state.addTypes(inputs.getTypes());
  addRegion(builder, state, twice(scalarsOf(inputs.getTypes())), body);
}

void IfOp::build(OpBuilder &builder, OperationState &state, TypeRange types,
                 Value pred, BranchBuilder onTrue, BranchBuilder onFalse) {
  state.addOperands(pred);
  state.addTypes(types);
  for (BranchBuilder branch : {onTrue, onFalse})
    addRegion(builder, state, {},
              [&](OpBuilder &b, Location loc, ValueRange) { branch(b, loc); });
}

void WhileOp::build(OpBuilder &builder, OperationState &state,
                    ValueRange operands, BodyBuilder cond, BodyBuilder body) {
  state.addOperands(operands);
  state.addTypes(operands.getTypes());
  addRegion(builder, state, operands.getTypes(), cond);
  addRegion(builder, state, operands.getTypes(), body);
}

void WhileOp::getAsmBlockArgumentNames(Region &region,
                                       OpAsmSetValueNameFn setName) {
  for (Value argument : region.getArguments())
    setName(argument, "iterArg");
}

void CustomCallOp::build(OpBuilder &builder, OperationState &state,
                         TypeRange types, ValueRange inputs, StringRef target,
                         Attribute backendConfig, bool hasSideEffect) {
  state.addOperands(inputs);
  state.addTypes(types);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.call_target_name = builder.getStringAttr(target);
  properties.backend_config = backendConfig;
  if (hasSideEffect)
    properties.has_side_effect = builder.getBoolAttr(true);
  // A dictionary is the configuration of the typed convention.
  if (isa_and_nonnull<DictionaryAttr>(backendConfig))
    properties.api_version = CustomCallApiVersionAttr::get(
        builder.getContext(), CustomCallApiVersion::API_VERSION_TYPED_FFI);
}

void CustomCallOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (!getHasSideEffect())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult CustomCallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  for (Attribute callee :
       getCalledComputations().value_or(ArrayAttr::get(getContext(), {})))
    if (!symbols.lookupNearestSymbolFrom(*this, cast<SymbolRefAttr>(callee)))
      return emitOpError() << "found no function " << callee;
  return success();
}

void CompositeOp::build(OpBuilder &builder, OperationState &state,
                        TypeRange types, ValueRange inputs, StringRef name,
                        DictionaryAttr attributes, StringRef decomposition,
                        int32_t version) {
  state.addOperands(inputs);
  state.addTypes(types);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.name = builder.getStringAttr(name);
  if (attributes && !attributes.empty())
    properties.composite_attributes = attributes;
  properties.decomposition =
      FlatSymbolRefAttr::get(builder.getContext(), decomposition);
  properties.version = builder.getI32IntegerAttr(version);
}

LogicalResult CompositeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom(*this, getDecompositionAttr());
  auto function = dyn_cast_or_null<FunctionOpInterface>(callee);
  if (!function)
    return emitOpError() << "C1: found no function " << getDecompositionAttr();
  if (!areCompatibleTypes(function.getArgumentTypes(), getOperandTypes()))
    return emitOpError() << "C3: found operands of types " << getOperandTypes()
                         << ", expected those of the decomposition, "
                         << function.getArgumentTypes();
  if (!areCompatibleTypes(function.getResultTypes(), getResultTypes()))
    return emitOpError() << "C4: found results of types " << getResultTypes()
                         << ", expected those of the decomposition, "
                         << function.getResultTypes();
  return success();
}

} // namespace ferrule::stablehlo
