"""Walks an FX graph of PyTorch operators and builds it node by node."""

from __future__ import annotations

import operator

import torch
from torch.fx import GraphModule, Node

from .arguments import SCALARS, Arguments
from .control_flow import HIGHER_ORDER
from .locations import layer_name, source_line
from .sizes import SIZE_OPS, SizeArithmetic
from .types import ImportFailure, value_type

# Checks that the exporter made for itself; they hold by construction.
DROPPED = {
    torch.ops.aten._assert_tensor_metadata.default,
    torch.ops.aten.sym_constrain_range.default,
    torch.ops.aten.sym_constrain_range_for_size.default,
}


class GraphImporter:
    """Imports the nodes of a graph at the builder's place.

    `env` of `self.arguments` has to hold the placeholders' values.
    """

    def __init__(self, builder, graph_module: GraphModule, arguments=None):
        self.builder = builder
        self.graph_module = graph_module
        self.arguments = arguments or Arguments(builder)
        self.env = self.arguments.env
        self.sizes = SizeArithmetic(self.arguments)

    def run(self):
        """Imports everything but placeholders; returns the output's argument."""
        for node in self.graph_module.graph.nodes:
            if node.op == "output":
                return node.args[0]
            if node.op in ("placeholder",):
                continue
            file, line = self.source(node)
            self.builder.set_location(file, line, 0, layer_name(node))
            try:
                self.import_node(node)
            except (ImportFailure, ValueError, KeyError) as error:
                raise ImportFailure(self.explain(node, error)) from error
        raise ImportFailure("the graph has no output")

    def source(self, node: Node) -> tuple[str, int]:
        return source_line(node) or self.arguments.definition

    def explain(self, node: Node, error: Exception) -> str:
        if isinstance(error, ImportFailure) and "\n  in " in str(error):
            return str(error)
        file, line = self.source(node)
        where = f" at {file}:{line}" if file else ""
        return f"{error}\n  in {node.format_node()}{where}"

    def import_node(self, node: Node) -> None:
        if node.op == "get_attr":
            self.import_attribute(node)
        elif node.op != "call_function":
            raise ImportFailure(f"graph nodes of kind {node.op} are not supported")
        elif node.target is operator.getitem:
            self.import_getitem(node)
        elif node.target in SIZE_OPS:
            self.import_size(node)
        elif isinstance(node.target, torch._ops.HigherOrderOperator):
            self.import_higher_order(node)
        elif node.target in DROPPED:
            pass
        elif node.target is torch.ops.aten._assert_scalar.default:
            condition = self.arguments.node_value(node.args[0])
            self.builder.runtime_assert(condition, str(node.args[1]))
        elif isinstance(node.target, torch._ops.OpOverload):
            self.import_operator(node)
        elif self.sizes.handles(node.target):
            self.env[node] = self.sizes.run(node.target, node.args)
        else:
            raise ImportFailure(f"no rule to import a call of {node.target}")

    def import_attribute(self, node: Node) -> None:
        value = self.graph_module
        for name in node.target.split("."):
            value = getattr(value, name)
        if isinstance(value, torch.Tensor):
            self.env[node] = self.arguments.literal(node.target, value)
        # Subgraphs are read by the op that takes them.

    def import_size(self, node: Node) -> None:
        values = [self.arguments.node_value(node.args[0])]
        values += [self.arguments.constant(a) for a in node.args[1:]]
        result = self.builder.type("!torch.int")
        name = SIZE_OPS[node.target]
        (self.env[node],) = self.builder.op(name, values, [result])

    def import_getitem(self, node: Node) -> None:
        source, index = node.args
        value = self.env[source]
        if not isinstance(value, tuple):
            # The only result is a list: take it apart once.
            types = [self.builder.type(value_type(item)) for item in source.meta["val"]]
            value = tuple(self.builder.op("torch.prim.ListUnpack", [value], types))
            self.env[source] = value
        self.env[node] = value[index]

    def import_higher_order(self, node: Node) -> None:
        name = node.target.name()
        if name not in HIGHER_ORDER:
            raise ImportFailure(f"the higher-order operator {name} is not supported")
        self.env[node] = HIGHER_ORDER[name](self, node)

    def subgraph(self, node: Node) -> GraphModule:
        value = self.graph_module
        for name in node.target.split("."):
            value = getattr(value, name)
        return value

    def inline(self, module: GraphModule, values: list[int]) -> list:
        """Imports a subgraph here; returns its outputs (values or constants)."""
        placeholders = [n for n in module.graph.nodes if n.op == "placeholder"]
        inner = GraphImporter(self.builder, module, self.arguments)
        for placeholder, value in zip(placeholders, values, strict=True):
            self.env[placeholder] = value
        outputs = inner.run()
        if not isinstance(outputs, (list, tuple)):
            outputs = [outputs]
        return [
            self.arguments.node_value(output)
            if isinstance(output, Node)
            else self.arguments.constant(output)
            for output in outputs
        ]

    # Operators ------------------------------------------------------------

    def import_operator(self, node: Node) -> None:
        overload = scalar_overload(node.target, node.args, node.kwargs)
        schema = overload._schema
        like = element_type_of(node)
        values = []
        for position, argument in enumerate(schema.arguments):
            if position < len(node.args):
                given = node.args[position]
            elif argument.name in node.kwargs:
                given = node.kwargs[argument.name]
            else:
                given = argument.default_value
            given = self.normalize(argument, given)
            values.append(self.arguments.convert(given, argument.type, like))
        types = [self.builder.type(t) for t in self.result_types(node, schema)]
        name = "torch." + schema.name.replace("::", ".")
        if schema.overload_name:
            name += "." + schema.overload_name
        results = self.builder.op(name, values, types)
        returns_list = len(schema.returns) == 1 and isinstance(
            node.meta.get("val"), (list, tuple)
        )
        if len(results) == 1 and (returns_list or len(schema.returns) == 1):
            self.env[node] = results[0]
        else:
            self.env[node] = tuple(results)

    @staticmethod
    def normalize(argument, given):
        """Defaults that PyTorch's schema gives as numbers or strings."""
        if argument.name == "memory_format" and isinstance(given, int):
            return given
        return given

    @staticmethod
    def result_types(node: Node, schema) -> list[str]:
        value = node.meta.get("val")
        if not schema.returns:
            return []
        if len(schema.returns) == 1:
            return [value_type(value)]
        if not isinstance(value, (list, tuple)):
            raise ImportFailure("the exporter gave no types for the results")
        # A result that was not asked for (output_mask) has no value.
        return [
            "!torch.vtensor" if item is None else value_type(item) for item in value
        ]


def scalar_overload(overload, args, kwargs):
    """`.Scalar` of a `.Tensor` overload that was called with a number."""

    def is_number(argument) -> bool:
        if isinstance(argument, Node):
            argument = argument.meta.get("val")
        return isinstance(argument, (*SCALARS, torch.SymInt, torch.SymFloat))

    if overload._overloadname != "Tensor" or len(args) < 2:
        return overload
    if not is_number(args[1]) or is_number(args[0]):
        return overload
    packet = overload._overloadpacket
    if "Scalar" not in packet.overloads():
        return overload
    scalar = packet.Scalar
    names = [a.name for a in scalar._schema.arguments]
    if names != [a.name for a in overload._schema.arguments]:
        return overload
    return scalar


def element_type_of(node: Node) -> torch.dtype | None:
    """Element type of the first tensor argument with a dimension, else of the
    first: what a Python number beside it is converted to."""
    tensors = [
        value
        for argument in node.all_input_nodes
        if isinstance(value := argument.meta.get("val"), torch.Tensor)
    ]
    for tensor in tensors:
        if tensor.dim() > 0:
            return tensor.dtype
    return tensors[0].dtype if tensors else None
