"""Elementwise operators against PyTorch: arithmetic, comparison, promotion."""

import pytest
import torch
import torch.nn.functional as F
from op_rows import row, run_row, t

INF, NAN = float("inf"), float("nan")
ODD = torch.tensor([0.0, -0.0, 1.5, -1.5, 2.5, -2.5, INF, -INF, NAN, 1e30, -1e-30])
I = torch.tensor([7, -7, 7, -7, 0, 5, 6])
J = torch.tensor([2, 2, -2, -2, 3, 5, -6])

UNARY = [
    "abs neg sign exp expm1 floor ceil round trunc isnan isinf isfinite "
    "square sin cos tanh sigmoid relu sinh cosh atan asinh erf erfc exp2 sinc "
    "nan_to_num signbit isposinf isneginf frac reciprocal deg2rad tan"
]
POSITIVE = "log log2 log10 log1p sqrt rsqrt lgamma digamma"
UNIT = "asin acos atanh erfinv logit"

ROWS = [
    *(row(n, getattr(torch, n), ODD if n not in ("tan", "sin", "cos", "tanh", "exp2", "sinh", "cosh", "sinc") else t(11)) for n in UNARY[0].split()),
    *(row(n, getattr(torch, n), t(9, low=0.1, high=6.0)) for n in POSITIVE.split()),
    *(row(n, getattr(torch, n), t(9, low=0.05, high=0.95)) for n in UNIT.split()),
    row("acosh", torch.acosh, t(9, low=1.1, high=5.0)),
    row("sin_f16", torch.sin, t(9, dtype=torch.float16)),
    row("exp_bf16", torch.exp, t(9, dtype=torch.bfloat16)),
    row("exp_int", torch.exp, t(9, dtype=torch.int64)),
    row("sqrt_bool", torch.sqrt, t(9, dtype=torch.bool)),
    row("bitwise_not", torch.bitwise_not, t(9, dtype=torch.int32)),
    row("bitwise_not_bool", torch.bitwise_not, t(9, dtype=torch.bool)),
    row("logical_not", torch.logical_not, ODD),
    row("round_decimals", lambda x: torch.round(x, decimals=2), t(9)),
    row("add_alpha", lambda x, y: torch.add(x, y, alpha=2.5), t(3, 4), t(4)),
    row("add_promote", torch.add, t(3, 4, dtype=torch.int32), t(4)),
    row("add_half_scalar_tensor", torch.add, t(3, dtype=torch.float16), torch.tensor(2.0)),
    row("add_bool", torch.add, t(9, dtype=torch.bool), t(9, dtype=torch.bool, seed=1)),
    row("add_int_float_scalar", lambda x: x + 2.5, t(4, dtype=torch.int64)),
    row("add_u8", torch.add, t(9, dtype=torch.uint8, low=0, high=255), t(9, dtype=torch.uint8, seed=3, low=0, high=255)),
    row("sub_scalar", lambda x: 3 - x, t(4)),
    row("rsub", lambda x, y: torch.rsub(x, y, alpha=2), t(4), t(4, seed=1)),
    row("mul_broadcast", torch.mul, t(3, 1, 5), t(4, 1)),
    row("mul_bool_float", torch.mul, t(4, dtype=torch.bool), t(4)),
    row("div_int", torch.div, I, J),
    row("div_floor_int", lambda x, y: torch.div(x, y, rounding_mode="floor"), I, J),
    row("div_trunc_int", lambda x, y: torch.div(x, y, rounding_mode="trunc"), I, J),
    row("div_floor", lambda x, y: torch.div(x, y, rounding_mode="floor"), I.float() * 1.1, J.float()),
    row("floor_divide", lambda x: x // 3, I),
    row("remainder", torch.remainder, I, J),
    row("remainder_float", torch.remainder, I.float() * 1.3, J.float()),
    row("fmod", torch.fmod, I, J),
    row("fmod_float", torch.fmod, I.float() * 1.3, J.float()),
    row("pow2", lambda x: x**2, t(5)),
    row("pow3", lambda x: x**3, t(5)),
    row("pow_half", lambda x: x**0.5, t(5, low=0.0, high=4.0)),
    row("pow_float", lambda x: x**1.7, t(5, low=0.0, high=4.0)),
    row("pow_scalar", lambda x: 2**x, t(5)),
    row("pow_tensor", torch.pow, t(5, low=0.1, high=3.0), t(5, seed=1)),
    row("pow_int", torch.pow, t(5, dtype=torch.int64), torch.tensor([0, 1, 2, 3, 4])),
    row("maximum_nan", torch.maximum, ODD, torch.flip(ODD, [0])),
    row("fmax_nan", torch.fmax, ODD, torch.flip(ODD, [0])),
    row("fmin_nan", torch.fmin, ODD, torch.flip(ODD, [0])),
    row("atan2", torch.atan2, t(9), t(9, seed=2)),
    row("hypot", torch.hypot, t(9), t(9, seed=2)),
    row("copysign", torch.copysign, ODD, torch.tensor(-0.0)),
    row("xlogy", torch.xlogy, torch.tensor([0.0, 1.0, 2.0, 0.0]), torch.tensor([0.0, 0.5, 3.0, NAN])),
    row("logaddexp", torch.logaddexp, torch.tensor([1.0, -INF, INF, 500.0]), torch.tensor([2.0, -INF, INF, 0.0])),
    row("bitwise_and", torch.bitwise_and, I, J),
    row("bitwise_xor_scalar", lambda x: x ^ 5, I),
    row("shift", lambda x: (x << 2, x >> 1), I),
    row("logical_xor", torch.logical_xor, t(6, dtype=torch.bool), t(6)),
    row("eq_int_float", torch.eq, t(6, dtype=torch.int64), t(6)),
    row("lt_int_half_scalar", lambda x: x < 1.5, t(6, dtype=torch.int64)),
    row("ge_nan", torch.ge, ODD, torch.tensor(1.5)),
    row("ne_bool", torch.ne, t(6, dtype=torch.bool), t(6, dtype=torch.bool, seed=1)),
    row("where", torch.where, t(3, 1, dtype=torch.bool), t(4), t(3, 4)),
    row("where_scalar", lambda c, x: torch.where(c, x, 0.0), t(3, dtype=torch.bool), t(3)),
    row("where_promote", torch.where, t(4, dtype=torch.bool), t(4, dtype=torch.int64), t(4)),
    row("masked_fill", lambda x, m: x.masked_fill(m, -INF), t(3, 4), t(4, dtype=torch.bool)),
    row("addcmul", lambda x, y, z: torch.addcmul(x, y, z, value=0.5), t(4), t(4, seed=1), t(4, seed=2)),
    row("addcdiv", torch.addcdiv, t(4), t(4, seed=1), t(4, seed=2)),
    row("lerp", lambda x, y: torch.lerp(x, y, 0.7), t(4), t(4, seed=1)),
    row("lerp_tensor", torch.lerp, t(4), t(4, seed=1), t(4, seed=2)),
    row("clamp", lambda x: torch.clamp(x, -1, 0.5), ODD),
    row("clamp_min_int", lambda x: torch.clamp(x, min=2), I),
    row("clamp_tensor", torch.clamp, t(4), t(4, seed=1), t(4, seed=2)),
    row("clamp_promote", lambda x: torch.clamp(x, 0.5), I),
    row("heaviside", torch.heaviside, ODD, torch.tensor(0.5)),
    row("isclose", torch.isclose, ODD, ODD + 1e-9),
    row("open_sizes", lambda x, y: (x + y) * x, t(3, 4), t(4), dynamic=({0: "n"}, None), others=[(t(7, 4), t(4)), (t(1, 4), t(4)), (t(0, 4), t(4))]),
]

ACTIVATIONS = [
    *(row(f.__name__, f, ODD[:8]) for f in (F.relu, F.relu6, F.hardtanh, F.hardswish, F.hardsigmoid, F.softsign)),
    *(row(f.__name__, f, t(3, 7)) for f in (F.silu, F.mish, F.elu, F.celu, F.selu, F.softplus, F.logsigmoid, F.tanhshrink, F.softshrink, F.hardshrink, F.leaky_relu, F.gelu, F.glu) if f is not F.glu),
    row("gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), t(9)),
    row("glu", lambda x: F.glu(x, 1), t(3, 6)),
    row("prelu", F.prelu, t(2, 3, 4), t(3)),
    row("softplus_beta", lambda x: F.softplus(x, 3.0, 2.0), t(9)),
    row("threshold", lambda x: F.threshold(x, 0.1, 20.0), t(9)),
    row("softmax", lambda x: torch.softmax(x, 1), t(3, 5) * 30),
    row("softmax_masked", lambda x: torch.softmax(x, -1), torch.tensor([[0.0, -INF], [-INF, -INF]])),
    row("log_softmax", lambda x: torch.log_softmax(x, 0), t(3, 5)),
    row("softmax_f16", lambda x: torch.softmax(x, -1), t(3, 5, dtype=torch.float16)),
]


@pytest.mark.parametrize("case", ROWS)
def test_elementwise(case):
    run_row(case)


@pytest.mark.parametrize("case", ACTIVATIONS)
def test_activation(case):
    run_row(case)
