// Sequences and optionals, resolved while importing.
#include "compiler/Frontend/ONNX/GraphImporter.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

static Datum sequenceOf(std::vector<Datum> items) {
  Datum datum;
  datum.sequence = std::make_shared<std::vector<Datum>>(std::move(items));
  return datum;
}

static LogicalResult setSequence(NodeContext &op, std::vector<Datum> items) {
  op.set(0, sequenceOf(std::move(items)));
  return success();
}

/// The items of input 0, which must be a sequence.
static FailureOr<std::vector<Datum>> items(NodeContext &op) {
  Datum datum = op.datum(0);
  if (!datum.sequence)
    return op.error() << "found a tensor as input 0, expected a sequence";
  return *datum.sequence;
}

/// The position in input `i`, or `otherwise` when it is absent.
static FailureOr<int64_t> position(NodeContext &op, size_t i, int64_t size,
                                   int64_t otherwise) {
  if (!op.has(i))
    return otherwise;
  auto known = onnx::constantInts(op.input(i));
  if (!known || known->size() != 1)
    return op.error() << "found a position computed at run time, expected a "
                         "constant";
  int64_t at = known->front() < 0 ? known->front() + size : known->front();
  if (at < 0 || at > size)
    return op.error() << "found position " << known->front()
                      << ", expected one inside a sequence of " << size;
  return at;
}

static LogicalResult importSequenceConstruct(NodeContext &op) {
  std::vector<Datum> list;
  for (size_t i = 0; i < op.numInputs(); ++i)
    list.push_back(op.datum(i));
  return setSequence(op, list);
}

static LogicalResult importSequenceEmpty(NodeContext &op) {
  return setSequence(op, {});
}

static LogicalResult importSequenceInsert(NodeContext &op) {
  auto list = items(op);
  if (failed(list))
    return failure();
  auto at = position(op, 2, list->size(), list->size());
  if (failed(at))
    return failure();
  list->insert(list->begin() + *at, op.datum(1));
  return setSequence(op, *list);
}

static LogicalResult importSequenceErase(NodeContext &op) {
  auto list = items(op);
  if (failed(list) || list->empty())
    return failed(list) ? LogicalResult(failure())
                        : op.error() << "found an empty sequence";
  auto at = position(op, 1, list->size(), list->size() - 1);
  if (failed(at) || *at == int64_t(list->size()))
    return failure();
  list->erase(list->begin() + *at);
  return setSequence(op, *list);
}

static LogicalResult importSequenceAt(NodeContext &op) {
  auto list = items(op);
  if (failed(list))
    return failure();
  auto at = position(op, 1, list->size(), 0);
  if (failed(at))
    return failure();
  if (*at >= int64_t(list->size()))
    return op.error() << "found position " << *at << ", expected one below "
                      << list->size();
  op.set(0, (*list)[*at]);
  return success();
}

static LogicalResult importSequenceLength(NodeContext &op) {
  auto list = items(op);
  if (failed(list))
    return failure();
  return op.result(scalarInt(op.b, op.b.getI64Type(), list->size()));
}

static LogicalResult importConcatFromSequence(NodeContext &op) {
  auto list = items(op);
  if (failed(list))
    return failure();
  if (list->empty())
    return op.error() << "found an empty sequence, expected tensors";
  SmallVector<Value> values;
  for (const Datum &item : *list) {
    if (!item.tensor || rankOf(item.tensor) != rankOf(list->front().tensor))
      return op.error() << "found items of different ranks, expected tensors "
                           "of one rank";
    values.push_back(item.tensor);
  }
  bool isNew = op.intAttr("new_axis", 0);
  auto axis = op.axis(op.intAttr("axis", 0), rankOf(values[0]) + isNew);
  if (failed(axis))
    return failure();
  return op.result(isNew ? stack(op.b, values, *axis)
                         : concat(op.b, values, *axis));
}

static LogicalResult importSplitToSequence(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  auto axis = op.axis(op.intAttr("axis", 0), rankOf(x));
  if (failed(axis))
    return failure();
  int64_t size = typeOf(x).getDimSize(*axis);
  bool isDynamic = false;
  auto given = op.constantList(1, "", &isDynamic);
  if (ShapedType::isDynamic(size) || isDynamic)
    return op.error() << "found parts computed at run time, expected static "
                         "sizes";
  SmallVector<int64_t> parts;
  bool isScalar = given && rankOf(op.input(1)) == 0;
  if (given && !isScalar)
    parts = *given;
  int64_t part = isScalar ? given->front() : 1;
  for (int64_t at = 0; parts.empty() || (!given || isScalar); at += part) {
    if (at >= size)
      break;
    parts.push_back(std::min(part, size - at));
  }
  std::vector<Datum> list;
  int64_t at = 0;
  for (int64_t length : parts) {
    Value piece = slice(b, x, *axis, at, at + length);
    if (!given && !op.intAttr("keepdims", 1))
      piece = squeeze(b, piece, {*axis});
    list.push_back(piece);
    at += length;
  }
  return setSequence(op, list);
}

static LogicalResult importOptional(NodeContext &op) {
  Datum datum = op.datum(0);
  datum.isEmptyOptional = !op.has(0);
  op.set(0, datum);
  return success();
}

static LogicalResult importOptionalHasElement(NodeContext &op) {
  bool has = op.has(0) && !op.datum(0).isEmptyOptional;
  return op.result(scalar(op.b, op.b.getI1Type(), has));
}

static LogicalResult importOptionalGetElement(NodeContext &op) {
  if (op.datum(0).isEmptyOptional)
    return op.error() << "found an empty optional, expected an element";
  op.set(0, op.datum(0));
  return success();
}

/// The body for each item of the sequences; other inputs go whole to each.
static LogicalResult importSequenceMap(NodeContext &op) {
  const Graph *body = op.graphAttr("body");
  auto list = items(op);
  if (failed(list))
    return failure();
  if (!body || body->outputs.size() < op.numOutputs())
    return op.error() << "found no body with " << op.numOutputs() << " results";
  std::vector<std::vector<Datum>> results(op.numOutputs());
  for (size_t i = 0; i < list->size(); ++i) {
    std::vector<Datum> arguments;
    for (size_t j = 0; j < op.numInputs(); ++j) {
      Datum datum = op.datum(j);
      if (datum.sequence && datum.sequence->size() != list->size())
        return op.error() << "found sequences of " << list->size() << " and "
                          << datum.sequence->size()
                          << " items, expected equally many";
      arguments.push_back(datum.sequence ? (*datum.sequence)[i] : datum);
    }
    auto values = op.importer.importSubgraph(*body, arguments);
    if (failed(values))
      return failure();
    for (size_t j = 0; j < results.size(); ++j)
      results[j].push_back((*values)[j]);
  }
  for (size_t j = 0; j < results.size(); ++j)
    op.set(j, sequenceOf(std::move(results[j])));
  return success();
}

void ferrule::onnx::registerSequenceOps(Registry &r) {
  r.add("SequenceConstruct", importSequenceConstruct);
  r.add("SequenceEmpty", importSequenceEmpty);
  r.add("SequenceInsert", importSequenceInsert);
  r.add("SequenceErase", importSequenceErase);
  r.add("SequenceAt", importSequenceAt);
  r.add("SequenceLength", importSequenceLength);
  r.add("ConcatFromSequence", importConcatFromSequence);
  r.add("SplitToSequence", importSplitToSequence);
  r.add("SequenceMap", importSequenceMap);
  r.add("Optional", importOptional);
  r.add("OptionalHasElement", importOptionalHasElement);
  r.add("OptionalGetElement", importOptionalGetElement);
}
