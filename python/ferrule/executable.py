"""Programs that run."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ._native import _runtime

if TYPE_CHECKING:
    from .calling import CallingConvention

# Metadata that says how the program of a nested Python function is called.
CONVENTION_KEY = "ferrule.calling_convention"


class Executable:
    """A function of a compiled program, to be called like one.

    Inputs are NumPy arrays, PyTorch tensors, anything with DLPack, numbers or
    lists, by position or by name; results are of the inputs' kind. A program
    made from a PyTorch module takes and returns what the module does; of other
    programs one output comes bare and several as a tuple. Calls from several
    threads run at the same time.
    """

    def __init__(
        self,
        native: _runtime.Executable,
        convention: CallingConvention | None = None,
        states: Mapping[str, Any] | None = None,
    ):
        self._native = native
        if convention is None and CONVENTION_KEY in native.metadata:
            from .calling import INITIAL_STATES, CallingConvention

            # It says how the module's own function is called.
            if native.name != INITIAL_STATES:
                text = native.metadata[CONVENTION_KEY]
                convention = CallingConvention.from_json(text)
        self._convention = convention
        self.states = dict(states or {})
        if self._convention is not None and self._convention.states and not states:
            self.reset_states()
        self._names = {value.name: i for i, value in enumerate(native.inputs)}

    @staticmethod
    def from_bytes(
        data: bytes,
        threads: int | None = None,
        function: str = "",
        convention: CallingConvention | None = None,
        states: Mapping[str, Any] | None = None,
    ) -> Executable:
        """The program in a `.byre` file's bytes."""
        native = _runtime.from_bytes(data, threads or 0, function)
        return Executable(native, convention, states)

    @property
    def name(self) -> str:
        return self._native.name

    @property
    def inputs(self) -> list:
        """Name, dtype and shape of each input; a dynamic size is its name."""
        return self._native.inputs

    @property
    def outputs(self) -> list:
        return self._native.outputs

    @property
    def metadata(self) -> dict[str, str]:
        return self._native.metadata

    @property
    def functions(self) -> list[str]:
        """Names of the functions of the program that can be called."""
        return self._native.functions

    @property
    def threads(self) -> int:
        return self._native.threads

    def function(self, name: str) -> Executable:
        """Another function of the same program."""
        return Executable(self._native.function(name))

    def reset_states(self) -> None:
        """Gives the states of the module the contents that they had in it."""
        from .calling import INITIAL_STATES

        names = [name for name, _, _ in self._convention.states]
        values = self._native.function(INITIAL_STATES).run([])
        self.states = dict(zip(names, values, strict=True))

    def save(self, path: str | os.PathLike) -> None:
        """Writes the `.byre` file."""
        self._native.save(os.fspath(path))

    def to_bytes(self) -> bytes:
        return self._native.to_bytes()

    def run(self, inputs) -> list:
        """The program's own results for its own inputs, both flat."""
        return self._native.run(inputs)

    def run_replicas(self, inputs, *, partitions: int = 1) -> list:
        """Runs replicas of the program together, as threads of this process.

        `inputs` has one entry a process: the arguments of a call (a tuple or
        list), or one argument alone. The processes of one replica follow each
        other: process i is partition `i % partitions` of replica
        `i // partitions`. Collective operations (all_reduce, all_gather,
        collective_permute ...) are among them. Returns the results of each, as
        a call returns them. When one fails, or waits for a process that cannot
        come any more, the error is raised here.
        """
        calls = [list(x) if isinstance(x, (tuple, list)) else [x] for x in inputs]
        if partitions < 1 or len(calls) % partitions:
            raise ValueError(
                f"found inputs of {len(calls)} processes, expected a multiple of "
                f"{partitions} partitions"
            )
        replicas = len(calls) // partitions
        results = self._native.run_together(calls, replicas, partitions)
        return [r[0] if len(r) == 1 else tuple(r) for r in results]

    def profile(self, *args, **kwargs) -> list[dict]:
        """One dictionary for each kernel launch of a call."""
        events: list[dict] = []
        self._call(args, kwargs, lambda flat: self._native.profile(flat, events))
        return events

    def __call__(self, *args, **kwargs) -> Any:
        return self._call(args, kwargs, self._native.run)

    def _call(self, args: tuple, kwargs: dict, run) -> Any:
        if self._convention is not None:
            return self._call_as_module(args, kwargs, run)
        results = run(self._by_name(args, kwargs) if kwargs else args)
        return results[0] if len(results) == 1 else tuple(results)

    def _by_name(self, args: tuple, kwargs: dict) -> list:
        values = list(args) + [None] * (len(self._names) - len(args))
        given = set(range(len(args)))
        for name, value in kwargs.items():
            index = self._names.get(name)
            if index is None:
                names = ", ".join(self._names)
                raise TypeError(f"no input '{name}', '{self.name}' has: {names}")
            if index in given:
                raise TypeError(f"input '{name}' is given twice")
            values[index] = value
            given.add(index)
        for name, index in self._names.items():
            if index not in given:
                raise TypeError(f"input '{name}' is missing")
        return values

    def _call_as_module(self, args: tuple, kwargs: dict, run) -> Any:
        convention = self._convention
        flat = convention.flatten(args, kwargs)
        count = len(flat)
        flat += [self.states[name] for name, _, _ in convention.states]
        results = run(flat)
        for number, result in convention.mutated_inputs:
            _assign(flat[number], results[result])
        for name, number, result in convention.states:
            self.states[name] = results[result]
        del flat[count:]
        return convention.unflatten(results)

    def __repr__(self) -> str:
        def signature(values):
            return ", ".join(map(repr, values))

        return (
            f"<ferrule.Executable {self.name}({signature(self.inputs)}) -> "
            f"({signature(self.outputs)})>"
        )


def load(
    path: str | os.PathLike,
    threads: int | None = None,
    *,
    function: str = "",
    verify: bool = False,
) -> Executable:
    """Loads a `.byre` file; its weights are mapped, not read.

    `threads`: how many to use at most; None: all cores that this process may
    use, or FERRULE_NUM_THREADS. `verify` also compares the checksums of
    weights. A file holds machine code: load only what you trust.
    """
    native = _runtime.load(os.fspath(path), threads or 0, function, verify)
    return Executable(native)


def load_plugin(path: str | os.PathLike) -> None:
    """Loads a shared object that brings a device for programs to run on.

    It stays for as long as the process. Loading it again does nothing.
    """
    _runtime.load_plugin(os.fspath(path))


def register_custom_call(name: str, function: Callable) -> None:
    """Lets calls of `name` in programs, `stablehlo.custom_call @name`, run
    function(*inputs, **attributes), for as long as the process.

    Inputs are NumPy arrays, attributes what the call's `backend_config` holds.
    The function returns an array of the result's type and shape, or a sequence
    of them when there are several. A name that exists gets the new function. It
    may be called from several threads; an exception ends the run with its
    message.
    """
    if not callable(function):
        raise TypeError(f"expected a function for '{name}', found {function!r}")
    _runtime.register_custom_call(name, function)


def _assign(target: Any, value: Any) -> None:
    """Writes a result into the caller's array."""
    if value is target:
        return
    if hasattr(target, "copy_"):
        target.copy_(value)
    else:
        target[...] = value
