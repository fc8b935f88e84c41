// Programs damaged at random, under good checksums: whatever the verifier lets
// through must run to an end or to an error. The address sanitizer's build
// makes this test sharp.
#include "ferrule/ferrule.hpp"
#include "runtime/testing/test_program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

using namespace ferrule;
using namespace ferrule::testing;
using format::ElementType;
using format::Opcode;
using format::Place;
using format::ScalarType;

namespace {

constexpr auto F32 = ElementType::F32;

// No loops, so that every run ends, and no kernels, which trust their caller.
TestFunction straightLine() {
  TestFunction f("main");
  uint32_t x = f.input("x", F32, {-1, 4});
  uint32_t y = f.input("y", ElementType::I8, {8});
  f.output("o", F32, {-1, 4});
  f.output("y", ElementType::I8, {8}, 1);
  f.function.static_arena = 256;
  uint32_t n = f.scalar(ScalarType::I64), i = f.constant(3);
  uint32_t two = f.constant(2), real = f.scalar(ScalarType::F32);
  uint32_t flag = f.scalar(ScalarType::I1), zero = f.constant(0);
  uint32_t fixed = f.buffer(F32, {4, 4}), part = f.buffer(F32, {4});
  uint32_t grown = f.buffer(F32, {-1, 4}), out = f.buffer(F32, {-1, 4});
  uint32_t flat = f.buffer(F32, {-1}), called = f.buffer(F32, {-1, 4});
  format::DimT dim;
  dim.result = n, dim.buffer = x;
  f.emit(dim);
  f.alloc(fixed, Place::Static, 64);
  format::FillT fill;
  fill.buffer = fixed, fill.value = f.constantFloat(2);
  f.emit(fill);
  format::ViewT view;
  view.result = part, view.source = fixed, view.offset = 16;
  f.emit(view);
  f.compute(Opcode::Mul, n, n, two);
  f.alloc(grown, Place::Dynamic, 0, {n});
  fill.buffer = grown;
  f.emit(fill);
  f.compute(Opcode::Mul, n, n, f.constant(4));
  view.result = flat, view.source = grown, view.offset = 0, view.sizes = {n};
  f.emit(view);
  format::LoadT load;
  load.result = real, load.buffer = part, load.indices = {i};
  f.emit(load);
  format::StoreT store;
  store.value = real, store.buffer = flat, store.indices = {two};
  f.emit(store);
  load.result = i, load.buffer = y, load.indices = {zero};
  f.emit(load);
  store.value = i, store.buffer = y, store.indices = {two};
  f.emit(store);
  format::CallFunctionT call;
  call.function = 1, call.buffers = {grown}, call.buffer_results = {called};
  f.emit(call);
  f.compute(Opcode::LtS, flag, zero, n);
  format::AssertT check;
  check.condition = flag, check.message = "n is positive";
  f.emit(check);
  dim.result = n, dim.buffer = called;
  f.emit(dim);
  f.alloc(out, Place::Output, 0, {n});
  format::CopyT copy;
  copy.target = out, copy.source = called;
  f.emit(copy);
  format::FreeT freeOp;
  freeOp.buffer = called;
  f.emit(freeOp);
  freeOp.buffer = grown;
  f.emit(freeOp);
  f.ret({out, y});
  return f;
}

TestFunction identity() {
  TestFunction f("identity");
  f.function.exported = false;
  uint32_t x = f.input("x", F32, {-1, 4});
  f.output("y", F32, {-1, 4});
  f.ret({x});
  return f;
}

const ferrule_allocator *smallAllocator() {
  static const ferrule_allocator allocator = {
      nullptr,
      [](void *, size_t size, size_t alignment) -> void * {
        return size > 1 << 20 ? nullptr : std::aligned_alloc(alignment, size);
      },
      [](void *, void *memory, size_t) { std::free(memory); }};
  return &allocator;
}

/// Runs a file if it can be loaded; true when it ran to its end.
bool runFile(const std::string &file) {
  try {
    Program program = Program::fromBytes(file.data(), file.size());
    ferrule_session_options options = {sizeof(options), 1, smallAllocator()};
    ferrule_session *session = nullptr;
    check(ferrule_session_create(program.get(), &options, &session));
    std::unique_ptr<ferrule_session, void (*)(ferrule_session *)> owner(
        session, ferrule_session_free);
    ferrule_request *made = nullptr;
    check(ferrule_request_create(session, 0, &made));
    std::unique_ptr<ferrule_request, void (*)(ferrule_request *)> request(
        made, ferrule_request_free);
    FunctionInfo info = program.function(0);
    std::vector<std::vector<char>> memory;
    for (uint32_t i = 0; i < info.inputs.size(); ++i) {
      BufferView view = {nullptr, info.inputs[i].type, info.inputs[i].dims, {}};
      uint64_t bytes = ferrule_element_type_bits(view.type) / 8 + 1;
      for (int64_t &dim : view.dims) {
        dim = dim < 0 ? 3 : dim;
        if (dim > 1000)
          return false;
        bytes *= uint64_t(dim);
        if (bytes > 1 << 20)
          return false;
      }
      memory.emplace_back(bytes);
      view.data = memory.back().data();
      ferrule_buffer c = view.c();
      check(ferrule_request_set_input(made, i, &c));
    }
    check(ferrule_request_run(made, nullptr));
    return true;
  } catch (const Error &) {
    return false;
  }
}

TEST(Hostile, endsOrFails) {
  TestFunction main = straightLine(), callee = identity();
  format::ProgramT program = testProgram({&main, &callee});
  std::string whole = serialize(program);
  ASSERT_TRUE(runFile(whole));
  format::ContainerReader reader;
  std::string error;
  ASSERT_TRUE(reader.open(whole.data(), whole.size(), error));
  std::mt19937 random(3);
  unsigned ran = 0;
  for (int round = 0; round < 30000; ++round) {
    const auto &section = reader.sections()[0];
    std::string bytes(section.data, section.size);
    for (int change = 0; change < 1 + round % 4; ++change) {
      // Small numbers are more often valid than random ones.
      char value = static_cast<char>(round % 2 ? random() : random() % 12);
      bytes[random() % bytes.size()] = value;
    }
    format::ContainerWriter writer;
    writer.append(writer.addSection(format::SectionKind::Program), bytes.data(),
                  bytes.size());
    const auto &image = reader.sections()[1];
    writer.append(writer.addSection(format::SectionKind::Image), image.data,
                  image.size);
    ran += runFile(writer.writeToMemory());
  }
  EXPECT_GT(ran, 100u);
}

// The image is outside the promise once it runs, but mapping it is not.
TEST(Hostile, imagesEndOrFail) {
  TestFunction main = straightLine(), callee = identity();
  std::string whole = serialize(testProgram({&main, &callee}));
  format::ContainerReader reader;
  std::string error;
  ASSERT_TRUE(reader.open(whole.data(), whole.size(), error));
  std::mt19937 random(5);
  for (int round = 0; round < 3000; ++round) {
    const auto &image = reader.sections()[1];
    std::string bytes(image.data, image.size);
    // Headers and the dynamic section are where it matters.
    size_t range = round % 2 ? 600 : bytes.size();
    for (int change = 0; change < 3; ++change)
      bytes[random() % range] = static_cast<char>(random());
    format::ContainerWriter writer;
    const auto &program = reader.sections()[0];
    writer.append(writer.addSection(format::SectionKind::Program), program.data,
                  program.size);
    writer.append(writer.addSection(format::SectionKind::Image), bytes.data(),
                  bytes.size());
    runFile(writer.writeToMemory());
  }
}

} // namespace
