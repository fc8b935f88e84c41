"""Orthogonal polynomials whose degree is a tensor: the recurrence runs to a
bound and each element keeps the term of its own degree."""

from __future__ import annotations

import math

import torch

from .special_decompositions import two_operands

aten = torch.ops.aten

# Eager's recurrences of higher degree overflow or are slow as well.
HIGHEST = 32


def overloads(name: str):
    packet = getattr(aten, f"special_{name}")
    return packet.default, packet.n_scalar, packet.x_scalar


def recurrence(x, n, first, second, following):
    """Term n of p0 = first, p1 = second, p(k+1) = following(k, p(k), p(k-1))."""
    x, n = torch.broadcast_tensors(x, n)
    degree = torch.trunc(n)
    before, now = first(x), second(x)
    result = torch.where(degree == 0, before, now)
    for k in range(1, HIGHEST):
        before, now = now, following(x, k, now, before)
        result = torch.where(degree == k + 1, now, result)
    result = torch.where(degree > HIGHEST, math.nan, result)
    return torch.where(degree < 0, 0.0, result)


def one(x):
    return torch.ones_like(x)


def chebyshev(name: str, second, shifted: bool):
    """Chebyshev's of four kinds share the recurrence; those of an argument in
    [0, 1] are those of 2x - 1."""

    @two_operands(*overloads(name))
    def polynomial(x, n):
        y = 2 * x - 1 if shifted else x
        return recurrence(y, n, one, second, lambda y, k, p, q: 2 * y * p - q)


for kind, second in {
    "t": lambda x: x,
    "u": lambda x: 2 * x,
    "v": lambda x: 2 * x - 1,
    "w": lambda x: 2 * x + 1,
}.items():
    chebyshev(f"chebyshev_polynomial_{kind}", second, False)
    chebyshev(f"shifted_chebyshev_polynomial_{kind}", second, True)


@two_operands(*overloads("hermite_polynomial_h"))
def hermite_h(x, n):
    return recurrence(
        x, n, one, lambda x: 2 * x, lambda x, k, p, q: 2 * x * p - 2 * k * q
    )


@two_operands(*overloads("hermite_polynomial_he"))
def hermite_he(x, n):
    return recurrence(x, n, one, lambda x: x, lambda x, k, p, q: x * p - k * q)


@two_operands(*overloads("laguerre_polynomial_l"))
def laguerre(x, n):
    return recurrence(
        x,
        n,
        one,
        lambda x: 1 - x,
        lambda x, k, p, q: ((2 * k + 1 - x) * p - k * q) / (k + 1),
    )


@two_operands(*overloads("legendre_polynomial_p"))
def legendre(x, n):
    return recurrence(
        x,
        n,
        one,
        lambda x: x,
        lambda x, k, p, q: ((2 * k + 1) * x * p - k * q) / (k + 1),
    )
