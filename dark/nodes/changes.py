"""Events outside of the graph: changes in place are detected, calls and effects are recorded.

A value is compared with what it was when the user took it, or when a result was computed from it. A function that is
recorded (`dark.recorded`) is not called again when its graph is replayed: so what it computes beside the graph goes
through `repeated` and `effect`, which cost next to nothing without a recorder.
"""

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dark.nodes.grad_mode import mode, versions
from dark.nodes.values import NodeBase, read_only, value_of
from dark.typing import Value


@dataclass(slots=True)
class Taken:
    """The array of a leaf as it was when the user took it."""

    version: int  # of the leaf since then
    last_change: int  # the version of its last known change
    copy: np.ndarray

    def is_current(self, node: Any) -> bool:
        """Return whether the array was neither set nor written into since."""
        return bool(node._version == self.version and np.array_equal(self.copy, node._value, equal_nan=True))


def array_for_user(node: Any) -> Value:
    """Return the array of a node: read-only for a result, which is computed from its inputs; writable for a leaf.

    A leaf remembers a copy, with which `changed_inputs` detects what was written into the array since.
    """
    value = value_of(node)
    if node.op is not None:
        return read_only(value)
    seen = getattr(node, "_seen", None)
    if seen is not None and seen.is_current(node):
        last_change, copy = seen.last_change, seen.copy
    else:
        last_change, copy = node._version, value.copy()
    node._version = versions.advance()
    node._seen = Taken(node._version, last_change, copy)
    return value


def checksum(x: Value) -> int | None:
    """Return a checksum of an array, None of a number, which cannot be changed in place."""
    return zlib.crc32(np.ascontiguousarray(x).data) if type(x) is np.ndarray else None


def changed_inputs(node: Any) -> list[Any]:
    """Return the inputs of a node that were changed after the node was computed: set, or written into.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(3)
    >>> y = x * 2
    >>> x.value = 4
    >>> changed_inputs(y)
    [Parameter(value=4.0)]
    """
    return changed_since(node.inputs, node._version)


def version() -> int:
    """Return the version of all values: a counter that advances when the value of a leaf is set or taken."""
    return versions.now


def changed_since(nodes: Iterable[Any], version: int) -> list[Any]:
    """Return the nodes whose value was changed, set or written into, since `version` was returned.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(3)
    >>> before = version()
    >>> changed_since([x], before)
    []
    >>> x.value = 4
    >>> changed_since([x], before)
    [Parameter(value=4.0)]
    """
    return [n for n in nodes if n._version > version and _changed_since(n, version)]


def _changed_since(n: Any, version: int) -> bool:
    seen = getattr(n, "_seen", None)
    return type(seen) is not Taken or seen.last_change > version or not seen.is_current(n)


def repeated(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return ``function(*arguments)``, with the values of nodes; a recording calls it again in each replay.

    For arrays that belong to one call: a mask that is drawn, labels that are checked. The result must be used as it
    is, as an input or a setting of an operation.

    >>> import dark, numpy as np
    >>> repeated(np.negative, dark.Constant([2.0]))
    array([-2.])
    """
    if mode.recorder is not None:
        return mode.recorder.repeat(function, arguments)
    return function(*[x._value if isinstance(x, NodeBase) else x for x in arguments])


def effect(node: Any, function: Callable[..., Any], *arguments: Any) -> None:
    """Call ``function(saved, *arguments)`` with the values that the operation of a node saved, in each replay, too."""
    if mode.recorder is not None:
        mode.recorder.repeat(function, arguments, node)
    else:
        function(node._saved, *arguments)


def refuse_recording(why: str) -> None:
    """Store, in the recording in progress if there is one, the reason why it cannot be replayed."""
    if mode.recorder is not None:
        mode.recorder.refuse(why)
