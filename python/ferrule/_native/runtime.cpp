// The Python module ferrule._native._runtime: programs that run. It has no
// LLVM in it.
#include "ferrule/device.h"
#include "python/ferrule/_native/arrays.h"
#include "python/ferrule/_native/providers.h"

#include "runtime/command/input_spec.h"
#include "runtime/format/container.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace ferrule;
using namespace ferrule::python;

namespace {

/// One function of a program with its session. Calls from several threads run
/// at the same time, each with a request of its own.
class Executable {
public:
  Executable(Program program, Session session, const std::string &name)
      : program(std::move(program)), session(std::move(session)),
        index(this->program.find(name)), info(this->program.function(index)),
        idle(std::make_shared<Idle>()) {}

  Executable function(const std::string &name) const {
    return Executable(program, session, name);
  }

  nb::list run(nb::sequence values);
  nb::list profile(nb::sequence values, nb::list events);
  nb::list runTogether(nb::sequence calls, uint32_t replicas,
                       uint32_t partitions);
  void save(const std::string &path) const;
  nb::bytes bytes() const {
    auto [data, size] = program.bytes();
    return nb::bytes(static_cast<const char *>(data), size);
  }

  Program program;
  Session session;
  uint32_t index;
  FunctionInfo info;

private:
  struct Idle {
    std::mutex mutex;
    std::vector<std::unique_ptr<Request>> requests;
  };
  std::unique_ptr<Request> takeRequest() {
    {
      std::lock_guard lock(idle->mutex);
      if (!idle->requests.empty()) {
        auto request = std::move(idle->requests.back());
        idle->requests.pop_back();
        return request;
      }
    }
    return std::make_unique<Request>(session, index);
  }
  struct Call;
  Call prepare(nb::sequence values);
  nb::list finish(Call call);
  nb::list call(nb::sequence values, const ferrule_run_options *options);

