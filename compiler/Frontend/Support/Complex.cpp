#include "compiler/Frontend/Support/Complex.h"
#include "compiler/Frontend/Support/Elementwise.h"

using namespace mlir;
using namespace ferrule;
using namespace ferrule::frontend;

Type frontend::partElement(Value x) {
  Type element = elementOf(x);
  if (auto complex = dyn_cast<ComplexType>(element))
    return complex.getElementType();
  return element;
}

static RankedTensorType partType(Value x) {
  return RankedTensorType::get(typeOf(x).getShape(), partElement(x));
}

bool frontend::isComplex(Value x) { return isa<ComplexType>(elementOf(x)); }
Value frontend::realPart(HloBuilder &b, Value x) {
  return isComplex(x) ? stablehlo::RealOp::create(b, partType(x), x) : x;
}
Value frontend::imaginaryPart(HloBuilder &b, Value x) {
  if (!isComplex(x))
    return fullLike(b, x, 0);
  return stablehlo::ImagOp::create(b, partType(x), x);
}
static Value joined(HloBuilder &b, Value re, Value im, Type element) {
  auto type = RankedTensorType::get(typeOf(re).getShape(), element);
  return stablehlo::ComplexOp::create(b, type, re, im);
}
Value frontend::asElement(HloBuilder &b, Value re, Type element) {
  if (!isa<ComplexType>(element))
    return re;
  return joined(b, re, fullLike(b, re, 0), element);
}

Value frontend::conjugate(HloBuilder &b, Value x) {
  if (!isComplex(x))
    return x;
  return joined(b, realPart(b, x), neg(b, imaginaryPart(b, x)), elementOf(x));
}
