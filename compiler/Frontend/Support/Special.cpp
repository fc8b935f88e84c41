#include "compiler/Frontend/Support/Special.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

static Value make(HloBuilder &b, StringRef name, ValueRange operands) {
  OperationState state(b.getLoc(), ("chlo." + name).str(), operands,
                       operands[0].getType());
  return b.create(state)->getResult(0);
}

Value frontend::special(HloBuilder &b, StringRef name, Value x) {
  return make(b, name, x);
}

Value frontend::special(HloBuilder &b, StringRef name, Value x, Value y) {
  return make(b, name, {x, y});
}
