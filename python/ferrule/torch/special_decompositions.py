"""Special functions as integrals and series, in double precision.

Integrals of smooth periodic functions, and of functions that fall off doubly
exponentially, converge to machine precision with few equal steps (trapezoidal
rule); the points lie along a last dimension that is summed away.
"""

from __future__ import annotations

import math

import torch

from .own_decompositions import decomposes

aten = torch.ops.aten
f64 = torch.float64


def wide(x):
    """In double precision, and the type of the result."""
    dtype = x.dtype if x.is_floating_point() else torch.get_default_dtype()
    return x.to(f64), dtype


def elementwise(*overloads):
    """Registers a function of one tensor in double precision."""

    def register(function):
        def rule(self):
            x, dtype = wide(self)
            return function(x).to(dtype)

        decomposes(*overloads)(rule)
        return function

    return register


def steps(x, low: float, step: float, count: int):
    """Equal steps along a dimension of their own. They are computed, because
    PyTorch's exporter loses constants that a decomposition makes."""
    return torch.arange(count, dtype=f64, device=x.device) * step + low


def half_turn(x, count: int):
    """Angles of the trapezoidal rule on half a period."""
    return steps(x, math.pi / count / 2, math.pi / count, count)


def half_line(x, count: int = 500):
    """Points and weights on [0, inf): t = exp(u - exp(-u)) falls off on both
    sides of functions that fall off exponentially."""
    u = steps(x, -4.0, 10.0 / count, count)
    t = (u - (-u).exp()).exp()
    return t, t * (1 + (-u).exp()) * (10.0 / count)


def interval(x, high: float, count: int = 140):
    """Points and weights on [0, high]: tanh(sinh(u))."""
    u = steps(x, -3.2, 6.4 / count, count)
    inner = torch.sinh(u) * (math.pi / 2)
    slope = torch.cosh(u) * (math.pi / 2) / torch.cosh(inner) ** 2
    return (torch.tanh(inner) + 1) * (high / 2), slope * (high / 2 * 6.4 / count)


# Modified Bessel functions of the first kind ---------------------------------
# exp(-|x|) I_n(x) = 1/pi int exp(|x| (cos t - 1)) cos(n t) dt over [0, pi]


def scaled_i(x, order: int):
    size = x.abs()
    # Large arguments: the asymptotic series, where the integrand is a needle.
    far = size > 200
    near_size = torch.where(far, torch.zeros_like(size), size).unsqueeze(-1)
    angles = half_turn(x, 96)
    # cos t - 1 without cancellation.
    cosines = -2 * (angles / 2).sin() ** 2
    near = ((near_size * cosines).exp() * (order * angles).cos()).mean(-1)
    if order:
        # Exact at 0, where the sum's cancellation shows.
        near = torch.where(size < 1e-3, size / 2 * (-size).exp(), near)
    safe = torch.where(far, size, torch.ones_like(size))
    term, series = torch.ones_like(safe), torch.ones_like(safe)
    for k in range(1, 8):
        term = term * -(4 * order**2 - (2 * k - 1) ** 2) / (8 * k * safe)
        series = series + term
    return torch.where(far, series / (2 * math.pi * safe).sqrt(), near)


@elementwise(aten.special_i0e.default)
def i0e(x):
    return scaled_i(x, 0)


@elementwise(aten.special_i1e.default)
def i1e(x):
    return torch.copysign(scaled_i(x, 1), x)


@elementwise(aten.i0.default, aten.special_i0.default)
def i0(x):
    return i0e(x) * x.abs().exp()


@elementwise(aten.special_i1.default)
def i1(x):
    return i1e(x) * x.abs().exp()


elementwise(aten.special_modified_bessel_i0.default)(i0)
elementwise(aten.special_modified_bessel_i1.default)(i1)

# Modified Bessel functions of the second kind --------------------------------
# exp(x) K_n(x) = int exp(-x (cosh t - 1)) cosh(n t) dt over [0, inf)


def scaled_k(x, order: int):
    far = x > 50
    if_far, x_far = asymptotic_k(torch.where(far, x, 50.0), order), x
    x = torch.where(far, 1.0, x)
    step = 0.08
    times = steps(x, 0.0, step, 512)
    cosh = 2 * (times / 2).sinh() ** 2
    weights = step * (order * times).cosh()
    weights = torch.where(times == 0, weights / 2, weights)
    exponent = -x.clamp(min=0).unsqueeze(-1) * cosh
    # A weight times a vanished integrand is nothing.
    value = (torch.where(exponent < -745, 0.0, exponent.exp() * weights)).sum(-1)
    value = torch.where(far, if_far, torch.where(x == 0, math.inf, value))
    return torch.where(x_far < 0, math.nan, torch.where(x_far.isnan(), x_far, value))


