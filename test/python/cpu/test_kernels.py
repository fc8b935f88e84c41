"""Kernels of small programs against numpy in double precision."""

import pathlib

import numpy as np
import pytest
from kernel_harness import Kernels

INPUTS = pathlib.Path(__file__).parent / "Inputs"
PASSES = [
    "--fuse-elementwise",
    "--pack-contractions",
    "--decompose-pads",
    "--canonicalize",
    "--form-dispatches",
    "--canonicalize",
]
RNG = np.random.default_rng(0)


def build(name, cpu):
    return Kernels((INPUTS / name).read_text(), cpu, PASSES)


@pytest.fixture(scope="module", params=["x86-64-v3", "host"])
def programs(request):
    return build("programs.mlir", request.param)


@pytest.fixture(scope="module", params=["x86-64-v3", "host"])
def contractions(request):
    return build("contractions.mlir", request.param)


def floats(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def test_gather(programs):
    table, index = floats(100, 16), RNG.integers(0, 100, 7)
    (got,) = programs.run("gather_0_elementwise", [index, table], [((7, 16), "f4")])
    np.testing.assert_array_equal(got, table[index])


def test_booleans_are_bytes(programs):
    a = RNG.integers(0, 2, 33).astype(np.uint8)
    b = RNG.integers(0, 10, 33).astype(np.int32)
    mask, picked = programs.run(
        "mask_0_elementwise", [a, b], [((33,), "u1"), ((33,), "i4")]
    )
    np.testing.assert_array_equal(mask, a ^ (b < 5))
    np.testing.assert_array_equal(picked, np.where(a, b, 5))


def test_sum_of_everything(programs):
    a = floats(37, 53)
    (got,) = programs.run("total_0_reduction", [a], [((), "f4")], splits=())
    np.testing.assert_allclose(got, a.astype("f8").sum(), atol=1e-3)


def test_transpose(programs):
    a = floats(70, 50)
    (got,) = programs.run("transpose_0_elementwise", [a], [((50, 70), "f4")])
    np.testing.assert_array_equal(got, a.T)


def test_max_pool(programs):
    a = floats(1, 8, 16, 16)
    (got,) = programs.run("maxpool_0_convolution", [a], [((1, 8, 8, 8), "f4")])
    np.testing.assert_array_equal(got, a.reshape(1, 8, 8, 2, 8, 2).max((3, 5)))


def test_plain_convolution(programs):
    a, w = floats(1, 3, 10, 10), floats(4, 3, 3, 3)
    (got,) = programs.run("conv_0_convolution", [a, w], [((1, 4, 8, 8), "f4")])
    windows = np.lib.stride_tricks.sliding_window_view(a.astype("f8"), (3, 3), (2, 3))
    want = np.einsum("nchwij,ocij->nohw", windows, w)
    np.testing.assert_allclose(got, want, atol=1e-5)


def test_integer_product(programs):
    a = RNG.integers(-128, 128, (9, 20)).astype(np.int8)
    b = RNG.integers(-128, 128, (20, 17)).astype(np.int8)
    (got,) = programs.run("imm_0_contraction", [a, b], [((9, 17), "i4")])
    np.testing.assert_array_equal(got, a.astype("i4") @ b.astype("i4"))


def test_half_product(programs):
    a, b = floats(9, 20).astype("f2"), floats(20, 17).astype("f2")
    (got,) = programs.run("hmm_0_contraction", [a, b], [((9, 17), "f2")])
    np.testing.assert_allclose(got, a.astype("f8") @ b.astype("f8"), atol=0.05)


def test_complex(programs):
    a = (floats(9) + 1j * floats(9)).astype(np.complex64)
    (got,) = programs.run("cplx_0_elementwise", [a], [((9,), "c8")])
    np.testing.assert_allclose(got, np.exp(a) * a, rtol=1e-5)


def test_no_elements(programs):
    a = floats(0, 4)
    (got,) = programs.run("empty_0_elementwise", [a], [((0, 4), "f4")])
    assert got.shape == (0, 4)


@pytest.mark.parametrize("rows", [1, 7, 12, 64, 133])
def test_linear_with_dynamic_rows(contractions, rows):
    a, w, bias = floats(rows, 64), floats(64, 96), floats(96)
    (got,) = contractions.run(
        "linear_0_contraction", [a, w, bias], [((rows, 96), "f4")], [rows]
    )
    np.testing.assert_allclose(got, a.astype("f8") @ w + bias, atol=2e-5)


@pytest.mark.parametrize("rows", [1, 30])
def test_linear_with_packed_weight(contractions, rows):
    a, w, bias = floats(rows, 64), floats(3, 64, 32), floats(3, 32)
    (got,) = contractions.run(
        "packed_1_contraction", [a, w, bias], [((rows, 3, 32), "f4")], [rows]
    )
    want = np.einsum("mk,pkn->mpn", a.astype("f8"), w) + bias
    np.testing.assert_allclose(got, want, atol=2e-5)


@pytest.mark.parametrize("m,n", [(128, 128), (37, 53), (1, 9)])
def test_attention(contractions, m, n):
    q, k, v = floats(12, m, 64), floats(12, n, 64), floats(12, n, 64)
    (scores,) = contractions.run("attn_0_contraction", [q, k], [((12, m, n), "f4")])
    (weights,) = contractions.run(
        "attn_1_reduction", [scores], [((12, m, n), "f4")], [m]
    )
    (got,) = contractions.run("attn_2_contraction", [weights, v], [((12, m, 64), "f4")])
    exact = np.einsum("bmk,bnk->bmn", q.astype("f8"), k) / 8
    exact = np.exp(exact - exact.max(-1, keepdims=True))
    exact /= exact.sum(-1, keepdims=True)
    np.testing.assert_allclose(got, np.einsum("bmn,bnk->bmk", exact, v), atol=1e-5)
