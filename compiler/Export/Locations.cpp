#include "compiler/Export/Locations.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferrule;
using Kind = ferrule::format::LocationKind;

LocationTable::LocationTable() {
  entries.push_back(std::make_unique<format::LocationT>());
}

uint32_t LocationTable::intern(LocationAttr location) {
  if (!location || isa<UnknownLoc>(location))
    return 0;
  if (auto found = known.find(location); found != known.end())
    return found->second;
  auto entry = std::make_unique<format::LocationT>();
  llvm::TypeSwitch<LocationAttr>(location)
      .Case([&](NameLoc loc) {
        entry->kind = Kind::Name;
        entry->text = loc.getName().str();
        entry->children = {intern(loc.getChildLoc())};
      })
      .Case([&](FusedLoc loc) {
        entry->kind = Kind::Fused;
        for (Location child : loc.getLocations())
          entry->children.push_back(intern(child));
      })
      .Case([&](CallSiteLoc loc) {
        entry->kind = Kind::CallSite;
        entry->children = {intern(loc.getCallee()), intern(loc.getCaller())};
      })
      .Case([&](FileLineColRange loc) {
        entry->kind = Kind::FileLineColumn;
        entry->text = loc.getFilename().str();
        entry->line = loc.getStartLine();
        entry->column = loc.getStartColumn();
      });
  if (entry->kind == Kind::Unknown) {
    auto opaque = dyn_cast<OpaqueLoc>(location);
    return opaque ? intern(opaque.getFallbackLocation()) : 0;
  }
  entries.push_back(std::move(entry));
  return known[location] = static_cast<uint32_t>(entries.size() - 1);
}

StringRef ferrule::findLayerName(LocationAttr location) {
  if (auto name = dyn_cast<NameLoc>(location))
    return name.getName();
  if (auto site = dyn_cast<CallSiteLoc>(location))
    return findLayerName(site.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location child : fused.getLocations())
      if (StringRef name = findLayerName(child); !name.empty())
        return name;
  return {};
}

SmallVector<LocationAttr>
ferrule::importLocations(const format::Program &program, MLIRContext *context) {
  SmallVector<LocationAttr> result;
  LocationAttr unknown = UnknownLoc::get(context);
  if (!program.locations())
    return {unknown};
  for (const format::Location *entry : *program.locations()) {
    StringRef text =
        entry->text() ? StringRef(entry->text()->c_str(), entry->text()->size())
                      : StringRef();
    SmallVector<Location> children;
    for (uint32_t i = 0; entry->children() && i < entry->children()->size();
         ++i)
      children.push_back(Location(result[entry->children()->Get(i)]));
    LocationAttr location = unknown;
    if (entry->kind() == Kind::FileLineColumn)
      location =
          FileLineColLoc::get(context, text, entry->line(), entry->column());
    else if (entry->kind() == Kind::Name)
      location =
          NameLoc::get(StringAttr::get(context, text),
                       children.empty() ? Location(unknown) : children.front());
    else if (entry->kind() == Kind::Fused)
      location = FusedLoc::get(context, children);
    else if (entry->kind() == Kind::CallSite && children.size() == 2)
      location = CallSiteLoc::get(children[0], children[1]);
    result.push_back(location);
  }
  return result;
}
