// Directives of the operations' assembly formats: the parts of the text that
// the declarative language has no words for.
#ifndef FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOASSEMBLY_H
#define FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOASSEMBLY_H

#include "compiler/Dialect/StableHLO/IR/StableHLO.h"

namespace ferrule::stablehlo {

using mlir::ArrayAttr;
using mlir::ArrayRef;
using mlir::DenseBoolArrayAttr;
using mlir::DenseI64ArrayAttr;
using mlir::DenseIntElementsAttr;
using mlir::IntegerAttr;
using mlir::OpAsmParser;
using mlir::OpAsmPrinter;
using mlir::OperandRange;
using mlir::Operation;
using mlir::ParseResult;
using mlir::SmallVectorImpl;
using mlir::StringAttr;
using mlir::Type;
using mlir::TypeRange;
using Operands = SmallVectorImpl<OpAsmParser::UnresolvedOperand>;

/// `T` when all types are T, else `(T1, T2) -> T3`.
ParseResult parseTypeList(OpAsmParser &parser, ArrayRef<Type *> operands,
                          Type &result);
void printTypeList(OpAsmPrinter &printer, TypeRange operands, Type result);

inline ParseResult parseSameTypes(OpAsmParser &parser, Type &a, Type &result) {
  return parseTypeList(parser, {&a}, result);
}
inline ParseResult parseSameTypes(OpAsmParser &parser, Type &a, Type &b,
                                  Type &result) {
  return parseTypeList(parser, {&a, &b}, result);
}
inline ParseResult parseSameTypes(OpAsmParser &parser, Type &a, Type &b,
                                  Type &c, Type &result) {
  return parseTypeList(parser, {&a, &b, &c}, result);
}
inline void printSameTypes(OpAsmPrinter &printer, Operation *, Type a,
                           Type result) {
  printTypeList(printer, {a}, result);
}
inline void printSameTypes(OpAsmPrinter &printer, Operation *, Type a, Type b,
                           Type result) {
  printTypeList(printer, {a, b}, result);
}
inline void printSameTypes(OpAsmPrinter &printer, Operation *, Type a, Type b,
                           Type c, Type result) {
  printTypeList(printer, {a, b, c}, result);
}

/// The complex result's type when the operands are its parts.
ParseResult parseComplexTypes(OpAsmParser &parser, Type &lhs, Type &rhs,
                              Type &result);
void printComplexTypes(OpAsmPrinter &printer, Operation *, Type lhs, Type rhs,
                       Type result);

/// `P, T` when the values and the result have type T.
ParseResult parseSelectTypes(OpAsmParser &parser, Type &pred, Type &onTrue,
                             Type &onFalse, Type &result);
void printSelectTypes(OpAsmPrinter &printer, Operation *, Type pred,
                      Type onTrue, Type onFalse, Type result);

/// A list of types that stands for operands and results alike.
ParseResult parsePairwiseTypes(OpAsmParser &parser,
                               SmallVectorImpl<Type> &operands,
                               SmallVectorImpl<Type> &results);
void printPairwiseTypes(OpAsmPrinter &printer, Operation *, TypeRange operands,
                        TypeRange results);

/// The tuple's type, of which the operands' types follow.
ParseResult parseTupleTypes(OpAsmParser &parser,
                            SmallVectorImpl<Type> &operands, Type &result);
void printTupleTypes(OpAsmPrinter &printer, Operation *, TypeRange operands,
                     Type result);

/// Operands with a comma after each.
ParseResult parseOperandsWithComma(OpAsmParser &parser, Operands &operands);
void printOperandsWithComma(OpAsmPrinter &printer, Operation *,
                            OperandRange operands);

/// `[1:3, 4:8:2]`.
ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &starts,
                             DenseI64ArrayAttr &limits,
                             DenseI64ArrayAttr &strides);
