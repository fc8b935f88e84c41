// The layout of DLPack's structs, which is fixed by its specification.
#ifndef FERRULE_API_DLPACK_H
#define FERRULE_API_DLPACK_H

#include <cstdint>

extern "C" {

struct DLDevice {
  int32_t device_type; ///< 1: CPU.
  int32_t device_id;
};

struct DLDataType {
  uint8_t code; ///< 0 int, 1 uint, 2 float, 4 bfloat, 5 complex, 6 bool.
  uint8_t bits;
  uint16_t lanes;
};

struct DLTensor {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
};

struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(DLManagedTensor *self);
};
}

#endif // FERRULE_API_DLPACK_H
