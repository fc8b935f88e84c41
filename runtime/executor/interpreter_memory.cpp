// Instructions that make, view and move buffers.
#include "runtime/executor/interpreter.h"
#include "runtime/executor/plan.h"

#include <cstring>

using namespace ferrule;
using namespace ferrule::runtime;

static std::string text(uint64_t number) { return std::to_string(number); }

Status Interpreter::setSizes(Frame &frame, uint32_t buffer,
                             const uint32_t *registers) {
  const RegisterType &type = frame.function->buffers[buffer];
  if (type.isStatic)
    return {};
  int64_t *sizes = frame.sizes(buffer);
  for (uint32_t i = 0; i < type.rank; ++i)
    if (type.dims[i] < 0)
      sizes[i] = frame.scalars[*registers++];
  if (frame.sized(buffer))
    return {};
  return failed("a buffer would have the impossible type " +
                format::typeText(type.element, frame.dims(buffer)));
}

Status Interpreter::alloc(Frame &frame, const Step &step) {
  const uint32_t *pool = frame.function->pool.data() + step.c;
  if (Status status = setSizes(frame, step.a, pool); !status.ok())
    return error(frame, step, status.code(), status.message());
  uint64_t bytes = frame.bytes[step.a];
  auto offset = static_cast<uint64_t>(step.imm);
  char *memory = nullptr;
  switch (static_cast<format::Place>(step.b)) {
  case format::Place::Static:
    if (bytes > frame.arenaSize || offset > frame.arenaSize - bytes)
      return error(frame, step, Code::BadFile,
                   "an allocation of " + text(bytes) + " bytes at " +
                       text(offset) + " exceeds the arena of " +
                       text(frame.arenaSize));
    memory = frame.arena + offset;
    break;
  case format::Place::Dynamic:
    memory = request.arena.allocate(bytes);
    break;
  case format::Place::Output:
    FERRULE_RETURN_IF_ERROR(outputMemory(frame, static_cast<uint32_t>(offset),
                                         bytes, frame.dims(step.a), memory));
    break;
  }
  if (!memory)
    return noMemory(bytes);
  frame.buffers[step.a].data = memory;
  frame.writable[step.a] = true;
  return {};
}

Status Interpreter::view(Frame &frame, const Step &step) {
  FERRULE_RETURN_IF_ERROR(needSet(frame, step.b, step));
  const uint32_t *pool = frame.function->pool.data() + step.c;
  // The result may be the source's own register, so read that first.
  FerruleKernelBuffer source = frame.buffers[step.b];
  uint64_t available = frame.bytes[step.b];
  uint8_t writable = frame.writable[step.b];
  if (Status status = setSizes(frame, step.a, pool); !status.ok())
    return error(frame, step, status.code(), status.message());
  auto offset = static_cast<uint64_t>(step.imm);
  if (step.d != kNone)
    offset += static_cast<uint64_t>(frame.scalars[step.d]);
  uint64_t bytes = frame.bytes[step.a];
  if (bytes > available || offset > available - bytes)
    return error(frame, step, Code::Failed,
                 "a view of " + text(bytes) + " bytes at " + text(offset) +
                     " exceeds its source of " + text(available));
  uint64_t width = frame.function->buffers[step.a].bits / 8;
  if (width > 1 && offset % width != 0)
    return error(frame, step, Code::BadFile, "a view is not aligned");
  frame.buffers[step.a].data = static_cast<char *>(source.data) + offset;
  frame.writable[step.a] = writable;
  return {};
}

Status Interpreter::element(Frame &frame, const Step &step, int64_t &index) {
  FERRULE_RETURN_IF_ERROR(needSet(frame, step.b, step));
  const uint32_t *pool = frame.function->pool.data() + step.c;
  const int64_t *sizes = frame.sizes(step.b);
  index = 0;
  for (uint32_t i = 0; i < frame.function->buffers[step.b].rank; ++i) {
    int64_t position = frame.scalars[pool[i]];
    if (position < 0 || position >= sizes[i])
      return error(frame, step, Code::Failed,
                   "index " + std::to_string(position) + " of dim " + text(i) +
                       " is not below " + std::to_string(sizes[i]));
    index = index * sizes[i] + position;
  }
  return {};
}

