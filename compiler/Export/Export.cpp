// The module as a program: functions, kernels, images, constants, symbols.
#include "compiler/Export/Export.h"
#include "compiler/Export/ConstantData.h"
#include "compiler/Export/FunctionWriter.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::byre;

namespace {
class ProgramWriter {
public:
  explicit ProgramWriter(ModuleOp module) : module(module) {}
  /// Fills the container. The module must outlive it.
  LogicalResult write();

  format::ContainerWriter container;

private:
  LogicalResult writeFunctions();
  void findDevices();
  LogicalResult writeImage(ImageOp op);
  LogicalResult writeModuleAttributes();

  ModuleOp module;
  ProgramTables tables;
  llvm::StringSet<> described; ///< Kernels whose assertions are written.
  format::ProgramT program;
};
} // namespace

LogicalResult ProgramWriter::writeFunctions() {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isDeclaration() || isKernel(function))
      continue;
    tables.functions[function.getName()] =
        static_cast<uint32_t>(functions.size());
    functions.push_back(function);
  }
  for (func::FuncOp function : functions) {
    auto written = FunctionWriter(function, tables).write();
    if (failed(written))
      return failure();
    program.functions.push_back(std::move(*written));
  }
  return success();
}

/// A kernel runs on the device that an image has its code for.
void ProgramWriter::findDevices() {
  for (ImageOp image : module.getOps<ImageOp>()) {
    StringRef name = image.getTarget();
    auto found = llvm::find(tables.devices, name);
    auto device = static_cast<uint32_t>(found - tables.devices.begin());
    if (found == tables.devices.end())
      tables.devices.push_back(name.str());
    for (Attribute entry : image.getKernels())
      tables.kernelDevices.try_emplace(cast<KernelEntryAttr>(entry).getKernel(),
                                       device);
  }
}

LogicalResult ProgramWriter::writeImage(ImageOp op) {
  auto image = std::make_unique<format::ImageT>();
  image->target = op.getTarget().str();
  image->cpu = op.getCpu().str();
  for (auto feature : op.getFeatures().getAsRange<StringAttr>())
    image->features.push_back(feature.str());
  for (std::unique_ptr<format::KernelT> &kernel : tables.kernels) {
    KernelEntryAttr entry = op.lookupKernel(kernel->name);
    uint32_t device = tables.kernelDevices.lookup(kernel->name);
    bool isOurs = tables.devices[device] == op.getTarget();
    if (!entry && isOurs)
      return op.emitOpError("expected an entry for kernel '")
             << kernel->name << "', found none";
    // Code for another device is not looked at.
    if (!isOurs) {
      image->kernels.emplace_back(0, 0);
      continue;
    }
    image->kernels.emplace_back(entry.getOffset(), entry.getScratch());
    // What the variants share is taken from the first.
    if (!described.insert(kernel->name).second)
      continue;
    kernel->work = entry.getWork();
    for (StringAttr message : entry.getMessages()) {
      auto assertion = std::make_unique<format::AssertionT>();
      assertion->message = message.str();
      kernel->assertions.push_back(std::move(assertion));
    }
  }
  std::string error;
  FailureOr<ConstantData> data = getConstantData(op.getData(), error);
  if (failed(data))
    return op.emitOpError() << error;
  image->section = container.addSection(format::SectionKind::Image);
  ArrayRef<char> bytes = data->get();
  if (data->isOwned)
    container.appendCopy(image->section, bytes.data(), bytes.size());
  else
    container.append(image->section, bytes.data(), bytes.size());
  program.images.push_back(std::move(image));
  return success();
}

LogicalResult ProgramWriter::writeModuleAttributes() {
  if (auto symbols = module->getAttrOfType<DictionaryAttr>("ferrule.symbols")) {
    for (NamedAttribute attribute : symbols) {
      auto range = dyn_cast<ArrayAttr>(attribute.getValue());
      auto bound = [&](unsigned i) {
        return range && range.size() == 2 ? dyn_cast<IntegerAttr>(range[i])
                                          : IntegerAttr();
      };
      if (!bound(0) || !bound(1))
        return module.emitOpError("expected [minimum, maximum] for '")
               << attribute.getName().strref()
               << "' in 'ferrule.symbols', found " << attribute.getValue();
      auto symbol = std::make_unique<format::SymbolT>();
      symbol->name = attribute.getName().str();
      symbol->minimum = bound(0).getInt();
      symbol->maximum = bound(1).getInt();
      tables.symbols.remove(symbol->name);
      program.symbols.push_back(std::move(symbol));
    }
  }
  // A size that has no range can be anything.
  for (const std::string &name : tables.symbols) {
    auto symbol = std::make_unique<format::SymbolT>();
    symbol->name = name;
    program.symbols.push_back(std::move(symbol));
  }
  if (auto metadata =
          module->getAttrOfType<DictionaryAttr>("ferrule.metadata")) {
    for (NamedAttribute attribute : metadata) {
      auto text = dyn_cast<StringAttr>(attribute.getValue());
      if (!text)
        return module.emitOpError("expected strings in 'ferrule.metadata', "
                                  "found ")
               << attribute.getValue();
      auto entry = std::make_unique<format::KeyValueT>();
      entry->key = attribute.getName().str();
      entry->value = text.str();
      program.metadata.push_back(std::move(entry));
    }
  }
  auto producer = module->getAttrOfType<StringAttr>("ferrule.producer");
  program.producer = producer ? producer.str() : "ferrule " FERRULE_VERSION;
  return success();
}

LogicalResult ProgramWriter::write() {
  uint32_t section = container.addSection(format::SectionKind::Program);
  findDevices();
  if (failed(writeFunctions()) || failed(writeModuleAttributes()))
    return failure();
  for (ImageOp image : module.getOps<ImageOp>())
    if (failed(writeImage(image)))
      return failure();
  if (program.images.empty() && !tables.kernels.empty())
    return module.emitOpError("launches kernel '")
           << tables.kernels.front()->name << "' and has no image";
  // A program for the CPU alone need not say so.
  if (tables.devices.size() > 1 ||
      (!tables.devices.empty() && tables.devices.front() != "cpu"))
    program.devices.assign(tables.devices.begin(), tables.devices.end());
  tables.constants.finish(container);
  program.kernels = std::move(tables.kernels);
  program.constants = tables.constants.take();
  program.locations = tables.locations.take();
  flatbuffers::FlatBufferBuilder builder(1 << 16);
  format::FinishProgramBuffer(builder,
                              format::Program::Pack(builder, &program));
  container.appendCopy(section, builder.GetBufferPointer(), builder.GetSize());
  return success();
}

LogicalResult ferrule::exportProgram(ModuleOp module, const std::string &path) {
  ProgramWriter writer(module);
  if (failed(writer.write()))
    return failure();
  std::string error;
  if (!writer.container.writeToFile(path, error))
    return module.emitError() << error;
  return success();
}

FailureOr<std::string> ferrule::exportProgramToMemory(ModuleOp module) {
  ProgramWriter writer(module);
  if (failed(writer.write()))
    return failure();
  return writer.container.writeToMemory();
}
