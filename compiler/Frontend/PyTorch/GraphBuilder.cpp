#include "compiler/Frontend/PyTorch/GraphBuilder.h"
#include "compiler/Conversion/TorchToStableHLO/TorchToStableHLO.h"
#include "compiler/Dialect/Torch/IR/Torch.h"
#include "compiler/Support/ModuleHandle.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace ferrule::torch {

static StringRef ref(std::string_view text) {
  return StringRef(text.data(), text.size());
}

std::vector<std::string> getLoweredOperators() {
  std::vector<std::string> names;
  for (StringRef name : getLoweredTorchOps())
    names.push_back(name.str());
  return names;
}

struct GraphBuilder::State {
  State()
      : context(ModuleHandle::makeContext()),
        diagnostics(std::make_unique<DiagnosticText>(context.get())),
        builder(context.get()), location(UnknownLoc::get(context.get())) {
    context->loadDialect<TorchDialect, func::FuncDialect>();
    module = ModuleOp::create(location);
  }

  GraphBuilder::Value add(mlir::Value value) {
    values.push_back(value);
    return values.size() - 1;
  }
  void addAll(ValueRange range, Values &ids) {
    for (mlir::Value value : range)
      ids.push_back(add(value));
  }
  SmallVector<mlir::Value> get(const Values &ids) const {
    SmallVector<mlir::Value> list;
    for (GraphBuilder::Value id : ids)
      list.push_back(values[id]);
    return list;
  }
  SmallVector<Type> getTypes(const TypeIds &ids) const {
    SmallVector<Type> list;
    for (TypeId id : ids)
      list.push_back(types[id]);
    return list;
  }
  bool fail(const Twine &message) {
    errorText += message.str();
    errorText += diagnostics->str();
    return false;
  }

  /// A constant op, made once a function and put at its start so that it
  /// dominates every use, those in regions too.
  template <typename OpT, typename... Args>
  GraphBuilder::Value constant(std::string key, Args &&...args) {
    auto [slot, isNew] = constants.try_emplace(key, -1);
    if (!isNew)
      return slot->second;
    OpBuilder::InsertionGuard guard(builder);
    Block *entry = &function.getBody().front();
    if (lastConstant)
      builder.setInsertionPointAfter(lastConstant);
    else
      builder.setInsertionPointToStart(entry);
    auto op = OpT::create(builder, UnknownLoc::get(context.get()),
                          std::forward<Args>(args)...);
    lastConstant = op;
    return slot->second = add(op->getResult(0));
  }

  std::unique_ptr<MLIRContext> context;
  std::unique_ptr<DiagnosticText> diagnostics;
  OpBuilder builder;
  Location location;
  ModuleOp module;
  func::FuncOp function;
  Operation *lastConstant = nullptr;
  SmallVector<Operation *> open; // prim.If and prim.Loop being built
  std::vector<mlir::Value> values;
  std::vector<Type> types;
  llvm::StringMap<TypeId> typeIds;
  llvm::StringMap<GraphBuilder::Value> constants;
  SmallVector<NamedAttribute> symbols, metadata;
  std::string errorText;
};

GraphBuilder::GraphBuilder() : state(std::make_unique<State>()) {}

GraphBuilder::~GraphBuilder() {
  if (state->module)
    state->module->erase();
}

const std::string &GraphBuilder::error() const { return state->errorText; }

GraphBuilder::TypeId GraphBuilder::getType(std::string_view text) {
  auto [slot, isNew] = state->typeIds.try_emplace(ref(text), -1);
  if (!isNew)
    return slot->second;
  Type type = parseType(ref(text), state->context.get());
  if (!type) {
    state->fail("not a type: " + ref(text) + "\n");
    state->typeIds.erase(slot);
    return -1;
  }
  state->types.push_back(type);
  return slot->second = state->types.size() - 1;
}

std::string GraphBuilder::getTypeText(Value value) const {
  std::string text;
  llvm::raw_string_ostream(text) << state->values[value].getType();
  return text;
}

void GraphBuilder::setLocation(std::string_view file, unsigned line,
                               unsigned column, std::string_view layer) {
  MLIRContext *context = state->context.get();
  state->location = UnknownLoc::get(context);
  if (!file.empty())
    state->location = FileLineColLoc::get(context, ref(file), line, column);
  if (!layer.empty())
    state->location =
        NameLoc::get(StringAttr::get(context, ref(layer)), state->location);
}

//===-- Functions ---------------------------------------------------------===//

bool GraphBuilder::beginFunction(std::string_view name,
                                 const TypeIds &arguments, Values &values) {
  OpBuilder &builder = state->builder;
  builder.setInsertionPointToEnd(state->module.getBody());
  auto type = builder.getFunctionType(state->getTypes(arguments), {});
  state->function =
      func::FuncOp::create(builder, state->location, ref(name), type);
  Block *entry = state->function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  state->constants.clear();
  state->lastConstant = nullptr;
  state->addAll(entry->getArguments(), values);
  return true;
}