  std::shared_ptr<Idle> idle;
};

/// The arrays of one call, which hold the memory that its request uses.
struct Executable::Call {
  std::vector<Argument> arguments;
  std::unique_ptr<Request> request;
};

Executable::Call Executable::prepare(nb::sequence values) {
  size_t count = nb::len(values);
  if (count != info.inputs.size())
    throw Error(FERRULE_INVALID_ARGUMENT,
                "'" + info.name + "' takes " +
                    std::to_string(info.inputs.size()) + " inputs, found " +
                    std::to_string(count));
  Call call;
  call.arguments.reserve(count);
  for (size_t i = 0; i < count; ++i)
    call.arguments.push_back(viewArgument(values[i], info.inputs[i]));
  for (const ValueInfo &output : info.outputs)
    if (output.aliasInput >= 0 && call.arguments[output.aliasInput].readOnly)
      throw Error(FERRULE_INVALID_ARGUMENT,
                  "input '" + info.inputs[output.aliasInput].name +
                      "' is updated in place, but it is read-only");
  call.request = takeRequest();
  for (uint32_t i = 0; i < count; ++i)
    call.request->setInput(i, call.arguments[i].view);
  return call;
}

nb::list Executable::finish(Call call) {
  // Results are of the kind that most tells what the caller works with.
  const Argument *like = nullptr;
  for (const Argument &argument : call.arguments)
    if (!like || (like->kind == Kind::Numpy && argument.kind != Kind::Numpy))
      like = &argument;
  nb::list results;
  for (uint32_t i = 0; i < info.outputs.size(); ++i) {
    if (int alias = info.outputs[i].aliasInput; alias >= 0) {
      results.append(call.arguments[alias].object);
      continue;
    }
    auto [view, memory] = call.request->takeOutput(i);
    results.append(makeArray(view, std::move(memory),
                             like ? like->kind : Kind::Numpy,
                             like ? nb::handle(like->object) : nb::handle()));
  }
  std::lock_guard lock(idle->mutex);
  idle->requests.push_back(std::move(call.request));
  return results;
}

nb::list Executable::call(nb::sequence values,
                          const ferrule_run_options *options) {
  Call call = prepare(values);
  {
    nb::gil_scoped_release release;
    call.request->run(options);
  }
  return finish(std::move(call));
}

nb::list Executable::runTogether(nb::sequence calls, uint32_t replicas,
                                 uint32_t partitions) {
  std::vector<Call> prepared;
  std::vector<Request *> requests;
  for (nb::handle values : calls)
    prepared.push_back(prepare(nb::cast<nb::sequence>(values)));
  for (Call &call : prepared)
    requests.push_back(call.request.get());
  {
    nb::gil_scoped_release release;
    ferrule::runTogether(requests, replicas, partitions);
  }
  nb::list results;
  for (Call &call : prepared)
    results.append(finish(std::move(call)));
  return results;
}

nb::list Executable::run(nb::sequence values) { return call(values, nullptr); }

nb::list Executable::profile(nb::sequence values, nb::list events) {
  struct Event {
    std::string name, layer, operations;
    uint64_t start, duration;
    uint32_t workgroups, threads;
    int64_t flops, bytes;
  };
  std::vector<Event> recorded;
  auto record = [](void *context, const ferrule_profile_event *event) {
    static_cast<std::vector<Event> *>(context)->push_back(
        {std::string(event->name, event->name_size),
         std::string(event->layer_size ? event->layer : "", event->layer_size),
         std::string(event->operations_size ? event->operations : "",
                     event->operations_size),
         event->start_ns, event->duration_ns, event->workgroups, event->threads,
         event->flops, event->bytes});
  };
  ferrule_run_options options = {sizeof(options), record, &recorded};
  nb::list results = call(values, &options);
  auto countOrNone = [](int64_t count) {
    return count < 0 ? nb::object(nb::none()) : nb::object(nb::int_(count));
  };
  for (const Event &event : recorded) {
    nb::dict entry;
    entry["kernel"] = event.name;
    entry["layer"] = event.layer;
    entry["start_ns"] = event.start;
    entry["duration_ns"] = event.duration;
    entry["workgroups"] = event.workgroups;
    entry["threads"] = event.threads;
    entry["operations"] = event.operations;
    entry["flops"] = countOrNone(event.flops);
    entry["bytes"] = countOrNone(event.bytes);
    events.append(entry);
  }
  return results;
}

/// Inputs as command lines give them, as NumPy arrays.
nb::list makeInputs(const Executable &self,
                    const std::vector<std::string> &texts, bool fillRandom) {
  nb::list result;
  for (command::Array &array :
       command::makeInputs(self.info, texts, fillRandom)) {
    auto owned = std::make_unique<command::Array>(std::move(array));
    BufferView view = owned->view();
    nb::capsule owner(owned.release(), [](void *memory) noexcept {
      delete static_cast<command::Array *>(memory);
    });
    result.append(makeArray(view, owner, Kind::Numpy, nb::handle()));
  }
  return result;
}

void Executable::save(const std::string &path) const {
  auto [data, size] = program.bytes();
  // A device or a pipe is written as it is: renaming would replace it.
  struct stat status;
  bool inPlace = stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) &&
                 !S_ISDIR(status.st_mode);
  std::string temporary =
      inPlace ? path : path + ".tmp" + std::to_string(getpid());
  std::ofstream file(temporary, std::ios::binary);
  file.write(static_cast<const char *>(data),
             static_cast<std::streamsize>(size));
  file.close();
  if (!file ||
      (!inPlace && std::rename(temporary.c_str(), path.c_str()) != 0)) {
    std::string cause = std::strerror(errno);
    if (!inPlace)
      std::remove(temporary.c_str());
    throw Error(FERRULE_INVALID_ARGUMENT,
                "cannot write '" + path + "': " + cause);
  }
}

void translate(const std::exception_ptr &error, void *) {
  try {
    std::rethrow_exception(error);
  } catch (const Error &e) {
    PyObject *type = e.status() == FERRULE_INVALID_ARGUMENT ? PyExc_ValueError
                     : e.status() == FERRULE_NOT_FOUND ? PyExc_FileNotFoundError
                     : e.status() == FERRULE_OUT_OF_MEMORY ? PyExc_MemoryError
                                                           : PyExc_RuntimeError;
    PyErr_SetString(type, e.what());
  }
}

