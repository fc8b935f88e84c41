/* compile_and_run MODEL OUTPUT: uses the C API of the compiler in every way,
 * strictly as C11, and runs what it compiled. Prints what it found. */
#include <ferrule/compiler.h>
#include <ferrule/ferrule.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int lines, errors;

static void count_line(void *context, const char *line) {
  ++*(int *)context;
  if (strlen(line) == 0)
    exit(3);
}

static void diagnose(void *context, const ferrule_diagnostic *diagnostic) {
  if (diagnostic->severity == FERRULE_ERROR)
    printf("%s error at %s: %s\n", (const char *)context,
           diagnostic->location, diagnostic->message);
  ++errors;
}

static void expect(int good, const char *what, const ferrule_compiler *c) {
  if (good)
    return;
  fprintf(stderr, "%s: %s\n", what, ferrule_compiler_error_message(c));
  exit(1);
}

/* Runs y = f(x) on x = 0, 1, 2, ... with a leading dim of 3. */
static void run(const void *data, size_t size) {
  ferrule_load_options load = {sizeof load, 0, 1};
  ferrule_program *program;
  ferrule_session *session;
  ferrule_request *request;
  if (ferrule_program_load_memory(data, size, &load, &program) ||
      ferrule_session_create(program, NULL, &session) ||
      ferrule_request_create(session, 0, &request)) {
    fprintf(stderr, "%s\n", ferrule_error_message());
    exit(1);
  }
  float x[6] = {0, 1, 2, 3, 4, 5};
  const int64_t dims[2] = {3, 2};
  ferrule_buffer input = {sizeof input, x, FERRULE_F32, 2, dims, NULL};
  ferrule_buffer output = {.struct_size = sizeof output};
  if (ferrule_request_set_input(request, 0, &input) ||
      ferrule_request_run(request, NULL) ||
      ferrule_request_output(request, 0, &output)) {
    fprintf(stderr, "%s\n", ferrule_error_message());
    exit(1);
  }
  printf("values");
  for (int i = 0; i < output.dims[0]; ++i)
    printf(" %g", ((const float *)output.data)[i]);
  printf("\n");
  ferrule_request_free(request);
  ferrule_session_free(session);
  ferrule_program_free(program);
}

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file)
    exit(4);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size);
  if (fread(bytes, 1, *size, file) != *size)
    exit(5);
  fclose(file);
  return bytes;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  char *targets = ferrule_compiler_targets();
  printf("version %s, targets %s\n", ferrule_compiler_version(), targets);
  ferrule_string_free(targets);

  ferrule_compiler *c = ferrule_compiler_create();
  expect(ferrule_compiler_error_message(c)[0] == 0, "a new compiler", c);
  ferrule_compiler_set_log(c, count_line, &lines);
  ferrule_compiler_set_diagnostic_handler(c, diagnose, "first");
  expect(!ferrule_compiler_set_option(c, "target-cpu", "x86-64-v3"), "cpu", c);
  expect(!ferrule_compiler_compile_file(c, argv[1], argv[2]), "file", c);
  printf("stages %d\n", lines);
  ferrule_compiler_set_log(c, NULL, NULL);

  /* The file, the result of a file and the result of memory are the same. */
  size_t size, file_size, other_size, model_size;
  char *file = read_file(argv[2], &file_size);
  char *model = read_file(argv[1], &model_size);
  ferrule_artifact *first, *second;
  expect(!ferrule_compiler_compile_to_memory(c, argv[1], &first), "to", c);
  expect(!ferrule_compiler_compile_memory(c, model, model_size, argv[1],
                                          &second),
         "memory", c);
  const void *data = ferrule_artifact_data(first, &size);
  const void *other = ferrule_artifact_data(second, &other_size);
  printf("equal %d %d\n", size == file_size && !memcmp(data, file, size),
         other_size == size && !memcmp(data, other, size));
  run(data, size);
  ferrule_artifact_free(first);
  ferrule_artifact_free(second);

  /* Another target, and a stage on the way. */
  expect(!ferrule_compiler_set_option(c, "target", "reference"), "target", c);
  expect(!ferrule_compiler_compile_to_memory(c, argv[1], &first), "ref", c);
  data = ferrule_artifact_data(first, &size);
  run(data, size);
  ferrule_artifact_free(first);
  ferrule_compiler_set_option(c, "compile-to", "linalg");
  ferrule_compiler_set_option(c, "text", "1");
  expect(!ferrule_compiler_compile_to_memory(c, argv[1], &first), "text", c);
  printf("text %d\n",
         strstr(ferrule_artifact_data(first, NULL), "linalg.") != NULL);
  ferrule_artifact_free(first);

  /* What is wrong is said. */
  ferrule_compiler_set_diagnostic_handler(c, diagnose, "second");
  errors = 0;
  int status = ferrule_compiler_compile_memory(c, "func.func @main(", 16,
                                               "bad.mlir", &first);
  printf("bad %d %d %d\n", status, errors > 0, first == NULL);
  printf("%s\n", ferrule_compiler_error_message(c));
  const char *options[][2] = {{"speed", "9"},
                              {"opt-level", "x"},
                              {"input-shape", "x"},
                              {"compile-to", "none"},
                              {"target-option", "x"}};
  for (size_t i = 0; i < sizeof options / sizeof options[0]; ++i) {
    status = ferrule_compiler_set_option(c, options[i][0], options[i][1]);
    printf("%d %s\n", status, ferrule_compiler_error_message(c));
  }
  status = ferrule_compiler_load_plugin(c, "/none.so");
  printf("%d %s\n", status, ferrule_compiler_error_message(c));
  ferrule_compiler_free(c);
  ferrule_compiler_free(NULL);
  free(file);
  free(model);
  return 0;
}
