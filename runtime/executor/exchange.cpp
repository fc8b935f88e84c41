#include "runtime/executor/exchange.h"
#include "runtime/executor/strided_copy.h"
#include "runtime/format/element_type.h"

#include <algorithm>
#include <cstring>
#include <optional>

using namespace ferrule;
using namespace ferrule::runtime;
using format::ExchangeKind;
using format::GroupMode;

namespace {

/// A process's group, as process numbers, and its position in it.
struct Group {
  std::vector<uint32_t> members;
  uint32_t position = 0;
  bool found = false;
};

/// The arguments of one call, checked.
struct Exchange {
  const ProviderBuffer *input, *groups, *place;
  std::span<const ProviderBuffer> outputs;
  int64_t site, dim, concat;
  GroupMode mode;
  ExchangeKind kind;
};

/// The interpreter has checked that sizes make sense.
uint64_t bytesOf(const ProviderBuffer &buffer) {
  return format::byteSize(buffer.element, buffer.dims).value_or(0);
}

uint64_t elementBytes(const ProviderBuffer &buffer) {
  return format::byteSize(buffer.element, {}).value_or(1);
}

std::string textOf(std::span<const int64_t> dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i ? ", " : "") + std::to_string(dims[i]);
  return text + "]";
}

/// A box of a contiguous array: [from, from + count) along `dim`.
struct Box {
  char *data;
  std::vector<int64_t> dims;
  int64_t dim, from;
};

/// Copies `count` entries along the boxes' dimensions. Both boxes have the same
/// sizes otherwise. The dimensions may differ.
void copyBox(const Box &to, const Box &from, const std::vector<int64_t> &sizes,
             uint64_t elementBytes) {
  auto start = [&](const Box &box, const std::vector<int64_t> &strides) {
    return box.data +
           (sizes.empty() ? 0 : box.from * strides[box.dim]) * elementBytes;
  };
  std::vector<int64_t> toStrides = contiguousStrides(to.dims);
  std::vector<int64_t> fromStrides = contiguousStrides(from.dims);
  copyStrided(start(to, toStrides), toStrides, start(from, fromStrides),
              fromStrides, sizes, elementBytes);
}

bool givesEach(int64_t kind) {
  return kind == int64_t(ExchangeKind::Each) ||
         kind == int64_t(ExchangeKind::EachPart);
}

bool usesDimension(int64_t kind) {
  return kind == int64_t(ExchangeKind::Gather) ||
         kind == int64_t(ExchangeKind::AllToAll) ||
         kind == int64_t(ExchangeKind::EachPart);
}

Status readCall(const ProviderCall &call, Exchange &exchange) {
  std::span<const ProviderBuffer> buffers = call.buffers;
  Status wrong = badFile("found an exchange of unknown form");
  if (call.firstOutput != 2 || buffers.size() < 3 || call.scalars.size() != 5)
    return wrong;
  int64_t mode = call.scalars[1], kind = call.scalars[2];
  exchange.site = call.scalars[0];
  exchange.dim = call.scalars[3];
  exchange.concat = call.scalars[4];
  exchange.input = &buffers[0];
  exchange.groups = &buffers[1];
  exchange.outputs = buffers.subspan(2);
  exchange.place = nullptr;
  if (givesEach(kind)) {
    exchange.place = &buffers.back();
    exchange.outputs = exchange.outputs.first(exchange.outputs.size() - 1);
  }
  auto isDim = [&](int64_t dim) {
    return dim >= 0 && dim < static_cast<int64_t>(exchange.input->dims.size());
  };
  if (mode < 0 || mode > 3 || kind < 0 || kind > 5 ||
      exchange.groups->element != format::ElementType::I64 ||
      exchange.groups->dims.size() != 2 ||
      (usesDimension(kind) && !isDim(exchange.dim)) ||
      (kind == int64_t(ExchangeKind::AllToAll) && !isDim(exchange.concat)) ||
      (kind == int64_t(ExchangeKind::Permute) &&
       exchange.groups->dims[1] != 2) ||
      (!givesEach(kind) && exchange.outputs.size() != 1) ||
      (exchange.place && bytesOf(*exchange.place) != 8))
    return wrong;
  for (const ProviderBuffer &output : exchange.outputs)
    if (output.element != exchange.input->element)
      return wrong;
  exchange.mode = static_cast<GroupMode>(mode);
  exchange.kind = static_cast<ExchangeKind>(kind);
  return {};
}

/// The processes that a number of the groups stands for, as seen from `self`.
void append(const World &world, const ProcessPlace &self, GroupMode mode,
            std::span<const int64_t> row, std::vector<uint32_t> &members) {
  uint32_t partitions = world.partitions();
  auto add = [&](int64_t replica, int64_t partition) {
    members.push_back(static_cast<uint32_t>(replica * partitions + partition));
  };
  switch (mode) {
  case GroupMode::CrossReplica:
    for (int64_t id : row)
      add(id, self.partition);
    return;
  case GroupMode::CrossPartition:
    for (int64_t id : row)
      add(self.replica, id);
    return;
  case GroupMode::CrossReplicaAndPartition:
    for (uint32_t partition = 0; partition < partitions; ++partition)
      for (int64_t id : row)
        add(id, partition);
    return;
  case GroupMode::FlattenedIds:
    for (int64_t id : row)
      members.push_back(static_cast<uint32_t>(id));
    return;
  }
}

