"""Everything that makes graphs fast and computes nothing new: shortcuts for trusted operations.

All other operations, and whatever fails, take the plain path of `Operation.apply` and
`dark.nodes.backward`. With the environment variable ``DARK_FAST=0``, which is read once, on import,
nothing here is used, and the results are the same.
"""

import os

from numpy import float32, ndarray

from dark.nodes.grad_mode import mode, switched, versions
from dark.nodes.gradient import cast_gradient, expand
from dark.nodes.graph_checks import check_unchanged
from dark.nodes.memory import KEEP_GRAD_UP_TO, release
from dark.nodes.values import as_result

ENABLED = os.environ.get("DARK_FAST") != "0"

ERRORS = (ArithmeticError, AttributeError, TypeError, ValueError)  # after which the plain path starts again
MISSING = object()
USUAL = frozenset({float, float32, ndarray})  # the types of most values, but for 0-d arrays


def make_apply(op, Node, leaves):
    """Make an `apply` for a trusted operation of one, two or three inputs, if these are nodes.

    In every other case it calls the plain one. If there is nothing to make, the plain one is returned.
    """
    if not ENABLED or not op.trusted or op.vjps is None or len(op.vjps) > 3:
        return vars(op)["apply"]
    Node._node_value = Node._value  # the same slot; objects of other libraries may have a `_value`, too
    make = (_apply_to_one, _apply_to_two, _apply_to_three)[len(op.vjps) - 1]
    apply = make(op, Node, leaves, _finish_for(op, leaves))
    apply.__doc__ = op.apply.__doc__
    return staticmethod(apply)


def _finish_for(op, leaves):
    """Return the function that sets what is not the same for every result of an operation."""
    elementwise, saves, widens = op.elementwise, op.saves, leaves.widens

    def finish(node, y, settings):
        """Set an unusual value, settings, what was saved."""
        if elementwise and widens(node.inputs):
            raise TypeError  # the plain path casts them
        if saves:
            y, node._saved = y
        kind = type(y)
        node._value = y if kind in USUAL and (kind is not ndarray or y.ndim) else as_result(y, op.__name__)
        node.settings = settings or None
        return node

    return finish


def _apply_to_one(op, Node, leaves, finish):
    f, plain, new, usual = op._f, op.apply, object.__new__, frozenset() if op.saves else USUAL
    has_axes = op.elementwise  # an array from arrays with axes has axes

    def of_one(x=MISSING, *rest, **settings):
        if (not switched.now or mode.is_default) and not rest:
            try:
                if x.requires_grad:
                    y = f(x._node_value, **settings) if settings else f(x._node_value)
                    node = new(Node)
                    node.op = op
                    node.inputs = (x,)
                    node._version = versions.now
                    node._grad = node.name = None
                    if type(y) in usual and (has_axes or type(y) is not ndarray or y.ndim):
                        node._value = y
                        node.settings = settings or None
                        return node
                    return finish(node, y, settings)
            except ERRORS:
                pass
        return plain(*() if x is MISSING else (x,), *rest, **settings)

    return of_one


def _apply_to_two(op, Node, leaves, finish):
    f, plain, new, usual = op._f, op.apply, object.__new__, frozenset() if op.saves else USUAL
    constant, python_number, has_axes = leaves.constant, leaves.PYTHON_NUMBER, op.elementwise

    def of_two(a=MISSING, b=MISSING, *rest, **settings):
        if (not switched.now or mode.is_default) and not rest:
            keeps_dtype = True
            if type(a) is float:
                a = constant(a, python_number)
            elif type(b) is float:
                b = constant(b, python_number)
            else:
                keeps_dtype = False
            try:
                if a.requires_grad or b.requires_grad:
                    u, v = a._node_value, b._node_value
                    y = f(u, v, **settings) if settings else f(u, v)
                    node = new(Node)
                    node.op = op
                    node.inputs = (a, b)
                    node._version = versions.now
                    node._grad = node.settings = node.name = None
                    if (
                        (keeps_dtype or type(u) is type(v))
                        and type(y) in usual
                        and (has_axes or type(y) is not ndarray or y.ndim)
                        and not settings
                    ):
                        node._value = y
                        return node
                    return finish(node, y, settings)
            except ERRORS:
                pass
        return plain(*_given(a, b), *rest, **settings) if b is MISSING or rest else plain(a, b, **settings)

    return of_two


def _apply_to_three(op, Node, leaves, finish):
    f, plain, new, constant = op._f, op.apply, object.__new__, leaves.constant
    usual = None if op.saves or op.elementwise else ndarray

    def of_three(a=MISSING, b=MISSING, c=MISSING, *rest, **settings):
        if (not switched.now or mode.is_default) and not rest:
            if type(a) is ndarray and a.ndim and a.dtype.kind == "f":  # a batch, say
                a = constant(a)
            try:
                if a.requires_grad or b.requires_grad or c.requires_grad:
                    if settings:
                        y = f(a._node_value, b._node_value, c._node_value, **settings)
                    else:
                        y = f(a._node_value, b._node_value, c._node_value)
                    node = new(Node)
                    node.op = op
                    node.inputs = (a, b, c)
                    node._version = versions.now
                    node._grad = node.settings = node.name = None
                    if type(y) is usual and y.ndim and not settings:
                        node._value = y
                        return node
                    return finish(node, y, settings)
            except ERRORS:
                pass
        return plain(*_given(a, b, c), *rest, **settings) if c is MISSING or rest else plain(a, b, c, **settings)

    return of_three


def _given(*inputs):
    return [x for x in inputs if x is not MISSING]


def prepare(op, Operation, Node, leaves):
    """Give a new operation its faster `apply`, and the vjps that `propagate` calls itself, if it is trusted."""
    if "apply" not in vars(op) and any(base.trusted for base in op.__mro__ if issubclass(base, Operation)):
        op.apply = vars(Operation)["apply"]  # not the faster one of a trusted parent
        op.apply = make_apply(op, Node, leaves)
    op.trusted_vjps = op.vjps if op.trusted else None
    is_short = op.trusted and op.elementwise and not op.saves and op.vjps is not None and len(op.vjps) < 3
    op.elementwise_vjps = op.vjps if is_short else None


def propagate(root, gradient, order):
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


def _visit(node, table, shared):
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


def _accumulate(g, n, node, dldy, table, shared):
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


def _add(g, n, table, shared, is_own):
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


def _is_borrowed(view, dldy):
    """Return whether a view is one of the incoming gradient, or repeats elements, not one of a new array."""
    return view.base is dldy or view.base is getattr(dldy, "base", None) or not view.flags.writeable


def _are_alike(inputs, node):
    """Return whether all inputs are arrays of the result's shape: then a float can stand for their gradients too."""
    shape = node.shape
    return all(type(n._value) is ndarray and n._value.shape == shape for n in inputs)
