"""`Operation`: a function and its derivative in one place, and the two things a graph does with them."""

import inspect

import numpy as np

from dark.errors import DarkError, OperationError, ShapeError
from dark.nodes.mode import mode
from dark.nodes.node import Constant, Node, constant, result
from dark.nodes.protocols import SIGNS, UFUNCS
from dark.nodes.values import anomaly_error, as_numpy, brief, describe, fingerprint, has_nan, operand, settle, shape_of


class Operation:
    """What computes one node from others, and sends a gradient back the same way.

    A new operation is a subclass with `_f` and `_df`, written with arithmetic signs and NumPy
    functions only; then the same two lines serve numbers and nodes, so that gradients of gradients
    need nothing more. Results travel with the class that made them: nothing is registered.

    Parameters
    ----------
    sign : str, optional
        In ``class Add(Operation, sign="+")``: the sign that builds this operation from nodes.
    ufunc : numpy.ufunc, optional
        The NumPy function that does the same; on nodes it builds this operation.
    elementwise : bool, default True
        Whether the result of numbers is a number made of them alone, place by place.
    saves : bool, default False
        Whether `_f` returns ``(y, saved)``; the rules get ``saved=`` as a keyword.
    trusted : bool, default False
        A promise: each gradient is a new array, `dldy`, or a view of these.

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
    called = None  # the name of its function, where that is not the class's in small letters
    domain = ((-3.0, 3.0), (-3.0, 3.0), (-3.0, 3.0))  # where tests draw each input
    kinks = ()  # values (of one input) or "tie" (of two) near which a slope is no single number
    samples = ()  # ((shape of each input, ...), settings), ...; of what is elementwise, () stands for any shapes
    elementwise = True
    saves = False
    vjps = None
    _short = None  # the partials, where the backward pass may take its short way on numbers
    is_ours = True  # its rules keep to the contract of arrays: each returns a new one, dldy, or a view of these
    is_direct = False  # whether its partials say all, so that the backward pass may ask them itself

    def __init_subclass__(cls, sign=None, ufunc=None, elementwise=True, trusted=False, saves=None, **settings):
        super().__init_subclass__(**settings)
        cls.elementwise = elementwise
        cls.saves = cls.saves if saves is None else saves
        df = vars(cls).get("_df")
        if df is not None:  # its own derivative, not the one it inherits
            cls.vjps = df if isinstance(df, tuple) else None
            cls._short = None
        if isinstance(df, tuple):
            cls._df = staticmethod(_all_vjps(df))
        cls.is_ours, partials = trusted, cls.vjps
        own = cls.saves or not trusted
        cls.is_direct = bool(not own and partials and cls._gradients.__func__ is Operation._gradients.__func__)
        if partials is not None and len(partials) <= 3 and not cls.saves:
            cls._short = partials if elementwise and cls.is_ours and len(partials) < 3 else None
            cls.quick = staticmethod(_quick(cls))
        if sign is not None:
            if sign in SIGNS:
                raise OperationError(
                    f"{cls.__name__}: the sign {sign!r} belongs to another operation.",
                    "a sign that is free; signs work for everybody.",
                    f"{cls.__name__}.apply(...) needs none.",
                )
            cls.sign = sign
            SIGNS[sign] = cls.quick if cls.vjps else cls.apply
        if ufunc is not None:
            UFUNCS[ufunc] = cls

    @classmethod
    def label(op):
        """Return the name by which errors and tables call the operation."""
        return op.called or op.__name__.lower()

    @classmethod
    def apply(op, *inputs, **settings):
        """Compute a node, and link it to its inputs if a gradient may come back.

        Parameters
        ----------
        *inputs : Node, float or array
            A number or an array becomes a `Constant`.
        **settings
            Handed on to `_f` and `_df`.

        Returns
        -------
        Node
            A `Constant` where every input is one, and inside `no_grad`.

        Raises
        ------
        ValueTypeError
            If an input is neither a node, a real number nor an array of them.
        ShapeError
            If the shapes of the inputs do not fit each other.
        OperationError
            If `_f` takes another number of inputs, or returns something else than numbers.
        """
        nodes = tuple([n if isinstance(n, Node) else Constant(operand(n, op.label())) for n in inputs])
        x = [n._value for n in nodes]
        try:
            y = op._f(*x, **settings)
            saved = None
            if op.saves:
                y, saved = y
            if type(y) is not float:
                y = settle(y, op._f, x, f"{op.__name__}._f", settings)
        except ArithmeticError:  # Python's floats raise where NumPy answers inf or NaN
            y = as_numpy(op._f, x, settings)
        except Exception as error:
            if isinstance(error, TypeError):
                op._refuse_wrong_arity(x, settings)
            if isinstance(error, ValueError) and not isinstance(error, DarkError) and any(map(shape_of, x)):
                raise op._misfit(error, x) from None
            error.add_note(f"in {op.__name__}._f, with inputs {', '.join(map(brief, x))}")
            raise
        if mode.anomaly and has_nan(y):
            raise anomaly_error(op.label(), x)
        if mode.recording:
            for n in nodes:
                if n.requires_grad:
                    node = result(y, op, nodes, settings or None)
                    if op.saves:
                        node._saved = saved
                    if mode.anomaly:
                        node._seen = [fingerprint(v) for v in (*x, y)]
                    return node
        return Constant(y)

    @classmethod
    def differentiate(op, node, dldy=None, create_graph=False):
        """Say what a node sends back to each of its inputs.

        Parameters
        ----------
        node : Node
            A result of this operation.
        dldy : float or Node, optional
            The gradient that has arrived at the node; its `grad` if not given.
        create_graph : bool, default False
            Compute with nodes in place of values, so that the answer can be differentiated again.

        Returns
        -------
        sequence of float, Node or None
            One gradient for each input; None may stand where the input takes none.

        Raises
        ------
        OperationError
            If `_df` does not return one gradient for each input.
        """
        dldy = node.grad if dldy is None else dldy
        y, x = (node, node.inputs) if create_graph else (node._value, [n._value for n in node.inputs])
        try:
            try:
                return op._gradients(node, dldy, y, x)
            except ArithmeticError:
                if create_graph or any(type(v) is not float for v in x):
                    raise
            with np.errstate(all="ignore"):
                gradients = op._gradients(node, np.float64(dldy), np.float64(y), list(map(np.float64, x)))
            return [None if g is None else float(g) for g in gradients]
        except Exception as error:
            error.add_note(f"in the derivative of {op.__name__}, with inputs {', '.join(map(brief, x))}")
            raise

    @classmethod
    def _gradients(op, node, dldy, y, x):
        settings = node.settings or {}
        if op.saves:
            settings = {**settings, "saved": node.saved}
        if op.vjps is None:
            return _checked(op, node, op._df(dldy, y, *x, **settings), as_node=y is node)
        return [
            vjp(dldy, y, *x, **settings) if n.requires_grad else None
            for n, vjp in zip(node.inputs, op.vjps)
        ]

    @classmethod
    def _f(op, *x):
        """Compute the value from the values of the inputs."""
        raise OperationError(
            f"{op.__name__} has no _f.", "a static method _f(*x) that returns the value.", "define _f in the class."
        )

    @classmethod
    def _df(op, dldy, y, *x, **settings):
        """Compute the gradient of every input from the gradient of the result, its value and the inputs.

        A subclass defines it either as a function, or as a tuple with one function
        `(dldy, y, *x)` for each input, called only for inputs that require a gradient.
        """
        raise OperationError(
            f"{op.__name__} has no _df.",
            "a static method _df(dldy, y, *x) that returns one gradient for each input.",
            "define _df beside _f.",
        )

    @classmethod
    def _misfit(op, error, x):
        """Make the error for shapes that NumPy would not take together."""
        shapes = " and ".join(str(shape_of(v)) for v in x)
        why = f": {error}" if len(x) == 1 else ""
        fit = "shape {} does not fit" if len(x) == 1 else "shapes {} do not fit"
        return ShapeError(f"{op.label()}: {fit.format(shapes)}{why}.", op.expects, op.advice)

    expects = "shapes that are equal, or that broadcast: aligned at the right, each pair equal or 1"
    advice = "print the shapes; an axis of length 1, x[:, None], may be missing."

    @classmethod
    def _refuse_wrong_arity(op, x, settings):
        try:
            inspect.signature(op._f).bind(*x, **settings)
        except TypeError as error:
            raise OperationError(
                f"{op.label()}: {len(x)} inputs {x}; {error}.",
                f"{op.__name__}.apply{inspect.signature(op._f)}.",
                "give each input of _f once.",
            ) from None


def _quick(op):
    """Make the shortest way to `op.apply` for one, two or three nodes; every other case takes the long one."""
    f, kinds = op._f, {float, np.ndarray, np.float32}

    def of_one(x, settings=None):
        try:
            y = f(x._value, **settings) if settings else f(x._value)
            if type(y) in kinds and mode.plain and x.requires_grad:
                return result(y, op, (x,), settings)
        except (ArithmeticError, AttributeError, TypeError, ValueError):
            pass
        return op.apply(x, **(settings or {}))

    def of_two(a, b):
        if type(a) is float:
            a = constant(a)
        elif type(b) is float:
            b = constant(b)
        try:
            y = f(a._value, b._value)
            if type(y) in kinds and mode.plain and (a.requires_grad or b.requires_grad):
                return result(y, op, (a, b))
        except (ArithmeticError, AttributeError, TypeError, ValueError):
            pass
        return op.apply(a, b)

    def of_three(a, b, c):
        try:
            y = f(a._value, b._value, c._value)
            if type(y) in kinds and mode.plain and (a.requires_grad or b.requires_grad or c.requires_grad):
                return result(y, op, (a, b, c))
        except (ArithmeticError, AttributeError, TypeError, ValueError):
            pass
        return op.apply(a, b, c)

    return (of_one, of_two, of_three)[len(op.vjps) - 1]


def _all_vjps(vjps):
    """Make of one function for each input the function that returns all gradients."""

    def _df(dldy, y, *x, **settings):
        return tuple([vjp(dldy, y, *x, **settings) for vjp in vjps])

    return _df


def _checked(op, node, gradients, as_node):
    """Hold what a `_df` returned against its contract: one gradient for each input, each a number."""
    inputs = node.inputs
    if not isinstance(gradients, (tuple, list)) or len(gradients) != len(inputs):
        raise OperationError(
            f"{op.__name__}._df returned {describe(gradients)}.",
            f"a tuple of {len(inputs)} gradient{'s' if len(inputs) > 1 else ''}, one for each input.",
            f"return ({', '.join(f'gradient_{k + 1}' for k in range(len(inputs)))},)",
        )
    return [_settled(g, op, as_node) if n.requires_grad else None for n, g in zip(inputs, gradients)]


def _settled(g, op, as_node):
    """Make a gradient from a `_df` a value, or a node where nodes are asked for."""
    if isinstance(g, Node):
        return g if as_node else g._value
    if isinstance(g, complex):
        raise ArithmeticError(f"{op.__name__}._df returned the complex number {g}")  # again, as NumPy does: NaN
    if type(g) is not float:
        g = settle(g, op._df, (), f"{op.__name__}._df")
    return Constant(g) if as_node else g
