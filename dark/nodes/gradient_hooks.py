"""Hooks of nodes: functions that see, and may replace, the gradient of a node in each backward pass."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import Any

from dark.checks import callable_with
from dark.errors import GradientError
from dark.hooks import Hooks, RemovableHandle
from dark.nodes.grad_mode import mode
from dark.nodes.gradient import cast_gradient, expand
from dark.nodes.node_checks import check_assigned
from dark.nodes.values import NodeBase, as_gradient, read_only
from dark.typing import AnyNode, Gradient, Gradients

alive: set[int] = set()  # the ids of all hooks of living nodes; a pass tests it first, as it is nearly always empty


class GradientHook:
    """A function that is called with the gradient of a node."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        alive.add(id(self))
        weakref.finalize(self, alive.discard, id(self)).atexit = False

    def __call__(self, g: Gradient, node: AnyNode, create_graph: bool) -> Gradient:
        """Return the gradient, or the one that the function returns in its place."""
        g = read_only(g)  # it may be in use elsewhere, so the function can keep it, but not change it
        try:
            found = self.function(g)
            return g if found is None else replacement(found, g, node, create_graph)
        except Exception as error:
            error.add_note(f"in a hook of {node}")
            raise


def register(node: Any, hook: Callable[[Any], Any]) -> RemovableHandle:
    """Add a hook: a function that is called with the complete gradient of this node in every backward pass.

    The method `remove` of the result removes the hook, as does the end of a ``with`` block.

    Parameters
    ----------
    hook : callable
        ``hook(grad)`` returns None, or what replaces the gradient: from there on, in the pass and in `grad`. The
        gradient is a float or an array that is read-only, and a Node in a pass with `create_graph`; a replacement
        follows the rules of setting `grad`.

    Notes
    -----
    Hooks are called in the order of registration, each with what the one before returned; those of a leaf once per
    pass, before the gradient is added to its `grad`. They are also called where gradients are computed without
    changing `grad`, as in `dark.grad` and `dark.nodes.gradients`: for the nodes that such a pass visits, and the
    variables themselves. If a hook raises, no `grad` changes. Copies and pickles of a leaf have no hooks. A pass
    through a result with a hook takes the plain path, not that of `dark.nodes.fast`.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(3)
    >>> with x.register_hook(lambda grad: print("gradient", grad)):
    ...     (x * x).backward()
    gradient 6.0
    """
    if not node.requires_grad:
        raise GradientError(
            f"register_hook: {node} does not require grad, so that the hook would never be called.",
            "a Parameter that requires grad, or a result computed from one.",
            "register the hook before freezing the parameter, or outside dark.no_grad().",
        )
    if mode.recorder is not None:
        mode.recorder.refuse(f"{mode.recorder.described(node)} has a hook")
    function = callable_with(hook, "register_hook", "hook", ("grad",))
    if not hasattr(node, "_hooks"):
        node._hooks = Hooks()
    handle: RemovableHandle = node._hooks.add(GradientHook(function))
    return handle


def have_hooks(nodes: Iterable[AnyNode]) -> bool:
    """Return whether one of the nodes has a hook."""
    return any(getattr(node, "_hooks", None) for node in nodes)


def complete(table: Gradients, node: AnyNode, create_graph: bool) -> Gradient:
    """Return the gradient of a node from the table, where it is complete, after the hooks of the node."""
    g = expand(table[node], node)  # an array of equal elements may be in the table as one float
    for hook in getattr(node, "_hooks", ()):
        table[node] = g = hook(g, node, create_graph)
    return g


def complete_ends(
    table: Gradients, shared: set[AnyNode], create_graph: bool, ends: Iterable[AnyNode] | None = None
) -> None:
    """Call the hooks of the nodes at which a pass ended, by default its leaves; the hooks may keep the gradients."""
    for node in [n for n in table if n.op is None] if ends is None else [n for n in ends if n in table]:
        if getattr(node, "_hooks", None):
            complete(table, node, create_graph)
            shared.add(node)


def replacement(found: Any, g: Gradient, node: AnyNode, create_graph: bool) -> Gradient:
    """Return the result of a hook as a gradient of the node, checked as an assignment to `grad`."""
    if not create_graph and isinstance(found, NodeBase):
        found = found._value
    found = check_assigned(found, node)
    if isinstance(found, NodeBase):
        return cast_gradient(found, node, node)
    found = expand(as_gradient(found, node._value), node)
    if not create_graph:
        return found
    constant = g.detach()
    constant.value = found
    return constant