def asymptotic_k(x, order: int):
    term = series = torch.ones_like(x)
    for k in range(1, 10):
        term = term * (4 * order**2 - (2 * k - 1) ** 2) / (8 * k * x)
        series = series + term
    return series * (math.pi / (2 * x)).sqrt()


@elementwise(aten.special_scaled_modified_bessel_k0.default)
def scaled_k0(x):
    return scaled_k(x, 0)


@elementwise(aten.special_scaled_modified_bessel_k1.default)
def scaled_k1(x):
    return scaled_k(x, 1)


@elementwise(aten.special_modified_bessel_k0.default)
def k0(x):
    return scaled_k(x, 0) * (-x).exp()


@elementwise(aten.special_modified_bessel_k1.default)
def k1(x):
    return scaled_k(x, 1) * (-x).exp()


# Bessel functions of the first and second kind --------------------------------


def hankel(x, order: int):
    """Modulus and phase of the Hankel function by its asymptotic series."""
    p, q, term = torch.ones_like(x), torch.zeros_like(x), torch.ones_like(x)
    for k in range(1, 14):
        term = term * (4 * order**2 - (2 * k - 1) ** 2) / (8 * k * x)
        sign = -1.0 if k % 4 in (2, 3) else 1.0
        if k % 2:
            q = q + sign * term
        else:
            p = p + sign * term
    phase = x - (order / 2 + 0.25) * math.pi
    scale = (2 / (math.pi * x)).sqrt()
    return p * scale, q * scale, phase


FAR = 25.0


def bessel_j(x, order: int):
    """J_n(x) = 1/pi int cos(n t - x sin t) dt over [0, pi]."""
    size = x.abs()
    far = size > FAR
    near_size = torch.where(far, torch.zeros_like(size), size).unsqueeze(-1)
    angles = half_turn(x, 64)
    near = (order * angles - near_size * angles.sin()).cos().mean(-1)
    p, q, phase = hankel(torch.where(far, size, torch.full_like(size, FAR)), order)
    value = torch.where(far, p * phase.cos() - q * phase.sin(), near)
    value = torch.where(size.isinf(), math.nan, value)
    return torch.where(x < 0, -value, value) if order % 2 else value


@elementwise(aten.special_bessel_j0.default)
def bessel_j0(x):
    return bessel_j(x, 0)


@elementwise(aten.special_bessel_j1.default)
def bessel_j1(x):
    return bessel_j(x, 1)


def bessel_y(x, order: int):
    """Y_n(x) = 1/pi int sin(x sin t - n t) dt over [0, pi]
    - 1/pi int (e^(n t) + (-1)^n e^(-n t)) e^(-x sinh t) dt over [0, inf)."""
    far = x > FAR
    near = torch.where(far | ~(x > 0), torch.ones_like(x), x).unsqueeze(-1)
    angles, weights = interval(x, math.pi)
    first = ((near * angles.sin() - order * angles).sin() * weights).sum(-1)
    times, weights = half_line(x)
    exponent = -near * times.clamp(max=700.0).sinh()
    growth = (order * times).clamp(max=300.0)
    factor = (growth.exp() + (-1) ** order * (-growth).exp()) * weights
    second = torch.where(exponent < -745, 0.0, exponent.exp() * factor).sum(-1)
    p, q, phase = hankel(torch.where(far, x, torch.full_like(x, FAR)), order)
    value = (first - second) / math.pi
    value = torch.where(far, p * phase.sin() + q * phase.cos(), value)
    value = torch.where(x == 0, -math.inf, value)
    return torch.where((x < 0) | x.isnan(), math.nan, value)


@elementwise(aten.special_bessel_y0.default)
def bessel_y0(x):
    return bessel_y(x, 0)


@elementwise(aten.special_bessel_y1.default)
def bessel_y1(x):
    return bessel_y(x, 1)


@elementwise(aten.special_spherical_bessel_j0.default)
def spherical_j0(x):
    small = x.abs() < 1e-4
    safe = torch.where(small | x.isinf(), torch.ones_like(x), x)
    value = torch.where(small, 1 - x * x / 6, safe.sin() / safe)
    return torch.where(x.isinf(), 0.0, value)


