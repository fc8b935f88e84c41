/* The C API of the Ferrule compiler, in libferrule_compiler.so: models in,
 * .byre programs out. ferrule/ferrule.h, whose functions the same library has,
 * runs them.
 *
 *   ferrule_compiler *compiler = ferrule_compiler_create();
 *   ferrule_compiler_set_option(compiler, "target-cpu", "x86-64-v3");
 *   if (ferrule_compiler_compile_file(compiler, "m.onnx", "m.byre"))
 *     puts(ferrule_compiler_error_message(compiler));
 *   ferrule_compiler_free(compiler);
 *
 * A compiler holds options and the last error, no models; use one from one
 * thread at a time, different ones at once. Functions return 0, or not 0 with
 * an error message; none throws. */
#ifndef FERRULE_COMPILER_H
#define FERRULE_COMPILER_H

#include <stddef.h>

#if defined(__GNUC__)
#define FERRULE_COMPILER_API __attribute__((visibility("default")))
#else
#define FERRULE_COMPILER_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ferrule_compiler ferrule_compiler;
/* What was compiled, in memory. */
typedef struct ferrule_artifact ferrule_artifact;

typedef enum ferrule_severity {
  FERRULE_NOTE = 0, /* belongs to the diagnostic before it */
  FERRULE_REMARK = 1,
  FERRULE_WARNING = 2,
  FERRULE_ERROR = 3
} ferrule_severity;

typedef struct ferrule_diagnostic {
  size_t struct_size;
  ferrule_severity severity;
  const char *message;
  const char *location; /* "model.py:12:3 (layer1)"; "" when unknown */
} ferrule_diagnostic;

/* Strings live until the function returns. */
typedef void (*ferrule_diagnostic_fn)(void *context,
                                      const ferrule_diagnostic *diagnostic);
/* A line for each stage with its time. */
typedef void (*ferrule_log_fn)(void *context, const char *line);

FERRULE_COMPILER_API const char *ferrule_compiler_version(void);
/* "cpu, reference" and those of plug-ins. Free it with ferrule_string_free. */
FERRULE_COMPILER_API char *ferrule_compiler_targets(void);
FERRULE_COMPILER_API void ferrule_string_free(char *string);

FERRULE_COMPILER_API ferrule_compiler *ferrule_compiler_create(void);
FERRULE_COMPILER_API void ferrule_compiler_free(ferrule_compiler *compiler);

/* Names and values are those of ferrule-compile's options: target, target-cpu,
 * target-option, input-shape, opt-level, compile-to, dump-ir, compile-threads;
 * further "text": 1 for MLIR text where compile-to is no program. Options that
 * ferrule-compile takes several times add up. */
FERRULE_COMPILER_API int ferrule_compiler_set_option(ferrule_compiler *compiler,
                                                     const char *name,
                                                     const char *value);
/* For all compilers of the process. */
FERRULE_COMPILER_API int
ferrule_compiler_load_plugin(ferrule_compiler *compiler, const char *path);
/* NULL: none; errors are in ferrule_compiler_error_message in any case. */
FERRULE_COMPILER_API void ferrule_compiler_set_diagnostic_handler(
    ferrule_compiler *compiler, ferrule_diagnostic_fn handler, void *context);
FERRULE_COMPILER_API void ferrule_compiler_set_log(ferrule_compiler *compiler,
                                                   ferrule_log_fn log,
                                                   void *context);

/* The model is told by its content: MLIR text or bytecode, a StableHLO portable
 * artifact, ONNX. The output is written under a temporary name, then renamed.
 */
FERRULE_COMPILER_API int
ferrule_compiler_compile_file(ferrule_compiler *compiler, const char *model,
                              const char *output);
/* From memory, which is copied, to memory. `name` stands for the file in
 * messages; external data of ONNX models is not found. */
FERRULE_COMPILER_API int
ferrule_compiler_compile_memory(ferrule_compiler *compiler, const void *model,
                                size_t size, const char *name,
                                ferrule_artifact **artifact);
/* From a file to memory. */
FERRULE_COMPILER_API int ferrule_compiler_compile_to_memory(
    ferrule_compiler *compiler, const char *model, ferrule_artifact **artifact);

/* Aligned to 64 bytes, as ferrule_program_load_memory may borrow it. */
FERRULE_COMPILER_API const void *
ferrule_artifact_data(const ferrule_artifact *artifact, size_t *size);
FERRULE_COMPILER_API void ferrule_artifact_free(ferrule_artifact *artifact);

/* Of the last call that failed; "" when none has. */
FERRULE_COMPILER_API const char *
ferrule_compiler_error_message(const ferrule_compiler *compiler);

#ifdef __cplusplus
}
#endif

#endif /* FERRULE_COMPILER_H */
