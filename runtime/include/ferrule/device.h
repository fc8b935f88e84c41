/* Devices from outside: what runs the images of a target of your own. A plug-in
 * may bring providers as well, or only them.
 *
 * A plug-in is a shared object that exports ferrule_device_plugin. It needs no
 * library of Ferrule: all it calls comes with `host`.
 *
 *   const char *ferrule_device_plugin(const ferrule_plugin_host *host) {
 *     static const ferrule_device device = {sizeof device, "acme", ...};
 *     return host->register_device(&device);
 *   }
 *
 * Functions return NULL, or an error message that lives until the thread's next
 * call. They may be called from several threads at once. */
#ifndef FERRULE_DEVICE_H
#define FERRULE_DEVICE_H

#include "ferrule.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FERRULE_DEVICE_API_VERSION 1u

/* What the compiler wrote for one kind of the device. */
typedef struct ferrule_device_image {
  size_t struct_size;
  const char *target;          /* the device's name */
  const char *cpu;             /* which kind, for people; may be "" */
  const char *const *features; /* what must be there */
  uint32_t feature_count;
  const void *data; /* lives as long as the loaded program */
  size_t size;
  const uint64_t *offsets; /* of each kernel in data; 0: not in this image */
  const uint64_t *scratch; /* bytes that one worker of each kernel needs */
} ferrule_device_image;

typedef struct ferrule_device_program {
  size_t struct_size;
  uint32_t kernel_count;
  const char *const *kernel_names;
  uint32_t image_count; /* those for this device, the most demanding first */
  const ferrule_device_image *images;
} ferrule_device_program;

typedef struct ferrule_device_launch {
  size_t struct_size;
  uint32_t kernel;     /* index as in the images */
  uint32_t workgroups; /* not 0; they may run in any order or at once */
  uint32_t buffer_count;
  const ferrule_buffer *buffers; /* inputs, then outs; contiguous */
  uint32_t scalar_count;
  const int64_t *scalars; /* slots as in kernel_abi.h */
  uint32_t threads;       /* how many of the host's may be used */
  int32_t assertion; /* to set: 1-based number of an assertion that failed */
} ferrule_device_launch;

typedef struct ferrule_device {
  size_t struct_size;
  const char *name; /* the target's device(), "acme" */
  void *context;    /* first argument of all functions */
  /* Picks an image that this machine can run and makes it ready. */
  const char *(*load)(void *context, const ferrule_device_program *info,
                      void **program);
  void (*unload)(void *context, void *program);
  /* Returns when the results are there. */
  const char *(*launch)(void *context, void *program,
                        ferrule_device_launch *launch);
  /* Memory that host and device both reach, for the intermediate values and
   * results of programs with this device. NULL: the host's will do. */
  void *(*allocate)(void *context, size_t size, size_t alignment);
  void (*release)(void *context, void *memory, size_t size);
} ferrule_device;

typedef struct ferrule_plugin_host {
  size_t struct_size;
  uint32_t version; /* FERRULE_DEVICE_API_VERSION of the runtime */
  /* Copies *device. Devices live as long as the process. */
  const char *(*register_device)(const ferrule_device *device);
  /* ferrule_register_provider. Here if struct_size says so. */
  const char *(*register_provider)(const char *name,
                                   ferrule_provider_fn function, void *context);
} ferrule_plugin_host;

typedef const char *(*ferrule_device_plugin_fn)(
    const ferrule_plugin_host *host);

/* For programs that bring their device along instead of loading it. */
FERRULE_API ferrule_status
ferrule_register_device(const ferrule_device *device);

/* Loads a plug-in's shared object and lets it register its devices. Loading it
 * again does nothing. */
FERRULE_API ferrule_status ferrule_load_plugin(const char *path);

#ifdef __cplusplus
}
#endif

#endif /* FERRULE_DEVICE_H */
