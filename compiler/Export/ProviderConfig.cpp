#include "compiler/Export/ProviderConfig.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace ferrule;
namespace json = llvm::json;

static std::optional<json::Value> toJSON(Attribute attribute) {
  auto list = [](auto values) -> std::optional<json::Value> {
    json::Array array;
    for (auto value : values)
      array.push_back(value);
    return json::Value(std::move(array));
  };
  return llvm::TypeSwitch<Attribute, std::optional<json::Value>>(attribute)
      .Case([](BoolAttr a) { return json::Value(a.getValue()); })
      .Case([](IntegerAttr a) {
        return json::Value(a.getValue().getSExtValue());
      })
      .Case([](FloatAttr a) { return json::Value(a.getValueAsDouble()); })
      .Case([](StringAttr a) { return json::Value(a.str()); })
      .Case([](UnitAttr) { return json::Value(true); })
      .Case([&](DenseI64ArrayAttr a) { return list(a.asArrayRef()); })
      .Case([&](DenseF64ArrayAttr a) { return list(a.asArrayRef()); })
      .Case([&](DenseBoolArrayAttr a) { return list(a.asArrayRef()); })
      .Case([](ArrayAttr a) -> std::optional<json::Value> {
        json::Array array;
        for (Attribute element : a) {
          std::optional<json::Value> value = toJSON(element);
          if (!value)
            return std::nullopt;
          array.push_back(std::move(*value));
        }
        return json::Value(std::move(array));
      })
      .Default([](Attribute) { return std::nullopt; });
}

FailureOr<std::string> ferrule::writeProviderConfig(DictionaryAttr config) {
  json::Object object;
  for (NamedAttribute attribute : config) {
    std::optional<json::Value> value = toJSON(attribute.getValue());
    if (!value)
      return failure();
    object[attribute.getName().str()] = std::move(*value);
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << json::Value(std::move(object));
  return text;
}

static Attribute fromJSON(const json::Value &value, Builder &builder) {
  if (std::optional<bool> boolean = value.getAsBoolean())
    return builder.getBoolAttr(*boolean);
  if (std::optional<int64_t> integer = value.getAsInteger())
    return builder.getI64IntegerAttr(*integer);
  if (std::optional<double> number = value.getAsNumber())
    return builder.getF64FloatAttr(*number);
  if (std::optional<StringRef> text = value.getAsString())
    return builder.getStringAttr(*text);
  SmallVector<Attribute> elements;
  if (const json::Array *array = value.getAsArray())
    for (const json::Value &element : *array)
      elements.push_back(fromJSON(element, builder));
  return builder.getArrayAttr(elements);
}

FailureOr<DictionaryAttr> ferrule::readProviderConfig(StringRef text,
                                                      MLIRContext *context) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return failure();
  }
  const json::Object *object = value->getAsObject();
  if (!object)
    return failure();
  Builder builder(context);
  SmallVector<NamedAttribute> attributes;
  for (const auto &[key, element] : *object)
    attributes.emplace_back(builder.getStringAttr(key.str()),
                            fromJSON(element, builder));
  return builder.getDictionaryAttr(attributes);
}
