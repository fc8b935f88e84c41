// ferrule.top_k as loops: the outs hold the best elements so far, in order;
// an element that beats the last of them is inserted.
#include "compiler/Dialect/Ferrule/IR/FerruleLoops.h"

using namespace mlir;
using namespace ferrule::ext;

/// An integer whose signed order is the total order of the floats.
static Value totalOrderKey(LoopBuilder &b, Value value) {
  auto type = cast<FloatType>(value.getType());
  Type bits = b.getIntegerType(type.getWidth());
  Value raw = arith::BitcastOp::create(b, bits, value);
  Value sign = arith::ShRSIOp::create(
      b, raw,
      arith::ConstantOp::create(b, b.getIntegerAttr(bits, type.getWidth() - 1)));
  // Negative numbers have all bits but the sign flipped.
  Value mask = arith::ShRUIOp::create(
      b, sign, arith::ConstantOp::create(b, b.getIntegerAttr(bits, 1)));
  return arith::XOrIOp::create(b, raw, mask);
}

static Value greater(LoopBuilder &b, Value x, Value y, bool isUnsigned) {
  if (isa<FloatType>(x.getType())) {
    x = totalOrderKey(b, x);
    y = totalOrderKey(b, y);
  }
  return arith::CmpIOp::create(b,
                               isUnsigned ? arith::CmpIPredicate::ugt
                                          : arith::CmpIPredicate::sgt,
                               x, y);
}

/// Moves smaller entries down from `last` and returns the free place.
static Value makeRoom(LoopBuilder &b, Value last, Value value, bool isUnsigned,
                      ValueRange outs, SmallVector<Value> at, int64_t d) {
  Value zero = b.index(0), one = b.index(1);
  auto place = [&](Value i) {
    at[d] = i;
    return at;
  };
  SmallVector<Value> found = b.whileLoop(
      last,
      [&](ValueRange i) {
        return b.both(b.less(zero, i[0]), [&] {
          Value above = b.load(outs[0], place(b.sub(i[0], one)));
          return greater(b, value, above, isUnsigned);
        });
      },
      [&](ValueRange i) -> SmallVector<Value> {
        Value above = b.sub(i[0], one);
        for (Value out : outs)
          b.store(b.load(out, place(above)), out, place(i[0]));
        return {above};
      });
  return found[0];
}

LogicalResult TopKOp::emitLoops(RewriterBase &rewriter) {
  LoopBuilder b(getLoc(), rewriter);
  Value input = getInputs()[0];
  ValueRange outs = getOutputs();
  int64_t d = getDimension();
  Type indexType = cast<MemRefType>(outs[1].getType()).getElementType();
  b.loopOver(input, getBatchDims(*this), [&](SmallVector<Value> at) {
    Value k = b.dim(outs[0], d), one = b.index(1);
    auto consider = [&](Value i, Value lastPlace) {
      at[d] = i;
      Value value = b.load(input, at);
      Value place =
          makeRoom(b, lastPlace, value, getIsUnsigned(), outs, at, d);
      at[d] = place;
      b.store(value, outs[0], at);
      b.store(arith::IndexCastOp::create(b, indexType, i), outs[1], at);
    };
    // The first k elements fill the outs, the others must beat the last one.
    b.loop(b.index(0), k, [&](Value i) { consider(i, i); });
    Value last = b.sub(k, one);
    b.loop(k, b.dim(input, d), [&](Value i) {
      b.when(b.less(b.index(0), k), [&] {
        SmallVector<Value> from(at), worst(at);
        from[d] = i;
        worst[d] = last;
        Value beats = greater(b, b.load(input, from), b.load(outs[0], worst),
                              getIsUnsigned());
        b.when(beats, [&] { consider(i, last); });
      });
    });
  });
  return success();
}