Executable load(const std::string &path, uint32_t threads,
                const std::string &function, bool verify) {
  nb::gil_scoped_release release;
  Program program = Program::load(path, verify);
  Session session(program, threads);
  return Executable(program, session, function);
}

Executable fromBytes(nb::bytes bytes, uint32_t threads,
                     const std::string &function) {
  Program program = Program::fromBytes(bytes.data(), bytes.size());
  Session session(program, threads);
  return Executable(program, session, function);
}

} // namespace

NB_MODULE(_runtime, m) {
  m.doc() = "Runs .byre programs.";
  nb::register_exception_translator(translate);

  nb::class_<ValueInfo>(m, "Value", "An input or output of a function.")
      .def_ro("name", &ValueInfo::name)
      .def_prop_ro("dtype",
                   [](const ValueInfo &v) {
                     return std::string(ferrule_element_type_name(v.type));
                   })
      .def_prop_ro("shape",
                   [](const ValueInfo &v) {
                     nb::list dims;
                     for (size_t i = 0; i < v.dims.size(); ++i)
                       if (v.dims[i] >= 0)
                         dims.append(v.dims[i]);
                       else if (i < v.dimExpressions.size() &&
                                !v.dimExpressions[i].empty())
                         dims.append(v.dimExpressions[i]);
                       else
                         dims.append(nb::none());
                     return nb::tuple(dims);
                   })
      .def_prop_ro("alias_input",
                   [](const ValueInfo &v) -> std::optional<int> {
                     if (v.aliasInput < 0)
                       return std::nullopt;
                     return v.aliasInput;
                   })
      .def("__repr__",
           [](const ValueInfo &v) { return v.name + ": " + v.text(); });

  nb::class_<Executable>(m, "Executable")
      .def("run", &Executable::run, "inputs"_a,
           "Runs on a sequence of arrays and returns the list of results.")
      .def("profile", &Executable::profile, "inputs"_a, "events"_a,
           "As run; appends one dictionary a kernel launch to events.")
      .def("run_together", &Executable::runTogether, "calls"_a, "replicas"_a,
           "partitions"_a,
           "Runs on several sequences of arrays at once, one a process.")
      .def("make_inputs", &makeInputs, "specs"_a, "fill_random"_a,
           "Arrays for all inputs, from texts as ferrule-run --input takes.")
      .def("save", &Executable::save, "path"_a)
      .def("to_bytes", &Executable::bytes)
      .def("function", &Executable::function, "name"_a)
      .def_prop_ro("name", [](const Executable &e) { return e.info.name; })
      .def_prop_ro("functions",
                   [](const Executable &e) {
                     std::vector<std::string> names;
                     for (const FunctionInfo &f : e.program.functions())
                       names.push_back(f.name);
                     return names;
                   })
      .def_prop_ro("inputs", [](const Executable &e) { return e.info.inputs; })
      .def_prop_ro("outputs",
                   [](const Executable &e) { return e.info.outputs; })
      .def_prop_ro("metadata",
                   [](const Executable &e) {
                     nb::dict result;
                     for (const auto &[key, value] : e.program.metadata())
                       result[key.c_str()] = value;
                     return result;
                   })
      .def_prop_ro("threads",
                   [](const Executable &e) { return e.session.threads(); });

  m.def("load", load, "path"_a, "threads"_a = 0, "function"_a = "",
        "verify"_a = false);
  m.def("from_bytes", fromBytes, "data"_a, "threads"_a = 0, "function"_a = "");
  m.def(
      "load_plugin",
      [](const std::string &path) { check(ferrule_load_plugin(path.c_str())); },
      "path"_a);
  m.def("register_custom_call", registerCustomCall, "name"_a, "function"_a);
  m.attr("version") = ferrule_version();
}
