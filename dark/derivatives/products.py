"""Hessian-vector and Jacobian-vector products, without forming the matrix."""

from collections.abc import Callable
from typing import Any

import numpy as np

from dark.derivatives.backward_passes import vjp
from dark.derivatives.trace import point_and_direction, tracing
from dark.nodes import Parameter, gradients, value_of


def hvp(f: Callable[..., Any], x: Any, v: Any) -> Any:
    """Compute the product of the Hessian of `f` and a vector, at the cost of two gradients.

    `f` takes nodes and returns a node with a single element. The point `x` and the vector `v` are floats, arrays or
    nodes of one shape, or tuples of them for several arguments; so is the result.

    References
    ----------
    B. A. Pearlmutter, "Fast exact multiplication by the Hessian", Neural Computation 6, 1994.

    Examples
    --------
    >>> hvp(lambda x: x[0] ** 2 * x[1], np.array([3.0, 5.0]), np.array([1.0, 0.0]))
    array([10.,  6.])
    """
    points, directions, argument = point_and_direction("hvp", f, x, v)
    with tracing("hvp", f, argument, points, {}, directions) as trace:
        firsts = trace.gradients(create_graph=True)
        return trace.as_results(vjp(firsts, trace.seeds(directions), trace.variables, trace.differentiable))


def jvp(f: Callable[..., Any], x: Any, v: Any) -> Any:
    """Compute the Jacobian-vector product: the directional derivative of `f` at `x` along `v`.

    `f` may return a node of any shape, the shape of the product; `x` and `v` are as for `hvp`. The vector-Jacobian
    product ``u @ J`` is linear in ``u``. Its own derivative with respect to ``u``, along `v`, is ``J @ v``: two
    backward passes replace a forward-mode pass.

    References
    ----------
    J. Townsend, "A new trick for calculating Jacobian vector products", 2017.

    Examples
    --------
    >>> jvp(lambda x: x**2, np.array([1.0, 2.0]), np.array([1.0, 10.0]))
    array([ 2., 40.])
    """
    points, directions, argument = point_and_direction("jvp", f, x, v)
    with tracing("jvp", f, argument, points, {}, directions) as trace:
        y = value_of(trace.y)
        u = Parameter(np.ones_like(y, dtype=None if trace.y.dtype.kind == "f" else float))
        firsts = gradients(trace.y, u, trace.variables, create_graph=True)
        return trace.as_result(vjp(firsts, trace.seeds(directions), [u], trace.differentiable)[0])
