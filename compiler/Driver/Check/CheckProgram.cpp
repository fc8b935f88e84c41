#include "compiler/Driver/Check/CheckProgram.h"
#include "compiler/Driver/Check/PrepareChecks.h"
#include "compiler/Export/ConstantData.h"
#include "compiler/Support/GuardedRead.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "runtime/include/ferrule/ferrule.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace ferrule;

namespace {

/// A compiled program in the runtime.
struct LoadedProgram {
  ferrule_program *program = nullptr;
  ferrule_session *session = nullptr;
  ~LoadedProgram() {
    ferrule_session_free(session);
    ferrule_program_free(program);
  }
};

/// One process of a run. Owns what its inputs point to.
struct ProcessRun {
  ferrule_request *request = nullptr;
  SmallVector<ConstantData, 0> inputs;
  ~ProcessRun() { ferrule_request_free(request); }
};

/// One run of a function, in as many processes as it asks for.
struct FunctionRun {
  const CheckedFunction &function;
  std::vector<ProcessRun> processes;

  explicit FunctionRun(const CheckedFunction &function)
      : function(function), processes(function.processes.size()) {}

  LogicalResult run(LoadedProgram &loaded);
  LogicalResult compare(const Expectation &expectation);

private:
  InFlightDiagnostic error(Location loc) {
    return emitError(loc) << "@" << function.name << ": ";
  }
  LogicalResult runtimeError() {
    return error(function.loc) << ferrule_error_message();
  }
  LogicalResult prepare(LoadedProgram &loaded, const ProcessCall &call,
                        ProcessRun &process);
  LogicalResult readOutput(unsigned index, TensorContents &contents);
};

LogicalResult FunctionRun::prepare(LoadedProgram &loaded,
                                   const ProcessCall &call,
                                   ProcessRun &process) {
  uint32_t number = 0;
  if (ferrule_program_find_function(loaded.program, call.function.c_str(),
                                    &number) ||
      ferrule_request_create(loaded.session, number, &process.request))
    return runtimeError();
  process.inputs.reserve(call.arguments.size());
  for (auto [i, value] : llvm::enumerate(call.arguments)) {
    std::string reason;
    FailureOr<ConstantData> data = getConstantData(value, reason);
    if (failed(data))
      return error(function.loc) << "a constant: " << reason;
    process.inputs.push_back(std::move(*data));
    ferrule_value_info info = {};
    info.struct_size = sizeof info;
    if (ferrule_program_input_info(loaded.program, number, i, &info))
      return runtimeError();
    ArrayRef<int64_t> shape = value.getShapedType().getShape();
    ferrule_buffer buffer = {};
    buffer.struct_size = sizeof buffer;
    buffer.data = const_cast<char *>(process.inputs.back().get().data());
    buffer.element_type = info.element_type;
    buffer.rank = shape.size();
    buffer.dims = shape.data();
    if (ferrule_request_set_input(process.request, i, &buffer))
      return runtimeError();
  }
  return success();
}

LogicalResult FunctionRun::run(LoadedProgram &loaded) {
  std::vector<ferrule_request *> requests;
  for (auto [call, process] : llvm::zip(function.processes, processes)) {
    if (failed(prepare(loaded, call, process)))
      return failure();
    requests.push_back(process.request);
  }
  ferrule_status status = requests.size() == 1
                              ? ferrule_request_run(requests.front(), nullptr)
                              : ferrule_requests_run_together(
                                    requests.data(), requests.size(),
                                    function.replicas, function.partitions);
  return status ? runtimeError() : success();
}

LogicalResult FunctionRun::readOutput(unsigned index,
                                      TensorContents &contents) {
  // The last process whose outputs start at or before this one.
  size_t number = processes.size() - 1;
  while (function.processes[number].firstOutput > index)
    --number;
  ferrule_buffer buffer = {};
  buffer.struct_size = sizeof buffer;
  if (ferrule_request_output(processes[number].request,
                             index - function.processes[number].firstOutput,
                             &buffer))
    return runtimeError();
  contents.shape.assign(buffer.dims, buffer.dims + buffer.rank);
  int64_t bits = ferrule_element_type_bits(buffer.element_type) *
                 ShapedType::getNumElements(contents.shape);
  contents.bytes = ArrayRef<char>(static_cast<const char *>(buffer.data),
                                  llvm::divideCeil(bits, 8));
  return success();
}

LogicalResult FunctionRun::compare(const Expectation &expectation) {
  TensorContents actual{expectation.elementType, {}, {}};
  TensorContents expected{expectation.elementType, {}, {}};
  if (failed(readOutput(expectation.actualOutput, actual)))
    return failure();
  ConstantData known;
  if (expectation.expectedOutput) {
    if (failed(readOutput(*expectation.expectedOutput, expected)))
      return failure();
  } else if (!expectation.expectedValue) {
    expected.shape = actual.shape;
    expected.bytes = actual.bytes;
  } else {
    std::string reason;
    FailureOr<ConstantData> data =
        getConstantData(expectation.expectedValue, reason);
    if (failed(data))
      return error(expectation.loc) << "the expected value: " << reason;
    known = std::move(*data);
    expected.shape =
        llvm::to_vector(expectation.expectedValue.getShapedType().getShape());
    expected.bytes = known.get();
  }
  std::optional<std::string> mismatch =
      compareTensors(expectation.agreement, actual, expected);
  if (!mismatch)
    return success();
  return error(expectation.loc) << expectation.target << ": " << *mismatch;
}

/// Runs one function and compares all its values.
LogicalResult checkFunction(const CheckedFunction &function,
                            LoadedProgram &loaded) {
  FunctionRun run(function);
  if (failed(run.run(loaded)))
    return failure();
  bool agree = true;
  for (const Expectation &expectation : function.expectations)
    agree &= succeeded(run.compare(expectation));
  return success(agree);
}

LogicalResult load(ModuleOp module, const CompileOptions &options,
                   LoadedProgram &loaded) {
  FailureOr<std::string> bytes = compileToBytes(module, options);
  if (failed(bytes))
    return failure();
  ferrule_session_options session = {};
  session.struct_size = sizeof session;
  // More than one, so that work is shared out as it will be for users.
  session.threads = 2;
  if (ferrule_program_load_memory(bytes->data(), bytes->size(), nullptr,
                                  &loaded.program) ||
      ferrule_session_create(loaded.program, &session, &loaded.session))
    return module.emitError(ferrule_error_message());
  return success();
}

} // namespace

