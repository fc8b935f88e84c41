// Recurrent layers: RNN, GRU, LSTM.
#include "compiler/Frontend/ONNX/Loops.h"
#include "compiler/Frontend/Support/Activation.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "llvm/Support/SaveAndRestore.h"
#include <functional>

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

using Activation = std::function<Value(HloBuilder &, Value)>;

/// One direction of a layer: its weights and how a step is made.
struct Weights {
  Value weight, recurrent, inputBias, recurrentBias, peephole;
  SmallVector<Activation> activations;
  double clip = 0;
  bool flag = false; // linear_before_reset or input_forget
  int64_t hidden = 0;
};

/// Makes the next states from the projected input [B, gates * H] and the
/// states; the first state is the output.
using StepFunction = SmallVector<Value> (*)(HloBuilder &, const Weights &,
                                            Value, ArrayRef<Value>);

static std::optional<Activation> activationByName(StringRef name, double alpha,
                                                  double beta, bool given) {
  auto or_ = [&](double value, double otherwise) {
    return given ? value : otherwise;
  };
  double a = alpha, c = beta;
  std::string lower = name.lower();
  if (lower == "sigmoid")
    return [](HloBuilder &b, Value x) { return sigmoid(b, x); };
  if (lower == "tanh")
    return [](HloBuilder &b, Value x) { return frontend::tanh(b, x); };
  if (lower == "relu")
    return [](HloBuilder &b, Value x) { return relu(b, x); };
  if (lower == "softsign")
    return [](HloBuilder &b, Value x) { return softsign(b, x); };
  if (lower == "softplus")
    return [](HloBuilder &b, Value x) { return softplus(b, x); };
  if (lower == "affine")
    return [=](HloBuilder &b, Value x) { return add(b, mul(b, x, a), c); };
  if (lower == "scaledtanh")
    return [=](HloBuilder &b, Value x) {
      return mul(b, frontend::tanh(b, mul(b, x, c)), a);
    };
  if (lower == "leakyrelu")
    return [v = or_(a, 0.01)](HloBuilder &b, Value x) {
      return leakyRelu(b, x, v);
    };
  if (lower == "elu")
    return [v = or_(a, 1)](HloBuilder &b, Value x) { return elu(b, x, v); };
  if (lower == "thresholdedrelu")
    return [v = or_(a, 1)](HloBuilder &b, Value x) {
      return thresholded(b, x, v, 0);
    };
  if (lower == "hardsigmoid")
    return [v = or_(a, 0.2), w = or_(c, 0.5)](HloBuilder &b, Value x) {
      return hardSigmoid(b, x, v, w);
    };
  return std::nullopt;
}

/// The activations of direction `d`; `count` of them a direction.
static LogicalResult readActivations(NodeContext &op, int64_t d, int64_t count,
                                     ArrayRef<StringRef> defaults,
                                     Weights &direction) {
  const NodeAttribute *names = op.attribute("activations");
  const NodeAttribute *alphas = op.attribute("activation_alpha");
  const NodeAttribute *betas = op.attribute("activation_beta");
  for (int64_t i = 0; i < count; ++i) {
    size_t place = d * count + i;
    StringRef name = defaults[i];
    if (names && place < names->strings.size())
      name = names->strings[place];
    bool given = alphas && place < alphas->floats.size();
    double alpha = given ? alphas->floats[place] : 1;
    double beta =
        betas && place < betas->floats.size() ? betas->floats[place] : 1;
    auto fn = activationByName(name, alpha, beta, given);
    if (!fn)
      return op.error() << "found activation '" << name
                        << "', which is not supported";
    direction.activations.push_back(*fn);
  }
  return success();
}

/// Columns [i * H, (i + 1) * H) of a stack of gates.
static Value gate(HloBuilder &b, const Weights &d, Value gates, int64_t i) {
  return slice(b, gates, rankOf(gates) - 1, i * d.hidden, (i + 1) * d.hidden);
}

static Value activate(HloBuilder &b, const Weights &d, int64_t fn, Value x) {
  if (d.clip > 0)
    x = clamp(b, x, -d.clip, d.clip);
  return d.activations[fn](b, x);
}

static SmallVector<Value> rnnStep(HloBuilder &b, const Weights &d, Value x,
                                  ArrayRef<Value> states) {
  Value recurrent = linear(b, states[0], d.recurrent, d.recurrentBias);
  return {activate(b, d, 0, add(b, x, recurrent))};
}

