"""How a program is called: nested Python arguments to flat ones and back.

A compiled program takes and returns a flat list of tensors. What the user's
function took and returned (tuples, dictionaries, constants, None) is described
by a `CallingConvention`, which is kept in the program's metadata as JSON, so
that a loaded file answers like the module that it was made from.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

METADATA_KEY = "ferrule.calling_convention"
# The function of a program that returns the first contents of its states.
INITIAL_STATES = "initial_states"


@dataclass
class Tree:
    """A nested structure: `kind` is leaf, tuple, list, dict or object."""

    kind: str
    children: list[Tree] = field(default_factory=list)
    keys: list[Any] = field(default_factory=list)  # of dict and object
    type_name: str = ""  # of object: "module.Class"

    def to_json(self) -> Any:
        if self.kind == "leaf":
            return "*"
        data = {"kind": self.kind, "of": [c.to_json() for c in self.children]}
        if self.keys:
            data["keys"] = self.keys
        if self.type_name:
            data["type"] = self.type_name
        return data

    @staticmethod
    def from_json(data: Any) -> Tree:
        if data == "*":
            return Tree("leaf")
        return Tree(
            data["kind"],
            [Tree.from_json(child) for child in data["of"]],
            data.get("keys", []),
            data.get("type", ""),
        )

    def flatten(self, value: Any, where: str, leaves: list[Any]) -> None:
        """Appends the leaves of `value`, which must have this structure."""
        if self.kind == "leaf":
            leaves.append(value)
            return
        parts = self._parts(value) if self.kind == "object" else None
        for number, key in enumerate(self._labels()):
            part = self._item(value, key, where) if parts is None else parts[number]
            self.children[number].flatten(part, f"{where}[{key!r}]", leaves)
        if self.kind != "object" and len(value) != len(self.children):
            raise TypeError(
                f"{where}: expected {len(self.children)} items, but found {len(value)}"
            )

    def unflatten(self, leaves) -> Any:
        """The structure around the next leaves of the iterator."""
        if self.kind == "leaf":
            return next(leaves)
        items = [child.unflatten(leaves) for child in self.children]
        if self.kind == "tuple":
            return tuple(items)
        if self.kind == "list":
            return items
        mapping = dict(zip(self.keys, items, strict=True))
        return mapping if self.kind == "dict" else self._make_object(mapping)

    def paths(self, prefix: tuple = ()) -> list[tuple]:
        """The keys that lead to each leaf."""
        if self.kind == "leaf":
            return [prefix]
        result = []
        for key, child in zip(self._labels(), self.children, strict=True):
            result.extend(child.paths((*prefix, key)))
        return result

    def _labels(self) -> list[Any]:
        return self.keys if self.keys else list(range(len(self.children)))

    def _parts(self, value: Any) -> list[Any] | None:
        """What PyTorch takes an object of a registered class apart into."""
        pytree = sys.modules.get("torch.utils._pytree")
        node = pytree and pytree.SUPPORTED_NODES.get(type(value))
        if not node or self.type_name != _type_name(type(value)):
            return None
        parts = list(node.flatten_fn(value)[0])
        return parts if len(parts) == len(self.children) else None

    def _item(self, value: Any, key: Any, where: str) -> Any:
        try:
            is_field = self.kind == "object" and isinstance(key, str)
            if is_field and not isinstance(value, Mapping):
                return getattr(value, key)
            return value[key]
        except (AttributeError, KeyError, IndexError, TypeError):
            raise TypeError(
                f"{where}: expected a {self.kind} with an item {key!r}, "
                f"but found {type(value).__name__}"
            ) from None

    def _make_object(self, mapping: dict) -> Any:
        module, _, name = self.type_name.rpartition(".")
        try:
            cls = getattr(importlib.import_module(module), name)
            return cls(**mapping)
        except (ImportError, AttributeError, ValueError, TypeError):
            # Without the library that defines the class, its contents.
            return mapping


@dataclass
class CallingConvention:
    """The nested structures of arguments and results, and what is where.

    `constants` are the arguments that were fixed when the program was made
    (leaf number to value; the program does not take them). `results` has, for
    each leaf of `outputs`, the number of the program's result (and whether it is a
    Python number to the caller) or a constant.
    `mutated_inputs` and `states` are written back after a call.
    """

    arguments: Tree  # of (args, kwargs)
    outputs: Tree
    constants: dict[int, Any]
    results: list[dict]  # {"result": 3} or {"constant": None}
    mutated_inputs: list[tuple[int, int]] = field(default_factory=list)
    # Mutable state: (name, number of argument, number of result).
    states: list[tuple[str, int, int]] = field(default_factory=list)
    parameter_names: list[str] = field(default_factory=list)
    # Of the framework, while it is there: knows how to make every class that
    # may occur in results. Not kept in a file.
    make_outputs: Callable[[list], Any] | None = None

    def flatten(self, args: tuple, kwargs: dict) -> list[Any]:
        """The program's arguments, without its state."""
        leaves: list[Any] = []
        positional, named = self.arguments.children
        args, kwargs = self._bind(args, dict(kwargs), positional, named)
        positional.flatten(args, "argument", leaves)
        named.flatten(kwargs, "argument", leaves)
        flat = []
        for number, leaf in enumerate(leaves):
            if number not in self.constants:
                flat.append(leaf)
            elif not _same(self.constants[number], leaf):
                raise TypeError(
                    f"argument #{number} was {self.constants[number]!r} when "
                    f"the program was made; it cannot be {leaf!r} now"
                )
        return flat

    def _bind(self, args, kwargs, positional: Tree, named: Tree):
        """Arguments passed as they were for the export: by position or name."""
        names, count = self.parameter_names, len(positional.children)
        bound = list(args[:count])
        for name in names[len(bound) : count]:
            if name in kwargs:
                bound.append(kwargs.pop(name))
        for name, value in zip(names[count:], args[count:]):
            kwargs[name] = value
        return tuple(bound), kwargs

    def unflatten(self, results: list[Any]) -> Any:
        """What the user's function returns."""
        leaves = [_leaf(entry, results) for entry in self.results]
        if self.make_outputs is not None:
            return self.make_outputs(leaves)
        return self.outputs.unflatten(iter(leaves))

    def output_names(self, count: int) -> list[str]:
        """Readable names for the program's results."""
        names = [f"result_{number}" for number in range(count)]
        for path, entry in zip(self.outputs.paths(), self.results, strict=True):
            if "result" in entry:
                names[entry["result"]] = path_name(path)
        return names

    def to_json(self) -> str:
        return json.dumps(
            {
                "arguments": self.arguments.to_json(),
                "outputs": self.outputs.to_json(),
                "constants": {str(k): v for k, v in self.constants.items()},
                "results": self.results,
                "mutated_inputs": self.mutated_inputs,
                "states": self.states,
                "parameter_names": self.parameter_names,
            },
            default=str,
        )

    @staticmethod
    def from_json(text: str) -> CallingConvention:
        data = json.loads(text)
        return CallingConvention(
            Tree.from_json(data["arguments"]),
            Tree.from_json(data["outputs"]),
            {int(k): v for k, v in data["constants"].items()},
            data["results"],
            [tuple(pair) for pair in data["mutated_inputs"]],
            [tuple(state) for state in data["states"]],
            data["parameter_names"],
        )


def _leaf(entry: dict, results: list[Any]) -> Any:
    if "result" not in entry:
        return entry["constant"]
    value = results[entry["result"]]
    is_number = entry.get("number") and hasattr(value, "item")
    return value.item() if is_number else value


def _type_name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def path_name(path: tuple) -> str:
    """`("logits",)` is "logits", `(0, "x")` is "output_0_x"."""
    if not path:
        return "output"
    text = "_".join(str(key) for key in path)
    return text if isinstance(path[0], str) else f"output_{text}"


def _same(constant: Any, given: Any) -> bool:
    if isinstance(constant, (bool, int, float, str, type(None))):
        return type(constant) is type(given) and constant == given
    return str(constant) == str(given)