/// How many numbers the mode knows.
int64_t numberCount(const World &world, GroupMode mode) {
  switch (mode) {
  case GroupMode::CrossPartition:
    return world.partitions();
  case GroupMode::FlattenedIds:
    return world.size();
  default:
    return world.replicas();
  }
}

Status findGroup(const World &world, const ProcessPlace &self,
                 const Exchange &exchange, Group &group) {
  auto *ids = static_cast<const int64_t *>(exchange.groups->data);
  int64_t rows = exchange.groups->dims[0], columns = exchange.groups->dims[1];
  int64_t known = numberCount(world, exchange.mode);
  for (int64_t i = 0; i < rows * columns; ++i)
    if (ids[i] >= known)
      return invalidArgument(
          "the program names process " + std::to_string(ids[i]) +
          ", but it runs with " + std::to_string(world.replicas()) +
          " replicas of " + std::to_string(world.partitions()) + " partitions");
  uint32_t number = self.replica * world.partitions() + self.partition;
  auto tryRow = [&](std::span<const int64_t> row) {
    std::vector<uint32_t> members;
    append(world, self, exchange.mode, row, members);
    auto at = std::find(members.begin(), members.end(), number);
    if (at == members.end())
      return;
    group.found = true;
    group.position = static_cast<uint32_t>(at - members.begin());
    group.members = std::move(members);
  };
  bool everybody =
      std::all_of(ids, ids + rows * columns, [](int64_t id) { return id < 0; });
  if (exchange.kind == ExchangeKind::Permute || everybody) {
    std::vector<int64_t> all;
    for (int64_t id = 0; id < known; ++id)
      all.push_back(id);
    tryRow(all);
    return {};
  }
  for (int64_t r = 0; r < rows && !group.found; ++r) {
    std::vector<int64_t> row;
    for (int64_t c = 0; c < columns; ++c)
      if (ids[r * columns + c] >= 0)
        row.push_back(ids[r * columns + c]);
    tryRow(row);
  }
  return {};
}

/// The position of the member that sends to this process; none: -1.
int64_t sourceOf(const World &world, const ProcessPlace &self,
                 const Exchange &exchange, const Group &group) {
  if (exchange.kind == ExchangeKind::Broadcast)
    return group.found ? 0 : -1;
  auto *ids = static_cast<const int64_t *>(exchange.groups->data);
  int64_t own = exchange.mode == GroupMode::CrossPartition ? self.partition
                                                           : self.replica;
  if (exchange.mode == GroupMode::FlattenedIds)
    own = self.replica * world.partitions() + self.partition;
  for (int64_t i = 0; i < exchange.groups->dims[0]; ++i)
    if (ids[2 * i + 1] == own)
      return ids[2 * i];
  return -1;
}

Status wrongNumber(const Exchange &exchange, uint64_t members) {
  return invalidArgument(
      "found a group of " + std::to_string(members) +
      " processes with values of sizes " + textOf(exchange.input->dims) +
      " for " + std::to_string(exchange.outputs.size()) + " results of sizes " +
      textOf(exchange.outputs[0].dims) +
      "; replicas and partitions must be as many as the program was compiled "
      "for (mhlo.num_replicas, mhlo.num_partitions)");
}

/// Of each member the part along `dim` that is this process's.
Status takeParts(const Exchange &exchange, const Group &group,
                 std::span<const Contribution> brought) {
  const ProviderBuffer &input = *exchange.input;
  std::vector<int64_t> whole(input.dims.begin(), input.dims.end());
  std::vector<int64_t> sizes = whole;
  auto count = static_cast<int64_t>(brought.size());
  if (sizes[exchange.dim] % count != 0)
    return invalidArgument("found size " + std::to_string(sizes[exchange.dim]) +
                           " for a group of " + std::to_string(count) +
                           " processes, expected a multiple");
  int64_t part = sizes[exchange.dim] /= count;
  bool each = exchange.kind == ExchangeKind::EachPart;
  uint64_t bytes = bytesOf(input) / (each ? count : 1);
  if (each && exchange.outputs.size() != brought.size())
    return wrongNumber(exchange, brought.size());
  for (const ProviderBuffer &output : exchange.outputs)
    if (bytesOf(output) != bytes)
      return wrongNumber(exchange, brought.size());
  for (int64_t i = 0; i < count; ++i) {
    const ProviderBuffer &output = exchange.outputs[each ? i : 0];
    int64_t concat = each ? exchange.dim : exchange.concat;
    copyBox({static_cast<char *>(output.data),
             {output.dims.begin(), output.dims.end()},
             concat,
             each ? 0 : i * sizes[concat]},
            {static_cast<char *>(const_cast<void *>(brought[i].data)), whole,
             exchange.dim, group.position * part},
            sizes, elementBytes(input));
  }
  return {};
}

