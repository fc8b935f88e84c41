// The entry function's signature: inputs with their names and symbolic sizes,
// outputs with theirs.
#include "compiler/Frontend/ONNX/GraphImporter.h"
#include "compiler/Frontend/Support/SizeOrigins.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;

/// The graph's inputs without those that older files repeat for initializers.
SmallVector<const ValueInfo *> GraphImporter::realInputs() const {
  llvm::StringMap<bool> initialized;
  for (const Tensor &tensor : model.graph.initializers)
    initialized[tensor.name] = true;
  for (const SparseTensor &sparse : model.graph.sparseInitializers)
    initialized[sparse.values.name] = true;
  SmallVector<const ValueInfo *> inputs;
  for (const ValueInfo &info : model.graph.inputs)
    if (!initialized.contains(info.name))
      inputs.push_back(&info);
  return inputs;
}

/// Whether a dimension has a name that means something: some exporters write
/// "?" for sizes that have nothing to do with each other.
static bool isNamed(const Dimension &dim) {
  return !dim.value && llvm::any_of(dim.param, llvm::isAlnum);
}

/// A symbol for a dim_param. A name that is no identifier (exporters write
/// "seq + 1" or "unk__12/2") gets an identifier of its own.
std::string GraphImporter::symbolFor(StringRef param) {
  std::string &symbol = symbols[param];
  if (!symbol.empty())
    return symbol;
  for (char c : param)
    symbol += llvm::isAlnum(c) ? c : '_';
  if (!llvm::isAlpha(symbol[0]))
    symbol = "d" + symbol;
  auto taken = [&] {
    return llvm::count_if(symbols, [&](const auto &entry) {
             return entry.getValue() == symbol;
           }) > 1;
  };
  while (taken())
    symbol += '_';
  return symbol;
}

LogicalResult GraphImporter::applyShapeOverride(const ValueInfo &info,
                                                SmallVector<int64_t> &shape) {
  for (const auto &given : options.inputShapes) {
    if (given.name != info.name)
      continue;
    if (info.type.hasShape && given.dims.size() != shape.size())
      return emitError(module.getLoc())
             << "the shape given for input '" << info.name << "' has rank "
             << given.dims.size() << ", expected rank " << shape.size();
    shape.resize(given.dims.size(), ShapedType::kDynamic);
    for (auto [i, dim] : llvm::enumerate(given.dims)) {
      if (dim < 0)
        continue;
      if (ShapedType::isStatic(shape[i]) && shape[i] != dim)
        return emitError(module.getLoc())
               << "the shape given for input '" << info.name << "' has size "
               << dim << " in dimension " << i << ", expected " << shape[i];
      shape[i] = dim;
      if (!info.type.hasShape || !isNamed(info.type.shape[i]))
        continue;
      StringRef param = info.type.shape[i].param;
      auto [known, isNew] = fixedSymbols.try_emplace(param, dim);
      if (!isNew && known->second != dim)
        return emitError(module.getLoc())
               << "the given input shapes make dimension '" << param
               << "' both " << known->second << " and " << dim;
    }
  }
  return success();
}

FailureOr<RankedTensorType> GraphImporter::inputType(const ValueInfo &info) {
  Type element = elementType(info.type.elementType, module.getContext());
  if (!element)
    return emitError(module.getLoc())
           << "graph input '" << info.name << "' has element type "
           << dataTypeName(info.type.elementType) << ", which is not supported";
  SmallVector<int64_t> shape;
  for (const Dimension &dim : info.type.shape) {
    bool known = dim.value && *dim.value >= 0;
    shape.push_back(known ? *dim.value : ShapedType::kDynamic);
  }
  if (failed(applyShapeOverride(info, shape)))
    return failure();
  if (!info.type.hasShape && !isGiven(info.name))
    return emitError(module.getLoc())
           << "graph input '" << info.name
           << "' has no declared rank; give its shape with --input-shape";
  return RankedTensorType::get(shape, element);
}

