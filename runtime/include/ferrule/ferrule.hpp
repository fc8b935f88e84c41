// The C++ API: the C API with objects that free themselves and errors as
// exceptions. Header-only; the library itself is used through ferrule.h.
#ifndef FERRULE_FERRULE_HPP
#define FERRULE_FERRULE_HPP

#include "ferrule/ferrule.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ferrule {

class Error : public std::runtime_error {
public:
  Error(ferrule_status status, const std::string &message)
      : std::runtime_error(message), code(status) {}
  ferrule_status status() const { return code; }

private:
  ferrule_status code;
};

inline void check(ferrule_status status) {
  if (status != FERRULE_OK)
    throw Error(status, ferrule_error_message());
}

/// An input or output of a function.
struct ValueInfo {
  std::string name;
  ferrule_element_type type;
  std::vector<int64_t> dims;               ///< -1: known at run time only.
  std::vector<std::string> dimExpressions; ///< Empty, or one a dim.
  int aliasInput;

  /// "2x?xf32", or "2xbatchxf32" where dims have names.
  std::string text() const {
    std::string result;
    for (size_t i = 0; i < dims.size(); ++i) {
      if (dims[i] >= 0)
        result += std::to_string(dims[i]);
      else if (i < dimExpressions.size() && !dimExpressions[i].empty())
        result += dimExpressions[i];
      else
        result += "?";
      result += "x";
    }
    return result + ferrule_element_type_name(type);
  }
};

struct FunctionInfo {
  std::string name;
  std::vector<ValueInfo> inputs, outputs;
  std::string inputNesting, outputNesting;
};

/// Memory of the host under a type; owns nothing.
struct BufferView {
  void *data = nullptr;
  ferrule_element_type type = FERRULE_NONE;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides; ///< In elements; empty: contiguous.

  uint64_t elements() const {
    uint64_t count = 1;
    for (int64_t dim : dims)
      count *= static_cast<uint64_t>(dim);
    return count;
  }
  uint64_t bytes() const {
    return (elements() * ferrule_element_type_bits(type) + 7) / 8;
  }
  ferrule_buffer c() const {
    return {sizeof(ferrule_buffer),
            data,
            type,
            static_cast<uint32_t>(dims.size()),
            dims.data(),
            strides.empty() ? nullptr : strides.data()};
  }
};

class Program {
public:
  static Program load(const std::string &path, bool verifyWeights = false) {
    ferrule_load_options options = {sizeof(options), verifyWeights, 0};
    ferrule_program *program = nullptr;
    check(ferrule_program_load_file(path.c_str(), &options, &program));
    return Program(program);
  }
  /// Copies the bytes.
  static Program fromBytes(const void *data, size_t size) {
    ferrule_program *program = nullptr;
    check(ferrule_program_load_memory(data, size, nullptr, &program));
    return Program(program);
  }

  ferrule_program *get() const { return handle.get(); }

  std::pair<const void *, size_t> bytes() const {
    size_t size = 0;
    const void *data = ferrule_program_data(get(), &size);
    return {data, size};
  }

  /// Index of a function; no name: "main", or the only one.
  uint32_t find(const std::string &name = "") const {
    uint32_t index = 0;
    check(ferrule_program_find_function(
        get(), name.empty() ? nullptr : name.c_str(), &index));
    return index;
  }

  std::vector<FunctionInfo> functions() const {
    std::vector<FunctionInfo> result;
    for (uint32_t i = 0; i < ferrule_program_function_count(get()); ++i)
      result.push_back(function(i));
    return result;
  }

  FunctionInfo function(uint32_t index) const {
    ferrule_function_info info = {};
    info.struct_size = sizeof(info);
    check(ferrule_program_function_info(get(), index, &info));
    FunctionInfo result = {
        info.name, {}, {}, info.input_nesting, info.output_nesting};
    for (uint32_t i = 0; i < info.input_count; ++i)
      result.inputs.push_back(value(ferrule_program_input_info, index, i));
    for (uint32_t i = 0; i < info.output_count; ++i)
      result.outputs.push_back(value(ferrule_program_output_info, index, i));
    return result;
  }

