"""`gradcheck`: the gradient of a function beside central differences."""

import math
from dataclasses import replace

import numpy as np

from dark.derivatives.run import result_of, run
from dark.errors import UsageError
from dark.gradcheck.probe import Probe, draw_weights, is_trained, value_at
from dark.gradcheck.report import GradientReport
from dark.nodes import Constant, topological_order, value_of

FULL = 200  # up to so many numbers every one is nudged, unless directions are asked for
DIRECTIONS = 10  # of each input, where there are more


def gradcheck(f, *xs, nudge=1e-5, tolerance=1e-6, directions=None, second=False, rng=0):
    """Compare the gradient of a function with central differences, in float64.

    Parameters
    ----------
    f : callable
        Takes one node for each of `xs` and returns a node of any shape. If it holds several numbers, the
        gradient of one random mixture of them is compared.
    *xs : float, array or Node
        Where to compare. Choose points away from kinks, where a slope is no single number. Arrays of
        integers and truth values are handed on as they are.
    nudge : float, default 1e-5
        How far to go to each side, for an input of size 1; larger inputs are nudged in proportion.
    tolerance : float, default 1e-6
        The largest error that still agrees.
    directions : int, optional
        Nudge each input along so many random directions, in place of every number by itself. By
        default that is done, along 10, where the inputs hold more than 200 numbers.
    second : bool, default False
        Compare the second derivatives too, along a random direction.
    rng : int or numpy.random.Generator, default 0
        Where mixture and directions come from; a number is a seed.

    Returns
    -------
    GradientReport
        True or false as a condition; prints the worst entry.

    Raises
    ------
    UsageError
        If there is no input to nudge, `f` does not return a node, or it returns another value when it
        is called again.

    Notes
    -----
    If a random direction disagrees it is halved, and again the half that disagrees more, until one
    entry is left to name.

    Examples
    --------
    >>> import dark
    >>> bool(gradcheck(lambda a, b: a * dark.exp(b), 2.0, 0.5))
    True
    >>> bool(gradcheck(lambda x: dark.tanh(x @ x.T), np.ones((2, 3)), second=True))
    True
    """
    values, notes = _widened(xs)
    places = tuple(k for k, v in enumerate(values) if is_trained(v))
    if not places:
        raise UsageError("gradcheck: no input to nudge.", "gradcheck(f, x, ...).", "give one number an input of f.")
    rng = np.random.default_rng(rng)
    mixed = _mixed(f, rng)
    settings = (nudge, tolerance, directions, rng)
    report = _compare(mixed, values, places, *settings)
    if second and report:
        along = [draw_weights(rng, np.shape(values[k])) for k in places]
        again = _compare(_slope_along(mixed, places, along), values, places, *settings)
        if not again or again.error > report.error:
            report = replace(again, subject="second derivatives")
    notes += report.notes if report else (*report.notes, *_narrow_steps(f, values, places))
    return replace(report, notes=notes)


def _widened(xs):
    """Take the inputs as float64, and say which of them were not."""
    values, notes = [], []
    for k, x in enumerate(Constant(value_of(x)).value for x in xs):
        kind = getattr(x, "dtype", np.dtype(float))
        if kind.kind == "f" and kind.itemsize != 8:
            notes.append(f"input {k} was {'widened' if kind.itemsize < 8 else 'narrowed'} from {kind} to float64")
            x = x.astype(float) if isinstance(x, np.ndarray) else float(x)
        values.append(x)
    return values, tuple(notes)


def _mixed(f, rng):
    """Make a function of one number: `f`, or a random mixture of the numbers that it returns."""
    weights = {}

    def mixed(*x):
        y = result_of("gradcheck", f, x, {})
        if not y.shape:
            return y
        if y.shape not in weights:
            weights[y.shape] = draw_weights(rng, y.shape)
        return np.sum(y * weights[y.shape])

    return mixed


def _slope_along(f, places, along):
    """Make the function whose value is the slope of `f` along a direction; its gradient is second derivatives."""

    def slope_along(*x):
        with run("gradcheck", f, places, x, {}) as ran:
            total = Constant(0.0)
            for g, v in zip(ran.gradients(create_graph=True), along):
                total = total + np.sum(g * v)
            return ran.plain(total)

    return slope_along


def _compare(f, values, places, nudge, tolerance, directions, rng):
    """Compare the gradient of a function of one number with nudging, along entries or along directions."""
    with run("gradcheck", f, places, values, {}) as ran:
        found = ran.gradients(create_graph=False)
        _refuse_moods(ran.y.item(), value_at(f, values))
    if directions is None and sum(np.size(values[k]) for k in places) > FULL:
        directions = DIRECTIONS
    probes = {k: Probe(f, values, k, np.asarray(g), nudge) for k, g in zip(places, found)}
    entries = []
    for k, probe in probes.items():
        if directions is None:
            entries += [probe.entry(index) for index in np.ndindex(np.shape(values[k]))]
        elif np.size(values[k]):
            entries.append(probe.directions(directions, rng, tolerance))
    if not entries:
        return GradientReport(True, places[0], math.nan, math.nan, math.nan, 0.0)
    worst = max(entries, key=lambda entry: entry.error)
    if worst.error <= tolerance:
        return replace(worst, ok=True)
    return worst if worst.direction else replace(worst, notes=probes[worst.worst].kink(worst.index))


def _narrow_steps(f, values, places):
    """Say which operation rounds more coarsely than nudging can stand."""
    with run("gradcheck", f, places, values, {}) as ran:
        for n in topological_order(ran.y):
            if n.op and n.dtype.kind == "f" and n.dtype.itemsize < 8:
                return (f"{n.op.label()} computed in {n.dtype}, which rounds away what a nudge changes",)
    return ()


def _refuse_moods(once, again):
    if not math.isclose(once, again, rel_tol=1e-9, abs_tol=1e-12) and not (math.isnan(once) and math.isnan(again)):
        raise UsageError(
            f"gradcheck: the function gave {once:.9g}, and then {again:.9g} for the same inputs.",
            "a function of its inputs alone.",
            "make its random numbers with a generator that is seeded inside it, and let it ask no switch.",
        )
