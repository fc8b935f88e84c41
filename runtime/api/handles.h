// What the opaque types of the C API are.
#ifndef FERRULE_API_HANDLES_H
#define FERRULE_API_HANDLES_H

#include "ferrule/ferrule.h"
#include "runtime/executor/request.h"

#include <memory>
#include <vector>

struct ferrule_program {
  std::shared_ptr<const ferrule::runtime::Program> program;
  /// Indices of the exported functions, which are the only visible ones.
  std::vector<uint32_t> functions;
  /// The dim expressions as C strings: of inputs then outputs of each function.
  std::vector<std::vector<std::vector<const char *>>> dimTexts;
};

struct ferrule_session {
  std::shared_ptr<ferrule::runtime::Session> session;
  std::vector<uint32_t> functions;
  struct Provider {
    ferrule_provider_fn function;
    void *context;
  };
  /// Shared with the session's callbacks, so requests may outlive this.
  std::vector<std::shared_ptr<Provider>> providers;
};

struct ferrule_request {
  std::shared_ptr<ferrule::runtime::Session> session;
  std::vector<std::shared_ptr<ferrule_session::Provider>> providers;
  ferrule::runtime::Request request;
};

struct ferrule_memory {
  std::shared_ptr<ferrule::runtime::Session> session;
  ferrule::runtime::Block block;
  std::vector<int64_t> dims;
};

namespace ferrule::runtime::api {

/// Keeps the message for ferrule_error_message and returns the code.
ferrule_status report(const Status &status);

/// Copies as many bytes of `from` as the caller's struct has.
template <typename T> void fillStruct(T *to, T from) {
  size_t size = to->struct_size;
  from.struct_size = size;
  __builtin_memcpy(to, &from, size < sizeof(T) ? size : sizeof(T));
}

/// The caller's options, with zeros for what its version does not know.
template <typename T> T readStruct(const T *from) {
  T result = {};
  if (from)
    __builtin_memcpy(&result, from,
                     from->struct_size < sizeof(T) ? from->struct_size
                                                   : sizeof(T));
  return result;
}

/// What ferrule_register_provider does.
Status registerProcessProvider(const char *name, ferrule_provider_fn function,
                               void *context);

Status hostBuffer(const ferrule_buffer *buffer, HostBuffer &result);

} // namespace ferrule::runtime::api

#endif // FERRULE_API_HANDLES_H