/// Gates in the order update (z), reset (r), hidden (h).
static SmallVector<Value> gruStep(HloBuilder &b, const Weights &d, Value x,
                                  ArrayRef<Value> states) {
  int64_t h = d.hidden;
  auto rows = [&](Value weight, int64_t from, int64_t to) {
    return weight ? slice(b, weight, 0, from * h, to * h) : Value();
  };
  Value zr = linear(b, states[0], rows(d.recurrent, 0, 2),
                    rows(d.recurrentBias, 0, 2));
  zr = activate(b, d, 0, add(b, slice(b, x, 1, 0, 2 * h), zr));
  Value z = gate(b, d, zr, 0), r = gate(b, d, zr, 1);
  Value weight = rows(d.recurrent, 2, 3), bias = rows(d.recurrentBias, 2, 3);
  Value inner = d.flag ? mul(b, r, linear(b, states[0], weight, bias))
                       : linear(b, mul(b, r, states[0]), weight, bias);
  Value fresh = activate(b, d, 1, add(b, gate(b, d, x, 2), inner));
  Value kept = mul(b, z, states[0]);
  return {add(b, mul(b, sub(b, fullLike(b, z, 1), z), fresh), kept)};
}

/// Gates in the order input, output, forget, cell; peepholes input, output,
/// forget.
static SmallVector<Value> lstmStep(HloBuilder &b, const Weights &d, Value x,
                                   ArrayRef<Value> states) {
  Value cell = states[1];
  Value gates = add(b, x, linear(b, states[0], d.recurrent, d.recurrentBias));
  auto peep = [&](Value value, Value state, int64_t i) {
    return d.peephole ? add(b, value, mul(b, state, gate(b, d, d.peephole, i)))
                      : value;
  };
  Value in = activate(b, d, 0, peep(gate(b, d, gates, 0), cell, 0));
  Value forget = d.flag
                     ? sub(b, fullLike(b, in, 1), in)
                     : activate(b, d, 0, peep(gate(b, d, gates, 2), cell, 2));
  Value fresh = activate(b, d, 1, gate(b, d, gates, 3));
  Value next = add(b, mul(b, forget, cell), mul(b, in, fresh));
  Value out = activate(b, d, 0, peep(gate(b, d, gates, 1), next, 1));
  return {mul(b, out, d.activations[2](b, next)), next};
}

namespace {
/// A layer as ONNX describes it; the inputs after B differ in meaning only
/// from initial_c on.
struct Layer {
  int64_t gates, states, functions;
  SmallVector<StringRef> defaults;
  StepFunction step;
};
/// What running one direction gives: Y [T, B, H] and the last states.
struct Run {
  Value outputs;
  SmallVector<Value> states;
};
} // namespace

/// The first lengths[b] rows of each sequence in reverse order.
static Value reverseTime(HloBuilder &b, Value x, Value lengths) {
  if (!lengths)
    return frontend::reverse(b, x, {0});
  Sizes sizes = sizesOf(b, x);
  Value counts = broadcastInDim(b, lengths, sizes, {1});
  Value time = iota(b, sizes, 0, b.getI64Type());
  Value mirrored = sub(b, sub(b, counts, 1.0), time);
  Value inside = compare(b, frontend::Direction::LT, time, counts);
  return gatherElements(b, x, select(b, inside, mirrored, time), 0);
}

static FailureOr<Run> runDirection(NodeContext &op, const Layer &layer,
                                   const Weights &d, Value x, Value lengths,
                                   ArrayRef<Value> initial) {
  HloBuilder &b = op.b;
  Value projected = linear(b, x, d.weight, d.inputBias);
  auto step = [&](Value time, ValueRange states) -> FailureOr<LoopStep> {
    Value now = selectIndex(b, projected, 0, Size(time));
    SmallVector<Value> old(states);
    LoopStep result;
    result.carried = layer.step(b, d, now, old);
    Value output = result.carried[0];
    if (lengths) {
      Value running = compare(b, frontend::Direction::GT, lengths,
                              broadcastTo(b, time, sizesOf(b, lengths)));
      Value mask = broadcastInDim(b, running, sizesOf(b, output), {0});
      for (auto [value, before] : llvm::zip(result.carried, old))
        value = select(b, mask, value, before);
      output = select(b, mask, output, fullLike(b, output, 0));
    }
    result.collected = {output};
    return result;
  };
  Size steps = sizeOf(b, x, 0);
  if (steps.is(1)) {
    auto only = step(scalarInt(b, b.getI64Type(), 0), initial);
    return Run{unsqueeze(b, only->collected[0], {0}), only->carried};
  }
  auto outcome = emitLoop(op, steps, Value(), initial, step);
  if (failed(outcome))
    return failure();
  return Run{outcome->collected[0], outcome->carried};
}

