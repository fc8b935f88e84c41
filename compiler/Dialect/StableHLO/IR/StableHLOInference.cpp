#include "compiler/Dialect/StableHLO/IR/StableHLOInference.h"
#include "compiler/Dialect/StableHLO/IR/StableHLOBounds.h"

using namespace mlir;
namespace ferrule::stablehlo {

static constexpr int64_t kDynamic = ShapedType::kDynamic;
static bool isDynamic(int64_t size) { return ShapedType::isDynamic(size); }
static RankedTensorType tensor(Type type) {
  return cast<RankedTensorType>(type);
}

FailureOr<int64_t> mergeSizes(int64_t left, int64_t right) {
  if (isDynamic(left))
    return right;
  if (isDynamic(right) || left == right)
    return left;
  return failure();
}

RankedTensorType withElement(Type type, Type element) {
  return tensor(type).clone(element);
}

int64_t multiplySizes(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes) {
    if (isDynamic(size))
      return size;
    result *= size;
  }
  return result;
}

SmallVector<int64_t> boundsOf(RankedTensorType type) {
  SmallVector<int64_t> bounds(type.getShape());
  if (auto given = dyn_cast_or_null<TypeExtensionsAttr>(type.getEncoding()))
    for (auto [bound, known] : llvm::zip(bounds, given.getBounds()))
      if (isDynamic(bound))
        bound = known;
  return bounds;
}

RankedTensorType makeBounded(ArrayRef<int64_t> shape, ArrayRef<int64_t> bounds,
                             Type element) {
  SmallVector<int64_t> given(bounds);
  for (auto [size, bound] : llvm::zip(shape, given))
    if (!isDynamic(size))
      bound = kDynamic;
  Attribute encoding;
  if (!llvm::all_of(given, isDynamic))
    encoding = TypeExtensionsAttr::get(element.getContext(), given);
  return RankedTensorType::get(shape, element, encoding);
}

/// Bounds of the two encodings, the tighter of each dimension; dimensions
/// that became static have none.
static Attribute mergeEncodings(Attribute left, Attribute right,
                                ArrayRef<int64_t> shape) {
  auto l = dyn_cast_or_null<TypeExtensionsAttr>(left);
  auto r = dyn_cast_or_null<TypeExtensionsAttr>(right);
  if (!l && !r)
    return left;
  SmallVector<int64_t> bounds;
  for (auto [i, size] : llvm::enumerate(shape)) {
    int64_t lb = l ? l.getBounds()[i] : kDynamic;
    int64_t rb = r ? r.getBounds()[i] : kDynamic;
    int64_t bound = isDynamic(lb) ? rb : isDynamic(rb) ? lb : std::min(lb, rb);
    bounds.push_back(isDynamic(size) ? bound : kDynamic);
  }
  if (llvm::all_of(bounds, isDynamic))
    return {};
  return TypeExtensionsAttr::get((l ? l : r).getContext(), bounds);
}

FailureOr<RankedTensorType> inferElementwise(OptionalLoc loc, TypeRange types) {
  auto first = tensor(types.front());
  SmallVector<int64_t> shape(first.getShape());
  Type element = first.getElementType();
  Attribute encoding = first.getEncoding();
  for (Type type : types.drop_front()) {
    auto other = tensor(type);
    if (other.getRank() != first.getRank())
      return emitOptionalError(loc, "found operands of rank ", first.getRank(),
                               " and ", other.getRank(),
                               ", expected equal shapes");
    for (auto [size, otherSize] : llvm::zip(shape, other.getShape())) {
      FailureOr<int64_t> merged = mergeSizes(size, otherSize);
      if (failed(merged))
        return emitOptionalError(loc, "found operands ", first, " and ", other,
                                 ", expected equal shapes");
      size = *merged;
    }
    encoding = mergeEncodings(encoding, other.getEncoding(), shape);
    Type otherElement = other.getElementType();
    if (isa<quant::UniformQuantizedPerAxisType>(otherElement)
            ? !isa<quant::UniformQuantizedPerAxisType>(element)
            : isQuantizedElement(otherElement) && !isQuantizedElement(element))
      element = otherElement;
  }
  return RankedTensorType::get(shape, element, encoding);
}

int64_t dilatedSize(int64_t size, int64_t dilation) {
  if (isDynamic(size))
    return size;
  return size == 0 ? 0 : (size - 1) * dilation + 1;
}

