#include "compiler/Support/GuardedRead.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/ErrorHandling.h"
#include <csetjmp>
#include <cstdio>
#include <cstdlib>

using namespace mlir;

namespace {

/// Where this thread goes when LLVM gives up, and why it did.
struct Guard {
  jmp_buf place;
  std::string reason;
};

thread_local Guard *current = nullptr;

/// Ends the read of this thread; without one, the process as LLVM does.
void giveUp(void *, const char *reason, bool) {
  if (!current) {
    std::fprintf(stderr, "LLVM ERROR: %s\n", reason);
    std::abort();
  }
  current->reason = reason;
  // The frames in between belong to LLVM and have no cleanups that matter but
  // the freeing of memory.
  longjmp(current->place, 1);
}

void installOnce() {
  static const bool installed = [] {
    llvm::install_fatal_error_handler(giveUp);
    llvm::install_bad_alloc_error_handler(giveUp);
    return true;
  }();
  (void)installed;
}

} // namespace

bool ferrule::readGuarded(Location loc, llvm::function_ref<void()> read) {
  installOnce();
  Guard guard;
  Guard *outer = current;
  current = &guard;
  bool whole = setjmp(guard.place) == 0;
  if (whole)
    read();
  current = outer;
  if (!whole)
    emitError(loc) << "the program is damaged, it asks for more memory than "
                      "there is: "
                   << StringRef(guard.reason).split('\n').first;
  return whole;
}
