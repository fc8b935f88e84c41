#include "runtime/devices/reference/arithmetic.h"
#include "runtime/devices/reference/machine.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

using namespace ferrule;
using namespace ferrule::format::reference;
using namespace ferrule::runtime;
using format::ElementType;

namespace {

constexpr auto kF32 = static_cast<uint8_t>(ElementType::F32);
constexpr auto kI8 = static_cast<uint8_t>(ElementType::I8);
constexpr auto kI64 = static_cast<uint8_t>(ElementType::I64);

/// Adds the elements of buffer 0 into element 0 of buffer 1.
std::vector<Instruction> sum() {
  return {{Op::Const, kI64, 0, 0, 0, 0, 0, 0},      // r0 = 0
          {Op::Const, kI64, 0, 0, 1, 1, 0, 0},      // r1 = 1
          {Op::BufferSize, kI64, 0, 0, 2, 0, 0, 0}, // r2 = size
          {Op::Move, kI64, 0, 0, 3, 0, 0, 0},       // r3 = i
          {Op::Move, kF32, 0, 0, 4, 0, 0, 0},       // r4 = 0.0
          {Op::CompareI, kI64, 0, 0, 5, 3, 2, 5},   // i >= size
          {Op::JumpIf, 0, 0, 0, 11, 5, 0, 0},
          {Op::Load, kF32, 0, 0, 6, 0, 3, 0},
          {Op::AddF, kF32, 0, 0, 4, 4, 6, 0},
          {Op::AddI, kI64, 0, 0, 3, 3, 1, 0},
          {Op::Jump, 0, 0, 0, 5, 0, 0, 0},
          {Op::Store, kF32, 0, 0, 4, 1, 0, 0},
          {Op::Return, 0, 0, 0, 0, 0, 0, 0}};
}

std::vector<char> imageOf(const std::vector<Instruction> &code,
                          uint32_t registers) {
  KernelHeader header = {registers, static_cast<uint32_t>(code.size())};
  std::vector<char> image(8 + sizeof header + code.size() * sizeof code[0]);
  std::memcpy(image.data() + 8, &header, sizeof header);
  std::memcpy(image.data() + 8 + sizeof header, code.data(),
              code.size() * sizeof code[0]);
  return image;
}

Status run(const std::vector<Instruction> &instructions, std::vector<float> &x,
           float &y) {
  reference::KernelCode code;
  std::vector<char> image = imageOf(instructions, 7);
  FERRULE_RETURN_IF_ERROR(reference::readCode(image, 8, 2, 0, code));
  int64_t sizes[] = {static_cast<int64_t>(x.size()), 1}, stride = 1;
  FerruleKernelBuffer buffers[] = {{x.data(), &sizes[0], &stride},
                                   {&y, &sizes[1], &stride}};
  FerruleKernelArguments arguments = {sizeof arguments, 2, buffers,
                                      nullptr,          0, 0};
  RegisterType type = {ElementType::F32, 32, 1, 0, false, {}};
  RegisterType types[] = {type, type};
  uint32_t numbers[] = {0, 1};
  LaunchContext context = {1, nullptr, types, numbers};
  int32_t assertion = 0;
  return reference::runCode(code, arguments, context, assertion);
}

} // namespace

TEST(ReferenceMachine, RunsALoop) {
  std::vector<float> x = {1, 2, 3.5f};
  float y = 0;
  Status status = run(sum(), x, y);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(y, 6.5f);
  x.clear();
  ASSERT_TRUE(run(sum(), x, y).ok());
  EXPECT_EQ(y, 0);
}

TEST(ReferenceMachine, ChecksEveryAccess) {
  std::vector<float> x = {1, 2};
  float y = 0;
  auto code = sum();
  code[5].c = 4; // i > size: one too many.
  Status status = run(code, x, y);
  EXPECT_EQ(status.code(), Code::Failed);
  EXPECT_EQ(status.message(), "a kernel reads element 2 of 2");
  code = sum();
  code[11].b = 2;
  EXPECT_EQ(run(code, x, y).message(), "a kernel writes element 2 of 1");
  code = sum();
  code[11].a = 2;
  EXPECT_EQ(run(code, x, y).code(), Code::BadFile);
  code = sum();
  code[2].b = 1;
  EXPECT_EQ(run(code, x, y).code(), Code::BadFile);
}