static DictionaryAttr getDimAttrs(Builder &builder, std::string_view name,
                                  const std::vector<std::string> &dims) {
  SmallVector<NamedAttribute> attrs;
  if (!dims.empty()) {
    SmallVector<Attribute> list;
    for (const std::string &dim : dims)
      list.push_back(builder.getStringAttr(dim));
    attrs.push_back(
        builder.getNamedAttr("ferrule.dims", builder.getArrayAttr(list)));
  }
  if (!name.empty())
    attrs.push_back(builder.getNamedAttr("ferrule.name",
                                         builder.getStringAttr(ref(name))));
  return builder.getDictionaryAttr(attrs);
}

void GraphBuilder::setArgument(unsigned index, std::string_view name,
                               const std::vector<std::string> &dims) {
  state->function.setArgAttrs(index,
                              getDimAttrs(state->builder, name, dims));
}

bool GraphBuilder::endFunction(const Values &results) {
  SmallVector<mlir::Value> list = state->get(results);
  func::ReturnOp::create(state->builder, state->location, list);
  FunctionType type = state->function.getFunctionType();
  state->function.setFunctionType(state->builder.getFunctionType(
      type.getInputs(), ValueRange(list).getTypes()));
  return true;
}

void GraphBuilder::setResult(unsigned index, std::string_view name,
                             const std::vector<std::string> &dims) {
  state->function.setResultAttrs(index,
                                 getDimAttrs(state->builder, name, dims));
}

//===-- Constants ---------------------------------------------------------===//

GraphBuilder::Value GraphBuilder::constantInt(int64_t value) {
  return state->constant<ConstantIntOp>("i" + std::to_string(value), value);
}

GraphBuilder::Value GraphBuilder::constantFloat(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return state->constant<ConstantFloatOp>("f" + std::to_string(bits), value);
}

GraphBuilder::Value GraphBuilder::constantBool(bool value) {
  return state->constant<ConstantBoolOp>(value ? "true" : "false", value);
}

GraphBuilder::Value GraphBuilder::constantString(std::string_view value) {
  return state->constant<ConstantStrOp>("s" + std::string(value), ref(value));
}

GraphBuilder::Value GraphBuilder::constantDevice(std::string_view value) {
  return state->constant<ConstantDeviceOp>("d" + std::string(value),
                                           ref(value));
}

GraphBuilder::Value GraphBuilder::constantNone() {
  return state->constant<ConstantNoneOp>("none");
}

static ElementsAttr makeElements(RankedTensorType type,
                                 const LiteralData &literal) {
  // Up to 64 elements a constant is text; anything larger stays where it is.
  ArrayRef<char> data(static_cast<const char *>(literal.data), literal.bytes);
  Type element = type.getElementType();
  if (type.getNumElements() <= 64) {
    if (element.isInteger(1)) {
      ArrayRef<bool> bools(reinterpret_cast<const bool *>(data.data()),
                           data.size());
      return DenseElementsAttr::get(type, bools);
    }
    bool isSplat = false;
    if (DenseElementsAttr::isValidRawBuffer(type, data, isSplat))
      return DenseElementsAttr::getFromRawBuffer(type, data);
  }
  AsmResourceBlob blob = UnmanagedAsmResourceBlob::allocateWithAlign(
      data, /*align=*/alignof(double), /*deleter=*/{}, /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, ref(literal.name),
                                        std::move(blob));
}

GraphBuilder::Value GraphBuilder::literal(const LiteralData &literal) {
  Type element = parseType(ref(literal.elementType), state->context.get());
  if (!element) {
    state->fail("not an element type: " + ref(literal.elementType) + "\n");
    return -1;
  }
  auto type = RankedTensorType::get(literal.shape, element);
  ElementsAttr attr = makeElements(type, literal);
  auto op =
      ValueTensorLiteralOp::create(state->builder, state->location, attr);
  return state->add(op);
}

//===-- Ops ---------------------------------------------------------------===//

bool GraphBuilder::hasOp(std::string_view name) const {
  return RegisteredOperationName::lookup(ref(name), state->context.get())
      .has_value();
}

bool GraphBuilder::op(std::string_view name, const Values &operands,
                      const TypeIds &results, Values &values) {
  OpBuilder &builder = state->builder;
  SmallVector<mlir::Value> operandValues = state->get(operands);
  SmallVector<Type> resultTypes = state->getTypes(results);
  Operation *op;
  if (hasOp(name)) {
    OperationState opState(state->location, ref(name), operandValues,
                           resultTypes);
    op = builder.create(opState);
  } else if (ref(name).count('.') >= 2) {
    op = OperatorOp::create(builder, state->location, resultTypes,
                            builder.getStringAttr(ref(name)), operandValues,
                            /*bodiesCount=*/0);
  } else {
    return state->fail("unknown operation '" + ref(name) + "'\n");
  }
  state->addAll(op->getResults(), values);
  return true;
}

