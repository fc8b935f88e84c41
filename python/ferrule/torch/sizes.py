"""Python's arithmetic on symbolic numbers as ops of the torch dialect."""

from __future__ import annotations

import math
import operator

import torch

from .types import ImportFailure

INT, FLOAT, BOOL = "!torch.int", "!torch.float", "!torch.bool"

# Function -> (name, result type); the overload follows from the operands. A
# result type of None is the wider one of the operands'.
BINARY = {
    operator.add: ("aten.add", None),
    operator.sub: ("aten.sub", None),
    operator.mul: ("aten.mul", None),
    operator.floordiv: ("aten.floordiv", None),
    operator.mod: ("aten.remainder", None),
    operator.eq: ("aten.eq", BOOL),
    operator.ne: ("aten.ne", BOOL),
    operator.lt: ("aten.lt", BOOL),
    operator.le: ("aten.le", BOOL),
    operator.gt: ("aten.gt", BOOL),
    operator.ge: ("aten.ge", BOOL),
    torch.sym_max: ("prim.max", None),
    torch.sym_min: ("prim.min", None),
}
LOGICAL = {
    operator.and_: "torch.aten.__and__.bool",
    operator.or_: "torch.aten.__or__.bool",
    operator.xor: "torch.aten.__xor__.bool",
}
# Function -> (op for an int, op for a float, result type or None: the operand's).
UNARY = {
    operator.neg: ("aten.neg.int", "aten.neg.float", None),
    operator.abs: ("prim.abs.int", "prim.abs.float", None),
    abs: ("prim.abs.int", "prim.abs.float", None),
    math.ceil: (None, "aten.ceil.float", INT),
    math.floor: (None, "aten.floor.float", INT),
    math.trunc: (None, "aten.Int.float", INT),
    torch.sym_int: (None, "aten.Int.float", INT),
    torch.sym_float: ("aten.Float.Scalar", None, FLOAT),
    torch._sym_sqrt: ("aten.sqrt.int", "aten.sqrt.float", FLOAT),
}
SIZE_OPS = {
    torch.ops.aten.sym_size.int: "torch.aten.size.int",
    torch.ops.aten.sym_stride.int: "torch.aten.stride.int",
    torch.ops.aten.sym_numel.default: "torch.aten.numel",
}
SPECIAL = (
    operator.truediv,
    operator.pow,
    torch.sym_not,
    torch.sym_sum,
    torch.sym_ite,
)
SHORT = {INT: "int", FLOAT: "float", BOOL: "bool"}


class SizeArithmetic:
    """Imports calls of the functions above."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.builder = arguments.builder

    def handles(self, target) -> bool:
        return (
            target in BINARY
            or target in LOGICAL
            or target in UNARY
            or target in SPECIAL
        )

    def run(self, target, args) -> int:
        if target is torch.sym_sum:
            (args,) = args
        values = [
            self.arguments.node_value(a)
            if isinstance(a, torch.fx.Node)
            else self.arguments.constant(a)
            for a in args
        ]
        if target is torch.sym_sum:
            total = values[0]
            for value in values[1:]:
                total = self.binary(operator.add, total, value)
            return total
        if target is torch.sym_not:
            return self.emit("torch.aten.__not__", values, BOOL)
        if target is torch.sym_ite:
            return self.choose(*values)
        if len(values) == 1:
            return self.unary(target, values[0])
        return self.binary(target, *values)

    def emit(self, name: str, values: list[int], result: str) -> int:
        return self.builder.op(name, values, [self.builder.type(result)])[0]

    def unary(self, target, value: int) -> int:
        for_int, for_float, result = UNARY[target]
        type_text = self.builder.type_text(value)
        name = for_int if type_text == INT else for_float
        if name is None:
            return value  # floor of an int, float of a float
        return self.emit(f"torch.{name}", [value], result or type_text)

    def choose(self, condition: int, yes: int, no: int) -> int:
        """yes where the condition holds, else no: c * yes + (1 - c) * no."""
        if self.builder.type_text(yes) == BOOL:
            both = self.emit(LOGICAL[operator.and_], [condition, yes], BOOL)
            opposite = self.emit("torch.aten.__not__", [condition], BOOL)
            other = self.emit(LOGICAL[operator.and_], [opposite, no], BOOL)
            return self.emit(LOGICAL[operator.or_], [both, other], BOOL)
        c = self.emit("torch.aten.Int.bool", [condition], INT)
        rest = self.binary(operator.sub, self.builder.int(1), c)
        return self.binary(
            operator.add,
            self.binary(operator.mul, c, yes),
            self.binary(operator.mul, rest, no),
        )

    def to_float(self, value: int) -> int:
        if self.builder.type_text(value) == FLOAT:
            return value
        return self.emit("torch.aten.Float.Scalar", [value], FLOAT)

    def binary(self, target, a: int, b: int) -> int:
        kinds = [self.builder.type_text(a), self.builder.type_text(b)]
        if target in LOGICAL:
            return self.emit(LOGICAL[target], [a, b], BOOL)
        if target is operator.truediv:
            if kinds == [INT, INT]:
                return self.emit("torch.aten.div.int", [a, b], FLOAT)
            pair = [self.to_float(a), self.to_float(b)]
            return self.emit("torch.aten.div.float", pair, FLOAT)
        if target is operator.pow:
            return self.power(a, b, kinds)
        name, result = BINARY[target]
        overload = SHORT[kinds[0]]
        if kinds[0] != kinds[1]:
            overload += f"_{SHORT[kinds[1]]}"
        name = f"torch.{name}.{overload}"
        if not self.builder.has_op(name):
            raise ImportFailure(f"no op {name} for the arithmetic of sizes")
        return self.emit(name, [a, b], result or max(kinds, key=self.width))

    def power(self, a: int, b: int, kinds: list[str]) -> int:
        if kinds == [INT, INT]:
            return self.emit("torch.aten.pow.int_to_int", [a, b], INT)
        pair = [self.to_float(a), self.to_float(b)]
        return self.emit("torch.aten.pow.float", pair, FLOAT)

    @staticmethod
    def width(kind: str) -> int:
        return (BOOL, INT, FLOAT).index(kind)
