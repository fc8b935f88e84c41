"""A function of JAX with its arguments, and makers of arguments."""

import ml_dtypes
import numpy as np

BFLOAT16 = "bfloat16"


class Case:
    """A name, a function and the arrays that it gets. `exact`: bits count."""

    def __init__(self, name, function, *args, exact=False, rtol=None):
        dtype = str(np.asarray(args[0]).dtype) if args else ""
        self.name = f"{name}-{dtype}" if dtype else name
        self.function = function
        self.args = args
        self.exact = exact
        self.rtol = rtol


def dtype_of(name):
    return np.dtype(ml_dtypes.bfloat16) if name == BFLOAT16 else np.dtype(name)


def floats(dtype, *shape, low=None, high=None, seed=0):
    random = np.random.default_rng(seed)
    if low is None:
        return random.standard_normal(shape).astype(dtype_of(dtype))
    return random.uniform(low, high, shape).astype(dtype_of(dtype))


def integers(dtype, *shape, low=None, high=None, seed=0):
    random = np.random.default_rng(seed)
    if low is None:
        low, high = (0, 100) if dtype.startswith("u") else (-50, 50)
    return random.integers(low, high, shape).astype(dtype)


def complex_numbers(dtype, *shape, seed=0):
    random = np.random.default_rng(seed)
    values = random.standard_normal(shape) + 1j * random.standard_normal(shape)
    return values.astype(dtype)


def truths(*shape, seed=0):
    return np.random.default_rng(seed).random(shape) < 0.5