int64_t inferWindowedSize(int64_t input, const WindowDimension &window) {
  if (isDynamic(input) || isDynamic(window.size))
    return kDynamic;
  int64_t padded = dilatedSize(input, window.baseDilation) + window.paddingLow +
                   window.paddingHigh;
  int64_t size = dilatedSize(window.size, window.windowDilation);
  return padded <= 0 || size > padded ? 0 : (padded - size) / window.stride + 1;
}

FailureOr<SmallVector<WindowDimension>>
makeWindow(OptionalLoc loc, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
           ArrayRef<int64_t> padding, ArrayRef<int64_t> baseDilations,
           ArrayRef<int64_t> windowDilations, ArrayRef<bool> reversal) {
  size_t rank = sizes.size();
  auto check = [&](StringRef name, size_t found, size_t expected) {
    if (found == 0 || found == expected)
      return success();
    return emitOptionalError(loc, "found ", found, " entries in ", name,
                             ", expected ", expected);
  };
  if (failed(check("window_strides", strides.size(), rank)) ||
      failed(check("padding", padding.size(), 2 * rank)) ||
      failed(check("base dilation", baseDilations.size(), rank)) ||
      failed(check("window dilation", windowDilations.size(), rank)) ||
      failed(check("window_reversal", reversal.size(), rank)))
    return failure();
  SmallVector<WindowDimension> window(rank);
  for (size_t i = 0; i < rank; ++i) {
    WindowDimension &dim = window[i];
    dim.size = sizes[i];
    if (!strides.empty())
      dim.stride = strides[i];
    if (!padding.empty()) {
      dim.paddingLow = padding[2 * i];
      dim.paddingHigh = padding[2 * i + 1];
    }
    if (!baseDilations.empty())
      dim.baseDilation = baseDilations[i];
    if (!windowDilations.empty())
      dim.windowDilation = windowDilations[i];
    if (!reversal.empty())
      dim.reversal = reversal[i];
    if (dim.size <= 0 && !isDynamic(dim.size))
      return emitOptionalError(loc, "found window size ", dim.size,
                               " in dimension ", i, ", expected at least 1");
    if (dim.stride <= 0 || dim.baseDilation <= 0 || dim.windowDilation <= 0)
      return emitOptionalError(loc, "found stride ", dim.stride,
                               ", base dilation ", dim.baseDilation,
                               " and window dilation ", dim.windowDilation,
                               " in dimension ", i, ", expected at least 1");
  }
  return window;
}

FailureOr<SmallVector<WindowDimension>>
makeWindow(OptionalLoc loc, ArrayRef<int64_t> sizes,
           std::optional<ArrayRef<int64_t>> strides,
           std::optional<DenseIntElementsAttr> padding,
           std::optional<ArrayRef<int64_t>> baseDilations,
           std::optional<ArrayRef<int64_t>> windowDilations,
           std::optional<ArrayRef<bool>> reversal) {
  SmallVector<int64_t> pads;
  if (padding && *padding) {
    ShapedType type = padding->getType();
    if (type.getRank() != 2 || type.getDimSize(1) != 2 ||
        type.getDimSize(0) != static_cast<int64_t>(sizes.size()))
      return emitOptionalError(loc, "found padding of type ", type,
                               ", expected tensor<", sizes.size(), "x2xi64>");
    llvm::append_range(pads, padding->getValues<int64_t>());
  }
  return makeWindow(loc, sizes, strides.value_or(ArrayRef<int64_t>()), pads,
                    baseDilations.value_or(ArrayRef<int64_t>()),
                    windowDilations.value_or(ArrayRef<int64_t>()),
                    reversal.value_or(ArrayRef<bool>()));
}

FailureOr<RankedTensorType> inferTranspose(OptionalLoc loc, Type operand,
                                           ArrayRef<int64_t> permutation) {
  auto type = tensor(operand);
  if (!isPermutationVector(permutation) ||
      static_cast<int64_t>(permutation.size()) != type.getRank())
    return emitOptionalError(loc, "C2: found permutation [", permutation,
                             "], expected one of the ", type.getRank(),
                             " dimensions of the operand");
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  Attribute encoding;
  if (auto old = dyn_cast_or_null<TypeExtensionsAttr>(type.getEncoding())) {
    SmallVector<int64_t> bounds;
    for (int64_t dim : permutation)
      bounds.push_back(old.getBounds()[dim]);
    encoding = TypeExtensionsAttr::get(type.getContext(), bounds);
  }
  Type element = type.getElementType();
  if (auto axis = dyn_cast<quant::UniformQuantizedPerAxisType>(element))
    element = quant::UniformQuantizedPerAxisType::get(
        axis.getFlags(), axis.getStorageType(), axis.getExpressedType(),
        axis.getScales(), axis.getZeroPoints(),
        llvm::find(permutation, axis.getQuantizedDimension()) -
            permutation.begin(),
        axis.getStorageTypeMin(), axis.getStorageTypeMax());
  return RankedTensorType::get(shape, element, encoding);
}

