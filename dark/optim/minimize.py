"""Walking downhill: gradient descent on a function of one number."""

from dark.errors import UsageError
from dark.nodes import Node, Parameter


def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the gradient of a function downhill.

    Parameters
    ----------
    f : callable
        Takes a node and returns a node.
    x : float or Parameter
        Where to start. A Parameter is moved in place.
    learning_rate : float, default 0.1
        How far to go for each unit of slope.
    steps : int, default 100
        How many steps to take.

    Returns
    -------
    list of float
        The value at the start and after every step, `steps + 1` numbers.

    Raises
    ------
    UsageError
        If `f` does not return a node, or `steps` is negative.

    Examples
    --------
    >>> [round(x, 4) for x in minimize(lambda x: 2 * x**2 + 5, 10, steps=3)]
    [10.0, 6.0, 3.6, 2.16]
    """
    if steps < 0:
        raise UsageError(f"minimize: steps is {steps}.", "0 or more.", "count the steps to take.")
    x = x if isinstance(x, Parameter) else Parameter(x)
    path = [x.value]
    for _ in range(steps):
        y = f(x)
        if not isinstance(y, Node):
            raise UsageError(
                f"minimize: the function returned {y!r} ({type(y).__name__}).",
                "a node, computed from its input.",
                "use the functions of dark or arithmetic signs inside it.",
            )
        x.grad = None
        y.backward()
        x.value = x.value - learning_rate * x.grad
        path.append(x.value)
    return path
