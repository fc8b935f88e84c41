// Compiles and runs programs that hold their expectations.
#include "compiler/Driver/Check/CheckFiles.h"
#include "compiler/Driver/Plugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

static cl::OptionCategory category("ferrule-check options");
static cl::list<std::string>
    paths(cl::Positional, cl::OneOrMore,
          cl::desc("FILE-OR-FOLDER... (.mlir, programs parted by // -----)"),
          cl::cat(category));
static cl::list<std::string>
    plugins("load-plugin",
            cl::desc("A shared object that brings targets or devices"),
            cl::cat(category));
static cl::opt<std::string>
    target("target", cl::init("cpu"),
           cl::desc("cpu, reference, or the target of a plug-in"),
           cl::cat(category));
static cl::list<std::string>
    targetCPUs("target-cpu", cl::CommaSeparated,
               cl::desc("host, x86-64-v3, x86-64-v4, aarch64, a CPU's name "
                        "or a list of these"),
               cl::cat(category));
static cl::opt<int> optLevel("opt-level", cl::init(1),
                             cl::desc("0: no fusion, no packing; 1: all"),
                             cl::cat(category));
static cl::opt<unsigned> jobs("j", cl::Prefix, cl::init(1),
                              cl::desc("Programs to check at once"),
                              cl::cat(category));
static cl::opt<unsigned>
    timeout("timeout", cl::init(120),
            cl::desc("Seconds that a program may take (0: no limit)"),
            cl::cat(category));

int main(int argc, char **argv) {
  llvm::setBugReportMsg("the compiler crashed; the stack:\n");
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compiles and runs programs that hold their expectations: "
      "check.expect_eq, check.expect_close, check.expect_almost_eq, "
      "check.expect_eq_const ..., or stablehlo.custom_call @check.expect_eq\n");
  std::string error;
  for (const std::string &path : plugins)
    if (!ferrule::loadPlugin(path, error)) {
      llvm::errs() << "ferrule-check: error: " << error << "\n";
      return 1;
    }
  ferrule::CheckFilesOptions options;
  options.compile.target = target;
  if (!targetCPUs.empty())
    options.compile.targetCPUs.assign(targetCPUs.begin(), targetCPUs.end());
  options.compile.optLevel = optLevel;
  options.compile.threads = 1;
  options.jobs = std::max(1u, unsigned(jobs));
  options.secondsPerProgram = timeout;

  ferrule::CheckCounts counts;
  if (!ferrule::checkFiles(paths, options, counts, error, llvm::outs())) {
    llvm::errs() << "ferrule-check: error: " << error << "\n";
    return 1;
  }
  return counts.failed != 0;
}