FailureOr<RankedTensorType> inferSlice(OptionalLoc loc, Type operand,
                                       ArrayRef<int64_t> starts,
                                       ArrayRef<int64_t> limits,
                                       ArrayRef<int64_t> strides) {
  auto type = tensor(operand);
  size_t rank = type.getRank();
  if (starts.size() != rank || limits.size() != rank || strides.size() != rank)
    return emitOptionalError(loc, "C2: found ", starts.size(), " starts, ",
                             limits.size(), " limits and ", strides.size(),
                             " strides for an operand of rank ", rank);
  SmallVector<int64_t> shape;
  for (size_t i = 0; i < rank; ++i) {
    int64_t size = type.getDimSize(i);
    if (starts[i] < 0 || starts[i] > limits[i] ||
        (!isDynamic(size) && limits[i] > size))
      return emitOptionalError(
          loc, "C3: found bounds ", starts[i], ":", limits[i], " in dimension ",
          i, ", expected 0 <= start <= limit",
          isDynamic(size) ? Twine() : " <= " + Twine(size));
    if (strides[i] <= 0)
      return emitOptionalError(loc, "C4: found stride ", strides[i],
                               " in dimension ", i, ", expected at least 1");
    shape.push_back(llvm::divideCeil(limits[i] - starts[i], strides[i]));
  }
  return RankedTensorType::get(shape, type.getElementType());
}

FailureOr<RankedTensorType> inferConcatenate(OptionalLoc loc, TypeRange inputs,
                                             int64_t dimension) {
  if (inputs.empty())
    return emitOptionalError(loc, "C3: found no inputs, expected at least one");
  auto first = tensor(inputs.front());
  if (dimension < 0 || dimension >= first.getRank())
    return emitOptionalError(loc, "C4: found dimension ", dimension,
                             " for inputs of rank ", first.getRank());
  SmallVector<int64_t> shape(first.getShape()), bounds = boundsOf(first);
  for (Type input : inputs.drop_front()) {
    auto type = tensor(input);
    if (type.getRank() != first.getRank())
      return emitOptionalError(loc, "C2: found inputs ", first, " and ", type,
                               ", expected equal ranks");
    SmallVector<int64_t> own = boundsOf(type);
    for (int64_t i = 0; i < type.getRank(); ++i) {
      int64_t size = type.getDimSize(i);
      auto sum = [](int64_t l, int64_t r) {
        return isDynamic(l) || isDynamic(r) ? kDynamic : l + r;
      };
      if (i == dimension) {
        shape[i] = sum(shape[i], size);
        bounds[i] = sum(bounds[i], own[i]);
        continue;
      }
      bounds[i] = isDynamic(bounds[i]) ? own[i]
                  : isDynamic(own[i])  ? bounds[i]
                                       : std::min(bounds[i], own[i]);
      FailureOr<int64_t> merged = mergeSizes(shape[i], size);
      if (failed(merged))
        return emitOptionalError(loc, "C2: found inputs ", first, " and ", type,
                                 ", expected equal sizes outside dimension ",
                                 dimension);
      shape[i] = *merged;
    }
    if (!areCompatibleElements(first.getElementType(), type.getElementType()))
      return emitOptionalError(loc, "C1: found inputs ", first, " and ", type,
                               ", expected equal element types");
  }
  return makeBounded(shape, bounds, first.getElementType());
}

