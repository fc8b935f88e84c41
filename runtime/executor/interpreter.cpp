#include "runtime/executor/interpreter.h"

#include "runtime/executor/compute.h"
#include "runtime/executor/exchange.h"
#include "runtime/executor/launch.h"

using namespace ferrule;
using namespace ferrule::runtime;
using format::Operation;

Status Interpreter::error(const Frame &frame, const Step &step, Code code,
                          const std::string &message) const {
  return errorAt(program, *frame.function, step, code, message);
}

Status Interpreter::noMemory(uint64_t bytes) {
  return {Code::OutOfMemory,
          "no memory for a buffer of " + std::to_string(bytes) + " bytes"};
}

Status Interpreter::needSet(const Frame &frame, uint32_t buffer,
                            const Step &step) const {
  if (frame.buffers[buffer].data)
    return {};
  return error(frame, step, Code::BadFile,
               "buffer register " + std::to_string(buffer) +
                   " is used before it is set");
}

Status Interpreter::run() {
  Frame &frame = request.frame(
      static_cast<uint32_t>(&request.entry - program.functions().data()));
  frame.start();
  frame.arena = request.staticArena.data();
  frame.arenaSize = request.entry.staticArena;
  FERRULE_RETURN_IF_ERROR(bindInputs(frame));
  const Step *last = nullptr;
  FERRULE_RETURN_IF_ERROR(execute(frame, last));
  return finish(frame, *last);
}

Status Interpreter::execute(Frame &frame, const Step *&last) {
  const DecodedFunction &function = *frame.function;
  const Step *step = function.code.data();
  int64_t *scalars = frame.scalars.data();
  for (;; ++step) {
    Status status;
    switch (step->operation) {
    case Operation::Dispatch:
      status = dispatch(frame, *step);
      break;
    case Operation::CallProvider:
      status = callProvider(frame, *step);
      break;
    case Operation::CallFunction:
      status = callFunction(frame, *step);
      break;
    case Operation::Alloc:
      status = alloc(frame, *step);
      break;
    case Operation::Free:
      status = free(frame, *step);
      break;
    case Operation::View:
      status = view(frame, *step);
      break;
    case Operation::Dim:
      // A buffer's sizes may still be asked for after it was freed.
      scalars[step->a] = frame.sizes(step->b)[step->c];
      break;
    case Operation::Load:
      status = load(frame, *step);
      break;
    case Operation::Store:
      status = store(frame, *step);
      break;
    case Operation::Copy:
      status = copy(frame, *step);
      break;
    case Operation::Fill:
      status = fill(frame, *step);
      break;
    case Operation::LoadConstant:
      status = loadConstant(frame, *step);
      break;
    case Operation::Compute:
      status = computeScalar(frame, *step);
      break;
    case Operation::Assert:
      if (auto *op = static_cast<const format::Assert *>(step->table);
          !(scalars[op->condition()] & 1))
        status = error(frame, *step, Code::Failed, op->message()->str());
      break;
    case Operation::Branch:
      status = move(frame, step->b);
      step = function.code.data() + step->a - 1;
      break;
    case Operation::CondBranch: {
      bool taken = scalars[step->a] & 1;
      status = move(frame, taken ? step->d : static_cast<uint32_t>(step->imm));
      step = function.code.data() + (taken ? step->b : step->c) - 1;
      break;
    }
    case Operation::Return:
      last = step;
      return {};
    case Operation::NONE: // Refused by the verifier.
      return {Code::Internal, "unknown operation"};
    }
    if (!status.ok())
      return status;
  }
}

Status Interpreter::computeScalar(Frame &frame, const Step &step) {
  const auto &types = *frame.function->source->scalar_registers();
  int64_t *scalars = frame.scalars.data();
  const char *wrong = compute(step.opcode, types.Get(step.a), types.Get(step.d),
                              scalars[step.a], scalars[step.b], scalars[step.c],
                              scalars[step.d]);
  return wrong ? error(frame, step, Code::Failed, wrong) : Status();
}