/// The weights of direction `d`, taken from the op's inputs.
static FailureOr<Weights> readDirection(NodeContext &op, const Layer &layer,
                                        int64_t d, int64_t hidden) {
  HloBuilder &b = op.b;
  Weights result;
  result.hidden = hidden;
  result.clip = op.floatAttr("clip", 0);
  result.flag =
      op.intAttr("linear_before_reset", 0) || op.intAttr("input_forget", 0);
  result.weight = selectIndex(b, op.input(1), 0, d);
  result.recurrent = selectIndex(b, op.input(2), 0, d);
  if (Value bias = op.input(3)) {
    bias = selectIndex(b, bias, 0, d);
    int64_t half = layer.gates * hidden;
    result.inputBias = slice(b, bias, 0, 0, half);
    result.recurrentBias = slice(b, bias, 0, half, 2 * half);
  }
  if (layer.states == 2)
    if (Value peephole = op.input(7))
      result.peephole = unsqueeze(b, selectIndex(b, peephole, 0, d), {0});
  if (failed(readActivations(op, d, layer.functions, layer.defaults, result)))
    return failure();
  return result;
}

/// sequence_lens as i64, or null when all sequences are of full length.
static Value readLengths(NodeContext &op, Size steps) {
  Value lengths = op.input(4);
  if (!lengths)
    return {};
  auto known = onnx::constantInts(lengths);
  if (known && steps.isStatic() &&
      llvm::all_of(*known, [&](int64_t n) { return n == steps.getStatic(); }))
    return {};
  return convert(op.b, lengths, op.b.getI64Type());
}

static LogicalResult importLayer(NodeContext &op, const Layer &layer) {
  HloBuilder &b = op.b;
  // The batch sizes of the inputs and states agree; nothing is broadcast.
  llvm::SaveAndRestore agree(b.unknownSizesAgree, true);
  bool batchFirst = op.intAttr("layout", 0);
  Value x = op.input(0);
  if (rankOf(x) != 3 || !typeOf(op.input(2)).hasStaticShape())
    return op.error() << "found input " << typeOf(x) << " and R "
                      << typeOf(op.input(2))
                      << ", expected rank 3 and static weights";
  if (batchFirst)
    x = swapDims(b, x, 0, 1);
  int64_t directions = typeOf(op.input(1)).getDimSize(0);
  int64_t hidden = typeOf(op.input(2)).getDimSize(2);
  // States of a known batch size tell that of the input.
  if (Value state = op.input(5)) {
    int64_t known = typeOf(state).getDimSize(batchFirst ? 0 : 1);
    SmallVector<int64_t> shape(typeOf(x).getShape());
    if (ShapedType::isDynamic(shape[1]))
      shape[1] = known;
    x = refineType(b, x, RankedTensorType::get(shape, elementOf(x)));
  }
  Size batch = sizeOf(b, x, 1);
  Value lengths = readLengths(op, sizeOf(b, x, 0));
  StringRef name = op.stringAttr("direction", "forward");
  SmallVector<Value> outputs;
  SmallVector<SmallVector<Value>> last(layer.states);
  for (int64_t d = 0; d < directions; ++d) {
    auto direction = readDirection(op, layer, d, hidden);
    if (failed(direction))
      return failure();
    SmallVector<Value> initial;
    for (int64_t s = 0; s < layer.states; ++s) {
      Value given = op.input(5 + s);
      if (given && batchFirst)
        given = swapDims(b, given, 0, 1);
      initial.push_back(
          given ? refineType(b, selectIndex(b, given, 0, d),
                             tensorOf({batch, hidden}, elementOf(x)))
                : full(b, {batch, hidden}, elementOf(x), 0));
    }
    bool backward = name == "reverse" || d == 1;
    Value input = backward ? reverseTime(b, x, lengths) : x;
    auto run = runDirection(op, layer, *direction, input, lengths, initial);
    if (failed(run))
      return failure();
    outputs.push_back(backward ? reverseTime(b, run->outputs, lengths)
                               : run->outputs);
    for (int64_t s = 0; s < layer.states; ++s)
      last[s].push_back(run->states[s]);
  }
  if (op.wants(0)) {
    // [T, directions, B, H], or [B, T, directions, H].
    Value y = stack(b, outputs, 1);
    op.set(0, batchFirst ? transpose(b, y, {2, 0, 1, 3}) : y);
  }
  for (int64_t s = 0; s < layer.states; ++s)
    if (op.wants(1 + s))
      op.set(1 + s, stack(b, last[s], batchFirst ? 1 : 0));
  return success();
}

static LogicalResult importRNN(NodeContext &op) {
  return importLayer(op, {1, 1, 1, {"Tanh"}, rnnStep});
}

static LogicalResult importGRU(NodeContext &op) {
  return importLayer(op, {3, 1, 2, {"Sigmoid", "Tanh"}, gruStep});
}

static LogicalResult importLSTM(NodeContext &op) {
  return importLayer(op, {4, 2, 3, {"Sigmoid", "Tanh", "Tanh"}, lstmStep});
}

void ferrule::onnx::registerRecurrentOps(Registry &r) {
  r.add("RNN", importRNN);
  r.add("GRU", importGRU);
  r.add("LSTM", importLSTM);
}
