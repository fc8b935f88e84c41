#include "compiler/Frontend/Support/Folding.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Indexing.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

Value frontend::foldWindows(HloBuilder &b, Value x, ArrayRef<int64_t> image,
                            PoolingSpec spec) {
  int64_t rank = image.size(), kernel = 1;
  spec.complete(rank);
  for (int64_t size : spec.kernel)
    kernel *= size;
  Sizes split = {sizeOf(b, x, 0), floorDiv(b, sizeOf(b, x, 1), kernel)};
  Sizes padded = split;
  SmallVector<Value> rows(2);
  // [N, C, k1, k2 ..., o1, o2 ...] -> [N, C, k1, o1, k2, o2 ...].
  SmallVector<int64_t> permutation = {0, 1}, windows;
  split.append(spec.kernel.begin(), spec.kernel.end());
  for (int64_t d = 0; d < rank; ++d) {
    int64_t full = image[d] + spec.padLow[d] + spec.padHigh[d];
    int64_t reach = spec.dilations[d] * (spec.kernel[d] - 1) + 1;
    windows.push_back((full - reach) / spec.strides[d] + 1);
    split.push_back(windows.back());
    padded.push_back(full);
    permutation.append({2 + d, 2 + rank + d});
  }
  for (int64_t d = 0; d < rank; ++d) {
    SmallVector<int64_t> list;
    for (int64_t k = 0; k < spec.kernel[d]; ++k)
      for (int64_t i = 0; i < windows[d]; ++i)
        list.push_back(k * spec.dilations[d] + i * spec.strides[d]);
    SmallVector<int64_t> shape = {spec.kernel[d], windows[d]};
    shape.append(2 * (rank - 1 - d), 1);
    rows.push_back(reshape(b, constantI64(b, list), toSizes(shape)));
  }
  Value parts = transpose(b, reshape(b, x, split), permutation);
  Value sum = advancedIndexPut(b, full(b, padded, elementOf(x), 0), rows, parts,
                               Combine::Add);
  for (int64_t d = 0; d < rank; ++d)
    sum = slice(b, sum, 2 + d, spec.padLow[d], spec.padLow[d] + image[d]);
  return sum;
}
