"""`Operation`: a function and its derivative in one class; `apply` adds a node, `differentiate` goes backward."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dark.checks import brief
from dark.errors import OperationError, ShapeError
from dark.nodes import fast, leaves
from dark.nodes.changes import checksum
from dark.nodes.grad_mode import mode, versions
from dark.nodes.graph_checks import anomaly_error, errors_as_numpy
from dark.nodes.leaves import as_input, as_nodes, constant_result, in_float64, widens
from dark.nodes.node import Node
from dark.nodes.operation_checks import check_gradients, check_pair, check_wrote, explain_error, shape_error
from dark.nodes.protocols import SIGNS, UFUNCS
from dark.nodes.values import as_result, as_value, has_nan, numpy_scalar, read_only
from dark.typing import ArrayLike, Gradient, Value


class Operation:
    """A differentiable function: it computes a node from others, and their gradients from the node's gradient.

    A new operation is a subclass with `_f` and `_df`, written with arithmetic operators and NumPy
    functions, so that the same two work on numbers, arrays and nodes; higher derivatives need nothing more.

    Parameters
    ----------
    sign : str, optional
        In ``class Add(Operation, sign="+")``: the operator that applies this operation to nodes.
    ufunc : numpy.ufunc, optional
        The NumPy function that applies it to nodes.
    elementwise : bool, default True
        Whether an element of the result depends only on the corresponding elements of the inputs.
    saves : bool, default False
        Whether `_f` returns ``(y, saved)``: the value, and what the backward pass needs. `_df` then has
        a keyword argument `saved`. Inherited.
    trusted : bool, default False
        A promise that each gradient is a new array, `dldy`, or a view of these: never an input, the value,
        or something that is used again. `dark.nodes.fast` relies on it. Not inherited.

    Examples
    --------
    >>> import dark
    >>> class Cube(dark.Operation):
    ...     @staticmethod
    ...     def _f(x):
    ...         return x**3
    ...
    ...     @staticmethod
    ...     def _df(dldy, y, x):
    ...         return (dldy * 3 * x**2,)
    >>> x = dark.Parameter(2)
    >>> Cube.apply(x).backward()
    >>> x.grad
    12.0
    """

    sign = None
    function_name = None  # if it is not the name of the class in lower case
    domain = ((-3.0, 3.0), (-3.0, 3.0), (-3.0, 3.0))  # the ranges from which tests draw inputs
    kinks = ()  # values (of one input) or "tie" (of two) near which it is not differentiable
    samples = ()  # ((shape of each input, ...), settings), ...; for an elementwise one, () means any shapes
    elementwise, trusted, saves = True, False, False
    vjps = None  # `_df` as a tuple of vector-Jacobian products, one for each input
    trusted_vjps = elementwise_vjps = None  # the vjps that `dark.nodes.fast` calls itself
    expects = "shapes that are equal, or that broadcast: aligned at the right, each pair equal or 1"
    advice = "print the shapes; an axis of length 1, x[:, None], may be missing."

    def __init_subclass__(
        cls, sign: str | None = None, ufunc: np.ufunc | None = None, elementwise: bool = True, trusted: bool = False,
        saves: bool | None = None, **settings: Any,
    ) -> None:  # fmt: skip
        super().__init_subclass__(**settings)
        cls.elementwise, cls.trusted, cls.saves = elementwise, trusted, cls.saves if saves is None else saves
        df = vars(cls).get("_df", cls.vjps)
        is_overridden = any("_gradients" in vars(base) for base in cls.__mro__ if base is not Operation)
        if isinstance(df, tuple):
            df = tuple([getattr(vjp, "__func__", vjp) for vjp in df])  # a static method costs more than its function
            cls._df = staticmethod(lambda dldy, y, *x, **settings: tuple([vjp(dldy, y, *x, **settings) for vjp in df]))
        cls.vjps = df if isinstance(df, tuple) and not is_overridden else None
        fast.prepare(cls, Operation, Node, leaves)
        if sign is not None:
            if sign in SIGNS:
                raise OperationError(
                    f"{cls.__name__}: the sign {sign!r} belongs to another operation.",
                    "an unused sign; signs are global.",
                    f"call {cls.__name__}.apply(...) without a sign.",
                )
            cls.sign = sign
            SIGNS[sign] = cls.apply
        if ufunc is not None:
            UFUNCS[ufunc] = cls

    @classmethod
    def label(op) -> str:
        """Return the name of the operation in errors and tables."""
        return op.function_name or op.__name__.lower()

    @classmethod
    def apply(op, *inputs: ArrayLike, **settings: Any) -> Node:
        """Compute the value, and return it as a node that is linked to its inputs.

        Numbers and arrays become `Constant`; `_f` and `_df` receive the settings. The result is a `Constant` if
        no input requires grad, and inside `no_grad`.
        """
        nodes = tuple([n if isinstance(n, Node) else as_input(n, op.label()) for n in inputs])
        x = [n._value for n in nodes]
        y, saved = mode.recorder.computed(op, x, settings) if mode.recorder else op._value_and_saved(x, settings)
        if op.elementwise and widens(nodes):
            return op.apply(*in_float64(nodes), **settings)
        if mode.anomaly and has_nan(y):
            raise anomaly_error(op.label(), x)
        if not mode.recording or True not in [n.requires_grad for n in nodes]:
            node = constant_result(y, nodes)
        else:
            node = object.__new__(Node)
            node._value, node._grad, node._saved = y, None, saved
            node._version, node._seen = versions.now, [checksum(v) for v in (*x, y)] if mode.anomaly else None
            node.op, node.inputs, node.settings, node.name = op, nodes, settings or None, None
        if mode.recorder is not None:
            mode.recorder.applied(op, nodes, settings, node, y, saved)
        return node

    @classmethod
    def _value_and_saved(op, x: list[Value], settings: dict[str, Any]) -> tuple[Value, Any]:
        """Call `_f`; again with NumPy's floats, which give inf or NaN, where Python's raise or become complex."""
        x = x if op.trusted else list(map(read_only, x))
        try:
            try:
                y = op._f(*x, **settings)
                y, saved = check_pair(op, y) if op.saves else (y, None)
                return y if type(y) is float else as_result(y, f"{op.__name__}._f"), saved
            except ArithmeticError as error:
                with errors_as_numpy(error):
                    y = op._f(*map(numpy_scalar, x), **settings)
                y, saved = check_pair(op, y) if op.saves else (y, None)
                return as_value(y, f"{op.__name__}._f"), saved
        except Exception as error:
            explain_error(error, op, x, settings)
            raise

    @classmethod
    def differentiate(op, node: Node, dldy: Any = None, create_graph: bool = False) -> Sequence[Any]:
        """Compute the gradients of the inputs of a node from the gradient of the node.

        The gradient `dldy` of the node is its `grad` if not given; with `create_graph`, all is computed with nodes,
        so that it can be differentiated again. A gradient may be None if its input does not require grad.
        """
        dldy = node.grad if dldy is None else dldy
        y, x = (node, node.inputs) if create_graph else (node._value, [n._value for n in node.inputs])
        if not op.trusted and not create_graph:
            dldy, y, *x = map(read_only, (dldy, y, *x))
        try:
            try:
                gradients = op._gradients(node, dldy, y, x)
                return as_nodes(gradients) if create_graph else gradients
            except ArithmeticError as error:  # of Python's floats, where NumPy's give inf or NaN
                if create_graph or any(type(v) is not float for v in x):
                    raise
                numpy_errors = errors_as_numpy(error)
            with numpy_errors:
                gradients = op._gradients(node, np.float64(dldy), np.float64(y), list(map(np.float64, x)))
            return [None if g is None else float(g) for g in gradients]
        except Exception as error:
            check_wrote(error, f"{op.__name__}._df")
            error.add_note(f"in the derivative of {op.__name__}, with inputs {', '.join(map(brief, x))}")
            raise

    @classmethod
    def _gradients(op, node: Node, dldy: Gradient, y: Any, x: Sequence[Any]) -> Sequence[Gradient]:
        """Call `_df`; overridden where gradients share work and only some of them may be needed."""
        settings = node.settings or {}
        if op.saves:
            settings = {**settings, "saved": node.saved}
        if op.vjps is None:
            return check_gradients(op, node, op._df(dldy, y, *x, **settings), as_node=y is node)
        return [vjp(dldy, y, *x, **settings) if n.requires_grad else None for n, vjp in zip(node.inputs, op.vjps)]

    @classmethod
    def _f(op, *x: Any, **settings: Any) -> Any:
        """Compute the value from the values of the inputs."""
        raise OperationError(
            f"{op.__name__} must define _f.",
            "a static method _f(*x) that returns the value.",
            "define _f in the class.",
        )

    @classmethod
    def _df(op, dldy: Any, y: Any, *x: Any, **settings: Any) -> Any:
        """Compute the gradient of every input from the gradient of the result, its value and the inputs.

        A subclass defines it as a function that returns all gradients, or as a tuple of functions
        ``(dldy, y, *x)``, one for each input, each called only if that input requires grad.
        """
        raise OperationError(
            f"{op.__name__} must define _df.",
            "a static method _df(dldy, y, *x) that returns one gradient for each input.",
            "define _df in the class, beside _f.",
        )

    @classmethod
    def _shape_error(op, error: ValueError, x: Sequence[Value]) -> ShapeError:
        """Return the error for a ValueError of `_f`; overridden where it may have another cause than the shapes."""
        return shape_error(error, op, x)
