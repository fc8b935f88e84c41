/* The driver of the Acme device, a plug-in of the runtime. In this example the
 * device is simulated on the host. Checks are left out where the compiler of
 * this folder is the only writer of images. */
#include "ferrule/device.h"
#include "acme_code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxLoops = 16, kMaxStack = 64, kMaxOperands = 32 };

typedef struct program {
  const char *image;
  uint64_t *offsets;
} program;

typedef struct operand {
  float *data;
  int32_t rank;
  int64_t sizes[kMaxLoops];
  const int32_t *factors; /* rank rows of loops + 1 numbers */
} operand;

typedef struct kernel {
  const ferrule_device_launch *launch;
  const int32_t *word; /* where reading goes on */
  float **temporaries;
} kernel;

static int64_t read_size(kernel *k) {
  switch (*k->word++) {
  case ACME_KNOWN:
    return *k->word++;
  case ACME_DIM:
    k->word += 2;
    return k->launch->buffers[k->word[-2]].dims[k->word[-1]];
  default:
    return k->launch->scalars[*k->word++];
  }
}

static int64_t address(const operand *o, const int64_t *point, int loops) {
  int64_t index = 0;
  for (int d = 0; d < o->rank; ++d) {
    const int32_t *factors = o->factors + d * (loops + 1);
    int64_t position = factors[loops];
    for (int i = 0; i < loops; ++i)
      position += factors[i] * point[i];
    index = index * o->sizes[d] + position;
  }
  return index;
}

static float compute(const int32_t *code, const operand *operands,
                     const int64_t *point, int loops) {
  float stack[kMaxStack];
  int top = -1;
  for (;;) {
    float t = top >= 0 ? stack[top] : 0, s = top >= 1 ? stack[top - 1] : 0;
    int op = *code++;
    if (op >= ACME_ADD && op <= ACME_MIN)
      --top;
    switch (op) {
    case ACME_OPERAND: {
      const operand *o = &operands[*code++];
      stack[++top] = o->data[address(o, point, loops)];
      break;
    }
    case ACME_CONST:
      memcpy(&stack[++top], code++, sizeof(float));
      break;
    case ACME_ADD:
      stack[top] = s + t;
      break;
    case ACME_SUB:
      stack[top] = s - t;
      break;
    case ACME_MUL:
      stack[top] = s * t;
      break;
    case ACME_DIV:
      stack[top] = s / t;
      break;
    case ACME_MAX:
      stack[top] = isnan(s) || s > t ? s : t;
      break;
    case ACME_MIN:
      stack[top] = isnan(s) || s < t ? s : t;
      break;
    case ACME_NEG:
      stack[top] = -t;
      break;
    case ACME_EXP:
      stack[top] = expf(t);
      break;
    case ACME_TANH:
      stack[top] = tanhf(t);
      break;
    case ACME_SQRT:
      stack[top] = sqrtf(t);
      break;
    default:
      return t;
    }
  }
}

/* Runs one command and leaves k->word behind it. */
static void run_command(kernel *k) {
  int64_t sizes[kMaxLoops], point[kMaxLoops] = {0}, points = 1;
  int loops = *k->word++;
  for (int i = 0; i < loops; ++i)
    points *= sizes[i] = read_size(k);
  operand operands[kMaxOperands];
  int count = *k->word++;
  for (int i = 0; i < count; ++i) {
    operand *o = &operands[i];
    uint32_t memory = (uint32_t)*k->word++;
    o->data = memory < k->launch->buffer_count
                  ? (float *)k->launch->buffers[memory].data
                  : k->temporaries[memory - k->launch->buffer_count];
    o->rank = *k->word++;
    for (int d = 0; d < o->rank; ++d)
      o->sizes[d] = read_size(k);
    o->factors = k->word;
    k->word += o->rank * (loops + 1);
  }
  int words = *k->word++;
  const operand *result = &operands[count - 1];
  for (int64_t n = 0; n < points; ++n) {
    float value = compute(k->word, operands, point, loops);
    result->data[address(result, point, loops)] = value;
    for (int i = loops; i-- > 0 && ++point[i] == sizes[i];)
      point[i] = 0;
  }
  k->word += words;
}

static const char *launch(void *context, void *loaded,
                          ferrule_device_launch *launch) {
  const program *p = loaded;
  (void)context;
  if (p->offsets[launch->kernel] == 0)
    return "the image has no such kernel";
  kernel k = {launch, (const int32_t *)(p->image + p->offsets[launch->kernel]),
              NULL};
  ++k.word;
  int count = *k.word++;
  k.temporaries = calloc((size_t)count + 1, sizeof(float *));
  for (int i = 0; i < count; ++i) {
    int64_t elements = 1;
    for (int rank = *k.word++; rank > 0; --rank)
      elements *= read_size(&k);
    k.temporaries[i] = malloc((size_t)elements * sizeof(float) + 1);
  }
  for (int commands = *k.word++; commands > 0; --commands)
    run_command(&k);
  for (int i = 0; i < count; ++i)
    free(k.temporaries[i]);
  free(k.temporaries);
  return NULL;
}

static const char *load(void *context, const ferrule_device_program *info,
                        void **result) {
  (void)context;
  const ferrule_device_image *image = &info->images[0];
  if (image->size < 4 || memcmp(image->data, "ACME", 4) != 0)
    return "the image is not for this device";
  for (uint32_t i = 0; i < info->kernel_count; ++i)
    if (image->offsets[i] % 4 != 0 || image->offsets[i] >= image->size)
      return "a kernel lies outside the image";
  program *made = malloc(sizeof *made);
  made->image = image->data;
  made->offsets = malloc(sizeof(uint64_t) * (info->kernel_count + 1));
  memcpy(made->offsets, image->offsets, sizeof(uint64_t) * info->kernel_count);
  *result = made;
  return NULL;
}

static void unload(void *context, void *loaded) {
  program *p = loaded;
  (void)context;
  free(p->offsets);
  free(p);
}

/* A real device would hand out memory that it reaches too. */
static void *allocate(void *context, size_t size, size_t alignment) {
  (void)context;
  return aligned_alloc(alignment,
                       (size + alignment - 1) / alignment * alignment);
}

static void release(void *context, void *memory, size_t size) {
  (void)context;
  (void)size;
  free(memory);
}

__attribute__((visibility("default"))) const char *
ferrule_device_plugin(const ferrule_plugin_host *host) {
  static const ferrule_device device = {
      sizeof device, "acme", NULL, load, unload, launch, allocate, release};
  if (host->version < FERRULE_DEVICE_API_VERSION)
    return "the runtime is too old";
  return host->register_device(&device);
}
