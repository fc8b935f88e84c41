"""An exported program as a module of the torch dialect."""

from __future__ import annotations

import functools

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import (
    ConstantArgument,
    InputKind,
    OutputKind,
    SymBoolArgument,
    SymFloatArgument,
    SymIntArgument,
)
from torch.fx import Node
from torch.utils import _pytree as pytree

from .._native import _compiler
from ..calling import INITIAL_STATES, METADATA_KEY, CallingConvention
from .arguments import Arguments
from .graph import GraphImporter
from .symbols import (
    UNBOUNDED,
    Symbols,
    intersect,
    own_lower_bound,
    symbol_range,
)
from .trees import nest, tree_of_spec, unflatten_tensors
from .types import ImportFailure, value_type

MUTATIONS = (OutputKind.BUFFER_MUTATION, OutputKind.PARAMETER_MUTATION)
LIFTED = (InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR)
SYMBOLIC_ARGUMENTS = (SymIntArgument, SymFloatArgument, SymBoolArgument)


class Imported:
    """The program in the torch dialect and how to call it."""

    def __init__(self, module, convention: CallingConvention, states: dict):
        self.module = module
        self.convention = convention
        self.states = states  # name of mutable state -> first contents

    def __str__(self) -> str:
        return self.module.text()


class ProgramImporter:
    def __init__(
        self,
        program: ExportedProgram,
        dynamic_shapes=None,
        names=(),
        definition=("", 0),
    ):
        self.program = program
        self.signature = program.graph_signature
        self.builder = _compiler.GraphBuilder()
        self.arguments = Arguments(self.builder, definition)
        self.symbols = Symbols()
        self.dynamic_shapes = dynamic_shapes
        self.parameter_names = list(names)
        self.placeholders = {
            node.name: node for node in program.graph.nodes if node.op == "placeholder"
        }
        mutated = {
            spec.target
            for spec in self.signature.output_specs
            if spec.kind in MUTATIONS
        }
        self.state_specs = [
            spec
            for spec in self.signature.input_specs
            if spec.kind in LIFTED and spec.target in mutated
        ]
        self.states: dict[str, torch.Tensor] = {}

    def run(self, function_name: str = "main") -> Imported:
        constants = self.begin(function_name)
        self.import_constants()
        graph = GraphImporter(self.builder, self.program.graph_module, self.arguments)
        outputs = graph.run()
        convention = self.end(list(outputs), constants)
        self.set_symbols()
        self.builder.set_metadata(METADATA_KEY, convention.to_json())
        if self.states:
            self.add_initial_states()
        return Imported(self.builder.finish(), convention, self.states)

    # Arguments ------------------------------------------------------------

    def begin(self, function_name: str) -> dict:
        """Starts the function; returns the user's constant arguments."""
        self.name_symbols()
        constants, nodes = {}, []
        user = [
            spec
            for spec in self.signature.input_specs
            if spec.kind is InputKind.USER_INPUT
        ]
        for number, spec in enumerate(user):
            node = self.placeholders.get(spec.arg.name)
            if isinstance(spec.arg, ConstantArgument):
                constants[number] = spec.arg.value
            else:
                value = node.meta["val"]
                # An int that is not dynamic is part of the program.
                if isinstance(value, (bool, int, float, str)):
                    constants[number] = value
                else:
                    nodes.append(node)
        self.user_nodes = nodes
        nodes = nodes + [self.placeholders[s.arg.name] for s in self.state_specs]
        types = [self.builder.type(value_type(n.meta["val"])) for n in nodes]
        values = self.builder.begin_function(function_name, types)
        for index, (node, value) in enumerate(zip(nodes, values, strict=True)):
            self.arguments.env[node] = value
            self.describe(self.builder.set_argument, index, node.name, node)
        for number, spec in enumerate(user):
            node = self.placeholders.get(spec.arg.name)
            if number in constants and node is not None:
                self.arguments.env[node] = self.arguments.constant(constants[number])
        return constants

    def name_symbols(self) -> None:
        if self.dynamic_shapes is None:
            return
        values = {
            spec.arg.name: self.placeholders[spec.arg.name].meta["val"]
            for spec in self.signature.input_specs
            if spec.kind is InputKind.USER_INPUT and spec.arg.name in self.placeholders
        }
        # Leaves in the order of the arguments, put back into their nesting.
        leaves = [
            values.get(spec.arg.name)
            for spec in self.signature.input_specs
            if spec.kind is InputKind.USER_INPUT
        ]
        args, kwargs = nest(iter(leaves), self.program.call_spec.in_spec)
        spec = self.dynamic_shapes
        if isinstance(spec, dict):
            named = dict(zip(self.parameter_names, args)) | kwargs
            self.symbols.name_dimensions(spec, named)
        else:
            self.symbols.name_dimensions(spec, (*args, *kwargs.values()))

    def describe(self, setter, index: int, name: str, node) -> None:
        value = node.meta.get("val") if isinstance(node, Node) else None
        dims = []
        if isinstance(value, torch.Tensor):
            dims = self.symbols.dims(value)
        setter(index, name, dims if any(dims) else [])

    def import_constants(self) -> None:
        """Parameters, buffers and lifted constants that are used."""
        states = {spec.arg.name for spec in self.state_specs}
        for spec in self.signature.input_specs:
            if spec.kind not in LIFTED:
                if spec.kind is InputKind.CUSTOM_OBJ:
                    raise ImportFailure(f"an input of kind {spec.kind}")
                if spec.kind is InputKind.TOKEN:
                    node = self.placeholders[spec.arg.name]
                    self.arguments.env[node] = self.builder.none()
                continue
            tensor = self.tensor(spec)
            if spec.arg.name in states:
                self.states[spec.target] = tensor.detach().clone()
                continue
            node = self.placeholders[spec.arg.name]
            if node.users:
                value = self.arguments.literal(spec.target, tensor)
                self.arguments.env[node] = value

    def tensor(self, spec) -> torch.Tensor:
        # Buffers that are not persistent lie with the constants.
        for source in (self.program.state_dict, self.program.constants):
            if spec.target in source:
                return source[spec.target]
        raise ImportFailure(f"no value for '{spec.target}'")

    # Results --------------------------------------------------------------

    def end(self, outputs: list, constants: dict) -> CallingConvention:
        specs = self.signature.output_specs
        pairs = list(zip(specs, outputs, strict=True))
        results, entries, nodes, names = [], [], [], []

        def add(output, name: str) -> int:
            results.append(self.arguments.node_value(output))
            nodes.append(output)
            names.append(name)
            return len(results) - 1

        for spec, output in pairs:
            if spec.kind is not OutputKind.USER_OUTPUT:
                continue
            if isinstance(output, Node):
                entry = {"result": add(output, "")}
                if not isinstance(output.meta.get("val"), torch.Tensor):
                    entry["number"] = True  # a size, or what item() gave
                entries.append(entry)
            else:
                entries.append({"constant": output})
        convention = CallingConvention(
            arguments=tree_of_spec(self.program.call_spec.in_spec),
            outputs=tree_of_spec(self.program.call_spec.out_spec),
            constants=constants,
            results=entries,
            parameter_names=self.parameter_names,
            make_outputs=functools.partial(
                # Without an input there is nothing whose kind results could have.
                pytree.tree_unflatten if self.user_nodes else unflatten_tensors,
                treespec=self.program.call_spec.out_spec,
            ),
        )
        user_names = [node.name for node in self.user_nodes]
        names = convention.output_names(len(results))
        for spec, output in pairs:
            if spec.kind is OutputKind.USER_INPUT_MUTATION:
                number = user_names.index(spec.target)
                index = add(output, f"new_{spec.target}")
                convention.mutated_inputs.append((number, index))
        targets = [spec.target for spec in self.state_specs]
        for spec, output in pairs:
            if spec.kind in MUTATIONS:
                number = len(self.user_nodes) + targets.index(spec.target)
                index = add(output, f"new_{spec.target}")
                convention.states.append((spec.target, number, index))
        # In the order in which the program takes them.
        convention.states.sort(key=lambda state: state[1])
        self.builder.end_function(results)
        for index, node in enumerate(nodes):
            self.describe(self.builder.set_result, index, names[index], node)
        return convention

    def add_initial_states(self) -> None:
        """A function without arguments that returns the states' first contents:
        so a file has them, and any caller can read them."""
        arguments = Arguments(self.builder, self.arguments.definition)
        self.builder.begin_function(INITIAL_STATES, [])
        values = [
            arguments.literal(name, tensor) for name, tensor in self.states.items()
        ]
        self.builder.end_function(values)
        for index, name in enumerate(self.states):
            self.builder.set_result(index, name, [])

    def set_symbols(self) -> None:
        ranges: dict[str, tuple[int, int]] = {}
        guards = self.guards()
        for symbol, constraint in self.program.range_constraints.items():
            if str(symbol).startswith("u"):
                continue
            name = self.symbols.name(symbol)
            low, high = symbol_range(constraint)
            if low > 0:
                low = own_lower_bound(symbol, low, guards)
            # Two symbols under one name are one to the caller.
            ranges[name] = intersect(ranges.get(name, (0, UNBOUNDED)), (low, high))
        for name, (low, high) in ranges.items():
            self.builder.set_symbol_range(name, low, high)

    def guards(self) -> list:
        """What the exporter found that sizes must satisfy."""
        for node in self.placeholders.values():
            value = node.meta.get("val")
            if isinstance(value, torch.Tensor):
                for size in value.shape:
                    if isinstance(size, torch.SymInt):
                        return [g.expr for g in size.node.shape_env.guards]
        return []
