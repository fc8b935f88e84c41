// From scf.forall to a range of workgroups.
#include "compiler/Target/CPU/LowerKernels/LowerKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ferrule;

/// Replaces one loop by those of its workgroups that lie in [first, last);
/// they are numbered from `base`. Returns the number after its last one.
static Value lowerLoop(RewriterBase &rewriter, scf::ForallOp loop, Value base,
                       Value first, Value last) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> counts;
  SmallVector<Value> steps;
  Value total;
  for (auto [size, step] :
       llvm::zip_equal(loop.getMixedUpperBound(), loop.getMixedStep())) {
    Value bound = getValueOrCreateConstantIndexOp(rewriter, loc, size);
    Value stride = getValueOrCreateConstantIndexOp(rewriter, loc, step);
    Value count =
        rewriter.createOrFold<arith::CeilDivUIOp>(loc, bound, stride);
    counts.push_back(count);
    steps.push_back(stride);
    total = total ? rewriter.createOrFold<arith::MulIOp>(loc, total, count)
                  : count;
  }
  Value end = total;
  Value from = first;
  Value to = last;
  if (base) {
    end = arith::AddIOp::create(rewriter, loc, base, total);
    from = arith::MaxUIOp::create(rewriter, loc, first, base);
  }
  to = arith::MinUIOp::create(rewriter, loc, last, end);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  auto range = scf::ForOp::create(rewriter, loc, from, to, one);
  rewriter.setInsertionPointToStart(range.getBody());
  Value rest = range.getInductionVar();
  if (base)
    rest = arith::SubIOp::create(rewriter, loc, rest, base);
  SmallVector<Value> indices(counts.size());
  for (unsigned i = counts.size(); i-- > 0;) {
    Value position = rest;
    if (i) {
      position = arith::RemUIOp::create(rewriter, loc, rest, counts[i]);
      rest = arith::DivUIOp::create(rewriter, loc, rest, counts[i]);
    }
    indices[i] =
        rewriter.createOrFold<arith::MulIOp>(loc, position, steps[i]);
  }
  rewriter.eraseOp(loop.getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), range.getBody()->getTerminator(),
                             indices);
  rewriter.eraseOp(loop);
  return end;
}

void cpu::lowerWorkgroups(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  Value base;
  for (scf::ForallOp loop : llvm::make_early_inc_range(
           kernel.getBody().front().getOps<scf::ForallOp>()))
    base = lowerLoop(rewriter, loop, base, kernel.getArgument(kFirst),
                     kernel.getArgument(kLast));
}
