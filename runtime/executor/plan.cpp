#include "runtime/executor/plan.h"

#include "runtime/executor/compute.h"
#include "runtime/executor/launch.h"

#include <algorithm>
#include <cstring>

using namespace ferrule;
using namespace ferrule::runtime;
using format::Operation;
using format::Place;

namespace ferrule::runtime {

/// Walks the only block once, as the interpreter would, on addresses instead
/// of memory. Whatever it does not understand makes it give up.
class PlanBuilder {
public:
  PlanBuilder(const Session &session, const DecodedFunction &function)
      : program(session.program()), function(function),
        plan(std::make_unique<Plan>()) {}

  std::unique_ptr<Plan> build() {
    if (function.source->blocks()->size() != 1)
      return nullptr;
    for (const RegisterType &type : function.buffers)
      if (!type.isStatic)
        return nullptr;
    plan->function = &function;
    plan->frame = std::make_unique<Frame>(function);
    plan->frame->start();
    plan->outputList.resize(function.outputCount());
    plan->basePointers.resize(1 + function.inputCount() +
                              function.outputCount());
    places.resize(function.buffers.size());
    const auto *arguments =
        function.source->blocks()->Get(0)->buffer_arguments();
    for (uint32_t i = 0; i < function.inputCount(); ++i) {
      // What is bound fits the value's type, so that must be the register's.
      if (!sameDims(*function.source->inputs()->Get(i), arguments->Get(i)))
        return nullptr;
      places[arguments->Get(i)] = {
          true, inputIsUpdated(i), {1 + i, 0, nullptr}};
    }
    for (const Step &step : function.code)
      if (!add(step))
        return nullptr;
    return std::move(plan);
  }

private:
  struct PlaceOf {
    bool set = false;
    bool writable = false;
    Plan::Address address = {};
  };

  bool sameDims(const format::Value &value, uint32_t buffer) const {
    auto expected = format::dimsOf(value.dims());
    auto found = plan->frame->dims(buffer);
    return std::equal(expected.begin(), expected.end(), found.begin(),
                      found.end());
  }
  bool inputIsUpdated(uint32_t input) const {
    const auto *outputs = function.source->outputs();
    for (uint32_t i = 0; outputs && i < outputs->size(); ++i)
      if (outputs->Get(i)->alias_input() == static_cast<int32_t>(input))
        return true;
    return false;
  }
  uint64_t bytes(uint32_t buffer) const { return plan->frame->bytes[buffer]; }
  int64_t &scalar(uint32_t number) { return plan->frame->scalars[number]; }

  bool add(const Step &step) {
    switch (step.operation) {
    case Operation::Dispatch:
      return addDispatch(step);
    case Operation::Alloc:
      return addAlloc(step);
    case Operation::View:
      return addView(step);
    case Operation::Copy:
      return places[step.a].writable && bytes(step.a) == bytes(step.b) &&
             addAction(step, Plan::Kind::Copy, step.a, step.b, 0);
    case Operation::Fill:
      return places[step.a].writable &&
             addAction(step, Plan::Kind::Fill, step.a, step.a, scalar(step.b));
    case Operation::Dim:
      scalar(step.a) = plan->frame->sizes(step.b)[step.c];
      return true;
    case Operation::LoadConstant:
      places[step.a] = {true,
                        false,
                        {kNone, 0,
                         const_cast<char *>(program.file().constantData(
                             *program.source().constants()->Get(step.b)))}};
      return true;
    case Operation::Compute: {
      const auto &types = *function.source->scalar_registers();
      return !compute(step.opcode, types.Get(step.a), types.Get(step.d),
                      scalar(step.a), scalar(step.b), scalar(step.c),
                      scalar(step.d));
    }
    case Operation::Assert:
      return scalar(
                 static_cast<const format::Assert *>(step.table)->condition()) &
             1;
    case Operation::Return:
      return addReturn(step);
    default:
      return false;
    }
  }

  bool addDispatch(const Step &step) {
    const format::Kernel &kernel = *program.source().kernels()->Get(step.a);
    int64_t workgroups = scalar(step.b);
    if (workgroups < 0 || workgroups > int64_t(UINT32_MAX))
      return false;
    const uint32_t *pool = function.pool.data() + step.c;
    auto &buffers = plan->buffers.emplace_back();
    auto &scalars = plan->scalars.emplace_back();
    auto first = static_cast<uint32_t>(plan->addresses.size());
    for (uint32_t i = 0; i < kernel.buffers(); ++i) {
      if (!places[pool[i]].set)
        return false;
      buffers.push_back(plan->frame->buffers[pool[i]]);
      plan->addresses.push_back(places[pool[i]].address);
    }
    for (uint32_t i = 0; i < kernel.scalars(); ++i)
      scalars.push_back(scalar(pool[kernel.buffers() + i]));
    plan->actions.push_back(
        {Plan::Kind::Launch,
         static_cast<uint32_t>(workgroups),
         &step,
         {sizeof(FerruleKernelArguments), kernel.buffers(), buffers.data(),
          scalars.data(), kernel.scalars(), 0},
         first,
         0,
         0,
         format::ElementType::None});
    return true;
  }

