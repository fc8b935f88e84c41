#include "runtime/executor/program.h"

#include "runtime/executor/memory.h"

#include <algorithm>

using namespace ferrule;
using namespace ferrule::runtime;
using namespace ferrule::format;

namespace {

using List = const flatbuffers::Vector<uint32_t> *;

/// Turns the checked tables of one function into steps.
class Decoder {
public:
  explicit Decoder(DecodedFunction &function) : function(function) {}

  void run() {
    const auto &blocks = *function.source->blocks();
    for (uint32_t i = 0; i < blocks.size(); ++i) {
      starts.push_back(static_cast<uint32_t>(function.code.size()));
      for (const Instruction *instruction : *blocks.Get(i)->instructions())
        decode(*instruction);
    }
    // Blocks may be branched to before they are decoded.
    for (Step &step : function.code) {
      if (step.operation == Operation::Branch) {
        step.a = starts[step.a];
      } else if (step.operation == Operation::CondBranch) {
        step.b = starts[step.b];
        step.c = starts[step.c];
      }
    }
  }

private:
  uint32_t append(List list) {
    auto index = static_cast<uint32_t>(function.pool.size());
    if (list)
      function.pool.insert(function.pool.end(), list->begin(), list->end());
    return index;
  }
  uint32_t append(List first, List second) {
    uint32_t index = append(first);
    append(second);
    uint32_t most =
        std::max(first ? first->size() : 0, second ? second->size() : 0);
    function.mostArguments = std::max(function.mostArguments, most);
    return index;
  }
  void appendPairs(List targets, List sources) {
    uint32_t count = sources ? sources->size() : 0;
    function.pool.push_back(count);
    for (uint32_t i = 0; i < count; ++i) {
      function.pool.push_back(targets->Get(i));
      function.pool.push_back(sources->Get(i));
    }
    function.mostArguments = std::max(function.mostArguments, count);
  }
  uint32_t moves(const Branch &branch) {
    auto index = static_cast<uint32_t>(function.pool.size());
    const format::Block &target =
        *function.source->blocks()->Get(branch.target());
    appendPairs(target.buffer_arguments(), branch.buffers());
    appendPairs(target.scalar_arguments(), branch.scalars());
    return index;
  }

  void decode(const Instruction &instruction);

  DecodedFunction &function;
  std::vector<uint32_t> starts;
};

void Decoder::decode(const Instruction &instruction) {
  Step step = {};
  step.operation = instruction.operation_type();
  step.location = instruction.location();
  step.table = instruction.operation();
  switch (step.operation) {
  case Operation::Dispatch: {
    const Dispatch &op = *instruction.operation_as_Dispatch();
    step.a = op.kernel(), step.b = op.workgroups(), step.d = op.device();
    step.c = append(op.buffers(), op.scalars());
    break;
  }
  case Operation::Alloc: {
    const Alloc &op = *instruction.operation_as_Alloc();
    step.a = op.result(), step.b = static_cast<uint32_t>(op.place());
    step.c = append(op.sizes());
    step.imm = static_cast<int64_t>(op.offset());
    break;
  }
  case Operation::Free:
    step.a = instruction.operation_as_Free()->buffer();
    break;
  case Operation::View: {
    const View &op = *instruction.operation_as_View();
    step.a = op.result(), step.b = op.source();
    step.c = append(op.sizes());
    step.d = op.offset_register() < 0
                 ? kNone
                 : static_cast<uint32_t>(op.offset_register());
    step.imm = static_cast<int64_t>(op.offset());
    break;
  }
  case Operation::Dim: {
    const Dim &op = *instruction.operation_as_Dim();
    step.a = op.result(), step.b = op.buffer(), step.c = op.dim();
    break;
  }
  case Operation::Load: {
    const Load &op = *instruction.operation_as_Load();
    step.a = op.result(), step.b = op.buffer(), step.c = append(op.indices());
    break;
  }
  case Operation::Store: {
    const Store &op = *instruction.operation_as_Store();
    step.a = op.value(), step.b = op.buffer(), step.c = append(op.indices());
    break;
  }
  case Operation::Copy:
    step.a = instruction.operation_as_Copy()->target();
    step.b = instruction.operation_as_Copy()->source();
    break;
  case Operation::Fill:
    step.a = instruction.operation_as_Fill()->buffer();
    step.b = instruction.operation_as_Fill()->value();
    break;
  case Operation::LoadConstant:
    step.a = instruction.operation_as_LoadConstant()->result();
    step.b = instruction.operation_as_LoadConstant()->constant();
    break;
  case Operation::Compute: {
    const Compute &op = *instruction.operation_as_Compute();
    step.opcode = op.opcode();
    step.a = op.a(), step.b = op.b(), step.c = op.c(), step.d = op.result();
    // Unused operands are read too, which keeps the interpreter free of cases.
    uint32_t registers = function.source->scalar_registers()->size();
    step.b = step.b < registers ? step.b : 0;
    step.c = step.c < registers ? step.c : 0;
    break;
  }
  case Operation::Branch:
    step.a = instruction.operation_as_Branch()->target();
    step.b = moves(*instruction.operation_as_Branch());
    break;
  case Operation::CondBranch: {
    const CondBranch &op = *instruction.operation_as_CondBranch();
    step.a = op.condition();
    step.b = op.then()->target(), step.c = op.otherwise()->target();
    step.d = moves(*op.then());
    step.imm = moves(*op.otherwise());
    break;
  }
  case Operation::Return: {
    const Return &op = *instruction.operation_as_Return();
    step.a = append(op.buffers(), op.scalars());
    break;
  }
  default: // CallProvider, CallFunction, Assert: the table says all.
    break;
  }
  function.code.push_back(step);
}

} // namespace

