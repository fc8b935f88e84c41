#include "compiler/Support/LocationText.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

static std::string fileText(FileLineColLoc loc) {
  std::string text = loc.getFilename().str();
  if (loc.getLine() > 0)
    text += ":" + std::to_string(loc.getLine());
  if (loc.getLine() > 0 && loc.getColumn() > 0)
    text += ":" + std::to_string(loc.getColumn());
  return text;
}

std::string ferrule::locationText(Location loc) {
  return llvm::TypeSwitch<LocationAttr, std::string>(loc)
      .Case([](FileLineColLoc file) { return fileText(file); })
      .Case([](NameLoc name) {
        std::string child = locationText(name.getChildLoc());
        return child.empty() ? name.getName().str() : child;
      })
      .Case([](CallSiteLoc call) {
        std::string callee = locationText(call.getCallee());
        return callee.empty() ? locationText(call.getCaller()) : callee;
      })
      .Case([](FusedLoc fused) {
        for (Location part : fused.getLocations())
          if (std::string text = locationText(part); !text.empty())
            return text;
        return std::string();
      })
      .Case([](OpaqueLoc opaque) {
        return locationText(opaque.getFallbackLocation());
      })
      .Default([](LocationAttr) { return std::string(); });
}

bool ferrule::hasSourceLine(Location loc) {
  WalkResult walk = loc->walk([](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    return file && file.getLine() > 0 ? WalkResult::interrupt()
                                      : WalkResult::advance();
  });
  return walk.wasInterrupted();
}
