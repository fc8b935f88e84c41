"""Ops that move, combine or reduce elements, on one type of each kind."""

import numpy as np
from sweep.elementwise import samples
from sweep.programs import COMPLEX, FLOATS, INTEGERS, KINDS, NUMPY, Case, element_of, is_float, tensor, type_of

RNG = np.random.default_rng(11)


def array(element, *shape):
    """Values that are exact in every type of the kind."""
    count = int(np.prod(shape, dtype=np.int64))
    if element == "i1":
        return RNG.integers(0, 2, shape).astype(bool)
    if element in COMPLEX:
        return (RNG.integers(-4, 5, shape) + 1j * RNG.integers(-4, 5, shape)).astype(NUMPY[element])
    if is_float(element):
        values = samples(element).astype(np.float64)
        values = values[np.isfinite(values) & (np.abs(values) <= 4) & (np.abs(values * 2) % 1 == 0)]
        return RNG.choice(values, count).reshape(shape).astype(NUMPY[element])
    low, high = (0, 4) if element[0] == "u" else (-2, 2)
    return RNG.integers(low, high, shape).astype(NUMPY[element])


def pretty(name, element, inputs, body, *results, dynamic=True, **kwargs):
    """A case with static sizes and, unless the op's sizes must be known, one
    with unknown ones. `{0}` is the type of input 0, `{r}` that of the result."""
    static = None
    for unknown in (False, True) if dynamic else (False,):
        types = [type_of(a, unknown and a.ndim > 0) for a in inputs]
        outs = [tensor(e, *(["?"] * len(s) if unknown else s)) for e, s in results]
        named = {f"r{i}" if i else "r": t for i, t in enumerate(outs)}
        static = Case(
            f"{name} {element}{' dynamic' if unknown else ''}", list(inputs),
            body.format(*types, e=element, **named), outs, arguments=types, like=static, **kwargs,
        )  # fmt: skip
        yield static


