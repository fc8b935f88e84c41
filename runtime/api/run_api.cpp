// The parts of the C API that run programs.
#include "runtime/api/handles.h"

using namespace ferrule;
using namespace ferrule::runtime;
using namespace ferrule::runtime::api;

ferrule_status ferrule_session_create(const ferrule_program *program,
                                      const ferrule_session_options *options,
                                      ferrule_session **session) {
  if (!program || !session)
    return report(invalidArgument("program or session is NULL"));
  auto read = readStruct(options);
  Session::Options made;
  made.threads = read.threads;
  if (read.allocator)
    made.allocator = Allocator{read.allocator->allocate, read.allocator->free,
                      read.allocator->context};
  *session =
      new ferrule_session{std::make_shared<Session>(program->program, made),
                          program->functions,
                          {}};
  return FERRULE_OK;
}

uint32_t ferrule_session_threads(const ferrule_session *session) {
  return session->session->threads();
}

void ferrule_session_free(ferrule_session *session) { delete session; }

static Status callProvider(void *context, const ProviderCall &call) {
  auto *provider = static_cast<ferrule_session::Provider *>(context);
  std::vector<ferrule_buffer> buffers;
  for (const ProviderBuffer &buffer : call.buffers)
    buffers.push_back({sizeof(ferrule_buffer), buffer.data,
                       static_cast<ferrule_element_type>(buffer.element),
                       static_cast<uint32_t>(buffer.dims.size()),
                       buffer.dims.data(), nullptr});
  std::string name(call.name), attributes(call.attributes);
  ferrule_provider_call made = {sizeof(ferrule_provider_call),
                                name.c_str(),
                                attributes.c_str(),
                                static_cast<uint32_t>(buffers.size()),
                                buffers.data(),
                                call.firstOutput,
                                static_cast<uint32_t>(call.scalars.size()),
                                call.scalars.data(),
                                call.threads};
  const char *message = provider->function(provider->context, &made);
  return message ? failed(name + ": " + message) : Status();
}

ferrule_status ferrule_session_add_provider(ferrule_session *session,
                                            const char *name,
                                            ferrule_provider_fn function,
                                            void *context) {
  if (!session || !name || !function)
    return report(invalidArgument("session, name or function is NULL"));
  session->providers.push_back(std::make_shared<ferrule_session::Provider>(
      ferrule_session::Provider{function, context}));
  session->session->addProvider(
      name, {callProvider, session->providers.back().get()});
  return FERRULE_OK;
}

Status ferrule::runtime::api::registerProcessProvider(
    const char *name, ferrule_provider_fn function, void *context) {
  if (!name || !*name || !function)
    return invalidArgument("a provider needs a name and a function");
  // Requests may call it until the process ends.
  auto *provider = new ferrule_session::Provider{function, context};
  registerProvider(name, {callProvider, provider});
  return {};
}

ferrule_status ferrule_register_provider(const char *name,
                                         ferrule_provider_fn function,
                                         void *context) {
  return report(registerProcessProvider(name, function, context));
}

ferrule_status ferrule_request_create(ferrule_session *session,
                                      uint32_t function,
                                      ferrule_request **request) {
  if (!session || !request)
    return report(invalidArgument("session or request is NULL"));
  if (function >= session->functions.size())
    return report(invalidArgument("function " + std::to_string(function) +
                                  " does not exist"));
  const DecodedFunction &decoded =
      session->session->program().functions()[session->functions[function]];
  *request = new ferrule_request{session->session, session->providers,
                                 Request(session->session, decoded)};
  return FERRULE_OK;
}

void ferrule_request_free(ferrule_request *request) { delete request; }

