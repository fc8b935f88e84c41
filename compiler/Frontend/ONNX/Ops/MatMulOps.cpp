// Products of matrices and Einstein sums.
#include "compiler/Frontend/ONNX/NodeContext.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Linear.h"
#include "compiler/Frontend/Support/Reduction.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// Whether the contracted sizes of a matmul can be equal.
static LogicalResult checkInner(NodeContext &op, int64_t k1, int64_t k2) {
  if (ShapedType::isStatic(k1) && ShapedType::isStatic(k2) && k1 != k2)
    return op.error() << "found inner sizes " << k1 << " and " << k2
                      << " of the inputs " << typeOf(op.input(0)) << " and "
                      << typeOf(op.input(1)) << ", expected equal ones";
  return success();
}

static LogicalResult importMatMul(NodeContext &op) {
  Value x = op.input(0), y = op.input(1);
  if (rankOf(x) == 0 || rankOf(y) == 0)
    return op.error() << "found inputs " << typeOf(x) << " and " << typeOf(y)
                      << ", expected rank 1 at least";
  if (failed(checkInner(
          op, typeOf(x).getShape().back(),
          typeOf(y).getDimSize(std::max<int64_t>(rankOf(y) - 2, 0)))))
    return failure();
  return op.result(matmul(op.b, x, y));
}

static LogicalResult importGemm(NodeContext &op) {
  Value x = op.input(0), y = op.input(1);
  bool tx = op.intAttr("transA", 0), ty = op.intAttr("transB", 0);
  if (rankOf(x) != 2 || rankOf(y) != 2)
    return op.error() << "found inputs " << typeOf(x) << " and " << typeOf(y)
                      << ", expected matrices";
  if (failed(checkInner(op, typeOf(x).getDimSize(tx ? 0 : 1),
                        typeOf(y).getDimSize(ty ? 1 : 0))))
    return failure();
  return op.result(gemm(op.b, x, y, op.input(2), op.floatAttr("alpha", 1),
                        op.floatAttr("beta", 1), tx, ty));
}

static LogicalResult importFusedMatMul(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0), y = op.input(1);
  // The batch dimensions stand between the two of the matrix.
  if (op.intAttr("transBatchA", 0))
    x = moveDim(b, x, 0, rankOf(x) - 2);
  if (op.intAttr("transBatchB", 0))
    y = moveDim(b, y, 0, rankOf(y) - 2);
  if (op.intAttr("transA", 0))
    x = swapDims(b, x, rankOf(x) - 2, rankOf(x) - 1);
  if (op.intAttr("transB", 0))
    y = swapDims(b, y, rankOf(y) - 2, rankOf(y) - 1);
  Value result = matmul(b, x, y);
  double alpha = op.floatAttr("alpha", 1);
  return op.result(alpha == 1 ? result : mul(b, result, alpha));
}

namespace {
/// An operand of an Einstein sum: its value and a letter for each dimension.
struct Term {
  Value value;
  std::string letters;
};
} // namespace

/// The diagonal where a letter stands twice in one term.
static void takeDiagonals(HloBuilder &b, Term &term) {
  for (size_t i = 0; i < term.letters.size(); ++i) {
    size_t j = term.letters.find(term.letters[i], i + 1);
    if (j == std::string::npos)
      continue;
    // Zero off the diagonal, then sum over the second dimension.
    Sizes sizes = sizesOf(b, term.value);
    Value row = iota(b, sizes, i, b.getI64Type());
    Value column = iota(b, sizes, j, b.getI64Type());
    Value kept = select(b, compare(b, Direction::EQ, row, column), term.value,
                        fullLike(b, term.value, 0));
    term.value =
        reduceSum(b, kept, {static_cast<int64_t>(j)}, /*keepDims=*/false);
    term.letters.erase(j, 1);
    --i;
  }
}

/// Sums over the letters of a term that stand nowhere else.
static void dropLetters(HloBuilder &b, Term &term, StringRef kept) {
  SmallVector<int64_t> dims;
  std::string letters;
  for (auto [i, letter] : llvm::enumerate(term.letters)) {
    if (kept.contains(letter))
      letters += letter;
    else
      dims.push_back(i);
  }
  if (!dims.empty())
    term.value = reduceSum(b, term.value, dims, /*keepDims=*/false);
  term.letters = letters;
}