ArrayAttr GraphImporter::dimNames(const ValueInfo &info,
                                  ArrayRef<int64_t> shape) {
  SmallVector<StringRef> names;
  SmallVector<std::string> storage(shape.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    if (ShapedType::isDynamic(shape[i]) && i < info.type.shape.size() &&
        isNamed(info.type.shape[i]))
      storage[i] = symbolFor(info.type.shape[i].param);
    names.push_back(storage[i]);
  }
  return Builder(module.getContext()).getStrArrayAttr(names);
}

bool GraphImporter::isGiven(StringRef name) const {
  return llvm::any_of(options.inputShapes,
                      [&](const auto &given) { return given.name == name; });
}

/// The items of a sequence x are inputs x[0], x[1] ..., as many as have a given
/// shape; a given shape of x[] says that there are none, or that an optional is
/// empty.
FailureOr<GraphImporter::InputPlan>
GraphImporter::planInput(std::string name, const TypeInfo &type) {
  InputPlan plan;
  bool empty = isGiven(name + "[]");
  if (type.kind == TypeInfo::TensorKind) {
    plan.leaf = leaves.size();
    leafNames.push_back(name);
    leaves.push_back({leafNames.back(), type});
    return plan;
  }
  plan.kind = type.kind;
  if (type.kind == TypeInfo::OptionalKind && type.element) {
    if (!empty)
      return planInput(name, *type.element);
    return plan;
  }
  if (type.kind != TypeInfo::SequenceKind || !type.element)
    return emitError(module.getLoc())
           << "graph input '" << name
           << "' is a map or of an unknown kind, expected tensors";
  for (size_t i = 0; !empty; ++i) {
    std::string item = (name + "[" + Twine(i) + "]").str();
    if (!isGiven(item))
      break;
    // Items need not agree in sizes of the same name.
    TypeInfo own = *type.element;
    for (Dimension &dim : own.shape)
      dim.param = {};
    auto known = planInput(item, own);
    if (failed(known))
      return failure();
    plan.items.push_back(*known);
  }
  if (plan.items.empty() && !empty)
    return emitError(module.getLoc())
           << "graph input '" << name
           << "' is a sequence, whose length a program must know; give the "
              "shapes of its items as '"
           << name << "[0]', '" << name << "[1]' ..., or '" << name
           << "[]' for none";
  return plan;
}

Datum GraphImporter::bindInput(const InputPlan &plan, func::FuncOp function) {
  Datum datum;
  if (plan.kind == TypeInfo::TensorKind) {
    datum.tensor = function.getArgument(plan.leaf);
  } else if (plan.kind == TypeInfo::OptionalKind) {
    datum.isEmptyOptional = true;
  } else {
    datum.sequence = std::make_shared<std::vector<Datum>>();
    for (const InputPlan &item : plan.items)
      datum.sequence->push_back(bindInput(item, function));
  }
  return datum;
}