def moves(e):
    x = array(e, 3, 4, 5)
    t = lambda *shape: (e, shape)  # noqa: E731
    one = lambda text: f"%r = stablehlo.{text} : ({{0}}) -> {{r}}"  # noqa: E731
    yield from pretty("transpose", e, [x], one("transpose %a0, dims = [2, 0, 1]"), t(5, 3, 4))
    yield from pretty("reverse", e, [x], "%r = stablehlo.reverse %a0, dims = [0, 2] : {0}", t(3, 4, 5))
    yield from pretty("slice", e, [x], one("slice %a0 [1:3, 0:4:2, 1:5:3]"), t(2, 2, 2), dynamic=False)
    yield from pretty("reshape", e, [x], one("reshape %a0"), t(6, 10), dynamic=False)
    yield from pretty("broadcast_in_dim", e, [array(e, 4)], one("broadcast_in_dim %a0, dims = [1]"), t(3, 4, 2), dynamic=False)
    yield from pretty("broadcast", e, [array(e, 4)], one("broadcast %a0, sizes = [2, 3]"), t(2, 3, 4), dynamic=False)
    yield from pretty("pad", e, [x, array(e)],
                      "%r = stablehlo.pad %a0, %a1, low = [1, -1, 0], high = [0, 2, -2], interior = [1, 0, 2] : ({0}, {1}) -> {r}",
                      t(6, 5, 11))  # fmt: skip
    yield from pretty("concatenate", e, [x, array(e, 3, 2, 5), array(e, 3, 0, 5)],
                      "%r = stablehlo.concatenate %a0, %a1, %a2, dim = 1 : ({0}, {1}, {2}) -> {r}", t(3, 6, 5))  # fmt: skip
    i = [np.array(v, np.int32) for v in (1, 7, -3)]
    yield from pretty("dynamic_slice", e, [x, *i],
                      "%r = stablehlo.dynamic_slice %a0, %a1, %a2, %a3, sizes = [2, 2, 3] : ({0}, {1}, {2}, {3}) -> {r}",
                      t(2, 2, 3), dynamic=False)  # fmt: skip
    yield from pretty("dynamic_update_slice", e, [x, array(e, 2, 2, 3), *i],
                      "%r = stablehlo.dynamic_update_slice %a0, %a1, %a2, %a3, %a4 : ({0}, {1}, {2}, {3}, {4}) -> {r}",
                      t(3, 4, 5))  # fmt: skip
    g = np.array([[0, 4], [2, 1], [9, -1]], np.int64)
    yield from pretty("gather", e, [x, g],
                      '%r = "stablehlo.gather"(%a0, %a1) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 2>}}> : ({0}, {1}) -> {r}',
                      t(3, 3, 2))  # fmt: skip
    b = np.array([[0, 2], [1, 1], [3, 0]], np.int32)
    yield from pretty("gather batching", e, [x, b],
                      '%r = "stablehlo.gather"(%a0, %a1) <{{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}}> : ({0}, {1}) -> {r}',
                      t(3, 2, 5))  # fmt: skip
    n = np.array(2, np.int32)
    yield from pretty("tokens and barrier", e, [x, n],
                      "%r, %r1 = stablehlo.optimization_barrier %a0, %a1 : {0}, {1}", t(3, 4, 5), ("i32", ()))  # fmt: skip
    c = np.array(1, np.int32)
    yield from pretty("case", e, [x, c],
                      '%r = "stablehlo.case"(%a1) ({{\n stablehlo.return %a0 : {0}\n}}, {{\n%q = stablehlo.reverse %a0, dims = [1] : {0}\nstablehlo.return %q : {0}\n}}) : ({1}) -> {r}',
                      t(3, 4, 5))  # fmt: skip
    yield from pretty("while", e, [x, n],
                      "%z = stablehlo.constant dense<0> : tensor<i32>\n%o = stablehlo.constant dense<1> : tensor<i32>\n%w:2 = stablehlo.while(%i = %a1, %y = %a0) : {1}, {0}\ncond {{\n%p = stablehlo.compare GT, %i, %z : ({1}, {1}) -> tensor<i1>\nstablehlo.return %p : tensor<i1>\n}} do {{\n%j = stablehlo.subtract %i, %o : {1}\n%q = stablehlo.reverse %y, dims = [1] : {0}\n%s = stablehlo.select %p0, %q, %y : tensor<i1>, {0}\nstablehlo.return %j, %s : {1}, {0}\n}}".replace("%w:2 =", "%p0 = stablehlo.compare NE, %a1, %o : ({1}, {1}) -> tensor<i1>\n%w:2 ="),
                      t(3, 4, 5), returns=["%w#1"])  # fmt: skip


def region(op, e, kind="f"):
    s = f"tensor<{e}>"
    return f"({{{{\n^bb0(%p: {s}, %q: {s}):\n%s = stablehlo.{op} %p, %q : {s}\nstablehlo.return %s : {s}\n}}}})"


def scatters(e):
    x, u = array(e, 4, 5), array(e, 3, 5)
    # jaxlib orders complex numbers by their real part alone.
    for op in ["add", "multiply"] if e in COMPLEX else ["add", "maximum", "multiply", "minimum"]:
        for name, index in (("rows", [[1], [3], [1]]), ("outside", [[0], [7], [-1]])):
            yield from pretty(f"scatter {op} {name}", e, [x, np.array(index, np.int32), u],
                              f'%r = "stablehlo.scatter"(%a0, %a1, %a2) <{{{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}}}> {region(op, e)} : ({{0}}, {{1}}, {{2}}) -> {{r}}',
                              (e, (4, 5)))  # fmt: skip


