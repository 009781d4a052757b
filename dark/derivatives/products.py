"""The Jacobian and the Hessian multiplied by a direction, without making them."""

import numpy as np

from dark.derivatives.passes import pull
from dark.derivatives.run import pair, run
from dark.nodes import Parameter, gradients, value_of


def hvp(f, x, v):
    """Multiply the Hessian of `f` by a direction, without making the Hessian.

    Parameters
    ----------
    f : callable
        Takes nodes and returns a node that holds one number.
    x : float, array or Node, or a tuple of them
        Where; a tuple stands for several arguments.
    v : float, array or Node, or a tuple of them
        The direction, in the shape of `x`.

    Returns
    -------
    float, array or Node, or a tuple of them
        In the shape of `x`.

    Raises
    ------
    ShapeError
        If `v` has another shape than `x`.

    References
    ----------
    B. A. Pearlmutter, "Fast exact multiplication by the Hessian", Neural Computation 6, 1994.

    Examples
    --------
    >>> hvp(lambda x: x[0] ** 2 * x[1], np.array([3.0, 5.0]), np.array([1.0, 0.0]))
    array([10.,  6.])
    """
    points, directions, argument = pair("hvp", f, x, v)
    with run("hvp", f, argument, points, {}, directions) as ran:
        firsts = ran.gradients(create_graph=True)
        return ran.give(pull(firsts, ran.seeds(directions), ran.variables, ran.linked))


def jvp(f, x, v):
    """Compute how fast the result of `f` changes as its argument moves in a direction.

    Parameters
    ----------
    f : callable
        Takes nodes and returns a node of any shape.
    x : float, array or Node, or a tuple of them
        Where; a tuple stands for several arguments.
    v : float, array or Node, or a tuple of them
        The direction, in the shape of `x`.

    Returns
    -------
    float, array or Node
        The Jacobian times the direction, in the shape of the result.

    Raises
    ------
    ShapeError
        If `v` has another shape than `x`.

    Notes
    -----
    The gradient that goes back through `f` is linear in the gradient it starts from, ``u``: it is
    ``u @ J``. Its own derivative by ``u``, in the direction `v`, is ``J @ v``: two backward passes in
    place of a forward one.

    References
    ----------
    J. Townsend, "A new trick for calculating Jacobian vector products", 2017.

    Examples
    --------
    >>> jvp(lambda x: x**2, np.array([1.0, 2.0]), np.array([1.0, 10.0]))
    array([ 2., 40.])
    """
    points, directions, argument = pair("jvp", f, x, v)
    with run("jvp", f, argument, points, {}, directions) as ran:
        y = value_of(ran.y)
        u = Parameter(np.ones_like(y, dtype=None if ran.y.dtype.kind == "f" else float))
        firsts = gradients(ran.y, u, ran.variables, create_graph=True)
        return ran.plain(pull(firsts, ran.seeds(directions), [u], ran.linked)[0])
