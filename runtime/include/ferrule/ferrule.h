/* The C API of the Ferrule runtime: load a .byre program and run it.
 *
 *   ferrule_program  a loaded file             shared by sessions
 *   ferrule_session  threads, allocator        shared by requests
 *   ferrule_request  one run at a time         bindings and memory
 *
 * Functions return FERRULE_OK or why not; ferrule_error_message() then has the
 * details for the calling thread. Option structs start with their size, so that
 * later versions can append fields: set it with sizeof. Strings belong to the
 * object that gave them. Different requests may be used from different threads
 * at once, one request only from one at a time. A .byre file holds machine
 * code: load only files that you trust. */
#ifndef FERRULE_FERRULE_H
#define FERRULE_FERRULE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define FERRULE_API __attribute__((visibility("default")))
#else
#define FERRULE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ferrule_status {
  FERRULE_OK = 0,
  FERRULE_INVALID_ARGUMENT = 1, /* the call is wrong */
  FERRULE_NOT_FOUND = 2,        /* no file, function or value of that name */
  FERRULE_BAD_FILE = 3,         /* damaged, or not a .byre file */
  FERRULE_UNSUPPORTED = 4,      /* newer file, missing device or instructions */
  FERRULE_FAILED = 5,           /* the program failed: an assertion */
  FERRULE_OUT_OF_MEMORY = 6,
  FERRULE_INTERNAL = 7
} ferrule_status;

/* Numbers as in the file. Sub-byte types are packed, the first element in the
 * low bits; 6-bit floats take one byte each. */
typedef enum ferrule_element_type {
  FERRULE_NONE = 0,
  FERRULE_I1,
  FERRULE_I2,
  FERRULE_I4,
  FERRULE_I8,
  FERRULE_I16,
  FERRULE_I32,
  FERRULE_I64,
  FERRULE_U2,
  FERRULE_U4,
  FERRULE_U8,
  FERRULE_U16,
  FERRULE_U32,
  FERRULE_U64,
  FERRULE_F16,
  FERRULE_BF16,
  FERRULE_F32,
  FERRULE_F64,
  FERRULE_F8E3M4,
  FERRULE_F8E4M3,
  FERRULE_F8E4M3FN,
  FERRULE_F8E4M3FNUZ,
  FERRULE_F8E4M3B11FNUZ,
  FERRULE_F8E5M2,
  FERRULE_F8E5M2FNUZ,
  FERRULE_F8E8M0FNU,
  FERRULE_F4E2M1FN,
  FERRULE_F6E2M3FN,
  FERRULE_F6E3M2FN,
  FERRULE_C64,
  FERRULE_C128,
  FERRULE_STRING,
  FERRULE_TOKEN
} ferrule_element_type;

typedef struct ferrule_program ferrule_program;
typedef struct ferrule_session ferrule_session;
typedef struct ferrule_request ferrule_request;

/* Of the last call that failed on this thread. Valid until the next one. */
FERRULE_API const char *ferrule_error_message(void);
FERRULE_API const char *ferrule_version(void);
/* "f32", "ui8"; and bits of one stored element, 0 for strings and tokens. */
FERRULE_API const char *ferrule_element_type_name(ferrule_element_type type);
FERRULE_API uint32_t ferrule_element_type_bits(ferrule_element_type type);

/* ---- Programs */

typedef struct ferrule_load_options {
  size_t struct_size;
  int verify_weights; /* also compare the checksums of weights */
  int borrow_memory;  /* memory only: keep using it, aligned to 64 bytes */
} ferrule_load_options;

/* options may be NULL. */
FERRULE_API ferrule_status
ferrule_program_load_file(const char *path, const ferrule_load_options *options,
                          ferrule_program **program);
FERRULE_API ferrule_status ferrule_program_load_memory(
    const void *data, size_t size, const ferrule_load_options *options,
    ferrule_program **program);
/* Sessions keep what they need of the program. */
FERRULE_API void ferrule_program_free(ferrule_program *program);

typedef struct ferrule_function_info {
  size_t struct_size;
  const char *name;
  uint32_t input_count;
  uint32_t output_count;
  const char *input_nesting; /* as the compiler wrote them; may be empty */
  const char *output_nesting;
} ferrule_function_info;

typedef struct ferrule_value_info {
  size_t struct_size;
  const char *name;
  ferrule_element_type element_type;
  uint32_t rank;
  const int64_t *dims;                /* -1: known at run time only */
  const char *const *dim_expressions; /* rank strings, "" = none; or NULL */
  int32_t alias_input;                /* outputs: or -1 */
} ferrule_value_info;

/* The file's bytes, for saving it again. */
FERRULE_API const void *ferrule_program_data(const ferrule_program *program,
                                             size_t *size);
FERRULE_API uint32_t
ferrule_program_function_count(const ferrule_program *program);
FERRULE_API ferrule_status
ferrule_program_function_info(const ferrule_program *program, uint32_t function,
                              ferrule_function_info *info);
FERRULE_API ferrule_status
ferrule_program_input_info(const ferrule_program *program, uint32_t function,
                           uint32_t index, ferrule_value_info *info);
FERRULE_API ferrule_status
ferrule_program_output_info(const ferrule_program *program, uint32_t function,
                            uint32_t index, ferrule_value_info *info);
/* name NULL: "main", or the only function. */
FERRULE_API ferrule_status ferrule_program_find_function(
    const ferrule_program *program, const char *name, uint32_t *function);
FERRULE_API uint32_t
ferrule_program_metadata_count(const ferrule_program *program);
FERRULE_API ferrule_status
ferrule_program_metadata(const ferrule_program *program, uint32_t index,
                         const char **key, const char **value);