LogicalResult GraphImporter::declareInputs(func::FuncOp function) {
  Builder b(module.getContext());
  std::vector<std::pair<StringRef, InputPlan>> plans;
  for (const ValueInfo *info : realInputs()) {
    auto plan = planInput(info->name.str(), info->type);
    if (failed(plan))
      return failure();
    plans.push_back({info->name, *plan});
  }
  SmallVector<const ValueInfo *> inputs;
  for (const ValueInfo &leaf : leaves)
    inputs.push_back(&leaf);
  for (const auto &given : options.inputShapes)
    if (!StringRef(given.name).ends_with("[]") &&
        llvm::none_of(inputs, [&](const ValueInfo *info) {
          return info->name == given.name;
        }))
      return emitError(module.getLoc())
             << "a shape is given for '" << given.name
             << "', which is not an input of the graph";
  SmallVector<RankedTensorType> types;
  for (const ValueInfo *info : inputs) {
    auto type = inputType(*info);
    if (failed(type))
      return failure();
    types.push_back(*type);
  }
  NamedAttrList ranges;
  for (auto [info, type] : llvm::zip(inputs, types)) {
    // A size given for one input fixes every dimension of that name.
    SmallVector<int64_t> shape(type.getShape());
    for (auto [i, dim] : llvm::enumerate(info->type.shape)) {
      auto fixed = fixedSymbols.find(dim.param);
      if (i < shape.size() && isNamed(dim) && fixed != fixedSymbols.end())
        shape[i] = fixed->second;
    }
    type = RankedTensorType::get(shape, type.getElementType());
    unsigned index = function.getNumArguments();
    ArrayAttr dims = dimNames(*info, shape);
    if (failed(function.insertArgument(
            index, type,
            b.getDictionaryAttr(
                {b.getNamedAttr("ferrule.name", b.getStringAttr(info->name)),
                 b.getNamedAttr("ferrule.dims", dims)}),
            NameLoc::get(b.getStringAttr(info->name)))))
      return failure();
    for (Attribute dim : dims)
      if (auto name = cast<StringAttr>(dim); !name.empty())
        ranges.set(name, b.getI64ArrayAttr({0, -1}));
  }
  for (auto &[name, plan] : plans)
    scopes.back().values[name] = bindInput(plan, function);
  module->setAttr("ferrule.symbols", b.getDictionaryAttr(ranges));
  if (model.metadata.empty())
    return success();
  NamedAttrList metadata;
  for (auto &[key, value] : model.metadata)
    if (!key.empty())
      metadata.set(key, b.getStringAttr(value));
  module->setAttr("ferrule.metadata", b.getDictionaryAttr(metadata));
  return success();
}

/// The names of an output's sizes where they are an input's.
static ArrayAttr resultDims(func::FuncOp function, Value value) {
  Builder b(function.getContext());
  SmallVector<Attribute> names;
  auto type = cast<RankedTensorType>(value.getType());
  for (int64_t i = 0; i < type.getRank(); ++i) {
    Attribute name = b.getStringAttr("");
    if (type.isDynamicDim(i)) {
      frontend::SizeOrigin origin = frontend::originOf(value, i);
      auto argument = dyn_cast_or_null<BlockArgument>(origin.value);
      if (argument && origin.dim >= 0 &&
          argument.getOwner() == &function.getBody().front())
        name = function.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(),
                                                    "ferrule.dims")[origin.dim];
    }
    names.push_back(name);
  }
  return b.getArrayAttr(names);
}

LogicalResult GraphImporter::finish(func::FuncOp function) {
  Builder b(module.getContext());
  SmallVector<Value> results;
  SmallVector<DictionaryAttr> attributes;
  builder.setLoc(module.getLoc());
  auto add = [&](const Twine &name, Value tensor) {
    results.push_back(tensor);
    attributes.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("ferrule.name", b.getStringAttr(name)),
         b.getNamedAttr("ferrule.dims", resultDims(function, tensor))}));
  };
  for (const ValueInfo &info : model.graph.outputs) {
    Datum datum = lookup(info.name);
    if (datum.tensor)
      add(info.name, datum.tensor);
    else if (!datum.sequence)
      return emitError(module.getLoc())
             << "graph output '" << info.name << "' is "
             << (datum.isEmptyOptional ? "an empty optional, expected a tensor"
                                       : "not defined by any node");
    // The items of a sequence are outputs of their own.
    if (datum.sequence)
      for (auto [i, item] : llvm::enumerate(*datum.sequence)) {
        if (!item.tensor)
          return emitError(module.getLoc())
                 << "graph output '" << info.name
                 << "' is a sequence of sequences or optionals, expected one "
                    "of tensors";
        add(info.name + "[" + Twine(i) + "]", item.tensor);
      }
  }
  func::ReturnOp::create(builder, results);
  function.setFunctionType(FunctionType::get(module.getContext(),
                                             function.getArgumentTypes(),
                                             TypeRange(ValueRange(results))));
  function.setAllResultAttrs(attributes);
  // Shape subgraphs leave tensors behind that nothing reads any more.
  IRRewriter rewriter(module.getContext());
  (void)runRegionDCE(rewriter, module->getRegions());
  return success();
}
