// The ferrule dialect: tensor computations for which linalg has no form.
// All ops are destination-style, on tensors before and on memrefs after
// bufferization, and know how to become loops (LowerToLoopsOpInterface).
#ifndef FERRULE_DIALECT_FERRULE_OPS
#define FERRULE_DIALECT_FERRULE_OPS

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"
include "FerruleInterfaces.td"

def Ferrule_Dialect : Dialect {
  let name = "ferrule";
  let cppNamespace = "::ferrule::ext";
  let summary = "Computations on tensors that linalg cannot say";
  let description = [{
    Ops of the `linalg` stage for computations whose iteration is not a
    perfect loop nest with independent or reducing dimensions: scatter, sort,
    top-k, scan, Fourier transform, triangular factorisation and solve, and the
    transforms of Winograd convolutions.
  }];
}

class Ferrule_Op<string mnemonic, list<Trait> traits = []> :
    Op<Ferrule_Dialect, mnemonic, !listconcat([
      AttrSizedOperandSegments, DestinationStyleOpInterface,
      DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
      DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
        ["reifyResultShapes"]>,
      DeclareOpInterfaceMethods<LowerToLoopsOpInterface>], traits)> {
  dag operandArguments = (ins Variadic<AnyShaped>:$inputs,
                              Variadic<AnyShaped>:$outputs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  code dpsDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
  }];
  let extraClassDeclaration = dpsDeclaration;
  let hasVerifier = 1;
}

/// An op on rows: tiled over all dimensions but the row's.
class Ferrule_RowOp<string mnemonic, list<Trait> traits = [],
                    list<string> rowMethods = []> :
    Ferrule_Op<mnemonic, !listconcat([
      DeclareOpInterfaceMethods<RowOpInterface, rowMethods>,
      DeclareOpInterfaceMethods<TilingInterface,
        ["getLoopIteratorTypes", "getIterationDomain",
         "getTiledImplementation", "getResultTilePosition"]>], traits)>;

class Ferrule_Format<string region> {
  string text = "(`ins` `(` $inputs^ `:` type($inputs) `)`)? "
    # "`outs` `(` $outputs `:` type($outputs) `)` attr-dict-with-keyword "
    # region # "(`->` type($results)^)?";
}

