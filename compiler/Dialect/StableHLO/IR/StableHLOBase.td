// The dialect, its types and the constraints that the ops share.
#ifndef FERRULE_STABLEHLO_BASE
#define FERRULE_STABLEHLO_BASE

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def StableHLO_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::ferrule::stablehlo";
  let summary = "Portable tensor operations: what frontends hand to compilers";
  let description = [{
    An implementation of the StableHLO operation set: tensors in, tensors out,
    no memory, no machine. The names of ops, attributes and types, the text
    and the bytecode are those of the specification.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 0;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;

  private:
    void registerOperations();
    void registerAttributes();
    void registerTypes();
    void registerBytecode();

  public:
  }];
}

//===-- Types -------------------------------------------------------------===//

class StableHLO_Type<string name, string keyword, list<Trait> traits = []>
    : TypeDef<StableHLO_Dialect, name, traits> {
  let mnemonic = keyword;
}

def StableHLO_TokenType : StableHLO_Type<"Token", "token"> {
  let summary = "orders effects";
}

def StableHLO_FutureType : StableHLO_Type<"Future", "future"> {
  let summary = "values that an asynchronous operation will have made";
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$types);
  let assemblyFormat = "`<` $types `>`";
}

// Element types: predicates live in StableHLOTypes.h.
class StableHLO_Element<string predicate, string summary>
    : Type<CPred<"::ferrule::stablehlo::" # predicate # "($_self)">, summary>;
def StableHLO_Pred : StableHLO_Element<"isPredElement", "boolean (i1)">;
def StableHLO_Int : StableHLO_Element<"isIntElement",
    "2/4/8/16/32/64-bit signless or unsigned integer">;
def StableHLO_SInt : StableHLO_Element<"isSIntElement",
    "2/4/8/16/32/64-bit signless integer">;
def StableHLO_Float : StableHLO_Element<"isFloatElement",
    "4/6/8/16/32/64-bit float">;
def StableHLO_Complex : StableHLO_Element<"isComplexElement",
    "complex number of 32/64-bit floats">;
def StableHLO_Quant : StableHLO_Element<"isQuantizedElement",
    "uniform quantized value">;
def StableHLO_Index : Type<Index.predicate, "index">;

class StableHLO_TensorOf<list<Type> elements> : RankedTensorOf<elements>;
def StableHLO_Tensor : StableHLO_TensorOf<[StableHLO_Pred, StableHLO_Int,
    StableHLO_Float, StableHLO_Complex, StableHLO_Quant]>;
def StableHLO_PredTensor : StableHLO_TensorOf<[StableHLO_Pred]>;
def StableHLO_IntTensor : StableHLO_TensorOf<[StableHLO_Int]>;
def StableHLO_PredOrIntTensor
    : StableHLO_TensorOf<[StableHLO_Pred, StableHLO_Int]>;
def StableHLO_FloatTensor : StableHLO_TensorOf<[StableHLO_Float]>;
def StableHLO_FloatOrComplexTensor
    : StableHLO_TensorOf<[StableHLO_Float, StableHLO_Complex]>;
def StableHLO_FloatOrQuantTensor
    : StableHLO_TensorOf<[StableHLO_Float, StableHLO_Quant]>;
def StableHLO_MathTensor : StableHLO_TensorOf<[StableHLO_Float,
    StableHLO_Complex, StableHLO_Quant]>;
def StableHLO_NumberTensor : StableHLO_TensorOf<[StableHLO_Int,
    StableHLO_Float, StableHLO_Complex, StableHLO_Quant]>;
def StableHLO_RealTensor : StableHLO_TensorOf<[StableHLO_Int,
    StableHLO_Float, StableHLO_Quant]>;
// A one-dimensional tensor of sizes; index is allowed besides integers.
def StableHLO_SizesTensor
    : 1DTensorOf<[StableHLO_Int, StableHLO_Index]>;
def StableHLO_IndexTensor
    : StableHLO_TensorOf<[StableHLO_Int, StableHLO_Index]>;
def StableHLO_ScalarInt : 0DTensorOf<[StableHLO_Int]>;

def StableHLO_Tuple : NestedTupleOf<[AnyTensor, AnyMemRef,
    StableHLO_TokenType]>;
def StableHLO_TensorOrToken : AnyTypeOf<[StableHLO_Tensor,
    StableHLO_TokenType]>;
def StableHLO_TensorOrTokenOrBuffer : AnyTypeOf<[StableHLO_Tensor,
    StableHLO_TokenType, AnyMemRef]>;
def StableHLO_Value : AnyTypeOf<[AnyTensor, StableHLO_TokenType, AnyMemRef,
    StableHLO_Tuple, StableHLO_FutureType]>;

//===-- Operations --------------------------------------------------------===//

// What the specification asks of quantized tensors, once the types, attributes
// and inferred results of the operation are in order.
def StableHLO_VerifiesQuantization : NativeOpTrait<"VerifiesQuantization"> {
  let cppNamespace = "::ferrule::stablehlo";
}

class StableHLO_Op<string mnemonic, list<Trait> traits = []>
    : Op<StableHLO_Dialect, mnemonic,
         !listconcat(traits, [StableHLO_VerifiesQuantization])>;

// Result types follow from the operands, up to compatibility: a size that is
// known on one side only is no contradiction. The op's file defines
// inferReturnTypes(context, location, adaptor, results).
def StableHLO_InferType : InferTypeOpAdaptorBase<[{
  static bool isCompatibleReturnTypes(::mlir::TypeRange left,
                                      ::mlir::TypeRange right) {
    return ::ferrule::stablehlo::areCompatibleTypes(left, right);
  }
}]>;

// The body of reduce, sort and their like ends in stablehlo.return.
def StableHLO_Body : SingleBlockImplicitTerminator<"ReturnOp">;

#endif // FERRULE_STABLEHLO_BASE
