"""Extension modules: `_compiler` (MLIR, LLVM and lld inside) and `_runtime`."""

import importlib


def __getattr__(name: str):
    # `from ._native import _compiler` asks here first, so this imports it and
    # can say why it is not there.
    if name != "_compiler":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return importlib.import_module("._compiler", __name__)
    except ModuleNotFoundError:
        raise ImportError(
            "this installation of ferrule runs programs and has no compiler; "
            "install 'ferrule' instead of 'ferrule-runtime'"
        ) from None
