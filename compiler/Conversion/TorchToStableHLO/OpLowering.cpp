#include "compiler/Conversion/TorchToStableHLO/OpLowering.h"
#include "compiler/Frontend/Support/Elementwise.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::torch;

void OpLowering::fail(const Twine &reason) {
  if (!hasFailed)
    op->emitOpError() << reason;
  hasFailed = true;
}

Value OpLowering::operand(StringRef name) const {
  return getArgument(op, name);
}

bool OpLowering::has(StringRef name) const {
  Value value = operand(name);
  return value && !isNone(value);
}

static Value lookThrough(Value value) {
  while (auto derefine = value.getDefiningOp<DerefineOp>())
    value = derefine.getOperand();
  return value;
}

Value OpLowering::mapped(Value value) {
  value = lookThrough(value);
  if (auto found = map.values.find(value); found != map.values.end())
    return found->second;
  if (auto integer = matchInt(value)) {
    Type element = isa<BoolType>(value.getType()) ? Type(b.getI1Type())
                                                  : Type(b.getI64Type());
    return scalarInt(b, element, *integer);
  }
  if (auto number = matchDouble(value))
    return frontend::scalar(b, b.getF64Type(), *number);
  return Value();
}

Value OpLowering::tensor(StringRef name) {
  if (!has(name))
    return Value();
  Value value = mapped(operand(name));
  if (!value) {
    fail("has no tensor for '" + name + "'");
    return frontend::scalar(b, b.getF32Type(), 0);
  }
  return value;
}

Value OpLowering::tensor(StringRef name, Type element) {
  Value value = tensor(name);
  return value ? convert(b, value, element) : value;
}

SmallVector<Value> OpLowering::tensors(StringRef name) {
  SmallVector<Value> result;
  if (!has(name))
    return result;
  Value list = lookThrough(operand(name));
  if (auto found = map.lists.find(list); found != map.lists.end())
    return found->second;
  auto elements = matchList(list);
  if (!elements) {
    fail("needs a list that is made in the program as '" + name + "'");
    return result;
  }
  for (Value element : *elements)
    result.push_back(isNone(element) ? Value() : mapped(element));
  return result;
}

int64_t OpLowering::integer(StringRef name, int64_t missing) {
  if (!has(name))
    return missing;
  if (auto value = matchInt(operand(name)))
    return *value;
  if (Value value = mapped(operand(name)))
    if (auto ints = constantInts(value))
      return ints->front();
  fail("needs a constant for '" + name + "'");
  return missing;
}

double OpLowering::number(StringRef name, double missing) {
  if (!has(name))
    return missing;
  if (auto value = matchDouble(operand(name)))
    return *value;
  if (Value value = mapped(operand(name)))
    if (auto number = constantNumber(value))
      return *number;
  fail("needs a constant for '" + name + "'");
  return missing;
}

bool OpLowering::flag(StringRef name, bool missing) {
  return integer(name, missing) != 0;
}

StringRef OpLowering::text(StringRef name, StringRef missing) {
  if (!has(name))
    return missing;
  if (auto value = matchString(operand(name)))
    return *value;
  fail("needs a constant for '" + name + "'");
  return missing;
}

SmallVector<int64_t> OpLowering::integers(StringRef name) {
  SmallVector<int64_t> result;
  for (Size value : sizes(name)) {
    if (!value.isStatic()) {
      fail("needs constants for '" + name + "'");
      return {};
    }
    result.push_back(value.getStatic());
  }
  return result;
}

SmallVector<double> OpLowering::numbers(StringRef name) {
  if (!has(name))
    return {};
  if (auto values = matchDoubleList(operand(name)))
    return *values;
  fail("needs constants for '" + name + "'");
  return {};
}

SmallVector<bool> OpLowering::flags(StringRef name) {
  if (!has(name))
    return {};
  if (auto values = matchBoolList(operand(name)))
    return *values;
  fail("needs constants for '" + name + "'");
  return {};
}

int64_t OpLowering::dim(StringRef name, int64_t rank, int64_t missing) {
  int64_t value = integer(name, missing);
  // A scalar takes dimension 0 or -1.
  int64_t bound = std::max<int64_t>(rank, 1);
  if (value < -bound || value >= bound) {
    fail("has dimension " + Twine(value) + " for '" + name +
         "', expected one within rank " + Twine(rank));
    return 0;
  }
  return value < 0 ? value + bound : value;
}

