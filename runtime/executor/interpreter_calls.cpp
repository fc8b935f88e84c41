// What crosses a function's border: arguments, results, the memory of outputs.
#include "runtime/executor/interpreter.h"

#include <algorithm>
#include <cstring>

using namespace ferrule;
using namespace ferrule::runtime;

Status Interpreter::bindInputs(Frame &frame) {
  const auto *arguments =
      frame.function->source->blocks()->Get(0)->buffer_arguments();
  const auto *outputs = frame.function->source->outputs();
  for (uint32_t i = 0; i < request.inputs.size(); ++i) {
    Request::Input &input = request.inputs[i];
    uint32_t number = arguments->Get(i);
    const RegisterType &type = frame.function->buffers[number];
    for (uint32_t d = 0; d < type.rank; ++d)
      if (type.dims[d] >= 0 && type.dims[d] != input.bound.dims[d])
        return invalidArgument(
            "input '" + request.inputValue(i).name()->str() + "' is " +
            format::typeText(input.bound.element, input.bound.dims) +
            ", the program expects " +
            format::typeText(type.element, type.dims));
    if (!type.isStatic) {
      std::copy(input.bound.dims.begin(), input.bound.dims.end(),
                frame.sizes(number));
      frame.sized(number);
    }
    frame.buffers[number].data = request.inputMemory(i);
    frame.writable[number] =
        outputs && std::any_of(outputs->begin(), outputs->end(),
                               [&](const format::Value *output) {
                                 return output->alias_input() == int32_t(i);
                               });
  }
  return {};
}

Status Interpreter::outputMemory(Frame &frame, uint32_t index, uint64_t bytes,
                                 std::span<const int64_t> dims, char *&memory) {
  if (!isEntry(frame)) {
    memory = request.arena.allocate(bytes);
    frame.outputs[index] = memory;
    return memory ? Status() : noMemory(bytes);
  }
  FERRULE_RETURN_IF_ERROR(request.outputMemory(index, bytes, dims, memory));
  frame.outputs[index] = memory;
  return {};
}

Status Interpreter::finish(Frame &frame, const Step &step) {
  const uint32_t *registers = frame.function->pool.data() + step.a;
  size_t count = request.outputs.size();
  bool anyAlias = false;
  for (uint32_t i = 0; i < count; ++i)
    anyAlias |= request.outputValue(i).alias_input() >= 0;

  std::vector<const char *> sources(count);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t number = registers[i];
    FERRULE_RETURN_IF_ERROR(needSet(frame, number, step));
    const format::Value &value = request.outputValue(i);
    auto dims = frame.dims(number);
    request.results[i].element = value.element_type();
    request.results[i].dims.assign(dims.begin(), dims.end());
    if (int32_t alias = value.alias_input(); alias >= 0) {
      Request::Input &input = request.inputs[alias];
      if (!std::equal(dims.begin(), dims.end(), input.bound.dims.begin()))
        return error(frame, step, Code::Failed,
                     "an output differs in size from the input it replaces");
      request.results[i].data = request.inputMemory(alias);
    } else {
      const HostBuffer &bound = request.outputs[i].bound;
      if (bound.element != format::ElementType::None &&
          !std::equal(dims.begin(), dims.end(), bound.dims.begin(),
                      bound.dims.end()))
        return request.wrongOutput(i, dims);
      char *memory = frame.outputs[i];
      if (!memory || memory != frame.buffers[number].data)
        FERRULE_RETURN_IF_ERROR(
            outputMemory(frame, i, frame.bytes[number], dims, memory));
      request.results[i].data = memory;
    }
    sources[i] = static_cast<const char *>(frame.buffers[number].data);
    // Updated inputs may trade places, so what one output still has to copy
    // must survive the others.
    if (anyAlias && sources[i] != request.results[i].data) {
      char *saved = request.arena.allocate(frame.bytes[number]);
      if (!saved)
        return noMemory(frame.bytes[number]);
      std::memcpy(saved, sources[i], frame.bytes[number]);
      sources[i] = saved;
    }
  }
  for (uint32_t i = 0; i < count; ++i)
    if (sources[i] != request.results[i].data)
      std::memmove(request.results[i].data, sources[i],
                   frame.bytes[registers[i]]);
  return {};
}

Status Interpreter::callFunction(Frame &caller, const Step &step) {
  auto *op = static_cast<const format::CallFunction *>(step.table);
  Frame &callee = request.frame(op->function());
  callee.start();
  callee.arena = caller.arena + caller.function->staticArena;
  callee.arenaSize = callee.function->staticArena;
  const format::Block &entry = *callee.function->source->blocks()->Get(0);
  for (uint32_t i = 0; op->buffers() && i < op->buffers()->size(); ++i) {
    FERRULE_RETURN_IF_ERROR(needSet(caller, op->buffers()->Get(i), step));
    Status status = assign(callee, entry.buffer_arguments()->Get(i), caller,
                           op->buffers()->Get(i));
    if (!status.ok())
      return error(caller, step, status.code(), status.message());
  }
  for (uint32_t i = 0; op->scalars() && i < op->scalars()->size(); ++i)
    callee.scalars[entry.scalar_arguments()->Get(i)] =
        caller.scalars[op->scalars()->Get(i)];
  const Step *last = nullptr;
  FERRULE_RETURN_IF_ERROR(execute(callee, last));
  return finishCall(caller, step, callee, *last);
}

// The caller owns every result, so what the callee does not own itself, or
// returns twice, is copied.
Status Interpreter::finishCall(Frame &caller, const Step &step, Frame &callee,
                               const Step &last) {
  auto *op = static_cast<const format::CallFunction *>(step.table);
  const uint32_t *registers = callee.function->pool.data() + last.a;
  uint32_t count = callee.function->outputCount();
  for (uint32_t i = 0; i < count; ++i) {
    FERRULE_RETURN_IF_ERROR(needSet(callee, registers[i], last));
    char *data = static_cast<char *>(callee.buffers[registers[i]].data);
    if (data != callee.outputs[i]) {
      uint64_t bytes = callee.bytes[registers[i]];
      char *copy = request.arena.allocate(bytes);
      if (!copy)
        return noMemory(bytes);
      std::memcpy(copy, data, bytes);
      callee.outputs[i] = copy;
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t target = op->buffer_results()->Get(i);
    Status status = assign(caller, target, callee, registers[i]);
    if (!status.ok())
      return error(caller, step, status.code(), status.message());
    caller.buffers[target].data = callee.outputs[i];
    caller.writable[target] = true;
  }
  for (uint32_t i = 0; op->scalar_results() && i < op->scalar_results()->size();
       ++i)
    caller.scalars[op->scalar_results()->Get(i)] =
        callee.scalars[registers[count + i]];
  return {};
}
