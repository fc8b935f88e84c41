// Reading the parts of attributes from bytecode: lists whose lengths need not
// be believed, and enumerations.
#ifndef FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOBYTECODE_H
#define FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOBYTECODE_H

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace ferrule::stablehlo {

/// Reads a list of elements. In contrast to the reader's own function it takes
/// no memory for more elements than the file has.
template <typename T, typename ReadFn>
mlir::LogicalResult readElements(mlir::DialectBytecodeReader &reader,
                                 llvm::SmallVectorImpl<T> &list, ReadFn read) {
  uint64_t size = 0;
  if (failed(reader.readVarInt(size)))
    return mlir::failure();
  for (uint64_t i = 0; i < size; ++i) {
    T element = {};
    if (failed(read(element)))
      return mlir::failure();
    list.push_back(element);
  }
  return mlir::success();
}

inline mlir::LogicalResult readSizes(mlir::DialectBytecodeReader &reader,
                                     llvm::SmallVectorImpl<int64_t> &list) {
  return readElements<int64_t>(reader, list, [&](int64_t &size) {
    return reader.readSignedVarInt(size);
  });
}

/// Reads a number and looks for the case of the enumeration; null with an
/// error when there is none.
template <typename AttrT, typename EnumT>
AttrT readEnumAttr(mlir::DialectBytecodeReader &reader,
                   std::optional<EnumT> (*symbolize)(uint32_t)) {
  uint64_t value = 0;
  if (failed(reader.readVarInt(value)))
    return {};
  std::optional<EnumT> found;
  if (value <= UINT32_MAX)
    found = symbolize(static_cast<uint32_t>(value));
  if (found)
    return AttrT::get(reader.getContext(), *found);
  reader.emitError() << "found number " << value << " for "
                     << AttrT::getMnemonic();
  return {};
}

} // namespace ferrule::stablehlo

#endif // FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOBYTECODE_H
