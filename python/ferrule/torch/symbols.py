"""Symbolic sizes: names, ranges and the text of size expressions."""

from __future__ import annotations

import sympy

import torch
from torch.utils._sympy.functions import CeilDiv, FloorDiv, Max, Min, Mod, PythonMod
from torch.utils._sympy.numbers import int_oo

from .types import ImportFailure, static_size

UNBOUNDED = -1
# Upper bounds from here on stand for "none" in the exporter.
LARGEST = 2**62
# The exporter takes 0 and 1 for sizes of their own kind and lets every range
# begin at 2; like PyTorch's own checks, Ferrule's accept them.
USUAL_LOWER = 2


class Symbols:
    """The symbols of a program under the names that its user gave them."""

    def __init__(self):
        self.names: dict[sympy.Symbol, str] = {}

    def name(self, symbol: sympy.Symbol) -> str:
        return self.names.get(symbol, str(symbol))

    def name_dimensions(self, spec, value) -> None:
        """Takes names from a part of `dynamic_shapes` and the tensors for it."""
        if isinstance(value, torch.Tensor):
            if isinstance(spec, dict):
                items = spec.items()
            elif isinstance(spec, (list, tuple)):
                items = enumerate(spec)
            else:
                return
            for index, dim in items:
                self._name_dimension(dim, value.shape[index])
        elif isinstance(value, dict) and isinstance(spec, dict):
            for key in spec.keys() & value.keys():
                self.name_dimensions(spec[key], value[key])
        elif isinstance(value, (list, tuple)) and isinstance(spec, (list, tuple)):
            for item, part in zip(spec, value):
                self.name_dimensions(item, part)

    def _name_dimension(self, dim, size) -> None:
        name = dim if isinstance(dim, str) else getattr(dim, "__name__", None)
        if name is None:
            return
        if static_size(size) is not None:
            raise ImportFailure(
                f"dynamic_shapes: dimension '{name}' cannot be dynamic: the "
                f"program only works for size {size} (an example input of size "
                "0 or 1 has this effect too)"
            )
        expression = size.node.expr
        # A derived Dim ("2*batch") names nothing.
        if isinstance(expression, sympy.Symbol) and name.isidentifier():
            self.names.setdefault(expression, name)

    def dim(self, size) -> str:
        """`ferrule.dims` entry for a size: empty when static or not sayable."""
        if not isinstance(size, torch.SymInt):
            return ""
        expression = size.node.expr
        if expression.is_number or is_unbacked(expression):
            return ""
        return self.text(expression) or ""

    def dims(self, value: torch.Tensor) -> list[str]:
        return [self.dim(size) for size in value.shape]

    def text(self, expression) -> str | None:
        """The expression in the syntax of `ferrule.dims`; None: not sayable."""
        if isinstance(expression, sympy.Integer):
            number = int(expression)
            return str(number) if number >= 0 else f"(-{-number})"
        if isinstance(expression, sympy.Symbol):
            return self.name(expression)
        parts = [self.text(argument) for argument in expression.args]
        if None in parts:
            return None
        if isinstance(expression, sympy.Add):
            return "(" + " + ".join(parts) + ")"
        if isinstance(expression, sympy.Mul):
            return "(" + " * ".join(parts) + ")"
        if isinstance(expression, (Max, sympy.Max)):
            return _nest("max", parts)
        if isinstance(expression, (Min, sympy.Min)):
            return _nest("min", parts)
        if isinstance(expression, FloorDiv):
            return f"({parts[0]} floordiv {parts[1]})"
        if isinstance(expression, CeilDiv):
            return f"({parts[0]} ceildiv {parts[1]})"
        if isinstance(expression, (Mod, PythonMod)):
            return f"({parts[0]} mod {parts[1]})"
        if isinstance(expression, sympy.Pow):
            exponent = expression.args[1]
            if exponent.is_Integer and 0 < exponent <= 4:
                return "(" + " * ".join([parts[0]] * int(exponent)) + ")"
        return None


def _nest(function: str, parts: list[str]) -> str:
    text = parts[0]
    for part in parts[1:]:
        text = f"{function}({text}, {part})"
    return text


def is_unbacked(expression) -> bool:
    """Whether a symbol stands for a size that data decides (u0, u1, ...)."""
    return any(str(s).startswith("u") for s in expression.free_symbols)


def symbol_range(constraint) -> tuple[int, int]:
    """Inclusive range of a symbol; -1 for a missing upper bound."""
    lower, upper = constraint.lower, constraint.upper
    low = 0 if lower in (-int_oo, -sympy.oo) else max(0, int(lower))
    low = 0 if low <= USUAL_LOWER else low
    if upper in (int_oo, sympy.oo) or int(upper) >= LARGEST:
        return low, UNBOUNDED
    return low, int(upper)


def own_lower_bound(symbol, low: int, guards) -> int:
    """`low` without what only follows from other symbols' bounds.

    The exporter takes every size for at least 2. Where one is the sum of two, it
    concludes that it is at least 4, which is as untrue as the premise.
    """
    own = low
    for guard in guards:
        others = getattr(guard, "free_symbols", set()) - {symbol}
        if not others or symbol not in guard.free_symbols:
            continue

        def holds(value, rest, guard=guard, others=others):
            sizes = dict.fromkeys(others, rest) | {symbol: value}
            integers = {key: sympy.Integer(size) for key, size in sizes.items()}
            try:
                return guard.xreplace(integers) == sympy.true
            except ZeroDivisionError:
                return False

        if holds(low, USUAL_LOWER) and not holds(low - 1, USUAL_LOWER):
            fits = (value for value in range(own) if holds(value, 0))
            own = min(own, next(fits, own))
    return own


def intersect(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    highs = [high for high in (a[1], b[1]) if high != UNBOUNDED]
    return max(a[0], b[0]), min(highs, default=UNBOUNDED)
