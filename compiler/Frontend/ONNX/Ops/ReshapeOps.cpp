// Ops that rearrange elements without computing on them.
#include "compiler/Frontend/ONNX/SmallTensors.h"
#include "compiler/Frontend/Support/Elementwise.h"
#include "compiler/Frontend/Support/Reshape.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::onnx;
using namespace ferrule::frontend;

/// The elements of x under other sizes; small tensors and constants fold.
static Value reshaped(HloBuilder &b, Value x, ArrayRef<Size> sizes) {
  if (allStatic(sizes)) {
    SmallVector<int64_t> shape = staticShape(sizes);
    auto type = RankedTensorType::get(shape, elementOf(x));
    auto attr = dyn_cast_or_null<DenseElementsAttr>(constantAttr(x));
    bool wild = llvm::is_contained(shape, -1);
    if (attr && !wild && type.getNumElements() == attr.getNumElements())
      return constant(b, attr.reshape(type));
    if (!wild && isSmall(x) && shape.size() <= 1)
      return fromElements(b, elementsOf(b, x), elementOf(x), shape.size());
  }
  return frontend::reshape(b, x, sizes);
}

/// Sizes that hold a 0 or -1 only at run time, made plain there.
static void resolveAtRunTime(HloBuilder &b, Value x, Sizes &sizes,
                             bool allowZero) {
  for (auto [i, size] : llvm::enumerate(sizes))
    if (!size.isStatic() && !allowZero && int64_t(i) < rankOf(x))
      size = orElse(b, size, 0, sizeOf(b, x, i));
  Size known = 1;
  for (Size size : sizes)
    known = frontend::mul(b, known, orElse(b, size, -1, 1));
  Size total = numElements(b, x);
  Size missing = frontend::floorDiv(b, total, frontend::maximum(b, known, 1));
  for (Size &size : sizes)
    size = orElse(b, size, -1, missing);
}

static LogicalResult importReshape(NodeContext &op) {
  Value x = op.input(0);
  FailureOr<Sizes> wanted = toSizes(op.intsAttr("shape"));
  if (op.has(1))
    wanted = sizesInput(op, 1, "shape");
  if (failed(wanted))
    return failure();
  bool allowZero = op.intAttr("allowzero", 0);
  Sizes sizes = *wanted;
  int64_t wild = 0;
  bool special = false;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    wild += size.is(-1);
    // What is computed from sizes is no 0 or -1 with a special meaning.
    special |= !size.isStatic() && !isFromSizes(size.getScalar());
    if (!size.is(0) || allowZero)
      continue;
    if (int64_t(i) >= rankOf(x))
      return op.error() << "found a 0 at place " << i
                        << " of the shape, expected at most " << rankOf(x)
                        << " places for the input " << typeOf(x);
    size = sizeOf(op.b, x, i);
  }
  if (wild > 1)
    return op.error() << "found " << wild
                      << " sizes of -1 in the shape, expected at most one";
  if (special)
    resolveAtRunTime(op.b, x, sizes, allowZero);
  if (typeOf(x).hasStaticShape() && allStatic(sizes)) {
    int64_t known = 1;
    for (Size size : sizes)
      known *= size.is(-1) ? 1 : size.getStatic();
    int64_t count = typeOf(x).getNumElements();
    if (wild ? known == 0 ? count != 0 : count % known != 0 : count != known)
      return op.error() << "found shape [" << staticShape(*wanted)
                        << "] for the input " << typeOf(x) << ", expected "
                        << count << " elements";
    for (Size &size : sizes)
      if (size.is(-1))
        size = known == 0 ? 0 : count / known;
  }
  return op.result(reshaped(op.b, x, sizes));
}

static LogicalResult importFlatten(NodeContext &op) {
  Value x = op.input(0);
  int64_t rank = rankOf(x), axis = op.intAttr("axis", 1);
  axis = axis < 0 ? axis + rank : axis;
  if (axis < 0 || axis > rank)
    return op.error() << "found axis " << axis << ", expected at most " << rank;
  Sizes sizes = sizesOf(op.b, x);
  Size outer = product(op.b, ArrayRef(sizes).take_front(axis));
  Size inner = product(op.b, ArrayRef(sizes).drop_front(axis));
  return op.result(reshaped(op.b, x, {outer, inner}));
}

/// The axes of Squeeze and Unsqueeze: an attribute before opset 13, an input
/// since. Nothing when they are absent.
static FailureOr<std::optional<SmallVector<int64_t>>> axesOf(NodeContext &op,
                                                             int64_t rank) {
  bool isDynamic = false;
  auto axes = op.constantList(1, "axes", &isDynamic);
  if (isDynamic)
    return op.error() << "found axes computed at run time, expected constants";
  if (axes)
    for (int64_t &axis : *axes) {
      auto wrapped = op.axis(axis, rank);
      if (failed(wrapped))
        return failure();
      axis = *wrapped;
    }
  return axes;
}