# The normal distribution ------------------------------------------------------


@elementwise(aten.special_erfcx.default)
def erfcx(x):
    """exp(x^2) erfc(x) = 2/sqrt(pi) int exp(-t^2 - 2 x t) dt for x > 0."""
    size = x.abs()
    times, weights = half_line(x)
    decay = (-times * times - 2 * size.unsqueeze(-1) * times).exp()
    value = (decay * weights).sum(-1) * (2 / math.sqrt(math.pi))
    safe = torch.where(size > 50, size, torch.ones_like(size))
    square = 1 / (2 * safe * safe)
    series = (1 - square * (1 - 3 * square)) / (safe * math.sqrt(math.pi))
    value = torch.where(size > 50, series, value)
    return torch.where(x < 0, 2 * (x * x).exp() - value, value)


@elementwise(aten.special_log_ndtr.default)
def log_ndtr(x):
    low = x < -1
    tail = torch.where(low, x, torch.full_like(x, -1.0)) * math.sqrt(0.5)
    body = torch.where(low, torch.zeros_like(x), x) * math.sqrt(0.5)
    return torch.where(
        low,
        (erfcx(-tail) / 2).log() - tail * tail,
        torch.log1p(-torch.erfc(body) / 2),
    )


@elementwise(aten.special_ndtri.default)
def ndtri(p):
    value = math.sqrt(2) * torch.erfinv(2 * p - 1)
    # Near 0, where 2p - 1 has lost digits: Newton's steps on log Phi.
    low = (p < 0.1) & (p > 0)
    target = torch.where(low, p, torch.full_like(p, 0.05)).log()
    z = -(-2 * target).sqrt()
    for _ in range(6):
        density = (-z * z / 2).exp() / math.sqrt(2 * math.pi)
        log_phi = log_ndtr(z)
        z = z - (log_phi - target) * (log_phi.exp() / density)
    return torch.where(low, z, value)


# Incomplete gamma functions -----------------------------------------------------


def incomplete_gamma(a, x):
    """The lower and the upper one, regularized: the power series below
    x = a + 1, Lentz's continued fraction above it."""
    a, x = torch.broadcast_tensors(a, x)
    usual = (a > 0) & (x > 0) & a.isfinite() & x.isfinite()
    one = torch.ones_like(a)
    a0, x0 = torch.where(usual, a, one), torch.where(usual, x, one)
    front = (a0 * x0.log() - x0 - torch.lgamma(a0)).exp()
    small = x0 < a0 + 1
    xs = torch.where(small, x0, one)
    term = total = 1 / a0
    for n in range(1, 121):
        term = term * xs / (a0 + n)
        total = total + term
    xl = torch.where(small, a0 + 2, x0)
    b = xl + 1 - a0
    c, d = torch.full_like(b, 1e300), 1 / b
    h = d
    for n in range(1, 81):
        factor = -n * (n - a0)
        b = b + 2
        d = 1 / (factor * d + b)
        c = b + factor / c
        h = h * d * c
    lower = torch.where(small, front * total, 1 - front * h)
    upper = torch.where(small, 1 - front * total, front * h)
    zero, invalid = torch.zeros_like(a), torch.full_like(a, math.nan)
    # At the borders.
    begin = (x == 0) & (a > 0) | a.isinf() & (a > 0) & x.isfinite() & (x >= 0)
    end = (a == 0) & (x > 0) | x.isinf() & (x > 0) & a.isfinite() & (a >= 0)
    lower = torch.where(
        usual, lower, torch.where(begin, zero, torch.where(end, one, invalid))
    )
    upper = torch.where(
        usual, upper, torch.where(begin, one, torch.where(end, zero, invalid))
    )
    return lower, upper


def two_operands(*overloads):
    def register(function):
        def rule(self, other):
            tensors = [t for t in (self, other) if isinstance(t, torch.Tensor)]
            dtype = torch.result_type(self, other)
            if not dtype.is_floating_point:
                dtype = torch.get_default_dtype()
            device = tensors[0].device
            a, b = (
                t.to(f64)
                if isinstance(t, torch.Tensor)
                else torch.full((), t, dtype=f64, device=device)
                for t in (self, other)
            )
            return function(a, b).to(dtype)

        decomposes(*overloads)(rule)
        return function

    return register


@two_operands(aten.igamma.default)
def igamma(a, x):
    return incomplete_gamma(a, x)[0]


@two_operands(aten.igammac.default)
def igammac(a, x):
    return incomplete_gamma(a, x)[1]
