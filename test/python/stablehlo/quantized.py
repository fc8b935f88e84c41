"""What quantized tensors mean, in numpy: the oracle of test_quantized_ops.py."""

import ml_dtypes
import numpy as np

STORAGE = {
    "i2": ml_dtypes.int2,
    "u2": ml_dtypes.uint2,
    "i4": ml_dtypes.int4,
    "u4": ml_dtypes.uint4,
    "i8": np.int8,
    "u8": np.uint8,
    "i16": np.int16,
    "u16": np.uint16,
    "i32": np.int32,
}
EXPRESSED = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
}


class Quantized:
    """A type: storage, expressed type, scales and zero points."""

    def __init__(self, storage, expressed, scales, zeros=0, axis=None, limits=None):
        self.storage, self.expressed, self.axis = storage, expressed, axis
        self.dtype = np.dtype(STORAGE[storage])
        self.float = np.dtype(EXPRESSED[expressed])
        self.scales = np.atleast_1d(np.asarray(scales, np.float64))
        self.zeros = np.broadcast_to(np.asarray(zeros, np.int64), self.scales.shape)
        width = int(storage[1:])
        low, high = (0, 2**width - 1) if storage[0] == "u" else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
        self.limits = limits or (low, high)
        self.has_limits = limits is not None

    def element(self):
        limits = "<%d:%d>" % self.limits if self.has_limits else ""
        each = [f"{s:.17e}:{z}" for s, z in zip(self.scales.tolist(), self.zeros.tolist())]
        if self.axis is None:
            return f"!quant.uniform<{self.storage}{limits}:{self.expressed}, {each[0]}>"
        return f"!quant.uniform<{self.storage}{limits}:{self.expressed}:{self.axis}, {{{', '.join(each)}}}>"

    def tensor(self, shape):
        return tensor(shape, self.element())

    def spread(self, values, rank):
        if self.axis is None:
            return values[0]
        return values.reshape([-1 if d == self.axis else 1 for d in range(rank)])

    def random(self, generator, shape):
        low, high = self.limits
        return generator.integers(low, high, shape, endpoint=True).astype(self.dtype)

    def distance(self, stored):
        wide = stored.astype(np.int64)
        return wide - self.spread(self.zeros, stored.ndim)

    def dequantize(self, stored):
        scale = self.spread(self.scales.astype(self.float), stored.ndim)
        return (self.distance(stored).astype(self.float) * scale).astype(self.float)

    def quantize(self, numbers, exact=False):
        """In the expressed type as the specification says, or in double
        precision; then without the last rounding when `exact` is None."""
        number = np.float64 if exact or exact is None else self.float
        scale = self.spread(self.scales.astype(self.float).astype(number), numbers.ndim)
        zero = self.spread(self.zeros.astype(number), numbers.ndim)
        low, high = (np.asarray(v).astype(number) for v in self.limits)
        x = (numbers.astype(number) / scale + zero).astype(number)
        x = np.minimum(np.maximum(x, low), high)
        if exact is None:
            return x
        # Limits of 32 bits are no numbers of f32.
        return np.clip(np.rint(x.astype(np.float64)), *self.limits).astype(np.int64).astype(self.dtype)


def tensor(shape, element):
    return "tensor<" + "".join(f"{'?' if d is None else d}x" for d in shape) + element + ">"


def program(operands, results, body):
    """A function of %a0, %a1 and so on; `body` names its results %r0 and so on."""
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(operands))
    types = ", ".join(results)
    names = ", ".join(f"%r{i}" for i in range(len(results)))
    return f"func.func @main({arguments}) -> ({types}) {{\n{body}\nreturn {names} : {types}\n}}"
