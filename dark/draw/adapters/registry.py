"""The list of adapters, and `graph_record`, which reads a graph with the first that accepts it.

The file of an adapter is imported only when a graph of its framework is drawn.
"""

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from os import PathLike
from typing import Any, NamedTuple

from dark.draw.adapters.jax_graphs.functions import uses_jax
from dark.draw.graph.graph_record import GraphNode, GraphRecord, path_of
from dark.draw.graph.traverse import check_node, is_node


class Adapter(NamedTuple):
    """How to read the graphs of a framework.

    Parameters
    ----------
    name : str
        The name of the framework.
    accepts : function
        Takes what is drawn, and the example inputs; returns whether the adapter can read it. It must not import the
        framework.
    nodes : function or str
        A function ``nodes(thing, *inputs, model=None)`` that yields a `GraphNode` for each node, or returns a
        `GraphRecord`; or the name of a module that has one, which is imported when it is needed.

    Examples
    --------
    An adapter of one's own, for expressions such as ``("+", 1, ("*", 2, 3))``:

    >>> from dark.draw import ADAPTERS, Adapter, GraphNode, graph_record
    >>> def nodes(thing, model=None, place="root"):
    ...     if not isinstance(thing, tuple):
    ...         yield GraphNode(place, role="constant", value=thing)
    ...         return
    ...     places = [f"{place}.{k}" for k in range(len(thing) - 1)]
    ...     for part, below in zip(thing[1:], places):
    ...         yield from nodes(part, place=below)
    ...     yield GraphNode(place, thing[0], inputs=tuple(places))
    >>> ADAPTERS.append(Adapter("tuples", lambda thing, *inputs: isinstance(thing, tuple), nodes))
    >>> [node.operation or node.value for node in graph_record(("+", 1, ("*", 2, 3))).nodes]
    [1, 2, 3, '*', '+']
    >>> del ADAPTERS[-1]

    Without an entry in the list, the nodes themselves can be drawn:

    >>> len(graph_record(nodes(("+", 1, ("*", 2, 3)))))
    5
    """

    name: str
    accepts: Callable[..., bool]
    nodes: str | Callable[..., Any]


def comes_from(package: str) -> Callable[..., bool]:
    """Return a function that tells whether the class of an object, or one of its bases, is from a package."""
    return lambda thing, *inputs: any(base.__module__.split(".")[0] == package for base in type(thing).__mro__)


MICROGRAD = {"data", "grad", "_prev", "_op", "_backward"}  # the fields of a `Value`, also of a copy in a notebook
OF_JAX, OF_ONNX = (comes_from("jax"), comes_from("jaxlib")), comes_from("onnx")


def is_of_jax(thing: Any, *inputs: Any) -> bool:
    """Return whether an object is a jaxpr, or of JAX, or a function that uses JAX or is given arrays of JAX."""
    arrays = list(inputs)
    while arrays:
        part = arrays.pop()
        if any(comes(part) for comes in OF_JAX):
            return callable(thing)
        arrays += part.values() if isinstance(part, dict) else part if isinstance(part, (tuple, list)) else ()
    if isinstance(thing, type) or hasattr(thing, "named_parameters"):
        return False
    return any(comes(thing) for comes in OF_JAX) or (callable(thing) and bool(inputs) and uses_jax(thing))


def is_of_onnx(thing: Any, *inputs: Any) -> bool:
    """Return whether an object is a model of ONNX, or the path of its file."""
    return OF_ONNX(thing) or (isinstance(thing, (str, PathLike)) and str(thing).lower().endswith(".onnx"))


ADAPTERS: list[Adapter] = [
    Adapter("PyTorch", comes_from("torch"), "dark.draw.adapters.pytorch"),
    Adapter(
        "micrograd",
        lambda thing, *inputs: getattr(thing, "__dict__", {}).keys() >= MICROGRAD,
        "dark.draw.adapters.micrograd_values",
    ),
    Adapter("ONNX", is_of_onnx, "dark.draw.adapters.onnx_graphs.model"),
    Adapter("JAX", is_of_jax, "dark.draw.adapters.jax_graphs.jaxpr"),
]


def graph_record(thing: Any, *inputs: Any, model: Any = None) -> GraphRecord:
    """Return the record of a graph.

    Parameters
    ----------
    thing : object
        A node of `dark`, or of any class with `inputs` and `value`; what one of `ADAPTERS` accepts: a tensor or a
        network of PyTorch, a `Value` of micrograd, a jaxpr or a function of JAX, a model or a file of ONNX; nodes of
        a record, such as a function of one's own yields; or a record.
    *inputs : object
        Example arguments, for a framework whose graphs belong to functions.
    model : object, optional
        The network that computed it, with `named_modules` and `named_parameters`.

    Examples
    --------
    >>> import dark
    >>> [node.operation for node in graph_record(dark.Parameter(2.0) * 3.0).nodes]
    ['', '', '*']
    """
    if isinstance(thing, GraphRecord):
        return thing
    read = adapter_of(thing, *inputs)
    if read is None and isinstance(thing, (Iterator, list, tuple)) and not is_node(thing):
        return GraphRecord(tuple(thing), modules_of(model))
    if read is None:
        check_node(thing)
        read = "dark.draw.adapters.dark_nodes"
    read = import_module(read).nodes if isinstance(read, str) else read
    found: GraphRecord | Iterable[GraphNode] = read(thing, *inputs, model=model)
    modules = modules_of(thing if model is None else model)
    return found if isinstance(found, GraphRecord) else GraphRecord(tuple(found), modules)


def adapter_of(thing: Any, *inputs: Any) -> str | Callable[..., Any] | None:
    """Return the function, or the module with the function, that reads a graph of another framework, or None."""
    return next((adapter.nodes for adapter in ADAPTERS if adapter.accepts(thing, *inputs)), None)


def modules_of(model: Any) -> dict[tuple[str, ...], str]:
    """Return the class of each module of a network, by its path; nothing for an object without `named_modules`."""
    named = getattr(model, "named_modules", None)
    return {path_of(name): type(module).__name__ for name, module in named()} if callable(named) else {}
