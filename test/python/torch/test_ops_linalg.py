"""Linear algebra, special functions, and results whose size depends on data."""

import pytest
import torch
from op_rows import Row, row, run_row, t


def positive(*shape):
    x = t(*shape)
    return x @ x.mT + torch.eye(shape[-1])


def without_signs(function):
    """Products that do not depend on the vectors' signs."""

    def run(x):
        u, s, vh = function(x)
        return (u * s.unsqueeze(-2)) @ vh, s

    return run


def eigen(x):
    values, vectors = torch.linalg.eigh(x)
    return (vectors * values.unsqueeze(-2)) @ vectors.mT, values


def qr(x):
    q, r = torch.linalg.qr(x)
    return q @ r, r.abs()


B = {0: "batch", 1: "n", 2: "n"}

ROWS = [
    row("det", torch.linalg.det, t(3, 4, 4)),
    row("slogdet", torch.linalg.slogdet, t(2, 3, 5, 5)),
    row("inverse", torch.linalg.inv, t(4, 4) + 3 * torch.eye(4), tolerance=1e-4),
    row("solve", torch.linalg.solve, t(3, 5, 5), t(3, 5, 2, seed=1), tolerance=1e-3),
    row("solve_vector", torch.linalg.solve, t(5, 5), t(5), tolerance=1e-3),
    row("lu", torch.linalg.lu, t(2, 5, 3)),
    row("lu_wide", torch.linalg.lu, t(2, 3, 5)),
    row("qr", qr, t(2, 6, 4), tolerance=1e-4),
    row("qr_wide", qr, t(3, 5), tolerance=1e-4),
    row("cholesky", torch.linalg.cholesky, positive(2, 5, 5), tolerance=1e-4),
    row(
        "cholesky_solve", torch.cholesky_solve, t(4, 2), positive(4, 4), tolerance=1e-3
    ),
    row("eigh", eigen, positive(2, 6, 6), tolerance=1e-4),
    row(
        "svd",
        without_signs(lambda x: torch.linalg.svd(x, False)),
        t(2, 5, 3),
        tolerance=1e-4,
    ),
    row(
        "svd_wide",
        without_signs(lambda x: torch.linalg.svd(x, False)),
        t(3, 6),
        tolerance=1e-4,
    ),
    row("svdvals", torch.linalg.svdvals, t(7, 7), tolerance=1e-4),
    row("pinv", torch.linalg.pinv, t(6, 4), tolerance=1e-3),
    row("matrix_rank", torch.linalg.matrix_rank, torch.ones(4, 4) + torch.eye(4)[0]),
    row("matrix_exp", torch.linalg.matrix_exp, t(2, 4, 4), tolerance=1e-4),
    row(
        "solve_triangular",
        lambda a, b: torch.linalg.solve_triangular(a, b, upper=False),
        positive(2, 4, 4),
        t(4, 3),
        tolerance=1e-3,
    ),
    row(
        "det_dynamic",
        torch.linalg.det,
        t(3, 4, 4),
        dynamic=(B,),
        others=[(t(2, 5, 5),), (t(4, 7, 7),)],
        tolerance=1e-4,
    ),
    row("unique", torch.unique, torch.tensor([3, 1, 2, 1, 3, 3])),
    row(
        "unique_all",
        lambda x: torch.unique(x, return_inverse=True, return_counts=True),
        torch.tensor([[3, 1], [2, 1], [3, 3]]),
    ),
    row(
        "unique_rows",
        lambda x: torch.unique(x, dim=0),
        torch.tensor([[3, 1], [2, 1], [3, 1]]),
    ),
    row(
        "unique_consecutive",
        lambda x: torch.unique_consecutive(x, return_counts=True),
        torch.tensor([1, 1, 2, 2, 2, 1]),
    ),
    row("bincount", torch.bincount, torch.tensor([0, 4, 1, 4])),
    row("nonzero_of_a_scalar", torch.nonzero, torch.tensor(3.0)),
    row("gcd", torch.gcd, torch.tensor([12, -18, 0, 7]), torch.tensor([8, 12, 5, 0])),
    row("lcm", torch.lcm, torch.tensor([12, -18, 0, 7]), torch.tensor([8, 12, 5, 3])),
    row("mode", torch.mode, torch.tensor([[1, 2, 2, 1, 3], [5, 4, 4, 4, 5]])),
    row("histc", lambda x: torch.histc(x, 10, -2, 2), t(100)),
    row("bessel_j0", torch.special.bessel_j0, t(50) * 20),
    row("i0", torch.special.i0, t(50) * 5),
    row("empty", torch.acos, torch.ones(0, 3)),
]


@pytest.mark.parametrize("case", ROWS)
def test_row(case: Row):
    run_row(case)


def test_random_numbers_of_an_open_size():
    """A chain in which each value is used twice must not grow."""
    import ferrule

    program = ferrule.compile(
        lambda x: torch.rand_like(x), (torch.ones(10),), dynamic_shapes=({0: "n"},)
    )
    drawn = program(torch.ones(1000))
    assert 0.4 < float(drawn.mean()) < 0.6
