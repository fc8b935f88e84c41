// Optimisers: how parameters follow their gradients. Inputs are the learning
// rate, the number of updates so far, then all parameters, all gradients and
// all of each state; outputs the new parameters and states.
#include "compiler/Frontend/ONNX/NodeContext.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

namespace {
/// One parameter's update.
struct Update {
  Value rate, count; // f32 or f64 scalars of the parameter's type
  Value x, gradient; // the gradient with the regularisation's
  SmallVector<Value> state;
};
} // namespace

using UpdateFunction = void (*)(NodeContext &, Update &);

static Value spread(HloBuilder &b, Value scalar, Value like) {
  return fill(b, scalar, sizesOf(b, like));
}

static LogicalResult updateAll(NodeContext &op, size_t states,
                               UpdateFunction function) {
  HloBuilder &b = op.b;
  size_t lists = 2 + states;
  if (op.numInputs() < 2 + lists || (op.numInputs() - 2) % lists)
    return op.error() << "found " << op.numInputs()
                      << " inputs, expected a rate, a count and " << lists
                      << " for each parameter";
  size_t parameters = (op.numInputs() - 2) / lists;
  for (size_t i = 0; i < op.numInputs(); ++i)
    if (!op.input(i))
      return op.error() << "input " << i << " is missing";
  for (size_t i = 0; i < parameters; ++i) {
    Update u;
    u.x = op.input(2 + i);
    Type element = elementOf(u.x);
    u.rate = convert(b, frontend::reshape(b, op.input(0), {}), element);
    u.count = convert(b, frontend::reshape(b, op.input(1), {}), element);
    u.gradient = add(b, op.input(2 + parameters + i),
                     mul(b, u.x, op.floatAttr("norm_coefficient", 0)));
    for (size_t s = 0; s < states; ++s)
      u.state.push_back(op.input(2 + (2 + s) * parameters + i));
    function(op, u);
    op.set(i, u.x);
    for (size_t s = 0; s < states; ++s)
      op.set((1 + s) * parameters + i, u.state[s]);
  }
  return success();
}

static void updateAdagrad(NodeContext &op, Update &u) {
  HloBuilder &b = op.b;
  Value decay = add(b, mul(b, u.count, op.floatAttr("decay_factor", 0)), 1.0);
  u.state[0] = add(b, u.state[0], mul(b, u.gradient, u.gradient));
  Value root =
      add(b, frontend::sqrt(b, u.state[0]), op.floatAttr("epsilon", 1e-6f));
  Value rate = spread(b, div(b, u.rate, decay), u.x);
  u.x = sub(b, u.x, div(b, mul(b, rate, u.gradient), root));
}

/// old * keep + now * (1 - keep).
static Value blend(HloBuilder &b, Value old, Value now, double keep) {
  return add(b, mul(b, old, keep), mul(b, now, 1 - keep));
}

static void updateAdam(NodeContext &op, Update &u) {
  HloBuilder &b = op.b;
  double alpha = op.floatAttr("alpha", 0.9f);
  double beta = op.floatAttr("beta", 0.999f);
  u.state[0] = blend(b, u.state[0], u.gradient, alpha);
  u.state[1] = blend(b, u.state[1], mul(b, u.gradient, u.gradient), beta);
  Value root =
      add(b, frontend::sqrt(b, u.state[1]), op.floatAttr("epsilon", 1e-6f));
  // After the first update the bias of the averages is corrected.
  auto rest = [&](double base) {
    Value one = fullLike(b, u.count, 1);
    return sub(b, one, power(b, fullLike(b, u.count, base), u.count));
  };
  Value corrected =
      div(b, mul(b, u.rate, frontend::sqrt(b, rest(beta))), rest(alpha));
  Value begun = compare(b, Direction::GT, u.count, 0.0);
  Value rate = spread(b, select(b, begun, corrected, u.rate), u.x);
  Value x = sub(b, u.x, mul(b, rate, div(b, u.state[0], root)));
  u.x = mul(b, x, 1 - op.floatAttr("norm_coefficient_post", 0));
}

static void updateMomentum(NodeContext &op, Update &u) {
  HloBuilder &b = op.b;
  double alpha = op.floatAttr("alpha", 0);
  Value begun = compare(b, Direction::GT, u.count, 0.0);
  Value beta = select(b, begun, fullLike(b, u.count, op.floatAttr("beta", 1)),
                      fullLike(b, u.count, 1));
  Value scaled = mul(b, spread(b, beta, u.x), u.gradient);
  u.state[0] = add(b, mul(b, u.state[0], alpha), scaled);
  Value step = u.state[0];
  if (op.stringAttr("mode", "standard") == "nesterov")
    step = add(b, u.gradient, mul(b, step, alpha));
  u.x = sub(b, u.x, mul(b, spread(b, u.rate, u.x), step));
}

static LogicalResult importAdagrad(NodeContext &op) {
  return updateAll(op, 1, updateAdagrad);
}
static LogicalResult importAdam(NodeContext &op) {
  return updateAll(op, 2, updateAdam);
}
static LogicalResult importMomentum(NodeContext &op) {
  return updateAll(op, 1, updateMomentum);
}

void ferrule::onnx::registerTrainingOps(Registry &r) {
  constexpr const char *domain = "ai.onnx.preview.training";
  r.add(domain, "Adagrad", importAdagrad);
  r.add(domain, "Adam", importAdam);
  r.add(domain, "Momentum", importMomentum);
}