/* ---- Sessions */

typedef struct ferrule_allocator {
  void *context;
  void *(*allocate)(void *context, size_t size, size_t alignment);
  void (*free)(void *context, void *memory, size_t size);
} ferrule_allocator;

typedef struct ferrule_session_options {
  size_t struct_size;
  uint32_t threads;                   /* 0: all that this process may use */
  const ferrule_allocator *allocator; /* NULL: the C library's */
} ferrule_session_options;

FERRULE_API ferrule_status ferrule_session_create(
    const ferrule_program *program, const ferrule_session_options *options,
    ferrule_session **session);
FERRULE_API uint32_t ferrule_session_threads(const ferrule_session *session);
/* Requests keep what they need of the session. */
FERRULE_API void ferrule_session_free(ferrule_session *session);

/* ---- Buffers and providers */

typedef struct ferrule_buffer {
  size_t struct_size;
  void *data;
  ferrule_element_type element_type;
  uint32_t rank;
  const int64_t *dims;
  const int64_t *strides; /* in elements; NULL: contiguous, row-major */
} ferrule_buffer;

typedef struct ferrule_provider_call {
  size_t struct_size;
  const char *name;
  const char *attributes; /* JSON object, or "" */
  uint32_t buffer_count;
  const ferrule_buffer *buffers;
  uint32_t first_output; /* buffers from here on may be written */
  uint32_t scalar_count;
  const int64_t *scalars; /* slots as in kernel_abi.h */
  uint32_t threads;
} ferrule_provider_call;

/* Returns NULL, or an error message that lives until the thread's next call. */
typedef const char *(*ferrule_provider_fn)(void *context,
                                           const ferrule_provider_call *call);

/* Offers the operation `name` to all programs of the process: a custom_call of
 * that name in the source of a program calls it. A name that exists gets the new
 * function. The function is called from the threads that run requests, several
 * at a time. */
FERRULE_API ferrule_status ferrule_register_provider(
    const char *name, ferrule_provider_fn function, void *context);
/* The same for the session's programs alone, which goes before. Call it before
 * the first request is made. */
FERRULE_API ferrule_status
ferrule_session_add_provider(ferrule_session *session, const char *name,
                             ferrule_provider_fn function, void *context);

/* ---- Requests */

FERRULE_API ferrule_status ferrule_request_create(ferrule_session *session,
                                                  uint32_t function,
                                                  ferrule_request **request);
FERRULE_API void ferrule_request_free(ferrule_request *request);

/* Memory is read while running and must live until then. Not contiguous inputs
 * are copied at each run. */
FERRULE_API ferrule_status ferrule_request_set_input(
    ferrule_request *request, uint32_t index, const ferrule_buffer *buffer);
/* Results are written there; without it the request owns their memory. buffer
 * NULL: no longer. */
FERRULE_API ferrule_status ferrule_request_set_output(
    ferrule_request *request, uint32_t index, const ferrule_buffer *buffer);

/* The same by DLPack; the tensor stays the caller's, who deletes it after the
 * run. CPU memory only. */
struct DLManagedTensor;
FERRULE_API ferrule_status
ferrule_request_set_input_dlpack(ferrule_request *request, uint32_t index,
                                 const struct DLManagedTensor *tensor);
FERRULE_API ferrule_status
ferrule_request_set_output_dlpack(ferrule_request *request, uint32_t index,
                                  const struct DLManagedTensor *tensor);

typedef struct ferrule_profile_event {
  size_t struct_size;
  const char *name; /* of the kernel; not zero-terminated beyond name_size */
  size_t name_size;
  const char *layer;
  size_t layer_size;
  uint64_t start_ns; /* of the monotonic clock */
  uint64_t duration_ns;
  uint32_t workgroups;
  uint32_t threads;
  const char *operations; /* fused in the kernel, "contraction + add" */
  size_t operations_size;
  int64_t flops; /* floating-point operations of this launch; -1: not known */
  int64_t bytes; /* least traffic to memory, each buffer once; -1: not known */
} ferrule_profile_event;

typedef struct ferrule_run_options {
  size_t struct_size;
  void (*profile)(void *context, const ferrule_profile_event *event);
  void *profile_context;
} ferrule_run_options;

/* Runs and returns when the results are there. options may be NULL. */
FERRULE_API ferrule_status ferrule_request_run(
    ferrule_request *request, const ferrule_run_options *options);

/* Runs requests as the processes of one program, each on a thread of its own:
 * request i is partition i % partitions of replica i / partitions. Collective
 * operations are among them. Returns when all have ended; when one fails, or
 * waits for a process that cannot come any more, all end with its error. */
FERRULE_API ferrule_status ferrule_requests_run_together(
    ferrule_request *const *requests, uint32_t count, uint32_t replicas,
    uint32_t partitions);

/* After a run: type, sizes and memory, valid until the request's next run. */
FERRULE_API ferrule_status ferrule_request_output(
    const ferrule_request *request, uint32_t index, ferrule_buffer *buffer);

/* Moves an output's memory out of the request; release(memory) frees it. Fails
 * for outputs that lie in the caller's memory. */
typedef struct ferrule_memory ferrule_memory;
FERRULE_API ferrule_status ferrule_request_take_output(ferrule_request *request,
                                                       uint32_t index,
                                                       ferrule_buffer *buffer,
                                                       ferrule_memory **memory);
FERRULE_API void ferrule_memory_free(ferrule_memory *memory);

#ifdef __cplusplus
}
#endif

#endif /* FERRULE_FERRULE_H */