TEST(ReferenceMachine, RefusesDamagedCode) {
  reference::KernelCode code;
  std::vector<char> image = imageOf(sum(), 7);
  EXPECT_FALSE(reference::readCode(image, image.size(), 2, 0, code).ok());
  EXPECT_FALSE(reference::readCode(image, 100, 2, 0, code).ok());
  EXPECT_FALSE(reference::readCode(image, 8, 0, 0, code).ok());
  EXPECT_FALSE(
      reference::readCode({image.data(), image.size() - 1}, 8, 2, 0, code)
          .ok());
  // Whatever is accepted after damage names nothing that does not exist.
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::vector<char> damaged = image;
    for (unsigned n = random() % 3 + 1; n > 0; --n)
      damaged[8 + random() % (image.size() - 8)] =
          static_cast<char>(random() % 256);
    if (!reference::readCode(damaged, 8, 2, 0, code).ok())
      continue;
    for (const Instruction &in : code.instructions) {
      EXPECT_LT(static_cast<int>(in.op), static_cast<int>(Op::Count));
      if (in.op == Op::Jump || in.op == Op::JumpIf)
        EXPECT_LT(in.result, code.instructions.size());
      if (in.op == Op::AddF)
        EXPECT_TRUE(in.a < code.registers && in.b < code.registers &&
                    in.result < code.registers);
    }
  }
}

TEST(ReferenceMachine, IntegersOfEightBits) {
  auto evaluate = [](Op op, int a, int b) {
    return reference::evaluate({op, kI8, kI8, 0, 0, 0, 0, 0}, a, b, 0);
  };
  for (int a = -128; a < 128; ++a)
    for (int b = -128; b < 128; ++b) {
      auto u = static_cast<uint8_t>(a), v = static_cast<uint8_t>(b);
      EXPECT_EQ(evaluate(Op::AddI, a, b), static_cast<int8_t>(a + b));
      EXPECT_EQ(evaluate(Op::MulI, a, b), static_cast<int8_t>(a * b));
      EXPECT_EQ(evaluate(Op::MulHighS, a, b), a * b >> 8);
      EXPECT_EQ(evaluate(Op::MulHighU, a, b), static_cast<int8_t>(u * v >> 8));
      EXPECT_EQ(evaluate(Op::AddCarry, a, b), u + v > 255);
      EXPECT_EQ(evaluate(Op::MaxU, a, b), static_cast<int8_t>(std::max(u, v)));
      if (b == 0)
        continue;
      EXPECT_EQ(evaluate(Op::DivS, a, b), static_cast<int8_t>(a / b));
      EXPECT_EQ(evaluate(Op::RemS, a, b), a % b);
      EXPECT_EQ(evaluate(Op::DivU, a, b), static_cast<int8_t>(u / v));
      EXPECT_EQ(evaluate(Op::RemU, a, b), static_cast<int8_t>(u % v));
      int floor = a / b - (a % b != 0 && (a < 0) != (b < 0));
      int ceil = a / b + (a % b != 0 && (a < 0) == (b < 0));
      EXPECT_EQ(evaluate(Op::FloorDivS, a, b), static_cast<int8_t>(floor));
      EXPECT_EQ(evaluate(Op::CeilDivS, a, b), static_cast<int8_t>(ceil));
    }
  EXPECT_EQ(evaluate(Op::LeadingZeros, 1, 0), 7);
  EXPECT_EQ(evaluate(Op::TrailingZeros, 0, 0), 8);
  EXPECT_EQ(evaluate(Op::PopCount, -1, 0), 8);
  EXPECT_EQ(evaluate(Op::ShrU, -128, 7), 1);
  EXPECT_EQ(evaluate(Op::ShrS, -128, 7), -1);
  EXPECT_EQ(evaluate(Op::Shl, 1, 8), 0);
}
