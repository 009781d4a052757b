"""Everything that makes graphs fast and computes nothing new: shortcuts for trusted operations.

All other operations, and whatever fails, take the plain path of `Operation.apply` and
`dark.nodes.backward`. With the environment variable ``DARK_FAST=0``, which is read once, on import,
nothing here is used, and the results are the same.
"""

import os
from typing import Any

from numpy import float32, ndarray

from dark.nodes.grad_mode import mode, switched, versions
from dark.nodes.gradient import cast_gradient, expand
from dark.nodes.graph_checks import check_unchanged
from dark.nodes.memory import KEEP_GRAD_UP_TO, release
from dark.nodes.values import as_result
from dark.typing import AnyNode, Array, Gradient, Gradients

ENABLED = os.environ.get("DARK_FAST") != "0"

ERRORS = (ArithmeticError, AttributeError, TypeError, ValueError)  # after which the plain path starts again
MISSING = object()
USUAL = frozenset({float, float32, ndarray})  # the types of most values, but for 0-d arrays


def make_apply(op: Any, Node: type[Any], leaves: Any) -> Any:
    """Make an `apply` for a trusted operation of one to three inputs, if these are nodes, or numbers beside nodes.

    In every other case it calls the plain one. If there is nothing to make, the plain one is returned.
    """
    if not ENABLED or not op.trusted or op.vjps is None or len(op.vjps) > 3:
        return vars(op)["apply"]
    Node._node_value = Node._value  # the same slot; objects of other libraries may have a `_value`, too
    f, plain, new, constant, python_number = op._f, op.apply, object.__new__, leaves.constant, leaves.PYTHON_NUMBER
    usual, elementwise = frozenset() if op.saves else USUAL, op.elementwise

    def apply(a: Any = MISSING, b: Any = MISSING, c: Any = MISSING, /, *rest: Any, **settings: Any) -> Any:
        if (not switched.now or mode.is_default) and not rest:
            inputs = mixed = None
            try:
                if b is MISSING:
                    if a.requires_grad:
                        inputs = (a,)
                        y = f(a._node_value, **settings) if settings else f(a._node_value)
                elif c is MISSING:
                    if type(a) is float:
                        a = constant(a, python_number)
                    elif type(b) is float:
                        b = constant(b, python_number)
                    if a.requires_grad or b.requires_grad:
                        inputs, u, v = (a, b), a._node_value, b._node_value
                        y = f(u, v, **settings) if settings else f(u, v)
                        mixed = type(u) is not type(v) and elementwise and a._version != python_number != b._version
                else:
                    if type(a) is ndarray and a.ndim and a.dtype.kind == "f":  # a batch, say
                        a = constant(a)
                    if a.requires_grad or b.requires_grad or c.requires_grad:
                        inputs, mixed = (a, b, c), elementwise
                        y = f(a._node_value, b._node_value, c._node_value, **settings)
                if inputs:
                    if mixed and leaves.widens(inputs):
                        raise TypeError  # the plain path casts them
                    node = new(Node)
                    node.op = op
                    node.inputs = inputs
                    node._version = versions.now
                    node._grad = node.name = None
                    node.settings = settings or None
                    if type(y) not in usual or (type(y) is ndarray and not y.ndim):
                        if op.saves:
                            y, node._saved = y
                        if type(y) not in USUAL or (type(y) is ndarray and not y.ndim):
                            y = as_result(y, op.__name__)
                    node._value = y
                    return node
            except ERRORS:
                pass
        return plain(*[x for x in (a, b, c) if x is not MISSING], *rest, **settings)

    apply.__doc__ = op.apply.__doc__
    return staticmethod(apply)


def prepare(op: Any, Operation: type[Any], Node: type[Any], leaves: Any) -> None:
    """Give a new operation its faster `apply`, and the vjps that `propagate` calls itself, if it is trusted."""
    if "apply" not in vars(op) and any(base.trusted for base in op.__mro__ if issubclass(base, Operation)):
        op.apply = vars(Operation)["apply"]  # not the faster one of a trusted parent
        op.apply = make_apply(op, Node, leaves)
    op.trusted_vjps = op.vjps if op.trusted else None
    is_short = op.trusted and op.elementwise and not op.saves and op.vjps is not None and len(op.vjps) < 3
    op.elementwise_vjps = op.vjps if is_short else None


