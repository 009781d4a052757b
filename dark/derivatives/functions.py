"""Transformations of functions: `grad`, `jacobian`, `hessian`; products of these matrices, without forming them."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from dark.derivatives.trace import check_arguments, jacobians, point_and_direction, tracing, vjp
from dark.nodes import Parameter, gradients, value_of


def grad(f: Callable[..., Any], argument: int | tuple[int, ...] = 0) -> Callable[..., Any]:
    """Return a function that computes the gradient of `f`.

    Parameters
    ----------
    f : callable
        Takes nodes and returns a node with a single element.
    argument : int or tuple of int, default 0
        The indices of the positional arguments to differentiate with respect to. Other arguments are
        passed on: floats and floating-point arrays as constants, everything else unchanged.

    Notes
    -----
    The function takes the arguments of `f`, with floats or arrays in place of nodes, and returns the gradient, in the
    shape of the argument; a tuple of gradients for a tuple of arguments. The gradient with respect to an argument that
    `f` does not depend on is 0.

    If an argument is a node, and inside a function that is itself being differentiated, the result is a
    node: ``grad(grad(f))`` is the second derivative. So it is if `f` uses other nodes that require grad, such
    as the parameters of a network: `backward` then reaches them through the result. Inside `dark.no_grad()`
    the result is a float or an array, or a `Constant` if an argument is a node. The same holds for
    `value_and_grad`, `jacobian`, `hessian`, `jvp` and `hvp`.

    Examples
    --------
    >>> f = lambda x: 2 * x**3
    >>> grad(f)(2.0), grad(grad(f))(2.0), grad(grad(grad(f)))(2.0)
    (24.0, 24.0, 12.0)

    A penalty on the slope of a function with a parameter:

    >>> import dark
    >>> p = dark.Parameter(3.0)
    >>> slope = grad(lambda x: p * x**2)(2.0)
    >>> (slope**2).backward()  # slope = 4 * p
    >>> slope.value, p.grad
    (12.0, 96.0)
    >>> with dark.no_grad():
    ...     grad(lambda x: p * x**2)(2.0)
    12.0
    """
    return _transformed("grad", f, argument, lambda trace: trace.as_results(trace.gradients(trace.differentiable)))


def value_and_grad(f: Callable[..., Any], argument: int | tuple[int, ...] = 0) -> Callable[..., tuple[Any, Any]]:
    """Return a function that computes the value of `f` and its gradient in one call of `f`.

    Parameters and errors are those of `grad`.

    >>> value_and_grad(lambda a, b: a * b, argument=(0, 1))(3.0, 4.0)
    (12.0, (4.0, 3.0))
    """

    def results(trace):
        return trace.as_result(trace.y), trace.as_results(trace.gradients(trace.differentiable))

    return _transformed("value_and_grad", f, argument, results)


def jacobian(f: Callable[..., Any], argument: int | tuple[int, ...] = 0) -> Callable[..., Any]:
    """Return a function that computes the Jacobian of `f`, with one backward pass per element of the result.

    As `grad`, but `f` returns a node of any shape, and the Jacobian has the shape ``(*result.shape, *argument.shape)``;
    there is a tuple of them for a tuple of arguments.

    >>> jacobian(lambda x: x**2)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """

    def results(trace):
        return trace.as_results(jacobians(trace.y, trace.variables, trace.differentiable))

    return _transformed("jacobian", f, argument, results)


def hessian(f: Callable[..., Any], argument: int | tuple[int, ...] = 0) -> Callable[..., Any]:
    """Return a function that computes the Hessian of `f`; as `grad` otherwise.

    It has the shape ``(*argument.shape, *argument.shape)``. For a tuple of arguments there is a tuple of tuples: the
    Jacobian of each gradient with respect to each argument.

    >>> hessian(lambda x: x[0] ** 2 * x[1])(np.array([3.0, 5.0]))
    array([[10.,  6.],
           [ 6.,  0.]])
    """

    def results(trace):
        gradients = trace.gradients(create_graph=True)
        rows = [trace.as_results(jacobians(g, trace.variables, trace.differentiable)) for g in gradients]
        return tuple(rows) if trace.is_tuple else rows[0]

    return _transformed("hessian", f, argument, results)


def _transformed(who, f, argument, results):
    """Return a function that calls `f` with variables, and returns the results of a function of the trace."""
    check_arguments(f, argument, who)

    @wraps(f)
    def transformed(*x, **settings):
        with tracing(who, f, argument, x, settings) as trace:
            return results(trace)

    return transformed


def hvp(f: Callable[..., Any], x: Any, v: Any) -> Any:
    """Compute the product of the Hessian of `f` and a vector, at the cost of two gradients.

    `f` takes nodes and returns a node with a single element. The point `x` and the vector `v` are floats, arrays or
    nodes of one shape, or tuples of them for several arguments; so is the result.

    B. A. Pearlmutter, "Fast exact multiplication by the Hessian", Neural Computation 6, 1994.

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

    J. Townsend, "A new trick for calculating Jacobian vector products", 2017.

    >>> jvp(lambda x: x**2, np.array([1.0, 2.0]), np.array([1.0, 10.0]))
    array([ 2., 40.])
    """
    points, directions, argument = point_and_direction("jvp", f, x, v)
    with tracing("jvp", f, argument, points, {}, directions) as trace:
        y = value_of(trace.y)
        u = Parameter(np.ones_like(y, dtype=None if trace.y.dtype.kind == "f" else float))
        firsts = gradients(trace.y, u, trace.variables, create_graph=True)
        return trace.as_result(vjp(firsts, trace.seeds(directions), [u], trace.differentiable)[0])
