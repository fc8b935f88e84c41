// Links objects into one ELF image, in process.
#include "compiler/Target/CPU/Image/Image.h"
#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;
using namespace ferrule;
using namespace ferrule::cpu;

namespace {

/// A folder that goes away with its contents.
class TemporaryFolder {
public:
  TemporaryFolder() { ok = !sys::fs::createUniqueDirectory("ferrule", path); }
  ~TemporaryFolder() {
    if (ok)
      sys::fs::remove_directories(path);
  }
  bool isValid() const { return ok; }
  std::string file(const Twine &name) const {
    SmallString<128> full = path;
    sys::path::append(full, name);
    return full.str().str();
  }

private:
  SmallString<128> path;
  bool ok;
};

bool writeFile(const std::string &path, StringRef bytes) {
  std::error_code code;
  raw_fd_ostream stream(path, code);
  if (code)
    return false;
  stream << bytes;
  stream.close();
  return !stream.has_error();
}

/// lld keeps its state in globals.
bool runLinker(ArrayRef<std::string> arguments, std::string &error) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  SmallVector<const char *> raw;
  for (const std::string &argument : arguments)
    raw.push_back(argument.c_str());
  std::string output;
  raw_string_ostream errorStream(error);
  raw_string_ostream outputStream(output);
  bool linked = lld::elf::link(raw, outputStream, errorStream,
                               /*exitEarly=*/false, /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  return linked;
}

/// File offsets of the exported functions. Segments are laid out so that an
/// address is also its offset in the mapped image.
bool readEntries(LinkedImage &image, std::string &error) {
  auto file = object::ELF64LEObjectFile::create(
      MemoryBufferRef(StringRef(image.bytes.data(), image.bytes.size()),
                      "image"));
  if (!file) {
    error = toString(file.takeError());
    return false;
  }
  for (const object::ELFSymbolRef &symbol : file->getDynamicSymbolIterators()) {
    Expected<StringRef> name = symbol.getName();
    Expected<uint64_t> address = symbol.getAddress();
    if (!name || !address) {
      consumeError(name.takeError());
      consumeError(address.takeError());
      continue;
    }
    image.entries[*name] = *address;
  }
  return true;
}

} // namespace

FailureOr<ObjectCode> cpu::linkImage(ArrayRef<ObjectCode> objects,
                                     ArrayRef<std::string> entries,
                                     std::string &error) {
  TemporaryFolder folder;
  if (!folder.isValid()) {
    error = "expected a writable temporary folder";
    return failure();
  }
  std::string script = "{ global: ";
  for (const std::string &entry : entries)
    script += "\"" + entry + "\"; ";
  script += "local: *; };\n";
  std::string exports = folder.file("exports");
  std::string output = folder.file("image");
  std::vector<std::string> arguments = {
      "ld.lld", "-shared", "-nostdlib", "--no-undefined", "-z", "defs",
      "-z", "max-page-size=4096", "-z", "separate-code", "-z", "relro",
      "-z", "now", "-z", "noexecstack", "--hash-style=gnu", "--build-id=none",
      "--gc-sections", "--strip-all", "-Bsymbolic", "--threads=1",
      "--no-rosegment", "--version-script=" + exports, "-o", output};
  bool written = writeFile(exports, script);
  for (auto [i, object] : llvm::enumerate(objects)) {
    std::string path = folder.file(Twine(i) + ".o");
    written &= writeFile(path, StringRef(object.data(), object.size()));
    arguments.push_back(path);
  }
  if (!written) {
    error = "expected to write objects to a temporary folder";
    return failure();
  }
  if (!runLinker(arguments, error))
    return failure();
  auto buffer = MemoryBuffer::getFile(output, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer) {
    error = "expected a linked image, found none";
    return failure();
  }
  StringRef bytes = (*buffer)->getBuffer();
  return ObjectCode(bytes.begin(), bytes.end());
}

FailureOr<LinkedImage> cpu::readImage(ObjectCode bytes,
                                      ArrayRef<StringRef> entries,
                                      std::string &error) {
  LinkedImage image;
  image.bytes = std::move(bytes);
  if (!readEntries(image, error))
    return failure();
  for (StringRef entry : entries)
    if (!image.entries.contains(entry)) {
      error = ("found none that exports " + entry).str();
      return failure();
    }
  return image;
}