def reductions(e):
    x = array(e, 3, 4, 5) if not (is_float(e) and e[1].isdigit() and e[1] in "468") else array(e, 2, 3, 2)
    shape = x.shape
    zero = np.asarray(np.zeros((), NUMPY[e])) if e != "i1" else np.array(False)
    for op in ["add", "multiply"] if e in COMPLEX else ["add", "maximum", "minimum", "multiply"]:
        yield from pretty(f"reduce {op}", e, [x, zero],
                          f'%r = "stablehlo.reduce"(%a0, %a1) <{{{{dimensions = array<i64: 0, 2>}}}}> {region(op, e)} : ({{0}}, {{1}}) -> {{r}}',
                          (e, (shape[1],)), agreement="close")  # fmt: skip
        yield from pretty(f"reduce all {op}", e, [x, zero],
                          f'%r = "stablehlo.reduce"(%a0, %a1) <{{{{dimensions = array<i64: 0, 1, 2>}}}}> {region(op, e)} : ({{0}}, {{1}}) -> {{r}}',
                          (e, ()), agreement="close")  # fmt: skip
        yield from pretty(f"reduce_window {op}", e, [array(e, 6, 7), zero],
                          f'%r = "stablehlo.reduce_window"(%a0, %a1) <{{{{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 2>, window_dilations = array<i64: 2, 1>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>}}}}> {region(op, e)} : ({{0}}, {{1}}) -> {{r}}',
                          (e, (3, 14)), agreement="close")  # fmt: skip
    if e in COMPLEX:
        return
    compare = "UNSIGNED" if e[0] == "u" or e == "i1" else "FLOAT" if is_float(e) else "SIGNED"
    s = f"tensor<{e}>"
    for direction in ("LT", "GT"):
        yield from pretty(f"sort {direction}", e, [array(e, 4, 9), RNG.permutation(36).reshape(4, 9).astype(np.int32)],
                          f'%r, %r1 = "stablehlo.sort"(%a0, %a1) <{{{{dimension = 1 : i64, is_stable = true}}}}> ({{{{\n^bb0(%p: {s}, %q: {s}, %m: tensor<i32>, %n: tensor<i32>):\n%c = stablehlo.compare {direction}, %p, %q, {compare} : ({s}, {s}) -> tensor<i1>\nstablehlo.return %c : tensor<i1>\n}}}}) : ({{0}}, {{1}}) -> ({{r}}, {{r1}})',
                          (e, (4, 9)), ("i32", (4, 9)))  # fmt: skip
    if e == "i1":
        return
    yield from pretty("select_and_scatter overlap", e, [array(e, 5, 6), array(e, 3, 5), zero],
                      f'%r = "stablehlo.select_and_scatter"(%a0, %a1, %a2) <{{{{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 1, 1>}}}}> ({{{{\n^bb0(%p: {s}, %q: {s}):\n%c = stablehlo.compare GE, %p, %q, {compare} : ({s}, {s}) -> tensor<i1>\nstablehlo.return %c : tensor<i1>\n}}}}, {region("add", e)[1:-1]}) : ({{0}}, {{1}}, {{2}}) -> {{r}}',
                      (e, (5, 6)), agreement="close")  # fmt: skip


