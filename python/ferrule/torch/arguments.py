"""Arguments of graph nodes as values of the torch dialect."""

from __future__ import annotations

import torch
from torch.fx import Node

from .types import (
    DTYPES,
    LAYOUTS,
    MEMORY_FORMATS,
    SCALAR_TYPES,
    ImportFailure,
    dtype_text,
    list_type,
    nested,
    static_size,
)

SCALARS = (bool, int, float, complex)


class Arguments:
    """Makes values for constants and looks up those of nodes.

    `env` maps a node to the numbers of its values: an int for one result, a
    tuple for several. `definition` is the place in the user's program for nodes
    that name none.
    """

    def __init__(self, builder, definition: tuple[str, int] = ("", 0)):
        self.builder = builder
        self.definition = definition
        self.env: dict[Node, int | tuple] = {}
        self.literals: dict[tuple, int] = {}

    def node_value(self, node: Node) -> int:
        value = self.env[node]
        if isinstance(value, tuple):
            if len(value) == 1:
                return value[0]
            raise ImportFailure(f"node '{node.name}' has several results")
        return value

    def convert(self, argument, schema_type, like=None) -> int:
        """The value for `argument` where the schema asks for `schema_type`.

        `like` is the element type that a Python number takes where a tensor is
        wanted.
        """
        kind = schema_type.kind()
        if kind == "OptionalType":
            if argument is None:
                return self.builder.none()
            return self.convert(argument, schema_type.getElementType(), like)
        if isinstance(argument, Node):
            return self._convert_node(argument, kind, like)
        if kind == "ListType" and isinstance(argument, (list, tuple)):
            return self.make_list(argument, schema_type.getElementType())
        if kind == "ListType":
            # int[2]=1 means [1, 1], but the length is the operator's business.
            return self.make_list([argument], schema_type.getElementType())
        if kind == "TensorType" and isinstance(argument, SCALARS):
            return self.scalar_tensor(argument, like)
        if kind == "FloatType" and isinstance(argument, int):
            return self.builder.float(float(argument))
        if isinstance(argument, complex):
            return self.complex_number(argument, like)
        return self.constant(argument)

    def _convert_node(self, node: Node, kind: str, like) -> int:
        value = self.node_value(node)
        meta = node.meta.get("val")
        if kind == "TensorType" and isinstance(
            meta, (torch.SymInt, torch.SymFloat, torch.SymBool, *SCALARS)
        ):
            return self.number_to_tensor(value, meta, like)
        return value

    def number_to_tensor(self, value: int, meta, like) -> int:
        if isinstance(meta, (bool, torch.SymBool)):
            name, dtype = "torch.prim.NumToTensor.bool", torch.bool
        else:
            name = "torch.prim.NumToTensor.Scalar"
            integer = isinstance(meta, (int, torch.SymInt))
            dtype = torch.int64 if integer else torch.float64
        type_text = f"!torch.vtensor<[],{dtype_text(dtype)}>"
        (tensor,) = self.builder.op(name, [value], [self.builder.type(type_text)])
        return tensor

    def complex_number(self, argument: complex, like) -> int:
        """A number that is read from a tensor: the dialect has no other."""
        tensor = self.scalar_tensor(argument, like)
        result = [self.builder.type("!torch.number")]
        return self.builder.op("torch.aten.ScalarImplicit", [tensor], result)[0]

    def constant(self, argument) -> int:
        """A value for a Python constant, by its Python type."""
        builder = self.builder
        if argument is None:
            return builder.none()
        if isinstance(argument, (bool, torch.SymBool)):
            return builder.bool(bool(argument))
        if isinstance(argument, torch.SymInt):
            return builder.int(self._known(argument))
        if isinstance(argument, int):
            return builder.int(argument)
        if isinstance(argument, (float, torch.SymFloat)):
            return builder.float(float(argument))
        if isinstance(argument, str):
            return builder.str(argument)
        if isinstance(argument, torch.dtype):
            return builder.int(SCALAR_TYPES[argument])
        if isinstance(argument, torch.layout):
            return builder.int(LAYOUTS[argument])
        if isinstance(argument, torch.memory_format):
            return builder.int(MEMORY_FORMATS[argument])
        if isinstance(argument, torch.device):
            return builder.device(str(argument))
        if isinstance(argument, torch.Tensor):
            return self.literal("constant", argument)
        if isinstance(argument, (list, tuple)):
            return self.make_list(argument, None)
        raise ImportFailure(
            f"an argument of type {type(argument).__name__} is not supported"
        )

    @staticmethod
    def _known(size: torch.SymInt) -> int:
        known = static_size(size)
        if known is None:
            raise ImportFailure(f"the size {size} stands in the graph by itself")
        return known

    def make_list(self, items, element_type) -> int:
        """torch.prim.ListConstruct of the items."""
        values = []
        for item in items:
            if element_type is not None:
                values.append(self.convert(item, element_type))
            elif isinstance(item, Node):
                values.append(self.node_value(item))
            else:
                values.append(self.constant(item))
        return self.list_of(values, element_type)

    def list_of(self, values: list[int], element_type=None) -> int:
        if values:
            text = list_type([self.builder.type_text(v) for v in values])
        else:
            text = f"!torch.list<{_empty_element(element_type)}>"
        result = self.builder.type(text)
        return self.builder.op("torch.prim.ListConstruct", values, [result])[0]

    def scalar_tensor(self, number, like: torch.dtype | None) -> int:
        """A 0-d tensor of a Python number, which takes part in promotion with
        its category only: of the element type `like` where that can hold it."""
        if isinstance(number, bool):
            dtype = torch.bool
        elif isinstance(number, complex):
            wide = like in (torch.float64, torch.complex128)
            dtype = torch.complex128 if wide else torch.complex64
        elif isinstance(number, int):
            fits = like is not None and like is not torch.bool
            dtype = like if fits else torch.int64
        else:
            fits = like is not None and (like.is_floating_point or like.is_complex)
            dtype = like if fits else torch.float64
        return self.literal("constant", torch.tensor(number, dtype=dtype))

    def literal(self, name: str, tensor: torch.Tensor) -> int:
        """A constant in the tensor's own memory; equal views are made once."""
        tensor = tensor.detach()
        if tensor.device.type != "cpu":
            tensor = tensor.cpu()
        if not tensor.is_contiguous():
            tensor = tensor.contiguous()
        tensor = tensor.resolve_conj().resolve_neg()
        if tensor.dtype not in DTYPES:
            raise ImportFailure(f"{name}: element type {tensor.dtype}")
        size = tensor.numel() * tensor.element_size()
        key = (tensor.data_ptr(), tuple(tensor.shape), tensor.dtype)
        if size and key in self.literals:
            return self.literals[key]
        value = self.builder.literal(
            name,
            dtype_text(tensor.dtype),
            list(tensor.shape),
            tensor.data_ptr(),
            size,
            tensor,
        )
        if size:
            self.literals[key] = value
        return value


def _empty_element(element_type) -> str:
    if element_type is None:
        return "int"
    kind = element_type.kind()
    if kind == "OptionalType":
        return f"optional<{_empty_element(element_type.getElementType())}>"
    names = {
        "TensorType": "vtensor",
        "FloatType": "float",
        "BoolType": "bool",
        "NumberType": "number",
        "StringType": "str",
    }
    return nested(names.get(kind, "int"))
