// Writes the programs of the Python tests: ferrule-test-programs FOLDER
#include "runtime/testing/test_program.h"

#include <fstream>
#include <iostream>

using namespace ferrule;
using namespace ferrule::testing;
using format::ElementType;
using format::Place;

static std::string folder;

static void write(const std::string &name, const format::ProgramT &program) {
  std::ofstream(folder + "/" + name + ".byre", std::ios::binary)
      << serialize(program);
}

/// out = a + b
static void writeAdd() {
  TestFunction f("main");
  uint32_t a = f.input("a", ElementType::F32, {100});
  uint32_t b = f.input("b", ElementType::F32, {100});
  f.output("out", ElementType::F32, {100});
  uint32_t out = f.buffer(ElementType::F32, {100});
  f.alloc(out, Place::Output);
  f.dispatch(Add, f.constant(7), {a, b, out});
  f.ret({out});
  TestFunction second = f;
  second.function.name = "second";
  format::ProgramT program = testProgram({&f, &second});
  program.metadata.push_back(std::make_unique<format::KeyValueT>());
  program.metadata.back()->key = "author";
  program.metadata.back()->value = "somebody";
  write("add", program);
}

/// Returns its input; one function for each type.
static void writeTypes() {
  format::ProgramT program;
  std::vector<TestFunction> functions;
  for (int i = static_cast<int>(ElementType::I1);
       i <= static_cast<int>(ElementType::C128); ++i) {
    auto type = static_cast<ElementType>(i);
    TestFunction f(format::EnumNameElementType(type));
    uint32_t x = f.input("x", type, {-1, 3}, {"n", ""});
    f.output("y", type, {-1, 3});
    f.ret({x});
    functions.push_back(std::move(f));
  }
  TestFunction *first = &functions.front();
  program = testProgram({first});
  program.functions.clear();
  for (const TestFunction &function : functions)
    program.functions.push_back(
        std::make_unique<format::FunctionT>(function.function));
  program.symbols.push_back(std::make_unique<format::SymbolT>());
  program.symbols.back()->name = "n";
  write("types", program);
}

/// Fills its first input with 5, in place, and returns it and a copy.
static void writeUpdate() {
  TestFunction f("main");
  uint32_t x = f.input("x", ElementType::F32, {4});
  f.output("x", ElementType::F32, {4}, 0);
  f.output("copy", ElementType::F32, {4});
  format::FillT fill;
  fill.buffer = x, fill.value = f.constantFloat(5);
  f.emit(fill);
  f.ret({x, x});
  write("update", testProgram({&f}));
}

/// Needs an instruction set that does not exist.
static void writeFuture() {
  TestFunction f("main");
  f.ret({});
  format::ProgramT program = testProgram({&f});
  program.images[0]->cpu = "future";
  program.images[0]->features = {"sse2", "avx4096"};
  write("future", program);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: ferrule-test-programs FOLDER\n";
    return 1;
  }
  folder = argv[1];
  writeAdd();
  writeTypes();
  writeUpdate();
  writeFuture();
  return 0;
}
