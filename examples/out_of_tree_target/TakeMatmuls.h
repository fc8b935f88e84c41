// Gives matrix products to the Acme device.
#ifndef ACME_TAKEMATMULS_H
#define ACME_TAKEMATMULS_H

#include "mlir/Pass/Pass.h"

namespace acme {

/// Replaces row-major f32 matrix products by calls of "acme.matmul", which the
/// device offers to the runtime. Runs on the linalg stage before contractions
/// are packed for the CPU; what it leaves stays the CPU's.
std::unique_ptr<mlir::Pass> createTakeMatmuls();

} // namespace acme

#endif // ACME_TAKEMATMULS_H
