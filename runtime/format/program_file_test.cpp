// Damaged and hostile files give errors, never a crash.
#include "runtime/format/program_file.h"
#include "runtime/testing/test_program.h"

#include <gtest/gtest.h>

#include <random>
#include <unistd.h>

using namespace ferrule;
using namespace ferrule::runtime;
using namespace ferrule::testing;
using format::ElementType;

namespace {

TestFunction smallFunction() {
  TestFunction f("main");
  uint32_t x = f.input("x", ElementType::F32, {16});
  f.output("y", ElementType::F32, {16});
  uint32_t y = f.buffer(ElementType::F32, {16});
  uint32_t one = f.constant(1), two = f.constantFloat(2);
  f.alloc(y, format::Place::Output);
  f.dispatch(Scale, one, {x, y}, {two});
  f.ret({y});
  return f;
}

Status open(const std::string &file) {
  std::shared_ptr<const ProgramFile> result;
  return ProgramFile::openMemory(file.data(), file.size(), {}, result);
}

/// The file of the same program after a change that a compiler would not make.
Status openChanged(const std::function<void(format::ProgramT &)> &change) {
  TestFunction f = smallFunction();
  format::ProgramT program = testProgram({&f});
  change(program);
  return open(serialize(program));
}

template <typename T> T &operation(format::ProgramT &program, size_t index) {
  return *static_cast<T *>(
      program.functions[0]->blocks[0]->instructions[index]->operation.value);
}

TEST(ProgramFile, refusesEveryTruncation) {
  TestFunction f = smallFunction();
  std::string file = serialize(testProgram({&f}));
  ASSERT_TRUE(open(file).ok()) << open(file).message();
  for (size_t size = 0; size < file.size(); size += size < 4096 ? 1 : 97)
    EXPECT_FALSE(open(file.substr(0, size)).ok()) << size;
}

TEST(ProgramFile, refusesEveryFlippedBit) {
  TestFunction f = smallFunction();
  std::string file = serialize(testProgram({&f}));
  format::ContainerReader reader;
  std::string error;
  ASSERT_TRUE(reader.open(file.data(), file.size(), error));
  size_t end = reader.sections()[0].offset + reader.sections()[0].size;
  for (size_t i = 0; i < end; ++i) {
    // Between sections lie zeros that mean nothing.
    bool inTable =
        i < sizeof(format::FileHeader) +
                reader.sections().size() * sizeof(format::SectionEntry);
    if (!inTable && i < reader.sections()[0].offset)
      continue;
    std::string damaged = file;
    damaged[i] = static_cast<char>(damaged[i] ^ 1 << (i % 8));
    EXPECT_FALSE(open(damaged).ok()) << i;
  }
}

// With checksums that fit, the verifier alone stands between a hostile file
// and the executor.
TEST(ProgramFile, survivesDamageUnderGoodChecksums) {
  TestFunction f = smallFunction();
  format::ProgramT program = testProgram({&f});
  flatbuffers::FlatBufferBuilder builder;
  format::FinishProgramBuffer(builder,
                              format::Program::Pack(builder, &program));
  std::mt19937 random(1);
  unsigned accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string bytes(reinterpret_cast<char *>(builder.GetBufferPointer()),
                      builder.GetSize());
    for (int change = 0; change < 1 + round % 3; ++change)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    format::ContainerWriter writer;
    writer.append(writer.addSection(format::SectionKind::Program), bytes.data(),
                  bytes.size());
    writer.append(writer.addSection(format::SectionKind::Image), "x", 1);
    accepted += open(writer.writeToMemory()).ok();
  }
  EXPECT_LT(accepted, 20000u);
}

TEST(ProgramFile, refusesWhatDoesNotExist) {
  auto message = [](auto change) { return openChanged(change).message(); };
  using P = format::ProgramT;
  const std::string at = "damaged program: function 'main': block 0, "
                         "instruction ";
  EXPECT_EQ(
      message([](P &p) { operation<format::DispatchT>(p, 1).kernel = 9; }),
      at + "1: kernel 9 does not exist");
  EXPECT_EQ(message([](P &p) {
              operation<format::DispatchT>(p, 1).buffers = {0, 99};
            }),
            at + "1: buffer register 99 does not exist");
  EXPECT_EQ(
      message([](P &p) { operation<format::DispatchT>(p, 1).buffers = {0}; }),
      at + "1: 1 buffers, expected 2");
  EXPECT_EQ(
      message([](P &p) { operation<format::DispatchT>(p, 1).workgroups = 1; }),
      at + "1: scalar register 1 is F32, expected I64");
  EXPECT_EQ(message([](P &p) { operation<format::AllocT>(p, 0).offset = 3; }),
            at + "0: output 3 does not exist");
  EXPECT_EQ(
      message([](P &p) { p.functions[0]->blocks[0]->instructions.pop_back(); }),
      at + "1: the block has no end");
  EXPECT_EQ(message([](P &p) { p.images[0]->section = 7; }),
            "damaged program: image 0 has no image section");
  EXPECT_EQ(message([](P &p) { p.functions[0]->outputs.clear(); }),
            at + "0: output 0 does not exist");
}

TEST(ProgramFile, refusesRecursion) {
  EXPECT_EQ(openChanged([](format::ProgramT &program) {
              format::CallFunctionT call;
              call.buffers = {0}, call.buffer_results = {1};
              auto instruction = std::make_unique<format::InstructionT>();
              instruction->operation.Set(std::move(call));
              auto &list = program.functions[0]->blocks[0]->instructions;
              list.insert(list.begin(), std::move(instruction));
            }).message(),
            "damaged program: function 'main' calls itself");
}

TEST(ProgramFile, opensFiles) {
  TestFunction f = smallFunction();
  std::string file = serialize(testProgram({&f}));
  std::string path = ::testing::TempDir() + "ferrule_program_test.byre";
  format::ContainerWriter writer;
  std::shared_ptr<const ProgramFile> result;
  EXPECT_EQ(ProgramFile::openFile(path + ".none", {}, result).code(),
            Code::NotFound);
  FILE *out = fopen(path.c_str(), "wb");
  fwrite(file.data(), 1, file.size(), out);
  fclose(out);
  EXPECT_TRUE(ProgramFile::openFile(path, {}, result).ok());
  truncate(path.c_str(), 100);
  EXPECT_EQ(ProgramFile::openFile(path, {}, result).code(), Code::BadFile);
  remove(path.c_str());
}

TEST(Checksum, doesNotDependOnPieces) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i)
    bytes += static_cast<char>(i * 7);
  uint64_t whole = format::checksum(bytes.data(), bytes.size());
  for (size_t piece : {1, 3, 8, 31, 64, 500}) {
    format::Checksum sum;
    for (size_t i = 0; i < bytes.size(); i += piece)
      sum.update(bytes.data() + i, std::min(piece, bytes.size() - i));
    EXPECT_EQ(sum.finish(), whole) << piece;
  }
}

} // namespace