void printSliceRanges(OpAsmPrinter &printer, Operation *,
                      DenseI64ArrayAttr starts, DenseI64ArrayAttr limits,
                      DenseI64ArrayAttr strides);

/// `, precision = [DEFAULT, HIGH]`, or nothing.
ParseResult parsePrecision(OpAsmParser &parser, ArrayAttr &precision);
void printPrecision(OpAsmPrinter &printer, Operation *, ArrayAttr precision);

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`.
ParseResult parseDotDims(OpAsmParser &parser, DotDimensionNumbersAttr &dims);
void printDotDims(OpAsmPrinter &printer, Operation *,
                  DotDimensionNumbersAttr dims);

/// `, precision = [...], algorithm = <...>`, each optional.
ParseResult parseDotOptions(OpAsmParser &parser, ArrayAttr &precision,
                            DotAlgorithmAttr &algorithm);
void printDotOptions(OpAsmPrinter &printer, Operation *, ArrayAttr precision,
                     DotAlgorithmAttr algorithm);

inline ParseResult parseConvDims(OpAsmParser &parser,
                                 ConvDimensionNumbersAttr &dims) {
  return parseConvDimensions(parser, dims);
}
inline void printConvDims(OpAsmPrinter &printer, Operation *,
                          ConvDimensionNumbersAttr dims) {
  printConvDimensions(printer, dims);
}

/// `{stride = [2, 2], pad = [[1, 1], [0, 0]], ...}`, each optional.
ParseResult parseWindow(OpAsmParser &parser, DenseI64ArrayAttr &strides,
                        DenseIntElementsAttr &padding,
                        DenseI64ArrayAttr &lhsDilation,
                        DenseI64ArrayAttr &rhsDilation,
                        DenseBoolArrayAttr &reversal);
void printWindow(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr strides,
                 DenseIntElementsAttr padding, DenseI64ArrayAttr lhsDilation,
                 DenseI64ArrayAttr rhsDilation, DenseBoolArrayAttr reversal);

/// `e8m10`.
ParseResult parseFloatFormat(OpAsmParser &parser, IntegerAttr &exponent,
                             IntegerAttr &mantissa);
void printFloatFormat(OpAsmPrinter &printer, Operation *, IntegerAttr exponent,
                      IntegerAttr mantissa);

/// An enumeration's word.
template <typename AttrT>
ParseResult parseKeyword(OpAsmParser &parser, AttrT &attribute) {
  using Enum = decltype(attribute.getValue());
  llvm::SMLoc loc = parser.getCurrentLocation();
  llvm::StringRef name;
  if (parser.parseKeyword(&name))
    return mlir::failure();
  std::optional<Enum> value = symbolizeEnum<Enum>(name);
  if (!value)
    return parser.emitError(loc) << "found unknown word '" << name << "'";
  attribute = AttrT::get(parser.getContext(), *value);
  return mlir::success();
}
template <typename AttrT>
void printKeyword(OpAsmPrinter &printer, Operation *, AttrT attribute) {
  printer << stringifyEnum(attribute.getValue());
}

/// A comma and the word, or nothing.
template <typename AttrT>
ParseResult parseOptionalKeyword(OpAsmParser &parser, AttrT &attribute) {
  if (mlir::failed(parser.parseOptionalComma()))
    return mlir::success();
  return parseKeyword(parser, attribute);
}
template <typename AttrT>
void printOptionalKeyword(OpAsmPrinter &printer, Operation *, AttrT attribute) {
  if (attribute)
    printer << ", " << stringifyEnum(attribute.getValue());
}

/// The name as a symbol: `@"my.target"`.
ParseResult parseCallTarget(OpAsmParser &parser, StringAttr &target);
void printCallTarget(OpAsmPrinter &printer, Operation *, StringAttr target);

} // namespace ferrule::stablehlo

#endif // FERRULE_COMPILER_DIALECT_STABLEHLO_IR_STABLEHLOASSEMBLY_H
