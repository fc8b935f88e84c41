// Types of the torch dialect.
#ifndef FERRULE_DIALECT_TORCH_TORCHTYPES
#define FERRULE_DIALECT_TORCH_TORCHTYPES

include "mlir/IR/AttrTypeBase.td"
include "compiler/Dialect/Torch/IR/TorchDialect.td"

class Torch_Type<string name, string typeMnemonic, string text>
    : TypeDef<Torch_Dialect, name> {
  let mnemonic = typeMnemonic;
  let summary = text;
}

class Torch_TensorType<string name, string typeMnemonic, string text>
    : Torch_Type<name, typeMnemonic, text> {
  let description = [{
    `[2,?]` are the sizes (`?`: not known), `*` stands for an unknown rank,
    `unk` for an unknown element type; all of it left out means both unknown. A
    third part may hold a sparse encoding. Integers are signed here (`si64`).
  }];
  let parameters = (ins
    "bool":$ranked,
    ArrayRefParameter<"int64_t">:$shape,
    "::mlir::Type":$elementType,
    "::mlir::Attribute":$encoding);
  let hasCustomAssemblyFormat = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    TypeBuilder<(ins "std::optional<llvm::ArrayRef<int64_t>>":$sizes,
                     CArg<"::mlir::Type", "{}">:$dtype,
                     CArg<"::mlir::Attribute", "{}">:$encoding), [{
      if (!sizes)
        return $_get($_ctxt, false, llvm::ArrayRef<int64_t>(), dtype, encoding);
      return $_get($_ctxt, true, *sizes, dtype, encoding);
    }]>
  ];
  let extraClassDeclaration = [{
    /// Whether the rank is known.
    bool hasSizes() const { return getRanked(); }
    /// The sizes, mlir::ShapedType::kDynamic where unknown. The rank must be
    /// known.
    llvm::ArrayRef<int64_t> getSizes() const {
      assert(getRanked() && "tensor of unknown rank");
      return getShape();
    }
    std::optional<llvm::ArrayRef<int64_t>> getOptionalSizes() const {
      if (!getRanked())
        return std::nullopt;
      return getShape();
    }
    int64_t getRank() const { return getSizes().size(); }
    bool hasDtype() const { return bool(getElementType()); }
    /// The element type; the type must have one.
    mlir::Type getDtype() const {
      assert(getElementType() && "tensor of unknown element type");
      return getElementType();
    }
    mlir::Type getOptionalDtype() const { return getElementType(); }
    /// Whether every size and the element type are known.
    bool isStatic() const {
      return hasSizes() && hasDtype() &&
             !llvm::is_contained(getShape(), mlir::ShapedType::kDynamic);
    }
    /// The builtin tensor type that holds the same values: signless where the
    /// torch type is signed. Null when the element type is not known.
    mlir::TensorType toBuiltinTensor() const {
      return toBuiltin(*this);
    }
  }] # "static mlir::TensorType toBuiltin(" # name # "Type type);";
}

def Torch_ValueTensor : Torch_TensorType<"ValueTensor", "vtensor",
    "a tensor with value semantics: never written to, aliases nothing">;
def Torch_NonValueTensor : Torch_TensorType<"NonValueTensor", "tensor",
    "a tensor that may alias others and be written to">;

class Torch_NestedType<string name, string typeMnemonic, string text>
    : Torch_Type<name, typeMnemonic, text> {
  let parameters = (ins "::mlir::Type":$containedType);
  let assemblyFormat = "`<` custom<NestedType>($containedType) `>`";
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$containedType), [{
      return $_get(containedType.getContext(), containedType);
    }]>
  ];
}
def Torch_List : Torch_NestedType<"List", "list", "a list, all of one type">;
def Torch_Optional : Torch_NestedType<"Optional", "optional",
    "a value of the type, or None">;

class Torch_VariadicType<string name, string typeMnemonic, string text>
    : Torch_Type<name, typeMnemonic, text> {
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$containedTypes);
  let assemblyFormat = "`` custom<NestedTypes>($containedTypes)";
}
def Torch_Tuple : Torch_VariadicType<"Tuple", "tuple", "a tuple">;
def Torch_Union : Torch_VariadicType<"Union", "union",
    "a value of one of several types">;

def Torch_Dict : Torch_Type<"Dict", "dict", "a dictionary"> {
  let parameters = (ins "::mlir::Type":$keyType, "::mlir::Type":$valueType);
  let assemblyFormat = [{
    `<` custom<NestedType>($keyType) `,` custom<NestedType>($valueType) `>`
  }];
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$keyType,
                                        "::mlir::Type":$valueType), [{
      return $_get(keyType.getContext(), keyType, valueType);
    }]>
  ];
}

def Torch_NnModule : Torch_Type<"NnModule", "nn.Module",
    "an object of a subclass of torch.nn.Module"> {
  let parameters = (ins StringRefParameter<"class name">:$className);
  let assemblyFormat = "`<` $className `>`";
}

def Torch_Int : Torch_Type<"Int", "int", "Python's int, as 64 bits">;
def Torch_Float : Torch_Type<"Float", "float", "Python's float">;
def Torch_Bool : Torch_Type<"Bool", "bool", "Python's bool">;
def Torch_String : Torch_Type<"String", "str", "Python's str">;
def Torch_None : Torch_Type<"None", "none", "the type of None">;
def Torch_Number : Torch_Type<"Number", "number",
    "int, float or complex, known only at run time">;
def Torch_Any : Torch_Type<"Any", "any", "any type of this dialect">;
def Torch_Device : Torch_Type<"Device", "Device", "torch.device">;
def Torch_Generator : Torch_Type<"Generator", "Generator",
    "a generator of random numbers">;
def Torch_LinearParams : Torch_Type<"LinearParams", "LinearParams",
    "packed weights of a quantised linear layer">;
def Torch_QInt8 : Torch_Type<"QInt8", "qint8", "element type torch.qint8">;
def Torch_QUInt8 : Torch_Type<"QUInt8", "quint8", "element type torch.quint8">;
def Torch_QInt16 : Torch_Type<"QInt16", "qint16", "element type torch.qint16">;
def Torch_QInt32 : Torch_Type<"QInt32", "qint32", "element type torch.qint32">;

// Constraints for operands.
def AnyTorchType : DialectType<Torch_Dialect,
    CPred<"::llvm::isa<::ferrule::torch::TorchDialect>($_self.getDialect())">,
    "type of the torch dialect">;
def AnyTorchTensor : AnyTypeOf<[Torch_ValueTensor, Torch_NonValueTensor],
    "torch tensor", "::ferrule::torch::BaseTensorType">;

#endif // FERRULE_DIALECT_TORCH_TORCHTYPES