  std::vector<std::pair<std::string, std::string>> metadata() const {
    std::vector<std::pair<std::string, std::string>> result;
    for (uint32_t i = 0; i < ferrule_program_metadata_count(get()); ++i) {
      const char *key = nullptr, *value = nullptr;
      check(ferrule_program_metadata(get(), i, &key, &value));
      result.emplace_back(key, value);
    }
    return result;
  }

private:
  explicit Program(ferrule_program *program)
      : handle(program, ferrule_program_free) {}

  template <typename Get>
  ValueInfo value(Get get, uint32_t function, uint32_t index) const {
    ferrule_value_info info = {};
    info.struct_size = sizeof(info);
    check(get(handle.get(), function, index, &info));
    ValueInfo result = {info.name,
                        info.element_type,
                        {info.dims, info.dims + info.rank},
                        {},
                        info.alias_input};
    if (info.dim_expressions)
      result.dimExpressions.assign(info.dim_expressions,
                                   info.dim_expressions + info.rank);
    return result;
  }

  std::shared_ptr<ferrule_program> handle;
};

/// An operation for all programs of the process, or for those of one session.
inline void registerProvider(const std::string &name,
                             ferrule_provider_fn function,
                             void *context = nullptr) {
  check(ferrule_register_provider(name.c_str(), function, context));
}

class Session {
public:
  /// threads 0: all that this process may use.
  explicit Session(const Program &program, uint32_t threads = 0) {
    ferrule_session_options options = {sizeof(options), threads, nullptr};
    ferrule_session *session = nullptr;
    check(ferrule_session_create(program.get(), &options, &session));
    handle.reset(session, ferrule_session_free);
  }
  ferrule_session *get() const { return handle.get(); }
  uint32_t threads() const { return ferrule_session_threads(get()); }
  /// Before the first request is made.
  void addProvider(const std::string &name, ferrule_provider_fn function,
                   void *context = nullptr) {
    check(ferrule_session_add_provider(get(), name.c_str(), function, context));
  }

private:
  std::shared_ptr<ferrule_session> handle;
};

/// Memory that was moved out of a request.
using Memory = std::unique_ptr<ferrule_memory, void (*)(ferrule_memory *)>;

class Request {
public:
  Request(const Session &session, uint32_t function)
      : handle(nullptr, ferrule_request_free) {
    ferrule_request *request = nullptr;
    check(ferrule_request_create(session.get(), function, &request));
    handle.reset(request);
  }
  ferrule_request *get() const { return handle.get(); }

  void setInput(uint32_t index, const BufferView &buffer) {
    ferrule_buffer c = buffer.c();
    check(ferrule_request_set_input(get(), index, &c));
  }
  void setOutput(uint32_t index, const BufferView &buffer) {
    ferrule_buffer c = buffer.c();
    check(ferrule_request_set_output(get(), index, &c));
  }
  void clearOutput(uint32_t index) {
    check(ferrule_request_set_output(get(), index, nullptr));
  }
  void run(const ferrule_run_options *options = nullptr) {
    check(ferrule_request_run(get(), options));
  }
  /// Valid until the next run.
  BufferView output(uint32_t index) const {
    ferrule_buffer c = {};
    c.struct_size = sizeof(c);
    check(ferrule_request_output(get(), index, &c));
    return view(c);
  }
  std::pair<BufferView, Memory> takeOutput(uint32_t index) {
    ferrule_buffer c = {};
    c.struct_size = sizeof(c);
    ferrule_memory *memory = nullptr;
    check(ferrule_request_take_output(get(), index, &c, &memory));
    return {view(c), Memory(memory, ferrule_memory_free)};
  }

private:
  static BufferView view(const ferrule_buffer &c) {
    BufferView result = {c.data, c.element_type, {c.dims, c.dims + c.rank}, {}};
    if (c.strides)
      result.strides.assign(c.strides, c.strides + c.rank);
    return result;
  }
  std::unique_ptr<ferrule_request, void (*)(ferrule_request *)> handle;
};

/// Runs requests as the processes of one program: request i is partition
/// i % partitions of replica i / partitions.
inline void runTogether(const std::vector<Request *> &requests,
                        uint32_t replicas, uint32_t partitions) {
  std::vector<ferrule_request *> handles;
  for (const Request *request : requests)
    handles.push_back(request->get());
  check(ferrule_requests_run_together(handles.data(),
                                      static_cast<uint32_t>(handles.size()),
                                      replicas, partitions));
}

} // namespace ferrule

#endif // FERRULE_FERRULE_HPP