/// All values, one after another along `dim`.
Status takeGathered(const Exchange &exchange,
                    std::span<const Contribution> brought) {
  const ProviderBuffer &input = *exchange.input, &output = exchange.outputs[0];
  std::vector<int64_t> whole(input.dims.begin(), input.dims.end());
  if (bytesOf(output) != bytesOf(input) * brought.size())
    return wrongNumber(exchange, brought.size());
  for (size_t i = 0; i < brought.size(); ++i)
    copyBox({static_cast<char *>(output.data),
             {output.dims.begin(), output.dims.end()},
             exchange.dim,
             static_cast<int64_t>(i) * whole[exchange.dim]},
            {static_cast<char *>(const_cast<void *>(brought[i].data)), whole,
             exchange.dim, 0},
            whole, elementBytes(input));
  return {};
}

/// All values as outputs of their own; groups smaller than the largest one give
/// zeros besides.
Status takeEach(const Exchange &exchange,
                std::span<const Contribution> brought) {
  uint64_t bytes = bytesOf(*exchange.input);
  if (brought.size() > exchange.outputs.size() ||
      bytesOf(exchange.outputs[0]) != bytes)
    return wrongNumber(exchange, brought.size());
  for (size_t i = 0; i < exchange.outputs.size(); ++i)
    if (i < brought.size())
      std::memcpy(exchange.outputs[i].data, brought[i].data, bytes);
    else
      std::memset(exchange.outputs[i].data, 0, bytes);
  return {};
}

/// Puts together what the members have brought.
Status take(const Exchange &exchange, const Group &group, int64_t source,
            std::span<const Contribution> brought) {
  const ProviderBuffer &input = *exchange.input;
  for (const Contribution &member : brought)
    if (!std::equal(member.dims.begin(), member.dims.end(), input.dims.begin(),
                    input.dims.end()))
      return invalidArgument("found values of sizes " + textOf(member.dims) +
                             " and " + textOf(input.dims) +
                             " in one group, expected equal sizes");
  switch (exchange.kind) {
  case ExchangeKind::Gather:
    return takeGathered(exchange, brought);
  case ExchangeKind::Each:
    return takeEach(exchange, brought);
  case ExchangeKind::AllToAll:
  case ExchangeKind::EachPart:
    return takeParts(exchange, group, brought);
  case ExchangeKind::Broadcast:
  case ExchangeKind::Permute:
    if (bytesOf(exchange.outputs[0]) != bytesOf(input))
      return wrongNumber(exchange, brought.size());
    if (source >= 0)
      std::memcpy(exchange.outputs[0].data, brought[source].data,
                  bytesOf(input));
    return {};
  }
  return {};
}

Status exchangeValues(const ProcessPlace &self, const ProviderCall &call) {
  Exchange exchange;
  FERRULE_RETURN_IF_ERROR(readCall(call, exchange));
  std::optional<World> alone;
  World &world = self.world ? *self.world : alone.emplace(1u, 1u);
  Group group;
  FERRULE_RETURN_IF_ERROR(findGroup(world, self, exchange, group));
  if (!group.found && exchange.kind != ExchangeKind::Broadcast)
    return invalidArgument(
        "this process (" +
        world.nameOf(self.replica * world.partitions() + self.partition) +
        ") is in no group");
  int64_t source = 0;
  if (exchange.kind == ExchangeKind::Broadcast ||
      exchange.kind == ExchangeKind::Permute) {
    source = sourceOf(world, self, exchange, group);
    if (source < 0)
      std::memset(exchange.outputs[0].data, 0, bytesOf(exchange.outputs[0]));
  }
  if (exchange.place) {
    int32_t place[2] = {static_cast<int32_t>(group.position),
                        static_cast<int32_t>(group.members.size())};
    std::memcpy(exchange.place->data, place, sizeof place);
  }
  if (!group.found)
    return {};
  Contribution contribution{exchange.input->data, exchange.input->dims};
  // Different operations on one channel are different places.
  int64_t site = exchange.site * 8 + static_cast<int64_t>(exchange.kind);
  return world.meet(
      site, group.members, group.position, contribution, "collective operation",
      [&](std::span<const Contribution> brought) -> Status {
        return source < 0 ? Status() : take(exchange, group, source, brought);
      });
}

Status getProcessId(const ProcessPlace &self, const ProviderCall &call) {
  if (call.buffers.size() != 1 || call.firstOutput != 0 ||
      call.scalars.size() != 1 || bytesOf(call.buffers[0]) != 4)
    return badFile("found an unknown form of it");
  uint32_t number = call.scalars[0] ? self.partition : self.replica;
  std::memcpy(call.buffers[0].data, &number, sizeof number);
  return {};
}

} // namespace

BuiltinOp ferrule::runtime::findBuiltinOp(std::string_view name) {
  if (name == "ferrule.exchange")
    return exchangeValues;
  if (name == "ferrule.process_id")
    return getProcessId;
  return nullptr;
}
