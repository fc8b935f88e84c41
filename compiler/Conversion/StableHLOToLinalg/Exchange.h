// How collective operations of StableHLO are called in the runtime
// (runtime/executor/exchange.h).
#ifndef FERRULE_CONVERSION_STABLEHLOTOLINALG_EXCHANGE_H
#define FERRULE_CONVERSION_STABLEHLOTOLINALG_EXCHANGE_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/IR/PatternMatch.h"
#include "runtime/format/exchange_codes.h"

namespace ferrule::lowering {

using format::ExchangeKind;
using format::GroupMode;

/// Who takes part in a collective operation.
struct Participants {
  GroupMode mode;
  /// A matrix of i64, a group a row.
  mlir::DenseIntElementsAttr groups;
  /// Processes of the largest group.
  int64_t count;
  /// All groups have that many.
  bool equal;
  /// Nobody exchanges anything, whatever the number of processes.
  bool alone;
};

/// Reads an operation's groups (its pairs, of a collective_permute), channel
/// and flags. Emits an error and fails where no number of processes is known.
mlir::FailureOr<Participants> participantsOf(mlir::Operation *op);

/// An exchange on StableHLO's types: a custom call that becomes a call of the
/// runtime. `types`: the results', then tensor<2xi32> for this process's place
/// where the kind has it.
mlir::ValueRange createExchange(mlir::PatternRewriter &rewriter,
                                mlir::Operation *op, mlir::Value operand,
                                const Participants &participants,
                                ExchangeKind kind, mlir::TypeRange types,
                                int64_t dim = -1, int64_t concat = -1);

/// Targets of these custom calls.
inline constexpr llvm::StringLiteral kExchangeCall("ferrule.exchange");
inline constexpr llvm::StringLiteral kProcessIdCall("ferrule.process_id");

} // namespace ferrule::lowering

#endif // FERRULE_CONVERSION_STABLEHLOTOLINALG_EXCHANGE_H
