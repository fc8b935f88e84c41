#include "runtime/executor/launch.h"

#include "runtime/format/dim_expression.h"

#include <cstdio>
#include <ctime>

using namespace ferrule;
using namespace ferrule::runtime;

uint64_t ferrule::runtime::monotonicTime() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return uint64_t(time.tv_sec) * 1000000000 + uint64_t(time.tv_nsec);
}

Status ferrule::runtime::errorAt(const Program &program,
                                 const DecodedFunction &function,
                                 const Step &step, Code code,
                                 const std::string &message) {
  std::string where = program.file().locationText(step.location);
  return {code, (where.empty() ? "function '" + function.name + "'" : where) +
                    ": " + message};
}

static Status assertionError(const Program &program,
                             const DecodedFunction &function, const Step &step,
                             const format::Kernel &kernel, int32_t number) {
  const auto *assertions = kernel.assertions();
  if (number < 0 || !assertions ||
      static_cast<uint32_t>(number) > assertions->size())
    return errorAt(program, function, step, Code::Failed,
                   "kernel '" + kernel.name()->str() + "' failed with code " +
                       std::to_string(number));
  const format::Assertion &which =
      *assertions->Get(static_cast<uint32_t>(number) - 1);
  std::string where = program.file().locationText(which.location());
  if (where.empty())
    return errorAt(program, function, step, Code::Failed,
                   which.message()->str());
  return failed(where + ": " + which.message()->str());
}

/// Value of a count over sizes of the launch; -1 when it is not known.
static int64_t countOf(const flatbuffers::String *text,
                       const FerruleKernelArguments &arguments,
                       const LaunchContext &context) {
  std::vector<std::string> symbols;
  std::string error;
  if (!text || text->size() == 0)
    return -1;
  auto expression =
      format::DimExpression::parse(text->string_view(), symbols, error);
  if (!expression)
    return -1;
  std::vector<std::optional<int64_t>> sizes;
  for (const std::string &symbol : symbols) {
    unsigned number = 0, dim = 0;
    std::optional<int64_t> &size = sizes.emplace_back();
    if (std::sscanf(symbol.c_str(), "b%ud%u", &number, &dim) == 2) {
      if (number < arguments.bufferCount &&
          dim < context.bufferType(number).dims.size())
        size = arguments.buffers[number].sizes[dim];
    } else if (std::sscanf(symbol.c_str(), "s%u", &number) == 1) {
      if (number < arguments.scalarCount)
        size = arguments.scalars[number];
    }
  }
  return expression->evaluate(sizes).value_or(-1);
}

Status ferrule::runtime::launchKernel(const Session &session,
                                      const DecodedFunction &function,
                                      const Step &step,
                                      const FerruleKernelArguments &arguments,
                                      uint32_t workgroups, Scratch &scratch,
                                      const RunOptions &options) {
  if (workgroups == 0)
    return {};
  const Program &program = session.program();
  LaunchContext context = {session.threads(), &scratch,
                           function.buffers.data(),
                           function.pool.data() + step.c};
  int32_t assertion = 0;
  uint64_t start = options.profile ? monotonicTime() : 0;
  Status status = program.device(step.d).launch(step.a, arguments, workgroups,
                                                context, assertion);
  if (!status.ok())
    return errorAt(program, function, step, status.code(), status.message());
  if (!options.profile && assertion == 0)
    return {};
  const format::Kernel &kernel = *program.source().kernels()->Get(step.a);
  if (options.profile) {
    uint64_t end = monotonicTime();
    auto *op = static_cast<const format::Dispatch *>(step.table);
    const auto *layer = op->label() ? op->label() : kernel.layer();
    options.profile(options.profileContext,
                    {kernel.name()->string_view(),
                     layer ? layer->string_view() : std::string_view(), start,
                     end - start, workgroups, context.threadsUsed,
                     kernel.operations() ? kernel.operations()->string_view()
                                         : std::string_view(),
                     countOf(kernel.flops(), arguments, context),
                     countOf(kernel.bytes(), arguments, context)});
  }
  if (assertion == 0)
    return {};
  return assertionError(program, function, step, kernel, assertion);
}
