"""The list of adapters, and `graph_record`, which reads a graph with the first that accepts it.

The file of an adapter is imported only when a graph of its framework is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, NamedTuple

from dark.draw.graph.graph_record import GraphNode, GraphRecord, path_of
from dark.draw.graph.traverse import check_node


class Adapter(NamedTuple):
    """How to read the graphs of a framework.

    Parameters
    ----------
    name : str
        The name of the framework.
    accepts : function
        Takes what is drawn; returns whether the adapter can read it. It must not import the framework.
    module : str
        The module whose function ``nodes(thing, *inputs, model=None)`` yields a `GraphNode` for each node, or
        returns a `GraphRecord`.
    """

    name: str
    accepts: Callable[[Any], bool]
    module: str


def comes_from(package: str) -> Callable[[Any], bool]:
    """Return a function that tells whether the class of an object, or one of its bases, is from a package.

    Examples
    --------
    >>> from fractions import Fraction
    >>> comes_from("fractions")(Fraction(1, 2)), comes_from("torch")(3.0)
    (True, False)
    """
    return lambda thing: any(base.__module__.split(".")[0] == package for base in type(thing).__mro__)


ADAPTERS: list[Adapter] = []


def graph_record(thing: Any, *inputs: Any, model: Any = None) -> GraphRecord:
    """Return the record of a graph.

    Parameters
    ----------
    thing : object
        A node of `dark`, or of any class with `inputs` and `value`; what one of `ADAPTERS` accepts; or a record.
    *inputs : object
        Example arguments, for a framework whose graphs belong to functions.
    model : object, optional
        The network that computed it, with `named_modules` and `named_parameters`.

    Returns
    -------
    GraphRecord

    Raises
    ------
    DrawingError
        If `thing` is not a graph, or a field of a node cannot be read.

    Examples
    --------
    >>> import dark
    >>> [node.operation for node in graph_record(dark.Parameter(2.0) * 3.0).nodes]
    ['', '', '*']
    """
    if isinstance(thing, GraphRecord):
        return thing
    accepting = (adapter.module for adapter in ADAPTERS if adapter.accepts(thing))
    module = next(accepting, None)
    if module is None:
        check_node(thing)
    read = import_module(module or "dark.draw.adapters.dark_nodes").nodes
    found: GraphRecord | Iterable[GraphNode] = read(thing, *inputs, model=model)
    return found if isinstance(found, GraphRecord) else GraphRecord(tuple(found), modules_of(model))


def modules_of(model: Any) -> dict[tuple[str, ...], str]:
    """Return the class of each module of a network, by its path; nothing for an object without `named_modules`.

    Examples
    --------
    >>> from dark import nn
    >>> modules_of(nn.Sequential(nn.ReLU()))
    {(): 'Sequential', ('0',): 'ReLU'}
    """
    named = getattr(model, "named_modules", None)
    return {path_of(name): type(module).__name__ for name, module in named()} if callable(named) else {}
