"""Random numbers of a graph, drawn by PyTorch before the compiled program runs.

So they come from PyTorch's generator, in the order of the graph: each call has
others, `torch.manual_seed` repeats them, and dropout is eager PyTorch's.
"""

from __future__ import annotations

import torch
from torch.fx import Graph, GraphModule, Node
from torch.utils._sympy.interp import sympy_interp
from torch.utils._sympy.reference import PythonReferenceAnalysis

aten = torch.ops.aten

# Operators that take of a tensor its sizes and its element type only.
OF_SIZES = {
    aten.rand_like.default: aten.rand.default,
    aten.randn_like.default: aten.randn.default,
    aten.bernoulli.p: None,
    aten.uniform.default: None,
    aten.normal_functional.default: None,
    aten.randint_like.default: None,
    aten.randint_like.low_dtype: None,
    aten.exponential.default: None,
    aten.geometric.default: None,
    aten.cauchy.default: None,
    aten.log_normal.default: None,
}


def draws(node: Node) -> bool:
    return (
        node.op == "call_function"
        and isinstance(node.target, torch._ops.OpOverload)
        and torch.Tag.nondeterministic_seeded in node.target.tags
    )


class Drawing:
    """Takes the random numbers out of a graph.

    `graph_module` is the rest, with a further placeholder for each of them;
    `drawing` makes them of the graph's own inputs, or is None where there is
    nothing to draw.
    """

    def __init__(self, graph_module: GraphModule):
        self.drawing: GraphModule | None = None
        self.graph_module = graph_module
        if not any(map(draws, graph_module.graph.nodes)):
            return
        self.rest = Graph()
        self.rest.output(self.rest.graph_copy(graph_module.graph, {}))
        self.first = Graph()
        self.known: dict[Node, Node] = {}
        self.symbols: dict = {}
        self.drawn: list[Node] = []
        self.copy_placeholders()
        for node in list(self.rest.nodes):
            if draws(node):
                self.take(node)
        if not self.drawn:
            return
        self.first.output(tuple(self.drawn))
        self.rest.eliminate_dead_code(is_impure_node=is_effect)
        self.drawing = GraphModule(torch.nn.Module(), self.first)
        self.graph_module = GraphModule(graph_module, self.rest)

    def copy_placeholders(self) -> None:
        for node in self.rest.nodes:
            if node.op != "placeholder":
                continue
            self.last_placeholder = node
            copy = self.known[node] = self.first.placeholder(node.name)
            value = node.meta.get("val")
            if isinstance(value, torch.SymInt):
                self.symbols.setdefault(value.node.expr, torch.fx.Proxy(copy))
            elif isinstance(value, torch.Tensor) and value.layout is torch.strided:
                for dim, size in enumerate(value.shape):
                    if isinstance(size, torch.SymInt) and size.node.expr.is_Symbol:
                        size_node = self.first.call_function(
                            aten.sym_size.int, (copy, dim)
                        )
                        proxy = torch.fx.Proxy(size_node)
                        self.symbols.setdefault(size.node.expr, proxy)

    def take(self, node: Node) -> None:
        """Moves one operator, if it depends on nothing but sizes."""
        if node.target is aten.native_dropout.default:
            node = self.expand_dropout(node)
            if node is None:
                return
        try:
            args, kwargs = self.arguments(node)
        except KeyError:
            return
        target = OF_SIZES.get(node.target) or node.target
        copy = self.first.call_function(target, args, kwargs)
        self.drawn.append(copy)
        with self.rest.inserting_after(self.last_placeholder):
            placeholder = self.rest.placeholder(f"drawn_{len(self.drawn)}")
        placeholder.meta = dict(node.meta)
        self.last_placeholder = placeholder
        node.replace_all_uses_with(placeholder)
        self.rest.erase_node(node)

    def arguments(self, node: Node):
        """The arguments for `first`; KeyError where they need more than sizes."""
        args, kwargs = node.args, dict(node.kwargs)
        if node.target in OF_SIZES:
            like = args[0].meta["val"]
            sizes = [self.size(size) for size in like.shape]
            if OF_SIZES[node.target] is not None:
                kwargs.pop("memory_format", None)
                kwargs.setdefault("dtype", like.dtype)
                args = (sizes, *args[1:])
            else:
                empty = self.first.call_function(
                    aten.empty.memory_format, (sizes,), {"dtype": like.dtype}
                )
                self.known[empty] = empty
                args = (empty, *args[1:])
        return torch.fx.map_arg((args, kwargs), self.value)

    def value(self, node: Node) -> Node:
        if node in self.known:
            return self.known[node]
        if node.graph is self.first:
            return node
        meta = node.meta.get("val")
        if isinstance(meta, torch.SymInt):
            self.known[node] = self.size(meta)
            return self.known[node]
        raise KeyError(node)

    def size(self, size):
        """An int, or a node of `first` that computes the size."""
        if not isinstance(size, torch.SymInt):
            return size
        expression = size.node.expr
        if expression.is_Integer:
            return int(expression)
        if not expression.free_symbols <= self.symbols.keys():
            raise KeyError(size)
        symbols = {s: self.symbols[s] for s in expression.free_symbols}
        return sympy_interp(PythonReferenceAnalysis, symbols, expression).node

    def expand_dropout(self, node: Node) -> Node | None:
        """Eager PyTorch's formula in the place of `native_dropout`. Returns what
        draws, or None where nothing is dropped."""
        x, p, train = node.args
        like = x.meta["val"]
        if train is False or p == 0 or p == 1 or not like.is_floating_point():
            return None
        graph = self.rest
        with graph.inserting_before(node):
            noise = graph.call_function(aten.bernoulli.p, (x, 1 - p))
            noise.meta = {**node.meta, "val": like}
            kept = graph.call_function(aten.ne.Scalar, (noise, 0))
            kept.meta = {**node.meta, "val": node.meta["val"][1]}
            scale = graph.call_function(aten.div.Scalar, (noise, 1 - p))
            scale.meta = noise.meta
            result = graph.call_function(aten.mul.Tensor, (x, scale))
            result.meta = noise.meta
        for user in list(node.users):
            user.replace_all_uses_with((result, kept)[user.args[1]])
            graph.erase_node(user)
        graph.erase_node(node)
        return noise


def is_effect(node: Node) -> bool:
    return node.op in ("placeholder", "output") or node.is_impure()
