// RUN: not ferrule-translate %S/Inputs/future-2.0.0.mlirbc 2>&1 | FileCheck %s --check-prefix=FUTURE
// RUN: not ferrule-translate %S/Inputs/truncated.mlirbc 2>&1 | FileCheck %s --check-prefix=TRUNCATED
// RUN: not ferrule-translate %S/Inputs/unknown-operation.mlirbc 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// FUTURE: error: found a portable artifact of StableHLO_v2.0.0, expected a version from 0.9.0 to 1.x
// TRUNCATED: error: cannot read the portable artifact of StableHLO_v1.0.0
// UNKNOWN: error: found operation 'vhlo.whale_v7' in a portable artifact of StableHLO_v1.0.0, expected one of version 1.20.0 or older
