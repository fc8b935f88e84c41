"""Elementwise arithmetic: promotion, scalars, rounding, comparisons, in-place
forms, conversions."""

import math

import torch
import torch.nn.functional as F
from rows import bools, ints, row, t

F16, F32, F64 = torch.float16, torch.float32, torch.float64
BF16 = torch.bfloat16
I8, U8, I16, I32, I64 = (
    torch.int8,
    torch.uint8,
    torch.int16,
    torch.int32,
    torch.int64,
)
TYPES = (F32, F64, F16, BF16, I64, I32, I8, U8, torch.bool)
NAN, INF = float("nan"), float("inf")
ODD = torch.tensor([NAN, INF, -INF, 0.0, -0.0, 1.5, -1.5, 2.5, 0.5, -0.5])
ODD2 = torch.tensor([1.0, INF, INF, -0.0, 0.0, NAN, 2.0, -2.5, 0.5, 0.5])
INTS = torch.tensor([-7, -6, -1, 0, 1, 6, 7])
DIVISORS = torch.tensor([2, -4, 3, 5, -1, -4, 3])


def short(dtype):
    return str(dtype).removeprefix("torch.")


def pairs():
    """Two tensors of each pair of types."""
    functions = {
        "add": torch.add,
        "mul": torch.mul,
        "lt": torch.lt,
        "where": lambda x, y: torch.where(x > 1, x, y),
        "cat": lambda x, y: torch.cat([x, y]),
    }
    for name, function in functions.items():
        for a in TYPES:
            for b in TYPES:
                if a is not b or name == "add":
                    yield row(
                        f"{name}_{short(a)}_{short(b)}",
                        function,
                        t(3, 4, dtype=a),
                        t(3, 4, dtype=b, seed=1),
                    )


def scalars():
    """A tensor and a Python number."""
    functions = {
        "add": lambda x, s: x + s,
        "rsub": lambda x, s: s - x,
        "mul": lambda x, s: x * s,
        "div": lambda x, s: x / s,
        "rdiv": lambda x, s: s / (x * x + 1),
        "floordiv": lambda x, s: x // s,
        "mod": lambda x, s: x % s,
        "pow": lambda x, s: x**s,
        "eq": lambda x, s: x == s,
        "ge": lambda x, s: x >= s,
        "maximum": lambda x, s: torch.clamp(x, min=s),
        "fill": lambda x, s: torch.full_like(x, s),
        "where": lambda x, s: torch.where(x > 1, x, s),
        "rwhere": lambda x, s: torch.where(x > 1, s, x),
    }
    for name, function in functions.items():
        for dtype in (F32, F16, BF16, I64, I32, U8, torch.bool):
            for scalar in (2, 2.5, True):
                x = t(3, 4, dtype=dtype)
                # The exporter says another type for bool ** bool than eager has.
                if name == "pow" and dtype is torch.bool and scalar is True:
                    continue
                try:
                    function(x, scalar)
                except RuntimeError:
                    continue
                yield row(
                    f"{name}_{short(dtype)}_scalar_{scalar}",
                    lambda x, f=function, s=scalar: f(x, s),
                    x,
                )


UNARY = (
    "abs acos acosh angle asin asinh atan atanh bitwise_not ceil cos cosh deg2rad "
    "digamma erf erfc erfinv exp exp2 expm1 floor frac i0 isfinite isinf isnan "
    "isneginf isposinf isreal lgamma log log10 log1p log2 logical_not logit neg "
    "positive rad2deg reciprocal round rsqrt sgn sigmoid sign signbit sin sinc "
    "sinh sqrt square tan tanh trunc nan_to_num relu"
).split()


