#include "compiler/Export/ConstantData.h"
#include "compiler/Dialect/Byre/IR/Byre.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace ferrule;

/// One element a byte -> 8 / bits elements a byte.
static std::string packElements(ArrayRef<char> bytes, int64_t bits) {
  std::string packed(llvm::divideCeil(bytes.size() * bits, 8), '\0');
  unsigned mask = (1u << bits) - 1, perByte = 8 / bits;
  for (size_t i = 0; i < bytes.size(); ++i)
    packed[i / perByte] |= static_cast<char>(
        (static_cast<unsigned char>(bytes[i]) & mask) << (i % perByte * bits));
  return packed;
}

static ConstantData own(std::string bytes) {
  ConstantData data;
  data.owned = std::move(bytes);
  data.isOwned = true;
  return data;
}

static FailureOr<ConstantData> getResourceData(DenseResourceElementsAttr value,
                                               int64_t bits,
                                               std::string &error) {
  std::string key = value.getRawHandle().getKey().str();
  AsmResourceBlob *blob = value.getRawHandle().getBlob();
  if (!blob) {
    error = "the data of resource '" + key + "' is not in memory";
    return failure();
  }
  ArrayRef<char> bytes = blob->getData();
  uint64_t count = value.getShapedType().getNumElements();
  uint64_t expected = llvm::divideCeil(count * bits, 8);
  if (bytes.size() == expected)
    return ConstantData{bytes, {}, false};
  if (bits < 8 && bytes.size() == count)
    return own(packElements(bytes, bits));
  error = "expected " + std::to_string(expected) + " bytes in resource '" +
          key + "', found " + std::to_string(bytes.size());
  return failure();
}

FailureOr<ConstantData> ferrule::getConstantData(ElementsAttr value,
                                                 std::string &error) {
  Type element = value.getShapedType().getElementType();
  std::optional<int64_t> bits = byre::getStoredBits(element);
  if (!bits) {
    error = "the element type cannot be stored";
    return failure();
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return getResourceData(resource, *bits, error);
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense) {
    error = "expected dense elements";
    return failure();
  }
  if (element.isInteger(1)) {
    std::string bytes;
    for (bool bit : dense.getValues<bool>())
      bytes.push_back(bit ? 1 : 0);
    return own(std::move(bytes));
  }
  // Raw data has whole bytes for each element, one element for a splat.
  ArrayRef<char> raw = dense.getRawData();
  if (dense.isSplat() && dense.getNumElements() != 1) {
    std::string bytes;
    bytes.reserve(raw.size() * dense.getNumElements());
    for (int64_t i = 0; i < dense.getNumElements(); ++i)
      bytes.append(raw.data(), raw.size());
    return own(*bits < 8 ? packElements(bytes, *bits) : std::move(bytes));
  }
  if (*bits < 8)
    return own(packElements(raw, *bits));
  return ConstantData{raw, {}, false};
}
