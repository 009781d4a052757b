"""`gradcheck`: compare the gradient of a function with central finite differences."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from dark.checks import callable_with, integer, number
from dark.derivatives.finite_differences import GradientReport, Probe, is_differentiable, random_weights, value_at
from dark.derivatives.trace import call_for_node, tracing
from dark.errors import UsageError
from dark.nodes import Constant, topological_order, value_of
from dark.typing import ArrayLike

ALL_UP_TO = 200  # elements that are perturbed one by one; above it, random directions are
DIRECTIONS = 10  # of each input


def gradcheck(
    f: Callable[..., Any],
    *xs: ArrayLike,
    nudge: float = 1e-5,
    tolerance: float = 1e-6,
    directions: int | None = None,
    second: bool = False,
    rng: int | np.random.Generator = 0,
) -> GradientReport:
    """Compare the gradient of a function with central finite differences, in float64.

    Parameters
    ----------
    f : callable
        Takes one node for each of `xs` and returns a node of any shape, the same when it is called again. If that has
        several elements, the gradient of a random linear combination of them is checked.
    *xs : float, array or Node
        The inputs. Choose points away from kinks, where the derivative is undefined. Integer and bool
        arrays are passed on unchanged.
    nudge, tolerance : float, default 1e-5 and 1e-6
        The step to each side, relative to the magnitude of an element where that is larger than 1; the largest error.
    directions : int, optional
        Check the directional derivatives along this number of random directions for each input, instead of every
        partial derivative. By default 10 if the inputs have more than 200 elements. If one disagrees, bisection finds
        the element that is wrong.
    second : bool, default False
        Check second derivatives, too, along a random direction.
    rng : int or numpy.random.Generator, default 0
        Seed or generator for the random combination and directions.

    Examples
    --------
    >>> import dark
    >>> bool(gradcheck(lambda a, b: a * dark.exp(b), 2.0, 0.5))
    True
    >>> bool(gradcheck(lambda x: dark.tanh(x @ x.T), np.ones((2, 3)), second=True))
    True
    """
    number(nudge, "gradcheck", "nudge", above=0)
    number(tolerance, "gradcheck", "tolerance", least=0, finite=False)
    if directions is not None:
        directions = integer(directions, "gradcheck", "directions", 1)
    values, notes = _as_float64(xs)
    callable_with(f, "gradcheck", "f", tuple([f"x{k}" for k in range(len(values))]))
    arguments = tuple(k for k, v in enumerate(values) if is_differentiable(v))
    if not arguments:
        problem = "gradcheck: at least one input must be floating-point."
        raise UsageError(problem, "gradcheck(f, x, ...).", "pass a float for each input.")
    rng = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(integer(rng, "gradcheck", "rng", 0))
    scalar = _scalar_function(f, rng)
    settings = (nudge, tolerance, directions, rng)
    report = _compare(scalar, values, arguments, *settings)
    if second and report:
        along = [random_weights(rng, np.shape(values[k])) for k in arguments]
        again = _compare(_directional_derivative(scalar, arguments, along), values, arguments, *settings)
        if not again or again.error > report.error:
            report = replace(again, subject="second derivatives")
    notes += report.notes if report else (*report.notes, *_low_precision(f, values, arguments))
    return replace(report, notes=notes)


def _as_float64(xs):
    """Convert the inputs to float64, with a note for each that had another floating-point dtype."""
    values, notes = [], []
    for k, x in enumerate(Constant(value_of(x)).value for x in xs):
        dtype = getattr(x, "dtype", np.dtype(float))
        if dtype.kind == "f" and dtype.itemsize != 8:
            notes.append(f"input {k} was converted from {dtype} to float64")
            x = x.astype(float) if isinstance(x, np.ndarray) else float(x)
        values.append(x)
    return values, tuple(notes)


def _scalar_function(f, rng):
    """Return a function with a single element: `f`, or a random linear combination of its elements."""
    weights = {}

    def combined(*x):
        y = call_for_node("gradcheck", f, x, {})
        if not y.shape:
            return y
        if y.shape not in weights:
            weights[y.shape] = random_weights(rng, y.shape)
        return np.sum(y * weights[y.shape])

    return combined


def _directional_derivative(f, arguments, along):
    """Return the function that computes the directional derivative of `f`; its gradient holds second derivatives."""

    def derivative(*x):
        with tracing("gradcheck", f, arguments, x, {}) as trace:
            total = Constant(0.0)
            for g, v in zip(trace.gradients(create_graph=True), along):
                total = total + np.sum(g * v)
            return trace.as_result(total)

    return derivative


def _compare(f, values, arguments, nudge, tolerance, directions, rng):
    """Compare the gradient of a scalar function with finite differences, by element or by direction."""
    with tracing("gradcheck", f, arguments, values, {}) as trace:
        gradients = trace.gradients(create_graph=False)
        once, again = float(trace.y.value), value_at(f, values)
    if not math.isclose(once, again, rel_tol=1e-9, abs_tol=1e-12) and not (math.isnan(once) and math.isnan(again)):
        raise UsageError(
            f"gradcheck: the function must be deterministic, but returned {once:.9g}, then {again:.9g}.",
            "a function of its inputs alone.",
            "seed its random generator inside the function, and do not depend on global state such as no_grad.",
        )
    if directions is None and sum(np.size(values[k]) for k in arguments) > ALL_UP_TO:
        directions = DIRECTIONS
    probes = {k: Probe(f, values, k, np.asarray(g), nudge) for k, g in zip(arguments, gradients)}
    reports = []
    for k, probe in probes.items():
        if directions is None:
            reports += [probe.element(index) for index in np.ndindex(np.shape(values[k]))]
        elif np.size(values[k]):
            reports.append(probe.along_random_directions(directions, rng, tolerance))
    if not reports:
        return GradientReport(True, arguments[0], math.nan, math.nan, math.nan, 0.0)
    worst = max(reports, key=lambda report: report.error)
    if worst.error <= tolerance:
        return replace(worst, ok=True)
    return worst if worst.direction else replace(worst, notes=probes[worst.worst].kink(worst.index))


def _low_precision(f, values, arguments):
    """Return a note if an operation computed in less than float64, whose rounding hides the step."""
    with tracing("gradcheck", f, arguments, values, {}) as trace:
        for n in topological_order(trace.y):
            if n.op and n.dtype.kind == "f" and n.dtype.itemsize < 8:
                return (f"{n.op.label()} computed in {n.dtype}, too coarse for finite differences",)
    return ()
