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
    whole : list, default "..."
        An expression in which ``"..."`` stands for what is drawn.
    """

    leaves: tuple = ("x",)
    operations: tuple = ("add", "mul")
    size: int = 5
    whole: object = "..."


def parts_of(expression, taken=()):
    """List the different operations of an expression with their names, inputs before users.

    Parameters
    ----------
    expression : list, str or float
        As `Expression` draws it.
    taken : iterable of str
        Names that are not to be given.

    Returns
    -------
    dict of str to str
        Name by sub-expression, written as JSON; the last is the whole.

    Examples
    --------
    >>> parts_of(["add", ["mul", 2.0, "x"], "x"])
    {'["mul", 2.0, "x"]': 'a', '["add", ["mul", 2.0, "x"], "x"]': 'b'}
    """
    found = {}
    _collect(expression, found)
    letters = [letter for letter in "abcdefghijklmnopqrstuvw" if letter not in taken]
    return dict(zip(found, letters))


def _collect(expression, found):
    if isinstance(expression, list) and json.dumps(expression) not in found:
        for operand in expression[1:]:
            _collect(operand, found)
        found[json.dumps(expression)] = None


def build(dark, expression, leaves, name="y"):
    """Make an expression of nodes, each different sub-expression once, and name them.

    Parameters
    ----------
    dark : module
        An implementation.
    expression : list, str or float
        As `Expression` draws it.
    leaves : dict of str to node
        The node of each variable.
    name : str, default "y"
        The name of the root; all other nodes are called as `write_expression` calls them.

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
    made = {}
    for leaf, node in leaves.items():
        _name(node, leaf)
    for part, letter in parts_of(expression, leaves).items():
        operation, *operands = json.loads(part)
        made[part] = getattr(dark, operation)(*(_made(each, leaves, made) for each in operands))
        _name(made[part], letter)
    root = _made(expression, leaves, made)
    if isinstance(expression, list):
        _name(root, name)
    return root


def _made(expression, leaves, made):
    if isinstance(expression, str):
        return leaves[expression]
    return made[json.dumps(expression)] if isinstance(expression, list) else expression


def _name(node, name):
    if not isinstance(node, (int, float, str)):
        node.name = name


def write_expression(expression, name=None):
    """Write an expression as code, a line for each operation.

    Parameters
    ----------
    expression : list, str or float
        As `Expression` draws it.
    name : str, optional
        What the whole is called.

    Examples
    --------
    >>> write_expression(["add", ["mul", 2.0, "x"], "x"])
    'a = mul(2, x); add(a, x)'
    >>> write_expression(["add", ["mul", "x", "x"], ["mul", "x", "x"]], "y")
    'a = mul(x, x); y = add(a, a)'
    """
    names = parts_of(expression, _leaves(expression))
    lines = [f"{names[part]} = {_line(json.loads(part), names)}" for part in names]
    last = lines.pop().partition(" = ")[2] if lines else _operand(expression, names)
    return "; ".join([*lines, f"{name} = {last}" if name else last])


def _leaves(expression):
    if isinstance(expression, list):
        return set().union(*(_leaves(operand) for operand in expression[1:]))
    return {expression} if isinstance(expression, str) else set()


def _line(expression, names):
    return f"{expression[0]}({', '.join(_operand(operand, names) for operand in expression[1:])})"


def _operand(operand, names):
    if isinstance(operand, list):
        return names[json.dumps(operand)]
    return operand if isinstance(operand, str) else f"{operand:g}"
