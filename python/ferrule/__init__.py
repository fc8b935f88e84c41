"""Ferrule: compile a model to a `.byre` program, and run it.

`load` and running need only the runtime; `compile` and `torch` are imported
when they are first used.
"""

from __future__ import annotations

import importlib

from .executable import Executable, load, load_plugin, register_custom_call

__all__ = [
    "Executable",
    "__version__",
    "compile",
    "load",
    "load_plugin",
    "register_custom_call",
    "torch",
]
__version__ = "0.1.0"

_LAZY_MODULES = ("torch",)


def __getattr__(name: str):
    if name in _LAZY_MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name == "compile":
        from .compiling import compile

        globals()["compile"] = compile
        return compile
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
