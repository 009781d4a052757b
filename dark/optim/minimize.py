"""`minimize`: gradient descent on a function of one number."""

from collections.abc import Callable
from typing import Any

from dark.checks import callable_with, describe, integer, number
from dark.errors import UsageError
from dark.nodes import Node, Parameter, mode
from dark.nodes.grad_mode import Switch


def minimize(
    f: Callable[[Parameter], Any], x: float | Parameter, learning_rate: float = 0.1, steps: int = 100
) -> list[float]:
    """Minimize a function of one number by gradient descent; return the value of x at the start and after every step.

    The function takes a node and returns a node; it must not convert it to a Python number, as `math.sin` does. It
    starts at `x`, and a Parameter is updated in place. The learning rate is the factor of the derivative in each step.

    Examples
    --------
    >>> [round(x, 4) for x in minimize(lambda x: 2 * x**2 + 5, 10, steps=3)]
    [10.0, 6.0, 3.6, 2.16]
    """
    callable_with(f, "minimize", "f", ("x",))
    steps = integer(steps, "minimize", "steps", 0)
    number(learning_rate, "minimize", "learning_rate")
    x = x if isinstance(x, Parameter) else Parameter(x)
    path = [x.value]
    for _ in range(steps):
        with Switch(variables=(*mode.variables, x)):  # so that it is not converted to a number in between
            y = f(x)
        if not isinstance(y, Node):
            raise UsageError(
                f"minimize: the function must return a node, got {describe(y)}.",
                "a node, computed from its input.",
                "operators or functions of dark, which return nodes.",
            )
        x.zero_grad()
        y.backward()
        x.value = x.value - learning_rate * x.grad
        path.append(x.value)
    return path
