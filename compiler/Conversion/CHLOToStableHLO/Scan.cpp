// scan: a loop over slices.
#include "compiler/Conversion/CHLOToStableHLO/Patterns.h"
#include "compiler/Frontend/Support/ColumnLoop.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reshape.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace ferrule::frontend;

namespace ferrule::chlo {

/// The body's results for the given slices and carried values.
static SmallVector<Value> inlineBody(HloBuilder &b, Block &body,
                                     ValueRange arguments) {
  IRMapping mapping;
  for (auto [argument, value] : llvm::zip(body.getArguments(), arguments))
    mapping.map(
        argument,
        refineType(b, value, cast<RankedTensorType>(argument.getType())));
  for (Operation &op : body.without_terminator())
    b.clone(op, mapping);
  return llvm::map_to_vector(
      body.getTerminator()->getOperands(),
      [&](Value result) { return mapping.lookupOrDefault(result); });
}

namespace {

struct ScanLowering : OpRewritePattern<ScanOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScanOp op,
                                PatternRewriter &rewriter) const override {
    HloBuilder b(op.getLoc(), rewriter);
    int64_t dim = op.getDimension();
    unsigned inputs = op.getInputs().size(), carries = op.getInits().size();
    unsigned outputs = op.getOutputs().size();
    Block &source = op.getBody().front();
    auto isRanked = [](Type type) { return isa<RankedTensorType>(type); };
    if (!llvm::all_of(op->getOperandTypes(), isRanked) ||
        !llvm::all_of(op->getResultTypes(), isRanked))
      return rewriter.notifyMatchFailure(op, "unranked operand or result");
    if (inputs == 0)
      return rewriter.notifyMatchFailure(op, "no input has the size");
    if (source.getNumArguments() != inputs + carries ||
        source.getTerminator()->getNumOperands() != outputs + carries)
      return rewriter.notifyMatchFailure(op, "the body has another signature");
    Size count = sizeOf(b, op.getInputs()[0], dim);
    SmallVector<Value> inits(op.getInits());
    for (Value output : op.getOutputs()) {
      FailureOr<Value> empty = emptyOutput(b, op, output, count);
      if (failed(empty))
        return rewriter.notifyMatchFailure(op, "an output's size is unknown");
      inits.push_back(*empty);
    }
    Value last = sub(b, count.materialize(b), 1.0);
    SmallVector<Value> results = columnLoop(
        b, count, inits, [&](HloBuilder &body, Value i, ValueRange state) {
          if (op.getIsReverse())
            i = sub(body, last, i);
          SmallVector<Value> arguments;
          for (Value input : op.getInputs())
            arguments.push_back(selectIndex(body, input, dim, Size(i)));
          llvm::append_range(arguments, state.take_front(carries));
          auto values = inlineBody(body, source, arguments);
          SmallVector<Value> next(ArrayRef(values).drop_front(outputs));
          for (unsigned k = 0; k < outputs; ++k)
            next.push_back(
                putIndex(body, state[carries + k], values[k], dim, Size(i)));
          return next;
        });
    SmallVector<Value> ordered(ArrayRef(results).drop_front(carries));
    llvm::append_range(ordered, ArrayRef(results).take_front(carries));
    for (auto [value, own] : llvm::zip(ordered, op->getResults()))
      value = refineType(b, value, cast<RankedTensorType>(own.getType()));
    rewriter.replaceOp(op, ordered);
    return success();
  }

private:
  /// Sizes of the slices that are not known are those of the first input.
  static FailureOr<Value> emptyOutput(HloBuilder &b, ScanOp op, Value output,
                                      Size count) {
    RankedTensorType type = typeOf(output);
    Value like = op.getInputs()[0];
    Sizes sizes;
    for (int64_t d = 0; d < type.getRank(); ++d) {
      if (d == op.getDimension())
        sizes.push_back(count);
      else if (!type.isDynamicDim(d))
        sizes.push_back(type.getDimSize(d));
      else if (rankOf(like) == type.getRank())
        sizes.push_back(sizeOf(b, like, d));
      else
        return failure();
    }
    return full(b, sizes, type.getElementType(), 0);
  }
};

} // namespace

void addScanPatterns(RewritePatternSet &patterns) {
  patterns.add<ScanLowering>(patterns.getContext());
}

} // namespace ferrule::chlo
