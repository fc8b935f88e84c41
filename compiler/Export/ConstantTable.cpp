#include "compiler/Export/ConstantData.h"
#include "compiler/Export/ElementTypes.h"
#include "compiler/Export/ProgramTables.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace ferrule;

FailureOr<uint32_t> ConstantTable::intern(byre::ConstantOp op) {
  if (auto found = known.find(op.getValue()); found != known.end())
    return found->second;
  std::string error;
  FailureOr<ConstantData> data = getConstantData(op.getValue(), error);
  Type element = op.getType().getElementType();
  std::optional<format::ElementType> type = convertElementType(element);
  if (failed(data) || !type)
    return op.emitOpError() << (failed(data) ? error
                                             : "the element type cannot be "
                                               "stored");
  ArrayRef<char> bytes = data->get();
  uint64_t hash = llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  SmallVector<uint32_t, 1> &candidates = byHash[hash];
  auto same = llvm::find_if(candidates, [&](uint32_t index) {
    ArrayRef<char> other = ranges[index].bytes;
    return other.size() == bytes.size() &&
           (other.data() == bytes.data() ||
            std::equal(bytes.begin(), bytes.end(), other.begin()));
  });
  uint32_t range;
  if (same != candidates.end()) {
    range = *same;
  } else {
    if (data->isOwned) {
      owned.push_back(std::move(data->owned));
      bytes = ArrayRef<char>(owned.back().data(), owned.back().size());
    }
    range = static_cast<uint32_t>(ranges.size());
    ranges.push_back({bytes, {}});
    candidates.push_back(range);
  }

  auto entry = std::make_unique<format::ConstantT>();
  entry->element_type = *type;
  ArrayRef<int64_t> dims = op.getType().getShape();
  entry->dims.assign(dims.begin(), dims.end());
  entry->length = bytes.size();
  // Two values of one range and type are one constant.
  for (uint32_t index : ranges[range].constants)
    if (entries[index]->element_type == entry->element_type &&
        entries[index]->dims == entry->dims)
      return known[op.getValue()] = index;
  auto index = static_cast<uint32_t>(entries.size());
  ranges[range].constants.push_back(index);
  entries.push_back(std::move(entry));
  return known[op.getValue()] = index;
}

void ConstantTable::finish(format::ContainerWriter &writer) {
  if (ranges.empty())
    return;
  uint32_t section = writer.addSection(format::SectionKind::Weights);
  for (Range &range : ranges) {
    uint64_t offset =
        writer.append(section, range.bytes.data(), range.bytes.size());
    for (uint32_t index : range.constants) {
      entries[index]->section = section;
      entries[index]->offset = offset;
    }
  }
}
