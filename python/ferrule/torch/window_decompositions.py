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


def cosine_window(length, periodic, coefficients, options):
    """The sum of (-1)^k a_k cos(k angle)."""
    dtype = options.get("dtype") or torch.get_default_dtype()
    if length <= 1:
        return torch.ones(length, dtype=dtype)
    at = angles(length, periodic, torch.float64)
    value = torch.zeros(length, dtype=torch.float64)
    for k, coefficient in enumerate(coefficients):
        value = value + (-1) ** k * coefficient * torch.cos(k * at)
    return value.to(dtype)


@decomposes(aten.hann_window.default)
def hann(window_length, **options):
    return cosine_window(window_length, True, (0.5, 0.5), options)


@decomposes(aten.hann_window.periodic)
def hann_periodic(window_length, periodic, **options):
    return cosine_window(window_length, periodic, (0.5, 0.5), options)


@decomposes(aten.hamming_window.default)
def hamming(window_length, **options):
    return cosine_window(window_length, True, (0.54, 0.46), options)


@decomposes(aten.hamming_window.periodic)
def hamming_periodic(window_length, periodic, **options):
    return cosine_window(window_length, periodic, (0.54, 0.46), options)


@decomposes(aten.hamming_window.periodic_alpha)
def hamming_alpha(window_length, periodic, alpha, **options):
    return cosine_window(window_length, periodic, (alpha, 1 - alpha), options)


@decomposes(aten.hamming_window.periodic_alpha_beta)
def hamming_alpha_beta(window_length, periodic, alpha, beta, **options):
    return cosine_window(window_length, periodic, (alpha, beta), options)


@decomposes(aten.blackman_window.default)
def blackman(window_length, **options):
    return cosine_window(window_length, True, (0.42, 0.5, 0.08), options)


@decomposes(aten.blackman_window.periodic)
def blackman_periodic(window_length, periodic, **options):
    return cosine_window(window_length, periodic, (0.42, 0.5, 0.08), options)


@decomposes(aten.bartlett_window.periodic)
def bartlett_periodic(window_length, periodic, **options):
    dtype = options.get("dtype") or torch.get_default_dtype()
    if window_length <= 1:
        return torch.ones(window_length, dtype=dtype)
    part = angles(window_length, periodic, torch.float64) / math.pi
    return (1 - (part - 1).abs()).to(dtype)


@decomposes(aten.bartlett_window.default)
def bartlett(window_length, **options):
    return bartlett_periodic(window_length, True, **options)


@decomposes(aten.kaiser_window.beta)
def kaiser_beta(window_length, periodic, beta, **options):
    dtype = options.get("dtype") or torch.get_default_dtype()
    if window_length <= 1:
        return torch.ones(window_length, dtype=dtype)
    part = angles(window_length, periodic, torch.float64) / math.pi - 1
    inside = torch.sqrt((1 - part * part).clamp(min=0))
    scale = torch.full((), beta, dtype=torch.float64)
    return (torch.special.i0(beta * inside) / torch.special.i0(scale)).to(dtype)


@decomposes(aten.kaiser_window.periodic)
def kaiser_periodic(window_length, periodic, **options):
    return kaiser_beta(window_length, periodic, 12.0, **options)


@decomposes(aten.kaiser_window.default)
def kaiser(window_length, **options):
    return kaiser_beta(window_length, True, 12.0, **options)


@decomposes(aten.fft_fftfreq.default)
def fftfreq(n, d=1.0, **options):
    """Frequencies from 0 up, then the negative ones."""
    dtype = options.get("dtype") or torch.get_default_dtype()
    places = torch.arange(n, dtype=torch.int64)
    places = torch.where(places < (n + 1) // 2, places, places - n)
    return places.to(dtype) * (1.0 / (n * d))


@decomposes(aten.fft_rfftfreq.default)
def rfftfreq(n, d=1.0, **options):
    dtype = options.get("dtype") or torch.get_default_dtype()
    return torch.arange(n // 2 + 1, dtype=dtype) * (1.0 / (n * d))