Status Interpreter::copy(Frame &frame, const Step &step) {
  FERRULE_RETURN_IF_ERROR(needSet(frame, step.a, step));
  FERRULE_RETURN_IF_ERROR(needSet(frame, step.b, step));
  if (frame.bytes[step.a] != frame.bytes[step.b])
    return error(frame, step, Code::Failed,
                 "copy of " + text(frame.bytes[step.b]) + " bytes into " +
                     text(frame.bytes[step.a]));
  if (!frame.writable[step.a])
    return error(frame, step, Code::BadFile, "copy into a read-only buffer");
  std::memmove(frame.buffers[step.a].data, frame.buffers[step.b].data,
               frame.bytes[step.a]);
  return {};
}

Status Interpreter::fill(Frame &frame, const Step &step) {
  FERRULE_RETURN_IF_ERROR(needSet(frame, step.a, step));
  if (!frame.writable[step.a])
    return error(frame, step, Code::BadFile, "fill of a read-only buffer");
  fillBuffer(frame.function->buffers[step.a].element,
             static_cast<char *>(frame.buffers[step.a].data),
             frame.bytes[step.a], frame.scalars[step.b]);
  return {};
}

Status Interpreter::loadConstant(Frame &frame, const Step &step) {
  const format::Constant &constant = *program.source().constants()->Get(step.b);
  auto dims = format::dimsOf(constant.dims());
  if (!frame.function->buffers[step.a].isStatic) {
    std::copy(dims.begin(), dims.end(), frame.sizes(step.a));
    frame.sized(step.a);
  }
  // Read-only memory: the flag below keeps our own instructions out of it.
  frame.buffers[step.a].data =
      const_cast<char *>(program.file().constantData(constant));
  frame.writable[step.a] = false;
  return {};
}

Status Interpreter::assign(Frame &target, uint32_t targetRegister,
                           const Frame &source, uint32_t sourceRegister) {
  const RegisterType &type = target.function->buffers[targetRegister];
  auto dims = source.dims(sourceRegister);
  for (uint32_t i = 0; i < type.rank; ++i)
    if (type.dims[i] >= 0 && type.dims[i] != dims[i])
      return failed("a buffer of type " + format::typeText(type.element, dims) +
                    ", expected " + format::typeText(type.element, type.dims));
  target.buffers[targetRegister].data = source.buffers[sourceRegister].data;
  target.writable[targetRegister] = source.writable[sourceRegister];
  if (!type.isStatic) {
    std::memmove(target.sizes(targetRegister), dims.data(),
                 dims.size() * sizeof(int64_t));
    target.sized(targetRegister);
  }
  return {};
}

// All sources are read before any target is written.
Status Interpreter::move(Frame &frame, uint32_t pool) {
  const uint32_t *pairs = frame.function->pool.data() + pool;
  uint32_t count = *pairs++;
  if (count == 1) {
    FERRULE_RETURN_IF_ERROR(assign(frame, pairs[0], frame, pairs[1]));
  } else if (count > 1) {
    struct Value {
      void *data;
      uint8_t writable;
      std::vector<int64_t> sizes;
    };
    std::vector<Value> values;
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t source = pairs[2 * i + 1];
      auto dims = frame.dims(source);
      values.push_back({frame.buffers[source].data,
                        frame.writable[source],
                        {dims.begin(), dims.end()}});
    }
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t target = pairs[2 * i];
      const RegisterType &type = frame.function->buffers[target];
      for (uint32_t d = 0; d < type.rank; ++d)
        if (type.dims[d] >= 0 && type.dims[d] != values[i].sizes[d])
          return failed("a buffer of type " +
                        format::typeText(type.element, values[i].sizes) +
                        ", expected " +
                        format::typeText(type.element, type.dims));
      frame.buffers[target].data = values[i].data;
      frame.writable[target] = values[i].writable;
      if (!type.isStatic) {
        std::copy(values[i].sizes.begin(), values[i].sizes.end(),
                  frame.sizes(target));
        frame.sized(target);
      }
    }
  }
  pairs += 2 * count;
  count = *pairs++;
  int64_t *values = frame.argumentScalars.data();
  for (uint32_t i = 0; i < count; ++i)
    values[i] = frame.scalars[pairs[2 * i + 1]];
  for (uint32_t i = 0; i < count; ++i)
    frame.scalars[pairs[2 * i]] = values[i];
  return {};
}
