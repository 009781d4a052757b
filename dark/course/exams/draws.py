"""Draws: what a question asks for, written as annotations; `strategies` turns them into inputs."""

import json
from dataclasses import dataclass

ARITY = {"add": 2, "sub": 2, "mul": 2, "div": 2, "maximum": 2, "minimum": 2, "pow": 2}
ARITY |= dict.fromkeys(("neg", "exp", "log", "sqrt", "tanh", "abs", "relu"), 1)


@dataclass(frozen=True)
class Float:
    """A number between two ends, both included, with at most three decimals.

    Examples
    --------
    >>> Float(-3, 3)
    Float(low=-3, high=3)
    """

    low: float
    high: float


@dataclass(frozen=True)
class Integer:
    """A whole number between two ends, both included."""

    low: int
    high: int


@dataclass(frozen=True)
class Choice:
    """One of some plain values; put the simplest first.

    Examples
    --------
    >>> Choice("add", "mul").values
    ('add', 'mul')
    """

    values: tuple

    def __init__(self, *values):
        object.__setattr__(self, "values", values)


@dataclass(frozen=True)
class ListOf:
    """A list of draws of one kind.

    Parameters
    ----------
    item : draw
        What stands in the list.
    least, most : int
        How many.
    """

    item: object
    least: int = 0
    most: int = 5


@dataclass(frozen=True)
class Expression:
    """An expression such as ``["add", ["mul", 2.0, "x"], "x"]``; `build` makes it of nodes.

    Parameters
    ----------
    leaves : tuple of str
        Names of the variables; each is used at least now and then.
    operations : tuple of str
        Names of functions of the implementation; `pow` gets a whole exponent, 2 or 3.
    size : int, default 5
        The most operations; a sub-expression that is written twice is one node.
    """

    leaves: tuple = ("x",)
    operations: tuple = ("add", "mul")
    size: int = 5


def build(dark, expression, leaves):
    """Make an expression of nodes, each different sub-expression once.

    Parameters
    ----------
    dark : module
        An implementation.
    expression : list, str or float
        As `Expression` draws it.
    leaves : dict of str to node
        The node of each variable.

    Returns
    -------
    node
        Its root; a bare number stays a number.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> numbers = SimpleNamespace(add=lambda a, b: a + b, mul=lambda a, b: a * b)
    >>> build(numbers, ["add", ["mul", 2.0, "x"], "x"], {"x": 3.0})
    9.0
    """
    return _build(dark, expression, leaves, {})


def _build(dark, expression, leaves, made):
    if isinstance(expression, str):
        return leaves[expression]
    if not isinstance(expression, list):
        return expression
    key = json.dumps(expression)
    if key not in made:
        operation, *operands = expression
        nodes = [_build(dark, operand, leaves, made) for operand in operands]
        made[key] = getattr(dark, operation)(*nodes)
    return made[key]


def write_expression(expression):
    """Write an expression as code, shared parts first under their own names.

    Examples
    --------
    >>> write_expression(["add", ["mul", 2.0, "x"], "x"])
    'add(mul(2, x), x)'
    >>> write_expression(["add", ["mul", "x", "x"], ["mul", "x", "x"]])
    'a = mul(x, x); add(a, a)'
    """
    counts = {}
    _count(expression, counts)
    names, lines = {}, []
    text = _write(expression, counts, names, lines)
    return "; ".join([*lines, text])


def _count(expression, counts):
    if isinstance(expression, list):
        key = json.dumps(expression)
        counts[key] = counts.get(key, 0) + 1
        if counts[key] == 1:
            for operand in expression[1:]:
                _count(operand, counts)


def _write(expression, counts, names, lines):
    if isinstance(expression, str):
        return expression
    if not isinstance(expression, list):
        return f"{expression:g}"
    key = json.dumps(expression)
    if key in names:
        return names[key]
    operands = (_write(operand, counts, names, lines) for operand in expression[1:])
    text = f"{expression[0]}({', '.join(operands)})"
    if counts[key] == 1:
        return text
    names[key] = "abcdefghijkmnop"[len(names)]
    lines.append(f"{names[key]} = {text}")
    return names[key]
