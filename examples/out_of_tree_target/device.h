// The driver of the Acme device: in this example it computes on the host.
#ifndef ACME_DEVICE_H
#define ACME_DEVICE_H

#include "ferrule/ferrule.h"

#include <cstdint>

namespace acme {

struct Device {
  uint64_t products = 0; ///< How many it computed.
};

/// The provider of "acme.matmul"; `context` is a Device.
const char *matmul(void *context, const ferrule_provider_call *call);

} // namespace acme

#endif // ACME_DEVICE_H
