// The Python module ferrule._native._compiler: programs in memory, the builder
// that the PyTorch importer calls, and the compiler.
#include "compiler/Driver/Check/CheckFiles.h"
#include "compiler/Driver/CompileModule.h"
#include "compiler/Frontend/PyTorch/GraphBuilder.h"
#include "compiler/Support/ModuleHandle.h"

#include <llvm/Support/raw_ostream.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using ferrule::ModuleHandle;
using ferrule::torch::GraphBuilder;
using ferrule::torch::LiteralData;

namespace {

/// A program with the Python objects whose memory its constants use.
struct PyModule {
  std::vector<nb::object> keepAlive;
  std::unique_ptr<ModuleHandle> handle;
};

/// The builder with the storages that it was given.
struct PyBuilder {
  std::vector<nb::object> keepAlive;
  GraphBuilder builder;
};

[[noreturn]] void fail(const std::string &message) {
  throw nb::value_error(message.c_str());
}

GraphBuilder::Value checked(PyBuilder &self, GraphBuilder::Value value) {
  if (value < 0)
    fail(self.builder.error());
  return value;
}

void check(PyBuilder &self, bool success) {
  if (!success)
    fail(self.builder.error());
}

PyModule parseModule(nb::object source) {
  // Bytes or str, without a copy.
  const char *data = nullptr;
  Py_ssize_t size = 0;
  char *bytes = nullptr;
  if (PyUnicode_Check(source.ptr()))
    data = PyUnicode_AsUTF8AndSize(source.ptr(), &size);
  else if (PyBytes_AsStringAndSize(source.ptr(), &bytes, &size) == 0)
    data = bytes;
  if (!data)
    throw nb::python_error();
  std::string error;
  PyModule module;
  module.handle = ModuleHandle::parse(std::string_view(data, size), error);
  if (!module.handle)
    fail(error);
  return module;
}

void runPipeline(PyModule &self, const std::string &pipeline) {
  std::string error;
  bool success;
  {
    nb::gil_scoped_release release;
    success = self.handle->runPipeline(pipeline, error);
  }
  if (!success)
    fail(error);
}

/// Compiles in place, with the interpreter free for other threads. For the
/// stage "byre" the result is the bytes of the program's file, else None.
nb::object compileModule(PyModule &self, std::string target,
                         std::vector<std::string> targetCPUs, int optLevel,
                         std::string compileTo, std::string dumpFolder,
                         std::string kernelCache, nb::object log) {
  ferrule::CompileRequest request{std::move(target),
                                  std::move(targetCPUs),
                                  optLevel,
                                  std::move(compileTo),
                                  std::move(dumpFolder),
                                  std::move(kernelCache),
                                  {}};
  if (!log.is_none())
    request.log = [&log](std::string_view line) {
      nb::gil_scoped_acquire acquire;
      log(nb::str(line.data(), line.size()));
    };
  std::string file, error;
  bool success;
  {
    nb::gil_scoped_release release;
    success = ferrule::compileModule(*self.handle, request, file, error);
  }
  if (!success)
    fail(error);
  if (request.compileTo != "byre")
    return nb::none();
  return nb::bytes(file.data(), file.size());
}

PyModule ownOrFail(std::unique_ptr<ferrule::ModuleHandle> handle,
                   const std::string &error) {
  PyModule module;
  module.handle = std::move(handle);
  if (!module.handle)
    fail(error);
  return module;
}

using InputShapes = std::map<std::string, std::vector<int64_t>>;

PyModule loadModel(const std::string &path, const InputShapes &shapes) {
  std::string error;
  auto handle = ferrule::loadModelFile(path, shapes, error);
  return ownOrFail(std::move(handle), error);
}

PyModule loadModelBytes(nb::bytes bytes, const InputShapes &shapes) {
  std::string error;
  auto handle =
      ferrule::loadModelBytes({bytes.c_str(), bytes.size()}, shapes, error);
  return ownOrFail(std::move(handle), error);
}

nb::bytes writeBytecode(PyModule &self) {
  std::string bytes = self.handle->writeBytecode();
  return nb::bytes(bytes.data(), bytes.size());
}

PyModule finish(PyBuilder &self) {
  PyModule module;
  module.handle = self.builder.finish();
  if (!module.handle)
    fail(self.builder.error());
  module.keepAlive = std::move(self.keepAlive);
  return module;
}

GraphBuilder::Value addLiteral(PyBuilder &self, std::string_view name,
                               std::string_view elementType,
                               std::vector<int64_t> shape, uintptr_t address,
                               size_t bytes, nb::object owner) {
  LiteralData literal{name, elementType, std::move(shape),
                      reinterpret_cast<const void *>(address), bytes};
  self.keepAlive.push_back(std::move(owner));
  return checked(self, self.builder.literal(literal));
}

/// Checks programs that hold their expectations and prints what failed. It
/// forks, so the process must have no other threads.
std::pair<unsigned, unsigned> checkFiles(const std::vector<std::string> &paths,
                                         std::string target, int optLevel,
                                         unsigned jobs) {
  ferrule::CheckFilesOptions options;
  options.compile.target = std::move(target);
  options.compile.optLevel = optLevel;
  options.compile.threads = 1;
  options.jobs = std::max(1u, jobs);
  ferrule::CheckCounts counts;
  std::string error;
  bool success =
      ferrule::checkFiles(paths, options, counts, error, llvm::outs());
  llvm::outs().flush();
  if (!success)
    fail(error);
  return {counts.passed, counts.failed};
}

void bindModule(nb::module_ &m) {
  nb::class_<PyModule>(m, "Module", "A program in memory.")
      .def_static("parse", &parseModule, "source"_a,
                  "Reads MLIR text or bytecode.")
      .def(
          "text",
          [](PyModule &self, bool elide, bool locations) {
            return self.handle->print(elide, locations);
          },
          "elide"_a = true, "locations"_a = false)
      .def("__str__",
           [](PyModule &self) { return self.handle->print(true, false); })
      .def("bytecode", &writeBytecode)
      .def("run_pipeline", &runPipeline, "pipeline"_a)
      .def("compile", &compileModule, "target"_a = "cpu",
           "target_cpus"_a = std::vector<std::string>{"host"},
           "opt_level"_a = 1, "compile_to"_a = "byre", "dump_folder"_a = "",
           "kernel_cache"_a = "", "log"_a = nb::none());
  m.def("load_model", &loadModel, "path"_a, "input_shapes"_a);
  m.def("load_model_bytes", &loadModelBytes, "bytes"_a, "input_shapes"_a);
  m.def("check_files", &checkFiles, "paths"_a, "target"_a = "cpu",
        "opt_level"_a = 1, "jobs"_a = 1);
}

using Values = GraphBuilder::Values;
using TypeIds = GraphBuilder::TypeIds;
using Value = GraphBuilder::Value;

void bindFunctions(nb::class_<PyBuilder> &type) {
  type.def("begin_function",
           [](PyBuilder &self, std::string_view name, const TypeIds &types) {
             Values values;
             check(self, self.builder.beginFunction(name, types, values));
             return values;
           })
      .def("set_argument",
           [](PyBuilder &self, unsigned index, std::string_view name,
              const std::vector<std::string> &dims) {
             self.builder.setArgument(index, name, dims);
           })
      .def("end_function",
           [](PyBuilder &self, const Values &results) {
             check(self, self.builder.endFunction(results));
           })
      .def("set_result",
           [](PyBuilder &self, unsigned index, std::string_view name,
              const std::vector<std::string> &dims) {
             self.builder.setResult(index, name, dims);
           })
      .def("set_symbol_range",
           [](PyBuilder &self, std::string_view name, int64_t min,
              int64_t max) { self.builder.setSymbolRange(name, min, max); })
      .def("set_metadata",
           [](PyBuilder &self, std::string_view key, std::string_view value) {
             self.builder.setMetadata(key, value);
           })
      .def("set_location",
           [](PyBuilder &self, std::string_view file, unsigned line,
              unsigned column, std::string_view layer) {
             self.builder.setLocation(file, line, column, layer);
           })
      .def("finish", &finish);
}

void bindOps(nb::class_<PyBuilder> &type) {
  type.def("type",
           [](PyBuilder &self, std::string_view text) {
             return checked(self, self.builder.getType(text));
           })
      .def("type_text",
           [](PyBuilder &self, Value value) {
             return self.builder.getTypeText(value);
           })
      .def("int", [](PyBuilder &self,
                     int64_t value) { return self.builder.constantInt(value); })
      .def("float",
           [](PyBuilder &self, double value) {
             return self.builder.constantFloat(value);
           })
      .def("bool", [](PyBuilder &self,
                      bool value) { return self.builder.constantBool(value); })
      .def("str",
           [](PyBuilder &self, std::string_view value) {
             return self.builder.constantString(value);
           })
      .def("device",
           [](PyBuilder &self, std::string_view value) {
             return self.builder.constantDevice(value);
           })
      .def("none", [](PyBuilder &self) { return self.builder.constantNone(); })
      .def("literal", &addLiteral)
      .def("has_op",
           [](PyBuilder &self, std::string_view name) {
             return self.builder.hasOp(name);
           })
      .def("op",
           [](PyBuilder &self, std::string_view name, const Values &operands,
              const TypeIds &types) {
             Values values;
             check(self, self.builder.op(name, operands, types, values));
             return values;
           })
      .def("runtime_assert",
           [](PyBuilder &self, Value condition, std::string_view message) {
             self.builder.runtimeAssert(condition, message);
           })
      .def("symbolic_int",
           [](PyBuilder &self, std::string_view name, int64_t min,
              int64_t max) { return self.builder.symbolicInt(name, min, max); })
      .def("bind_shape", [](PyBuilder &self, Value tensor,
                            const Values &symbols, std::string_view map) {
        check(self, self.builder.bindShape(tensor, symbols, map));
      });
}

void bindControlFlow(nb::class_<PyBuilder> &type) {
  type.def("begin_if",
           [](PyBuilder &self, Value condition, const TypeIds &results) {
             check(self, self.builder.beginIf(condition, results));
           })
      .def("begin_else",
           [](PyBuilder &self, const Values &results) {
             check(self, self.builder.beginElse(results));
           })
      .def("end_if",
           [](PyBuilder &self, const Values &results) {
             Values values;
             check(self, self.builder.endIf(results, values));
             return values;
           })
      .def("begin_loop",
           [](PyBuilder &self, Value trips, Value condition,
              const Values &carried) {
             Values values;
             check(self,
                   self.builder.beginLoop(trips, condition, carried, values));
             return values;
           })
      .def("end_loop",
           [](PyBuilder &self, Value condition, const Values &carried) {
             Values values;
             check(self, self.builder.endLoop(condition, carried, values));
             return values;
           });
}

} // namespace

NB_MODULE(_compiler, m) {
  // Objects alive at exit are the interpreter's business.
  nb::set_leak_warnings(false);
  m.doc() = "Ferrule's compiler. Not needed to run compiled programs.";
  bindModule(m);
  m.def("supported_onnx_ops", &ferrule::listONNXOps,
        "Names of the ONNX ops that can be imported.");
  m.def("lowered_torch_operators", &ferrule::torch::getLoweredOperators,
        "Names of the operators that need no decomposition.");
  nb::class_<PyBuilder> builder(m, "GraphBuilder",
                                "Builds a program of the torch dialect.");
  builder.def(nb::init<>());
  bindFunctions(builder);
  bindOps(builder);
  bindControlFlow(builder);
}