/// Contracts two terms; letters in `kept` survive.
static Term contractTerms(HloBuilder &b, Term x, Term y, StringRef kept) {
  dropLetters(b, x, kept.str() + y.letters);
  dropLetters(b, y, kept.str() + x.letters);
  SmallVector<int64_t> xBatch, yBatch, xSum, ySum;
  std::string batch, xRest, yRest;
  for (auto [i, letter] : llvm::enumerate(x.letters)) {
    size_t j = y.letters.find(letter);
    bool shared = j != std::string::npos, survives = kept.contains(letter);
    if (!shared) {
      xRest += letter;
    } else if (survives) {
      xBatch.push_back(i);
      yBatch.push_back(j);
      batch += letter;
    } else {
      xSum.push_back(i);
      ySum.push_back(j);
    }
  }
  for (char letter : y.letters)
    if (x.letters.find(letter) == std::string::npos)
      yRest += letter;
  Value value = contract(b, x.value, y.value, xBatch, yBatch, xSum, ySum);
  return {value, batch + xRest + yRest};
}

/// Splits an equation into terms; an ellipsis becomes capital letters that
/// stand for its dimensions, counted from the last.
static std::string expandEllipsis(StringRef term, int64_t rank) {
  std::string letters;
  for (char c : term)
    if (!llvm::isSpace(c))
      letters += c;
  size_t dots = letters.find("...");
  if (dots == std::string::npos)
    return letters;
  int64_t count = rank - (static_cast<int64_t>(letters.size()) - 3);
  std::string dims;
  for (int64_t i = std::max<int64_t>(count, 0); i > 0; --i)
    dims += static_cast<char>('\x80' + i);
  return letters.replace(dots, 3, dims);
}

/// The result's letters where the equation names none: those that stand once,
/// in order, after the ellipsis.
static std::string implicitResult(ArrayRef<Term> terms) {
  std::string all, once;
  for (const Term &term : terms)
    all += term.letters;
  std::string sorted = all, dots;
  llvm::sort(sorted, [](char a, char c) {
    return static_cast<unsigned char>(a) < static_cast<unsigned char>(c);
  });
  for (char letter : sorted) {
    bool isDot = static_cast<unsigned char>(letter) >= 0x80;
    if (isDot && dots.find(letter) == std::string::npos)
      dots.insert(dots.begin(), letter);
    else if (!isDot && llvm::count(all, letter) == 1)
      once += letter;
  }
  return dots + once;
}

static LogicalResult importEinsum(NodeContext &op) {
  HloBuilder &b = op.b;
  auto [left, right] = op.stringAttr("equation", "").split("->");
  bool isExplicit = op.stringAttr("equation", "").contains("->");
  SmallVector<StringRef> parts;
  left.split(parts, ',');
  if (parts.size() != op.numInputs())
    return op.error() << "found " << op.numInputs() << " inputs for equation '"
                      << op.stringAttr("equation", "") << "', expected "
                      << parts.size();
  SmallVector<Term> terms;
  size_t most = 0;
  for (auto [i, part] : llvm::enumerate(parts)) {
    Term term{op.input(i), expandEllipsis(part, rankOf(op.input(i)))};
    if (int64_t(term.letters.size()) != rankOf(term.value))
      return op.error() << "found input " << typeOf(term.value)
                        << " for the term '" << part << "', expected a rank of "
                        << term.letters.size();
    most = std::max<size_t>(most, llvm::count_if(term.letters, [](char c) {
                              return static_cast<unsigned char>(c) >= 0x80;
                            }));
    takeDiagonals(b, term);
    terms.push_back(term);
  }
  std::string result =
      isExplicit ? expandEllipsis(right, most + right.size() -
                                             (right.contains("...") ? 3 : 0) -
                                             right.count(' '))
                 : implicitResult(terms);
  Term total = terms[0];
  for (size_t i = 1; i < terms.size(); ++i) {
    std::string kept = result;
    for (size_t j = i + 1; j < terms.size(); ++j)
      kept += terms[j].letters;
    total = contractTerms(b, total, terms[i], kept);
  }
  dropLetters(b, total, result);
  SmallVector<int64_t> permutation;
  for (char letter : result)
    permutation.push_back(total.letters.find(letter));
  if (permutation.size() != total.letters.size() ||
      llvm::is_contained(permutation, -1))
    return op.error() << "found equation '" << op.stringAttr("equation", "")
                      << "', expected result letters that stand on the left";
  return op.result(transpose(b, total.value, permutation));
}

void ferrule::onnx::registerMatMulOps(Registry &r) {
  r.add("MatMul", importMatMul);
  r.add("Gemm", importGemm);
  r.add("Einsum", importEinsum);
  r.add(microsoft, "FusedMatMul", importFusedMatMul);
  r.add(microsoft, "TransposeMatMul", importFusedMatMul);
}
