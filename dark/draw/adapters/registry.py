"""The list of adapters, and `graph_record`, which reads a graph with the first that accepts it.

The file of an adapter is imported only when a graph of its framework is drawn.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from inspect import signature
from os import PathLike
from typing import Any, NamedTuple

from dark.draw.adapters.jax_graphs.functions import uses_jax
from dark.draw.adapters.tensor_parts import named_tensors
from dark.draw.graph.graph_record import GraphNode, GraphRecord, path_of
from dark.draw.graph.traverse import check_node, is_node
from dark.errors import DrawingError


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


OF_TORCH = comes_from("torch")
TORCH_FILES = (".pt", ".pth", ".pt2", ".ckpt")


def is_of_torch(thing: Any, *inputs: Any) -> bool:
    """Return whether an object is of PyTorch, a container of its tensors, its file, or a function that is given some.

    What its networks and functions take and return is looked through, without importing PyTorch.
    """
    if OF_TORCH(thing) or "torch" not in sys.modules:
        return OF_TORCH(thing) or is_file(thing, TORCH_FILES)
    if isinstance(thing, (str, PathLike, type)):
        return is_file(thing, TORCH_FILES)
    if callable(thing):
        return any(True for _ in named_tensors(list(inputs))) or OF_TORCH(getattr(thing, "__self__", None))
    is_of_nodes = hasattr(type(thing), "inputs") or "inputs" in getattr(thing, "__dict__", {})  # without reading fields
    return not inputs and not is_of_nodes and any(OF_TORCH(tensor) for _, tensor in named_tensors(thing))


def is_file(thing: Any, suffixes: tuple[str, ...]) -> bool:
    """Return whether an object is a path with one of some suffixes."""
    return isinstance(thing, (str, PathLike)) and str(thing).lower().endswith(suffixes)


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
    return OF_ONNX(thing) or is_file(thing, (".onnx",))


ADAPTERS: list[Adapter] = [
    Adapter("PyTorch", is_of_torch, "dark.draw.adapters.pytorch"),
    Adapter(
        "micrograd",
        lambda thing, *inputs: getattr(thing, "__dict__", {}).keys() >= MICROGRAD,
        "dark.draw.adapters.micrograd_values",
    ),
    Adapter("ONNX", is_of_onnx, "dark.draw.adapters.onnx_graphs.model"),
    Adapter("JAX", is_of_jax, "dark.draw.adapters.jax_graphs.jaxpr"),
]


def graph_record(
    thing: Any, *inputs: Any, model: Any = None, grad_fn: bool = False, keywords: dict[str, Any] | None = None
) -> GraphRecord:
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
    grad_fn : bool, default False
        Whether a network of PyTorch is read as autograd's graph, and not as its calls.
    keywords : dict, optional
        Example arguments by keyword.

    Examples
    --------
    >>> import dark
    >>> [node.operation for node in graph_record(dark.Parameter(2.0) * 3.0).nodes]
    ['', '', '*']
    """
    if isinstance(thing, GraphRecord):
        return thing
    read = adapter_of(thing, *inputs, *(keywords or {}).values())
    if read is None and isinstance(thing, (Iterator, list, tuple)) and not is_node(thing):
        return GraphRecord(tuple(thing), modules_of(model))
    if read is None and (inputs or keywords) and callable(getattr(thing, "named_parameters", None)):
        read = "dark.draw.adapters.dark_networks"
    if read is None:
        check_node(thing)
        read = "dark.draw.adapters.dark_nodes"
    read = import_module(read).nodes if isinstance(read, str) else read
    options = _accepted(read, {"keywords": keywords, "grad_fn": grad_fn})
    found: GraphRecord | Iterable[GraphNode] = read(thing, *inputs, model=model, **options)
    modules = modules_of(thing if model is None else model)
    return found if isinstance(found, GraphRecord) else GraphRecord(tuple(found), modules)


def _accepted(read, options):
    """Return the options that are given, if an adapter has them."""
    given = {name: option for name, option in options.items() if option}
    has = signature(read).parameters
    missing = next((name for name in given if name not in has), None)
    if missing is not None:
        words = {"keywords": f"the arguments {', '.join(given.get('keywords', ()))}", "grad_fn": "grad_fn=True"}
        raise DrawingError(
            f"draw: {words[missing]} cannot be given by keyword to what is drawn here.",
            "keywords for a network or function of PyTorch or dark, grad_fn for one of PyTorch.",
            "give the inputs by position: dark.draw(function, x, y)",
        )
    return given


def adapter_of(thing: Any, *inputs: Any) -> str | Callable[..., Any] | None:
    """Return the function, or the module with the function, that reads a graph of another framework, or None."""
    return next((adapter.nodes for adapter in ADAPTERS if adapter.accepts(thing, *inputs)), None)


def modules_of(model: Any) -> dict[tuple[str, ...], str]:
    """Return the class of each module of a network, by its path; nothing for an object without `named_modules`."""
    named = getattr(model, "named_modules", None)
    return {path_of(name): type(module).__name__ for name, module in named()} if callable(named) else {}