static LogicalResult importSqueeze(NodeContext &op) {
  Value x = op.input(0);
  auto axes = axesOf(op, rankOf(x));
  if (failed(axes))
    return failure();
  SmallVector<int64_t> dims = axes->value_or(SmallVector<int64_t>());
  if (!*axes)
    for (auto [i, size] : llvm::enumerate(typeOf(x).getShape())) {
      if (ShapedType::isDynamic(size))
        return op.error() << "found no axes and input " << typeOf(x)
                          << ", expected static sizes or axes";
      if (size == 1)
        dims.push_back(i);
    }
  Sizes kept;
  for (int64_t i = 0; i < rankOf(x); ++i) {
    int64_t size = typeOf(x).getDimSize(i);
    bool removed = llvm::is_contained(dims, i);
    if (removed && ShapedType::isStatic(size) && size != 1)
      return op.error() << "found size " << size << " at axis " << i
                        << ", expected 1";
    if (!removed)
      kept.push_back(sizeOf(op.b, x, i));
  }
  return op.result(reshaped(op.b, x, kept));
}

static LogicalResult importUnsqueeze(NodeContext &op) {
  Value x = op.input(0);
  bool isDynamic = false;
  auto given = op.constantList(1, "axes", &isDynamic);
  int64_t rank = rankOf(x) + (given ? given->size() : 0);
  auto axes = axesOf(op, rank);
  if (failed(axes))
    return failure();
  if (!*axes)
    return op.error() << "found no axes, expected them";
  if (isSmall(x) && rankOf(x) == 0 && rank == 1)
    return op.result(reshaped(op.b, x, {Size(1)}));
  if (constantAttr(x) && typeOf(x).getNumElements() <= 64) {
    SmallVector<int64_t> shape;
    for (int64_t i = 0, next = 0; i < rank; ++i)
      shape.push_back(
          llvm::is_contained(**axes, i) ? 1 : typeOf(x).getDimSize(next++));
    return op.result(reshaped(op.b, x, toSizes(shape)));
  }
  return op.result(unsqueeze(op.b, x, **axes));
}

static LogicalResult importTranspose(NodeContext &op) {
  Value x = op.input(0);
  int64_t rank = rankOf(x);
  SmallVector<int64_t> perm = op.intsAttr("perm");
  if (!op.hasAttr("perm"))
    perm = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
  SmallVector<bool> seen(rank, false);
  for (int64_t &dim : perm) {
    auto wrapped = op.axis(dim, rank);
    if (failed(wrapped))
      return failure();
    dim = *wrapped;
    seen[dim] = true;
  }
  if (int64_t(perm.size()) != rank ||
      !llvm::all_of(seen, [](bool s) { return s; }))
    return op.error() << "found perm [" << perm
                      << "], expected a permutation of " << rank
                      << " dimensions";
  SmallVector<int64_t> shape, inverse(rank);
  for (auto [i, dim] : llvm::enumerate(perm)) {
    shape.push_back(typeOf(x).getDimSize(dim));
    inverse[dim] = i;
  }
  if (typeOf(x).hasStaticShape())
    if (Value known = rearrangeConstant(
            op.b, x, shape, [&](ArrayRef<int64_t> place, int64_t dim) {
              return place[inverse[dim]];
            }))
      return op.result(known);
  return op.result(transpose(op.b, x, perm));
}

/// Constants of rank 1 as one constant; null when one is not.
static Value concatConstants(HloBuilder &b, ArrayRef<Value> values) {
  SmallVector<mlir::Attribute> elements;
  for (Value value : values) {
    auto attr = dyn_cast_or_null<DenseElementsAttr>(constantAttr(value));
    if (!attr || rankOf(value) != 1 || attr.getNumElements() > 64)
      return {};
    llvm::append_range(elements, attr.getValues<mlir::Attribute>());
  }
  auto type =
      RankedTensorType::get({int64_t(elements.size())}, elementOf(values[0]));
  return constant(b, DenseElementsAttr::get(type, elements));
}

static LogicalResult importConcat(NodeContext &op) {
  SmallVector<Value> values = op.inputs();
  if (values.empty())
    return op.error() << "found no inputs, expected at least one";
  auto axis =
      op.axis(op.intAttr("axis", op.opset < 4 ? 1 : 0), rankOf(values[0]));
  if (failed(axis))
    return failure();
  for (Value value : values)
    if (rankOf(value) != rankOf(values[0]) ||
        elementOf(value) != elementOf(values[0]))
      return op.error() << "found inputs " << typeOf(values[0]) << " and "
                        << typeOf(value)
                        << ", expected equal ranks and element types";
  int64_t count = 0;
  for (Value value : values)
    count += isSmall(value) ? typeOf(value).getNumElements() : 0;
  if (areSmall(values) && count <= 16) {
    Sizes elements;
    for (Value value : values)
      llvm::append_range(elements, elementsOf(op.b, value));
    return op.result(fromElements(op.b, elements, elementOf(values[0]), 1));
  }
  if (Value folded = concatConstants(op.b, values))
    return op.result(folded);
  return op.result(values.size() == 1 ? values[0]
                                      : concat(op.b, values, *axis));
}

