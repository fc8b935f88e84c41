// Programs of the register machine, run through the C++ API.
#include "ferrule/ferrule.hpp"
#include "runtime/testing/test_program.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <thread>
#include <unistd.h>

using namespace ferrule;
using namespace ferrule::testing;
using format::ElementType;
using format::Opcode;
using format::Place;
using format::ScalarType;

namespace {

constexpr auto F32 = ElementType::F32;

std::vector<float> sequence(size_t count, float start = 0) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), start);
  return values;
}

BufferView view(std::vector<float> &values) {
  return {values.data(), FERRULE_F32, {int64_t(values.size())}, {}};
}

std::vector<float> floats(const BufferView &buffer) {
  auto *data = static_cast<const float *>(buffer.data);
  return {data, data + buffer.elements()};
}

/// A request of the only exported function.
struct Running {
  explicit Running(const std::string &file, uint32_t threads = 2)
      : program(Program::fromBytes(file.data(), file.size())),
        session(program, threads), request(session, program.find()) {}
  Program program;
  Session session;
  Request request;
};

std::string messageOf(const std::function<void()> &body) {
  try {
    body();
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

/// out = (a + b) * 3 with a static size, through the static arena.
TestFunction staticFunction() {
  TestFunction f("main");
  uint32_t a = f.input("a", F32, {100}), b = f.input("b", F32, {100});
  f.output("out", F32, {100});
  uint32_t sum = f.buffer(F32, {100}), out = f.buffer(F32, {100});
  uint32_t groups = f.constant(7), three = f.constantFloat(3);
  f.function.static_arena = 512;
  f.alloc(sum, Place::Static, 64);
  f.dispatch(Add, groups, {a, b, sum});
  f.alloc(out, Place::Output, 0);
  f.dispatch(Scale, groups, {sum, out}, {three});
  f.ret({out});
  return f;
}

TEST(Executor, runsStaticProgram) {
  TestFunction f = staticFunction();
  Running run(serialize(testProgram({&f})));
  std::vector<float> a = sequence(100), b = sequence(100, 1);
  for (int repeat = 0; repeat < 3; ++repeat) {
    run.request.setInput(0, view(a));
    run.request.setInput(1, view(b));
    run.request.run();
    std::vector<float> result = floats(run.request.output(0));
    ASSERT_EQ(result.size(), 100u);
    for (int i = 0; i < 100; ++i)
      EXPECT_EQ(result[i], 3.0f * (a[i] + b[i]));
    a[5] += 1;
  }
}

TEST(Executor, writesBoundOutputsAndReadsStrides) {
  TestFunction f = staticFunction();
  Running run(serialize(testProgram({&f})));
  std::vector<float> a = sequence(200), b = sequence(100), out(300);
  // Every second element of a, into every third of out.
  run.request.setInput(0, {a.data(), FERRULE_F32, {100}, {2}});
  run.request.setInput(1, view(b));
  run.request.setOutput(0, {out.data(), FERRULE_F32, {100}, {3}});
  run.request.run();
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(out[3 * i], 3.0f * (2 * i + i));
  EXPECT_EQ(out[1], 0);
  std::vector<float> contiguous(100);
  run.request.setOutput(0, view(contiguous));
  run.request.run();
  EXPECT_EQ(run.request.output(0).data, contiguous.data());
  EXPECT_EQ(contiguous[10], 90);
}

TEST(Executor, runsFromManyThreads) {
  TestFunction f = staticFunction();
  std::string file = serialize(testProgram({&f}));
  Program program = Program::fromBytes(file.data(), file.size());
  Session session(program, 2);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      Request request(session, 0);
      std::vector<float> a = sequence(100, float(t)), b = sequence(100);
      request.setInput(0, view(a));
      request.setInput(1, view(b));
      for (int repeat = 0; repeat < 50; ++repeat) {
        request.run();
        if (floats(request.output(0))[9] != 3.0f * float(18 + t))
          ++wrong;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Executor, runsInForkedChild) {
  TestFunction f = staticFunction();
  Running run(serialize(testProgram({&f})));
  std::vector<float> a = sequence(100), b = sequence(100);
  run.request.setInput(0, view(a));
  run.request.setInput(1, view(b));
  run.request.run();
  pid_t child = fork();
  if (child == 0) {
    run.request.run();
    _exit(floats(run.request.output(0))[7] == 42.0f ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

/// Doubles its dynamic input n times in a loop with swapped buffers.
TestFunction loopFunction() {
  TestFunction f("main");
  uint32_t in = f.input("x", F32, {-1});
  uint32_t times = f.input("n", ElementType::I64, {});
  f.output("y", F32, {-1});
  uint32_t size = f.scalar(ScalarType::I64), groups = f.scalar(ScalarType::I64);
  uint32_t fifteen = f.constant(15), sixteen = f.constant(16);
  uint32_t zero = f.constant(0), one = f.constant(1), two = f.constantFloat(2);
  uint32_t n = f.scalar(ScalarType::I64), i = f.scalar(ScalarType::I64);
  uint32_t next = f.scalar(ScalarType::I64), more = f.scalar(ScalarType::I1);
  uint32_t current = f.buffer(F32, {-1}), fresh = f.buffer(F32, {-1});
  uint32_t copy = f.buffer(F32, {-1}), out = f.buffer(F32, {-1});
  format::DimT dim;
  dim.result = size, dim.buffer = in;
  f.emit(dim);
  format::LoadT load;
  load.result = n, load.buffer = times;
  f.emit(load);
  f.compute(Opcode::Add, groups, size, fifteen);
  f.compute(Opcode::FloorDivS, groups, groups, sixteen);
  f.alloc(copy, Place::Dynamic, 0, {size});
  format::CopyT copyOp;
  copyOp.target = copy, copyOp.source = in;
  f.emit(copyOp);
  f.branch(1, {copy}, {zero});

  uint32_t head = f.block();
  f.function.blocks[head]->buffer_arguments = {current};
  f.function.blocks[head]->scalar_arguments = {i};
  f.compute(Opcode::LtS, more, i, n);
  f.condBranch(more, 2, 3);

  f.block();
  f.alloc(fresh, Place::Dynamic, 0, {size});
  f.dispatch(Scale, groups, {current, fresh}, {two});
  format::FreeT freeOp;
  freeOp.buffer = current;
  f.emit(freeOp);
  f.compute(Opcode::Add, next, i, one);
  f.branch(head, {fresh}, {next});

  f.block();
  f.alloc(out, Place::Output, 0, {size});
  copyOp.target = out, copyOp.source = current;
  f.emit(copyOp);
  f.ret({out});
  return f;
}

TEST(Executor, runsLoopsOverDynamicSizes) {
  TestFunction f = loopFunction();
  Running run(serialize(testProgram({&f})));
  for (int64_t size : {1, 40, 7, 0, 1000}) {
    std::vector<float> x = sequence(size, 1);
    int64_t n = 5;
    run.request.setInput(0, view(x));
    run.request.setInput(1, {&n, FERRULE_I64, {}, {}});
    run.request.run();
    BufferView y = run.request.output(0);
    ASSERT_EQ(y.dims, std::vector<int64_t>{size});
    for (int64_t i = 0; i < size; ++i)
      EXPECT_EQ(floats(y)[i], 32 * x[i]);
  }
  auto [taken, memory] = run.request.takeOutput(0);
  EXPECT_EQ(floats(taken)[999], 32000);
}

TEST(Executor, callsFunctions) {
  TestFunction callee("double");
  callee.function.exported = false;
  uint32_t x = callee.input("x", F32, {16});
  callee.output("y", F32, {16});
  uint32_t y = callee.buffer(F32, {16});
  callee.function.static_arena = 64;
  callee.alloc(y, Place::Static, 0);
  callee.dispatch(Scale, callee.constant(1), {x, y}, {callee.constantFloat(2)});
  callee.ret({y});

  TestFunction f("main");
  uint32_t in = f.input("x", F32, {16});
  f.output("y", F32, {16});
  uint32_t once = f.buffer(F32, {16}), again = f.buffer(F32, {16});
  f.function.static_arena = 128;
  format::CallFunctionT call;
  call.function = 1;
  call.buffers = {in}, call.buffer_results = {once};
  f.emit(call);
  call.buffers = {once}, call.buffer_results = {again};
  f.emit(call);
  f.ret({again});
  Running run(serialize(testProgram({&f, &callee})));
  std::vector<float> values = sequence(16);
  run.request.setInput(0, view(values));
  run.request.run();
  EXPECT_EQ(floats(run.request.output(0))[3], 12);
}

TEST(Executor, updatesAliasedInputs) {
  TestFunction f("main");
  uint32_t a = f.input("a", F32, {16}), b = f.input("b", F32, {16});
  // The two states trade places.
  f.output("a", F32, {16}, 0);
  f.output("b", F32, {16}, 1);
  f.ret({b, a});
  Running run(serialize(testProgram({&f})));
  std::vector<float> first = sequence(16), second = sequence(16, 100);
  run.request.setInput(0, view(first));
  run.request.setInput(1, view(second));
  run.request.run();
  EXPECT_EQ(first[2], 102);
  EXPECT_EQ(second[2], 2);
}

TEST(Executor, relocatesImages) {
  TestFunction f("main");
  uint32_t x = f.input("x", F32, {16});
  f.output("y", F32, {16});
  uint32_t y = f.buffer(F32, {16});
  f.alloc(y, Place::Output);
  f.dispatch(Apply, f.constant(1), {x, y}, {f.constant(1)});
  f.ret({y});
  Running run(serialize(testProgram({&f})));
  std::vector<float> values = sequence(16);
  run.request.setInput(0, view(values));
  run.request.run();
  EXPECT_EQ(floats(run.request.output(0))[5], 25);
}

TEST(Executor, reportsFailures) {
  TestFunction f("main");
  uint32_t x = f.input("x", F32, {16});
  f.output("y", F32, {16});
  f.dispatch(Check, f.constant(1), {x});
  f.ret({x});
  Running run(serialize(testProgram({&f})));
  std::vector<float> values = sequence(16, -1);
  EXPECT_EQ(messageOf([&] { run.request.run(); }), "input 'x' is not bound");
  run.request.setInput(0, view(values));
  EXPECT_EQ(messageOf([&] { run.request.run(); }), "function 'main': second");
  values[0] = 1;
  run.request.run();
  EXPECT_EQ(messageOf([&] {
              run.request.setInput(0, {values.data(), FERRULE_F64, {16}, {}});
            }),
            "input 'x' is 16xf64, expected 16xf32");
  EXPECT_EQ(messageOf([&] {
              run.request.setInput(0, {values.data(), FERRULE_F32, {4}, {}});
            }),
            "input 'x' is 4xf32, expected 16xf32");
  EXPECT_EQ(messageOf([&] { run.program.find("other"); }),
            "no function 'other', the program has 'main'");
}

TEST(Executor, checksSymbols) {
  TestFunction f("main");
  uint32_t x = f.input("x", F32, {-1}, {"n"});
  uint32_t y = f.input("y", F32, {-1}, {"n"});
  uint32_t z = f.input("z", F32, {-1}, {"2 * n + 1"});
  f.output("o", F32, {-1});
  f.ret({x});
  (void)y, (void)z;
  format::ProgramT program = testProgram({&f});
  auto symbol = std::make_unique<format::SymbolT>();
  symbol->name = "n", symbol->minimum = 1, symbol->maximum = 8;
  program.symbols.push_back(std::move(symbol));
  Running run(serialize(program));
  auto tryWith = [&](size_t a, size_t b, size_t c) {
    static std::vector<float> buffers[3];
    size_t sizes[] = {a, b, c};
    for (uint32_t i = 0; i < 3; ++i) {
      buffers[i].assign(std::max<size_t>(sizes[i], 1), 0);
      run.request.setInput(
          i, {buffers[i].data(), FERRULE_F32, {int64_t(sizes[i])}, {}});
    }
    return messageOf([&] { run.request.run(); });
  };
  EXPECT_EQ(tryWith(3, 3, 7), "no error");
  EXPECT_EQ(tryWith(3, 4, 7), "dim 0 of input 'y' is 4, but 'n' is 3 in dim 0 "
                              "of input 'x'");
  EXPECT_EQ(tryWith(3, 3, 8),
            "dim 0 of input 'z' is 8, expected 2 * n + 1 = 7");
  EXPECT_EQ(tryWith(9, 9, 19), "dim 0 of input 'x' is 9, 'n' may be 1 to 8");
}

TEST(Executor, keepsConstantsReadOnly) {
  TestFunction f("main");
  uint32_t weights = f.buffer(F32, {4}), out = f.buffer(F32, {4});
  f.output("y", F32, {4});
  format::LoadConstantT load;
  load.result = weights;
  f.emit(load);
  format::ViewT view;
  view.result = out, view.source = weights;
  f.emit(view);
  format::FillT fill;
  fill.buffer = out, fill.value = f.constantFloat(1);
  TestFunction good = f;
  good.ret({out});
  f.emit(fill);
  f.ret({out});
  auto withWeights = [&](const TestFunction &function) {
    format::ProgramT program = testProgram({&function});
    auto constant = std::make_unique<format::ConstantT>();
    constant->element_type = F32, constant->dims = {4};
    constant->section = 2, constant->length = 16;
    program.constants.push_back(std::move(constant));
    float values[4] = {1, 2, 3, 4};
    return serialize(program,
                     std::string(reinterpret_cast<char *>(values), 16));
  };
  Running reads(withWeights(good));
  reads.request.run();
  EXPECT_EQ(floats(reads.request.output(0)), (std::vector<float>{1, 2, 3, 4}));
  Running writes(withWeights(f));
  EXPECT_EQ(messageOf([&] { writes.request.run(); }),
            "function 'main': fill of a read-only buffer");
}

TEST(Executor, callsProviders) {
  TestFunction f("main");
  uint32_t x = f.input("x", F32, {4});
  f.output("y", F32, {4});
  uint32_t y = f.buffer(F32, {4});
  f.alloc(y, Place::Output);
  format::CallProviderT call;
  call.name = "acme.reverse";
  call.buffers = {x, y}, call.first_output = 1;
  f.emit(call);
  f.ret({y});
  std::string file = serialize(testProgram({&f}));
  Program program = Program::fromBytes(file.data(), file.size());
  Session session(program, 1);
  auto reverse = [](void *, const ferrule_provider_call *c) -> const char * {
    auto *in = static_cast<const float *>(c->buffers[0].data);
    auto *out = static_cast<float *>(c->buffers[1].data);
    for (int i = 0; i < 4; ++i)
      out[i] = in[3 - i];
    return nullptr;
  };
  std::vector<float> values = sequence(4);
  Request without(session, 0);
  without.setInput(0, view(values));
  EXPECT_EQ(messageOf([&] { without.run(); }),
            "function 'main': no provider has operation 'acme.reverse', "
            "expected one that was registered before the run");
  check(ferrule_session_add_provider(session.get(), "acme.reverse", reverse,
                                     nullptr));
  Request with(session, 0);
  with.setInput(0, view(values));
  with.run();
  EXPECT_EQ(floats(with.output(0)), (std::vector<float>{3, 2, 1, 0}));
}

} // namespace