/// Programs that show what a compiler must refuse say so at the place.
static bool expectsError(StringRef source) {
  return source.contains("expected-error");
}

static CheckCounts runChecks(ModuleOp module, const CompileOptions &options) {
  CheckCounts counts;
  LoadedProgram loaded;
  FailureOr<std::vector<CheckedFunction>> functions = prepareChecks(module);
  if (failed(functions) || failed(load(module, options, loaded))) {
    counts.failed = 1;
    return counts;
  }
  for (const CheckedFunction &function : *functions)
    ++(succeeded(checkFunction(function, loaded)) ? counts.passed
                                                  : counts.failed);
  return counts;
}

CheckCounts ferrule::checkProgram(StringRef source, StringRef path,
                                  unsigned line, const CompileOptions &options,
                                  raw_ostream &os) {
  std::unique_ptr<MLIRContext> context = createContext(options.threads);
  bool refused = expectsError(source);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, context.get(),
                                         refused ? llvm::nulls() : os);
  // Empty lines before it make the lines of diagnostics those of the file.
  std::string text = std::string(line - 1, '\n') + source.str();
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, path),
                             SMLoc());
  OwningOpRef<ModuleOp> module;
  readGuarded(FileLineColLoc::get(context.get(), path, line, 0), [&] {
    module = parseSourceFile<ModuleOp>(sources, ParserConfig(context.get()));
  });
  CheckCounts counts;
  if (module)
    counts = runChecks(*module, options);
  else
    counts.failed = 1;
  if (!refused)
    return counts;
  if (counts.failed > 0)
    return {1, 0};
  os << path << ":" << line
     << ": error: found no error, expected the one that the comments name\n";
  return {0, 1};
}
