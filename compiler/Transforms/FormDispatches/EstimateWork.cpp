// What a kernel computes, told to profiles: names of its operations, and how
// many floating-point operations and bytes a launch takes, as expressions over
// the sizes of its arguments.
#include "compiler/Transforms/FormDispatches/FormDispatches.h"
#include "compiler/Transforms/FuseElementwise/FuseElementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ferrule;

namespace {

/// A product of a number and sizes that are known at run time only.
struct Term {
  int64_t number = 1;
  SmallVector<std::string> sizes;

  Term &operator*=(const Term &other) {
    number *= other.number;
    llvm::append_range(sizes, other.sizes);
    return *this;
  }
};

/// A sum of terms; equal products are one.
class Sum {
public:
  void add(Term term) {
    llvm::sort(term.sizes);
    terms[term.sizes] += term.number;
  }
  void setUnknown() { known = false; }
  std::string text() const;

private:
  std::map<SmallVector<std::string>, int64_t> terms;
  bool known = true;
};

std::string Sum::text() const {
  if (!known)
    return "";
  std::string result;
  for (const auto &[sizes, number] : terms) {
    if (number == 0)
      continue;
    result += result.empty() ? "" : " + ";
    result += std::to_string(number);
    for (const std::string &size : sizes)
      result += " * " + size;
  }
  return result.empty() ? "0" : result;
}

class WorkEstimator {
public:
  explicit WorkEstimator(func::FuncOp kernel) : kernel(kernel) {}
  byre::WorkAttr run();

private:
  std::optional<Term> size(Value tensor, unsigned dim);
  std::optional<Term> size(OpFoldResult value);
  std::optional<Term> elements(Value tensor);
  std::optional<Term> iterations(linalg::LinalgOp op);
  void addFlops(Operation *op);
  void addBytes(BlockArgument argument);
  void addTraffic(std::optional<Term> elements, Type element);

  func::FuncOp kernel;
  Sum flops, bytes;
};

/// Sizes are found through operations that keep them; others are unknown.
std::optional<Term> WorkEstimator::size(Value tensor, unsigned dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return Term{type.getDimSize(dim), {}};
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    if (argument.getOwner() != &kernel.getBody().front())
      return std::nullopt;
    return Term{1,
                {"b" + std::to_string(argument.getArgNumber()) + "d" +
                 std::to_string(dim)}};
  }
  Operation *op = tensor.getDefiningOp();
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return size(OpFoldResult(empty.getDynamicSize(dim)));
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return size(cast.getSource(), dim);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    if (slice.getSourceType().getRank() == type.getRank())
      return size(slice.getMixedSizes()[dim]);
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return size(destination.getTiedOpOperand(cast<OpResult>(tensor))->get(),
                dim);
  return std::nullopt;
}

std::optional<Term> WorkEstimator::size(OpFoldResult value) {
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return Term{*number, {}};
  auto dynamic = cast<Value>(value);
  if (auto argument = dyn_cast<BlockArgument>(dynamic)) {
    // Scalars follow the buffers.
    unsigned first = llvm::count_if(kernel.getArgumentTypes(),
                                    llvm::IsaPred<RankedTensorType>);
    return Term{1, {"s" + std::to_string(argument.getArgNumber() - first)}};
  }
  Operation *op = dynamic.getDefiningOp();
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    if (std::optional<int64_t> index = dim.getConstantIndex())
      return size(dim.getSource(), *index);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return size(OpFoldResult(op->getOperand(0)));
  if (isa<arith::MulIOp>(op)) {
    std::optional<Term> product = size(OpFoldResult(op->getOperand(0)));
    std::optional<Term> factor = size(OpFoldResult(op->getOperand(1)));
    if (product && factor)
      return *product *= *factor;
  }
  return std::nullopt;
}

std::optional<Term> WorkEstimator::elements(Value tensor) {
  Term product;
  for (int64_t d = 0; d < cast<RankedTensorType>(tensor.getType()).getRank();
       ++d) {
    std::optional<Term> factor = size(tensor, d);
    if (!factor)
      return std::nullopt;
    product *= *factor;
  }
  return product;
}

/// How often the body of `op` runs.
std::optional<Term> WorkEstimator::iterations(linalg::LinalgOp op) {
  SmallVector<std::optional<Term>> loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (auto [d, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        if (!loops[loop.getPosition()])
          loops[loop.getPosition()] = size(operand.get(), d);
  }
  Term product;
  for (const std::optional<Term> &loop : loops) {
    if (!loop)
      return std::nullopt;
    product *= *loop;
  }
  return product;
}

/// Operations on elements; those that move, compare, select or convert are
/// free, and so is arithmetic on indices.
bool isArithmetic(Operation *op) {
  if (isa<math::MathDialect, complex::ComplexDialect>(op->getDialect()))
    return !isa<complex::CreateOp, complex::ReOp, complex::ImOp,
                complex::ConstantOp>(op);
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::RemFOp, arith::NegFOp, arith::MaximumFOp,
             arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op) ||
         (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) &&
          !op->getResult(0).getType().isIndex());
}

