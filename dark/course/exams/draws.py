"""Draws: the generated inputs of a question, written as annotations; `generate` makes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dark.errors import CourseError

ARITY = {"add": 2, "sub": 2, "mul": 2, "div": 2, "maximum": 2, "minimum": 2, "pow": 2}
ARITY |= dict.fromkeys(("neg", "exp", "log", "sqrt", "tanh", "abs", "relu"), 1)


def _check_order(kind, lower, low, upper, high):
    if low > high:
        says = f"{kind}: {lower} must not exceed {upper}, got {low} and {high}."
        advice = f"{kind}({lower}={high}, {upper}={low})" if kind != "ListOf" else "exchange them."
        raise CourseError(says, f"{lower} of at most {upper}.", advice)


def _check_any(kind, found, example):
    if not found:
        raise CourseError(f"{kind}: expected at least one value to draw from, got none.", "one value or more.", example)


@dataclass(frozen=True)
class Float:
    """A number from `low` to `high`, with at most three decimals; about every second time one of `often`, such as 0."""

    low: float
    high: float
    often: tuple[float, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        _check_order("Float", "low", self.low, "high", self.high)


@dataclass(frozen=True)
class Integer:
    """An integer from `low` to `high`, both included."""

    low: int
    high: int

    def __post_init__(self) -> None:
        _check_order("Integer", "low", self.low, "high", self.high)


@dataclass(frozen=True)
class Choice:
    """One of several plain values, the simplest first, such as ``Choice("add", "mul")``."""

    values: tuple[object, ...]

    def __init__(self, *values: object) -> None:
        _check_any("Choice", values, "Choice(1, 2, 3)")
        object.__setattr__(self, "values", values)


@dataclass(frozen=True)
class Array:
    """One of several nested lists of numbers, the simplest first, half of the time with a number added to all."""

    tables: tuple[object, ...]

    def __init__(self, *tables: object) -> None:
        _check_any("Array", tables, "Array([1, 2], [[3, 4], [5, 6]])")
        object.__setattr__(self, "tables", tables)


@dataclass(frozen=True)
class ListOf:
    """A list of `least` to `most` items, each drawn independently by the draw `item`."""

    item: object
    least: int = 0
    most: int = 5

    def __post_init__(self) -> None:
        _check_order("ListOf", "least", self.least, "most", self.most)


@dataclass(frozen=True)
class Expression:
    """An expression such as ``["add", ["mul", 2.0, "x"], "x"]``; `build` makes it of nodes.

    The `leaves` are names of variables, the `operations` names of functions of the implementation; `pow` gets the
    exponent 2 or 3. It has at most `size` operations; a subexpression that is written twice is one node. In the
    `template`, ``"..."`` is replaced by the generated expression.
    """

    leaves: tuple[str, ...] = ("x",)
    operations: tuple[str, ...] = ("add", "mul")
    size: int = 5
    template: object = "..."


def parts_of(expression, taken=()):
    """Return the distinct operations of an expression by their texts, the root last, and letters not `taken`."""
    found: dict[str, Any] = {}
    _collect(expression, found)
    letters = [letter for letter in "abcdefghijklmnopqrstuvw" if letter not in taken]
    return {key: (part, letter) for (key, part), letter in zip(found.items(), letters)}


def _collect(expression, found):
    if isinstance(expression, list) and (key := str(expression)) not in found:
        for operand in expression[1:]:
            _collect(operand, found)
        found[key] = expression


def build(dark: Any, expression: Any, leaves: Mapping[str, Any], name: str = "y") -> Any:
    """Build the graph of an expression, one node for each distinct subexpression; return the root, or a bare number.

    The expression is as `Expression` generates it, and `dark` an implementation. The root is called `name`, the other
    nodes as `write_expression` calls them.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> numbers = SimpleNamespace(add=lambda a, b: a + b, mul=lambda a, b: a * b)
    >>> build(numbers, ["add", ["mul", 2.0, "x"], "x"], {"x": 3.0})
    9.0
    """
    made: dict[str, Any] = {}
    for leaf, node in leaves.items():
        _name(node, leaf)
    for key, ((operation, *operands), letter) in parts_of(expression, leaves).items():
        made[key] = getattr(dark, operation)(*(_made(each, leaves, made) for each in operands))
        _name(made[key], letter)
    root = _made(expression, leaves, made)
    if isinstance(expression, list):
        _name(root, name)
    return root


def _made(expression, leaves, made):
    if isinstance(expression, str):
        return leaves[expression]
    return made[str(expression)] if isinstance(expression, list) else expression


def _name(node, name):
    if not isinstance(node, (int, float, str)):
        node.name = name


def write_expression(expression, name=None):
    """Format an expression as code, one statement for each operation; `name` is the name of the whole expression."""
    parts = parts_of(expression, _leaves(expression))
    names = {key: letter for key, (_, letter) in parts.items()}
    written = [(letter, op, [_operand(each, names) for each in rest]) for (op, *rest), letter in parts.values()]
    lines = [f"{letter} = {operation}({', '.join(operands)})" for letter, operation, operands in written]
    last = lines.pop().partition(" = ")[2] if lines else _operand(expression, names)
    return "; ".join([*lines, f"{name} = {last}" if name else last])


def _leaves(expression):
    if isinstance(expression, list):
        return set().union(*(_leaves(operand) for operand in expression[1:]))
    return {expression} if isinstance(expression, str) else set()


def _operand(operand, names):
    if isinstance(operand, list):
        return names[str(operand)]
    return operand if isinstance(operand, str) else f"{operand:g}"