def products(e):
    a, b = array(e, 2, 3, 5), array(e, 2, 5, 4)
    yield from pretty("dot_general", e, [a, b],
                      "%r = stablehlo.dot_general %a0, %a1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : ({0}, {1}) -> {r}",
                      (e, (2, 3, 4)), agreement="close")  # fmt: skip
    if e not in COMPLEX and e != "i1":
        wider = "f32" if is_float(e) and e != "f64" else "f64" if e == "f64" else "ui64" if e[0] == "u" else "i64"
        oracle = None
        if e in INTEGERS:
            oracle = lambda x, y, w=wider: np.matmul(x.astype(NUMPY[w]), y.astype(NUMPY[w]))  # noqa: E731
        yield from pretty("dot_general wider", e, [a, b],
                          "%r = stablehlo.dot_general %a0, %a1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : ({0}, {1}) -> {r}",
                          (wider, (2, 3, 4)), agreement="close", expected=oracle)  # fmt: skip
    yield from pretty("convolution", e, [array(e, 2, 4, 6, 7), array(e, 3, 2, 2, 6)],
                      "%r = stablehlo.convolution(%a0, %a1) dim_numbers = [b, f, 0, 1]x[0, 1, i, o]->[b, f, 0, 1], window = {{stride = [2, 1], pad = [[1, 2], [0, -1]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], reverse = [true, false]}} {{batch_group_count = 1 : i64, feature_group_count = 2 : i64}} : ({0}, {1}) -> {r}",
                      (e, (2, 6, 3, 11)), agreement="close", dynamic=e in ("f32", "i32"))  # fmt: skip
    yield from pretty("convolution batch groups", e, [array(e, 4, 3, 6), array(e, 4, 3, 2)],
                      "%r = stablehlo.convolution(%a0, %a1) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {{}} {{batch_group_count = 2 : i64, feature_group_count = 1 : i64}} : ({0}, {1}) -> {r}",
                      (e, (2, 4, 5)), agreement="close", dynamic=False)  # fmt: skip
    yield from pretty("dot", e, [array(e, 3, 5), array(e, 5)],
                      "%r = stablehlo.dot %a0, %a1 : ({0}, {1}) -> {r}", (e, (3,)), agreement="close")  # fmt: skip