void GraphBuilder::runtimeAssert(Value condition, std::string_view message) {
  RuntimeAssertOp::create(state->builder, state->location,
                          state->values[condition],
                          state->builder.getStringAttr(ref(message)));
}

//===-- Symbolic sizes ----------------------------------------------------===//

GraphBuilder::Value GraphBuilder::symbolicInt(std::string_view name,
                                              int64_t min, int64_t max) {
  Builder &builder = state->builder;
  return state->constant<SymbolicIntOp>(
      "symbol " + std::string(name), IntType::get(state->context.get()),
      builder.getStringAttr(ref(name)), builder.getI64IntegerAttr(min),
      builder.getI64IntegerAttr(max));
}

bool GraphBuilder::bindShape(Value tensor, const Values &symbols,
                             std::string_view affineMap) {
  Attribute map = parseAttribute(
      ("affine_map<" + ref(affineMap) + ">").str(), state->context.get());
  if (!map)
    return state->fail("not an affine map: " + ref(affineMap) + "\n");
  BindSymbolicShapeOp::create(state->builder, state->location,
                              state->values[tensor], state->get(symbols),
                              cast<AffineMapAttr>(map));
  return true;
}

void GraphBuilder::setSymbolRange(std::string_view name, int64_t min,
                                  int64_t max) {
  Builder &builder = state->builder;
  state->symbols.push_back(builder.getNamedAttr(
      ref(name), builder.getArrayAttr({builder.getI64IntegerAttr(min),
                                       builder.getI64IntegerAttr(max)})));
}

//===-- Control flow ------------------------------------------------------===//

bool GraphBuilder::beginIf(Value condition, const TypeIds &results) {
  auto op = PrimIfOp::create(state->builder, state->location,
                             state->getTypes(results),
                             state->values[condition]);
  for (Region &region : op->getRegions())
    region.emplaceBlock();
  state->open.push_back(op);
  state->builder.setInsertionPointToStart(&op.getThenRegion().front());
  return true;
}

bool GraphBuilder::beginElse(const Values &thenResults) {
  PrimIfYieldOp::create(state->builder, state->location,
                        state->get(thenResults));
  auto op = cast<PrimIfOp>(state->open.back());
  state->builder.setInsertionPointToStart(&op.getElseRegion().front());
  return true;
}

bool GraphBuilder::endIf(const Values &elseResults, Values &values) {
  PrimIfYieldOp::create(state->builder, state->location,
                        state->get(elseResults));
  Operation *op = state->open.pop_back_val();
  state->builder.setInsertionPointAfter(op);
  state->addAll(op->getResults(), values);
  return true;
}

bool GraphBuilder::beginLoop(Value maxTripCount, Value condition,
                             const Values &carried, Values &arguments) {
  SmallVector<mlir::Value> inits = state->get(carried);
  auto op = PrimLoopOp::create(
      state->builder, state->location, ValueRange(inits).getTypes(),
      state->values[maxTripCount], state->values[condition], inits);
  Block &body = op.getRegion().emplaceBlock();
  body.addArgument(IntType::get(state->context.get()), state->location);
  for (mlir::Value init : inits)
    body.addArgument(init.getType(), state->location);
  state->open.push_back(op);
  state->builder.setInsertionPointToStart(&body);
  state->addAll(body.getArguments(), arguments);
  return true;
}

bool GraphBuilder::endLoop(Value condition, const Values &carried,
                           Values &values) {
  PrimLoopConditionOp::create(state->builder, state->location,
                              state->values[condition], state->get(carried));
  Operation *op = state->open.pop_back_val();
  state->builder.setInsertionPointAfter(op);
  state->addAll(op->getResults(), values);
  return true;
}

//===-- The program -------------------------------------------------------===//

void GraphBuilder::setMetadata(std::string_view key, std::string_view value) {
  Builder &builder = state->builder;
  state->metadata.push_back(
      builder.getNamedAttr(ref(key), builder.getStringAttr(ref(value))));
}

std::unique_ptr<ModuleHandle> GraphBuilder::finish() {
  Builder &builder = state->builder;
  if (!state->symbols.empty())
    state->module->setAttr("ferrule.symbols",
                           builder.getDictionaryAttr(state->symbols));
  if (!state->metadata.empty())
    state->module->setAttr("ferrule.metadata",
                           builder.getDictionaryAttr(state->metadata));
  if (failed(verify(state->module))) {
    state->fail("the imported program is not valid:\n");
    return nullptr;
  }
  state->diagnostics.reset();
  ModuleOp module = state->module;
  state->module = {};
  return std::make_unique<ModuleHandle>(std::move(state->context), module);
}

} // namespace ferrule::torch