static LogicalResult importExpand(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  auto shape = sizesInput(op, 1, "shape");
  if (failed(shape))
    return failure();
  Sizes result = sizesOf(b, x);
  while (result.size() < shape->size())
    result.insert(result.begin(), Size(1));
  size_t lead = result.size() - shape->size();
  for (auto [i, wanted] : llvm::enumerate(*shape)) {
    Size &size = result[lead + i];
    if (size.is(1))
      size = wanted;
    else if (!size.isStatic() && wanted.isStatic())
      size = wanted.is(1) ? size : wanted;
    else if (!size.isStatic())
      size = orElse(b, size, 1, wanted);
    else if (wanted.isStatic() && !wanted.is(1) &&
             wanted.getStatic() != size.getStatic())
      return op.error() << "found shape [" << staticShape(*shape)
                        << "] for the input " << typeOf(x)
                        << ", expected sizes that broadcast";
  }
  if (isSmall(x) && allStatic(result) && result.size() == 1 &&
      result[0].getStatic() <= 16) {
    Sizes elements = elementsOf(b, x);
    if (elements.size() == 1)
      elements.assign(result[0].getStatic(), Size(elements[0]));
    return op.result(fromElements(b, elements, elementOf(x), 1));
  }
  return op.result(broadcastTo(b, x, result));
}

static LogicalResult importTile(NodeContext &op) {
  // Opset 1: how often, and along which axis.
  if (op.opset < 6) {
    auto times = sizesInput(op, 1, "tiles");
    auto along = onnx::constantInts(op.input(2));
    if (failed(times) || !along || times->size() != 1 || along->size() != 1)
      return op.error() << "found no tiles and constant axis, expected both";
    auto axis = op.axis(along->front(), rankOf(op.input(0)));
    if (failed(axis))
      return failure();
    Sizes counts(rankOf(op.input(0)), Size(1));
    counts[*axis] = times->front();
    return op.result(tile(op.b, op.input(0), counts));
  }
  auto repeats = sizesInput(op, 1, "repeats");
  if (failed(repeats))
    return failure();
  if (int64_t(repeats->size()) != rankOf(op.input(0)))
    return op.error() << "found " << repeats->size() << " repeats, expected "
                      << rankOf(op.input(0));
  return op.result(tile(op.b, op.input(0), *repeats));
}

static LogicalResult importDepthToSpace(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  Sizes s = sizesOf(b, x);
  int64_t block = op.intAttr("blocksize", 1);
  if (s.size() != 4 || block < 1)
    return op.error() << "found input " << typeOf(x) << " and blocksize "
                      << block << ", expected rank 4 and at least 1";
  Size channels = frontend::floorDiv(b, s[1], block * block);
  bool crd = op.stringAttr("mode", "DCR") == "CRD";
  Sizes split = crd ? Sizes{s[0], channels, block, block, s[2], s[3]}
                    : Sizes{s[0], block, block, channels, s[2], s[3]};
  Value y = frontend::reshape(b, x, split);
  y = crd ? transpose(b, y, {0, 1, 4, 2, 5, 3})
          : transpose(b, y, {0, 3, 4, 1, 5, 2});
  return op.result(
      frontend::reshape(b, y,
                        {s[0], channels, frontend::mul(b, s[2], block),
                         frontend::mul(b, s[3], block)}));
}

static LogicalResult importSpaceToDepth(NodeContext &op) {
  HloBuilder &b = op.b;
  Value x = op.input(0);
  Sizes s = sizesOf(b, x);
  int64_t block = op.intAttr("blocksize", 1);
  if (s.size() != 4 || block < 1)
    return op.error() << "found input " << typeOf(x) << " and blocksize "
                      << block << ", expected rank 4 and at least 1";
  Size height = frontend::floorDiv(b, s[2], block);
  Size width = frontend::floorDiv(b, s[3], block);
  Value y = frontend::reshape(b, x, {s[0], s[1], height, block, width, block});
  // CRD keeps a channel's blocks together, DCR those of one place.
  bool crd = op.stringAttr("mode", "DCR") == "CRD";
  y = crd ? transpose(b, y, {0, 1, 3, 5, 2, 4})
          : transpose(b, y, {0, 3, 5, 1, 2, 4});
  return op.result(frontend::reshape(
      b, y, {s[0], frontend::mul(b, s[1], block * block), height, width}));
}

void ferrule::onnx::registerReshapeOps(Registry &r) {
  r.add("Reshape", importReshape);
  r.add("Flatten", importFlatten);
  r.add("Squeeze", importSqueeze);
  r.add("Unsqueeze", importUnsqueeze);
  r.add("Transpose", importTranspose);
  r.add("Concat", importConcat);
  r.add("Expand", importExpand);
  r.add("Tile", importTile);
  r.add("DepthToSpace", importDepthToSpace);
  r.add("SpaceToDepth", importSpaceToDepth);
}
