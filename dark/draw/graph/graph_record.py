"""The neutral record of a graph, from which every picture is made, whichever framework the graph comes from.

An adapter of `dark.draw.adapters` yields one `GraphNode` for each node of a graph; `GraphRecord` holds them in
topological order.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dark.draw.graph import record_export
from dark.draw.graph.numbered_calls import with_numbered_calls
from dark.draw.labels import one_line, value_in
from dark.errors import DrawingError

if TYPE_CHECKING:
    from networkx import MultiDiGraph

ROLES = ("parameter", "constant", "input", "result", "detached")


class Result(NamedTuple):
    """One of several results of an operation; see `GraphNode` for the fields."""

    name: str = ""
    shape: tuple[int | str, ...] | None = None
    dtype: str = ""
    value: Any = None


@dataclass(frozen=True, eq=False)
class GraphNode:
    """One node of a graph of any framework.

    Parameters
    ----------
    id : hashable
        Identifies the node in its graph.
    operation : str
        The sign or name of the operation that computed the value; "" for a leaf.
    name : str or None
        The name of a parameter with its modules, such as "0.weight", or the name given by the user.
    role : {"parameter", "constant", "input", "result", "detached"}
        A detached result is one through which no gradient flows.
    shape : tuple of int or str, or None
        The shape of the value, with names of lengths that vary, such as ``("batch", 3)``; None if it is unknown.
    dtype : str
        The name of its dtype; "" if it is unknown.
    value, grad : object
        An array or a number, None if it is unknown, or a string that says why it is missing, such as "not kept";
        or a function without arguments that returns one of these, where reading it takes time.
    inputs : tuple of hashable
        The ids of its inputs, in order. One that occurs twice is listed twice.
    labels : tuple of str
        A text for each input, at its edge, such as the name of the result that it is; by default none.
    results : tuple of Result
        The results of an operation that has several; shape, dtype and value are then of the first.
    mark : {"failed"} or None
        The call that raised an error.
    path : tuple of str
        The modules in which it was computed, outermost first: ``("features", "0")`` for the module `features.0`;
        ``()`` outside of all.
    extras : mapping of str to object
        What else is known: "settings" of the operation (dict) and "brief", a line of those that are short;
        "seconds_forward" and "seconds_backward" (float), "bytes_kept" for the backward pass (int), "source" (file and
        line), "node" (the object it was read from).

    Examples
    --------
    >>> product = GraphNode(2, "*", shape=(), value=6.0, inputs=(0, 1))
    >>> product.role, product.read("value"), GraphNode("x", value=lambda: 3.0).read("value")
    ('result', 6.0, 3.0)
    """

    id: Hashable
    operation: str = ""
    name: str | None = None
    role: str = "result"
    shape: tuple[int | str, ...] | None = ()
    dtype: str = ""
    value: Any = None
    grad: Any = None
    inputs: tuple[Hashable, ...] = ()
    path: tuple[str, ...] = ()
    extras: Mapping[str, Any] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    results: tuple[Result, ...] = ()
    mark: str | None = None

    def read(self, field: str) -> Any:
        """Return "value" or "grad"; if the field is a function, it is called."""
        found = getattr(self, field)
        return found() if callable(found) else found


@dataclass(frozen=True, eq=False)
class GraphRecord:
    """A graph of any framework, as nodes in topological order.

    Parameters
    ----------
    nodes : iterable of GraphNode
        In any order; they are sorted if an input does not precede the node that uses it. The root comes last: the
        last node given that no other node uses.
    modules : mapping of tuple of str to str
        The class of each module, by its path; ``()`` is the whole network.
    note : str
        A line about how it was read, such as that the network in a wrapper is drawn.

    Examples
    --------
    >>> record = GraphRecord([GraphNode("y", "*", inputs=("x", "x")), GraphNode("x", role="parameter")])
    >>> [node.id for node in record.nodes], record.links, record.root.id
    (['x', 'y'], ((), (0, 0)), 'y')
    """

    nodes: tuple[GraphNode, ...]
    modules: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    links: tuple[tuple[int, ...], ...] = field(init=False)
    note: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        nodes, modules = with_numbered_calls(_in_order(_checked(self.nodes)), self.modules)
        object.__setattr__(self, "modules", modules)
        position = {node.id: i for i, node in enumerate(nodes)}
        object.__setattr__(self, "nodes", nodes)
        object.__setattr__(self, "links", tuple([tuple([position[i] for i in node.inputs]) for node in nodes]))

    @property
    def root(self) -> GraphNode:
        """The last node."""
        return self.nodes[-1]

    def as_json(self) -> str:
        """Return the graph as a JSON document, for other programs.

        ``format`` is "dark-graph-1", ``root`` the id of the last node, and ``modules`` has the class of each module by
        its dotted name. Each of the ``nodes``, in topological order, has an ``id``, a ``role``, and its ``inputs``,
        each with the id of a ``node`` and maybe a ``label``; and where they are known ``operation``, ``name``,
        ``module``, ``shape``, ``dtype``, ``settings``, ``results``, ``mark``, and ``value`` and ``grad`` if they have
        at most 16 elements. NaN and infinities are strings.

        Examples
        --------
        >>> import json
        >>> record = GraphRecord([GraphNode("x", role="input", value=3.0), GraphNode("y", "exp", inputs=("x",))])
        >>> json.loads(record.as_json())["nodes"][1]
        {'id': 1, 'role': 'result', 'operation': 'exp', 'shape': [], 'inputs': [{'node': 0}]}
        """
        return record_export.to_json(self)

    def to_networkx(self) -> MultiDiGraph:
        """Return the graph as a `networkx.MultiDiGraph`, whose nodes and edges have what `as_json` has.

        The edges lead from an input to what uses it, and know its ``place`` among the inputs. Needs networkx, else a
        `MissingExtraError`.
        """
        return record_export.to_networkx(self)

    def snapshot(self) -> GraphRecord:
        """Return a copy that does not change when the graph does, for example in a training step."""
        return GraphRecord(tuple([_copied(node) for node in self.nodes]), self.modules, note=self.note)

    def __len__(self) -> int:
        return len(self.nodes)


def path_of(name: str) -> tuple[str, ...]:
    """Return the path of a dotted name."""
    return tuple(name.split(".")) if name else ()


def _copied(node: GraphNode) -> GraphNode:
    """Return a node with copies of its value and gradient, and without the object that it was read from."""
    value, grad = (value_in(node.read(field)) for field in ("value", "grad"))
    value, grad = (thing.copy() if isinstance(thing, np.ndarray) else thing for thing in (value, grad))
    extras = {key: thing for key, thing in node.extras.items() if key != "node"}
    results = tuple([Result(part.name, part.shape, part.dtype, value_in(part.value)) for part in node.results])
    return replace(node, value=value, grad=grad, extras=extras, results=results)


def _checked(nodes: Iterable[GraphNode]) -> tuple[GraphNode, ...]:
    """Return nodes as a tuple, if they form a graph."""
    nodes = tuple(nodes)
    known: set[Hashable] = set()
    for node in nodes:
        if not isinstance(node, GraphNode) or node.role not in ROLES:
            kind = f"the role {node.role!r}" if isinstance(node, GraphNode) else f"type {type(node).__name__}"
            raise DrawingError(
                f"draw: the record of a graph contains a node of {kind}.",
                f"a GraphNode, with one of the roles {', '.join(ROLES)}.",
                'GraphNode(1, "relu", inputs=(0,))',
            )
        if node.id in known:
            raise _wrong(f"two nodes with the id {one_line(node.id)}", "an id that occurs once.")
        known.add(node.id)
    for node in nodes:
        missing = next((i for i in node.inputs if i not in known), None)
        if missing is not None:
            raise _wrong(
                f"a node {one_line(node.id)} with the input {one_line(missing)}, which is not in the record",
                "a node for each input.",
            )
    if not nodes:
        raise _wrong("no nodes", "at least one node.")
    return nodes


def _in_order(nodes: tuple[GraphNode, ...]) -> tuple[GraphNode, ...]:
    """Return nodes in topological order, the root last; in the given order if that is one."""
    place = {node.id: k for k, node in enumerate(nodes)}
    used = {i for node in nodes for i in node.inputs}
    if all(place[i] < k for k, node in enumerate(nodes) for i in node.inputs) and nodes[-1].id not in used:
        return nodes
    try:
        order = [nodes[place[i]] for i in TopologicalSorter({node.id: node.inputs for node in nodes}).static_order()]
    except CycleError as error:
        raise _wrong(f"a cycle through the node {one_line(error.args[1][0])}", "an acyclic graph.") from None
    root = next(node for node in reversed(nodes) if node.id not in used)
    return (*(node for node in order if node is not root), root)


def _wrong(what: str, expected: str) -> DrawingError:
    return DrawingError(
        f"draw: the record of a graph has {what}.", expected, "check the function that yields the nodes"
    )