  bool addAction(const Step &step, Plan::Kind kind, uint32_t target,
                 uint32_t source, int64_t value) {
    if (!places[target].set || !places[source].set)
      return false;
    plan->actions.push_back({kind,
                             0,
                             &step,
                             {},
                             static_cast<uint32_t>(plan->addresses.size()),
                             bytes(target),
                             value,
                             function.buffers[target].element});
    plan->addresses.push_back(places[target].address);
    plan->addresses.push_back(places[source].address);
    return true;
  }

  bool addAlloc(const Step &step) {
    uint64_t size = bytes(step.a), offset = static_cast<uint64_t>(step.imm);
    if (static_cast<Place>(step.b) == Place::Static) {
      if (size > function.staticArena || offset > function.staticArena - size)
        return false;
      places[step.a] = {true, true, {0, offset, nullptr}};
      return true;
    }
    if (static_cast<Place>(step.b) != Place::Output)
      return false;
    Plan::Output &output = plan->outputList[offset];
    if (output.allocated)
      return false;
    output = {size, true};
    places[step.a] = {
        true,
        true,
        {1 + function.inputCount() + static_cast<uint32_t>(offset), 0,
         nullptr}};
    return true;
  }

  bool addView(const Step &step) {
    PlaceOf place = places[step.b];
    auto offset = static_cast<uint64_t>(step.imm);
    if (step.d != kNone)
      offset += static_cast<uint64_t>(scalar(step.d));
    uint64_t width = function.buffers[step.a].bits / 8;
    if (!place.set || bytes(step.a) > bytes(step.b) ||
        offset > bytes(step.b) - bytes(step.a) ||
        (width > 1 && offset % width != 0))
      return false;
    if (place.address.base == kNone)
      place.address.pointer += offset;
    else
      place.address.offset += offset;
    places[step.a] = place;
    return true;
  }

  /// Every output must lie in its own memory or be the input it replaces.
  bool addReturn(const Step &step) {
    const uint32_t *registers = function.pool.data() + step.a;
    for (uint32_t i = 0; i < function.outputCount(); ++i) {
      const PlaceOf &place = places[registers[i]];
      int32_t alias = function.source->outputs()->Get(i)->alias_input();
      uint32_t base = alias >= 0 ? 1 + static_cast<uint32_t>(alias)
                                 : 1 + function.inputCount() + i;
      if (!place.set || place.address.base != base || place.address.offset != 0)
        return false;
      if (alias < 0 && plan->outputList[i].bytes != bytes(registers[i]))
        return false;
      if (!sameDims(*function.source->outputs()->Get(i), registers[i]))
        return false;
    }
    return true;
  }

  const Program &program;
  const DecodedFunction &function;
  std::unique_ptr<Plan> plan;
  std::vector<PlaceOf> places;
};

} // namespace ferrule::runtime

std::unique_ptr<Plan> Plan::make(const Session &session,
                                 const DecodedFunction &function) {
  return PlanBuilder(session, function).build();
}

Status Plan::run(const Session &session, Scratch &scratch,
                 const RunOptions &options) {
  for (const Action &action : actions) {
    const Address *address = addresses.data() + action.firstAddress;
    if (action.kind == Kind::Launch) {
      // The arguments are this plan's own, and a plan runs once at a time.
      auto *arguments =
          const_cast<FerruleKernelBuffer *>(action.arguments.buffers);
      for (uint32_t i = 0; i < action.arguments.bufferCount; ++i)
        arguments[i].data = resolve(address[i]);
      FERRULE_RETURN_IF_ERROR(launchKernel(session, *function, *action.step,
                                           action.arguments, action.workgroups,
                                           scratch, options));
    } else if (action.kind == Kind::Copy) {
      std::memmove(resolve(address[0]), resolve(address[1]), action.bytes);
    } else {
      fillBuffer(action.element, resolve(address[0]), action.bytes,
                 action.value);
    }
  }
  return {};
}

void ferrule::runtime::fillBuffer(format::ElementType element, char *data,
                                  uint64_t bytes, int64_t slot) {
  if (bytes == 0)
    return;
  // The first bytes by element, the rest by doubling what is there.
  unsigned bits = format::bitWidth(element);
  uint64_t done = bits < 8 ? 1 : bits / 8;
  for (uint64_t i = 0; i < done * 8 / bits; ++i)
    storeElement(element, data, static_cast<int64_t>(i), slot);
  while (done < bytes) {
    uint64_t next = done < bytes - done ? done : bytes - done;
    std::memcpy(data + done, data, next);
    done += next;
  }
}
