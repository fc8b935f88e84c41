"""Compiles cases of the operator database and compares with eager PyTorch."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass

import ferrule
import torch
from samples import RANDOM, USUAL, Case, tolerance
from torch.utils import _pytree as pytree

PASS = "pass"


@dataclass
class Verdict:
    """`state` is pass, exporter (PyTorch's exporter refuses), compile, run or
    wrong."""

    state: str
    reason: str = ""


class Check:
    """How results of one operator in one element type are compared."""

    def __init__(self, op, dtype: torch.dtype):
        self.op = op
        self.dtype = dtype
        self.least = 0.0
        self.random = op.name in RANDOM
        self.drops = False
        # Which of equal elements comes first is left open.
        self.ties = op.name in ("sort", "argsort", "topk", "kthvalue")

    def tolerance(self, result: torch.dtype) -> tuple[float, float]:
        """Integers may give floats, with the tolerance of floats."""
        atol, rtol = tolerance(self.op, self.dtype)
        if result.is_floating_point or result.is_complex:
            least, relative = USUAL.get(result, (0.0, 0.0))
            atol, rtol = max(atol, least), max(rtol, relative)
        return max(atol, self.least), max(rtol, self.least)

    def leaves(self, case: Case, result):
        if not self.random:
            try:
                result = case.process(result)
            except Exception:  # a hook for gradients only
                pass
        return pytree.tree_leaves(result)

    def compare(self, case: Case, inputs, found) -> str | None:
        """None when equal, else what differs."""
        self.drops = drops_at_random(case)
        expected = self.leaves(case, eager(case, inputs))
        found = self.leaves(case, found)
        if len(found) != len(expected):
            return f"{len(found)} results, expected {len(expected)}"
        exact = None
        for number, (a, b) in enumerate(zip(found, expected)):
            message = self.compare_leaf(a, b)
            if message and isinstance(b, torch.Tensor) and is_inexact(b):
                exact = exact or self.exact(case, inputs)
                if exact and as_near(a, b, exact[number]):
                    message = None
            if message and self.ties and same_elements(inputs, a, b):
                message = None
            if message:
                return f"result {number}: {message}"
        return None

    def compare_leaf(self, a, b) -> str | None:
        if not isinstance(b, torch.Tensor):
            return None if a == b else f"found {a}, expected {b}"
        a, b = torch.as_tensor(a).detach(), b.detach()
        if a.dtype != b.dtype:
            return f"found {a.dtype}, expected {b.dtype}"
        if a.shape != b.shape:
            return f"found sizes {list(a.shape)}, expected {list(b.shape)}"
        if self.random or self.drops:
            return None
        atol, rtol = self.tolerance(b.dtype)
        try:
            torch.testing.assert_close(a, b, atol=atol, rtol=rtol, equal_nan=True)
        except AssertionError as error:
            return " ".join(str(error).split())
        return None

    def exact(self, case: Case, inputs):
        """The results in double precision, when the operator computes there."""

        def widen(tensor):
            if tensor.is_complex():
                return tensor.to(torch.complex128)
            return tensor.double() if tensor.is_floating_point() else tensor

        try:
            return self.leaves(case, case.function(*map(widen, inputs)))
        except Exception:
            return None


def same_elements(inputs, found, expected) -> bool:
    """Whether two tensors of places name equal elements of the input."""
    tensor = inputs[0]
    for dim in range(tensor.dim()):
        places = [
            p if p.dim() == tensor.dim() else p.unsqueeze(dim)
            for p in (found, expected)
        ]
        try:
            values = [tensor.gather(dim, p) for p in places]
        except (RuntimeError, IndexError):
            continue
        if torch.equal(*values):
            return True
    return False


def drops_at_random(case: Case) -> bool:
    found = re.search(r"dropout_p=([0-9.]+)", case.summary)
    return found is not None and float(found[1]) > 0


def is_inexact(tensor: torch.Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


def as_near(found, expected, exact) -> bool:
    """Whether the result is as near to the exact one as eager's is."""
    if not isinstance(exact, torch.Tensor) or found.shape != exact.shape:
        return False
    if found.is_complex():
        if not exact.is_complex() or not expected.is_complex():
            return False
        exact, found, expected = map(torch.view_as_real, (exact, found, expected))
    exact, found, expected = exact.double(), found.double(), expected.double()
    finite = exact.isfinite() & expected.isfinite()
    same = torch.where(finite, found.isfinite(), (found == expected) | found.isnan())
    if not bool(same.all()):
        return False
    mine = torch.where(finite, (found - exact).abs(), 0.0)
    theirs = torch.where(finite, (expected - exact).abs(), 0.0)
    return bool(mine.max() <= 4 * theirs.max())


def eager(case: Case, inputs):
    with torch.no_grad():
        return case.function(*[i.clone() for i in inputs])


class Together(torch.nn.Module):
    """Several cases as one program."""

    def __init__(self, cases: list[Case]):
        super().__init__()
        self.cases = cases

    def forward(self, inputs):
        return [
            case.function(*tensors)
            for case, tensors in zip(self.cases, inputs, strict=True)
        ]


def export(cases: list[Case], dynamic) -> torch.export.ExportedProgram:
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.export.export(
            Together(cases),
            ([list(case.tensors) for case in cases],),
            dynamic_shapes=dynamic,
            strict=False,
        )


def all_dynamic(cases: list[Case], which: str):
    """Every dimension, or the first one of each tensor, left to the exporter."""
    auto = torch.export.Dim.AUTO

    def dims(tensor):
        count = tensor.dim() if which == "all" else min(1, tensor.dim())
        return {d: auto for d in range(count)}

    return ([[dims(t) for t in case.tensors] for case in cases],)


def check_cases(op, dtype, cases: list[Case], mode: str) -> list[Verdict]:
    """A verdict a case. Cases are compiled together, and each alone only when
    that fails."""
    if mode == "backward":
        from gradients import check_backward

        return [check_backward(op, dtype, case) for case in cases]
    together = check_program(op, dtype, cases, mode)
    if len(cases) == 1 or all(v.state == PASS for v in together):
        return together
    return [
        verdict if verdict.state == PASS else check_program(op, dtype, [case], mode)[0]
        for case, verdict in zip(cases, together, strict=True)
    ]


def check_program(op, dtype, cases: list[Case], mode: str) -> list[Verdict]:
    dynamic = None if mode == "static" else all_dynamic(cases, mode)
    try:
        program = export(cases, dynamic)
    except Exception as error:
        return [Verdict("exporter", first_line(error))] * len(cases)
    try:
        executable = ferrule.compile(program)
    except Exception as error:
        return [Verdict("compile", first_line(error))] * len(cases)
    check = Check(op, dtype)
    verdicts = run(executable, check, cases, [c.tensors for c in cases])
    if mode != "static" and all(v.state == PASS for v in verdicts):
        from resizing import other_inputs

        for inputs in other_inputs(program, cases):
            verdicts = run(executable, check, cases, inputs)
            if any(v.state != PASS for v in verdicts):
                break
    return verdicts


def run(executable, check: Check, cases, inputs) -> list[Verdict]:
    try:
        copies = [[tensor.clone() for tensor in tensors] for tensors in inputs]
        results = executable(copies)
    except Exception as error:
        return [Verdict("run", first_line(error))] * len(cases)
    verdicts = []
    for case, tensors, result in zip(cases, inputs, results, strict=True):
        message = check.compare(case, tensors, result)
        verdicts.append(Verdict("wrong", message[:300]) if message else Verdict(PASS))
    return verdicts


def first_line(error: Exception) -> str:
    """The line that says what is wrong, without places."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = next((line for line in lines if "error:" in line), lines[0] if lines else "")
    text = re.sub(r"^.*?error: ", "", text)
    return f"{type(error).__name__}: {text}"[:300]