SmallVector<int64_t> OpLowering::dims(StringRef name, int64_t rank) {
  SmallVector<int64_t> result;
  if (has(name) && isa<IntType>(operand(name).getType())) {
    result = {dim(name, rank)};
  } else {
    result = integers(name);
    if (result.empty())
      return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  }
  for (int64_t &value : result) {
    if (value < -rank || value >= rank) {
      if (rank == 0 && (value == 0 || value == -1))
        return {};
      fail("has dimension " + Twine(value) + " for '" + name +
           "', expected one within rank " + Twine(rank));
      return {};
    }
    value = wrapDim(value, rank);
  }
  return result;
}

Size OpLowering::sizeOf(Value value) {
  if (auto integer = matchInt(value))
    return *integer;
  if (Value scalar = mapped(value))
    return toSize(b, scalar);
  fail("has an integer that is not known");
  return 0;
}

Size OpLowering::size(StringRef name, int64_t missing) {
  return has(name) ? sizeOf(operand(name)) : Size(missing);
}

std::optional<Size> OpLowering::sizeOrNone(StringRef name) {
  if (!has(name))
    return std::nullopt;
  return sizeOf(operand(name));
}

Sizes OpLowering::sizes(StringRef name) {
  if (!has(name))
    return {};
  Value list = lookThrough(operand(name));
  Sizes result;
  if (isa<IntType>(list.getType()))
    return {sizeOf(list)};
  if (auto found = map.lists.find(list); found != map.lists.end()) {
    for (Value element : found->second)
      result.push_back(toSize(b, element));
    return result;
  }
  auto elements = matchList(list);
  if (!elements) {
    fail("needs a list that is made in the program as '" + name + "'");
    return {};
  }
  for (Value element : *elements)
    result.push_back(sizeOf(element));
  return result;
}

Value OpLowering::scalar(StringRef name, Type element) {
  if (!has(name))
    return frontend::scalar(b, element, 1);
  if (auto integer = matchInt(operand(name)))
    return scalarInt(b, element, *integer);
  if (auto number = matchDouble(operand(name)))
    return frontend::scalar(b, element, *number);
  Value value = mapped(operand(name));
  if (!value) {
    fail("has no number for '" + name + "'");
    return frontend::scalar(b, element, 0);
  }
  return convert(b, value, element);
}

bool OpLowering::isOne(StringRef name) {
  if (!has(name))
    return true;
  auto number = matchDouble(operand(name));
  return number && *number == 1;
}

Type OpLowering::scalarKind(StringRef name) {
  Value value = operand(name);
  if (!value)
    return b.getI64Type();
  value = lookThrough(value);
  if (isa<BoolType>(value.getType()))
    return b.getI1Type();
  if (isa<IntType>(value.getType()))
    return b.getI64Type();
  if (isa<FloatType>(value.getType()))
    return b.getF64Type();
  if (Value scalar = mapped(value))
    return elementOf(scalar);
  return b.getF64Type();
}

RankedTensorType OpLowering::resultType(unsigned index) {
  Type type = op->getResult(index).getType();
  if (auto tensor = dyn_cast<BaseTensorType>(type))
    if (auto ranked =
            dyn_cast_or_null<RankedTensorType>(tensor.toBuiltinTensor()))
      return ranked;
  if (isa<IntType>(type))
    return RankedTensorType::get({}, b.getI64Type());
  if (isa<BoolType>(type))
    return RankedTensorType::get({}, b.getI1Type());
  if (isa<FloatType, NumberType>(type))
    return RankedTensorType::get({}, b.getF64Type());
  std::string text;
  llvm::raw_string_ostream(text) << type;
  fail("has a result of type " + text +
       ", expected a tensor of known rank and element type");
  return RankedTensorType::get({}, b.getF32Type());
}

Type OpLowering::resultElement(unsigned index) {
  return resultType(index).getElementType();
}

void OpLowering::give(ValueRange results) {
  hasResults = true;
  if (hasFailed)
    return;
  for (auto [index, value] : llvm::enumerate(results)) {
    Value result = op->getResult(index);
    if (!value) {
      if (!result.use_empty())
        fail("has no lowering for its result " + Twine(index));
      continue;
    }
    if (isa<NumberType>(result.getType())) {
      map.values[result] = value; // Of the kind that it has, complex included.
      continue;
    }
    RankedTensorType type = resultType(index);
    if (hasFailed)
      return;
    if (rankOf(value) != type.getRank()) {
      fail("was lowered to rank " + Twine(rankOf(value)) + ", expected rank " +
           Twine(type.getRank()));
      return;
    }
    value = convert(b, value, type.getElementType());
    map.values[result] = refineType(b, value, type);
  }
}

void OpLowering::giveList(ValueRange elements) {
  hasResults = true;
  map.lists[op->getResult(0)] = SmallVector<Value>(elements);
}
