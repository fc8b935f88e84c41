// The codes of exchanges in programs; the compiler writes them. Numbers never
// change their meaning: they are in files.
#ifndef FERRULE_FORMAT_EXCHANGE_CODES_H
#define FERRULE_FORMAT_EXCHANGE_CODES_H

#include <cstdint>

namespace ferrule::format {

/// What the numbers in groups are (the strategies of StableHLO's
/// specification); the others of a process are its own.
enum class GroupMode : int64_t {
  CrossReplica = 0,
  CrossPartition = 1,
  /// Replicas, each with all its partitions.
  CrossReplicaAndPartition = 2,
  /// replica * partitions + partition.
  FlattenedIds = 3,
};

enum class ExchangeKind : int64_t {
  /// One after another along dimension `dim`.
  Gather = 0,
  /// Each member's value as an output of its own.
  Each = 1,
  /// Of each the part along `dim` that is this process's; these one after
  /// another along dimension `concat`.
  AllToAll = 2,
  /// The same parts as outputs of their own.
  EachPart = 3,
  /// The first member's; zeros for processes in no group.
  Broadcast = 4,
  /// The source's; zeros where nobody sends.
  Permute = 5,
};

} // namespace ferrule::format

#endif // FERRULE_FORMAT_EXCHANGE_CODES_H
