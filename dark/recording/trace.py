"""Rules of operations taken apart: called with a traced array, they write down the NumPy functions that they call."""

import operator
from functools import lru_cache

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "neg": "-", "eq": "==", "ne": "!=", "lt": "<", "le": "<=",
         "gt": ">", "ge": ">="}  # fmt: skip
SPECIAL = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e30, -1e30, 1e-40, -1e-40, 0.5, -3.7, 2.0, 88.0, -88.0)

sum_all = np.add.reduce  # one object, which has one name in a program


class Traced(NDArrayOperatorsMixin):
    """A variable that answers NumPy's functions; whatever else a rule does with it raises, and the rule stays whole."""

    def __init__(self, variable, tape):
        self.variable, self._tape = variable, tape
        value = variable.value
        self.shape, self.dtype, self.ndim, self.size = value.shape, value.dtype, value.ndim, value.size

    def __array_ufunc__(self, ufunc, method, *inputs, **settings):
        """Write down the call of a function of one result."""
        inputs = [x.variable if isinstance(x, Traced) else x for x in inputs]
        if method == "reduce" and ufunc is np.add and settings == {"axis": None, "keepdims": False}:
            return self._traced(self._tape.call(sum_all, *inputs, axis=None))
        if method != "__call__" or settings or ufunc.nout != 1:
            return NotImplemented
        return self._traced(self._tape.call(ufunc, *inputs))

    def _traced(self, variable):
        return Traced(variable, self._tape) if isinstance(variable, self._tape.kind) else variable

    def _refuse(self, *_):
        raise TypeError

    __bool__ = __float__ = __int__ = __index__ = __array__ = __iter__ = __len__ = __getitem__ = _refuse


class TracedFloat:
    """The same for a Python float: the operators of arithmetic and comparisons are written down, nothing else."""

    def __init__(self, variable, tape):
        self.variable, self._tape = variable, tape

    def __bool__(self):
        raise TypeError

    __float__ = __int__ = __index__ = __bool__
    __array_ufunc__ = None


def _operator(function, is_reflected=False):
    """Return the method of traced floats for an operator."""

    def method(self, *others):
        values = [x.variable if isinstance(x, TracedFloat) else x for x in (self, *others)]
        if any(type(x) not in (float, int, self._tape.kind) for x in values):  # it meets an array
            raise TypeError
        return TracedFloat(self._tape.call(function, *values[:: -1 if is_reflected else 1]), self._tape)

    return method


for _name in SIGNS:
    setattr(TracedFloat, f"__{_name}__", _operator(getattr(operator, _name)))
    if _name in ("add", "sub", "mul", "truediv"):
        setattr(TracedFloat, f"__r{_name}__", _operator(getattr(operator, _name), is_reflected=True))


def traced(tape, rule, arguments, settings):
    """Return the variable of what a rule returns, taken apart; None, and nothing written, if it cannot be."""
    if any(True for _ in tape.variables_in(settings)):
        return None
    key = tuple([_kind(x.value) if isinstance(x, tape.kind) else _kind(x, is_constant=True) for x in arguments])
    if None in key or not any(isinstance(x, tape.kind) for x in arguments):
        return None
    try:
        if not _is_traceable(rule, key, tuple(settings.items()), type(tape)):
            return None
    except TypeError:  # a setting that cannot be hashed
        return None
    return _trace(tape, rule, arguments, settings)


def _kind(value, is_constant=False):
    """Return what decides how a rule goes on: the dtype and the number of axes of an array, or a number itself."""
    if type(value) is np.ndarray and value.ndim:
        return (value.dtype.char, value.ndim) if value.dtype.char in "fd" else None
    if type(value) is float:
        return value if is_constant else "float"
    if is_constant and isinstance(value, np.floating):
        return value
    return (value.dtype.char, 0) if isinstance(value, np.floating) else None


def _trace(tape, rule, arguments, settings):
    mark = tape.mark()
    given = [
        (TracedFloat if type(x.value) is float else Traced)(x, tape) if isinstance(x, tape.kind) else x
        for x in arguments
    ]
    try:
        found = rule(*given, **settings)
    except Exception:
        found = None
    if isinstance(found, (Traced, TracedFloat)):
        return found.variable
    tape.undo(mark)
    return found if type(found) is float or isinstance(found, (np.floating, np.ndarray)) else None


@lru_cache(maxsize=1024)
def _is_traceable(rule, kinds, settings, tape_type):
    """Return whether a rule that is taken apart has the same bits as the whole one, for special values, too."""
    tape, settings = tape_type(), dict(settings)
    if "float" in kinds and all(type(k) in (str, float) for k in kinds):
        return all(_is_traceable_at(k, rule, kinds, settings, tape) for k in range(len(SPECIAL)))
    values = [np.roll(np.array(SPECIAL * 3), 7 * k) for k in range(len(kinds))]
    with np.errstate(all="ignore"):
        arguments = [
            v.astype(k[0]).reshape((1,) * (k[1] - 1) + (-1,) if k[1] else -1)[... if k[1] else 11]
            if type(k) is tuple
            else 0.7
            if k == "float"
            else k
            for v, k in zip(values, kinds)
        ]
        try:
            expected = rule(*arguments, **settings)
        except Exception:
            return False
        given = [tape.argument("x", x) if type(k) in (tuple, str) else x for x, k in zip(arguments, kinds)]
        found = _trace(tape, rule, given, settings)
    return found is not None and same_bits(tape.value(found), expected)


def _is_traceable_at(k, rule, kinds, settings, tape):
    """Return the same for floats, at one choice of special values; where the rule raises, a replay would, too."""
    values = [SPECIAL[(k + 7 * n) % len(SPECIAL)] if kind == "float" else kind for n, kind in enumerate(kinds)]
    try:
        expected = rule(*values, **settings)
    except ArithmeticError:
        return True
    given = [tape.argument("x", v) if kind == "float" else v for v, kind in zip(values, kinds)]
    found = _trace(tape, rule, given, settings)
    return found is not None and same_bits(tape.value(found), expected)


def same_bits(a, b):
    """Return whether two values have the same type, shape, dtype and bits; NaNs are equal, whatever their payload."""
    if type(a) is not type(b) or np.shape(a) != np.shape(b) or np.asarray(a).dtype != np.asarray(b).dtype:
        return False
    a, b = np.array(a), np.array(b)
    if a.dtype.kind == "f":
        missing = np.isnan(a)
        if (missing != np.isnan(b)).any():
            return False
        a[missing] = b[missing] = 0.0
    return a.tobytes() == b.tobytes()
