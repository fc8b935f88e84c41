// A file as a module: symbols, images, constants; functions are read elsewhere.
#include "compiler/Export/ElementTypes.h"
#include "compiler/Export/Export.h"
#include "compiler/Export/Locations.h"
#include "compiler/Export/ProgramReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace ferrule;

static StringRef toRef(const flatbuffers::String *text) {
  return text ? StringRef(text->c_str(), text->size()) : StringRef();
}

/// A resource whose blob is a part of the file.
static ElementsAttr
makeResource(RankedTensorType type, StringRef name, const char *data,
             uint64_t size, std::shared_ptr<const runtime::ProgramFile> owner) {
  auto keep = [owner = std::move(owner)](void *, size_t, size_t) {};
  AsmResourceBlob blob(ArrayRef<char>(data, size), format::kConstantAlignment,
                       keep, /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, name, std::move(blob));
}

static LogicalResult readConstants(const format::Program &program,
                                   ReaderTables &tables, ModuleOp module) {
  if (!program.constants())
    return success();
  for (uint32_t i = 0; i < program.constants()->size(); ++i) {
    const format::Constant &constant = *program.constants()->Get(i);
    MLIRContext *context = module.getContext();
    Type element = convertElementType(constant.element_type(), context);
    if (!element)
      return module.emitError("constant ") << i << " has no type in IR";
    SmallVector<int64_t> dims;
    if (constant.dims())
      dims.assign(constant.dims()->begin(), constant.dims()->end());
    auto type = RankedTensorType::get(dims, element);
    tables.constants.push_back(makeResource(
        type, "constant_" + std::to_string(i),
        tables.file->constantData(constant), constant.length(), tables.file));
  }
  return success();
}

static void readImages(const format::Program &program,
                       const ReaderTables &tables, OpBuilder &builder) {
  for (uint32_t i = 0; program.images() && i < program.images()->size(); ++i) {
    const format::Image &image = *program.images()->Get(i);
    const auto &section = tables.file->section(image.section());
    SmallVector<StringRef> features;
    for (uint32_t f = 0; image.features() && f < image.features()->size(); ++f)
      features.push_back(toRef(image.features()->Get(f)));
    SmallVector<Attribute> entries;
    for (uint32_t k = 0; k < image.kernels()->size(); ++k) {
      // Kernels of another device are not there.
      if (image.kernels()->Get(k)->offset() == 0 && program.devices() &&
          program.devices()->size() > 1)
        continue;
      const format::Kernel &kernel = *program.kernels()->Get(k);
      SmallVector<StringAttr> messages;
      for (uint32_t a = 0;
           kernel.assertions() && a < kernel.assertions()->size(); ++a)
        messages.push_back(builder.getStringAttr(
            toRef(kernel.assertions()->Get(a)->message())));
      entries.push_back(byre::KernelEntryAttr::get(
          builder.getStringAttr(toRef(kernel.name())),
          image.kernels()->Get(k)->offset(), image.kernels()->Get(k)->scratch(),
          kernel.work(), messages));
    }
    std::string name = "image_" + std::to_string(i);
    auto type = RankedTensorType::get({static_cast<int64_t>(section.size)},
                                      builder.getI8Type());
    byre::ImageOp::create(
        builder, builder.getUnknownLoc(), name, toRef(image.target()),
        toRef(image.cpu()), builder.getStrArrayAttr(features),
        builder.getArrayAttr(entries),
        makeResource(type, name, section.data, section.size, tables.file));
  }
}

static void readModuleAttributes(const format::Program &program,
                                 ModuleOp module) {
  Builder builder(module.getContext());
  module->setAttr("ferrule.producer",
                  builder.getStringAttr(toRef(program.producer())));
  SmallVector<NamedAttribute> symbols, metadata;
  for (uint32_t i = 0; program.symbols() && i < program.symbols()->size();
       ++i) {
    const format::Symbol &symbol = *program.symbols()->Get(i);
    symbols.emplace_back(
        builder.getStringAttr(toRef(symbol.name())),
        builder.getI64ArrayAttr({symbol.minimum(), symbol.maximum()}));
  }
  for (uint32_t i = 0; program.metadata() && i < program.metadata()->size();
       ++i) {
    const format::KeyValue &entry = *program.metadata()->Get(i);
    metadata.emplace_back(builder.getStringAttr(toRef(entry.key())),
                          builder.getStringAttr(toRef(entry.value())));
  }
  if (!symbols.empty())
    module->setAttr("ferrule.symbols", builder.getDictionaryAttr(symbols));
  if (!metadata.empty())
    module->setAttr("ferrule.metadata", builder.getDictionaryAttr(metadata));
}

static OwningOpRef<ModuleOp>
readProgram(MLIRContext *context,
            std::shared_ptr<const runtime::ProgramFile> file) {
  const format::Program &program = file->program();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  ReaderTables tables{std::move(file), importLocations(program, context), {}};
  readModuleAttributes(program, *module);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  if (failed(readConstants(program, tables, *module)))
    return {};
  for (const format::Function *function : *program.functions())
    if (failed(readFunction(*function, program, tables, builder)))
      return {};
  readImages(program, tables, builder);
  return module;
}

/// Opens a file with `open` and reads it.
static OwningOpRef<ModuleOp>
importWith(MLIRContext *context, StringRef name,
           llvm::function_ref<
               runtime::Status(std::shared_ptr<const runtime::ProgramFile> &)>
               open) {
  context->loadDialect<byre::ByreDialect, arith::ArithDialect,
                       cf::ControlFlowDialect, func::FuncDialect,
                       math::MathDialect, memref::MemRefDialect>();
  std::shared_ptr<const runtime::ProgramFile> file;
  if (runtime::Status status = open(file); !status.ok()) {
    emitError(FileLineColLoc::get(context, name, 0, 0)) << status.message();
    return {};
  }
  return readProgram(context, std::move(file));
}

OwningOpRef<ModuleOp> ferrule::importProgram(MLIRContext *context,
                                             const std::string &path) {
  return importWith(context, path, [&](auto &file) {
    return runtime::ProgramFile::openFile(path, {}, file);
  });
}

OwningOpRef<ModuleOp> ferrule::importProgramFromMemory(MLIRContext *context,
                                                       StringRef bytes) {
  return importWith(context, "<memory>", [&](auto &file) {
    return runtime::ProgramFile::openMemory(bytes.data(), bytes.size(), {},
                                            file);
  });
}
