#include "runtime/testing/test_program.h"

#include "runtime/format/element_type.h"

#include <bit>
#include <dlfcn.h>
#include <fstream>
#include <link.h>
#include <memory>
#include <sstream>

using namespace ferrule;
using namespace ferrule::testing;

TestFunction::TestFunction(const std::string &name) {
  function.name = name;
  block();
}

uint32_t TestFunction::buffer(format::ElementType type,
                              std::vector<int64_t> dims) {
  auto made = std::make_unique<format::BufferTypeT>();
  made->element_type = type;
  made->dims = std::move(dims);
  function.buffer_registers.push_back(std::move(made));
  return static_cast<uint32_t>(function.buffer_registers.size() - 1);
}

uint32_t TestFunction::scalar(format::ScalarType type) {
  function.scalar_registers.push_back(type);
  return static_cast<uint32_t>(function.scalar_registers.size() - 1);
}

uint32_t TestFunction::constant(int64_t value, format::ScalarType type) {
  uint32_t made = scalar(type);
  function.scalar_constants.emplace_back(made, value);
  return made;
}

uint32_t TestFunction::constantFloat(float value) {
  return constant(std::bit_cast<uint32_t>(value), format::ScalarType::F32);
}

static std::unique_ptr<format::ValueT> makeValue(const std::string &name,
                                                 format::ElementType type,
                                                 std::vector<int64_t> dims) {
  auto value = std::make_unique<format::ValueT>();
  value->name = name;
  value->element_type = type;
  value->dims = std::move(dims);
  return value;
}

uint32_t TestFunction::input(const std::string &name, format::ElementType type,
                             std::vector<int64_t> dims,
                             std::vector<std::string> expressions) {
  // Runs expand packed elements to bytes.
  bool isPacked = format::isPacked(type);
  uint32_t made = buffer(isPacked ? format::ElementType::I8 : type, dims);
  function.inputs.push_back(makeValue(name, type, std::move(dims)));
  function.inputs.back()->dim_expressions = std::move(expressions);
  function.blocks[0]->buffer_arguments.push_back(made);
  return made;
}

void TestFunction::output(const std::string &name, format::ElementType type,
                          std::vector<int64_t> dims, int aliasInput) {
  function.outputs.push_back(makeValue(name, type, std::move(dims)));
  function.outputs.back()->alias_input = aliasInput;
}

uint32_t TestFunction::block() {
  function.blocks.push_back(std::make_unique<format::BlockT>());
  return static_cast<uint32_t>(function.blocks.size() - 1);
}

void TestFunction::dispatch(uint32_t kernel, uint32_t workgroups,
                            std::vector<uint32_t> buffers,
                            std::vector<uint32_t> scalars) {
  format::DispatchT op;
  op.kernel = kernel, op.workgroups = workgroups;
  op.buffers = std::move(buffers), op.scalars = std::move(scalars);
  emit(op);
}

void TestFunction::alloc(uint32_t result, format::Place place, uint64_t offset,
                         std::vector<uint32_t> sizes) {
  format::AllocT op;
  op.result = result, op.place = place, op.offset = offset;
  op.sizes = std::move(sizes);
  emit(op);
}

void TestFunction::compute(format::Opcode opcode, uint32_t result, uint32_t a,
                           uint32_t b, uint32_t c) {
  format::ComputeT op;
  op.opcode = opcode, op.result = result, op.a = a, op.b = b, op.c = c;
  emit(op);
}

void TestFunction::branch(uint32_t target, std::vector<uint32_t> buffers,
                          std::vector<uint32_t> scalars) {
  format::BranchT op;
  op.target = target;
  op.buffers = std::move(buffers), op.scalars = std::move(scalars);
  emit(op);
}

void TestFunction::condBranch(uint32_t condition, uint32_t then,
                              uint32_t otherwise) {
  format::CondBranchT op;
  op.condition = condition;
  op.then = std::make_unique<format::BranchT>();
  op.then->target = then;
  op.otherwise = std::make_unique<format::BranchT>();
  op.otherwise->target = otherwise;
  emit(op);
}

void TestFunction::ret(std::vector<uint32_t> buffers,
                       std::vector<uint32_t> scalars) {
  format::ReturnT op;
  op.buffers = std::move(buffers), op.scalars = std::move(scalars);
  emit(op);
}

/// Where a kernel starts in the image, as the system's linker sees it.
static uint64_t entryOf(const char *name) {
  static void *image = dlopen(FERRULE_TEST_IMAGE, RTLD_NOW);
  if (!image)
    return 0;
  link_map *map = nullptr;
  dlinfo(image, RTLD_DI_LINKMAP, static_cast<void *>(&map));
  return reinterpret_cast<uint64_t>(dlsym(image, name)) - map->l_addr;
}

format::ProgramT
ferrule::testing::testProgram(std::initializer_list<const TestFunction *> all) {
  format::ProgramT program;
  program.producer = "test";
  for (const TestFunction *function : all)
    program.functions.push_back(
        std::make_unique<format::FunctionT>(function->function));
  struct Row {
    const char *name;
    uint32_t buffers, scalars;
    uint64_t scratch;
  };
  static constexpr Row rows[] = {{"add", 3, 0, 0},
                                 {"scale", 2, 1, 64},
                                 {"check", 1, 0, 0},
                                 {"apply", 2, 1, 0}};
  auto image = std::make_unique<format::ImageT>();
  image->target = "cpu";
  image->section = 1;
  for (const Row &row : rows) {
    auto kernel = std::make_unique<format::KernelT>();
    kernel->name = row.name;
    kernel->buffers = row.buffers, kernel->scalars = row.scalars;
    for (const char *message : {"first", "second"}) {
      auto assertion = std::make_unique<format::AssertionT>();
      assertion->message = message;
      kernel->assertions.push_back(std::move(assertion));
    }
    program.kernels.push_back(std::move(kernel));
    image->kernels.emplace_back(entryOf(row.name), row.scratch);
  }
  program.images.push_back(std::move(image));
  return program;
}

std::string ferrule::testing::serialize(const format::ProgramT &program,
                                        const std::string &weights) {
  flatbuffers::FlatBufferBuilder builder;
  format::FinishProgramBuffer(builder,
                              format::Program::Pack(builder, &program));
  std::ifstream file(FERRULE_TEST_IMAGE, std::ios::binary);
  std::ostringstream image;
  image << file.rdbuf();
  format::ContainerWriter writer;
  uint32_t programSection = writer.addSection(format::SectionKind::Program);
  writer.appendCopy(programSection, builder.GetBufferPointer(),
                    builder.GetSize());
  uint32_t imageSection = writer.addSection(format::SectionKind::Image);
  writer.appendCopy(imageSection, image.str().data(), image.str().size());
  if (!weights.empty()) {
    uint32_t section = writer.addSection(format::SectionKind::Weights);
    writer.append(section, weights.data(), weights.size());
  }
  return writer.writeToMemory();
}