Status ferrule::runtime::api::hostBuffer(const ferrule_buffer *buffer,
                                         HostBuffer &result) {
  auto read = readStruct(buffer);
  if (read.rank != 0 && !read.dims)
    return invalidArgument("a buffer of rank " + std::to_string(read.rank) +
                           " has no dims");
  result.data = read.data;
  result.element = static_cast<format::ElementType>(read.element_type);
  if (read.element_type < 0 || result.element > format::ElementType::MAX)
    return invalidArgument("unknown element type " +
                           std::to_string(read.element_type));
  result.dims.assign(read.dims, read.dims + read.rank);
  if (read.strides)
    result.strides.assign(read.strides, read.strides + read.rank);
  return {};
}

ferrule_status ferrule_request_set_input(ferrule_request *request,
                                         uint32_t index,
                                         const ferrule_buffer *buffer) {
  if (!request || !buffer)
    return report(invalidArgument("request or buffer is NULL"));
  HostBuffer made;
  if (Status status = hostBuffer(buffer, made); !status.ok())
    return report(status);
  return report(request->request.setInput(index, std::move(made)));
}

ferrule_status ferrule_request_set_output(ferrule_request *request,
                                          uint32_t index,
                                          const ferrule_buffer *buffer) {
  if (!request)
    return report(invalidArgument("request is NULL"));
  if (!buffer) {
    request->request.clearOutput(index);
    return FERRULE_OK;
  }
  HostBuffer made;
  if (Status status = hostBuffer(buffer, made); !status.ok())
    return report(status);
  return report(request->request.setOutput(index, std::move(made)));
}

ferrule_status ferrule_request_run(ferrule_request *request,
                                   const ferrule_run_options *options) {
  if (!request)
    return report(invalidArgument("request is NULL"));
  auto read = readStruct(options);
  RunOptions made;
  if (read.profile) {
    made.profileContext = &read;
    made.profile = [](void *context, const ProfileEvent &event) {
      auto *user = static_cast<ferrule_run_options *>(context);
      ferrule_profile_event made = {sizeof(ferrule_profile_event),
                                    event.name.data(),
                                    event.name.size(),
                                    event.layer.data(),
                                    event.layer.size(),
                                    event.start,
                                    event.duration,
                                    event.workgroups,
                                    event.threads,
                                    event.operations.data(),
                                    event.operations.size(),
                                    event.flops,
                                    event.bytes};
      user->profile(user->profile_context, &made);
    };
  }
  return report(request->request.run(made));
}

ferrule_status ferrule_request_output(const ferrule_request *request,
                                      uint32_t index, ferrule_buffer *buffer) {
  if (!request || !buffer)
    return report(invalidArgument("request or buffer is NULL"));
  if (index >= request->request.function().outputCount())
    return report(
        invalidArgument("output " + std::to_string(index) + " does not exist"));
  const HostBuffer &output = request->request.output(index);
  if (output.element == format::ElementType::None)
    return report(invalidArgument("output " + std::to_string(index) +
                                  " has no value: the request has not run"));
  fillStruct(buffer,
             {0, output.data, static_cast<ferrule_element_type>(output.element),
              static_cast<uint32_t>(output.dims.size()), output.dims.data(),
              output.strides.empty() ? nullptr : output.strides.data()});
  return FERRULE_OK;
}

ferrule_status ferrule_request_take_output(ferrule_request *request,
                                           uint32_t index,
                                           ferrule_buffer *buffer,
                                           ferrule_memory **memory) {
  if (!request || !buffer || !memory)
    return report(invalidArgument("request, buffer or memory is NULL"));
  if (ferrule_status status = ferrule_request_output(request, index, buffer);
      status != FERRULE_OK)
    return status;
  HostBuffer output = request->request.output(index);
  Block block = request->request.takeOutput(index);
  if (!block.data())
    return report(invalidArgument("output " + std::to_string(index) +
                                  " lies in the caller's memory"));
  *memory = new ferrule_memory{request->session, std::move(block),
                               std::move(output.dims)};
  fillStruct(buffer,
             {0, output.data, static_cast<ferrule_element_type>(output.element),
              static_cast<uint32_t>((*memory)->dims.size()),
              (*memory)->dims.data(), nullptr});
  return FERRULE_OK;
}

void ferrule_memory_free(ferrule_memory *memory) { delete memory; }
