// The container of jax.export, a FlatBuffers table whose fields are numbered in
// jax/_src/export/serialization.fbs.
#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "compiler/Dialect/VHLO/VHLO.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace ferrule;

/// Where the table's list of fields has that of `platforms` and of
/// `mlir_module_serialized`.
static constexpr unsigned kPlatforms = 22;
static constexpr unsigned kProgram = 30;

/// Reads a little-endian number; nothing beyond the end.
template <typename T>
static std::optional<T> readAt(StringRef bytes, uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T))
    return std::nullopt;
  return llvm::support::endian::read<T, llvm::endianness::little>(bytes.data() +
                                                                  at);
}

/// Where a vector begins that the reference at `place` leads to.
static std::optional<uint64_t> follow(StringRef bytes, uint64_t place) {
  auto distance = readAt<uint32_t>(bytes, place);
  if (!distance)
    return std::nullopt;
  return place + *distance;
}

/// Where the vector in a field of the file's table begins.
static std::optional<uint64_t> findField(StringRef bytes, unsigned field) {
  auto table = readAt<uint32_t>(bytes, 0);
  auto back = table ? readAt<int32_t>(bytes, *table) : std::nullopt;
  if (!back)
    return std::nullopt;
  // A table starts with the distance back to the list of its fields.
  uint64_t fields = static_cast<uint64_t>(*table) - *back;
  auto size = readAt<uint16_t>(bytes, fields);
  auto offset = size && *size > field ? readAt<uint16_t>(bytes, fields + field)
                                      : std::nullopt;
  if (!offset || *offset == 0)
    return std::nullopt;
  return follow(bytes, static_cast<uint64_t>(*table) + *offset);
}

/// The bytes of a vector of bytes or of a string; empty beyond the end.
static StringRef contentsOf(StringRef bytes, std::optional<uint64_t> place) {
  auto length = place ? readAt<uint32_t>(bytes, *place) : std::nullopt;
  return length ? bytes.substr(*place + 4, *length) : StringRef();
}

JaxExport ferrule::readJaxExport(StringRef bytes) {
  JaxExport result;
  result.program = contentsOf(bytes, findField(bytes, kProgram));
  std::optional<uint64_t> list = findField(bytes, kPlatforms);
  auto count = list ? readAt<uint32_t>(bytes, *list) : std::nullopt;
  for (uint32_t i = 0; count && i < *count; ++i) {
    StringRef name = contentsOf(bytes, follow(bytes, *list + 4 + 4 * i));
    if (name.empty())
      break;
    result.platforms.push_back(name);
  }
  return result;
}

LogicalResult ferrule::bindPlatform(ModuleOp module,
                                    ArrayRef<StringRef> platforms) {
  constexpr StringLiteral kConstant("jax.global_constant");
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.isExternal())
    return success();
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    auto name = main.getArgAttrOfType<StringAttr>(i, kConstant);
    if (!name || name.getValue() != "_platform_index")
      continue;
    const auto *cpu = llvm::find(platforms, "cpu");
    if (cpu == platforms.end())
      return main.emitError("the program was exported for ")
             << llvm::join(platforms, ", ") << ", expected cpu among them";
    auto type = dyn_cast<RankedTensorType>(main.getArgument(i).getType());
    if (!type || type.getRank() != 0 || !type.getElementType().isInteger())
      return main.emitError("expected an integer as the platform's index, "
                            "found ")
             << main.getArgument(i).getType();
    OpBuilder builder = OpBuilder::atBlockBegin(&main.front());
    auto value =
        builder.getIntegerAttr(type.getElementType(), cpu - platforms.begin());
    Value index = stablehlo::ConstantOp::create(
        builder, main.getLoc(), DenseElementsAttr::get(type, value));
    main.getArgument(i).replaceAllUsesWith(index);
    return main.eraseArgument(i);
  }
  return success();
}
