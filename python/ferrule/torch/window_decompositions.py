"""Windows and frequencies of signal processing by their formulas."""

from __future__ import annotations

import math

import torch

from .own_decompositions import decomposes

aten = torch.ops.aten


def angles(length, periodic, dtype):
    """2 pi n / (number of steps), where a periodic window has one more step."""
    steps = max(length if periodic else length - 1, 1)
    return torch.arange(length, dtype=dtype) * (2 * math.pi / steps)


def dtype_of(options):
    return options.get("dtype") or torch.get_default_dtype()


def window(length, periodic, options, values):
    """The values of the angles, computed in double precision."""
    dtype = dtype_of(options)
    if length <= 1:
        return torch.ones(length, dtype=dtype)
    return values(angles(length, periodic, torch.float64)).to(dtype)


def cosine_window(length, periodic, *coefficients, **options):
    """The sum of (-1)^k a_k cos(k angle)."""

    def values(at):
        value = torch.zeros(length, dtype=torch.float64)
        for k, coefficient in enumerate(coefficients):
            value = value + (-1) ** k * coefficient * torch.cos(k * at)
        return value

    return window(length, periodic, options, values)


def bartlett_window(length, periodic, **options):
    return window(length, periodic, options, lambda at: 1 - (at / math.pi - 1).abs())


@decomposes(aten.kaiser_window.beta)
def kaiser_window(window_length, periodic, beta, **options):
    def values(at):
        part = at / math.pi - 1
        inside = torch.sqrt((1 - part * part).clamp(min=0))
        scale = torch.full((), beta, dtype=torch.float64)
        return torch.special.i0(beta * inside) / torch.special.i0(scale)

    return window(window_length, periodic, options, values)


@decomposes(aten.hamming_window.periodic_alpha)
def hamming_alpha(window_length, periodic, alpha, **options):
    return cosine_window(window_length, periodic, alpha, 1 - alpha, **options)


@decomposes(aten.hamming_window.periodic_alpha_beta)
def hamming_alpha_beta(window_length, periodic, alpha, beta, **options):
    return cosine_window(window_length, periodic, alpha, beta, **options)


def register(packet, function, *constants):
    """The overload that asks whether the window is periodic, and the one where
    it is."""

    def periodic_or_not(window_length, periodic, **options):
        return function(window_length, periodic, *constants, **options)

    def always_periodic(window_length, **options):
        return function(window_length, True, *constants, **options)

    decomposes(packet.periodic)(periodic_or_not)
    decomposes(packet.default)(always_periodic)


for packet, function, *constants in (
    (aten.hann_window, cosine_window, 0.5, 0.5),
    (aten.hamming_window, cosine_window, 0.54, 0.46),
    (aten.blackman_window, cosine_window, 0.42, 0.5, 0.08),
    (aten.bartlett_window, bartlett_window),
    (aten.kaiser_window, kaiser_window, 12.0),
):
    register(packet, function, *constants)


@decomposes(aten.fft_fftfreq.default)
def fftfreq(n, d=1.0, **options):
    """Frequencies from 0 up, then the negative ones."""
    dtype = dtype_of(options)
    places = torch.arange(n, dtype=torch.int64)
    places = torch.where(places < (n + 1) // 2, places, places - n)
    return places.to(dtype) * (1.0 / (n * d))


@decomposes(aten.fft_rfftfreq.default)
def rfftfreq(n, d=1.0, **options):
    dtype = dtype_of(options)
    return torch.arange(n // 2 + 1, dtype=dtype) * (1.0 / (n * d))