Status Interpreter::load(Frame &frame, const Step &step) {
  int64_t index = 0;
  FERRULE_RETURN_IF_ERROR(element(frame, step, index));
  frame.scalars[step.a] =
      loadElement(frame.function->buffers[step.b].element,
                  static_cast<const char *>(frame.buffers[step.b].data), index);
  return {};
}

Status Interpreter::store(Frame &frame, const Step &step) {
  int64_t index = 0;
  FERRULE_RETURN_IF_ERROR(element(frame, step, index));
  if (!frame.writable[step.b])
    return error(frame, step, Code::BadFile, "store to a read-only buffer");
  storeElement(frame.function->buffers[step.b].element,
               static_cast<char *>(frame.buffers[step.b].data), index,
               frame.scalars[step.a]);
  return {};
}

Status Interpreter::free(Frame &frame, const Step &step) {
  void *&data = frame.buffers[step.a].data;
  if (!data || !request.arena.free(static_cast<char *>(data)))
    return error(frame, step, Code::BadFile,
                 "free of a buffer that is no live allocation");
  data = nullptr;
  return {};
}

Status Interpreter::dispatch(Frame &frame, const Step &step) {
  const format::Kernel &kernel = *program.source().kernels()->Get(step.a);
  int64_t workgroups = frame.scalars[step.b];
  if (workgroups < 0 || workgroups > int64_t(UINT32_MAX))
    return error(frame, step, Code::BadFile,
                 "dispatch of " + std::to_string(workgroups) + " workgroups");
  const uint32_t *pool = frame.function->pool.data() + step.c;
  uint32_t buffers = kernel.buffers(), scalars = kernel.scalars();
  for (uint32_t i = 0; i < buffers; ++i) {
    if (!frame.buffers[pool[i]].data)
      return needSet(frame, pool[i], step);
    frame.argumentBuffers[i] = frame.buffers[pool[i]];
  }
  for (uint32_t i = 0; i < scalars; ++i)
    frame.argumentScalars[i] = frame.scalars[pool[buffers + i]];
  return launchKernel(
      session, *frame.function, step,
      {sizeof(FerruleKernelArguments), buffers, frame.argumentBuffers.data(),
       frame.argumentScalars.data(), scalars, 0},
      static_cast<uint32_t>(workgroups), request.scratch, options);
}

Status Interpreter::callProvider(Frame &frame, const Step &step) {
  auto *op = static_cast<const format::CallProvider *>(step.table);
  BuiltinOp builtin = findBuiltinOp(op->name()->string_view());
  std::optional<ProviderOp> provider;
  if (!builtin)
    provider = session.provider(op->name()->string_view());
  if (!provider && !builtin)
    return error(frame, step, Code::Unsupported,
                 "no provider has operation '" + op->name()->str() +
                     "', expected one that was registered before the run");
  std::vector<ProviderBuffer> buffers;
  for (uint32_t i = 0; op->buffers() && i < op->buffers()->size(); ++i) {
    uint32_t number = op->buffers()->Get(i);
    FERRULE_RETURN_IF_ERROR(needSet(frame, number, step));
    if (i >= op->first_output() && !frame.writable[number])
      return error(frame, step, Code::BadFile,
                   "a provider's output is read-only");
    buffers.push_back({frame.buffers[number].data,
                       frame.function->buffers[number].element,
                       frame.dims(number)});
  }
  std::vector<int64_t> scalars;
  for (uint32_t i = 0; op->scalars() && i < op->scalars()->size(); ++i)
    scalars.push_back(frame.scalars[op->scalars()->Get(i)]);
  std::string_view attributes =
      op->attributes() ? op->attributes()->string_view() : std::string_view();
  uint64_t start = options.profile ? monotonicTime() : 0;
  ProviderCall call = {
      op->name()->string_view(), attributes, buffers,
      op->first_output(),        scalars,    session.threads()};
  Status status = builtin ? builtin(options.place, call)
                          : provider->call(provider->context, call);
  if (!status.ok())
    return error(frame, step, status.code(), status.message());
  if (options.profile)
    options.profile(
        options.profileContext,
        {op->name()->string_view(), {}, start, monotonicTime() - start});
  return {};
}
