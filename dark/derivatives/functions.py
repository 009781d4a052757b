"""First and second derivatives of a function of nodes, as functions of numbers and arrays."""

from functools import wraps

from dark.derivatives.passes import matrices
from dark.derivatives.run import check, run


def grad(f, argument=0):
    """Make the function that computes the gradient of `f`.

    Parameters
    ----------
    f : callable
        Takes nodes and returns a node that holds one number.
    argument : int or tuple of int, default 0
        The positional arguments to differentiate by. Of the others, floats and arrays of floats are
        handed on as constants, everything else as it is.

    Returns
    -------
    callable
        Takes what `f` takes, with numbers or arrays in place of nodes, and returns the gradient: a
        number or an array in the shape of the argument, a tuple of them for a tuple of arguments. An
        argument that `f` does not depend on has the gradient 0.

    Raises
    ------
    UsageError
        If `f` is no function, an argument is missing, or `f` returns no node.
    ShapeError
        From the function made, if `f` returns more than one number.

    Notes
    -----
    Where an argument is a node, and inside a function that is itself being differentiated, the answer
    is a node: so ``grad(grad(f))`` is the second derivative. What `f` takes from outside counts as
    constant, unless the answer is a node.

    Examples
    --------
    >>> f = lambda x: 2 * x**3
    >>> grad(f)(2.0), grad(grad(f))(2.0), grad(grad(grad(f)))(2.0)
    (24.0, 24.0, 12.0)

    Newton's method looks for a minimum where the gradient is 0:

    >>> f = lambda x: x**4 - 2 * x
    >>> x = 1.0
    >>> for _ in range(5):
    ...     x = x - grad(f)(x) / grad(grad(f))(x)
    >>> round(x, 9), round(0.5 ** (1 / 3), 9)
    (0.793700526, 0.793700526)
    """
    both = _both(f, argument, "grad")

    @wraps(f)
    def gradient(*x, **settings):
        return both(*x, **settings)[1]

    return gradient


def value_and_grad(f, argument=0):
    """Make the function that computes the value of `f` and its gradient, in one run.

    Parameters
    ----------
    f, argument
        As for `grad`.

    Returns
    -------
    callable
        Returns the value and the gradient.

    Examples
    --------
    >>> value_and_grad(lambda a, b: a * b, argument=(0, 1))(3.0, 4.0)
    (12.0, (4.0, 3.0))
    """
    return _both(f, argument, "value_and_grad")


def jacobian(f, argument=0):
    """Make the function that computes the derivative of every number `f` returns by every number it takes.

    Parameters
    ----------
    f : callable
        Takes nodes and returns a node of any shape.
    argument : int or tuple of int, default 0
        As for `grad`.

    Returns
    -------
    callable
        Returns an array whose shape is that of the result followed by that of the argument; a tuple of
        them for a tuple of arguments.

    Notes
    -----
    One backward pass for each number in the result.

    Examples
    --------
    >>> import numpy as np
    >>> jacobian(lambda x: x**2)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    check(f, argument, "jacobian")

    @wraps(f)
    def matrix(*x, **settings):
        with run("jacobian", f, argument, x, settings) as ran:
            return ran.give(matrices(ran.y, ran.variables, ran.linked))

    return matrix


def hessian(f, argument=0):
    """Make the function that computes all second derivatives of `f`.

    Parameters
    ----------
    f, argument
        As for `grad`.

    Returns
    -------
    callable
        Returns an array whose shape is that of the argument, twice. For a tuple of arguments it returns
        a tuple of tuples: the derivative of the gradient of one argument by another.

    Examples
    --------
    >>> import numpy as np
    >>> hessian(lambda x: x[0] ** 2 * x[1])(np.array([3.0, 5.0]))
    array([[10.,  6.],
           [ 6.,  0.]])
    """
    check(f, argument, "hessian")

    @wraps(f)
    def matrix(*x, **settings):
        with run("hessian", f, argument, x, settings) as ran:
            rows = [ran.give(matrices(g, ran.variables, ran.linked)) for g in ran.gradients(create_graph=True)]
        return tuple(rows) if ran.several else rows[0]

    return matrix


def _both(f, argument, who):
    check(f, argument, who)

    @wraps(f)
    def value_and_gradient(*x, **settings):
        with run(who, f, argument, x, settings) as ran:
            return ran.plain(ran.y), ran.give(ran.gradients(ran.linked))

    return value_and_gradient