FailureOr<RankedTensorType> inferPad(OptionalLoc loc, Type operand, Type value,
                                     ArrayRef<int64_t> low,
                                     ArrayRef<int64_t> high,
                                     ArrayRef<int64_t> interior) {
  auto type = tensor(operand);
  if (!areCompatibleElements(type.getElementType(),
                             tensor(value).getElementType()) ||
      tensor(value).getRank() != 0)
    return emitOptionalError(loc, "C1: found padding value ", value, " for ",
                             operand,
                             ", expected a scalar of its element type");
  size_t rank = type.getRank();
  if (low.size() != rank || high.size() != rank || interior.size() != rank)
    return emitOptionalError(
        loc, "C2: found ", low.size(), " low, ", high.size(), " high and ",
        interior.size(), " interior paddings for an operand of rank ", rank);
  SmallVector<int64_t> shape, bounds = boundsOf(type);
  for (size_t i = 0; i < rank; ++i) {
    int64_t size = type.getDimSize(i);
    if (interior[i] < 0)
      return emitOptionalError(loc, "C3: found interior padding ", interior[i],
                               " in dimension ", i, ", expected at least 0");
    if (isDynamic(size)) {
      shape.push_back(kDynamic);
      if (!isDynamic(bounds[i]))
        bounds[i] = std::max<int64_t>(
            low[i] + dilatedSize(bounds[i], interior[i] + 1) + high[i], 0);
      continue;
    }
    shape.push_back(low[i] + dilatedSize(size, interior[i] + 1) + high[i]);
    if (shape.back() < 0)
      return emitOptionalError(loc, "C4: padding makes dimension ", i,
                               " of size ", shape.back());
  }
  return makeBounded(shape, bounds, type.getElementType());
}

FailureOr<RankedTensorType> inferDynamicSlice(OptionalLoc loc, Type operand,
                                              size_t indices,
                                              ArrayRef<int64_t> sizes) {
  auto type = tensor(operand);
  size_t rank = type.getRank();
  if (indices != rank || sizes.size() != rank)
    return emitOptionalError(loc, "C2: found ", indices, " indices and ",
                             sizes.size(), " sizes for an operand of rank ",
                             rank);
  for (size_t i = 0; i < rank; ++i)
    if (sizes[i] < 0 ||
        (!type.isDynamicDim(i) && sizes[i] > type.getDimSize(i)))
      return emitOptionalError(loc, "C4: found slice size ", sizes[i],
                               " in dimension ", i, " of ", operand);
  return RankedTensorType::get(sizes, type.getElementType());
}

LogicalResult inferReduce(OptionalLoc loc, TypeRange inputs,
                          TypeRange initValues, ArrayRef<int64_t> dimensions,
                          SmallVectorImpl<Type> &results) {
  if (inputs.empty() || inputs.size() != initValues.size())
    return emitOptionalError(loc, "C3: found ", inputs.size(), " inputs and ",
                             initValues.size(),
                             " initial values, expected as many, at least one");
  int64_t rank = tensor(inputs.front()).getRank();
  llvm::SmallBitVector reduced(rank);
  for (int64_t dim : dimensions) {
    if (dim < 0 || dim >= rank)
      return emitOptionalError(loc, "C4: found dimension ", dim,
                               " for inputs of rank ", rank);
    if (reduced.test(dim))
      return emitOptionalError(loc, "C5: found dimension ", dim, " twice");
    reduced.set(dim);
  }
  FailureOr<RankedTensorType> common = inferElementwise(loc, inputs);
  if (failed(common))
    return failure();
  SmallVector<int64_t> shape, bounds, all = boundsOf(*common);
  for (int64_t i = 0; i < rank; ++i)
    if (!reduced.test(i)) {
      shape.push_back(common->getDimSize(i));
      bounds.push_back(all[i]);
    }
  for (auto [input, init] : llvm::zip(inputs, initValues)) {
    if (tensor(init).getRank() != 0)
      return emitOptionalError(loc, "C2: found initial value ", init,
                               ", expected a scalar");
    results.push_back(
        makeBounded(shape, bounds, tensor(input).getElementType()));
  }
  return success();
}

LogicalResult inferReduceWindow(OptionalLoc loc, TypeRange inputs,
                                TypeRange initValues,
                                ArrayRef<WindowDimension> window,
                                SmallVectorImpl<Type> &results) {
  if (inputs.empty() || inputs.size() != initValues.size())
    return emitOptionalError(loc, "C1: found ", inputs.size(), " inputs and ",
                             initValues.size(),
                             " initial values, expected as many, at least one");
  FailureOr<RankedTensorType> common = inferElementwise(loc, inputs);
  if (failed(common))
    return failure();
  if (common->getRank() != static_cast<int64_t>(window.size()))
    return emitOptionalError(loc, "C4: found ", window.size(),
                             " window dimensions for inputs of rank ",
                             common->getRank());
  SmallVector<int64_t> shape, bounds;
  for (auto [size, bound, dim] :
       llvm::zip(common->getShape(), boundsOf(*common), window)) {
    shape.push_back(inferWindowedSize(size, dim));
    bounds.push_back(inferWindowedSize(bound, dim));
  }
  for (Type input : inputs)
    results.push_back(
        makeBounded(shape, bounds, tensor(input).getElementType()));
  return success();
}

} // namespace ferrule::stablehlo
