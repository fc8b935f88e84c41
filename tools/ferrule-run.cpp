// Runs a .byre file. Links the runtime alone.
#include "ferrule/device.h"
#include "runtime/command/benchmark.h"
#include "runtime/command/input_spec.h"
#include "runtime/command/profile.h"
#include "runtime/command/scalar_text.h"

#include <CLI/CLI.hpp>

#include <iostream>

using namespace ferrule;
using namespace ferrule::command;

namespace {

struct Options {
  std::string file, function, profile;
  std::vector<std::string> inputs, outputs, plugins;
  unsigned threads = 0;
  double benchmark = 0;
  bool verify = false, print = false, describe = false;
};

void describe(const Program &program) {
  for (const FunctionInfo &function : program.functions()) {
    std::cout << "function " << function.name << "\n";
    for (const ValueInfo &input : function.inputs)
      std::cout << "  input  " << input.name << ": " << input.text() << "\n";
    for (const ValueInfo &output : function.outputs)
      std::cout << "  output " << output.name << ": " << output.text() << "\n";
  }
  for (const auto &[key, value] : program.metadata())
    std::cout << "metadata " << key << " = " << value << "\n";
}

/// Writes outputs as told by texts NAME=@FILE or, in their order, @FILE.
void writeOutputs(const FunctionInfo &function, const Request &request,
                  const std::vector<std::string> &texts) {
  uint32_t position = 0;
  for (const std::string &text : texts) {
    size_t at = text.find('@');
    if (at == std::string::npos || (at != 0 && text[at - 1] != '='))
      throw Error(FERRULE_INVALID_ARGUMENT,
                  "--output=" + text +
                      ": expected @FILE.npy or NAME=@FILE.npy");
    uint32_t index = position;
    if (at == 0)
      ++position;
    else
      for (index = 0; index < function.outputs.size(); ++index)
        if (function.outputs[index].name == text.substr(0, at - 1))
          break;
    if (index >= function.outputs.size())
      throw Error(FERRULE_INVALID_ARGUMENT, "--output=" + text + ": '" +
                                                function.name +
                                                "' has no such output");
    writeNpy(text.substr(at + 1), request.output(index));
  }
}

void run(const Options &options) {
  for (const std::string &path : options.plugins)
    check(ferrule_load_plugin(path.c_str()));
  Program program = Program::load(options.file, options.verify);
  if (options.describe)
    return describe(program);
  uint32_t index = program.find(options.function);
  FunctionInfo function = program.function(index);
  std::vector<Array> inputs =
      makeInputs(function, options.inputs, options.benchmark > 0);
  Session session(program, options.threads);
  Request request(session, index);
  for (uint32_t i = 0; i < inputs.size(); ++i)
    request.setInput(i, inputs[i].view());
  if (options.benchmark > 0)
    std::cout << benchmark(request, options.benchmark) << "\n";
  Profile profile;
  ferrule_run_options runOptions = profile.options();
  if (!options.profile.empty())
    request.run(); // The first run also touches fresh memory.
  profile.clear();
  request.run(options.profile.empty() ? nullptr : &runOptions);
  if (!options.profile.empty()) {
    profile.writeTrace(options.profile);
    std::cout << profile.summary();
  }
  writeOutputs(function, request, options.outputs);
  for (uint32_t i = 0; i < function.outputs.size(); ++i) {
    BufferView output = request.output(i);
    ValueInfo type = {"", output.type, output.dims, {}, -1};
    if (options.print)
      std::cout << function.outputs[i].name << ": " << type.text() << " = "
                << arrayText(output) << "\n";
    else if (options.outputs.empty() && options.benchmark == 0)
      std::cout << function.outputs[i].name << ": " << type.text() << "\n";
  }
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Runs a .byre program", "ferrule-run");
  app.add_option("file", options.file, "The .byre file")->required();
  app.add_option("--function", options.function,
                 "Function to run (main, or the only one)");
  app.add_option("--input", options.inputs,
                 "NAME=@FILE.npy, NAME=3x4xf32=1.5, NAME=3x4xf32=random, "
                 "NAME=random or @FILE.npy; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--output", options.outputs,
                 "@FILE.npy or NAME=@FILE.npy; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--load-plugin", options.plugins,
                 "A shared object that brings a device; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--threads", options.threads,
                 "Threads (0: all that the process may use)");
  app.add_option("--benchmark", options.benchmark,
                 "Measure for so many seconds; missing inputs are random")
      ->expected(0, 1)
      ->default_str("2");
  app.add_option("--profile", options.profile,
                 "Write a Chrome trace of one run and print a summary");
  app.add_flag("--verify", options.verify, "Compare checksums of weights too");
  app.add_flag("--print", options.print, "Print the outputs' values");
  app.add_flag("--describe", options.describe,
               "Print functions and metadata, and run nothing");
  CLI11_PARSE(app, argc, argv);
  try {
    run(options);
  } catch (const std::exception &error) {
    std::cerr << "ferrule-run: error: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