/// The name of an operation on elements without the letter of its type.
std::string shortName(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (isa<arith::ArithDialect>(op->getDialect()) && name.size() > 2 &&
      (name.ends_with("f") || name.ends_with("i")))
    name = name.drop_back();
  return name.str();
}

std::string joinElementNames(linalg::LinalgOp op) {
  SmallVector<std::string> names;
  op.getBlock()->walk([&](Operation *element) {
    bool isKept = isArithmetic(element) ||
                  isa<arith::CmpFOp, arith::CmpIOp, arith::SelectOp>(element);
    if (isKept && !llvm::is_contained(names, shortName(element)))
      names.push_back(shortName(element));
  });
  if (names.empty())
    return op.hasIndexSemantics() ? "index" : "copy";
  return llvm::join(names, ", ");
}

std::string describe(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !isa<linalg::GenericOp>(op))
    return op->getName().stripDialect().str();
  if (isContractionLike(structured))
    return linalg::isaConvolutionOpInterface(structured) ? "convolution"
                                                         : "contraction";
  std::string names = joinElementNames(structured);
  if (structured.getNumReductionLoops() > 0)
    return "reduce(" + names + ")";
  return names;
}

void WorkEstimator::addFlops(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured) {
    // What is not of linalg moves data, or tells nothing of what it does.
    if (!isa<tensor::TensorDialect>(op->getDialect()) &&
        !isa<linalg::PackOp, linalg::UnPackOp>(op))
      flops.setUnknown();
    return;
  }
  int64_t count = 0;
  structured.getBlock()->walk([&](Operation *element) {
    count += isa<math::FmaOp>(element) ? 2 : isArithmetic(element);
  });
  if (count == 0)
    return;
  std::optional<Term> term = iterations(structured);
  if (!term)
    return flops.setUnknown();
  term->number *= count;
  flops.add(*term);
}

void WorkEstimator::addTraffic(std::optional<Term> elements, Type element) {
  std::optional<int64_t> bits = byre::getStoredBits(element);
  if (!elements || !bits)
    return bytes.setUnknown();
  elements->number = elements->number * *bits / 8;
  bytes.add(*elements);
}

/// All of an argument is read or written, unless it is only picked from.
void WorkEstimator::addBytes(BlockArgument argument) {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!type)
    return;
  SmallVector<std::optional<Term>> parts;
  for (OpOperand &use : argument.getUses()) {
    Operation *user = use.getOwner();
    if (isa<tensor::DimOp>(user))
      continue;
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    auto insert = dyn_cast<tensor::InsertSliceOp>(user);
    if (slice) {
      parts.push_back(elements(slice.getResult()));
    } else if (insert && insert.getDest() == argument) {
      parts.push_back(elements(insert.getSource()));
    } else if (isa<tensor::ExtractOp>(user)) {
      auto around = user->getParentOfType<linalg::LinalgOp>();
      parts.push_back(around ? iterations(around) : Term());
    } else {
      return addTraffic(elements(argument), type.getElementType());
    }
  }
  for (std::optional<Term> &part : parts)
    addTraffic(part, type.getElementType());
}

byre::WorkAttr WorkEstimator::run() {
  SmallVector<std::string> names;
  for (Operation &op : kernel.getBody().front()) {
    if (!isComputeOp(&op) || isa<linalg::FillOp>(op))
      continue;
    addFlops(&op);
    // Slices only say where; they are named when there is nothing else.
    if (!isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
      names.push_back(describe(&op));
  }
  for (BlockArgument argument : kernel.getArguments())
    addBytes(argument);
  if (names.empty())
    names.push_back("copy");
  return byre::WorkAttr::get(kernel.getContext(), llvm::join(names, " + "),
                             flops.text(), bytes.text());
}

} // namespace

void ferrule::estimateWork(ModuleOp module) {
  llvm::StringMap<byre::WorkAttr> known;
  for (auto kernel : module.getOps<func::FuncOp>())
    if (byre::isKernel(kernel) && !kernel.isExternal())
      known[kernel.getName()] = WorkEstimator(kernel).run();
  module.walk([&](byre::DispatchOp dispatch) {
    if (byre::WorkAttr work = known.lookup(dispatch.getKernel()))
      dispatch->setAttr(byre::kWorkAttr, work);
  });
}
