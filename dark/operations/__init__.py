"""The operations, one family a file; a new one is a class and a function in its family."""

from dark.nodes import Operation
from dark.operations.arithmetic import add, div, mul, neg, pow, sub
from dark.operations.elementary import abs, exp, log, maximum, minimum, relu, sqrt, tanh
from dark.operations.linear import matmul
from dark.operations.reductions import mean, sum
from dark.operations.shaping import broadcast_to, reshape, transpose


def all_operations():
    """List the operations of the package, so that tests, documents and drawings can walk them.

    Examples
    --------
    >>> [op.__name__ for op in all_operations()][:3]
    ['Add', 'Sub', 'Mul']
    """
    return [op for op in Operation.__subclasses__() if op.__module__.startswith("dark.")]


__all__ = [
    "abs", "add", "all_operations", "broadcast_to", "div", "exp", "log", "matmul", "maximum", "mean", "minimum",
    "mul", "neg", "pow", "relu", "reshape", "sqrt", "sub", "sum", "tanh", "transpose",
]  # fmt: skip