def unary():
    for name in UNARY:
        function = getattr(torch, name)
        for kind, x in (
            ("float", t(3, 4)),
            ("odd", ODD),
            ("half", t(3, 4, dtype=F16, low=-0.9, high=0.9)),
            ("bfloat", t(3, 4, dtype=BF16)),
            ("double", t(3, 4, dtype=F64)),
            ("int", ints(3, 4)),
            ("int8", t(3, 4, dtype=I8)),
            ("uint8", t(3, 4, dtype=U8)),
            ("bool", bools(3, 4)),
            ("rank0", torch.tensor(0.3)),
            ("empty", torch.ones(0, 3)),
        ):
            try:
                function(x)
            except (RuntimeError, NotImplementedError):
                continue
            yield row(f"{name}_{kind}", lambda x, f=function: f(x), x)


BINARY = (
    "add sub mul div true_divide floor_divide remainder fmod maximum minimum fmax "
    "fmin pow atan2 hypot copysign nextafter logaddexp logaddexp2 xlogy eq ne lt le "
    "gt ge logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor "
    "bitwise_left_shift bitwise_right_shift gcd lcm heaviside ldexp float_power"
).split()


def binary():
    for name in BINARY:
        function = getattr(torch, name)
        for kind, x, y in (
            ("broadcast", t(3, 1, 4), t(5, 1)),
            ("odd", ODD, ODD2),
            ("int", INTS, DIVISORS),
            ("int8", INTS.to(I8), DIVISORS.to(I8)),
            ("bool", bools(3, 4), bools(3, 4, seed=1)),
            ("mixed", t(3, 4), ints(3, 4, low=1, high=5)),
            ("half", t(3, 4, dtype=F16), t(3, 4, dtype=F16, seed=1)),
            ("rank0", t(3, 4), torch.tensor(2.0)),
            ("rank0_double", t(3, 4), torch.tensor(2.0, dtype=F64)),
            ("int_rank0_float", ints(3, 4), torch.tensor(2.5)),
            ("strides", t(4, 3).t(), t(3, 8)[:, ::2]),
            ("empty", torch.ones(0, 3), torch.ones(1, 3)),
        ):
            try:
                function(x, y)
            except (RuntimeError, NotImplementedError):
                continue
            yield row(f"{name}_{kind}", lambda x, y, f=function: f(x, y), x, y)


def inplace():
    names = (
        "add_ sub_ mul_ div_ pow_ maximum fmod_ remainder_ eq_ lt_ logical_and_ "
        "copy_ atan2_ floor_divide_ xlogy_"
    ).split()
    for name in names:
        if not name.endswith("_"):
            continue

        def function(x, y, name=name):
            z = x.clone()
            getattr(z, name)(y)
            return z

        yield row(f"{name}clone", function, t(3, 4), t(4))
        yield row(f"{name}ints", function, t(3, 4), ints(3, 1, low=1, high=4))
        yield row(f"{name}half", function, t(3, 4, dtype=F16), t(3, 4))
    for name in (
        "abs_ neg_ exp_ sqrt_ relu_ sigmoid_ tanh_ floor_ round_ zero_ sin_ "
        "reciprocal_ square_ trunc_ erf_ log1p_ sign_ expm1_"
    ).split():
        yield row(f"{name}input", lambda x, n=name: getattr(x, n)() + 1, t(3, 4))


