#include "compiler/Transforms/ExpandLibraryCalls/LibraryCall.h"
#include "compiler/Frontend/Support/Constants.h"
#include "compiler/Frontend/Support/Factorization.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;
using namespace ferrule::library;

unsigned LibraryCall::operandCount() {
  unsigned count = op.getInputs().size();
  auto shapes =
      op->getAttrOfType<DenseIntElementsAttr>("indices_of_shape_operands");
  return shapes ? count - unsigned(shapes.getNumElements()) : count;
}

Value LibraryCall::matrices(unsigned index) {
  return asStack(b, operand(index));
}

Value LibraryCall::vectors(unsigned index) {
  Value x = operand(index);
  Sizes sizes = sizesOf(b, x);
  return reshape(b, x, {product(b, ArrayRef(sizes).drop_back()), sizes.back()});
}

DictionaryAttr LibraryCall::options() {
  if (auto own = op->getAttrOfType<DictionaryAttr>("mhlo.backend_config"))
    return own;
  return dyn_cast_or_null<DictionaryAttr>(
      op.getBackendConfig().value_or(Attribute()));
}

int64_t LibraryCall::option(StringRef name) {
  DictionaryAttr all = options();
  Attribute value = all ? all.get(name) : Attribute();
  if (auto flag = dyn_cast_or_null<BoolAttr>(value))
    return flag.getValue();
  if (auto integer = dyn_cast_or_null<IntegerAttr>(value))
    return integer.getValue().getZExtValue();
  fail("has no integer '" + name + "' in its mhlo.backend_config");
  return 0;
}

int64_t LibraryCall::option(StringRef name, StringRef allowed) {
  int64_t value = option(name);
  if (!hasFailed && !allowed.contains(char(value)))
    fail("has " + Twine(value) + " as '" + name +
         "', expected the code of one of " + allowed);
  return value;
}

/// [B, ...] as the declared type, whose leading sizes are those of the first
/// operand.
static Value withBatch(LibraryCall &call, Value stacked,
                       RankedTensorType declared) {
  HloBuilder &b = call.b;
  int64_t batch = declared.getRank() - (rankOf(stacked) - 1);
  Sizes sizes = sizesOf(b, call.operand(0));
  sizes.resize(batch, Size(0));
  llvm::append_range(sizes, ArrayRef(sizesOf(b, stacked)).drop_front());
  return reshape(b, stacked, sizes);
}

void LibraryCall::give(ValueRange results) {
  if (hasFailed)
    return;
  SmallVector<Value> whole;
  for (auto [value, result] : llvm::zip_equal(results, op->getResults())) {
    auto type = cast<RankedTensorType>(result.getType());
    if (value && type.getRank() < rankOf(value) - 1)
      return fail("has a result of rank " + Twine(type.getRank()) +
                  ", expected at least " + Twine(rankOf(value) - 1));
    whole.push_back(value ? withBatch(*this, value, type) : value);
  }
  giveWhole(whole);
}

void LibraryCall::giveWhole(ValueRange results) {
  if (hasFailed)
    return;
  for (auto [value, result] : llvm::zip_equal(results, op->getResults())) {
    if (!value) {
      if (!result.use_empty())
        return fail("has a result that is read and that Ferrule does not make");
      continue;
    }
    auto type = cast<RankedTensorType>(result.getType());
    if (!stablehlo::areCompatibleTypes(value.getType(), type))
      return fail("has a result of type " + llvm::formatv("{0}", type).str() +
                  ", expected " + llvm::formatv("{0}", value.getType()).str());
    value = refineType(b, value, type);
    if (value.getType() != type)
      value = tensor::CastOp::create(b, type, value);
    result.replaceAllUsesWith(value);
  }
}

Value LibraryCall::success(Value stack) {
  return full(b, {sizeOf(b, stack, 0)}, b.getI32Type(), 0);
}

void LibraryCall::fail(const Twine &message) {
  if (!hasFailed)
    op.emitOpError("@") << op.getCallTargetName() << " " << message;
  hasFailed = true;
}