def propagate(root: AnyNode, gradient: Gradient, order: list[AnyNode]) -> tuple[Gradients, set[AnyNode]] | None:
    """Do what `dark.nodes.backward.propagate` does, with its steps for trusted operations written out.

    Returns None if a trusted operation fails. Gradients are added in place where the array belongs to the
    pass alone. The first branch serves the nodes that most graphs are made of, elementwise ones of one or
    two inputs: on numbers, each costs less than the calls that are saved.
    """
    table, shared = {root: gradient}, ({root} if type(gradient) is ndarray else set())
    for node in order:
        op, inputs, version, y = node.op, node.inputs, node._version, node._value
        vjps, settings, dldy, is_number = op.elementwise_vjps, node.settings, table[node], type(y) is float
        if vjps is not None and settings is None:
            if not is_number and type(dldy) is float and not _are_alike(inputs, node):
                dldy = expand(dldy, node)
            try:
                if len(inputs) == 2:
                    a, b = inputs
                    if a._version > version or b._version > version:
                        check_unchanged(node)
                    u, v = a._value, b._value
                    dlda = vjps[0](dldy, y, u, v) if a.requires_grad else None
                    dldb = vjps[1](dldy, y, u, v) if b.requires_grad else None
                else:
                    a, dldb = inputs[0], None
                    if a._version > version:
                        check_unchanged(node)
                    dlda = vjps[0](dldy, y, a._value) if a.requires_grad else None
            except Exception:  # a division by 0, say, or a changed value
                _visit(node, table, shared)
                continue
            if is_number:
                if dldb is not None:
                    table[b] = table[b] + dldb if b in table else dldb
                if dlda is not None:
                    table[a] = table[a] + dlda if a in table else dlda
                continue
            if dlda is not None:
                _accumulate(dlda, a, node, dldy, table, shared)
            if dldb is not None:
                _accumulate(dldb, b, node, dldy, table, shared)
        elif (direct := op.trusted_vjps) is not None:
            if not is_number and type(dldy) is float and not (vjps is not None and _are_alike(inputs, node)):
                dldy = expand(dldy, node)
            if op.saves:
                settings = {**settings, "saved": node._saved} if settings else {"saved": node._saved}
            given = [dldy, y]
            for n in inputs:
                if n._version > version:
                    check_unchanged(node)
                given.append(n._value)
            try:
                for n, vjp in zip(inputs, direct):
                    if n.requires_grad:
                        g = vjp(*given, **settings) if settings else vjp(*given)
                        _accumulate(g, n, node, dldy, table, shared)
            except Exception:  # the plain pass tells what is wrong, or answers as NumPy does
                return None
        else:
            _visit(node, table, shared)
            continue
        if not is_number and y.size > KEEP_GRAD_UP_TO and node.name is None:
            table[node] = None  # released
    return table, shared


def _visit(node: AnyNode, table: Gradients, shared: set[AnyNode]) -> None:
    """Take the plain path at one node.

    Every array from an operation that is not trusted may be shared.
    """
    check_unchanged(node)
    dldy = expand(table[node], node)
    sent = node.op.differentiate(node, dldy)
    for n, g in zip(node.inputs, sent):
        if n.requires_grad:
            g = cast_gradient(g, n, node)
            is_own = type(g) is not ndarray or (
                node.op.trusted and g.base is None and g is not dldy and sum([g is other for other in sent]) < 2
            )
            _add(g, n, table, shared, is_own)
    release(table, node)


def _accumulate(g: Gradient, n: AnyNode, node: AnyNode, dldy: Gradient, table: Gradients, shared: set[AnyNode]) -> None:
    """Add a gradient that a trusted operation computed."""
    v, is_array = n._value, type(g) is ndarray
    if not is_array or type(v) is not ndarray or g.dtype is not v.dtype or g.shape != v.shape:
        g = cast_gradient(g, n, node)
        is_array = type(g) is ndarray
    if n not in table:
        table[n] = g
        if is_array and (g is dldy or (g.base is not None and _is_borrowed(g, dldy))):
            shared.add(n)
    elif n in shared:
        table[n] = table[n] + g
        shared.remove(n)
    else:
        table[n] += g


def _add(g: Gradient, n: AnyNode, table: Gradients, shared: set[AnyNode], is_own: bool) -> None:
    """Add a gradient, in place if the array in the table belongs to the pass alone."""
    if n not in table:
        table[n] = g
        if not is_own:
            shared.add(n)
    elif n in shared:
        table[n] = table[n] + g
        shared.remove(n)
    else:
        table[n] += g


def _is_borrowed(view: Array, dldy: Gradient) -> bool:
    """Return whether a view is one of the incoming gradient, or repeats elements, not one of a new array."""
    return view.base is dldy or view.base is getattr(dldy, "base", None) or not view.flags.writeable


def _are_alike(inputs: tuple[AnyNode, ...], node: AnyNode) -> bool:
    """Return whether all inputs are arrays of the result's shape: then a float can stand for their gradients too."""
    shape = node.shape
    return all(type(n._value) is ndarray and n._value.shape == shape for n in inputs)
