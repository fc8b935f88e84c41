// The operations by which the processes of a program exchange values, called
// in programs as providers' operations are:
//
//   ferrule.process_id   outs(number: i32)    scalars(0 replica, 1 partition)
//   ferrule.exchange     ins(x, groups)       scalars(site, mode, kind, dim,
//                        outs(y..., [place])          concat)
//
// `groups` is a matrix of i64, a group a row, short ones filled up with -1; for
// `Permute` a row is a pair of a source and a target. No number at all:
// everybody. `mode` says what the numbers in it are. y is made of x of all
// members in the order of the group. The kinds with one y a member have `place`
// (i32): this process's position in the group and the number of members.
#ifndef FERRULE_EXECUTOR_EXCHANGE_H
#define FERRULE_EXECUTOR_EXCHANGE_H

#include "runtime/executor/session.h"
#include "runtime/executor/world.h"
#include "runtime/format/exchange_codes.h"

namespace ferrule::runtime {

using BuiltinOp = Status (*)(const ProcessPlace &place,
                             const ProviderCall &call);

/// The operation of that name, or null.
BuiltinOp findBuiltinOp(std::string_view name);

} // namespace ferrule::runtime

#endif // FERRULE_EXECUTOR_EXCHANGE_H