def linear_algebra():
    for e in ["f32", "f64", *COMPLEX]:
        m = RNG.standard_normal((2, 4, 4))
        if e in COMPLEX:
            m = m + 1j * RNG.standard_normal((2, 4, 4))
        m = m.astype(NUMPY[e])
        p = (m @ np.conj(np.swapaxes(m, 1, 2)) + 3 * np.eye(4)).astype(NUMPY[e])
        for lower in ("true", "false"):
            yield from pretty(f"cholesky {lower}", e, [p], f"%r = stablehlo.cholesky %a0, lower = {lower} : {{0}}",
                              (e, (2, 4, 4)), agreement="almost")  # fmt: skip
            for left in ("true", "false"):
                for unit in ("true", "false"):
                    for transpose in ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"):
                        shape = (2, 4, 3) if left == "true" else (2, 3, 4)
                        yield from pretty(f"triangular_solve {left} {lower} {unit} {transpose}", e,
                                          [p, array(e, *shape)],
                                          f'%r = "stablehlo.triangular_solve"(%a0, %a1) <{{{{left_side = {left}, lower = {lower}, unit_diagonal = {unit}, transpose_a = #stablehlo<transpose {transpose}>}}}}> : ({{0}}, {{1}}) -> {{r}}',
                                          (e, shape), agreement="almost", dynamic=transpose == "ADJOINT")  # fmt: skip
    for part, whole in (("f32", "complex<f32>"), ("f64", "complex<f64>")):
        for n in (1, 2, 3, 8, 15, 17, 32):
            z = (RNG.standard_normal((3, n)) + 1j * RNG.standard_normal((3, n))).astype(NUMPY[whole])
            x = RNG.standard_normal((3, n)).astype(NUMPY[part])
            half = z[:, : n // 2 + 1]
            half[:, 0] = half[:, 0].real
            if n % 2 == 0:
                half[:, -1] = half[:, -1].real
            for kind, value, out in (("FFT", z, (whole, (3, n))), ("IFFT", z, (whole, (3, n))),
                                     ("RFFT", x, (whole, (3, n // 2 + 1))), ("IRFFT", half, (part, (3, n)))):
                yield from pretty(f"fft {kind} {n}", out[0], [value],
                                  f"%r = stablehlo.fft %a0, type = {kind}, length = [{n}] : ({{0}}) -> {{r}}",
                                  out, agreement="almost", dynamic=False)  # fmt: skip
    for e in FLOATS:
        x, v = array(e, 4, 3, 2), array(e, 3)
        yield from pretty("batch_norm_inference", e, [x, v, v, v, np.abs(v) + NUMPY[e](1)],
                          '%r = "stablehlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4) <{{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}}> : ({0}, {1}, {2}, {3}, {4}) -> {r}',
                          (e, (4, 3, 2)), agreement="almost" if e[-2:] != "16" else "close")  # fmt: skip
        if e in ("f32", "f64"):
            yield from pretty("batch_norm_training", e, [x, v, v],
                              '%r, %r1, %r2 = "stablehlo.batch_norm_training"(%a0, %a1, %a2) <{{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}}> : ({0}, {1}, {2}) -> ({r}, {r1}, {r2})',
                              (e, (4, 3, 2)), (e, (3,)), (e, (3,)), agreement="almost")  # fmt: skip
            yield from pretty("batch_norm_grad", e, [x, v, v, np.abs(v) + NUMPY[e](1), x],
                              '%r, %r1, %r2 = "stablehlo.batch_norm_grad"(%a0, %a1, %a2, %a3, %a4) <{{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}}> : ({0}, {1}, {2}, {3}, {4}) -> ({r}, {r1}, {r2})',
                              (e, (4, 3, 2)), (e, (3,)), (e, (3,)), agreement="almost")  # fmt: skip
    for algorithm, words in (("THREE_FRY", 2), ("PHILOX", 2), ("PHILOX", 3), ("DEFAULT", 2), ("DEFAULT", 3)):
        for e in ("ui8", "ui16", "ui32", "ui64"):
            state = np.arange(words, dtype=np.uint64) + 5
            for shape in ((7,), (3, 5), ()):
                yield from pretty(f"rng_bit_generator {algorithm} {words} {shape}", e, [state],
                                  f"%r, %r1 = stablehlo.rng_bit_generator %a0, algorithm = {algorithm} : ({{0}}) -> ({{r}}, {{r1}})",
                                  ("ui64", (words,)), (e, shape), dynamic=False)  # fmt: skip


def one_participant(e):
    x = array(e, 2, 4)
    groups = "replica_groups = dense<[[0]]> : tensor<1x1xi64>"
    same = [(e, (2, 4))]
    yield from pretty("all_gather", e, [x], f'%r = "stablehlo.all_gather"(%a0) <{{{{all_gather_dim = 1 : i64, {groups}}}}}> : ({{0}}) -> {{r}}', *same)
    yield from pretty("all_reduce", e, [x], f'%r = "stablehlo.all_reduce"(%a0) <{{{{{groups}}}}}> {region("add", e)} : ({{0}}) -> {{r}}', *same)
    yield from pretty("reduce_scatter", e, [x], f'%r = "stablehlo.reduce_scatter"(%a0) <{{{{scatter_dimension = 1 : i64, {groups}}}}}> {region("add", e)} : ({{0}}) -> {{r}}', *same)
    yield from pretty("all_to_all", e, [x], f'%r = "stablehlo.all_to_all"(%a0) <{{{{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 1 : i64, {groups}}}}}> : ({{0}}) -> {{r}}', *same)
    yield from pretty("collective_permute", e, [x], '%r = "stablehlo.collective_permute"(%a0) <{{source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>}}> : ({0}) -> {r}', *same)
    yield from pretty("collective_permute none", e, [x], '%r = "stablehlo.collective_permute"(%a0) <{{source_target_pairs = dense<> : tensor<0x2xi64>}}> : ({0}) -> {r}', *same,
                      expected=lambda a: np.zeros_like(a))
    yield from pretty("collective_broadcast", e, [x], f'%r = "stablehlo.collective_broadcast"(%a0) <{{{{{groups}}}}}> : ({{0}}) -> {{r}}', *same)
    yield from pretty("ids", e, [x], "%r1 = stablehlo.replica_id : tensor<ui32>\n%r2 = stablehlo.partition_id : tensor<ui32>\n%r = stablehlo.negate %a0 : {0}", (e, (2, 4)), ("ui32", ()), ("ui32", ()))


def cases():
    for e in KINDS:
        yield from moves(e)
        yield from scatters(e)
        yield from reductions(e)
        yield from products(e)
    yield from linear_algebra()
    for e in ("f32", "i32"):
        yield from one_participant(e)