namespace ferrule::runtime {

static void
addDims(DecodedFunction &function, std::vector<std::string> &symbols,
        const flatbuffers::Vector<flatbuffers::Offset<Value>> *values) {
  if (!values)
    return;
  for (const Value *value : *values) {
    auto &dims = function.dims.emplace_back();
    const auto *texts = value->dim_expressions();
    for (uint32_t i = 0; texts && i < texts->size(); ++i) {
      std::string error;
      std::string text = texts->Get(i)->str();
      dims.push_back(text.empty() ? std::nullopt
                                  : DimExpression::parse(text, symbols, error));
    }
  }
}

void Program::decode(uint32_t index) {
  DecodedFunction &function = decoded[index];
  function.source = source().functions()->Get(index);
  function.name = function.source->name()->str();
  if (const auto *types = function.source->buffer_registers())
    for (const BufferType *type : *types) {
      auto dims = dimsOf(type->dims());
      bool isStatic = std::find(dims.begin(), dims.end(), -1) == dims.end();
      function.buffers.push_back({type->element_type(),
                                  bitWidth(type->element_type()),
                                  static_cast<uint32_t>(dims.size()),
                                  function.sizePool, isStatic, dims});
      function.sizePool += static_cast<uint32_t>(dims.size());
    }
  function.staticArena =
      (function.source->static_arena() + kBufferAlignment - 1) /
      kBufferAlignment * kBufferAlignment;
  Decoder(function).run();
  addDims(function, symbolNames, function.source->inputs());
  addDims(function, symbolNames, function.source->outputs());
}

// Callees lie behind their caller in one arena. The verifier has made sure
// that calls have no cycle, so repeating this ends.
void Program::planArenas() {
  for (DecodedFunction &function : decoded)
    function.arenaWithCalls = function.staticArena;
  for (bool changed = true; changed;) {
    changed = false;
    for (DecodedFunction &function : decoded)
      for (const Step &step : function.code) {
        if (step.operation != Operation::CallFunction)
          continue;
        auto *call = static_cast<const CallFunction *>(step.table);
        uint64_t needed =
            function.staticArena + decoded[call->function()].arenaWithCalls;
        if (needed > function.arenaWithCalls) {
          function.arenaWithCalls = needed;
          changed = true;
        }
      }
  }
}

Status Program::load(std::shared_ptr<const ProgramFile> file,
                     std::shared_ptr<const Program> &result) {
  auto program = std::make_shared<Program>();
  program->programFile = std::move(file);
  const format::Program &source = program->source();
  if (source.symbols())
    for (const Symbol *symbol : *source.symbols())
      program->symbolNames.push_back(symbol->name()->str());
  program->decoded.resize(source.functions()->size());
  for (uint32_t i = 0; i < program->decoded.size(); ++i)
    program->decode(i);
  program->planArenas();

  std::vector<std::string> names;
  if (source.devices())
    for (const auto *name : *source.devices())
      names.push_back(name->str());
  if (names.empty())
    names.push_back("cpu");
  for (const std::string &name : names) {
    Device *device = findDevice(name);
    if (!device)
      return unsupported("the program needs device '" + name +
                         "', which this runtime does not have");
    std::unique_ptr<DeviceProgram> loaded;
    FERRULE_RETURN_IF_ERROR(device->load(program->programFile, loaded));
    program->devices.push_back(std::move(loaded));
    if (const Allocator *wanted = device->memory()) {
      if (program->memory)
        return unsupported("the program uses two devices that each want "
                           "buffers in memory of their own");
      program->memory = wanted;
    }
  }
  result = std::move(program);
  return {};
}

const DecodedFunction *Program::find(std::string_view name) const {
  const DecodedFunction *only = nullptr;
  unsigned exported = 0;
  for (const DecodedFunction &function : decoded) {
    if (!function.source->exported())
      continue;
    if (function.name == (name.empty() ? "main" : name))
      return &function;
    only = &function;
    ++exported;
  }
  return name.empty() && exported == 1 ? only : nullptr;
}

} // namespace ferrule::runtime
