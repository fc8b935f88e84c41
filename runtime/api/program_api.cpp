// The parts of the C API that load and describe programs.
#include "runtime/api/handles.h"

using namespace ferrule;
using namespace ferrule::runtime;
using namespace ferrule::runtime::api;

static_assert(FERRULE_TOKEN == static_cast<int>(format::ElementType::Token));
static_assert(FERRULE_F32 == static_cast<int>(format::ElementType::F32));
static_assert(FERRULE_C64 == static_cast<int>(format::ElementType::C64));
static_assert(FERRULE_INTERNAL == static_cast<int>(Code::Internal));

static thread_local std::string lastError;

ferrule_status ferrule::runtime::api::report(const Status &status) {
  if (!status.ok())
    lastError = status.message();
  return static_cast<ferrule_status>(status.code());
}

const char *ferrule_error_message(void) { return lastError.c_str(); }
const char *ferrule_version(void) { return FERRULE_VERSION; }

const char *ferrule_element_type_name(ferrule_element_type type) {
  return format::elementTypeName(static_cast<format::ElementType>(type)).data();
}

uint32_t ferrule_element_type_bits(ferrule_element_type type) {
  return format::bitWidth(static_cast<format::ElementType>(type));
}

static ferrule_status finishLoad(std::shared_ptr<const ProgramFile> file,
                                 ferrule_program **program) {
  auto result = std::make_unique<ferrule_program>();
  Status status = Program::load(std::move(file), result->program);
  if (!status.ok())
    return report(status);
  const auto &functions = result->program->functions();
  for (uint32_t i = 0; i < functions.size(); ++i)
    if (functions[i].source->exported())
      result->functions.push_back(i);
  for (uint32_t i : result->functions) {
    auto &texts = result->dimTexts.emplace_back();
    auto add = [&](auto *values) {
      for (uint32_t v = 0; values && v < values->size(); ++v) {
        auto &dims = texts.emplace_back();
        const auto *expressions = values->Get(v)->dim_expressions();
        for (uint32_t d = 0; expressions && d < expressions->size(); ++d)
          dims.push_back(expressions->Get(d)->c_str());
      }
    };
    add(functions[i].source->inputs());
    add(functions[i].source->outputs());
  }
  *program = result.release();
  return FERRULE_OK;
}

static ProgramFile::Options loadOptions(const ferrule_load_options *options) {
  auto read = readStruct(options);
  return {read.verify_weights != 0, read.borrow_memory != 0};
}

ferrule_status ferrule_program_load_file(const char *path,
                                         const ferrule_load_options *options,
                                         ferrule_program **program) {
  if (!path || !program)
    return report(invalidArgument("path or program is NULL"));
  std::shared_ptr<const ProgramFile> file;
  Status status = ProgramFile::openFile(path, loadOptions(options), file);
  return status.ok() ? finishLoad(std::move(file), program) : report(status);
}

ferrule_status ferrule_program_load_memory(const void *data, size_t size,
                                           const ferrule_load_options *options,
                                           ferrule_program **program) {
  if (!data || !program)
    return report(invalidArgument("data or program is NULL"));
  std::shared_ptr<const ProgramFile> file;
  Status status =
      ProgramFile::openMemory(data, size, loadOptions(options), file);
  return status.ok() ? finishLoad(std::move(file), program) : report(status);
}

void ferrule_program_free(ferrule_program *program) { delete program; }

const void *ferrule_program_data(const ferrule_program *program, size_t *size) {
  *size = program->program->file().size();
  return program->program->file().data();
}

uint32_t ferrule_program_function_count(const ferrule_program *program) {
  return static_cast<uint32_t>(program->functions.size());
}

static const char *orEmpty(const flatbuffers::String *string) {
  return string ? string->c_str() : "";
}

ferrule_status ferrule_program_function_info(const ferrule_program *program,
                                             uint32_t function,
                                             ferrule_function_info *info) {
  if (function >= program->functions.size())
    return report(invalidArgument("function " + std::to_string(function) +
                                  " does not exist"));
  const DecodedFunction &decoded =
      program->program->functions()[program->functions[function]];
  fillStruct(info,
             {0, decoded.name.c_str(), decoded.inputCount(),
              decoded.outputCount(), orEmpty(decoded.source->input_nesting()),
              orEmpty(decoded.source->output_nesting())});
  return FERRULE_OK;
}

static ferrule_status valueInfo(const ferrule_program *program,
                                uint32_t function, uint32_t index, bool output,
                                ferrule_value_info *info) {
  if (function >= program->functions.size())
    return report(invalidArgument("function " + std::to_string(function) +
                                  " does not exist"));
  const DecodedFunction &decoded =
      program->program->functions()[program->functions[function]];
  uint32_t count = output ? decoded.outputCount() : decoded.inputCount();
  if (index >= count)
    return report(invalidArgument(std::string(output ? "output " : "input ") +
                                  std::to_string(index) + " does not exist, '" +
                                  decoded.name + "' has " +
                                  std::to_string(count)));
  const format::Value &value = output ? *decoded.source->outputs()->Get(index)
                                      : *decoded.source->inputs()->Get(index);
  auto dims = format::dimsOf(value.dims());
  const auto &texts =
      program
          ->dimTexts[function][output ? decoded.inputCount() + index : index];
  fillStruct(info,
             {0, value.name()->c_str(),
              static_cast<ferrule_element_type>(value.element_type()),
              static_cast<uint32_t>(dims.size()), dims.data(),
              texts.empty() ? nullptr : texts.data(), value.alias_input()});
  return FERRULE_OK;
}

ferrule_status ferrule_program_input_info(const ferrule_program *program,
                                          uint32_t function, uint32_t index,
                                          ferrule_value_info *info) {
  return valueInfo(program, function, index, false, info);
}

ferrule_status ferrule_program_output_info(const ferrule_program *program,
                                           uint32_t function, uint32_t index,
                                           ferrule_value_info *info) {
  return valueInfo(program, function, index, true, info);
}

ferrule_status ferrule_program_find_function(const ferrule_program *program,
                                             const char *name,
                                             uint32_t *function) {
  const DecodedFunction *found = program->program->find(name ? name : "");
  const auto &all = program->program->functions();
  for (uint32_t i = 0; found && i < program->functions.size(); ++i)
    if (&all[program->functions[i]] == found) {
      *function = i;
      return FERRULE_OK;
    }
  std::string names;
  for (uint32_t i : program->functions)
    names += " '" + all[i].name + "'";
  return report({Code::NotFound,
                 "no function '" + std::string(name ? name : "main") +
                     "', the program has" + (names.empty() ? " none" : names)});
}

uint32_t ferrule_program_metadata_count(const ferrule_program *program) {
  const auto *metadata = program->program->source().metadata();
  return metadata ? metadata->size() : 0;
}

ferrule_status ferrule_program_metadata(const ferrule_program *program,
                                        uint32_t index, const char **key,
                                        const char **value) {
  if (index >= ferrule_program_metadata_count(program))
    return report(invalidArgument("metadata " + std::to_string(index) +
                                  " does not exist"));
  const auto *entry = program->program->source().metadata()->Get(index);
  *key = entry->key()->c_str();
  *value = entry->value()->c_str();
  return FERRULE_OK;
}
