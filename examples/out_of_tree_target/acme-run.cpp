// acme-run PROGRAM.byre ROWS: runs @main of a program of acme-compile. Input i
// is filled with ((e * (i + 1)) mod 7 - 3) / 4 for element e; sizes that are
// known at run time only are ROWS. Prints every output, then what the device
// did.
#include "device.h"
#include "ferrule/ferrule.hpp"

#include <cstdio>
#include <cstdlib>

static std::vector<float> makeInput(ferrule::BufferView &view, uint32_t index) {
  std::vector<float> values(view.elements());
  for (size_t e = 0; e < values.size(); ++e)
    values[e] = (static_cast<int>(e * (index + 1) % 7) - 3) / 4.0f;
  view.data = values.data();
  return values;
}

static void run(const char *path, int64_t rows) {
  ferrule::Program program = ferrule::Program::load(path);
  ferrule::Session session(program);
  acme::Device device;
  ferrule::check(ferrule_session_add_provider(session.get(), "acme.matmul",
                                              acme::matmul, &device));
  uint32_t main = program.find("main");
  ferrule::FunctionInfo info = program.function(main);
  ferrule::Request request(session, main);
  std::vector<std::vector<float>> memory;
  for (uint32_t i = 0; i < info.inputs.size(); ++i) {
    ferrule::BufferView view{
        nullptr, info.inputs[i].type, info.inputs[i].dims, {}};
    if (view.type != FERRULE_F32)
      throw std::runtime_error("input '" + info.inputs[i].name +
                               "': expected f32");
    for (int64_t &dim : view.dims)
      dim = dim < 0 ? rows : dim;
    memory.push_back(makeInput(view, i));
    request.setInput(i, view);
  }
  request.run();
  for (uint32_t i = 0; i < info.outputs.size(); ++i) {
    ferrule::BufferView view = request.output(i);
    if (view.type != FERRULE_F32)
      throw std::runtime_error("output '" + info.outputs[i].name +
                               "': expected f32");
    for (uint64_t e = 0; e < view.elements(); ++e)
      std::printf("%.9g\n", static_cast<const float *>(view.data)[e]);
  }
  std::printf("products on the device: %llu\n",
              static_cast<unsigned long long>(device.products));
}

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: acme-run PROGRAM.byre ROWS\n");
    return 2;
  }
  try {
    run(argv[1], std::atoll(argv[2]));
  } catch (const std::exception &error) {
    std::fprintf(stderr, "acme-run: error: %s\n", error.what());
    return 1;
  }
  return 0;
}