ROWS = [
    *pairs(),
    *scalars(),
    *unary(),
    *binary(),
    *inplace(),
    row("add_alpha", lambda x, y: torch.add(x, y, alpha=2.5), t(3, 4), t(4)),
    row("add_alpha_int", lambda x, y: torch.add(x, y, alpha=3), ints(3), ints(3)),
    row("add_alpha_bool", lambda x, y: torch.add(x, y, alpha=True), bools(3), bools(3)),
    row("sub_alpha", lambda x, y: torch.sub(x, y, alpha=-1), t(3), ints(3)),
    row("rsub_alpha", lambda x: torch.rsub(x, 2, alpha=3), ints(3)),
    row("rsub_tensor", lambda x, y: torch.rsub(x, y, alpha=0.5), t(3), t(3)),
    row("div_floor", lambda x, y: torch.div(x, y, rounding_mode="floor"), INTS, DIVISORS),
    row("div_trunc", lambda x, y: torch.div(x, y, rounding_mode="trunc"), INTS, DIVISORS),
    row("div_floor_f", lambda x, y: torch.div(x, y, rounding_mode="floor"), ODD, ODD2),
    row("div_trunc_f", lambda x, y: torch.div(x, y, rounding_mode="trunc"), ODD, ODD2),
    row("div_floor_scalar", lambda x: torch.div(x, -2, rounding_mode="floor"), INTS),
    row("div_trunc_scalar_f", lambda x: torch.div(x, 2.5, rounding_mode="trunc"), INTS),
    row("div_floor_u8", lambda x: torch.div(x, 3, rounding_mode="floor"), t(5, dtype=U8, low=100, high=255)),
    row("remainder_scalar_first", lambda x: torch.remainder(7, x), DIVISORS),
    row("fmod_scalar", lambda x: torch.fmod(x, -3), INTS),
    row("pow_scalar_base", lambda x: torch.pow(2, x), t(3)),
    row("pow_scalar_base_int", lambda x: torch.pow(2, x), INTS.abs()),
    row("pow_scalar_base_f_int", lambda x: torch.pow(2.5, x), INTS),
    row("pow_neg_half", lambda x: x**-0.5, t(3, low=0.5, high=2)),
    row("pow_zero", lambda x: x**0, ODD),
    row("pow_3", lambda x: x**3, ODD),
    row("pow_int_tensor", torch.pow, INTS, INTS.abs()),
    row("pow_neg_base", torch.pow, ODD, ODD2),
    row("float_power_scalar", lambda x: torch.float_power(x, 2), INTS),
    row("float_power_base", lambda x: torch.float_power(2, x), INTS),
    row("clamp", lambda x: torch.clamp(x, -0.5, 0.5), ODD),
    row("clamp_int_float", lambda x: torch.clamp(x, -1.5, 2.5), INTS),
    row("clamp_tensor", lambda x, a, b: torch.clamp(x, a, b), t(3, 4), t(4), t(3, 1)),
    row("clamp_min_tensor", lambda x, a: torch.clamp(x, min=a), t(3, 4), t(4)),
    row("clamp_max_int", lambda x: torch.clamp_max(x, 2), INTS),
    row("clamp_min_f", lambda x: torch.clamp_min(x, 2.5), INTS),
    row("clamp_crossed", lambda x: torch.clamp(x, 1, -1), t(5)),
    row("clamp_int32_tensor", lambda x, a: torch.clamp(x, max=a), INTS.int(), torch.tensor(2.5)),
    row("clip", lambda x: torch.clip(x, max=0.2), t(5)),
    row("round_even", torch.round, torch.tensor([0.5, 1.5, 2.5, -0.5, -1.5, 3.5])),
    row("round_decimals", lambda x: torch.round(x, decimals=2), t(7)),
    row("round_neg_decimals", lambda x: torch.round(x, decimals=-1), t(7) * 100),
    row("nan_to_num_args", lambda x: torch.nan_to_num(x, 1.0, 2.0, -2.0), ODD),
    row("nan_to_num_half", torch.nan_to_num, ODD.half()),
    row("nan_to_num_bf16", lambda x: torch.nan_to_num(x, posinf=3), ODD.bfloat16()),
    row("logit_eps", lambda x: torch.logit(x, 0.1), t(5, low=0, high=1)),
    row("lerp", lambda x, y: torch.lerp(x, y, 0.3), t(3, 4), t(4)),
    row("lerp_far", lambda x, y: torch.lerp(x, y, 0.8), t(3, 4), t(4)),
    row("lerp_tensor", torch.lerp, t(3, 4), t(4), t(3, 1)),
    row("addcmul", lambda x, y, z: torch.addcmul(x, y, z, value=2), t(3, 4), t(4), t(3, 1)),
    row("addcmul_int", lambda x, y, z: torch.addcmul(x, y, z, value=2), ints(3), ints(3), ints(3)),
    row("addcdiv", lambda x, y, z: torch.addcdiv(x, y, z, value=0.5), t(3, 4), t(4), t(3, 1)),
    row("isclose", lambda x, y: torch.isclose(x, y, equal_nan=True), ODD, ODD2),
    row("isclose_int", lambda x, y: torch.isclose(x, y, atol=1), INTS, DIVISORS),
    row("allclose_free", lambda x, y: torch.isclose(x, y).all(), t(3), t(3)),
    row("heaviside_int", lambda x: torch.heaviside(x, torch.tensor(5)), INTS),
    row("sgn_complex", torch.sgn, t(3, 4, dtype=torch.complex64)),
    row("where_cond_rank0", lambda c, x: torch.where(c, x, 0.0), torch.tensor(True), t(3)),
    row("where_two_scalars", lambda c: torch.where(c, 1, 0), bools(3, 4)),
    row("where_two_floats", lambda c: torch.where(c, 1.0, -INF), bools(3, 4)),
    row("where_mixed_scalars", lambda c: torch.where(c, 1, 0.5), bools(3, 4)),
    row("where_scalar_half", lambda c, x: torch.where(c, x, 0.5), bools(3), t(3, dtype=F16)),
    row("where_scalar_int", lambda c, x: torch.where(c, x, 0.5), bools(3), ints(3)),
    row("where_broadcast", torch.where, bools(3, 1), t(1, 4), t(2, 1, 1)),
    row("masked_fill", lambda x, m: x.masked_fill(m, -INF), t(2, 3, 4), bools(3, 4)),
    row("masked_fill_tensor", lambda x, m, v: x.masked_fill(m, v), t(3, 4), bools(4), torch.tensor(2.0)),
    row("masked_fill_int", lambda x, m: x.masked_fill(m, 7), ints(3, 4), bools(3, 1)),
    row("masked_fill_wider", lambda x, m: x.masked_fill(m, 7), t(1, 4), bools(3, 1)),
    row("masked_fill_", lambda x, m: x.masked_fill_(m, 0.0), t(3, 4), bools(3, 4)),
    row("masked_fill_bool", lambda x, m: x.masked_fill(m, True), bools(3), bools(3, seed=2)),
    row("copysign_scalar", lambda x: torch.copysign(x, -1.0), ODD),
    row("copysign_int", lambda x: torch.copysign(x, -1), INTS),
    row("ldexp_int", torch.ldexp, ints(3), ints(3)),
    row("frexp", torch.frexp, t(5)),
    row("bitwise_scalar", lambda x: (x & 3, x | 8, x ^ 5), INTS),
    row("bitwise_bool_int", lambda x, y: x & y, bools(3), ints(3)),
    row("shift_scalar", lambda x: (x << 2, x >> 1), INTS),
    row("shift_negative", lambda x: x >> 1, INTS.int()),
    row("bitwise_not_bool", lambda x: ~x, bools(4)),
    row("logical_float", lambda x, y: torch.logical_and(x, y), ODD, ODD2),
    row("logical_mixed", lambda x, y: torch.logical_or(x, y), t(3), ints(3)),
    row("polygamma", lambda x: torch.polygamma(1, x), t(5, low=0.5, high=3)),
    row("mvlgamma", lambda x: torch.mvlgamma(x, 2), t(5, low=1.5, high=3)),
    row("xlogy_scalar", lambda x: (torch.xlogy(x, 2), torch.xlogy(2, x.abs() + 1)), t(5)),
    row("special", lambda x: (torch.special.entr(x), torch.special.xlog1py(x, x), torch.special.ndtr(x), torch.special.expit(x)), t(5, low=0.1, high=1)),
    row("gelu", lambda x: (F.gelu(x), F.gelu(x, approximate="tanh")), t(3, 4)),
    row("gelu_bf16", F.gelu, t(3, 4, dtype=BF16)),
    row("elu", lambda x: (F.elu(x), F.elu(x, alpha=2), F.celu(x, 1.5), F.selu(x)), t(3, 4)),
    row("elu_full", lambda x: torch.ops.aten.elu(x, 1.5, 2.0, 0.5), t(3, 4)),
    row("hard", lambda x: (F.hardtanh(x), F.hardtanh(x, -0.2, 0.4), F.hardsigmoid(x), F.hardswish(x), F.hardshrink(x, 0.3), F.softshrink(x, 0.3), F.relu6(x)), t(3, 4)),
    row("hardtanh_int", lambda x: F.hardtanh(x, -2, 2), INTS),
    row("relu_int", F.relu, INTS),
    row("relu6_int", F.relu6, INTS),
    row("leaky", lambda x: (F.leaky_relu(x), F.leaky_relu(x, 0.2), F.leaky_relu(x, -0.5)), t(3, 4)),
    row("prelu", lambda x, w: F.prelu(x, w), t(2, 3, 4), t(3)),
    row("prelu_one", lambda x, w: F.prelu(x, w), t(3, 4), t(1)),
    row("rrelu_eval", lambda x: F.rrelu(x, 0.1, 0.3), t(3, 4)),
    row("softplus", lambda x: (F.softplus(x), F.softplus(x, 2.0, 1.0), F.softsign(x), F.tanhshrink(x), F.mish(x), F.silu(x), F.logsigmoid(x)), t(3, 4) * 30),
    row("threshold", lambda x: (F.threshold(x, 0.1, 20), torch.threshold(x, 0, -1)), t(3, 4)),
    row("threshold_int", lambda x: F.threshold(x, 1, 20), INTS),
    row("glu", lambda x: (F.glu(x), F.glu(x, 0)), t(4, 6)),
    row("softmax", lambda x: (F.softmax(x, 0), F.log_softmax(x, -1), F.softmin(x, 1)), t(3, 4)),
    row("softmax_type", lambda x: (F.softmax(x, 0, dtype=F64), F.log_softmax(x, -1, dtype=F32)), t(3, 4, dtype=F16)),
    row("softmax_int", lambda x: F.softmax(x, 1, dtype=F32), ints(3, 4)),
    row("softmax_inf", lambda x: F.softmax(x, 1), torch.tensor([[-INF, -INF], [-INF, 1.0], [INF, 1.0]])),
    row("softmax_rank0", lambda x: F.softmax(x, 0), torch.tensor(2.0)),
    row("gumbel_free", lambda x: F.normalize(x, p=3, dim=0), t(3, 4)),
    *(
        row(f"to_{short(a)}_{short(b)}", lambda x, b=b: x.to(b), t(3, 4, dtype=a, low=0, high=6))
        for a in (*TYPES, I16)
        for b in TYPES
    ),
    row("to_other", lambda x, y: x.to(y), ints(3), t(3)),
    row("to_f_i_trunc", lambda x: (x.int(), x.long(), x.to(I8), x.bool()), torch.tensor([-1.7, 1.7, 0.3, -0.3, 100.9])),
    row("type_as", lambda x, y: x.type_as(y), t(3), ints(3)),
    row("methods", lambda x: (x.float(), x.double(), x.half(), x.bfloat16(), x.long(), x.int(), x.short(), x.char(), x.byte(), x.bool()), t(3, low=0, high=9)),
    row("complex_math", lambda x, y: (x + y, x * y, x / y, x - 2, 2j * x, x.abs(), x.angle(), x.real, x.imag, x.conj(), x.exp(), x.sqrt()), t(3, dtype=torch.complex64), t(3, dtype=torch.complex64, seed=2)),
    row("complex_mixed", lambda x, y: (x + y, y * x, torch.complex(y, y), torch.polar(y.abs(), y), torch.view_as_real(x)), t(3, dtype=torch.complex64), t(3)),
    row("scalar_output", lambda x: x.sum().item() * 2, t(3)),
    row("numel", lambda x: x.numel() + x.dim(), t(3, 4)),
    row("size_arithmetic", lambda x: x * x.shape[0] / x.shape[1], t(3, 4)),
    row("size_outputs", lambda x: (x.shape[0], x.size(1) * 2, x.shape[0] // 2), t(3, 4)),
    row("sqrt_size", lambda x: x / math.sqrt(x.shape[-1]), t(3, 4)),
    row("int_input", lambda x, n: x * n + n, t(3, 4), 3),
    row("float_input", lambda x, n: x * n, t(3, 4), 0.5),
    row("bool_input", lambda x, n: x if n else -x, t(3, 4), True),
    row("dict_input", lambda d: {"a": d["x"] + d["y"], "b": [d["x"]]}, {"x": t(3), "y": t(3)}),
    row("list_input", lambda xs: torch.cat(xs), [t(2, 3), t(1, 3)]),
    row("none_output", lambda x: (x, None), t(3)),
    row("identity", lambda x: x, t(3)),
    row("same_twice", lambda x: (x + 1, x), t(3)),
    row("constant_only", lambda x: torch.ones(2), t(3)),
    row("relu_clone_contiguous", lambda x: x.t().contiguous().clone(), t(3, 4)),
    row("detach_alias", lambda x: x.detach().add(1), t(3)),
    row("uint8_overflow", lambda x: (x + 200, x * 3, -x, x - 250), t(5, dtype=U8)),
    row("int8_overflow", lambda x: (x + 100, x * 50, x.abs(), -x), torch.tensor([-128, 127, 3, -3], dtype=I8)),
    row("int_true_div", lambda x, y: x / y, INTS, DIVISORS),
    row("int_div_zero_f", lambda x: x / 0.0, INTS),
    row("int_rsqrt", torch.rsqrt, INTS.abs() + 1),
    row("bool_arith", lambda x, y: (x + y, x * y, x.sum(), x.float().mean(), ~x), bools(4), bools(4, seed=3)),
    row("bool_add_int", lambda x: (x + 1, x * 2.5, x / 2, x // 1), bools(4)),
    row("bool_compare", lambda x, y: (x < y, x == y, x >= True), bools(4), bools(4, seed=3)),
    row("minmax_bool", lambda x, y: (torch.maximum(x, y), torch.minimum(x, y)), bools(4), bools(4, seed=3)),
    row("quantize", lambda x: torch.fake_quantize_per_tensor_affine(x, 0.1, 3, -8, 7), t(3, 4)),
    row("fake_quantize_tensor", lambda x, s, z: torch.fake_quantize_per_tensor_affine(x, s, z, 0, 255), t(3, 4), torch.tensor(0.1), torch.tensor(3, dtype=I32)),
    row("fake_quantize_channel", lambda x, s, z: torch.fake_quantize_per_channel_affine(x, s, z, 1, 0, 255), t(3, 4), t(4, low=0.05, high=0.2), torch.tensor([0, 1, 2, 3], dtype=I32)),
    row("bernoulli", lambda x: torch.bernoulli(x), torch.tensor([0.0, 1.0, 1.0])),
    row("bernoulli_p", lambda x: x.bernoulli(1.0), t(3)),
    row("rand_like", lambda x: (torch.rand_like(x), torch.randn_like(x), torch.randint_like(x, 3), torch.rand(2, 3), torch.randn(4), torch.randint(0, 5, (3,)), torch.randperm(4)), t(3), drawn=True),
    row("uniform_", lambda x: x.uniform_(2, 3) > 1, t(3)),
    row("dropout_eval", lambda x: (F.dropout(x, 0.5, training=False), F.dropout(x, 0.0, training=True)), t(3)),
    row("dropout_train", lambda x: F.dropout(x, 0.5, training=True), t(3), drawn=True),
    row("dropout_all", lambda x: F.dropout(x, 1.0, training=True), t(3)),
    row("normal_", lambda x: (x.normal_(1, 2), torch.normal(x, 2.0), torch.normal(0.0, x.abs())), t(3), drawn=True),
    row("exponential_", lambda x: x.exponential_() >= 0, t(3)),
]
