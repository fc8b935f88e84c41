"""Text of the torch dialect's types for PyTorch's values."""

from __future__ import annotations

import torch

# PyTorch's element types as the dialect writes them: integers are signed.
DTYPES = {
    torch.bool: "i1",
    torch.uint8: "ui8",
    torch.uint16: "ui16",
    torch.uint32: "ui32",
    torch.uint64: "ui64",
    torch.int8: "si8",
    torch.int16: "si16",
    torch.int32: "si32",
    torch.int64: "si64",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float32: "f32",
    torch.float64: "f64",
    torch.complex32: "complex<f16>",
    torch.complex64: "complex<f32>",
    torch.complex128: "complex<f64>",
    torch.float8_e5m2: "f8E5M2",
    torch.float8_e4m3fn: "f8E4M3FN",
    torch.float8_e5m2fnuz: "f8E5M2FNUZ",
    torch.float8_e4m3fnuz: "f8E4M3FNUZ",
    torch.float8_e8m0fnu: "f8E8M0FNU",
    torch.qint8: "!torch.qint8",
    torch.quint8: "!torch.quint8",
    torch.qint32: "!torch.qint32",
}

# c10::ScalarType, whose numbers PyTorch keeps for ever.
SCALAR_TYPES = {
    torch.uint8: 0,
    torch.int8: 1,
    torch.int16: 2,
    torch.int32: 3,
    torch.int64: 4,
    torch.float16: 5,
    torch.float32: 6,
    torch.float64: 7,
    torch.complex32: 8,
    torch.complex64: 9,
    torch.complex128: 10,
    torch.bool: 11,
    torch.qint8: 12,
    torch.quint8: 13,
    torch.qint32: 14,
    torch.bfloat16: 15,
    torch.float8_e5m2: 23,
    torch.float8_e4m3fn: 24,
    torch.float8_e5m2fnuz: 25,
    torch.float8_e4m3fnuz: 26,
    torch.uint16: 27,
    torch.uint32: 28,
    torch.uint64: 29,
    torch.float8_e8m0fnu: 44,
}

LAYOUTS = {torch.strided: 0, torch.sparse_coo: 1, torch.sparse_csr: 2}

MEMORY_FORMATS = {
    torch.contiguous_format: 0,
    torch.preserve_format: 1,
    torch.channels_last: 2,
    torch.channels_last_3d: 3,
}


class ImportFailure(Exception):
    """The program holds something that cannot be imported."""


def dtype_text(dtype: torch.dtype) -> str:
    if dtype not in DTYPES:
        raise ImportFailure(f"element type {dtype} is not supported")
    return DTYPES[dtype]


def static_size(size) -> int | None:
    """The number when it is known, also behind a SymInt."""
    if isinstance(size, torch.SymInt):
        return size.node.maybe_as_int()
    return int(size)


def tensor_type(value: torch.Tensor) -> str:
    if value.layout is not torch.strided:
        raise ImportFailure(f"layout {value.layout} is not supported")
    sizes = ",".join(
        "?" if (known := static_size(size)) is None else str(known)
        for size in value.shape
    )
    return f"!torch.vtensor<[{sizes}],{dtype_text(value.dtype)}>"


def nested(type_text: str) -> str:
    """A type as it is written inside another one."""
    return type_text.removeprefix("!torch.")


def value_type(value) -> str:
    """Type of a value from a node's `meta["val"]`."""
    if isinstance(value, torch.Tensor):
        return tensor_type(value)
    # bool is an int for Python.
    if isinstance(value, (bool, torch.SymBool)):
        return "!torch.bool"
    if isinstance(value, (int, torch.SymInt)):
        return "!torch.int"
    if isinstance(value, (float, torch.SymFloat)):
        return "!torch.float"
    if isinstance(value, str):
        return "!torch.str"
    if value is None:
        return "!torch.none"
    if isinstance(value, (list, tuple)):
        return list_type([value_type(item) for item in value])
    raise ImportFailure(f"a value of type {type(value).__name__} is not supported")


def list_type(elements: list[str]) -> str:
    """Type of a list from those of its elements."""
    kinds = set(elements)
    if len(kinds) == 1:
        return f"!torch.list<{nested(kinds.pop())}>"
    # Without a common type: tensors of different shapes, or some None.
    present = kinds - {"!torch.none"}
    tensors = all(kind.startswith("!torch.vtensor") for kind in present)
    if present and tensors:
        common = present.pop() if len(present) == 1 else "!torch.vtensor"
    elif len(present) == 1:
        common = present.pop()
    elif present <= {"!torch.int", "!torch.float", "!torch.bool"}:
        common = "!torch.number"
    else:
        common = "!torch.any"
    if "!torch.none" in kinds:
        return f"!torch.list<optional<{nested(common)}>>"
    return f"!torch.list<{nested(common)}>"