def Ferrule_YieldOp : Op<Ferrule_Dialect, "yield",
    [Pure, Terminator]> {
  let summary = "ends the region of a ferrule op";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Ferrule_ScatterOp : Ferrule_Op<"scatter",
    [SingleBlock]> {
  let summary = "combines updates into a tensor at given indices";
  let description = [{
    `ins(%indices, %updates...) outs(%operands...)`. The dimension lists are
    those of `stablehlo.scatter`. Updates are applied in the row-major order of
    the scatter positions; an element whose target lies outside is skipped. The
    region gets the current elements, then the update elements (scalars), and
    yields the new ones. The outs are read and updated.

    ```mlir
    %r = ferrule.scatter ins(%i, %u : tensor<2x1xi32>, tensor<2x4xf32>)
        outs(%x : tensor<8x4xf32>) attributes {inserted_window_dims = array<i64: 0>,
        update_window_dims = array<i64: 1>,
        scatter_dims_to_operand_dims = array<i64: 0>,
        input_batching_dims = array<i64>,
        scatter_indices_batching_dims = array<i64>,
        index_vector_dim = 1 : i64} {
    ^bb0(%old: f32, %new: f32):
      %s = arith.addf %old, %new : f32
      ferrule.yield %s : f32
    } -> tensor<8x4xf32>
    ```
  }];
  let arguments = !con(operandArguments, (ins
    DenseI64ArrayAttr:$update_window_dims,
    DenseI64ArrayAttr:$inserted_window_dims,
    DenseI64ArrayAttr:$input_batching_dims,
    DenseI64ArrayAttr:$scatter_indices_batching_dims,
    DenseI64ArrayAttr:$scatter_dims_to_operand_dims,
    I64Attr:$index_vector_dim,
    UnitAttr:$unsigned_indices,
    UnitAttr:$unique_indices));
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = Ferrule_Format<"$region ">.text;
}

def Ferrule_SortOp : Ferrule_RowOp<"sort",
    [SingleBlock]> {
  let summary = "sorts rows stably by a comparator";
  let description = [{
    `ins(%x0, ..., %xn) outs(%y0, ..., %yn, %s0, ..., %sn)`: the rows along
    `dimension` of all inputs are permuted together so that the comparator
    never finds a later element before an earlier one. The region gets
    `(a0, b0, a1, b1, ...)` and yields whether `a` goes before `b` (`i1`).
    The second half of the outs is working space of the same shapes; its
    results have no defined contents and no uses, but need memory of their own.
  }];
  let arguments = !con(operandArguments, (ins I64Attr:$dimension));
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = Ferrule_Format<"$region ">.text;
}

def Ferrule_TopKOp : Ferrule_RowOp<"top_k"> {
  let summary = "the k largest elements of every row and their indices";
  let description = [{
    `ins(%x) outs(%values, %indices)`: the rows of `dimension`, in descending
    order; equal elements keep their order. k is the size of that dimension of
    the outs. Floats are ordered totally (a NaN with sign 0 is the largest);
    integers are signed unless `is_unsigned`. Costs n times k in the worst
    case: meant for small k; use sort for large ones.
  }];
  let arguments = !con(operandArguments, (ins I64Attr:$dimension,
                                              UnitAttr:$is_unsigned));
  let assemblyFormat = Ferrule_Format<"">.text;
}

def Ferrule_ScanOp : Ferrule_RowOp<"scan",
    [SingleBlock], ["isRowOperand"]> {
  let summary = "running reduction along rows";
  let description = [{
    `ins(%x0, ..., %xn, %init0, ..., %initn) outs(%y0, ..., %yn)`: the inits
    are rank 0. Along `dimension` (from its end with `reverse`) y[i] is
    region(accumulators, x[i]) and becomes the next accumulators; with
    `exclusive` y[i] is the accumulator before x[i].
  }];
  let arguments = !con(operandArguments, (ins I64Attr:$dimension,
    UnitAttr:$reverse, UnitAttr:$exclusive));
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = Ferrule_Format<"$region ">.text;
}

def Ferrule_FftOp : Ferrule_RowOp<"fft", [], ["isRowOperand"]> {
  let summary = "discrete Fourier transform of complex rows";
  let description = [{
    `ins(%x, %twiddles) outs(%y, %scratch)`: transforms the rows along
    `dimension` (static size n) of a complex tensor. `%twiddles` is the table
    of exp(-2*pi*i*j/n) for j < n, conjugated by the caller for an inverse
    transform; the caller scales the result. The second result has no defined
    contents and no uses, but needs memory of its own.
  }];
  let arguments = !con(operandArguments, (ins I64Attr:$dimension));
  let assemblyFormat = Ferrule_Format<"">.text;
}

def Ferrule_CholeskyOp : Ferrule_RowOp<"cholesky"> {
  let summary = "Cholesky factor of the matrices in the last two dimensions";
  let description = [{
    `ins(%a) outs(%l)`: the lower factor L with A = L L^H, or with `upper` the
    factor U with A = U^H U. Only that triangle of A is read; the other one of
    the result is zero. A matrix that is not positive definite gives NaNs.
  }];
  let arguments = !con(operandArguments, (ins UnitAttr:$upper));
  let assemblyFormat = Ferrule_Format<"">.text;
}

def Ferrule_TriangularSolveOp : Ferrule_RowOp<"triangular_solve"> {
  let summary = "solves op(A) X = B or X op(A) = B for triangular A";
  let description = [{
    `ins(%a, %b) outs(%x)`, matrices in the last two dimensions. A is lower
    triangular, or `upper`; the other triangle is not read, nor is the diagonal
    with `unit_diagonal`. op(A) is A, or with `transpose` A^T, with all entries
    conjugated by `conjugate`; `right` puts it right of X.
  }];
  let arguments = !con(operandArguments, (ins UnitAttr:$right, UnitAttr:$upper,
    UnitAttr:$unit_diagonal, UnitAttr:$transpose, UnitAttr:$conjugate));
  let assemblyFormat = Ferrule_Format<"">.text;
}

/// A half of a Winograd convolution, tiled over images, blocks of channels and
/// rows of tiles.
class Ferrule_WinogradOp<string mnemonic> : Ferrule_Op<mnemonic, [
      DeclareOpInterfaceMethods<TilingInterface,
        ["getLoopIteratorTypes", "getIterationDomain",
         "getTiledImplementation", "getResultTilePosition",
         "generateResultTileValue"]>]>;

def Ferrule_WinogradInputOp : Ferrule_WinogradOp<"winograd_input"> {
  let summary = "tiles of an image in the Winograd domain";
  let description = [{
    `ins(%x) outs(%v)`: the first half of a convolution with a 3x3 window and
    steps of one by Winograd's F(2x2, 3x3). x is `[n][c/16][2r+2][2s+2][16]`
    (padded); v is `[n][16][r][s][c/16][16]` and holds B^T d B of the 4x4 tile d
    of x at rows 2i and columns 2j, its element (a, b) at `v[n][4a + b][i][j]`:
    for each element a matrix with a row of channels for each tile.

    ```mlir
    %v = ferrule.winograd_input ins(%x : tensor<1x4x58x58x16xf32>)
        outs(%e : tensor<1x16x28x28x4x16xf32>) -> tensor<1x16x28x28x4x16xf32>
    ```
  }];
  let arguments = operandArguments;
  let assemblyFormat = Ferrule_Format<"">.text;
}

def Ferrule_WinogradOutputOp : Ferrule_WinogradOp<"winograd_output"> {
  let summary = "product with transformed weights, and back to an image";
  let description = [{
    `ins(%v, %u) outs(%y)` or `outs(%y, %products)`: the second half. v is what
    `winograd_input` gives, u `[16][o/16][c/16][16 c][16 o]` the weights G g G^T;
    y is `[n][o/16][2r][2s][16]`. `products`, `[n][o/16][16][r][s][16]`, is
    working space; the op needs it before it can become loops.
  }];
  let arguments = operandArguments;
  let assemblyFormat = Ferrule_Format<"">.text;
  let extraClassDeclaration = dpsDeclaration # [{
    /// Rows of tiles that a worker computes from the image to the image in its
    /// own cache, when there are enough such bands for many workers; 0: the two
    /// halves are better apart, as more than one worker needs each tile.
    static int64_t chooseBand(::mlir::ShapedType v, ::mlir::ShapedType u);
  }];
}

#endif // FERRULE_DIALECT_FERRULE_OPS
